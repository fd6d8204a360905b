"""Files put into the database, replaced there and taken out of it, a transaction for each."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence

from gnubg_nactation.annotation import Analyse, annotate
from gnubg_nactation.archive.database import transaction
from gnubg_nactation.archive.rows import GameRow, MatchRow, TurnRow, match_row
from gnubg_nactation.backgammon.match import CubeAction, Game, Match, Move
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.values import NamedTuple


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
    connection: sqlite3.Connection,
    file: FileRow,
    matches: Sequence[MatchRow] = (),
    *,
    again: bool = False,
) -> None:
    """Store a file and its matches instead of its earlier ones, in one transaction.

    Does nothing if the same file is stored and each of its matches is counted somewhere, unless
    `again` is set. A match without analysis keeps the engine's analysis of the match that it
    replaces, if the same was played in both.
    """
    with transaction(connection):
        known = file_known(connection, file.path)
        if known == file and not again and file.path not in files_to_recount(connection):
            return
        players: set[int] = set()
        if known:
            players = _players_of(connection, file.path)
            analysis = _engine_of(known.made)
            matches, keeps = _replace(connection, known, file.digest, matches)
            if keeps and not _engine_of(file.made):
                file = file._replace(made=f"{file.made} {analysis}")
        connection.execute(
            "INSERT INTO files (path, size, changed, digest, made, problem)"
            " VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?)",
            (os.fsencode(file.path), *file[1:]),
        )
        number = _last(connection)
        for place, match in enumerate(matches, 1):
            _add_match(connection, (number, place, os.fsencode(file.path)), match)
        for player in players - _players_of(connection, file.path):
            connection.execute(_FORGET_PLAYER, {"player": player})


def forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Take files and their matches out, in one transaction.

    If a match is in another file as well, its games are counted there from now on;
    `files_to_recount` lists the files to read again for that.
    """
    with transaction(connection):
        _forget(connection, paths)


def files_to_recount(connection: sqlite3.Connection) -> list[str]:
    """List the files to read again, as they hold the best copy of a match that is not counted yet.

    A match also counts as such if its games came from a file that is gone.
    """
    rows = connection.execute(
        "SELECT content, path, counted = 1 FROM matches JOIN files ON files.id = file"
        " WHERE content IN (SELECT content FROM matches GROUP BY content"
        f" HAVING count(*) > 1 OR max(counted) <> 1) ORDER BY {_BEST}"
    )
    first: dict[bytes, tuple[str, bool]] = {}
    for content, path, is_settled in rows:
        first.setdefault(content, (path, bool(is_settled)))
    return list(dict.fromkeys(path for path, is_settled in first.values() if not is_settled))


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


# Of the copies of a match, the one that is counted.
_BEST = "analysed DESC, path, place"


_FORGET_PLAYER = (
    "DELETE FROM players WHERE id = :player AND NOT EXISTS"
    " (SELECT 1 FROM matches WHERE :player IN (first, second))"
)


def _players_of(connection: sqlite3.Connection, path: str) -> set[int]:
    rows = connection.execute(
        "SELECT first, second FROM matches JOIN files ON files.id = file"
        " WHERE path = CAST(? AS TEXT)",
        (os.fsencode(path),),
    )
    return {player for row in rows for player in row}


def _engine_of(made: str) -> str:
    """The engine that has analysed a file for the archive, how deep and how much; or empty."""
    return made.partition(" ")[2]


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
            *(match.event, match.date, match.length, match.jacoby, match.invalid_because),
        ),
    )
    if counted:
        number = _last(connection)
        levels: dict[str | None, int | None] = {None: None}
        for game in match.games:
            _add_game(connection, number, game, levels)


def _replace(
    connection: sqlite3.Connection, known: FileRow, digest: bytes, matches: Sequence[MatchRow]
) -> tuple[list[MatchRow], bool]:
    """Take a file out for its successor, with this digest; the successor's matches, to be put.

    Those without analysis get what an engine has found for the same match. Also returned is whether
    each of them did.
    """
    path = os.fsencode(known.path)
    keep = bool(_engine_of(known.made))
    stored = connection.execute(
        "SELECT matches.id, place, content, analysed FROM matches"
        " JOIN files ON files.id = file WHERE path = CAST(? AS TEXT)",
        (path,),
    ).fetchall()
    there: dict[object, tuple[int, int]] = {}
    for number, place, content, analysed in stored:
        there[content] = number, analysed
        if digest == known.digest:  # the same match, even if its plays have other names now
            there[place] = number, analysed
    successors: list[MatchRow] = []
    has_all = keep and bool(matches)
    for place, match in enumerate(matches, 1):
        number, analysed = there.get(match.content) or there.get(place, (0, 0))
        if keep and analysed and not match.analysed:
            successors.append(_with_analysis(connection, number, match))
        else:
            successors.append(match)
            has_all = has_all and bool(match.analysed or number)
    same = {match.content: match for match in successors}
    for number, place, content, _ in stored:
        if content in same or not _hand_over(connection, number):
            likely = successors[place - 1] if place <= len(successors) else None
            _uncount(connection, number, same.get(content, likely))
        connection.execute("DELETE FROM matches WHERE id = ?", (number,))
    connection.execute("DELETE FROM files WHERE path = CAST(? AS TEXT)", (path,))
    return successors, has_all


