"""The layouts, line by line; see golden.py for how to renew them."""

from __future__ import annotations

import pytest

from tests.golden.golden import CASES, FOLDER, annotated


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    assert annotated(name) == (FOLDER / name).read_text(encoding="utf-8")
