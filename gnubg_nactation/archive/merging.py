"""Adds the files of one database to another."""

from __future__ import annotations

from gnubg_nactation.archive.indexing import (
    FileRow,
    GameRow,
    MatchRow,
    TurnRow,
    add_file,
    add_handles,
    file_known,
)
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def merge(connection: sqlite3.Connection, other: sqlite3.Connection) -> int:
    """Add the files that only the other database has, with their matches; returns their number.

    The handles are added, too. Another file with the same path gets a number after it.
    """
    # A counted match comes before its copies, which have no games, so that none of them is counted.
    files = other.execute(
        f"SELECT id, {', '.join(FileRow._fields)} FROM files ORDER BY"
        " NOT EXISTS (SELECT 1 FROM matches WHERE file = files.id AND counted), id"
    ).fetchall()
    count = 0
    for number, *columns in files:
        file = _free(connection, FileRow(*columns))
        if file:
            add_file(connection, file, _matches(other, number))
            count += 1
    add_handles(connection, [name for (name,) in other.execute("SELECT name FROM handles")])
    return count


def _free(connection: sqlite3.Connection, file: FileRow) -> FileRow | None:
    """The file under a path that no other file has; None if it is stored."""
    path, count = file.path, 1
    while stored := file_known(connection, file.path):
        if stored.digest == file.digest:
            return None
        count += 1
        file = file._replace(path=f"{path} ({count})")
    return file


def _matches(connection: sqlite3.Connection, file: int) -> list[MatchRow]:
    rows = connection.execute(
        "SELECT m.id, content, analysed, a.name, b.name, event, date, length, jacoby, odd"
        " FROM matches AS m JOIN players AS a ON a.id = first JOIN players AS b ON b.id = second"
        " WHERE file = ? ORDER BY place",
        (file,),
    ).fetchall()
    return [
        MatchRow._make((content, analysed, (first, second), *more, _games(connection, number)))
        for number, content, analysed, first, second, *more in rows
    ]


def _games(connection: sqlite3.Connection, match: int) -> tuple[GameRow, ...]:
    rows = connection.execute(
        "SELECT id, number, first_score, second_score, crawford, winner, points, odd, sequence,"
        " moves FROM games WHERE match = ? ORDER BY number",
        (match,),
    ).fetchall()
    return tuple(
        [GameRow._make((*game, _turns(connection, number), moves)) for number, *game, moves in rows]
    )


def _turns(connection: sqlite3.Connection, game: int) -> tuple[TurnRow, ...]:
    columns = ", ".join(TurnRow._fields).replace(
        "level", "(SELECT name FROM levels WHERE id = level)"
    )
    sql = f"SELECT {columns} FROM turns WHERE game = ? ORDER BY turn"
    return tuple([TurnRow(*row) for row in connection.execute(sql, (game,))])
