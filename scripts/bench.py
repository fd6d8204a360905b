#!/usr/bin/env python3
"""How fast nactation is, as ratios against named references measured in the same run.

Run it in the repository with the `dev` extra installed:

    .venv/bin/python scripts/bench.py [--only NAME,NAME] [--matches FOLDER]

Every line is a measure: its name, ours, the reference, the ratio, the target, and whether it is
met. What cannot be measured here is skipped with the reason.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benching import (  # noqa: E402
    ANNOTATE,
    RUNS,
    SAMPLES,
    Line,
    SkippedError,
    Task,
    alternate,
    at_most,
    clock,
    environment,
    exhaust,
    run,
    seven_pointer,
    show,
)
from engine_measures import analysis, nacbracs  # noqa: E402
from window_measures import window  # noqa: E402

from gnubg_nactation.annotation import AnnotatedGame, annotate  # noqa: E402
from gnubg_nactation.backgammon.ids import parse_position_id  # noqa: E402
from gnubg_nactation.backgammon.match import Match, Turn, replay  # noqa: E402
from gnubg_nactation.backgammon.notation import format_play  # noqa: E402
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays  # noqa: E402
from gnubg_nactation.backgammon.position import Position  # noqa: E402
from gnubg_nactation.errors import NactationError  # noqa: E402
from gnubg_nactation.exports.text import game_sequence  # noqa: E402
from gnubg_nactation.files import mat, sgf  # noqa: E402
from gnubg_nactation.files.formats import is_sgf  # noqa: E402
from gnubg_nactation.language.alphabet import FAMILIES, Right  # noqa: E402
from gnubg_nactation.language.plays import Plays  # noqa: E402

# Fifteen blots: of the positions that gnubg has counted, the one with the most legal plays.
BUSIEST = "RBAR0CillJRSAA", Roll(1, 1)


def main() -> int:
    """Measure and print; the exit status is 0 whatever comes out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAME,NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument(
        "--matches", type=Path, default=SAMPLES, help="where `speed` and `jobs` find match files"
    )
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(MEASURES)
    unknown = set(names) - set(MEASURES)
    if unknown:
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    print_row("measure", "ours", "reference", "ratio", "target", "")
    for name in names:
        print_measure(name, options.matches)
    return 0


def print_measure(name: str, matches: Path) -> None:
    """Measure one thing and print its lines, or why it is skipped."""
    try:
        for line in MEASURES[name](matches):
            verdict = "" if line.met is None else "ok" if line.met else "MISSED"
            print_row(*line[:-1], verdict)
    except SkippedError as reason:
        print_row(name, "skipped:", str(reason), "", "", "")


def print_row(*cells: str) -> None:
    """Print a row of the table."""
    print("{:10} {:24} {:40} {:>7}  {:12} {}".format(*cells).rstrip(), flush=True)


# --- what is measured ----------------------------------------------------------------------


def naming(_: Path) -> Iterator[Line]:
    """Nactating the plays of the samples against generating their legal plays.

    First the areal Nactation, then the character that the author would write.
    """
    plays = [turn.play for turn in sample_turns() if turn.play]
    for name, function in (("areal", Plays.areal), ("preferred", Plays.name)):
        ours, theirs = alternate(
            partial(name_all, function, plays),
            lambda: exhaust(legal_plays(p.before, p.roll) for p in plays),
        )
        reference = f"legal plays of {len(plays)} rolls"
        yield at_most(name, ours, theirs, reference, 3 if name == "areal" else 4)


def name_all(function: Callable[[Plays, Play], object], plays: Sequence[Play]) -> None:
    """Find the legal plays of each roll and name the play made."""
    exhaust(function(Plays(p.before, p.roll), p) for p in plays)


def process(_: Path) -> Iterator[Line]:
    """`nactate annotate` of a match to text against gnubg importing and exporting it."""
    gnubg = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if not gnubg:
        raise SkippedError("gnubg is not installed")
    file = seven_pointer()
    with tempfile.TemporaryDirectory() as folder:
        commands = Path(folder, "commands")
        commands.write_text(f'import mat "{file}"\nexport match text "{folder}/theirs.txt"\n')
        env = environment(folder)
        ours, theirs = alternate(
            lambda: run([*ANNOTATE, "-o", f"{folder}/ours.txt", str(file)], env),
            lambda: run([gnubg, "-t", "-q", "-r", "-c", str(commands)], env),
        )
        if not Path(folder, "theirs.txt").exists():
            raise SkippedError("gnubg has exported nothing")
    yield at_most("process", ours, theirs, "gnubg, import and export as text", 1)


