"""Files put into the database and taken out of it, a transaction for each."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence

from gnubg_nactation.annotation import Analyse, annotate
from gnubg_nactation.archive.database import transaction
from gnubg_nactation.archive.rows import GameRow, MatchRow, match_row
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.values import NamedTuple

__all__ = ["FileRow", "add_file", "add_handles", "forget", "read_rows"]


class FileRow(NamedTuple):
    """A file as in the table `files`: as it was when it was read, and what was made of it."""

    path: str
    size: int = 0
    changed: int = 0
    digest: bytes = b""
    made: str = ""
    problem: str = ""


def read_rows(
    data: bytes, analyse: Analyse | None = None, encoding: str | None = None
) -> tuple[MatchRow, ...]:
    """The rows of the matches of a file; NactationError.

    `analyse` is given the matches that have no analysis, and analyses the beginnings of games.
    """
    found = []
    for source in read_sources(data, encoding):
        row = match_row(annotate(source.match))
        if analyse and not row.analysed:
            row = match_row(annotate(source.match, analyse=analyse), cut=True)
        found.append(row)
    return tuple(found)


def add_file(
    connection: sqlite3.Connection, file: FileRow, matches: Sequence[MatchRow] = ()
) -> None:
    """Put a file and its matches in the place of what was known of it, in one transaction."""
    with transaction(connection):
        _forget(connection, [file.path])
        connection.execute(
            "INSERT INTO files (path, size, changed, digest, made, problem)"
            " VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?)",
            (os.fsencode(file.path), *file[1:]),
        )
        number = _last(connection)
        for place, match in enumerate(matches, 1):
            _add_match(connection, number, place, match)


def forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Take files and their matches out, in one transaction.

    Where a match stands in another file, too, that file becomes one to be read again.
    """
    with transaction(connection):
        _forget(connection, paths)


def add_handles(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Note names that the owner of the archive plays under."""
    with transaction(connection):
        connection.executemany(
            "INSERT OR IGNORE INTO handles VALUES (?)", [(name,) for name in names]
        )


def _last(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("SELECT last_insert_rowid()").fetchone()[0]
    return number


def _add_match(connection: sqlite3.Connection, file: int, place: int, match: MatchRow) -> None:
    first, second = (_number(connection, "players", name) for name in match.players)
    connection.execute(
        "INSERT INTO matches (file, place, content, analysed, counted, first, second, event, date,"
        " length, jacoby, odd) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(file, place, match.content, match.analysed, first, second),
            *(match.event, match.date, match.length, match.jacoby, match.odd),
        ),
    )
    number = _last(connection)
    levels: dict[str | None, int | None] = {None: None}
    for game in match.games:
        _add_game(connection, number, game, levels)


def _add_game(
    connection: sqlite3.Connection, match: int, game: GameRow, levels: dict[str | None, int | None]
) -> None:
    connection.execute(
        "INSERT INTO games (match, number, first_score, second_score, crawford, winner, points,"
        " odd, sequence, kept) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (match, *game[:-1], len(game.turns)),
    )
    number = _last(connection)
    for turn in game.turns:
        if turn.level is not None and turn.level not in levels:
            levels[turn.level] = _number(connection, "levels", turn.level)
    connection.executemany(
        "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(*turn[:2], number, *turn[2:13], levels[turn.level], turn.best) for turn in game.turns],
    )


def _number(connection: sqlite3.Connection, table: str, name: str) -> int:
    """The number of a name in a table of names, where it is put if it is new."""
    found = connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
    if found:
        return int(found[0])
    connection.execute(f"INSERT INTO {table} (name) VALUES (?)", (name,))
    return _last(connection)


def _forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    pass
