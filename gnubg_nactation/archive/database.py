"""The database of an archive: a file of SQLite, its tables, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

from gnubg_nactation.errors import ArchiveError, EngineError, UnknownError

VERSION = 1  # of the tables, to be raised with them
_APPLICATION = 0x4E616374  # "Nact", by which a file is known as one of ours
UNIT = 100_000  # what equities, errors and luck are counted in: this many make a point

# `files` are those that were read, or could not be (`problem`); `made` is the CONTENT of `rows`
# at that time, and who has analysed. A match that stands in several
# files is `counted` in one of them, and only that one has games and turns: the one with more
# analysis or, among equals, the first by its path. `counted` is 2 while its games are still those
# of another file, which is gone.
# `players` of a match and a game are in the order of Player; `winner`, `player` and `owner` are
# Players. `date` is ISO where it can be read as a date, else empty. `odd` says why the results of
# a match or game are left out of every mean; empty if they are not.
# `sequence` is the game as `annotate --layout row` writes it. `kept` is how many turns it has here,
# `moves` the numbers that move lists have for them, where these do not follow from the players; the
# databases of older programs lack that column until something is indexed.
# A turn is one roll (63 for 6 and 3) or one cube action: `roll` 0, and its `nactation` is double,
# take or drop, beaver or raccoon. `turn` is its number as `annotate` has it; a roll that was not
# played, or against the rules, is none. A roll with which nothing could be played has `^` or,
# without a checker on the bar, no Nactation. `position` is the Position ID in bytes, numbered from
# `player`, who acts; `cube` and `owner` are those before the action. `error` is what the play or
# the cube action lost, NULL of a play that was forced, `missed` what not doubling before the roll
# lost, `best` the Nactation of the best play where another one was made. `result` are the points
# that the game brought `player`, whole ones; `adjusted` is the same without the luck of all later
# rolls, in units. NULL is what is not known; no turn of a game is adjusted unless the luck of all
# its rolls is. STRICT tables hold no cell of a wrong type.
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
) STRICT;
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE handles (name TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;
CREATE TABLE levels (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
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
) STRICT;
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
    kept INTEGER NOT NULL,
    moves TEXT NOT NULL DEFAULT ''
) STRICT;
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
) WITHOUT ROWID, STRICT;
"""
if sqlite3.sqlite_version_info < (3, 37):  # which neither makes nor reads STRICT tables
    SCHEMA = SCHEMA.replace(", STRICT", "").replace(" STRICT", "")

