#!/usr/bin/env python3
"""Make a database of millions of turns in minutes, to measure queries with.

    .venv/bin/python scripts/archive_made.py --turns 10000000 /tmp/made.db

It plays beginnings and continuations of games, stores their rows as `nactate index` does, and
lets SQLite join them to as many games as needed. Plays are those of a simple player with some
choice, so beginnings repeat about as often as in real archives. After the beginning, each copy of
a continuation has another position: the opponent's spare checkers lie on other points that the
opponent holds, or are off. That changes neither what is legal nor how a play is called.

It flatters queries in one way: the plays and names of a continuation repeat. It does not favour
those that look up positions: nine of ten differ after the beginning.

With `--own` it is the library of one player, `Player 1`, who plays in all of its matches. They are
as long as real ones, and all are analysed.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from heapq import nlargest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gnubg_nactation.annotation import annotate  # noqa: E402
from gnubg_nactation.archive.database import open_archive, transaction  # noqa: E402
from gnubg_nactation.archive.indexing import CONTENT, match_row  # noqa: E402
from gnubg_nactation.backgammon.ids import pack_position, unpack_position  # noqa: E402
from gnubg_nactation.backgammon.match import Action, Double, Drop, Game, Match, Move, Take  # noqa: E402
from gnubg_nactation.backgammon.notation import Hop  # noqa: E402
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll, legal_plays  # noqa: E402
from gnubg_nactation.backgammon.position import (  # noqa: E402
    BAR,
    CHECKERS,
    OFF,
    STANDARD,
    Position,
)
from gnubg_nactation.backgammon.state import Player  # noqa: E402
from gnubg_nactation.language.plays import Plays  # noqa: E402

_BEGINNING = 4  # turns
_GAME = 40  # turns, at most on the average
_COPIES = 100  # of each continuation, as far as the opponent has that many spare checkers
_MATCH, _OWN_MATCH = 3, 7  # games
_PLAYERS = 5_000  # at most; the first ones play most
_BEGINNINGS = 16_000  # at most
_BYTES = 10  # of a position

_TEMPORARY = """
CREATE TEMP TABLE parts (id INTEGER PRIMARY KEY, sequence TEXT, kept INTEGER);
CREATE TEMP TABLE part_turns (
    part INTEGER, position BLOB, others BLOB, roll INTEGER, turn INTEGER, player INTEGER,
    cube INTEGER, owner INTEGER, nactation TEXT, play TEXT, best TEXT
);
CREATE INDEX temp.part_turns_by_part ON part_turns (part);
CREATE TEMP TABLE made (
    id INTEGER PRIMARY KEY, beginning INTEGER, continuation INTEGER, copy INTEGER, analysed INTEGER
);
"""
_NUMBERS = "WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers LIMIT ?)"
_MADE = f"""{_NUMBERS}
INSERT INTO made SELECT id, 1 + id * 7919 % ?, -1 - id % ?, id / ?, id / ? % 2 OR ? FROM numbers
"""
_GAMES = """
INSERT INTO games SELECT made.id, 1 + (made.id - 1) / ?1, 1 + (made.id - 1) % ?1,
    0, 0, 0, made.id % 2, 1, '', b.sequence || '-' || c.sequence, b.kept + c.kept, ''
