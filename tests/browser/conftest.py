"""axe-core, the judge of accessibility, and what to do where a program is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / ".venv/node_modules/axe-core/axe.min.js"


def missing(what: str) -> None:
    """Skip for want of a program; where everything is to be installed, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which scripts/test.sh installs."""
    if not AXE.exists():
        missing("axe-core (npm install --prefix .venv axe-core)")
    return AXE.read_text(encoding="utf-8")
