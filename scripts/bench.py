#!/usr/bin/env python3
"""Measure how fast nactation is, against references that take turns in the same run.

Run it in the repository with the `dev` extra installed:

    .venv/bin/python scripts/bench.py [--only NAME,NAME] [--matches FOLDER]
    .venv/bin/python scripts/bench.py --table >docs/speed.md
    .venv/bin/python scripts/bench.py --against COMMIT
    .venv/bin/python scripts/bench.py --gate

Every line is a measure: its name, our figure, the reference, the ratio, the target, and whether it
is met. A measure that cannot run here is skipped with the reason. Times are medians.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from archive_measures import growth, index, large  # noqa: E402
from benching import (  # noqa: E402
    ANNOTATE,
    NACTATE,
    SAMPLES,
    SEVEN,
    Line,
    SkippedError,
    Task,
    alternate,
    at_most,
    cpu_of_children,
    exhaust,
    gnubg,
    home,
    peak,
    run,
)
from builtin_measures import builtin, scores  # noqa: E402
from engine_measures import analysis, nacbracs  # noqa: E402
from page_measures import page, page_of_25  # noqa: E402
from playground_measures import library, playground  # noqa: E402
from process_measures import compare, gate, instructions, is_compiled  # noqa: E402
from window_measures import plugin, window  # noqa: E402

from gnubg_nactation import __version__  # noqa: E402
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

# Fifteen blots: the position with the most legal plays of all that gnubg has counted.
BUSIEST = "RBAR0CillJRSAA", Roll(1, 1)


# Where the table goes, and how it is made.
PAGE = """\
<!-- Questions:
- How long does it take for my matches?
- How long does an analysis take?
- How fast is it compared with other programs?
- How were the figures measured?
- How do I measure it on my machine?
-->

# Speed

Times on the machine of the table below:

| Task | Time |
| --- | --- |
| annotate a match to 7 points | 0.1 s |
| the page of an analysed match to 3 points, to 25 points | 0.1 s, 1.1 s |
| explain a letter, read a sequence of 40 turns | 0.1 s |
| store 2,000 matches (10,000 games) in a database | a minute, once |
| ask that database about a position | 0.1 s |
| ask ten million turns: `explore`, `leaks`, `find` with dice and letters | 0.5 s, 0.4 s, 3 s |
| analyse a decision with gnubg 2-ply | 0.1 s |
| chart all 630 replies with gnubg 2-ply | 2 minutes, once |
| store 20,000 matches with one process, with two | 11 minutes, 6 minutes |
| open the playground | 6 s at the first visit, then 1 s |
| equities of a roll in the playground, 2-ply | 0.3 s |

`--jobs` uses several processors for many files, and engine results are cached.

## Measurements

Each figure is compared with a reference, and both are measured in turns in the same run. Times are
medians. This command writes the page, after `bash scripts/test.sh` has installed the requirements:

```console norun
$ .venv/bin/python scripts/bench.py {options} >docs/speed.md
```

To compare two commits, or to count instructions against their targets:

```console norun
$ .venv/bin/python scripts/bench.py --against COMMIT
$ .venv/bin/python scripts/bench.py --gate
```

A row marked MISSED misses its target, a goal of the developers. `--table` prints Markdown.

The page of an analysed match misses its targets of processor time and of packed size because it
has an answer for each possible choice of its quiz, where the text has only the plays. gnubg's own
pages have tables only. To start Python and to read the match takes as long as gnubg's export, which
is written in C. The first question to a database that was just written waits for the disk.

Ten million turns (270,000 games) are the size of the largest public archive. The database has an
index by game for these queries, which makes it half as large again. `explore --depth 4` misses
its target because it prints 30,000 lines, and reads a thousand lines of the opening book for them.
`find '31P after 6?S'` takes longer because a play may have other names than the stored one: each 6?
before a 31 is looked up. A play that occurs in most games takes as long as its results take to
print.

A rollout by the built-in engine needs a third to a half more processor time than by gnubg, which is
compiled for the processor. To build the engine otherwise gains nothing, by 5 2-ply decisions and
24 games:

| Build | 2-ply | Rollout |
| --- | --- | --- |
| cache of 2^17 positions, `-O3` (as it is) | 1.00 | 1.00 |
| cache of 2^18, 2^19, 2^20 positions | 0.97, 0.98, 1.08 | 1.01, 1.08, 1.15 |
| `-O2` | 0.98 | 1.01 |
| `--lto-O3` | 1.05 | 0.97 |
| inlining up to 1,000 instructions | 1.06 | 0.99 |

