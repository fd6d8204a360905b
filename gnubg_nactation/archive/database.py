"""The SQLite database of an archive: its tables, and how to open it."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from time import monotonic, sleep

from gnubg_nactation.archive.tallies import TALLIES_SCHEMA, complete_tallies, has_column
from gnubg_nactation.errors import (
    AmbiguousError,
    ArchiveError,
    DamagedArchiveError,
    ForeignArchiveError,
    IllegalError,
    MalformedError,
    MissingArchiveError,
    NactationError,
    UnknownError,
)

VERSION = 1  # of the tables; increase it when they change
_APPLICATION = 0x4E616374  # "Nact"; it marks our files
UNIT = 100_000  # units make one point in equities, errors and luck

# `files` lists the files that were read, or could not be read (`problem`). With a `problem` and
# matches a file could be read earlier. `made` is the CONTENT of `rows` at that time, and the
# archive's own analysis. If several files have the same match, it is `counted` in one, which alone
# has games and turns: the file with more analysis, then the first by its path. `counted` is 2 while
# its games are still those of another file that was removed.
# `first` and `second` are in the order of Player; `winner`, `player` and `owner` are Players.
# `date` is ISO, or empty. `odd` explains why the results of a match or game count in no mean;
# else it is empty.
# `sequence` is the game as in `annotate --layout row`. `kept` counts its turns here. `moves` has
# their numbers in move lists if they do not follow from the players; databases of older versions
# lack this column until `index` runs.
# A turn is one roll (63 for 6 and 3), or one cube action with `roll` 0 and `nactation` double,
# take, drop, beaver or raccoon. `turn` is its number in `annotate`. A missing or illegal play has
# no row, unless its luck or the cube decision before it is known: then `roll` is 0 and `nactation`
# is unplayed. A roll without a legal play has the Nactation `^` or, with no checker on the bar,
# none. `position` is the Position ID in bytes, numbered from `player`, who acts. `cube` and
# `owner` are those before the action. `error` is the loss of the play (NULL if it was forced) or
# of the cube action; `missed` is the loss of not doubling before the roll; `best` is the
# Nactation of the best play if another was made. `near` is 1 if the cube decision counts in XG's
# performance rating, 0 if it does not; databases of older versions lack it. `theme` is that of a
# wrong play, NULL in rows of older versions. `result` is what `player` won in the game, in points;
# `adjusted` is the same without the luck of all later rolls, in units. It is NULL in the whole game
# unless the luck of all its rolls is known. NULL means unknown. STRICT tables cannot hold values of
# a wrong type.
# A row of `mistakes` is a wrong play, or a cube action or missed double with its `fault`. `kind`
# orders those of a turn. `move` is the turn's number in move lists. `position`, `roll` and
# `nactation` find its row in `turns`. `lost` is in units. `best` is empty if it is unknown, NULL
# without a play. `opening` is that of a reply with its roll, as in `31P-64`, else empty. `away` and
# `opponent_away` are the away scores of a cube action, 0 for money.
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
    near INTEGER,
    theme TEXT,
    PRIMARY KEY (position, roll, nactation, game, turn)
) WITHOUT ROWID, STRICT;
CREATE INDEX turns_by_game ON turns (game, turn, player);
CREATE TABLE mistakes (
    game INTEGER NOT NULL REFERENCES games,
    turn INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    player INTEGER NOT NULL,
    move INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    position BLOB NOT NULL,
    roll INTEGER NOT NULL,
    nactation TEXT NOT NULL,
    fault TEXT,
    best TEXT,
    theme TEXT NOT NULL,
    phase TEXT NOT NULL,
    opening TEXT NOT NULL,
    away INTEGER NOT NULL,
    opponent_away INTEGER NOT NULL,
    PRIMARY KEY (game, turn, kind)
) WITHOUT ROWID, STRICT;
CREATE TRIGGER mistakes_go AFTER DELETE ON games
BEGIN DELETE FROM mistakes WHERE game = old.id; END;
{TALLIES_SCHEMA}"""
if sqlite3.sqlite_version_info < (3, 37):  # it has no STRICT tables
    SCHEMA = SCHEMA.replace(", STRICT", "").replace(" STRICT", "")
_STATEMENTS = SCHEMA.split(";\n")

_TIMEOUT = 60.0  # seconds to wait for another process that writes
_PAUSE = 0.01  # seconds between attempts where SQLite does not wait
_PRAGMAS = """
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
"""
_QUERY_PRAGMAS = """
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16000;
"""
# A path may not be UTF-8. It is written as CAST(? AS TEXT) of its bytes.
_text = partial(str, encoding="utf-8", errors="surrogateescape")
_TABLES = ("files", "players", "handles", "levels", "matches", "games", "turns")
# To open a database for queries: with locks, or where no file can be written next to it.
_MODES = ("mode=rw", "immutable=1")
_NEEDS_FILES = re.compile("unable to open|readonly")
_LEFT = "its last changes are in the file -wal; copy both to a folder that may be written to"
# Errors that wrong cells may cause, unless SQLite reports them. No other errors of ours are there,
# as looking for damage reads the whole database.
_NOTATION_ERRORS = (MalformedError, IllegalError, AmbiguousError)
_CELL_ERRORS = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, AssertionError)