def _hand_over(connection: sqlite3.Connection, match: int, leaving: str = "0") -> bool:
    """Give the games of a match that goes to its best copy, until that is read; if there is one.

    With the analysis of an engine goes who has made it. The copy may not be in files `leaving`.
    """
    copy = connection.execute(
        "SELECT b.id, b.file, a.analysed, made FROM matches AS a JOIN matches AS b"
        " ON b.content = a.content AND b.file <> a.file JOIN files ON files.id = a.file"
        f" WHERE a.id = ? AND a.counted AND b.file NOT IN ({leaving}) ORDER BY b.analysed DESC,"
        " (SELECT path FROM files WHERE id = b.file), b.place LIMIT 1",
        (match,),
    ).fetchone()
    if not copy:
        return False
    number, file, analysed, made = copy
    connection.execute("UPDATE games SET match = ? WHERE match = ?", (number, match))
    connection.execute("UPDATE matches SET counted = 0 WHERE id = ?", (match,))
    connection.execute(
        "UPDATE matches SET counted = 2, analysed = ? WHERE id = ?", (analysed, number)
    )
    if analysis := _engine_of(made):
        connection.execute(
            "UPDATE files SET made = made || ' ' || ? WHERE id = ? AND made NOT LIKE '% %'"
            " AND NOT EXISTS (SELECT 1 FROM matches WHERE file = files.id AND analysed = 0)",
            (analysis, file),
        )
    return True


_TURN = "position = ? AND roll = ? AND nactation = ? AND game = ? AND turn = ?"
_RENAMED = "position = ? AND roll = ? AND game = ? AND turn = ?"  # its name may be another one now


def _with_analysis(connection: sqlite3.Connection, stored: int, match: MatchRow) -> MatchRow:
    """The match with what is stored of the analysis of the same match."""
    sql = "SELECT id, number FROM games WHERE match = ? AND kept"
    numbers = {number: game for game, number in connection.execute(sql, (stored,))}
    games = [
        game._replace(
            turns=tuple(
                [_with_error(connection, numbers[game.number], turn) for turn in game.turns]
            )
        )
        if game.number in numbers
        else game
        for game in match.games
    ]
    analysed = sum(turn.level is not None for game in games for turn in game.turns)
    return match._replace(games=tuple(games), analysed=analysed)


def _with_error(connection: sqlite3.Connection, game: int, turn: TurnRow) -> TurnRow:
    columns = "luck, error, missed, (SELECT name FROM levels WHERE id = level), best"
    key = turn.position, turn.roll, game, turn.turn
    named = *key[:2], turn.nactation, *key[2:]
    sql = f"SELECT {columns} FROM turns WHERE"
    row = connection.execute(f"{sql} {_TURN}", named).fetchone()
    row = row or connection.execute(f"{sql} {_RENAMED}", key).fetchone()
    return turn._replace(**dict(zip(_JUDGED, row, strict=True))) if row else turn


_JUDGED = "luck", "error", "missed", "level", "best"


def _uncount(connection: sqlite3.Connection, copy: int, match: MatchRow | None) -> None:
    """Take the games of a copy out. Its turns are found by those of the match, which are the same.

    All turns are only gone through where some are not, such as a take that goes without saying.
    """
    games = connection.execute(
        "SELECT id, kept FROM games WHERE match = ? AND kept ORDER BY id", (copy,)
    ).fetchall()
    left = sum(kept for _, kept in games)
    played = [game for game in match.games if game.turns] if match else []
    for (number, kept), game in zip(games, played, strict=False):
        keys = [(turn.position, turn.roll, number, turn.turn) for turn in game.turns]
        names = [turn.nactation for turn in game.turns]
        named = [(*key[:2], name, *key[2:]) for key, name in zip(keys, names, strict=True)]
        found = connection.executemany(f"DELETE FROM turns WHERE {_TURN}", named).rowcount
        if found < kept:
            found += connection.executemany(f"DELETE FROM turns WHERE {_RENAMED}", keys).rowcount
        left -= found
    if left:
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
        " odd, sequence, kept, moves) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (match, *game[:-2], len(game.turns), game.moves),
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


_COPIED = "SELECT content FROM matches GROUP BY content HAVING count(*) > 1"


def _forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Take files out; all turns are gone through once, if any is theirs."""
    connection.execute("CREATE TEMP TABLE leaving (id INTEGER PRIMARY KEY)")
    connection.executemany(
        "INSERT OR IGNORE INTO leaving SELECT id FROM files WHERE path = CAST(? AS TEXT)",
        ((os.fsencode(path),) for path in paths),
    )
    matches = "SELECT id FROM matches WHERE file IN leaving"
    counted = connection.execute(f"{matches} AND counted AND content IN ({_COPIED})").fetchall()
    for (match,) in counted:
        _hand_over(connection, match, "SELECT id FROM leaving")
    games = f"SELECT id FROM games WHERE match IN ({matches}) AND kept"
    if connection.execute(f"{games} LIMIT 1").fetchone():
        connection.execute(f"DELETE FROM turns WHERE game IN ({games})")
    connection.execute(f"DELETE FROM games WHERE match IN ({matches})")
    if connection.execute("DELETE FROM matches WHERE file IN leaving").rowcount:
        connection.execute(
            "DELETE FROM players WHERE id NOT IN"
            " (SELECT first FROM matches UNION SELECT second FROM matches)"
        )
    connection.execute("DELETE FROM files WHERE id IN leaving")
    connection.execute("DROP TABLE leaving")
