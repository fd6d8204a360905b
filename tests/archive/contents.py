"""The content of a database, without the numbers that depend on the order of files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from gnubg_nactation.archive.database import archive_at

_FROM_MATCHES = """
FROM matches JOIN files ON files.id = file
JOIN players AS a ON a.id = first JOIN players AS b ON b.id = second
"""
_FROM_GAMES = "FROM games JOIN matches ON matches.id = match JOIN files ON files.id = file"
_FROM_TURNS = """
FROM turns JOIN games ON games.id = game JOIN matches ON matches.id = match
JOIN files ON files.id = file LEFT JOIN levels ON levels.id = level
"""
_FROM_MISTAKES = _FROM_GAMES.replace("games", "mistakes JOIN games ON games.id = game", 1)
_COLUMNS = (
    ("path, size, hex(digest), made, problem", "FROM files"),
    ("name", "FROM handles"),
    ("name", "FROM players"),
    ("path, place, hex(content), analysed, counted, a.name, b.name", _FROM_MATCHES),
    ("path, place, event, date, length, jacoby, odd", _FROM_MATCHES),
    ("path, place, number, first_score, second_score, crawford, winner", _FROM_GAMES),
    ("path, place, number, points, games.odd, sequence, kept", _FROM_GAMES),
    ("path, place, number, turn, hex(position), roll, player, cube, owner", _FROM_TURNS),
    ("path, number, turn, nactation, play, result, adjusted, luck, error, missed", _FROM_TURNS),
    ("path, place, number, turn, kind, player, move, lost, hex(position), roll", _FROM_MISTAKES),
    ("path, number, turn, kind, nactation, fault, best, theme, phase, opening", _FROM_MISTAKES),
    ("path, place, number, turn, kind, away, opponent_away", _FROM_MISTAKES),
    ("path, place, number, turn, levels.name, best, near, theme", _FROM_TURNS),
)


def contents(connection: sqlite3.Connection) -> list[Sequence[object]]:
    """All rows of all tables, sorted."""
    rows_of = [
        connection.execute(f"SELECT {columns} {tables}").fetchall() for columns, tables in _COLUMNS
    ]
    turns = connection.execute("SELECT count(*) FROM turns").fetchone()[0]
    assert turns == len(rows_of[-1])  # every turn has its game
    return [sorted(map(repr, rows)) for rows in rows_of]


def content_of(path: object) -> list[Sequence[object]]:
    """The content of a database file, which must be intact."""
    with archive_at(str(path)) as connection:
        check(connection)
        return contents(connection)


def check(connection: sqlite3.Connection) -> None:
    """Check the invariants of every archive."""
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    [count] = connection.execute("SELECT coalesce(sum(kept), 0) FROM games").fetchone()
    assert connection.execute("SELECT count(*) FROM turns").fetchone() == (count,)
    sums = (
        "sum(error IS NOT NULL AND roll > 0), sum(roll > 0 AND error >= 50), count(luck), sum(luck)"
    )
    from_turns = f"SELECT game, player, {sums} FROM turns GROUP BY game, player"
    columns = "game, player, sum(plays), sum(wrong_plays), sum(rolls), nullif(sum(luck), 0)"
    tallies = connection.execute(f"SELECT {columns} FROM tallies GROUP BY game, player").fetchall()
    assert tallies == [
        (*key, plays or 0, wrong or 0, rolls, luck or None)
        for *key, plays, wrong, rolls, luck in connection.execute(from_turns)
    ]
    losses = "SELECT 2 AS kind, game, turn, error AS lost FROM turns WHERE roll"
    losses += " UNION ALL SELECT 1, game, turn, error FROM turns WHERE NOT roll"
    losses += " UNION ALL SELECT 0, game, turn, missed FROM turns"
    columns = "game, turn, kind, lost"
    wrong = f"SELECT {columns} FROM ({losses}) WHERE lost >= 50 ORDER BY 1, 2, 3"
    mistakes = f"SELECT {columns} FROM mistakes ORDER BY 1, 2, 3"
    assert connection.execute(mistakes).fetchall() == connection.execute(wrong).fetchall()
    twice = "SELECT content FROM matches WHERE counted GROUP BY content HAVING count(*) > 1"
    assert connection.execute(twice).fetchall() == []
