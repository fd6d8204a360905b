"""Queries change neither the database nor its folder, which may be read-only."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.errors import ArchiveError
from tests.archive.contents import content_of
from tests.cli.archives import tree
from tests.cli.running import SAMPLES, run

QUERIES = (
    ("find", "31P"),
    ("leaks", "--player", "Alice", "--json"),
    ("explore", "--depth", "2"),
    ("replies", "--from", "archive", "--opening", "43Z"),
    ("cards", "errors", "-o", "-", "--form", "csv"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with nothing but a database in WAL mode."""
    folder = tmp_path / "medium"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NACTATION_DB", raising=False)
    assert run("index", SAMPLES / "match-3pt-analysed.sgf", "--me", "Alice").status == 0
    assert Path("games.db").read_bytes()[18:20] == b"\2\2"  # WAL
    return folder


def answers() -> list[str]:
    """The outputs of the queries, which have no errors."""
    ran = [run(*query) for query in QUERIES]
    assert {(result.status, result.err) for result in ran} == {(0, "")}
    return [result.out for result in ran]


def test_a_query_changes_no_file(folder: Path) -> None:
    earlier = tree(folder)
    assert list(earlier) == ["games.db"]
    assert answers()
    assert tree(folder) == earlier


def test_a_query_does_not_change_the_journal_mode() -> None:
    connection = sqlite3.connect("games.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    earlier = Path("games.db").read_bytes()
    assert answers()
    assert Path("games.db").read_bytes() == earlier


@contextmanager
def _read_only(folder: Path) -> Iterator[None]:
    """Make the folder read-only, also for root."""
    if not hasattr(os, "geteuid"):
        pytest.skip("folders cannot be made read-only here")
    if os.geteuid():
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)
        return
    mounted = (
        shutil.which("mount")
        and not subprocess.run(
            ["mount", "--bind", folder, folder], capture_output=True, check=False
        ).returncode
    )
    if not mounted:
        pytest.skip("mounting is not permitted here")
    try:
        remount = ["mount", "-o", "remount,ro,bind", str(folder)]
        subprocess.run(remount, capture_output=True, check=True)
        yield
    finally:
        os.chdir(folder.parent)
        subprocess.run(["umount", folder], check=True)


def test_a_read_only_database_can_be_queried(folder: Path) -> None:
    expected, content = answers(), content_of("games.db")
    with _read_only(folder):
        os.chdir(folder)  # the mounted folder
        with pytest.raises(OSError, match=r"Read-only|denied"):
            Path("other").write_bytes(b"")
        assert answers() == expected
        assert content_of("games.db") == content
        with (
            pytest.raises(ArchiveError, match=r"attempt to write a readonly database$"),
            archive_at("games.db") as archive,
        ):
            archive.execute("DELETE FROM handles")
        ran = run("index", "--me", "Ann")
        assert (ran.status, ran.err.count("\n")) == (1, 1)
        assert ran.err.startswith("nactate: games.db: ")
    assert content_of(folder / "games.db") == content


def test_a_file_name_may_have_the_signs_of_a_uri() -> None:
    os.rename("games.db", "100 % a?b#c\udcff.db")
    assert run("find", "31P", "--db", "100 % a?b#c\udcff.db").status in {0, 1}
    with archive_at("100 % a?b#c\udcff.db") as archive:
        assert archive.execute("SELECT count(*) FROM files").fetchone() == (1,)