All builds give the same equities, and their times vary by some hundredths. A larger cache takes
longer to flush. Relaxed SIMD was tried as well: with fused multiplication and addition in the nets
a rollout takes 0.99 of the time in Node, and its games differ by up to .0001 on that processor. It
is left out, since browsers need not round it alike, and Debian's clang 14 writes an older draft of
it.
"""
WIDTHS = {6: (20, 16, 52, 7, 10, 6), 4: (38, 14, 14, 7)}


def main() -> int:
    """Measure and print. The exit status is 0, except for the gate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAME,NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument(
        "--matches", type=Path, default=SAMPLES, help="where `speed` and `jobs` find match files"
    )
    parser.add_argument("--table", action="store_true", help="print a page in Markdown")
    parser.add_argument("--against", metavar="COMMIT", help="compare with another commit")
    parser.add_argument(
        "--gate", action="store_true", help="fail if too many instructions are needed"
    )
    options = parser.parse_args()
    names = (
        options.only.split(",") if options.only else [name for name in MEASURES if name not in SLOW]
    )
    unknown = set(names) - set(MEASURES)
    if unknown:
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    try:
        if options.gate:
            failed = gate()
            print(*failed, sep="\n", end="\n" * bool(failed))
            return int(bool(failed))
        if options.against:
            head: Sequence[str] = ("figure", options.against, "this tree", "ratio")
            rows: Iterable[Sequence[str]] = compare(options.against)
        else:
            head = "measure", "ours", "reference", "ratio", "target", ""
            rows = chain.from_iterable(measured(name, options.matches) for name in names)
        print_rows(head, rows, table=options.table)
    except subprocess.CalledProcessError as error:
        parser.error(error.stderr.decode(errors="replace").strip())
    except SkippedError as reason:
        parser.error(str(reason))
    return 0


def measured(name: str, matches: Path) -> Iterator[Sequence[str]]:
    """The lines of a measure, or the reason for skipping it."""
    try:
        for line in MEASURES[name](matches):
            yield *line[:-1], "" if line.met is None else "ok" if line.met else "MISSED"
    except SkippedError as reason:
        yield name, "skipped:", str(reason), "", "", ""


def print_rows(head: Sequence[str], rows: Iterable[Sequence[str]], *, table: bool) -> None:
    """Print rows at once, in columns or as a page in Markdown."""
    if table:
        print(f"{PAGE.format(options=shlex.join(sys.argv[1:]))}\n{', '.join(versions())}.\n")
        print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}")
        form = f"|{' {} |' * len(head)}"
    else:
        form = "  ".join(f"{{:{width}}}" for width in WIDTHS[len(head)])
        print(form.format(*head).rstrip())
    for row in rows:
        print(form.format(*row).rstrip(), flush=True)


def versions() -> Iterator[str]:
    """The machine, and the versions of the programs measured."""
    about = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", about.read_text() if about.exists() else "")
    yield f"{model[1] if model else platform.machine()} with {os.cpu_count()} cores"
    yield f"{platform.system()}, {platform.python_implementation()} {platform.python_version()}"
    yield f"gnubg-nactation {__version__} ({'compiled' if is_compiled() else 'pure Python'})"
    yield run([gnubg(), "--version"], os.environ).decode().splitlines()[0]
    yield from (f"{package} {version(package)}" for package in ("gnubg-nn", "gammonview", "chess"))


# --- measures ------------------------------------------------------------------------------


def naming(_: Path) -> Iterator[Line]:
    """Legal plays and the name of the play made: the areal one, then the preferred one."""
    plays = [turn.play for turn in match_turns(SAMPLES) if turn.play]
    tasks = list(gnubg_nn_generator((play.before, play.roll) for play in plays))
    reference = f"gnubg-nn (C), legal plays of {len(plays)} rolls"
    for name, function in (("areal", Plays.areal), ("preferred", Plays.name)):
        times = alternate(partial(name_all, function, plays), partial(run_all, tasks))
        target = 1 if is_compiled() and name == "areal" else None
        yield at_most(name, *times, reference, target)


def name_all(function: Callable[[Plays, Play], object], plays: Sequence[Play]) -> None:
    """Find the legal plays of each roll and name the play made."""
    exhaust(function(Plays(p.before, p.roll), p) for p in plays)


