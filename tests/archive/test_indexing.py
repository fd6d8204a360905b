"""Files added to an archive and removed: in any order, twice, with the same match."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.archive import database
from gnubg_nactation.archive.database import archive_at, open_archive, transaction
from gnubg_nactation.archive.indexing import (
    FileRow,
    MatchRow,
    add_file,
    add_handles,
    file_known,
    files_to_recount,
    forget,
    read_rows,
)
from gnubg_nactation.archive.merging import merge
from gnubg_nactation.errors import ArchiveError
from gnubg_nactation.files.formats import read_sources
from tests.archive.contents import check, contents
from tests.cli.running import MATCH, SAMPLES
from tests.files.report_texts import write_reports

MONEY = MATCH.replace(b"3 point", b"0 point") + b"      Wins 1 point\n"
# The same with cube actions; one format has the take, the other does not.
MESSAGE = b"""\
 0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 54: 24/20 13/8             63: 24/15
  2)  Doubles => 2               Takes
  3) 31: 8/5 6/5                66: 13/7(2) 8/2(2)
      Wins 2 points
"""
UNSAID = MESSAGE.replace(b" Takes\n  3)", b"\n  3)")


@pytest.fixture
def archive() -> Iterator[sqlite3.Connection]:
    connection = open_archive(":memory:", create=True)
    yield connection
    check(connection)
    connection.close()


@pytest.fixture(scope="module")
def samples() -> dict[str, tuple[MatchRow, ...]]:
    """Four matches; two of them are in two files each, once with an analysis."""
    short = {"a.mat": MATCH, "b.mat": MATCH.replace(b"Ann ", b"ANN "), "c.mat": MONEY + MATCH}
    rows = {name: read_rows(data) for name, data in short.items()}
    for name in ("match-5pt.mat", "match-5pt.sgf", "match-1pt.mat"):
        rows[name] = read_rows((SAMPLES / name).read_bytes())
    return rows


def file(path: str) -> FileRow:
    return FileRow(path, 1, 2, path.encode("utf-8", "replace"))


def counted(archive: sqlite3.Connection) -> list[str]:
    sql = "SELECT path FROM matches JOIN files ON files.id = file WHERE counted ORDER BY path"
    return [path for (path,) in archive.execute(sql)]


def test_a_new_database_waits_for_the_process_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite may refuse to change the journal without waiting, as this connection always does."""

    def connect(name: str) -> sqlite3.Connection:
        connection = sqlite3.connect(name, isolation_level=None)
        connection.execute("PRAGMA busy_timeout = 0")
        return connection

    path = str(tmp_path / "games.db")
    with archive_at(path, create=True) as archive:
        archive.execute("PRAGMA journal_mode = DELETE")
    monkeypatch.setattr(database, "_connect", connect)
    waits = []
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM files").fetchone()

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                reader.execute("COMMIT")

        monkeypatch.setattr(database, "sleep", wait)
        with archive_at(path, create=True) as archive:
            assert archive.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert len(waits) == 3


def test_a_match_in_two_formats_counts_once(archive: sqlite3.Connection) -> None:
    for name in ("match-5pt.sgf", "match-5pt.mat"):
        add_file(archive, file(name), read_rows((SAMPLES / name).read_bytes()))
    assert counted(archive) == ["match-5pt.mat"]
    games = archive.execute("SELECT sequence FROM games").fetchall()
    [row] = read_rows((SAMPLES / "match-5pt.mat").read_bytes())
    assert [game for (game,) in games] == [game.sequence for game in row.games]


def test_the_reports_of_all_games_are_a_copy_and_one_of_them_is_not(
    archive: sqlite3.Connection,
) -> None:
    """The report of one game may be of another match that began like this one."""
    data = (SAMPLES / "match-5pt.mat").read_bytes()
    reports = write_reports(read_sources(data)[0].match)
    files = {"match.mat": data, "whole.txt": "\n".join(reports).encode()}
    for name, content in (files | {"first.txt": reports[0].encode()}).items():
        add_file(archive, file(name), read_rows(content))
    assert counted(archive) == ["first.txt", "match.mat"]


# The same match as MESSAGE; the first player is the second.
SWAPPED = b"""\
 0 point match

 Game 1
 Ben : 0                        Ann : 0
  1)                             54: 24/20 13/8
  2) 63: 24/15                    Doubles => 2
  3)  Takes                      31: 8/5 6/5
  4) 66: 13/7(2) 8/2(2)
                                 Wins 2 points
"""


def test_a_match_from_both_sides_counts_once(archive: sqlite3.Connection) -> None:
    rows = {"a.mat": read_rows(MESSAGE), "b.mat": read_rows(SWAPPED)}
    assert rows["b.mat"][0].players == ("Ben", "Ann")
    for name, matches in rows.items():
        add_file(archive, file(name), matches)
    assert counted(archive) == ["a.mat"]
    players = "SELECT a.name, b.name, winner FROM games JOIN matches ON matches.id = match"
    players += " JOIN players AS a ON a.id = first JOIN players AS b ON b.id = second"
    forget(archive, ["a.mat"])  # until the other file is read, its games are those of the first
    check(archive)
    assert counted(archive) == ["b.mat"]
    assert archive.execute(players).fetchall() == [("Ann", "Ben", 0)]
    add_file(archive, file("b.mat"), rows["b.mat"])
    assert archive.execute(players).fetchall() == [("Ben", "Ann", 1)]


