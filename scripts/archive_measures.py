"""The archive benchmarks of `bench.py`: speed, size and memory, and how they grow.

Each game follows one of the sample games for some turns and continues with random legal plays.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benching import (
    ANNOTATE,
    NACTATE,
    SAMPLES,
    Line,
    at_most,
    cpu_of_children,
    home,
    peak,
    run,
    show,
)

from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.archive.nodes import node
from gnubg_nactation.backgammon.match import Game, Match, Move, replay
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat
from tests.strategies import random_turns

_TURNS = 40  # of a game, as long as it takes on the average
_GAMES = 5
_FEW = 200  # matches, against ten times as many
_MAKER = Path(__file__).with_name("archive_made.py")
_INDEX = [sys.executable, *NACTATE, "index"]

Opening = tuple[tuple[Move, ...], Position]  # the moves, and the board of the next player


def index(_: Path) -> Iterator[Line]:
    """Compare indexing fifty matches with annotating them, in CPU time; and the database's size."""
    with home() as (folder, env):
        size = _write(Path(folder, "in"), 50)
        theirs = partial(run, [*ANNOTATE, "--force", "-o", f"{folder}/out", f"{folder}/in"], env)
        ours, annotating = [], []
        for number in range(3):
            command = [*_INDEX, "--db", f"{folder}/{number}.db", f"{folder}/in"]
            ours.append(cpu_of_children(partial(run, command, env)))
            annotating.append(cpu_of_children(theirs))
        yield at_most("index, CPU", min(ours), min(annotating), "nactate annotate", 1.25)
        ratio = os.path.getsize(f"{folder}/0.db") / size
    sizes = _megabytes(ratio * size), f"match text: {_megabytes(size)}"
    # A third of it is the index by game, for `find` and `leaks`.
    yield Line("index, size", *sizes, f"{ratio:.2f}", "<= 3.50", ratio <= 3.5)


def growth(_: Path) -> Iterator[Line]:
    """Compare ten times the matches: CPU time, size, peak memory; and the time of queries.

    It takes minutes, so it only runs if it is named.
    """
    few, many = map(_grown, (_FEW, 10 * _FEW))
    names = "growth, CPU", "growth, size by text", "growth, memory"
    shows = show, "{:.2f}".format, "{:.1f} MB".format
    targets = 11.0, 1.1, 1.2
    for name, form, small, large, limit in zip(
        names, shows, few[:3], many[:3], targets, strict=True
    ):
        columns = f"{10 * _FEW} matches: {form(large)}", f"{_FEW} matches: {form(small)}"
        ratio = large / small
        yield Line(name, *columns, f"{ratio:.2f}", f"<= {limit:.1f}", ratio <= limit)
    for name, seconds, limit in zip(
        ("first node", "explore, CPU"), many[3:], (0.005, 0.3), strict=True
    ):
        of = f"{10 * _FEW} matches, {10 * _FEW * _GAMES:,} games"
        yield Line(name, show(seconds), of, "", f"<= {show(limit)}", seconds <= limit)


_LARGE = 10_000_000  # turns
_BOMB = "-".join(["?"] * 400)
# The arguments of each query, the most seconds and megabytes.
_QUERIES = (
    (("explore",), 1.0),
    (("explore", "--depth", "4"), 3.0),
    (("leaks", "--player", "Player 900"), 3.0),
    (("stats", "--player", "Player 900"), 3.0),
    (("find", "43D-63R"), 1.0),
    (("find", "*-63R-31P"), 5.0),
    (("find", "31P after 6?S"), 5.0),
    (("find", _BOMB), 2.0),
)
_MOST_MEGABYTES = 100.0


