"""A real gnubg for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gnubg_nactation.engines.child import Gnubg
from tests.gnubg.ingame import GNUBG


@pytest.fixture(scope="module")
def gnubg() -> Iterator[Gnubg]:
    with Gnubg(GNUBG, threads=2) as engine:
        yield engine
