"""A host with other pages and several playgrounds: no service worker touches what is another's."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from gnubg_nactation.tasks.site import Core, site

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.support.ui import Select

from tests.browser.reader import Reader
from tests.browser.visitor import Visitor

# Python is ready at once, and says nothing; the page waits for its service worker.
WORKER = """
window.Worker = class {
  constructor(_, { type }) {
    if (type === 'module') setTimeout(() => this.onmessage({ data: { kind: 'ready' } }));
  }
  postMessage() {}
  terminate() {}
};
const later = setTimeout;
window.setTimeout = (does, time, ...given) => (time >= 5000 ? 0 : later(does, time, ...given));
"""
BLOG = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A blog</title>
<link rel="icon" href="data:,"></head><body>Nothing here about backgammon.</body></html>
"""
# What a page gets: the status and the text, or that there was none.
FETCH = """
const [url, options, done] = arguments;
fetch(url, options).then(async (found) => done([found.status, await found.text()]), done);
"""
# The names of the caches, as soon as there are these.
CACHE_NAMES = """
const [names, done] = arguments;
const end = Date.now() + 6e5;
(async function again() {
  const found = (await caches.keys()).sort();
  if (found.join() === names.join() || Date.now() > end) done(found);
  else setTimeout(again, 20);
})();
"""
SHARE = """
const [url, done] = arguments;
const body = new FormData();
body.append('files', new File(['buy milk'], 'notes.txt'));
fetch(url, { method: 'POST', body }).then(done);
"""
# The texts of the files in a cache that another app has shared.
SHARED = """
const [name, done] = arguments;
caches.open(name).then(async (cache) => {
  const shared = (await cache.keys()).filter(({ url }) => url.includes('/shared/'));
  done(await Promise.all(shared.map(async (one) => (await cache.match(one)).text())));
});
"""
CORE = ("pyodide.mjs", "pyodide.asm.wasm")


class _Handler(SimpleHTTPRequestHandler):
    """A server of files that has parts of them, an echo, and pages for other hosts."""

    def do_GET(self) -> None:
        if "Range" in self.headers:
            self._answer(206, self.headers["Range"].encode())
        elif self.path == "/notes":
            self._answer(200, b"notes")
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self._answer(200, self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Host(NamedTuple):
    address: str
    folder: Path
    server: ThreadingHTTPServer

    def build(self, place: str, version: str) -> str:
        """Build a playground with a Python of this version; its cache's name."""
        core = Core(version, dict.fromkeys(CORE, b""))
        for name, data in site(core):
            path = self.folder / place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if name.endswith("/app.js"):
                folder = name.split("/")[0]
        return f"{self.address}{place} {folder}"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host with a page and a file of others below its root."""
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog" / "index.html").write_text(BLOG, encoding="utf-8")
    handler = partial(_Handler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Host(f"http://127.0.0.1:{server.server_port}/", tmp_path, server)
        server.shutdown()


def keeps(visitor: Visitor, names: Iterable[str]) -> None:
    """Wait until the browser has just these caches."""
    assert visitor.browser.execute_async_script(CACHE_NAMES, sorted(names)) == sorted(names)


def settled(visitor: Visitor, address: str) -> None:
    """Visit a playground, whose own service worker is in control before Python starts."""
    visitor.begin(address)
    visitor.python("ready")
    assert visitor.run("return navigator.serviceWorker.controller.scriptURL") == (
        f"{address}service.js"
    )


def test_other_pages_of_the_host_are_left_alone(reader: Reader, host: Host) -> None:
    visitor = Visitor(reader)
    cache = host.build("", "1.0")
    style = f"/{cache.split(' ')[1]}/style.css"
    with visitor.before_each_page(WORKER):
        settled(visitor, host.address)
    visitor.visit(f"{host.address}blog/")
    assert visitor.run("return [document.title, !!navigator.serviceWorker.controller]") == [
        "A blog",
        True,
    ]
    elsewhere = host.address.replace("127.0.0.1", "localhost")
    for url, options, answer in (
        (f"{elsewhere}notes", {}, [200, "notes"]),
        (style, {"method": "POST", "body": "me"}, [200, "me"]),
        (style, {"headers": {"Range": "bytes=0-1"}}, [206, "bytes=0-1"]),
    ):
        assert visitor.browser.execute_async_script(FETCH, url, options) == answer
    host.server.shutdown()
    host.server.server_close()
    for page in ("", "?from=a-forum", "index.html#alphabet"):
        visitor.visit(f"{host.address}{page}")
        assert visitor.run("return document.title") == "Nactation playground"


def test_playgrounds_of_one_host_keep_their_own(reader: Reader, host: Host) -> None:
    visitor = Visitor(reader)
    places = {"": "1.0", "a/": "1.0", "b/": "2.0"}
    with visitor.before_each_page(WORKER):
        caches = {place: host.build(place, version) for place, version in places.items()}
        for place in places:
            settled(visitor, f"{host.address}{place}")
            assert visitor.text("#level option:checked") == "the first 5 letters"
            visitor.go("letters")
            Select(visitor.find("#level")).select_by_value("")
        keeps(visitor, caches.values())
        old = caches[""]
        # A file from another app, which the library has not taken when the new version comes.
        visitor.visit(host.address)
        visitor.browser.execute_async_script(SHARE, f"{host.address}share")
        caches[""] = host.build("", "2.0")
        visitor.visit(host.address)
        keeps(visitor, [*caches.values(), old])
        visitor.visit(f"{host.address}b/")
        keeps(visitor, caches.values())
        assert visitor.browser.execute_async_script(SHARED, caches[""]) == ["buy milk"]
        host.server.shutdown()
        host.server.server_close()
        for place, cache in caches.items():
            settled(visitor, f"{host.address}{place}")
            assert cache.split(" ")[1] in str(visitor.find("script[src]").get_attribute("src"))
