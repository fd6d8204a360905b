"""What `bench.py` measures of the playground: its download, its start, and a key that is typed."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
# Seconds of a rollout of the two best plays of a roll, from the click to its nacbrac.
_ROLL_OUT = """
const [trials, done] = arguments;
const start = performance.now();
document.querySelector('#trials').value = trials;
document.querySelector('#roll-out').click();
(function again() {
  if (document.querySelector('#rolled code')) done((performance.now() - start) / 1000);
  else setTimeout(again, 50);
})();
"""
_ROLLED_OUT, _TRIALS = "65", 1296  # an opening with two plays worth a rollout
_MATCHES = 1000
_MATCH_TURNS = 280  # of a match that `archive_made.py --own` makes
_MAKER = Path(__file__).with_name("archive_made.py")
_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
_SLOWER = 4  # the processor of a cheap phone
_MAX_ANSWER, _MAX_SLOW_ANSWER = 100, 500  # milliseconds
_SETTLING = 2  # seconds
# Milliseconds from the start of the page until the library is open.
_OPENED = """
const done = arguments[0];
(function again() {
  const { python, shelf } = document.documentElement.dataset;
  if (python === 'ready' && shelf === 'open') done(performance.now()); else setTimeout(again, 5);
})();
"""
# Waits until the library has this many matches; you are its first player.
_FILLED = """
const [count, done] = arguments;
const folder = document.querySelector('script[src]').src.replace(/[^/]*$/, '');
(async () => {
  const { askLibrary, changeLibrary } = await import(`${folder}library-shelf.js`);
  const pause = () => new Promise((seen) => setTimeout(seen, 200));
  for (;;) {
    const { matches, players } = await askLibrary('library_matches');
    if (matches.length >= count) {
      await changeLibrary('library_you', [[players[0]]]);
      break;
    }
    await pause();
  }
  done();
})();
"""
# Milliseconds of a question to the library.
_ASK = """
const [name, args, done] = arguments;
const folder = document.querySelector('script[src]').src.replace(/[^/]*$/, '');
(async () => {
  const { askLibrary } = await import(`${folder}library-shelf.js`);
  const start = performance.now();
  await askLibrary(name, ...args);
  done(performance.now() - start);
})();
"""
_LIBRARY_QUESTIONS: tuple[tuple[str, str, list[Any]], ...] = (
    ("list", "library_matches", []),
    ("stats", "library_stats", [{}]),
    ("mistakes", "library_mistakes", [{}]),
    ("leaks", "library_leaks", [{}]),
    ("leaks again", "library_leaks", [{}]),
    ("leaks since", "library_leaks", [{"since": "2015"}]),
    ("find", "library_find", ["43D-63R", {}]),
    ("find any", "library_find", ["*-63R-31P", {}]),
    ("explore", "library_explore", ["start", {}]),
)
_PAUSE = 300  # milliseconds, after which equities.js begins the deeper search


def playground(_: Path) -> Iterator[Line]:
    """The folder packed, as a server sends it, and in Chromium."""
    files = _files()
    packed = sum(len(gzip.compress(data)) for data in files.values()) / 1e6
    yield Line(
        "playground, first visit", f"{packed:.1f} MB", "packed", "", "< 9.5 MB", packed < 9.5
    )
    with _served(files) as (folder, address):
        yield from _visits(folder, f"{address}#s=")


def library(_: Path) -> Iterator[Line]:
    """A library of a thousand matches on a phone in Chromium: its start and its answers.

    Making the matches takes a while, so it only runs if it is named. The browser slows down only
    the page, not its worker, which answers. So the time of the worker is multiplied.
    """
    with _served(_files()) as (folder, address):
        database = folder / "games.db"
        command = [sys.executable, str(_MAKER), "--own", "--turns", str(_MATCHES * _MATCH_TURNS)]
        subprocess.run([*command, str(database)], check=True)
        yield from _library(folder, f"{address}#library", database)


def _files() -> Mapping[str, bytes]:
    if not _PYODIDE.exists():
        raise SkippedError("Pyodide is not installed (npm install --prefix .venv pyodide)")
    built = ROOT / "build" / "engine"
    engine = read_files(built) if (built / MODULE).exists() else None
    return dict(site(core_in(_PYODIDE), engine))


@contextmanager
def _served(files: Mapping[str, bytes]) -> Iterator[tuple[Path, str]]:
    """A folder for a browser, and the address of the playground."""
    if not all(path.exists() for path in _DRIVERS):
        raise SkippedError("Debian's chromium with chromium-driver is not installed")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, "site", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with server_of(Path(folder, "site")) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield Path(folder), f"http://127.0.0.1:{server.server_port}/"
            server.shutdown()


def _library(folder: Path, address: str, database: Path) -> Iterator[Line]:
    from tests.browser.reader import start  # noqa: PLC0415 (selenium)

    browser = start(folder / "profile")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _PHONE)
    empty = _opening(browser, address)
    browser.find_element("css selector", "#file").send_keys(str(database))
    browser.execute_async_script(_FILLED, _MATCHES)
    full = _opening(browser, address)
    later = full - empty
    columns = f"{full:.2f} s", f"empty: {empty:.2f} s", f"{later:+.2f} s"
    yield Line("library, open", *columns, "<= 0.30 s", later <= 0.3)
    work = {}
    for name, question, arguments in _LIBRARY_QUESTIONS:
        earlier = _seconds(browser)
        browser.execute_async_script(_ASK, question, arguments)
        work[name] = 1000 * (_seconds(browser) - earlier)
        met = work[name] < _MAX_ANSWER
        limit = f"< {_MAX_ANSWER} ms"
        yield Line(f"library, {name}", f"{work[name]:.0f} ms", "CPU", "", limit, met)
    browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    _opening(browser, address, 1)
    for name, question, arguments in _LIBRARY_QUESTIONS:
        waited = browser.execute_async_script(_ASK, question, arguments)
        waited += (_SLOWER - 1) * work[name]
        met = waited < _MAX_SLOW_ANSWER
        limit = f"< {_MAX_SLOW_ANSWER} ms"
        slower = f"waited, {_SLOWER} times slower"
        yield Line(f"library, {name}", f"{waited:.0f} ms", slower, "", limit, met)
    browser.quit()


def _opening(browser: Any, address: str, visits: int = 5) -> float:
    """The fewest seconds until the library is open."""
    times = []
    for _ in range(visits):
        browser.get("about:blank")
        browser.get(address)
        times.append(float(browser.execute_async_script(_OPENED)) / 1000)
    time.sleep(_SETTLING)  # the page asks for its list itself
    return min(times)


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
        browser.get(f"{address}{_ROLLED_OUT}")
        browser.execute_async_script(_READY)
        waited = browser.execute_async_script(_ROLL_OUT, _TRIALS)
        subject = f"{_TRIALS} trials of 2 plays, on {os.cpu_count()} processors"
        limit = "<= 20 s", waited <= 20
        yield Line("playground, rollout", f"{waited:.1f} s", subject, "", *limit)
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