def default_path() -> str:
    """Return the default database: NACTATION_DB, or games.db in the current folder."""
    return os.environ.get("NACTATION_DB") or "games.db"


def open_archive(path: str, *, create: bool = False, newer: bool = False) -> sqlite3.Connection:
    """Open the database of an archive; the caller closes it.

    Without `create` opening writes nothing, so the medium may be read-only. With it a missing
    database is created, and one of an older version is completed. Each statement outside a
    `transaction` is its own transaction. With `newer` one of a later version is opened as well, and
    cannot be changed. Raises ArchiveError if the file is missing, damaged, not ours or of another
    version.
    """
    if create:
        if (folder := os.path.dirname(path)) and not os.path.isdir(folder):
            raise ArchiveError(f"{path}: there is no folder {folder}")
        try:
            connection = _open_for_changes(path)
        except ArchiveError as error:
            cause = error.__cause__
            if isinstance(cause, sqlite3.OperationalError) and _NEEDS_FILES.search(str(cause)):
                raise ArchiveError(f"{path}: {_why_unwritable(path) or cause}") from cause
            raise
    else:
        if not os.path.isfile(path):
            raise MissingArchiveError(path)
        connection = _open_for_queries(path, newer=newer)
    connection.text_factory = _text
    # The collation NOCASE and lower() of SQLite know the letters of ASCII alone.
    connection.create_function("fold", 1, str.casefold, deterministic=True)
    return connection


@contextmanager
def archive_at(
    path: str, *, create: bool = False, newer: bool = False
) -> Iterator[sqlite3.Connection]:
    """Open an archive for a `with` block and close it at its end.

    Errors of SQLite, and errors caused by damaged cells, become ArchiveErrors. So all code that
    uses the cells belongs inside the block.
    """
    with (
        closing(open_archive(path, create=create, newer=newer)) as connection,
        _as_archive_errors(path, connection),
    ):
        yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block as one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite may have ended it because the disk is full
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def quick_texts(connection: sqlite3.Connection) -> Iterator[None]:
    """Read texts several times as fast in a `with` block that reads no path, which may be no UTF-8.

    Texts that are no UTF-8 either are an error of SQLite, so they are reported as damage.
    """
    factory, connection.text_factory = connection.text_factory, str
    try:
        yield
    finally:
        connection.text_factory = factory


def _connect(path: str, uri: str = "") -> sqlite3.Connection:
    with _as_archive_errors(path):
        return sqlite3.connect(uri or path, timeout=_TIMEOUT, isolation_level=None, uri=bool(uri))


