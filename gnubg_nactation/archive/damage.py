"""Looks for damage in a database after an unexpected error."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.notation import force_hops, parse_hops
from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.errors import NactationError

_ROLLS = ", ".join(map(str, ROLLS))
_COUNT = "BETWEEN -1000000000000 AND 1000000000000"
_LIMITS = {  # of cells that are not NULL
    "files.changed": "1",  # nanoseconds may exceed the limit
    "turns.position": "length({}) = 10",
    "turns.roll": f"{{}} IN (0, {_ROLLS})",
    "turns.player": "{} IN (0, 1)",
    "turns.owner": "{} IN (0, 1)",
    "games.moves": "{} NOT GLOB '*[^0-9 ]*'",
    "games.winner": "{} IN (0, 1)",
}

_WITHOUT_TURN = (
    "SELECT 1 FROM mistakes AS w WHERE NOT EXISTS (SELECT 1 FROM turns AS t"
    " WHERE t.position = w.position AND t.roll = w.roll AND t.nactation = w.nactation"
    " AND t.game = w.game AND t.turn = w.turn) LIMIT 1"
)


def find_damage(connection: sqlite3.Connection, schema: str) -> str:
    """Describe the damage of a database with this schema; empty if there is none.

    It reads the whole file, which takes seconds if that is large.
    """
    try:
        return next(_damages(connection, schema), "")
    except (sqlite3.Error, UnicodeError) as error:
        return str(error)


def _damages(connection: sqlite3.Connection, schema: str) -> Iterator[str]:
    for (text,) in connection.execute("PRAGMA quick_check(1)"):
        if text != "ok":
            yield " ".join(str(text).split())
    for table, columns in _columns(schema).items():
        for name, kind, required in columns:
            condition = _wrong(table, name, kind, required=required)
            if connection.execute(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1").fetchone():
                yield f"a wrong value in {table}.{name}"
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        yield "a row refers to a missing row"
    if connection.execute(_WITHOUT_TURN).fetchone():
        yield "a mistake without its turn"
    for position, play in connection.execute("SELECT DISTINCT position, play FROM turns"):
        try:
            force_hops(parse_hops(play) if play else (), unpack_position(position))
        except NactationError:  # noqa: PERF203 (once)
            yield "a wrong position or play in turns"


def _columns(schema: str) -> dict[str, list[tuple[str, str, bool]]]:
    """Return each table's columns in the schema: name, type, and whether NULL is forbidden."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(schema)
        tables = [
            name for (name,) in model.execute("SELECT name FROM sqlite_master WHERE rootpage")
        ]
        return {
            table: [
                (name, kind.lower(), bool(required or key))
                for _, name, kind, required, _, key in model.execute(f"PRAGMA table_info({table})")
            ]
            for table in tables
        }


def _wrong(table: str, name: str, kind: str, *, required: bool) -> str:
    """Return the SQL condition for a forbidden value of a cell."""
    wrong = f"typeof({name}) <> '{kind}'"
    if not required:
        wrong = f"{name} IS NOT NULL AND {wrong}"
    limit = _LIMITS.get(f"{table}.{name}", f"{{}} {_COUNT}" if kind == "integer" else "")
    return f"{wrong} OR NOT {limit.format(name)}" if limit else wrong
