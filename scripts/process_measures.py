"""Measures of `bench.py`: instructions and times of whole processes and of stages.

valgrind counts instructions, which do not depend on how busy the machine is. Two commits are
compared by the measures that work in both.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from benching import NACTATE, ROOT, RUNS, SAMPLES, SEVEN, Line, SkippedError, clock, home, run, show

BARE = "bare Python"
_ANALYSED = str(SAMPLES / "match-3pt-analysed.sgf")
# The turns before position #58 of the tutorial.
_SEQUENCE = (
    "43Z-43X-32H-42H-65R-55B-41-65R-22N-21U-51x-63R-22B-41U-55B-62@-43w{4}-32r-42B-31H-61H-61D"
)
COMMANDS = {
    BARE: ["-c", ""],
    "--version": [*NACTATE, "--version"],
    "annotate, 7 points": [*NACTATE, "annotate", SEVEN],
    "annotate, 1 point": [*NACTATE, "annotate", str(SAMPLES / "match-1pt.mat")],
    "SGF, 1 point": [*NACTATE, "annotate", "--to", "sgf", str(SAMPLES / "match-1pt.mat")],
    "import of the plugin": ["-c", "import gnubg_nactation.plugin"],
    "text, 3 points analysed": [*NACTATE, "annotate", "--to", "text", _ANALYSED],
    "text, 3 points .xg": [*NACTATE, "annotate", "--to", "text", str(SAMPLES / "match-3pt.xg")],
    "page, 3 points analysed": [*NACTATE, "annotate", "--to", "html", _ANALYSED],
    "decode, 22 turns": [*NACTATE, "decode", _SEQUENCE],
    "cards by the book": [*NACTATE, "cards", "openings"],
}
STAGES = ("reading", "legal plays", "replay", "preferred names", "annotating")  # of 7 points
# Limits of instructions, pure and compiled: in millions, or relative to bare Python without an M.
# The gate allows a tenth more.
TARGETS = {
    "--version": (2.5, 2.5, ""),
    "annotate, 7 points": (500, 360, " M"),
    # Imports are most of the cost of these, so an unnecessary module shows.
    "annotate, 1 point": (250, 250, " M"),
    "SGF, 1 point": (295, 295, " M"),
    "text, 3 points .xg": (300, 300, " M"),
    "import of the plugin": (90, 90, " M"),
    "cards by the book": (760, 760, " M"),  # a fifth of a second
}
_STAGE = """
import sys, time
from gnubg_nactation import annotate, legal_plays
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.files import mat
stage, file, times = sys.argv[1:]
with open(file, "rb") as opened:
    data = opened.read()
[match] = mat.read(data)
plays = [turn.play for game in match.games for turn in replay(match, game) if turn.play]
if stage == "preferred names":
    from gnubg_nactation import Plays
    rolls = [legal_plays(play.before, play.roll) for play in plays]
task = {
    "reading": lambda: mat.read(data),
    "legal plays": lambda: [legal_plays(play.before, play.roll) for play in plays],
    "replay": lambda: [list(replay(match, game)) for game in match.games],
    "preferred names": lambda: [Plays.of(r).name(p) for r, p in zip(rolls, plays)],
    "annotating": lambda: annotate(match),
}[stage]
for _ in range(int(times)):
    start = time.perf_counter()
    task()
print(time.perf_counter() - start)
"""

_SPEED = """
import sys, time
from gnubg_nactation import annotate
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.files import mat
matches = []
for file in sys.argv[1:]:
    with open(file, "rb") as opened:
        matches += mat.read(opened.read())
for _ in range(2):  # the first run imports modules
    start = time.perf_counter()
    annotated = [annotate(match) for match in matches]
    seconds = time.perf_counter() - start
