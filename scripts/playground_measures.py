"""What `bench.py` measures of the playground: its download, its start, and a key that is typed."""

from __future__ import annotations

import gzip
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benching import ROOT, SEVEN, Line, SkippedError

from gnubg_nactation.annotation import annotate
from gnubg_nactation.engines.wasm import MODULE, read_files
from gnubg_nactation.exports.text import game_sequences
from gnubg_nactation.files.formats import read
from gnubg_nactation.tasks.site import core_in, server_of, site

_PYODIDE = ROOT / ".venv" / "node_modules" / "pyodide"
_DRIVERS = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
_TURNS = 20
_TICKS = 100  # of a second, as /proc counts
_READY = """
const done = arguments[0];
(function again() {
  if (document.documentElement.dataset.python === 'ready') done(); else setTimeout(again, 20);
})();
"""
_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
# Types a text, each character when the board of the one before is drawn; milliseconds of each.
_TYPE = """
const [text, done] = arguments;
const field = document.querySelector('#text');
const pause = (time) => new Promise((seen) => setTimeout(seen, time));
(async () => {
  for (let at = 1; at <= text.length; at += 1) {
    field.value = text.slice(0, at);
    field.dispatchEvent(new Event('input'));
    await pause(250);
    while (document.querySelector('#what').textContent !== 'Ready') await pause(50);
  }
  done();
})();
"""
# Milliseconds from the equities of 31 at 0-ply to those at 2-ply.
_DEEPEN = """
const done = arguments[0];
const field = document.querySelector('#text');
const shown = (level) => new Promise((seen) => {
  (function again() {
    if (document.querySelector('#depth').textContent.endsWith(level)) seen(performance.now());
    else setTimeout(again, 2);
  })();
});
(async () => {
  field.value = '31';
  field.dispatchEvent(new Event('input'));
  const start = await shown('0-ply');
  done(await shown('2-ply') - start);
})();
"""
_PAUSE = 300  # milliseconds, after which equities.js begins the deeper search


def playground(_: Path) -> Iterator[Line]:
    """The folder packed, as a server sends it, and in Chromium."""
    if not _PYODIDE.exists():
        raise SkippedError("Pyodide is not installed (npm install --prefix .venv pyodide)")
    built = ROOT / "build" / "engine"
    engine = read_files(built) if (built / MODULE).exists() else None
    files = dict(site(core_in(_PYODIDE), engine))
    packed = sum(len(gzip.compress(data)) for data in files.values()) / 1e6
    yield Line(
        "playground, first visit", f"{packed:.1f} MB", "packed", "", "< 9.5 MB", packed < 9.5
    )
    if not all(path.exists() for path in _DRIVERS):
        raise SkippedError("Debian's chromium with chromium-driver is not installed")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, "site", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with server_of(Path(folder, "site")) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield from _visits(Path(folder), f"http://127.0.0.1:{server.server_port}/#s=")
            server.shutdown()


def _visits(folder: Path, address: str) -> Iterator[Line]:
    from tests.browser.reader import start  # noqa: PLC0415 (selenium)

    browser = start(folder / "profile")
    browser.set_script_timeout(300)
    names = ("the first visit", "the second", "the third")
    for name in names:
        browser.get("about:blank")
        earlier = _seconds(browser)
        browser.get(address)
        browser.execute_async_script(_READY)
        spent, paint = _seconds(browser) - earlier, browser.execute_script(_PAINT) / 1000
        limit = ("", True) if name == names[0] else ("< 1.7 s", spent < 1.7)
        yield Line("playground, ready", f"{spent:.1f} s", f"CPU of {name}", "", *limit)
        yield Line("playground, painted", f"{paint:.2f} s", name, "", "< 0.5 s", paint < 0.5)
    text = _sequence()
    for name in ("at first", "once warm"):
        earlier = _seconds(browser)
        browser.execute_async_script(_TYPE, text)
        key = 1000 * (_seconds(browser) - earlier) / len(text)
        limit = ("", True) if name == "at first" else ("< 50 ms", key < 50)
        yield Line("playground, a key", f"{key:.0f} ms", f"CPU, {name}", "", *limit)
    if browser.execute_script("return document.querySelector('#depth').textContent"):
        deep = (browser.execute_async_script(_DEEPEN) - _PAUSE) / 1000
        limit = "< 0.5 s", deep < 0.5
        yield Line("playground, 2-ply", f"{deep:.2f} s", "31 from the start", "", *limit)
    browser.quit()


def _sequence() -> str:
    """A game of twenty turns."""
    (match,) = read(SEVEN)
    longest = max(game_sequences(annotate(match)), key=len)
    mark = "-" * longest.startswith("-")
    return mark + "-".join(longest.lstrip("-").split("-")[:_TURNS])


def _seconds(browser: Any) -> float:
    """The CPU time of all processes of a browser, without that of its driver."""
    parents, spent = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has just ended
            continue
        number = int(path.parent.name)
        parents[number], spent[number] = int(fields[1]), sum(map(int, fields[11:13])) / _TICKS
    driver = browser.service.process.pid
    ours = {driver}
    for _ in range(8):
        ours |= {number for number, parent in parents.items() if parent in ours}
    return sum(spent[number] for number in ours - {driver})
