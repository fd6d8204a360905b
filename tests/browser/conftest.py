"""One browser for all tests; axe-core, the judge of accessibility; what to do without them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import gmtime
from typing import TYPE_CHECKING

import pytest

from tests.engines.built import FOLDER
from tests.sharing import shared_folder

if TYPE_CHECKING:
    from tests.browser.reader import Reader
    from tests.browser.visitor import Served, Visitor

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
    from tests.browser.reader import DRIVER, SHELL, Reader, start_shell  # noqa: PLC0415 (selenium)

    if not (SHELL.exists() and DRIVER.exists()):
        missing("Debian's chromium-headless-shell with chromium-driver")
    browser = start_shell(tmp_path_factory.mktemp("downloads"))
    yield Reader(browser, tmp_path_factory.mktemp("pages"))
    browser.quit()


@pytest.fixture
def reader(shared: Reader) -> Iterator[Reader]:
    """The browser as it was at first; fails where the script or the policy complains."""
    shared.complaints()
    yield shared
    shared.browser.switch_to.default_content()  # a frame out of sight has no next frame
    assert not shared.complaints()  # no error of the script, nothing refused by the policy
    shared.media()
    shared.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    shared.run("localStorage.clear()")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the playground, for all processes."""
    from tests.browser.visitor import build  # noqa: PLC0415 (selenium)

    return shared_folder(tmp_path_factory, "built", build)


@pytest.fixture(scope="session")
def playground(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The playground for all tests of a process, whose browser keeps a Python that has started."""
    from tests.browser.visitor import serving  # noqa: PLC0415 (selenium)

    with serving(built, tmp_path_factory.mktemp("playground")) as served:
        yield served


@pytest.fixture
def served(built: Path, tmp_path: Path) -> Iterator[Served]:
    """A playground for one test, which breaks it or must come first."""
    from tests.browser.visitor import serving  # noqa: PLC0415 (selenium)

    with serving(built, tmp_path) as served:
        yield served


@pytest.fixture
def visitor(
    reader: Reader, playground: Served, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Visitor]:
    """Somebody who comes to the playground for the first time, though the browser has its files."""
    from tests.browser.reader import DESKTOP  # noqa: PLC0415 (selenium)
    from tests.browser.visitor import KEEP_FILES, Visitor  # noqa: PLC0415 (selenium)

    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))  # of the command line
    visitor = Visitor(reader)
    visitor.size(*DESKTOP)
    visitor.browser.get("about:blank")  # an open library would notice that it is cleared
    command = visitor.browser.execute_cdp_cmd
    origin = {"origin": playground.address, "storageTypes": "local_storage,indexeddb"}
    command("Storage.clearDataForOrigin", origin)
    command("Page.setInterceptFileChooserDialog", {"enabled": True})
    allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    command("Browser.grantPermissions", {"permissions": allowed})
    visitor.media(prefers_reduced_motion="reduce")  # or checkers glide away from the pointer
    noon = f"Etc/GMT{gmtime().tm_hour - 12:+d}"  # so that no question is of yesterday
    command("Emulation.setTimezoneOverride", {"timezoneId": noon})
    cores = "Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 });"
    with visitor.before_each_page(f"Math.random = () => 0.5; {cores} {KEEP_FILES}"):
        yield visitor
    command("Page.setInterceptFileChooserDialog", {"enabled": False})