def speed(folder: Path) -> Iterator[Line]:
    """Plays nactated in a second on one core, files already read."""
    matches = read_matches(folder)
    start = time.process_time()
    annotated = [annotate(match) for match in matches]
    seconds = time.process_time() - start
    turns = (turn for match in annotated for game in match.games for turn in game.turns)
    count = sum(turn.play is not None for turn in turns)
    rate = count / seconds
    reference = f"{count} plays of {len(matches)} matches"
    yield Line("speed", f"{rate:,.0f} plays/s", reference, "", ">= 2,500/s", rate >= 2500)


def rules(_: Path) -> Iterator[Line]:
    """Legal plays against the generators of gammonview (Python) and gnubg-nn (C)."""
    pairs = positions_and_rolls()
    for name, generator, target in (
        ("gammonview", gammonview_generator, 1 / 3),
        ("gnubg-nn (C)", gnubg_nn_generator, None),
    ):
        tasks = list(generator(pairs))
        mine, other = alternate(
            lambda: exhaust(legal_plays(position, roll) for position, roll in pairs),
            partial(run_all, tasks),
        )
        yield at_most("rules", mine, other, f"{name}, {len(pairs)} rolls", target)


def busiest(_: Path) -> Iterator[Line]:
    """All families of the position with the most legal plays, numerals apart."""
    position, roll = parse_position_id(BUSIEST[0]), BUSIEST[1]

    def all_families() -> None:
        families = Plays(position, roll)
        letters = (row for row in FAMILIES if row.right is not Right.NUMERAL)
        exhaust(families.reading(row).members for row in letters)

    seconds = statistics.median(clock(all_families) for _ in range(RUNS))
    reference = f"all families of {len(legal_plays(position, roll))} legal plays"
    yield Line("busiest", show(seconds), reference, "", "<= 100 ms", seconds <= 0.1)


def commands(_: Path) -> Iterator[Line]:
    """Whole processes against the start of Python: a long sequence read, a busy doublet explained.

    The targets are how long a person is willing to wait.
    """
    game = annotate(read_matches(SAMPLES)[0]).games[0]
    text = game_sequence(AnnotatedGame.of(game, game.turns[:40]))
    position, roll = parse_position_id(BUSIEST[0]), BUSIEST[1]
    play = format_play(legal_plays(position, roll)[-1])
    calls = (
        ("decode", ["decode", text], "40 turns", 0.15),
        ("explain", ["explain", BUSIEST[0], str(roll), play], "the busiest doublet", 0.3),
    )
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        for name, arguments, what, most in calls:
            ours, theirs = alternate(
                partial(run, [*ANNOTATE[:-1], *arguments], env),
                partial(run, [sys.executable, "-c", ""], env),
            )
            line = at_most(name, ours, theirs, f"{what}; start of Python", None)
            yield line._replace(target=f"<= {most * 1000:.0f} ms", met=ours <= most)


_COUNT = "import sys; before = len(sys.modules); {}; print(len(sys.modules) - before)"


def importing(_: Path) -> Iterator[Line]:
    """The package, and then its positions and plays, against python-chess, which has both.

    Whole processes; and how many modules each brings in, those of Python included.
    """
    find("chess")
    reference = "import chess"
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)

        def python(program: str) -> bytes:
            return run([sys.executable, "-c", program], env)

        for program in ("import gnubg_nactation", "from gnubg_nactation import Plays"):
            times = alternate(partial(python, program), partial(python, reference))
            yield at_most("import", *times, f"{program.split()[-1]}; {reference}", 1)
        ours, theirs = (
            int(python(_COUNT.format(program))) for program in ("import gnubg_nactation", reference)
        )
        yield Line(
            "import", f"{ours} modules", f"{theirs} modules", "", "<= theirs", ours <= theirs
        )


_NACTATE = """
import sys
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import standard_streams
main(sys.argv[1:], standard_streams())
"""
# Not resource.getrusage: a process takes over the peak of the one that started it.
_PEAK = """
with open("/proc/self/status") as file:
    print(next(line for line in file if line.startswith("VmHWM")).split()[1])
"""


