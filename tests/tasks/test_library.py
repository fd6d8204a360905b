"""Matches stored from bytes in memory, and what a program asks of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pytest

from gnubg_nactation.archive.database import open_archive
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.errors import UnknownError
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.games import PlayerSettings
from gnubg_nactation.tasks.library import (
    IndexSettings,
    count_mistakes,
    explore,
    find,
    index,
    mistakes,
)
from tests.archive.by_hand import Played, Record, fill
from tests.cli.archives import DAMAGED, small_matches

FILES = [(f"{number}.mat", data) for number, data in enumerate(islice(small_matches(), 3))]


@pytest.fixture
def archive() -> Iterator[sqlite3.Connection]:
    """An empty database in memory."""
    with closing(open_archive(":memory:", create=True)) as connection:
        yield connection


def test_bytes_are_stored_and_copies_count_once(archive: sqlite3.Connection) -> None:
    face = Library()
    sources = [*FILES, ("copy.mat", FILES[0][1]), ("bad.mat", DAMAGED)]
    indexed = index(archive, sources, face=face)
    assert (indexed.contents.files, indexed.contents.matches) == (5, 3)
    assert indexed.contents.duplicates == 1
    assert [*indexed.failures] == ["bad.mat"]
    assert face.messages == [f"bad.mat: {indexed.failures['bad.mat']}"]


def test_changed_bytes_replace_those_of_the_same_name(archive: sqlite3.Connection) -> None:
    first = index(archive, FILES).contents
    assert index(archive, FILES).contents == first
    other = FILES[0][1].replace(b"P0000", b"Q0000")
    assert len(other) == len(FILES[0][1])
    assert index(archive, [("0.mat", other)]).contents == first
    players = {name for (name,) in archive.execute("SELECT name FROM players")}
    assert "Q0000" in players
    assert "P0000" not in players


def test_a_copy_counts_when_the_counted_file_is_gone(archive: sqlite3.Connection) -> None:
    first, copy = FILES[0], ("copy.mat", FILES[0][1])
    index(archive, [first, copy])
    contents = index(archive, [copy], gone=lambda: [first[0]]).contents
    assert (contents.files, contents.matches, contents.duplicates) == (1, 1, 0)
    assert contents.turns


def test_as_many_mistakes_are_counted_as_listed() -> None:
    """What is shown as .080 loses .080."""
    turns = [Played(STANDARD, 0, 31, "S", error=error, best="P") for error in (7960, 7940)]
    records = [Record((turn,), date=f"20{year}-05-01") for turn in turns for year in (24, 25)]
    with closing(fill(records)) as connection:
        for since, count in (("", 2), ("2025", 1), ("2026", 0)):
            whose = PlayerSettings(player="Ann", since=since)
            listed = mistakes(connection, whose, least=0.08)
            assert [each.example.lost for each in listed] == [0.0796] * count
            assert count_mistakes(connection, whose, 10, 0.08) == count


class Impatient(Library):
    """Stops after the first step."""

    def is_stopped(self) -> bool:
        return True


def test_a_stopped_run_goes_on_later(archive: sqlite3.Connection) -> None:
    stopped = index(archive, FILES, face=Impatient())
    assert stopped.is_stopped
    assert stopped.contents.files == 1
    assert index(archive, FILES).contents.files == 3


def test_processes_store_the_same(archive: sqlite3.Connection) -> None:
    contents = index(archive, FILES, IndexSettings(jobs=2)).contents
    assert contents == index(archive, FILES, IndexSettings(force=True)).contents


def test_a_position_is_explored_and_found(archive: sqlite3.Connection) -> None:
    index(archive, FILES)
    explored = explore(archive)
    assert explored.nodes[STANDARD].count == len([*find(archive, STANDARD)]) == len(FILES)
    row = explored.nodes[STANDARD].rolls[0]
    token = f"{row.roll}{row.plays[0].nactation}"
    assert {turn.before for turn in find(archive, token)} >= {(token,)}
    assert explore(archive, token).root.sequence == token
    with pytest.raises(UnknownError, match="the database has no game that reached"):
        explore(archive, "66B")
