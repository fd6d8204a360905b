"""One browser for all tests; axe-core, the judge of accessibility; what to do without them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.reader import Reader

AXE = Path(__file__).parents[2] / ".venv/node_modules/axe-core/axe.min.js"


def missing(program: str) -> None:
    """Skip for want of a program; where everything is to be installed, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{program} is not installed")
    pytest.skip(f"{program} is not installed")


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which scripts/test.sh installs."""
    if not AXE.exists():
        missing("axe-core (npm install --prefix .venv axe-core)")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A browser without a screen, for all tests of a process."""
    from tests.browser.reader import CHROMIUM, DRIVER, Reader, start  # noqa: PLC0415 (selenium)

    if not (CHROMIUM.exists() and DRIVER.exists()):
        missing("Debian's chromium with chromium-driver")
    browser = start(tmp_path_factory.mktemp("profile"))
    yield Reader(browser, tmp_path_factory.mktemp("pages"))
    browser.quit()


@pytest.fixture
def reader(shared: Reader) -> Iterator[Reader]:
    """The browser as it was at first; fails where the script or the policy complains."""
    shared.complaints()
    yield shared
    assert not shared.complaints()  # no error of the script, nothing refused by the policy
    shared.media()
    shared.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    shared.run("localStorage.clear()")