def _open_for_changes(path: str) -> sqlite3.Connection:
    """Open the database, which is created or completed."""
    connection = _connect(path)
    try:
        with _as_archive_errors(path):
            _prepare(connection)
            _check(connection, path)
            _log_ahead(connection)
            connection.executescript(_PRAGMAS)
            _complete(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _why_unwritable(path: str) -> str:
    """Explain why a database cannot be changed, and what to do; empty if the reason is unknown."""
    if os.path.isdir(path):
        return "a folder; name a file with --db"
    folder = os.path.dirname(os.path.abspath(path))
    is_open = partial(os.access, mode=os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if os.path.exists(path) and not is_open(path):
        reason = "this file cannot be written"
    elif not is_open(folder):  # SQLite writes a log next to the database
        reason = f"the folder {folder} cannot be written"
    else:
        return ""
    return f"{reason}; name another database with --db"


def _open_for_queries(path: str, *, newer: bool) -> sqlite3.Connection:
    """Open the database without writing to it; SQLite creates and removes its side files.

    With mode=ro they would not be removed. In a read-only folder they cannot be created, and are
    not needed unless a log of changes was left there.
    """
    name = "".join(f"%{byte:02X}" for byte in os.fsencode(os.path.abspath(path)))
    for mode in _MODES:
        connection = _connect(path, f"file:{name}?{mode}")
        try:
            with _as_archive_errors(path):
                try:
                    _check(connection, path, newer=newer)
                except sqlite3.OperationalError as error:
                    if mode == _MODES[-1] or not _NEEDS_FILES.search(str(error)):
                        raise
                    if os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal"):
                        raise ArchiveError(f"{path}: {_LEFT}") from error
                    connection.close()
                    continue
                connection.executescript(_QUERY_PRAGMAS)
                if newer:
                    connection.execute("PRAGMA query_only = ON")
                return connection
        except BaseException:
            connection.close()
            raise
    raise AssertionError


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file."""
    if not _pragma(connection, "schema_version"):
        with transaction(connection):
            if not _pragma(connection, "schema_version"):  # unless another process was faster
                for statement in _STATEMENTS:
                    connection.execute(statement)


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Let others read while one writes; for this change alone SQLite does not wait for a lock."""
    end = monotonic() + _TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() > end:
                raise
        else:
            return
        sleep(_PAUSE)


def _complete(connection: sqlite3.Connection) -> None:
    """Add what databases of older versions lack, and drop the indexes that nothing needs now."""
    for table, name, kind in _LATER_COLUMNS:
        if not has_column(connection, table, name):
            with transaction(connection):
                if not has_column(connection, table, name):  # unless another process was faster
                    connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for statement in _STATEMENTS:
        create, kind, name, *_ = *statement.split(maxsplit=3), "", "", ""
        if create == "CREATE" and name not in present:
            connection.execute(statement.replace(kind, f"{kind} IF NOT EXISTS", 1))
    complete_tallies(connection)
    from gnubg_nactation.archive.mistake_table import complete_mistakes  # noqa: PLC0415 (slow)

    complete_mistakes(connection)
    for name in _FORMER_INDEXES:
        if name in present:
            connection.execute(f"DROP INDEX IF EXISTS {name}")


_LATER_COLUMNS = (
    ("games", "moves", "TEXT NOT NULL DEFAULT ''"),
    ("turns", "near", "INTEGER"),
    ("turns", "theme", "TEXT"),
)
_FORMER_INDEXES = "turns_wrong", "turns_cube"


def _check(connection: sqlite3.Connection, path: str, *, newer: bool = False) -> None:
    """Raise ArchiveError if the file is not ours or has another version, unless it may be newer."""
    if _pragma(connection, "application_id") != _APPLICATION:
        raise ForeignArchiveError(f"{path}: not a database of `nactate index`")
    version = _pragma(connection, "user_version")
    if version > VERSION and not newer:
        raise ArchiveError(f"{path}: made by a newer version of this program: update the program")
    if version < VERSION:
        raise ArchiveError(
            f"{path}: a database of version {version}, expected {VERSION}; "
            "delete it and run `nactate index` again"
        )
    # A view instead of a table might never end.
    tables = {name for (name,) in connection.execute(_TABLE_NAMES)}
    for name in _TABLES:
        if name not in tables:
            raise DamagedArchiveError(path, f"no table {name}")


_TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'"


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def _as_archive_errors(path: str, connection: sqlite3.Connection | None = None) -> Iterator[None]:
    """Turn errors in the block into ArchiveErrors if the database is the reason.

    The message only calls the database damaged if SQLite or `find_damage` has found damage: the
    reason may be a bug of ours. Without `connection` the database is just being opened.
    """
    try:
        yield
    except NactationError as error:
        is_notation = isinstance(error, _NOTATION_ERRORS) and not isinstance(error, UnknownError)
        if connection is not None and is_notation:
            _blame(path, connection, error)
        raise
    except sqlite3.Error as error:
        if 'near "STRICT"' in str(error):
            reason = f"it needs SQLite 3.37, but this Python has {sqlite3.sqlite_version}"
            raise ArchiveError(f"{path}: {reason}") from error
        if _is_damage(error) or (
            connection is not None and not _is_outside(error) and _damage(connection)
        ):
            raise DamagedArchiveError(path, str(error)) from error
        kind = ForeignArchiveError if "not a database" in str(error) else ArchiveError
        raise kind(f"{path}: {error}") from error
    except UnicodeError as error:
        if connection is None:
            raise DamagedArchiveError(path, "a name in it is not text") from error
        _blame(path, connection, error)
        raise
    except _CELL_ERRORS as error:
        if connection is not None:
            _blame(path, connection, error)
        raise


def _blame(path: str, connection: sqlite3.Connection, error: Exception) -> None:
    """Raise DamagedArchiveError if the database is damaged."""
    if damage := _damage(connection):
        raise DamagedArchiveError(path, damage) from error


def _damage(connection: sqlite3.Connection) -> str:
    from gnubg_nactation.archive.damage import find_damage  # noqa: PLC0415 (only then)

    return find_damage(connection, SCHEMA)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite reports a damaged file, not a file of another kind."""
    signs = "disk image is malformed", "malformed database schema", "Could not decode"
    return any(sign in str(error) for sign in signs)


def _is_outside(error: sqlite3.Error) -> bool:
    """Whether the reason is outside the file, such as a lock or a full disk."""
    words = ("locked", "full", "readonly", "unable to open", "I/O", "interrupted")
    return any(word in str(error) for word in words)
