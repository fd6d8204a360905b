"""Exports all turns of an archive as one Parquet table, written by DuckDB."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from functools import partial

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import OPPONENT_SCORE, OWN_SCORE, of_player
from gnubg_nactation.backgammon.ids import packed_id
from gnubg_nactation.errors import ArchiveError
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.system.temporary import temporary_folder

_NAME = "turns.parquet"
_PIECE = 1 << 20  # bytes

# Each column's name, type and SQL. Players have their names, scores are those of the player who
# acts and the opponent, equities are in points.
_COLUMNS = (
    ("file", "VARCHAR", "f.path"),
    ("match", "INTEGER", "m.place"),
    ("event", "VARCHAR", "m.event"),
    ("date", "DATE", "nullif(m.date, '')"),
    ("length", "INTEGER", "m.length"),
    ("jacoby", "BOOLEAN", "m.jacoby"),
    ("player", "VARCHAR", of_player("a.name", "b.name")),
    ("opponent", "VARCHAR", of_player("b.name", "a.name")),
    ("game", "INTEGER", "g.number"),
    ("score", "INTEGER", OWN_SCORE),
    ("opponent_score", "INTEGER", OPPONENT_SCORE),
    ("away", "INTEGER", f"nullif(m.length, 0) - {OWN_SCORE}"),
    ("opponent_away", "INTEGER", f"nullif(m.length, 0) - {OPPONENT_SCORE}"),
    ("crawford", "BOOLEAN", "g.crawford"),
    ("odd", "VARCHAR", "m.odd || g.odd"),
    ("turn", "INTEGER", "t.turn"),
    ("position", "VARCHAR", "t.position"),
    ("roll", "TINYINT", "t.roll"),
    ("cube", "INTEGER", "t.cube"),
    (
        "owner",
        "VARCHAR",
        "CASE t.owner WHEN t.player THEN 'player' WHEN 1 - t.player THEN 'opponent' END",
    ),
    ("nactation", "VARCHAR", "t.nactation"),
    ("play", "VARCHAR", "t.play"),
    ("best", "VARCHAR", "t.best"),
    ("result", "INTEGER", "t.result"),
    *(
        (name, "DOUBLE", f"t.{name} / {UNIT:.1f}")
        for name in ("adjusted", "luck", "error", "missed")
    ),
    ("level", "VARCHAR", "l.name"),
)
COLUMNS = tuple(name for name, _, _ in _COLUMNS)
_QUERY = f"""
SELECT {", ".join(sql for _, _, sql in _COLUMNS)}
FROM turns AS t CROSS JOIN games AS g ON g.id = t.game JOIN matches AS m ON m.id = g.match
JOIN files AS f ON f.id = m.file JOIN players AS a ON a.id = m.first
JOIN players AS b ON b.id = m.second LEFT JOIN levels AS l ON l.id = t.level
"""
_TYPES = ", ".join(f"'{name}': '{kind}'" for name, kind, _ in _COLUMNS)
# Sorted by game, the file is a third smaller; sorted by position, one position is found sooner.
ORDERS = {"game": "file, match, game, turn", "position": "position, roll, nactation, file, turn"}
_COPY = f"""
COPY (SELECT * FROM read_csv({{}}, columns = {{{{{_TYPES}}}}}, header = false, quote = '"',
escape = '"', nullstr = '', allow_quoted_nulls = false, auto_detect = false, parallel = false)
ORDER BY {{}})
TO {{}} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 9)
"""
_POSITION = COLUMNS.index("position")


def parquet_file(path: str) -> str:
    """Return the file to write: the path, or turns.parquet in it if it is a folder."""
    if os.path.isdir(path) or path.endswith(("/", os.sep)):
        return os.path.join(path, _NAME)
    return path


def export_parquet(connection: sqlite3.Connection, path: str, order: str = "game") -> None:
    """Write one row per turn to a file, or to turns.parquet in a folder, in one of the ORDERS.

    Raises ArchiveError if the extra is not installed, and OSError.
    """
    duckdb = import_extra("duckdb", "Parquet", "parquet", ArchiveError)
    path = parquet_file(path)
    with temporary_folder() as folder:
        text, result = (os.path.join(folder, name) for name in ("turns.csv", _NAME))
        with open(text, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.writelines(_lines(connection))
        try:
            with duckdb.connect(config={"temp_directory": folder}) as database:
                database.execute(_COPY.format(_quoted(text), ORDERS[order], _quoted(result)))
        except duckdb.Error as error:
            raise ArchiveError(f"{path}: {error}") from None
        with open(result, "rb") as file:
            write_atomically(path, iter(partial(file.read, _PIECE), b""))


def _lines(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the turns as CSV; NULL is an empty cell, and empty text has quotes."""
    for row in connection.execute(_QUERY):
        cells = [*row]
        cells[_POSITION] = packed_id(cells[_POSITION])
        yield ",".join(map(_cell, cells)) + "\n"


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return _quoted(value, '"')
    return "" if value is None else str(value)


def _quoted(text: str, by: str = "'") -> str:
    return by + text.replace(by, by + by) + by
