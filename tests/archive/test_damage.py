"""Damaged and foreign databases: every command gives an answer or a one-line error."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.archive import damage
from gnubg_nactation.archive.damage import find_damage
from gnubg_nactation.archive.database import SCHEMA, open_archive
from tests.cli.running import MATCH, SAMPLES, error_of, run, run_unchecked

REMEDY = "; the database is damaged: delete it and run `nactate index` again\n"
QUERIES = (
    ("find", "31P{?}", "--json"),
    ("find", "*-C-?"),
    ("leaks", "--player", "Alice", "--min", "1"),
    ("leaks", "--player", "Alice", "--min", "1", "--json"),
    ("explore", "--depth", "3", "--score", "money"),
    ("explore", "--json", "43Z"),
    ("replies", "--from", "archive", "--to", "json", "--opening", "43Z"),
    ("cards", "errors", "-o", "out.csv"),
    ("index", "in"),
)
WRONG = (None, "x", b"\xff\xfe", 10**17, -3)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small database of analysed matches, with tables that take anything, and its files."""
    folder = tmp_path_factory.mktemp("sound")
    for name in ("match-3pt-analysed.sgf", "money-beaver-setup.sgf"):
        shutil.copy(SAMPLES / name, folder)
    (folder / "in").mkdir()
    (folder / "in/a.mat").write_bytes(MATCH)
    (folder / "in/b.mat").write_bytes(MATCH + b"      Wins 1 point\n")
    path = folder / "games.db"
    assert run("index", "--db", path, folder, "--me", "Alice").status == 0
    with closing(sqlite3.connect(path, isolation_level=None)) as loose:
        loose.execute("PRAGMA journal_mode = DELETE")
        loose.execute("PRAGMA writable_schema = ON")
        for old in (", STRICT", " STRICT", " NOT NULL"):
            loose.execute("UPDATE sqlite_master SET sql = replace(sql, ?, '')", (old,))
    return path


@pytest.fixture
def games(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with a copy of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NACTATION_DB", raising=False)
    shutil.copytree(database.parent / "in", "in")
    return tmp_path / "games.db"


def ask(*queries: tuple[str, ...]) -> Iterator[str]:
    """The errors of the commands: at most a line each, and no internal error."""
    for query in queries:
        ran = run_unchecked(*query)  # cells of a wrong type are printed as they are
        assert ran.status in {0, 1}, query
        lines = ran.err.splitlines()
        assert len(lines) <= (2 if query[0] == "index" else 1), (query, lines)
        assert "internal" not in ran.err
        yield ran.err


def columns() -> list[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(SCHEMA)
        tables = model.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return [
            (table, name)
            for (table,) in tables
            for _, name, *_ in model.execute(f"PRAGMA table_info({table})")
        ]


@pytest.mark.thorough
@pytest.mark.parametrize(("table", "column"), columns())
def test_a_cell_with_a_wrong_value_is_an_answer_or_a_one_line_error(
    database: Path, games: Path, table: str, column: str
) -> None:
    for number, wrong in enumerate(WRONG):
        shutil.copy(database, games)
        with closing(sqlite3.connect(games, isolation_level=None)) as loose:
            try:
                loose.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (wrong,))
            except sqlite3.Error:  # the number of a row
                continue
        for error in ask(*QUERIES[number % 2 :: 2]):
            assert "damaged" not in error or error.startswith("nactate: games.db: ")


@pytest.mark.thorough
def test_overwritten_bytes_are_an_answer_or_a_one_line_error(database: Path, games: Path) -> None:
    rng, sound = random.Random(25), database.read_bytes()
    reported = 0
    for number in range(200):
        data = bytearray(sound)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(100 if rng.random() < 0.3 else len(data))
            at = at if rng.random() < 0.5 else at // 4096 * 4096 + at % 100
            size = rng.choice((1, 8, 100))
            data[at : at + size] = rng.randbytes(len(data[at : at + size]))
        games.write_bytes(data)
        for end in ("-wal", "-shm"):
            Path(f"games.db{end}").unlink(missing_ok=True)
        for error in ask(QUERIES[number % len(QUERIES)], QUERIES[2]):
            reported += error.endswith(REMEDY)
    assert reported > 20


@pytest.mark.parametrize(
    ("sql", "query", "error"),
    [
        ("UPDATE games SET first_score = 'x'", QUERIES[2], "a wrong value in games.first_score"),
        ("UPDATE files SET path = x'ff'", ("find", "31P"), "a wrong value in files.path"),
        ("UPDATE files SET path = x'ff'", ("index", "in"), "a wrong value in files.path"),
        ("UPDATE players SET name = x'ff'", QUERIES[0], "a wrong value in players.name"),
        ("UPDATE turns SET player = NULL", ("find", "31P"), "a wrong value in turns.player"),
    ],
)
def test_the_error_names_the_damaged_column(
    database: Path, games: Path, sql: str, query: tuple[str, ...], error: str
) -> None:
    shutil.copy(database, games)
    with closing(sqlite3.connect(games, isolation_level=None)) as loose:
        loose.execute(sql + " WHERE rowid = 1" * ("players" in sql or "files" in sql))
    assert list(ask(query)) == [f"nactate: games.db: {error}{REMEDY}"]


def test_a_schema_that_is_not_text_is_damage(database: Path, games: Path) -> None:
    data = bytearray(database.read_bytes())
    at = data.index(b"CREATE TABLE players")
    data[at + 2 : at + 30] = b"\xff" * 28
    games.write_bytes(data)
    for error in ask(*QUERIES):
        assert error == f"nactate: games.db: a name in it is not text{REMEDY}"


def test_a_wrong_question_is_answered_without_reading_the_whole_database(
    database: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for damage takes seconds."""
    shutil.copy(database, games)
    with closing(sqlite3.connect(games)) as connection, connection:
        connection.execute("DELETE FROM handles")
    monkeypatch.setattr(damage, "find_damage", None)
    assert "whose leaks?" in error_of("leaks", status=2)
    assert "both name a player" in error_of("stats", "--me", "Alice", "--player", "Bob", status=2)
    assert "no player is called" in error_of("find", "31P", "--player", "Zoe")
    for query in (("find", "31P", "--event"), ("stats", "--player"), ("index", "in", "--me")):
        assert "is not UTF-8" in error_of(*query, "\udcff")


def test_an_older_sqlite_is_not_reported_as_damage(database: Path, games: Path) -> None:
    shutil.copy(database, games)
    with closing(sqlite3.connect(games, isolation_level=None)) as loose:
        loose.execute("PRAGMA writable_schema = ON")
        sql = "UPDATE sqlite_master SET sql = sql || ' STRICT STRICT' WHERE name = 'files'"
        loose.execute(sql)  # an error in every version
    version = sqlite3.sqlite_version
    for error in ask(*QUERIES):
        assert error == (
            f"nactate: games.db: it needs SQLite 3.37, but this Python has {version}\n"
        )


def test_a_view_instead_of_a_table_is_not_read(database: Path, games: Path) -> None:
    shutil.copy(database, games)
    with closing(sqlite3.connect(games, isolation_level=None)) as loose:
        loose.execute("DROP TABLE levels")
        loose.execute(
            "CREATE VIEW levels AS WITH RECURSIVE n(id) AS"
            " (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, '' AS name FROM n"
        )
    for error in ask(*QUERIES):
        assert error == f"nactate: games.db: no table levels{REMEDY}"


def test_an_intact_database_has_no_damage(database: Path) -> None:
    with closing(open_archive(str(database))) as connection:
        assert find_damage(connection, SCHEMA) == ""