turns = [turn for match in matches for game in match.games for turn in replay(match, game)]
print(sum(turn.play is not None for turn in turns) / seconds)
"""


def instructions(_: Path) -> Iterator[Line]:
    """Instructions of whole processes and of stages, against those of bare Python."""
    return _counted([*COMMANDS, *STAGES][1:])


def gate() -> list[str]:
    """The measures over their targets by more than a tenth. Raises SkippedError."""
    return [
        f"{line.name}: {line.ours} instructions, {line.ratio} times {line.reference}; {line.target}"
        for line in _counted(TARGETS, tolerance=1.1)
        if not line.met
    ]


def compare(commit: str) -> Iterator[Sequence[str]]:
    """Rows of a figure in another commit, in this tree, and the ratio; the runs take turns.

    Raises CalledProcessError if there is no such commit.
    """
    git = ["git", "-C", str(ROOT), "worktree"]
    with home() as (folder, env):
        tree = f"{folder}/other"
        run([*git, "add", "--detach", tree, commit], os.environ)
        try:
            for name in (*COMMANDS, *STAGES):
                yield from _compare(name, (env | {"PYTHONPATH": tree}, env))
            yield from _compare_speed((env | {"PYTHONPATH": tree}, env))
        finally:
            run([*git, "remove", "--force", tree], os.environ)


def _compare(name: str, environments: Sequence[dict[str, str]]) -> Iterator[Sequence[str]]:
    try:
        if shutil.which("valgrind"):
            old, new = (count(name, env) for env in environments)
            yield f"{name}, instructions", _millions(old), _millions(new), f"{new / old:.2f}"
        times = [[_time(name, env) for env in environments] for _ in range(RUNS)]
        old, new = map(statistics.median, zip(*times, strict=True))
        yield f"{name}, time", show(old), show(new), f"{new / old:.2f}"
    except subprocess.CalledProcessError:
        yield name, "not in both", "", ""


def _compare_speed(environments: Sequence[dict[str, str]]) -> Iterator[Sequence[str]]:
    name = "plays a second, 5 to 11 points"
    try:
        rates = [[_speed(env) for env in environments] for _ in range(RUNS)]
        old, new = map(statistics.median, zip(*rates, strict=True))
        yield name, f"{old:,.0f}", f"{new:,.0f}", f"{new / old:.2f}"
    except subprocess.CalledProcessError:
        yield name, "not in both", "", ""


def count(name: str, env: dict[str, str]) -> int:
    """Instructions of a command, or of a stage: the difference of doing it twice and once."""
    if name in COMMANDS:
        return _count(COMMANDS[name], env)
    once, twice = (_count(_stage(name, times), env) for times in (1, 2))
    return twice - once


def is_compiled() -> bool:
    """Whether the package that runs is compiled."""
    spec = find_spec("gnubg_nactation.backgammon.plays")
    return bool(spec and spec.origin and not spec.origin.endswith(".py"))


def _counted(names: Iterable[str], tolerance: float = 1.0) -> Iterator[Line]:
    if not shutil.which("valgrind"):
        raise SkippedError("valgrind is not installed")
    with home() as (_, env):
        bare = count(BARE, env)
        for name in names:
            total = count(name, env)
            target, is_met = "", None
            if name in TARGETS:
                pure, compiled, unit = TARGETS[name]
                limit = compiled if is_compiled() else pure
                target = f"<= {limit}{unit}"
                is_met = total <= limit * (1e6 if unit else bare) * tolerance
            reference, ratio = f"{BARE}: {_millions(bare)}", f"{total / bare:.2f}"
            yield Line(name, _millions(total), reference, ratio, target, is_met)


def _stage(name: str, times: int) -> list[str]:
    return ["-c", _STAGE, name, SEVEN, str(times)]


def _count(arguments: list[str], env: dict[str, str]) -> int:
    command = [sys.executable, *arguments]
    env = env | {"PYTHONHASHSEED": "0"}
    run(command, env)  # writes the bytecode
    log = Path(env["HOME"], "log")
    tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
    run(["valgrind", *tool, *command], env)
    return int(log.read_text().rpartition("Collected :")[2].split()[0])


def _time(name: str, env: dict[str, str]) -> float:
    if name in COMMANDS:
        return clock(lambda: run([sys.executable, *COMMANDS[name]], env))
    # The second run, because the first one imports modules.
    return float(run([sys.executable, *_stage(name, 2)], env))


def _speed(env: dict[str, str]) -> float:
    """Plays of three matches nactated in a second on one core, files already read."""
    files = [str(SAMPLES / f"match-{points}pt.mat") for points in (5, 7, 11)]
    return float(run([sys.executable, "-c", _SPEED, *files], env))


def _millions(instructions: float) -> str:
    return f"{instructions / 1e6:.1f} M"
