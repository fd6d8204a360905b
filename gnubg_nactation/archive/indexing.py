"""Files put into the database and taken out of it, a transaction for each."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence

from gnubg_nactation.annotation import Analyse, annotate
from gnubg_nactation.archive.database import transaction
from gnubg_nactation.archive.rows import GameRow, MatchRow, match_row
from gnubg_nactation.backgammon.match import CubeAction, Game, Match, Move
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.values import NamedTuple

__all__ = [
    "FileRow",
    "add_file",
    "add_handles",
    "file_known",
    "forget",
    "heirs",
    "read_rows",
    "refresh",
]


class FileRow(NamedTuple):
    """A file as in the table `files`: as it was when it was read, and what was made of it."""

    path: str
    size: int = 0
    changed: int = 0
    digest: bytes = b""
    made: str = ""
    problem: str = ""


def read_rows(data: bytes, analyse: Analyse | None = None) -> tuple[MatchRow, ...]:
    """The rows of the matches of a file; NactationError.

    `analyse` is given those matches that have no analysis, and may analyse parts of them.
    """
    return tuple(_read(source.match, analyse) for source in read_sources(data))


def _read(match: Match, analyse: Analyse | None) -> MatchRow:
    if analyse is None or any(_is_analysed(game) for game in match.games):
        return match_row(annotate(match))
    return match_row(annotate(match, analyse=analyse), cut=True)


def _is_analysed(game: Game) -> bool:
    return any(isinstance(one, Move | CubeAction) and one.analysis for one in game.actions)


def add_file(
    connection: sqlite3.Connection, file: FileRow, matches: Sequence[MatchRow] = ()
) -> None:
    """Put a file and its matches in the place of what was known of it, in one transaction.

    Nothing is done where just this is known, and each of its matches is counted somewhere.
    """
    with transaction(connection):
        known = file_known(connection, file.path)
        if known == file and file.path not in heirs(connection):
            return
        if known:
            _forget(connection, [file.path])
        connection.execute(
            "INSERT INTO files (path, size, changed, digest, made, problem)"
            " VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?)",
            (os.fsencode(file.path), *file[1:]),
        )
        number = _last(connection)
        for place, match in enumerate(matches, 1):
            _add_match(connection, (number, place, os.fsencode(file.path)), match)


def forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Take files and their matches out, in one transaction.

    A match that stands in another file, too, is not counted until an heir is read again.
    """
    with transaction(connection):
        _forget(connection, paths)


def heirs(connection: sqlite3.Connection) -> list[str]:
    """The files to be read again, as they hold matches that are counted nowhere any more."""
    rows = connection.execute(
        "SELECT content, path FROM matches JOIN files ON files.id = file WHERE content IN"
        " (SELECT content FROM matches GROUP BY content HAVING NOT max(counted))"
        f" ORDER BY {_BEST}"
    )
    first: dict[bytes, str] = {}
    for content, path in rows:
        first.setdefault(content, path)
    return list(dict.fromkeys(first.values()))


def file_known(connection: sqlite3.Connection, path: str) -> FileRow | None:
    """What is known of a file; None for a file that is not."""
    found = connection.execute(
        f"SELECT {', '.join(FileRow._fields)} FROM files WHERE path = CAST(? AS TEXT)",
        (os.fsencode(path),),
    ).fetchone()
    return FileRow(*found) if found else None


def refresh(connection: sqlite3.Connection, files: Iterable[FileRow]) -> None:
    """Note when files were changed whose bytes are the same."""
    with transaction(connection):
        connection.executemany(
            "UPDATE files SET changed = ? WHERE path = CAST(? AS TEXT) AND digest = ?",
            [(file.changed, os.fsencode(file.path), file.digest) for file in files],
        )


def add_handles(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Note names that the owner of the archive plays under."""
    with transaction(connection):
        connection.executemany(
            "INSERT OR IGNORE INTO handles VALUES (?)", [(name,) for name in names]
        )


def _last(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("SELECT last_insert_rowid()").fetchone()[0]
    return number


_BEST = "analysed DESC, path, place"  # of the copies of a match, the one that is counted


def _add_match(
    connection: sqlite3.Connection, place: tuple[int, int, bytes], match: MatchRow
) -> None:
    """Put a match, by its file, its place there and the path; it is counted if no copy is better.

    A copy that was counted so far is no longer.
    """
    file, at, path = place
    copy = connection.execute(
        "SELECT matches.id, analysed, CAST(path AS BLOB) FROM matches JOIN files ON files.id = file"
        " WHERE content = ? AND counted",
        (match.content,),
    ).fetchone()
    counted = copy is None or (-match.analysed, path) < (-copy[1], copy[2])
    if copy and counted:
        _uncount(connection, copy[0], match)
    first, second = (_number(connection, "players", name) for name in match.players)
    connection.execute(
        "INSERT INTO matches (file, place, content, analysed, counted, first, second, event, date,"
        " length, jacoby, odd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(file, at, match.content, match.analysed, counted, first, second),
            *(match.event, match.date, match.length, match.jacoby, match.odd),
        ),
    )
    if counted:
        number = _last(connection)
        levels: dict[str | None, int | None] = {None: None}
        for game in match.games:
            _add_game(connection, number, game, levels)


def _uncount(connection: sqlite3.Connection, copy: int, match: MatchRow) -> None:
    """Take the games of a copy out. Its turns are found by those of the match, which are the same.

    All turns are only gone through where some are not, such as a take that goes without saying.
    """
    games = connection.execute(
        "SELECT id, kept FROM games WHERE match = ? AND kept ORDER BY id", (copy,)
    ).fetchall()
    found = 0
    for (number, _), game in zip(games, (game for game in match.games if game.turns), strict=False):
        found += connection.executemany(
            "DELETE FROM turns"
            " WHERE position = ? AND roll = ? AND nactation = ? AND game = ? AND turn = ?",
            [(turn.position, turn.roll, turn.nactation, number, turn.turn) for turn in game.turns],
        ).rowcount
    if found < sum(kept for _, kept in games):
        connection.execute(
            "DELETE FROM turns WHERE game IN (SELECT id FROM games WHERE match = ?)", (copy,)
        )
    connection.execute("DELETE FROM games WHERE match = ?", (copy,))
    connection.execute("UPDATE matches SET counted = 0 WHERE id = ?", (copy,))


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
    """Take files out; all turns are gone through once, if any is theirs."""
    connection.execute("CREATE TEMP TABLE gone (id INTEGER PRIMARY KEY)")
    connection.executemany(
        "INSERT OR IGNORE INTO gone SELECT id FROM files WHERE path = CAST(? AS TEXT)",
        ((os.fsencode(path),) for path in paths),
    )
    matches = "SELECT id FROM matches WHERE file IN gone"
    games = f"SELECT id FROM games WHERE match IN ({matches}) AND kept"
    if connection.execute(f"{games} LIMIT 1").fetchone():
        connection.execute(f"DELETE FROM turns WHERE game IN ({games})")
    connection.execute(f"DELETE FROM games WHERE match IN ({matches})")
    if connection.execute("DELETE FROM matches WHERE file IN gone").rowcount:
        connection.execute(
            "DELETE FROM players WHERE id NOT IN"
            " (SELECT first FROM matches UNION SELECT second FROM matches)"
        )
    connection.execute("DELETE FROM files WHERE id IN gone")
    connection.execute("DROP TABLE gone")