def test_points_beyond_the_match_length_make_no_difference() -> None:
    """gnubg counts 4 points where Backgammon Galaxy counts those needed, or the match length."""
    text = MESSAGE.replace(b" 0 point", b" 3 point").replace(b"Ann : 0", b"Ann : 1")
    texts = [text.replace(b"Wins 2", b"Wins %d" % points) for points in (1, 2, 3, 4)]
    one, *others = [row.content for data in texts for row in read_rows(data)]
    assert len({*others}) == 1
    assert one not in others


def test_players_plays_length_and_result_make_a_match_different() -> None:
    same = [MATCH, MATCH.replace(b"Ann", b"ann"), MATCH.replace(b"13/8 ", b"13/8/8"[:4] + b" ")]
    different = [
        MATCH.replace(b"Ann", b"Amy"),
        MATCH.replace(b"24/15", b"24/18 13/10"),
        MATCH.replace(b"8/5 6/5", b"24/20"),
        MATCH.replace(b"3 point", b"5 point"),
        MATCH.replace(b"Ann : 0", b"Ann : 1"),
        MATCH + b"      Wins 1 point\n",
        MATCH + b"      Wins 2 points\n",
    ]
    contents = [[row.content for row in read_rows(data)] for data in (*same, *different)]
    assert contents[0] == contents[1] == contents[2]
    assert len({content for [content] in contents}) == 1 + len(different)


def test_the_order_of_files_does_not_matter(samples: dict[str, tuple[MatchRow, ...]]) -> None:
    databases = []
    orders = list(itertools.permutations(samples))
    for order in random.Random(1).sample(orders, 12):
        archive = open_archive(":memory:", create=True)
        for name in order:
            add_file(archive, file(name), samples[name])
        check(archive)
        databases.append(contents(archive))
        archive.close()
    assert all(database == databases[0] for database in databases)


def test_the_copy_with_more_analysis_counts(archive: sqlite3.Connection) -> None:
    [row] = read_rows(MATCH)
    add_file(archive, file("a.mat"), [row])
    add_file(archive, file("z.sgf"), [row._replace(analysed=3)])
    assert counted(archive) == ["z.sgf"]
    add_file(archive, file("b.sgf"), [row._replace(analysed=3)])
    assert counted(archive) == ["b.sgf"]


@pytest.mark.parametrize("first", ["a", "b"])
def test_an_implicit_take_makes_no_difference(archive: sqlite3.Connection, first: str) -> None:
    files = {"a": read_rows(UNSAID), "b": read_rows(MESSAGE)}
    assert files["a"][0].content == files["b"][0].content
    numbers = [[t.turn for t in rows[0].games[0].turns] for rows in files.values()]
    assert numbers[0] != numbers[1]
    for name in sorted(files, key=lambda name: name != first):
        add_file(archive, file(name), files[name])
        check(archive)
    assert counted(archive) == ["a"]


def test_another_copy_counts_after_the_counted_copy_is_forgotten(
    archive: sqlite3.Connection, samples: dict[str, tuple[MatchRow, ...]]
) -> None:
    for name, rows in samples.items():
        add_file(archive, file(name), rows)
    forget(archive, ["a.mat", "match-5pt.mat"])
    check(archive)
    assert files_to_recount(archive) == ["b.mat", "match-5pt.sgf"]
    for name in files_to_recount(archive):
        add_file(archive, file(name), samples[name])
    assert files_to_recount(archive) == []
    expected = open_archive(":memory:", create=True)
    for name in samples.keys() - {"a.mat", "match-5pt.mat"}:
        add_file(expected, file(name), samples[name])
    assert contents(expected) == contents(archive)
    expected.close()


def test_a_database_with_more_analysis_of_the_same_file_is_merged(
    archive: sqlite3.Connection,
) -> None:
    """Its copy of the match has no games there, so it does not take their place."""
    [row] = read_rows(MATCH)
    games = [
        game._replace(turns=tuple(turn._replace(level="0-ply", luck=1) for turn in game.turns))
        for game in row.games
    ]
    analysed = row._replace(analysed=3, games=tuple(games))
    with closing(open_archive(":memory:", create=True)) as other:
        add_file(other, file("z.mat")._replace(made="5 gnubg"), [analysed])
        add_file(other, file("a.mat"), [row])
        add_file(archive, file("z.mat"), [row])
        merge(archive, other)
        assert contents(archive) == contents(other)
        add_file(other, file("b.mat"), [row._replace(analysed=4)])
        merge(archive, other)
        assert counted(archive) == ["b.mat"]