FROM made JOIN parts AS b ON b.id = beginning JOIN parts AS c ON c.id = continuation
"""
# Every other match is analysed, or all are, and one of eight decisions in them is wrong.
_TURNS = f"""
INSERT INTO turns SELECT
    ifnull(substr(others, 1 + {_BYTES} * (g.copy % {_COPIES}), {_BYTES}), position)
    AS place, roll, g.id, turn, player, cube, owner, nactation, play,
    2 * (player = g.id % 2) - 1, NULL,
    CASE WHEN analysed AND roll THEN (g.id * 31 + turn * 17) % 40001 - 20000 END,
    CASE WHEN analysed AND (best <> '' OR NOT roll) THEN (g.id * 7 + turn * 3) % 8 / 7
        * (100 + (g.id * 31 + turn * 17) % 15000) END,
    CASE WHEN analysed AND roll THEN (turn > 6 AND (g.id + turn) % 50 = 0) * 3000 END,
    CASE WHEN analysed THEN 1 END,
    CASE WHEN analysed AND (g.id * 7 + turn * 3) % 8 = 7 AND roll THEN nullif(best, '') END,
    CASE WHEN analysed THEN (g.id + turn) % 9 = 0 END,
    CASE WHEN analysed AND (g.id * 7 + turn * 3) % 8 = 7 AND roll AND best <> '' THEN 'other' END
FROM made AS g CROSS JOIN part_turns ON part IN (beginning, continuation)
ORDER BY place, roll, nactation, g.id, turn
"""


def main() -> int:
    """Make the database."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=10_000_000, metavar="N", help="about as many")
    parser.add_argument("--own", action="store_true", help="the library of one player")
    parser.add_argument("database")
    options = parser.parse_args()
    make(options.database, options.turns, own=options.own)
    return 0


