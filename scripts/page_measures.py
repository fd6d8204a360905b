"""What `bench.py` measures of the page: how long it takes to make, its size, when it is ready."""

from __future__ import annotations

import gzip
import statistics
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benching import (
    ANNOTATE,
    RUNS,
    SEVEN,
    Line,
    SkippedError,
    at_most,
    cpu_of_children,
    gnubg,
    home,
    run,
)

# Two players who err, to 25 points, with an analysis; the same match each time.
_MATCH = """
import gnubg, os
for line in '''set rng mersenne
set seed 7
set automatic roll on
set automatic game on
set automatic move on
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 1 chequerplay evaluation plies 0
set player 0 chequerplay evaluation noise 0.05
set player 1 chequerplay evaluation noise 0.05
set player 0 cubedecision evaluation plies 0
set player 1 cubedecision evaluation plies 0
set analysis chequerplay evaluation plies 0
set analysis cubedecision evaluation plies 0
set display off
new match 25'''.splitlines():
    gnubg.command(line)
for _ in range(4000):
    gnubg.command('play')
gnubg.command('analyse match')
gnubg.command('save match "{}"')
os._exit(0)
"""
_DRIVERS = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")


def page(_: Path) -> Iterator[Line]:
    """The page of a match to 7 points against its text, whole processes, and its size."""
    with home() as (folder, env):
        page_file = Path(folder, "ours.html")
        ours, text = _processor_times(_page_and_text(SEVEN, page_file), env)
        size = page_file.stat().st_size / 1000
    yield at_most("page", ours, text, "CPU, text of the same match", 1.5)
    yield Line("page", f"{size:.0f} KB", "", "", "< 400 KB", size < 400)


def page_of_25(_: Path) -> Iterator[Line]:
    """The page of an analysed match to 25 points: the same, gnubg's pages, and in Chromium."""
    program = gnubg()
    with home() as (folder, env):
        match, page_file = Path(folder, "match.sgf"), Path(folder, "ours.html")
        script = Path(folder, "script.py")
        script.write_text(_MATCH.replace("{}", str(match)))
        run([program, "-t", "-q", "-p", str(script)], env)
        if not match.exists():
            raise SkippedError("gnubg has saved no match")
        commands = Path(folder, "commands")
        commands.write_text(f'load match "{match}"\nexport match html "{folder}/theirs.html"\n')
        export = [program, "-t", "-q", "-r", "-c", str(commands)]
        tasks = [*_page_and_text(match, page_file), export]
        ours, text, theirs = _processor_times(tasks, env)
        if not Path(folder, "theirs.html").exists():
            raise SkippedError("gnubg has exported no pages")
        yield at_most("page, 25 points", ours, text, "CPU, text of the same match", 1.5)
        yield at_most("page, 25 points", ours, theirs, "CPU, gnubg, `export match html`", 1)
        data = page_file.read_bytes()
        size, packed = len(data) / 1000, len(gzip.compress(data)) / 1000
        yield Line("page, 25 points", f"{size:.0f} KB", "", "", "< 500 KB", size < 500)
        yield Line("page, 25 points", f"{packed:.0f} KB", "packed", "", "< 100 KB", packed < 100)
        yield _ready(page_file)


def _page_and_text(match: Path | str, page_file: Path) -> tuple[list[str], list[str]]:
    """The commands that write the page and the text of a match."""
    page = [*ANNOTATE, "--force", "--to", "html", "-o", str(page_file), str(match)]
    return page, [*ANNOTATE, "--force", "-o", f"{page_file}.txt", str(match)]


def _processor_times(commands: Sequence[list[str]], env: dict[str, str]) -> list[float]:
    """The seconds of processor that commands take, in turns."""
    times = [
        [cpu_of_children(partial(run, command, env)) for command in commands]
        for _ in range(RUNS + 1)
    ]
    return [statistics.median(column) for column in zip(*times[1:], strict=True)]  # bytecode exists


def _ready(page_file: Path) -> Line:
    """How long the main thread is busy until the page can be used, against its tables alone.

    The page had a ratio of 1.9 before it had answers; half as much again is good.
    """
    if not all(path.exists() for path in _DRIVERS):
        raise SkippedError("Debian's chromium with chromium-driver is not installed")
    from tests.browser.reader import start  # noqa: PLC0415 (selenium)

    bare = page_file.with_name("bare.html")
    bare.write_text(page_file.read_text(encoding="utf-8").split("<template")[0], encoding="utf-8")
    browser = start(page_file.parent / "profile")
    browser.execute_cdp_cmd("Performance.enable", {})
    times: dict[Path, list[float]] = {page_file: [], bare: []}
    for _ in range(RUNS):
        for path, durations in times.items():
            browser.get("about:blank")
            browser.get(path.as_uri())
            metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            durations.append(next(row["value"] for row in metrics if row["name"] == "TaskDuration"))
    browser.quit()
    ours, theirs = map(statistics.median, times.values())
    return at_most("page, 25 points, ready", ours, theirs, "its tables without a script", 2.9)