def test_a_merged_copy_has_no_games_but_those_that_are_here(archive: sqlite3.Connection) -> None:
    [row] = read_rows(MATCH)
    with closing(open_archive(":memory:", create=True)) as other:
        add_file(other, file("b.mat"), [row])
        add_file(other, file("c.mat"), [row])
        add_file(archive, file("b.mat"), [row])
        add_file(archive, file("d.mat"), [row._replace(analysed=1)])
        merge(archive, other)
    assert counted(archive) == ["d.mat"]
    forget(archive, ["d.mat"])
    assert counted(archive) == ["b.mat"]


def test_nothing_is_left_of_forgotten_files(
    archive: sqlite3.Connection, samples: dict[str, tuple[MatchRow, ...]]
) -> None:
    empty = contents(archive)
    for name, rows in samples.items():
        add_file(archive, file(name), rows)
    forget(archive, samples)
    assert contents(archive) == empty


def test_a_changed_file_replaces_its_rows(archive: sqlite3.Connection) -> None:
    add_file(archive, file("a.mat"), read_rows(MATCH + MONEY))
    add_file(archive, file("a.mat")._replace(size=3), read_rows(MONEY))
    expected = open_archive(":memory:", create=True)
    add_file(expected, file("a.mat")._replace(size=3), read_rows(MONEY))
    assert contents(expected) == contents(archive)
    expected.close()


def test_a_match_twice_in_a_file_counts_once(archive: sqlite3.Connection) -> None:
    add_file(archive, file("a.mat"), read_rows(MATCH + b"\n" + MATCH))
    assert counted(archive) == ["a.mat"]
    assert archive.execute("SELECT counted FROM matches ORDER BY place").fetchall() == [(1,), (0,)]


def test_a_path_may_be_invalid_utf_8(archive: sqlite3.Connection) -> None:
    path = "/a/\udcff\udcfe.mat"
    add_file(archive, file(path), read_rows(MATCH))
    assert file_known(archive, path) == file(path)
    assert counted(archive) == [path]
    forget(archive, [path])
    assert file_known(archive, path) is None


def test_names_of_the_owner_are_stored_once(archive: sqlite3.Connection) -> None:
    add_handles(archive, ["Ann", "ann77"])
    add_handles(archive, ["Ann"])
    assert archive.execute("SELECT name FROM handles ORDER BY 1").fetchall() == [
        ("Ann",),
        ("ann77",),
    ]


def test_a_failed_transaction_changes_nothing(archive: sqlite3.Connection) -> None:
    add_file(archive, file("a.mat"), read_rows(MATCH))
    earlier = contents(archive)
    [row] = read_rows(MONEY)
    [game] = row.games
    twice = row._replace(content=b"other", games=(game._replace(turns=game.turns * 2),))
    with pytest.raises(sqlite3.IntegrityError):
        add_file(archive, file("b.mat"), [row, twice])
    assert contents(archive) == earlier


# --- the file -------------------------------------------------------------------------------


def test_a_database_is_created_once_and_opened_again(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    with pytest.raises(ArchiveError, match="no such database; create it with `nactate index`"):
        open_archive(path)
    for _ in range(2):
        with archive_at(path, create=True) as archive:
            add_file(archive, file("a.mat"), read_rows(MATCH))
    with archive_at(path) as archive:
        assert counted(archive) == ["a.mat"]
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]


def _damaged(path: Path) -> None:
    with archive_at(str(path), create=True) as archive:
        add_file(archive, file("a.mat"), read_rows((SAMPLES / "match-7pt.mat").read_bytes()))
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 100] = b"\xff" * 100
    path.write_bytes(data)


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE turns (a)")
    connection.close()


def _later(path: Path) -> None:
    with archive_at(str(path), create=True) as archive:
        archive.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"bread 2, milk 1\n" * 99), "file is not a database"),
        (lambda path: path.mkdir(), "no such database|a folder; name a file"),
        (_foreign, "not a database of `nactate index`"),
        (_later, "made by a newer version of this program: update the program"),
        (_damaged, "database disk image is malformed"),
    ],
)
@pytest.mark.parametrize("create", [False, True])
def test_other_files_are_refused(tmp_path: Path, make: object, message: str, create: bool) -> None:
    path = tmp_path / "games.db"
    assert callable(make)
    make(path)
    earlier = path.read_bytes() if path.is_file() else b""
    with (
        pytest.raises(ArchiveError, match=f"games.db: {message}") as error,
        archive_at(str(path), create=create) as archive,
    ):
        contents(archive)
    assert "\n" not in str(error.value)
    assert earlier == (path.read_bytes() if path.is_file() else b"")


def test_a_reader_sees_whole_transactions_only(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    with archive_at(path, create=True) as writer, archive_at(path) as reader:
        add_file(writer, file("a.mat"), read_rows(MATCH))
        earlier = contents(reader)
        with transaction(writer):
            writer.execute("DELETE FROM turns")
            writer.execute("DELETE FROM games")
            assert contents(reader) == earlier
