"""Archives filled by hand, so that tests can count their results in another way."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from gnubg_nactation.archive.database import open_archive
from gnubg_nactation.backgammon.ids import pack_position
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.sequences.notation import start_prefix


class Played(NamedTuple):
    """A turn; `roll` is 0 for a cube action. Equities are in points."""

    position: Position
    player: int
    roll: int
    nactation: str
    play: str = ""
    error: int | None = None
    missed: int | None = None
    best: str | None = None
    result: int | None = None
    adjusted: int | None = None
    cube: int = 1
    owner: int | None = None
    near: int | None = None
    luck: int | None = None


class Record(NamedTuple):
    """A match of one game."""

    turns: tuple[Played, ...]
    players: tuple[str, str] = ("Ann", "Ben")
    length: int = 7
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    date: str = ""
    event: str = ""

    @property
    def sequence(self) -> str:
        """The sequence of the game; takes are implicit."""
        start = start_prefix(self.turns[0].position) if self.turns else ""
        signs = {"double": "C", "drop": "P"}
        tokens = [
            f"{played.roll}{played.nactation}" if played.roll else signs.get(played.nactation, "")
            for played in self.turns
        ]
        return start + "-".join(filter(None, tokens))


def fill(
    records: list[Record], path: str = ":memory:", handles: tuple[str, ...] = ()
) -> sqlite3.Connection:
    """A new database with these matches."""
    connection = open_archive(path, create=True)
    connection.execute("BEGIN")
    connection.execute("INSERT INTO files VALUES (1, 'by hand', 0, 0, x'', '', '')")
    names = sorted({name for record in records for name in record.players})
    connection.executemany("INSERT INTO players (name) VALUES (?)", [(name,) for name in names])
    connection.executemany("INSERT INTO handles VALUES (?)", [(name,) for name in handles])
    for number, record in enumerate(records, 1):
        players = [names.index(name) + 1 for name in record.players]
        connection.execute(
            "INSERT INTO matches (id, file, place, content, analysed, counted, first, second,"
            " event, date, length, jacoby) VALUES (?, 1, ?, x'', 0, 1, ?, ?, ?, ?, ?, 0)",
            (number, number, *players, record.event, record.date, record.length),
        )
        connection.execute(
            "INSERT INTO games (id, match, number, first_score, second_score, crawford, winner,"
            " points, sequence, kept) VALUES (?, ?, 1, ?, ?, ?, NULL, 0, ?, ?)",
            (number, number, *record.score, record.crawford, record.sequence, len(record.turns)),
        )
        for turn, played in enumerate(record.turns, 1):
            connection.execute(
                "INSERT INTO turns (position, roll, game, turn, player, cube, owner, nactation,"
                " play, result, adjusted, error, missed, best, near, luck)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(pack_position(played.position), played.roll, number, turn, played.player),
                    *(played.cube, played.owner, played.nactation, played.play, played.result),
                    *(
                        played.adjusted,
                        played.error,
                        played.missed,
                        played.best,
                        played.near,
                        played.luck,
                    ),
                ),
            )
    connection.execute("COMMIT")
    return connection
