"""Queries of databases that are damaged or hostile."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path

from tests.cli.running import run
from tests.exports.pages import ANALYSED
from tests.fuzz.programs import CONTROL, ended
from tests.fuzz.strict import strict_json

_MATCH = "match.sgf"
_QUERIES = (
    *(("find", "31P"), ("find", "--json", "*-31P"), ("find", "--files", "31?")),
    *(
        ("explore",),
        ("explore", "--json", "--engine", "none"),
        ("explore", "--csv", "--depth", "2"),
    ),
    ("explore", "--to", "html", "--player", "Ann"),
    *(("leaks", "--player", "Ann", "--min", "1"), ("leaks", "--me", "Ben", "--json")),
    *(("replies", "--from", "archive"), ("index", _MATCH), ("index", "--me", "Ann", _MATCH)),
)
_CELLS: tuple[object, ...] = (
    *(None, "x", "", b"\xff\0", b"", 0, -1, 7, 1 << 62, 2.5, 1e308, float("inf"), "\x1b[31m\u202e"),
    *("54S-63R", "31P", "8/5 6/5", "\ud800", "x" * 3000, "2024-13-99"),
)
_COLUMNS = """
SELECT tables.name, columns.name FROM sqlite_master AS tables
JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
"""


def read_database(data: bytes) -> None:
    """A database changed by the data: every three bytes are a place and a value, as for .xg files.

    Data of an odd length change the file, others its cells.
    """
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        Path(_MATCH).write_bytes(ANALYSED)
        file = bytearray(_whole_database())
        changes = [data[at : at + 3] for at in range(0, len(data) - 2, 3)]
        if len(data) % 2:
            for high, low, byte in changes:
                file[(high << 8 | low) % len(file)] = byte
            Path("games.db").write_bytes(file)
        else:
            Path("games.db").write_bytes(file)
            with closing(sqlite3.connect("games.db", isolation_level=None)) as connection:
                for column, row, cell in changes:
                    _change_cell(connection, column, row, _CELLS[cell % len(_CELLS)])
        for query in _QUERIES:
            ran = run(*query)
            ended(ran)
            assert ran.err.count("\n") <= 1, ran.err
            # Pages isolate names that are written from right to left; pipes get names unchanged.
            if not {"html", "--files"} & set(query):
                assert not CONTROL.search(ran.out.replace("\r\n", "\n")), query
            if "--json" in query:
                [*map(strict_json, ran.out.splitlines())]


def _change_cell(connection: sqlite3.Connection, column: int, row: int, cell: object) -> None:
    columns = connection.execute(_COLUMNS).fetchall()
    table, name = columns[column % len(columns)]
    with suppress(sqlite3.Error, UnicodeError):
        [(count,)] = connection.execute(f"SELECT count(*) FROM {table}")
        at = row % (count + 1)
        row_filter = f"WHERE rowid = (SELECT rowid FROM {table} LIMIT 1 OFFSET {at})"
        where = row_filter if at < count else ""  # all rows
        connection.execute(f"UPDATE {table} SET {name} = ? {where}", (cell,))


@lru_cache
def _whole_database() -> bytes:
    """A database of a match whose tables accept any value, like a foreign database."""
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        Path(_MATCH).write_bytes(ANALYSED)
        run("index", "--me", "Ann", _MATCH)
        with (
            closing(sqlite3.connect("games.db")) as ours,
            closing(sqlite3.connect("lax.db")) as lax,
        ):
            for pragma in ("application_id", "user_version", "page_size"):
                [(number,)] = ours.execute(f"PRAGMA {pragma}")
                lax.execute(f"PRAGMA {pragma} = {number}")
            script = "\n".join(ours.iterdump())
            for strict in (", STRICT", "STRICT, ", "STRICT"):
                script = script.replace(strict, "")
            lax.executescript(re.sub(r"\bNOT NULL\b", "", script))
        return Path("lax.db").read_bytes()


class _inside:  # noqa: N801 (contextlib.chdir is of Python 3.11)
    """A temporary working folder."""

    def __init__(self, folder: str) -> None:
        self._folder, self._previous = folder, os.getcwd()

    def __enter__(self) -> None:
        os.chdir(self._folder)

    def __exit__(self, *_: object) -> None:
        os.chdir(self._previous)