_PATIENCE = 60.0  # seconds that another process may be writing
_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
"""
# A path need be no UTF-8. It is written as CAST(? AS TEXT) of its bytes.
_text = partial(str, encoding="utf-8", errors="surrogateescape")
_TABLES = ("files", "players", "handles", "levels", "matches", "games", "turns")
_REMEDY = "the database is damaged: delete it and run `nactate index` again"
# How a database is opened for queries: with locks, or where nothing may be written beside it.
_MODES = ("mode=rw", "immutable=1")
# What a wrong cell leads to, where it is not SQLite that notices.
_SURPRISES = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, AssertionError)


def default_path() -> str:
    """The database where none is named: NACTATION_DB, else games.db in the current folder."""
    return os.environ.get("NACTATION_DB") or "games.db"


def open_archive(path: str, *, create: bool = False) -> sqlite3.Connection:
    """The database of an archive, to be closed; with `create` a new one where there is none.

    Without `create` nothing is written by opening it, and it may be on a read-only medium. With it
    the database of an older program gets what it lacks. Nothing is begun by itself: a statement
    outside a `transaction` is one of its own. Raises ArchiveError for a file that is missing, is
    damaged, or is no such database of this version.
    """
    if create:
        connection = _connect(path)
        try:
            with _explained(path):
                _prepare(connection)
                _check(connection, path)
                connection.executescript(_PRAGMAS)
                _complete(connection)
        except BaseException:
            connection.close()
            raise
    else:
        if not os.path.isfile(path):
            raise ArchiveError(f"{path}: there is no such database; `nactate index` makes one")
        connection = _open_for_queries(path)
    connection.text_factory = _text
    return connection


@contextmanager
def archive_at(path: str, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """The same, closed at the end.

    What SQLite finds wrong meanwhile is an ArchiveError, and so is what a damaged cell leads to:
    whatever is made of the cells belongs within.
    """
    with (
        closing(open_archive(path, create=create)) as connection,
        _explained(path, connection),
    ):
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


def has_moves(connection: sqlite3.Connection) -> bool:
    """Whether games have the column `moves`, which databases of older programs lack."""
    sql = "SELECT 1 FROM pragma_table_info('games') WHERE name = 'moves'"
    return connection.execute(sql).fetchone() is not None


def _connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    with _explained(name):
        return sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, uri=uri)


def _open_for_queries(path: str) -> sqlite3.Connection:
    """The database without writing to it; its side files come and go where they can be made.

    A connection with mode=ro would leave them behind. Where none can be made, on a read-only
    medium, nobody else writes either: then it is read without any.
    """
    name = "".join(f"%{byte:02X}" for byte in os.fsencode(os.path.abspath(path)))
    for mode in _MODES:
        connection = _connect(f"file:{name}?{mode}", uri=True)
        try:
            with _explained(path):
                try:
                    _check(connection, path)
                except sqlite3.OperationalError as error:
                    if mode == _MODES[-1] or "unable to open" not in str(error):
                        raise
                    connection.close()
                    continue
                connection.execute("PRAGMA temp_store = MEMORY")
                return connection
        except BaseException:
            connection.close()
            raise
    raise AssertionError


def _prepare(connection: sqlite3.Connection) -> None:
    """Put the tables into a file that is empty."""
    if not _count(connection, "schema_version"):
        with transaction(connection):
            if not _count(connection, "schema_version"):  # nor has another process made them
                for statement in SCHEMA.split(";\n"):
                    connection.execute(statement)


def _complete(connection: sqlite3.Connection) -> None:
    """Put the new column into the tables of an older program."""
    if not has_moves(connection):
        with transaction(connection):
            if not has_moves(connection):  # nor has another process added it
                connection.execute("ALTER TABLE games ADD COLUMN moves TEXT NOT NULL DEFAULT ''")


def _check(connection: sqlite3.Connection, path: str) -> None:
    """Refuse what is not ours."""
    if not _is_ours(connection):
        raise ArchiveError(f"{path}: not a database that `nactate index` made")
    version = _count(connection, "user_version")
    if version != VERSION:
        raise ArchiveError(
            f"{path}: a database of version {version}, where {VERSION} is expected; "
            "without it `nactate index` makes a new one of the files"
        )
    # A view in place of a table might compute for ever.
    tables = {name for (name,) in connection.execute(_TABLE_NAMES)}
    for name in _TABLES:
        if name not in tables:
            raise ArchiveError(f"{path}: no table {name}; {_REMEDY}")


_TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'"


def _is_ours(connection: sqlite3.Connection) -> bool:
    return _count(connection, "application_id") == _APPLICATION


def _count(connection: sqlite3.Connection, pragma: str) -> int:
    count: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return count


@contextmanager
def _explained(path: str, connection: sqlite3.Connection | None = None) -> Iterator[None]:
    """What goes wrong within as an ArchiveError, if the database is to blame.

    Without a connection, which is then just being opened, only SQLite tells. A mistake of this
    program is no reason to have a database deleted: nothing is called damaged before it was looked
    through.
    """
    try:
        yield
    except (ArchiveError, EngineError, UnknownError):
        raise
    except sqlite3.Error as error:
        if 'near "STRICT"' in str(error):
            needs = f"its tables need SQLite 3.37, and this Python has {sqlite3.sqlite_version}"
            raise ArchiveError(f"{path}: {needs}") from error
        is_damaged = _is_damage(error) or (
            connection is not None and not _is_outside(error) and bool(_damage(connection))
        )
        raise ArchiveError(f"{path}: {error}" + f"; {_REMEDY}" * is_damaged) from error
    except UnicodeError as error:
        if connection is None:
            raise ArchiveError(f"{path}: a name in it is no text; {_REMEDY}") from error
        _blame(path, connection, error)
        raise
    except _SURPRISES as error:
        if connection is not None:
            _blame(path, connection, error)
        raise


def _blame(path: str, connection: sqlite3.Connection, error: Exception) -> None:
    """Raise ArchiveError if the database is damaged."""
    if damage := _damage(connection):
        raise ArchiveError(f"{path}: {damage}; {_REMEDY}") from error


def _damage(connection: sqlite3.Connection) -> str:
    from gnubg_nactation.archive.damage import find_damage  # noqa: PLC0415 (only then)

    return find_damage(connection, SCHEMA)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says by itself that the file is damaged, and not that it is none of its."""
    signs = "disk image is malformed", "malformed database schema", "Could not decode"
    return any(sign in str(error) for sign in signs)


def _is_outside(error: sqlite3.Error) -> bool:
    """Whether the reason is not in the file: it is locked, or the disk full."""
    words = ("locked", "full", "readonly", "unable to open", "I/O", "interrupted")
    return any(word in str(error) for word in words)
