"""Adds the files of one database to another."""

from __future__ import annotations

import os

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
    from collections.abc import Container


def merge(
    connection: sqlite3.Connection, other: sqlite3.Connection, only: Container[str] | None = None
) -> dict[str, str]:
    """Add the files that only the other database has, with their matches.

    The handles are added, too, unless it is `only` about some files. Another file with the same
    path gets a number, `a (2).mat`; returns the paths here of such files by those there.
    """
    # A counted match comes before its copies, which have no games, so that none of them is counted.
    files = other.execute(
        f"SELECT id, {', '.join(FileRow._fields)} FROM files ORDER BY"
        " NOT EXISTS (SELECT 1 FROM matches WHERE file = files.id AND counted), id"
    ).fetchall()
    renamed = {}
    for number, *columns in files:
        there = FileRow(*columns)
        if only is not None and there.path not in only:
            continue
        file, is_stored = _free(connection, there)
        if file.path != there.path:
            renamed[there.path] = file.path
        if not is_stored or _is_better(connection, file.path, other, number):
            rest = "SELECT place FROM matches WHERE file = ? AND NOT counted"
            places = {place for (place,) in other.execute(rest, (number,))}
            add_file(connection, file, _matches(other, number), without_games=places)
    if only is None:
        add_handles(connection, [name for (name,) in other.execute("SELECT name FROM handles")])
    return renamed


def _free(connection: sqlite3.Connection, file: FileRow) -> tuple[FileRow, bool]:
    """The file under a path that no other file has, and whether it is stored there."""
    path, count = file.path, 1
    while stored := file_known(connection, file.path):
        if stored.digest == file.digest:
            return file, True
        count += 1
        base, suffix = os.path.splitext(path)
        file = file._replace(path=f"{base} ({count}){suffix}")
    return file, False


def _is_better(
    connection: sqlite3.Connection, path: str, other: sqlite3.Connection, number: int
) -> bool:
    """Whether a stored file has more analysis in the other database, and all its games there."""
    sql = "SELECT coalesce(sum(analysed), 0), min(counted) FROM matches WHERE file"
    own = f"{sql} = (SELECT id FROM files WHERE path = CAST(? AS TEXT))"
    analysed, _ = connection.execute(own, (os.fsencode(path),)).fetchone()
    theirs, is_whole = other.execute(f"{sql} = ?", (number,)).fetchone()
    return bool(is_whole) and theirs > analysed


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