def memory(_: Path) -> Iterator[Line]:
    """The peak memory of a process that annotates a match."""
    if not Path("/proc/self/status").exists():
        raise SkippedError("there is no /proc/self/status")
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        arguments = ["annotate", "-o", f"{folder}/ours.txt", str(seven_pointer())]
        ours, bare = (
            int(run([sys.executable, "-c", program, *arguments], env)) / 1024
            for program in (_NACTATE + _PEAK, _PEAK)
        )
    reference = f"bare interpreter: {bare:.1f} MB"
    yield Line("memory", f"{ours:.1f} MB", reference, f"{ours / bare:.2f}", "<= 60 MB", ours <= 60)


def page(_: Path) -> Iterator[Line]:
    """The page of a match to 7 points against its text, whole processes, and its size."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        file, made = str(seven_pointer()), Path(folder, "ours.html")
        ours, theirs = alternate(
            lambda: run([*ANNOTATE, "--to", "html", "-o", str(made), file], env),
            lambda: run([*ANNOTATE, "-o", f"{folder}/ours.txt", file], env),
        )
        size = made.stat().st_size / 1000
    yield at_most("page", ours, theirs, "text of the same match", 2)
    yield Line("page", f"{size:.0f} KB", "", "", "< 400 KB", size < 400)


def jobs(matches: Path) -> Iterator[Line]:
    """A folder of matches (the samples ten times) by two processes against one."""
    if (os.cpu_count() or 1) < 2:
        raise SkippedError("there is but one processor")
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder) | {"XDG_CACHE_HOME": folder}
        for copy in range(10 if matches == SAMPLES else 1):
            shutil.copytree(matches, Path(folder, "in", str(copy)))
        command = [*ANNOTATE, "--force", "-o", f"{folder}/out", f"{folder}/in"]
        two, one = alternate(
            # Not all of a folder need be matches, so the status does not count.
            lambda: run([*command, "--jobs", "2"], env, check=False),
            lambda: run([*command, "--jobs", "1"], env, check=False),
            runs=3,
        )
    yield at_most("jobs", two, one, "one process", 1 / 1.7)


MEASURES: dict[str, Callable[[Path], Iterator[Line]]] = {
    "naming": naming,
    "process": process,
    "speed": speed,
    "rules": rules,
    "busiest": busiest,
    "commands": commands,
    "import": importing,
    "memory": memory,
    "page": page,
    "jobs": jobs,
    "analysis": analysis,
    "nacbracs": nacbracs,
    "window": window,
}


# --- references ----------------------------------------------------------------------------

Pairs = Iterable[tuple[Position, Roll]]


def gammonview_generator(pairs: Pairs) -> Iterator[Task]:
    """Tasks for the generator of gammonview, the boards in its form beforehand."""
    generate = find("gvformat.legality").legal_plays
    for position, roll in pairs:
        own = [max(n, 0) for n in position.points]
        opponent = [max(-n, 0) for n in position.points]
        yield partial(generate, own, opponent, *roll)


def gnubg_nn_generator(pairs: Pairs) -> Iterator[Task]:
    """Tasks for gnubg's own generator, the boards in its form beforehand."""
    generate = find("gnubg_nn").moves
    for position, roll in pairs:
        sides = position.switch_sides(), position
        board = [[max(n, 0) for n in side.points[1:]] for side in sides]
        yield partial(generate, board, *roll, 0)


def find(module: str) -> ModuleType:
    """A module of the `dev` extra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SkippedError(f"{module} is not installed") from None


# --- tools ---------------------------------------------------------------------------------


def run_all(tasks: Iterable[Task]) -> None:
    """Run tasks one after the other."""
    for task in tasks:
        task()


@cache
def read_matches(folder: Path) -> list[Match]:
    """All matches below a folder; files that are none are passed over."""
    matches: list[Match] = []
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".mat", ".txt", ".sgf"}:
            data = file.read_bytes()
            try:
                if is_sgf(data):
                    matches += [record.match for record in sgf.read_all(data)]
                else:
                    matches += mat.read(data)
            except NactationError:
                continue
    if not matches:
        raise SkippedError(f"no match files in {folder}")
    return matches


@cache
def sample_turns() -> list[Turn]:
    """Every turn of the samples."""
    return [
        turn
        for match in read_matches(SAMPLES)
        for game in match.games
        for turn in replay(match, game)
    ]


def positions_and_rolls() -> list[tuple[Position, Roll]]:
    """Every position and roll of the samples."""
    states = (turn.state for turn in sample_turns() if turn.state)
    return [(state.position, state.roll) for state in states if state.roll]


if __name__ == "__main__":
    sys.exit(main())