def large(_: Path) -> Iterator[Line]:
    """Ask a database of ten million turns: processor time and peak memory.

    Making it takes minutes, so it only runs if it is named.
    """
    with home() as (folder, env):
        database, memory = f"{folder}/games.db", list[float]()
        command = [sys.executable, str(_MAKER), "--turns", str(_LARGE), database]
        seconds = cpu_of_children(partial(run, command, env))
        turns = f"{_LARGE // 10**6} million turns"
        size = _megabytes(os.path.getsize(database))
        yield Line(f"{turns}, made", show(seconds), f"CPU; {size}", "", "", None)
        for arguments, limit in _QUERIES:
            query = partial(peak, [*arguments, "--db", database], env)
            seconds = cpu_of_children(lambda: memory.append(query()))  # noqa: B023 (called here)
            name = " ".join(arguments) if _BOMB not in arguments else "find ?-?-... (400 turns)"
            is_met = seconds <= limit and memory[-1] <= _MOST_MEGABYTES
            columns = show(seconds), f"CPU; peak memory {memory[-1]:.0f} MB"
            target = f"<= {limit:.0f} s, {_MOST_MEGABYTES:.0f} MB"
            yield Line(f"{turns}, {name}", *columns, "", target, is_met)


def _grown(count: int) -> tuple[float, float, float, float, float]:
    """Return seconds, the ratio of database to text size, and megabytes of memory.

    Then the seconds for the node of the first rolls and for the command `explore`.
    """
    with home() as (folder, env):
        size = _write(Path(folder, "in"), count)
        database, memory = f"{folder}/games.db", list[float]()
        arguments = ["index", "--db", database, f"{folder}/in"]
        seconds = cpu_of_children(lambda: memory.append(peak(arguments, env)))
        with archive_at(database) as connection:
            nodes = min(_cpu(lambda: node(connection, STANDARD)) for _ in range(20))
        exploring = partial(run, [sys.executable, *NACTATE, "explore", "--db", database], env)
        explore = min(cpu_of_children(exploring) for _ in range(5))
        return seconds, os.path.getsize(database) / size, memory[0], nodes, explore


def _cpu(task: Callable[[], object]) -> float:
    """Return the CPU seconds of a task."""
    start = time.process_time()
    task()
    return time.process_time() - start


def _write(folder: Path, count: int) -> int:
    """Write `count` matches; return their size in bytes."""
    size = 0
    for number, data in enumerate(grown_matches(count)):
        file = folder / f"{number // 100}" / f"{number}.mat"
        file.parent.mkdir(parents=True, exist_ok=True)
        size += file.write_bytes(data)
    return size


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB"


def grown_matches(count: int, seed: int = 1) -> Iterator[bytes]:
    """Yield `count` matches as match text, the same for the same seed."""
    rng = random.Random(seed)
    openings = [
        opening
        for file in sorted(SAMPLES.glob("*.mat"))
        for match in mat.read(file.read_bytes())
        if match.start == STANDARD
        for game in match.games
        for opening in _beginnings(match, game)
    ]
    for number in range(count):
        games = [_game(rng, openings, at) for at in range(1, _GAMES + 1)]
        players = f"P{number % 97:02}", f"Q{number:06}"
        yield mat.write(Match(players, 0, tuple(games))).encode()


def _beginnings(match: Match, game: Game) -> Iterator[Opening]:
    moves: list[Move] = []
    for turn in replay(match, game):
        if not (isinstance(turn.action, Move) and turn.play and len(moves) < 8):
            return
        moves.append(turn.action)
        yield tuple(moves), turn.play.after


def _game(rng: random.Random, openings: list[Opening], number: int) -> Game:
    moves, board = rng.choice(openings)
    actions = list(moves)
    player = moves[-1].player.other
    for _, roll, play in random_turns(rng, board):
        hops = tuple(Hop(p.source, p.target, p.hits) for p in play.portions) if play else ()
        actions.append(Move(player, roll, hops))
        player = player.other
        if len(actions) >= _TURNS + rng.randint(-20, 20):
            break
    return Game(number, (0, 0), tuple(actions), Player(rng.randint(0, 1)), rng.choice((1, 1, 1, 2)))