def make(path: str, turns: int, *, own: bool = False) -> None:
    """Make a database with about as many turns, of one player's matches or of anybody's."""
    rng = random.Random(1)
    length = _OWN_MATCH if own else _MATCH
    matches = max(turns // _GAME // length, 1)
    games = matches * length
    beginnings = [_beginning(rng) for _ in range(min(_BEGINNINGS, games))]
    continuations = max(games // _COPIES, 1)
    with closing(open_archive(path, create=True)) as connection:
        connection.executescript(
            f"PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; {_TEMPORARY}"
        )
        with transaction(connection):
            for number, (actions, _) in enumerate(beginnings, 1):
                _add_part(connection, rng, number, actions, 0)
            for number in range(1, continuations + 1):
                _add_part(connection, rng, -number, _game(rng, *rng.choice(beginnings)), _BEGINNING)
            parts = len(beginnings), continuations, continuations
            connection.execute(_MADE, (games, *parts, length, own))
            connection.execute(_GAMES, (length,))
            _add_matches(connection, rng, matches, own=own)
            connection.execute("DROP INDEX IF EXISTS turns_by_game")
            connection.execute(_TURNS)
    with closing(open_archive(path, create=True)):  # creates the index again, in one go
        pass


def _add_matches(
    connection: sqlite3.Connection, rng: random.Random, count: int, *, own: bool
) -> None:
    players = min(_PLAYERS, 2 * count)
    connection.execute("INSERT INTO levels VALUES (1, 'XG Roller++')")
    connection.executemany(
        "INSERT INTO players VALUES (?, ?)", ((n, f"Player {n}") for n in range(1, players + 1))
    )
    files = ((n, f"/made/{n // 1000}/{n}.xg", str(CONTENT)) for n in range(1, count + 1))
    connection.executemany("INSERT INTO files VALUES (?, ?, 0, 0, x'', ?, '')", files)
    for number in range(1, count + 1):
        first = 0 if own else int(players * rng.random() ** 2)
        second = (first + 1 + int((players - 1) * rng.random() ** 2)) % players
        seats = first + 1, second + 1
        if own and number % 2:
            seats = second + 1, first + 1
        day = f"{rng.randint(2000, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        connection.execute(
            "INSERT INTO matches VALUES (?, ?, 1, ?, ?, 1, ?, ?, 'Made', ?, 0, 0, '')",
            (number, number, b"%d" % number, number % 2 or own, *seats, day),
        )


# The parts of games

_Beginning = tuple[tuple[Action, ...], Position]  # and the board of the next player


def _beginning(rng: random.Random) -> _Beginning:
    actions: list[Action] = []
    position = _move(rng, actions, STANDARD, rng.choice(_FIRST_ROLLS), Player.FIRST)
    for number in range(1, _BEGINNING):
        position = _move(rng, actions, position, rng.choice(_THROWS), Player(number % 2))
    return tuple(actions), position


def _game(rng: random.Random, beginning: Sequence[Action], position: Position) -> list[Action]:
    """The actions of a whole game, with a double in some."""
    actions = list(beginning)
    player = Player(_BEGINNING % 2)
    doubles_at = rng.randint(_BEGINNING + 1, 2 * _GAME)
    end = _GAME + rng.randint(-20, 20)
    while len(actions) < end and position.opponent_off < CHECKERS:
        if len(actions) == doubles_at:
            actions.append(Double(player))
            if rng.random() < 0.5:
                return [*actions, Drop(player.other)]
            actions.append(Take(player.other))
        position = _move(rng, actions, position, rng.choice(_THROWS), player)
        player = player.other
    return actions


def _move(
    rng: random.Random, actions: list[Action], position: Position, roll: Roll, player: Player
) -> Position:
    """Append a play; return the board of the next player."""
    plays = legal_plays(position, roll)
    if not plays:
        actions.append(Move(player, roll, ()))
        return position.switch_sides()
    best = nlargest(_CHOICE, plays, key=_merit)
    play = best[min(int(rng.expovariate(1.5)), len(best) - 1)]
    hops = tuple(Hop(p.source, p.target, p.hits) for p in play.portions)
    actions.append(Move(player, roll, hops))
    return play.after


_CHOICE = 3  # plays
_THROWS = [Roll(high, low) for high in range(1, 7) for low in range(1, 7)]
_FIRST_ROLLS = [roll for roll in ROLLS if not roll.is_doublet]


def _merit(play: Play) -> int:
    """A player that likes points and hits better than blots."""
    off = sum(portion.target == OFF for portion in play.portions)
    owned, blots, hits = play.owned.bit_count(), play.blots.bit_count(), play.hits.bit_count()
    return 3 * owned - 2 * blots + 2 * hits + 5 * off


def _add_part(
    connection: sqlite3.Connection,
    rng: random.Random,
    number: int,
    actions: Sequence[Action],
    skipped: int,
) -> None:
    """Add the turns of a game and its sequence, without the first ones."""
    annotated = annotate(Match(("Ann", "Ben"), 0, (Game(1, (0, 0), tuple(actions)),)))
    [game] = match_row(annotated).games
    turns = game.turns[skipped:]
    sequence = "-".join(game.sequence.removeprefix("-").split("-")[skipped:])
    connection.execute("INSERT INTO parts VALUES (?, ?, ?)", (number, sequence, len(turns)))
    connection.executemany(
        "INSERT INTO part_turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(number, row.position, _others(rng, row.position) if skipped else None),
                *(row.roll, row.turn, row.player, row.cube, row.owner, row.nactation, row.play),
                _other_name(rng, turn.plays, row.nactation) if row.play else "",
            )
            for row, turn in zip(turns, annotated.games[0].turns[skipped:], strict=True)
        ],
    )


def _others(rng: random.Random, packed: bytes) -> bytes:
    """Positions with the opponent's spare checkers elsewhere; some are the same."""
    points = list(unpack_position(packed).points)
    held = [point for point in range(1, BAR) if points[point] <= -2]
    spare = -sum(points[point] + 2 for point in held)
    for point in held:
        points[point] = -2
    others = bytearray()
    for _ in range(_COPIES):
        board = points.copy()
        for point in rng.choices([*held, OFF], k=spare) if held else ():
            board[point] -= point != OFF
        others += pack_position(Position(tuple(board)))
    return bytes(others)


def _other_name(rng: random.Random, plays: Plays, made: str) -> str:
    """The name of another legal play; empty if there is none."""
    name = str(plays.name(rng.choice(plays)).naming.nactation)
    return "" if name == made else name


if __name__ == "__main__":
    sys.exit(main())