def process(_: Path) -> Iterator[Line]:
    """`nactate annotate` of a match to text against gnubg importing and exporting it."""
    program = gnubg()
    with home() as (folder, env):
        commands = Path(folder, "commands")
        commands.write_text(f'import mat "{SEVEN}"\nexport match text "{folder}/theirs.txt"\n')
        times = alternate(
            lambda: run([*ANNOTATE, "-o", f"{folder}/ours.txt", SEVEN], env),
            lambda: run([program, "-t", "-q", "-r", "-c", str(commands)], env),
        )
        if not Path(folder, "theirs.txt").exists():
            raise SkippedError("gnubg has exported nothing")
    target = 0.7 if is_compiled() else 0.9
    yield at_most("process", *times, "gnubg, import and export as text", target)


def speed(folder: Path) -> Iterator[Line]:
    """Plays nactated in a second on one core, files already read."""
    matches, turns = read_matches(folder), match_turns(folder)
    count = sum(turn.play is not None for turn in turns)
    tasks = list(gnubg_nn_generator(positions_and_rolls(folder)))
    ours, theirs = alternate(
        lambda: exhaust(map(annotate, matches)), partial(run_all, tasks), runs=3
    )
    line = at_most("speed", ours, theirs, f"gnubg-nn (C), legal plays of {len(tasks)} rolls", None)
    rate = count / ours
    yield line._replace(ours=f"{rate:,.0f} plays/s", target=">= 2,500/s", met=rate >= 2500)


def reading(_: Path) -> Iterator[Line]:
    """A match to 7 points read against gammonview, which leaves the hops as text."""
    parse = find("gvformat.mat_parser").parse_mat_file
    data = Path(SEVEN).read_bytes()
    times = alternate(partial(mat.read, data), lambda: parse(data.decode()))
    yield at_most("reading", *times, "gammonview, parse_mat_file", 2)


def rules(_: Path) -> Iterator[Line]:
    """Legal plays against the generators of gammonview (Python) and gnubg-nn (C)."""
    pairs = positions_and_rolls(SAMPLES)
    for name, generator, target in (
        ("gammonview", gammonview_generator, 1 / 3),
        ("gnubg-nn (C)", gnubg_nn_generator, 1.1 if is_compiled() else None),
    ):
        tasks = list(generator(pairs))
        ours, theirs = alternate(
            lambda: exhaust(legal_plays(position, roll) for position, roll in pairs),
            partial(run_all, tasks),
        )
        yield at_most("rules", ours, theirs, f"{name}, {len(pairs)} rolls", target)


def busiest(_: Path) -> Iterator[Line]:
    """All families of the position with the most legal plays, numerals apart."""
    position, roll = parse_position_id(BUSIEST[0]), BUSIEST[1]

    def all_families() -> None:
        families = Plays(position, roll)
        letters = (row for row in FAMILIES if row.right is not Right.NUMERAL)
        exhaust(families.reading(row).members for row in letters)

    [task] = gnubg_nn_generator([(position, roll)])
    ours, theirs = alternate(all_families, task)
    reference = f"gnubg-nn (C), its {len(legal_plays(position, roll))} legal plays"
    line = at_most("busiest", ours, theirs, reference, None)
    yield line._replace(target="<= 100 ms", met=ours <= 0.1)


def commands(_: Path) -> Iterator[Line]:
    """Whole processes against bare Python: the version, a long sequence, a busy doublet explained.

    The targets of the last two are times that a person is willing to wait.
    """
    game = annotate(mat.read(Path(SEVEN).read_bytes())[0]).games[0]
    text = game_sequence(AnnotatedGame.of(game, game.turns[:40]))
    position, roll = parse_position_id(BUSIEST[0]), BUSIEST[1]
    play = format_play(legal_plays(position, roll)[-1])
    calls = (
        ("version", ["--version"], "", None),
        ("decode", ["decode", text], "40 turns; ", 0.15),
        ("explain", ["explain", BUSIEST[0], str(roll), play], "the busiest doublet; ", 0.3),
    )
    with home() as (_folder, env):
        for name, arguments, subject, limit in calls:
            ours, theirs = alternate(
                partial(run, [sys.executable, *NACTATE, *arguments], env),
                partial(run, [sys.executable, "-c", ""], env),
            )
            line = at_most(name, ours, theirs, f"{subject}bare Python", None if limit else 2.5)
            if limit:
                line = line._replace(target=f"<= {limit * 1000:.0f} ms", met=ours <= limit)
            yield line


_COUNT = "import sys; before = len(sys.modules); {}; print(len(sys.modules) - before)"


def importing(_: Path) -> Iterator[Line]:
    """The package, and then its positions and plays, against python-chess, which has both.

    Times of whole processes, and the numbers of modules imported, including Python's.
    """
    find("chess")
    reference = "import chess"
    with home() as (_folder, env):

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


