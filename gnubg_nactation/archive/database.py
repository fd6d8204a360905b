"""The database of an archive: a file of SQLite, its tables, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

from gnubg_nactation.errors import ArchiveError

__all__ = [
    "SCHEMA",
    "UNIT",
    "VERSION",
    "archive_at",
    "default_path",
    "open_archive",
    "transaction",
]

VERSION = 1  # of the tables, to be raised with them
_APPLICATION = 0x4E616374  # "Nact", by which a file is known as one of ours
UNIT = 100_000  # what equities, errors and luck are counted in: this many make a point

# `files` are those that were read, or could not be (`problem`); `made` is the CONTENT of `rows`
# at that time, and who has analysed. A match that stands in several
# files is `counted` in one of them, and only that one has games and turns: the one with more
# analysis or, among equals, the first by its path.
# `players` of a match and a game are in the order of Player; `winner`, `player` and `owner` are
# Players. `date` is ISO where it can be read as a date, else empty. `odd` says why the results of
# a match or game are left out of every mean; empty if they are not.
# `sequence` is the game as `annotate --layout row` writes it. `kept` is how many turns it has here.
# A turn is one roll (63 for 6 and 3) or one cube action: `roll` 0, and its `nactation` is double,
# take or drop, beaver or raccoon. `turn` is its number as `annotate` has it; a roll that was not
# played, or against the rules, is none. A roll with which nothing could be played has `^` or,
# without a checker on the bar, no Nactation. `position` is the Position ID in bytes, numbered from
# `player`, who acts; `cube` and `owner` are those before the action. `error` is what the play or
# the cube action lost, NULL of a play that was forced, `missed` what not doubling before the roll
# lost, `best` the Nactation of the best play where another one was made. `result` are the points
# that the game brought `player`, whole ones; `adjusted` is the same without the luck of all later
# rolls, in units. NULL is what is not known; no turn of a game is adjusted unless the luck of all
# its rolls is.
SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    digest BLOB NOT NULL,
    made TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT ''
);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE handles (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE levels (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files,
    place INTEGER NOT NULL,
    content BLOB NOT NULL,
    analysed INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES players,
    second INTEGER NOT NULL REFERENCES players,
    event TEXT NOT NULL,
    date TEXT NOT NULL,
    length INTEGER NOT NULL,
    jacoby INTEGER NOT NULL,
    odd TEXT NOT NULL DEFAULT ''
);
CREATE INDEX matches_by_file ON matches (file);
CREATE INDEX matches_by_content ON matches (content);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    first_score INTEGER NOT NULL,
    second_score INTEGER NOT NULL,
    crawford INTEGER NOT NULL,
    winner INTEGER,
    points INTEGER NOT NULL,
    odd TEXT NOT NULL DEFAULT '',
    sequence TEXT NOT NULL,
    kept INTEGER NOT NULL
);
CREATE INDEX games_by_match ON games (match);
CREATE TABLE turns (
    position BLOB NOT NULL,
    roll INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES games,
    turn INTEGER NOT NULL,
    player INTEGER NOT NULL,
    cube INTEGER NOT NULL,
    owner INTEGER,
    nactation TEXT NOT NULL,
    play TEXT NOT NULL,
    result INTEGER,
    adjusted INTEGER,
    luck INTEGER,
    error INTEGER,
    missed INTEGER,
    level INTEGER REFERENCES levels,
    best TEXT,
    PRIMARY KEY (position, roll, nactation, game, turn)
) WITHOUT ROWID;
"""


_PATIENCE = 60.0  # seconds that another process may be writing
_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
"""
# A path need be no UTF-8. It is written as CAST(? AS TEXT) of its bytes.
_text = partial(str, encoding="utf-8", errors="surrogateescape")


def default_path() -> str:
    """The database where none is named: NACTATION_DB, else games.db in the current folder."""
    return os.environ.get("NACTATION_DB") or "games.db"


def open_archive(path: str, *, create: bool = False) -> sqlite3.Connection:
    """The database of an archive, to be closed; with `create` a new one where there is none.

    Nothing is begun by itself: a statement outside a `transaction` is one of its own. Raises
    ArchiveError for a file that is missing, or is no such database of this version.
    """
    if not create and not os.path.isfile(path):
        raise ArchiveError(f"{path}: there is no such database; `nactate index` makes one")
    with _explained(path):
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        with _explained(path):
            _check(connection, path, create=create)
            connection.executescript(_PRAGMAS)
            connection.text_factory = _text
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def archive_at(path: str, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """The same, closed at the end; what SQLite finds wrong meanwhile is an ArchiveError."""
    with closing(open_archive(path, create=create)) as connection, _explained(path):
        yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written within, or nothing; others write before or after it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite may have ended it, where the disk is full
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: str, *, create: bool) -> None:
    """Refuse what is not ours; put the tables into a file that is empty."""
    if create and not _count(connection, "schema_version"):
        with transaction(connection):
            if not _count(connection, "schema_version"):  # nor has another process made them
                for statement in SCHEMA.split(";\n"):
                    connection.execute(statement)
    if _count(connection, "application_id") != _APPLICATION:
        raise ArchiveError(f"{path}: not a database that `nactate index` made")
    version = _count(connection, "user_version")
    if version != VERSION:
        raise ArchiveError(
            f"{path}: a database of version {version}, where {VERSION} is expected; "
            "without it `nactate index` makes a new one of the files"
        )


def _count(connection: sqlite3.Connection, pragma: str) -> int:
    count: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return count


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise ArchiveError(f"{path}: {error}") from error
