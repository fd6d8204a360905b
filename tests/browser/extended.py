"""The extension, built, and a server of pages that it may read."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from gnubg_nactation.engines.wasm import SOURCE, read_files
from gnubg_nactation.tasks.site import core_in, extension
from tests.browser.conftest import missing
from tests.browser.visitor import _PYODIDE, _Plain
from tests.engines.built import FOLDER

_HEAD = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>'
_KEEP = "<script>window.before = document.body.outerHTML</script>"


class Built(NamedTuple):
    """Both folders, in which the browser may read this machine's pages, and the pages."""

    folder: Path
    pages: Path
    address: str

    @property
    def flags(self) -> tuple[str, str]:
        """What Chromium starts with, to load the extension."""
        allowed = "disable-features=DisableLoadExtensionCommandLineSwitch"
        return f"load-extension={self.folder / 'chromium'}", allowed

    @property
    def own(self) -> str:
        """Where Chromium has the extension: the hash of its path, in letters from a to p."""
        digest = hashlib.sha256(str(self.folder / "chromium").encode()).hexdigest()[:32]
        name = "".join("abcdefghijklmnop"[int(digit, 16)] for digit in digest)
        return f"chrome-extension://{name}"

    def page(self, body: str) -> str:
        """The address of a new page, whose script keeps how it was."""
        name = f"{len(list(self.pages.iterdir()))}.html"
        text = f"{_HEAD}<body>{body}{_KEEP}"
        (self.pages / name).write_text(text, encoding="utf-8")
        return f"{self.address}{name}"


@contextmanager
def offering(folder: Path, pages: Path) -> Iterator[Built]:
    """Build the extension in a folder, and serve the pages of another."""
    if not _PYODIDE.exists():
        missing("pyodide (npm install --prefix .venv pyodide)")
    if not (FOLDER / SOURCE).exists():
        missing("the built-in engine (bash scripts/engine.sh build/engine)")
    for name, data in extension(core_in(_PYODIDE), read_files(FOLDER)):
        made = data
        if name.endswith("/manifest.json"):
            manifest = json.loads(data) | {"host_permissions": ["http://127.0.0.1/*"]}
            made = json.dumps(manifest).encode()
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made)
    handler = partial(_Plain, [], directory=str(pages))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Built(folder, pages, f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()


def click_at(driver: Any, x: float, y: float) -> None:
    """Click with the mouse at a place in the window of Chromium."""
    at = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for kind in ("mousePressed", "mouseReleased"):
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", at | {"type": kind})


def open_card(driver: Any) -> None:
    """Click on the first mark of the page in Chromium."""
    x, y, width, height = driver.execute_script(
        "const [box] = [...CSS.highlights.get('nactation')][0].getClientRects();"
        "return [box.x, box.y, box.width, box.height]"
    )
    click_at(driver, x + width / 2, y + height / 2)