def memory(_: Path) -> Iterator[Line]:
    """The peak memory of a process that annotates a match."""
    with home() as (folder, env):
        ours = peak(["annotate", "-o", f"{folder}/ours.txt", SEVEN], env)
        bare = peak([], env)
    reference = f"bare interpreter: {bare:.1f} MB"
    yield Line("memory", f"{ours:.1f} MB", reference, f"{ours / bare:.2f}", "<= 60 MB", ours <= 60)


def jobs(matches: Path) -> Iterator[Line]:
    """A folder of matches (the samples ten times) by two processes against one."""
    if (os.cpu_count() or 1) < 2:
        raise SkippedError("there is but one processor")
    with home() as (folder, env):
        for copy in range(10 if matches == SAMPLES else 1):
            shutil.copytree(matches, Path(folder, "in", str(copy)))
        command = [*ANNOTATE, "--force", "-o", f"{folder}/out", f"{folder}/in", "--jobs"]
        # A folder may contain other files, so the status is ignored.
        two, single = (partial(run, [*command, count], env, check=False) for count in "21")
        yield at_most("jobs", *alternate(two, single, runs=3), "one process", 1 / 1.9)
        # The processor time, which depends less on how busy the machine is.
        spent = cpu_of_children(two), cpu_of_children(single)
        yield at_most("jobs, CPU", *spent, "one process", None)


_SHORT = b"""\
 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 54: 24/20 13/8             63: 24/15
  2) 31: 8/5 6/5
"""


def archive(_: Path) -> Iterator[Line]:
    """The peak memory of the main process, for many files against few.

    It takes minutes, so it runs only by name.
    """
    peaks = []
    for count in (1_000, 20_000):
        with home() as (folder, env):
            for at in range(count):
                file = Path(folder, "in", f"{at // 100}", f"{at}.mat")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(_SHORT)
            arguments = ["annotate", "--jobs", "2", "-o", f"{folder}/out", f"{folder}/in"]
            peaks.append(peak(arguments, env))
            if sum(len(names) for *_, names in os.walk(f"{folder}/out")) != count:
                raise SkippedError("not all files were annotated")
    few, many = peaks
    yield Line(
        "archive, memory",
        f"20,000 files: {many:.1f} MB",
        f"1,000 files: {few:.1f} MB",
        f"{many / few:.2f}",
        "<= +2 MB",
        many - few <= 2,
    )


MEASURES: dict[str, Callable[[Path], Iterator[Line]]] = {
    "naming": naming,
    "process": process,
    "speed": speed,
    "reading": reading,
    "rules": rules,
    "busiest": busiest,
    "commands": commands,
    "import": importing,
    "memory": memory,
    "page": page,
    "page25": page_of_25,
    "playground": playground,
    "library": library,
    "jobs": jobs,
    "analysis": analysis,
    "nacbracs": nacbracs,
    "builtin": builtin,
    "scores": scores,
    "plugin": plugin,
    "window": window,
    "instructions": instructions,
    "index": index,
    "archive": archive,
    "growth": growth,
    "large": large,
}
SLOW = {"archive", "builtin", "growth", "large", "library", "scores"}  # run only by name


# --- references ----------------------------------------------------------------------------

Pairs = Iterable[tuple[Position, Roll]]


def gammonview_generator(pairs: Pairs) -> Iterator[Task]:
    """Tasks for the generator of gammonview, with boards in its form."""
    generate = find("gvformat.legality").legal_plays
    for position, roll in pairs:
        own = [max(n, 0) for n in position.points]
        opponent = [max(-n, 0) for n in position.points]
        yield partial(generate, own, opponent, *roll)


def gnubg_nn_generator(pairs: Pairs) -> Iterator[Task]:
    """Tasks for gnubg's own generator, with boards in its form."""
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
    """Run all tasks."""
    for task in tasks:
        task()


@cache
def read_matches(folder: Path) -> list[Match]:
    """All matches below a folder; other files are skipped."""
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
def match_turns(folder: Path) -> list[Turn]:
    """Every turn of all matches below a folder."""
    matches = read_matches(folder)
    return [turn for match in matches for game in match.games for turn in replay(match, game)]


def positions_and_rolls(folder: Path) -> list[tuple[Position, Roll]]:
    """Every position and roll of all matches below a folder."""
    states = (turn.state for turn in match_turns(folder) if turn.state)
    return [(state.position, state.roll) for state in states if state.roll]


if __name__ == "__main__":
    sys.exit(main())
