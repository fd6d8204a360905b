"""Queries change neither the database nor its folder, which may be read-only."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from gnubg_nactation.archive import database
from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.errors import ArchiveError
from tests.archive.contents import content_of
from tests.cli.archives import tree
from tests.cli.running import SAMPLES, error_of, run

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
def _mounted(folder: Path) -> Iterator[None]:
    """Make the folder a read-only medium."""
    mounted = (
        hasattr(os, "geteuid")
        and os.geteuid() == 0
        and shutil.which("mount")
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


@contextmanager
def _forbidden(folder: Path) -> Iterator[None]:
    """Forbid to write to the folder; root becomes a user who may only read it."""
    if not hasattr(os, "geteuid"):
        pytest.skip("folders cannot be made read-only here")
    is_root = os.geteuid() == 0
    if is_root:
        temporary = Path(tempfile.gettempdir())
        for parent in folder.parents:
            if temporary in {parent, *parent.parents}:  # made by this run
                parent.chmod(0o755)
    folder.chmod(0o555)
    try:
        if is_root:
            os.seteuid(_NOBODY)
        for path in (folder / "games.db", database.__file__):
            if not os.access(path, os.R_OK, effective_ids=True):
                pytest.skip("only root may read this program, or temporary files")
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


_NOBODY = 65534


@pytest.mark.parametrize("read_only", [_mounted, _forbidden])
def test_a_read_only_database_can_be_queried(
    folder: Path, read_only: Callable[[Path], AbstractContextManager[None]]
) -> None:
    expected, content = answers(), content_of("games.db")
    with read_only(folder):
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
        reason = r"(this file|the folder \S+medium) cannot be written"
        advice = "name another database with --db"
        assert re.fullmatch(rf"nactate: games\.db: {reason}; {advice}\n", ran.err)
        new = f"nactate: new.db: the folder {folder} cannot be written; {advice}\n"
        assert error_of("index", SAMPLES, "--db", "new.db") == new
    assert content_of(folder / "games.db") == content


def test_a_folder_is_no_database(folder: Path) -> None:
    error = error_of("index", "--me", "Ann", "--db", folder)
    assert error == f"nactate: {folder}: a folder; name a file with --db\n"


def test_a_database_that_may_not_be_read_is_named(folder: Path) -> None:
    with _forbidden(folder):
        os.chdir(folder)
        games = os.stat("games.db")
        os.seteuid(games.st_uid)
        Path("games.db").chmod(0)
        if not games.st_uid:
            os.seteuid(_NOBODY)
        assert error_of("find", "31P") == "nactate: games.db: unable to open database file\n"


def test_changes_in_a_left_log_are_not_overlooked(folder: Path) -> None:
    """As after a crash, or if another process writes from another computer."""
    with archive_at("games.db", create=True) as archive:
        archive.execute("INSERT INTO handles VALUES ('Ann')")
        assert Path("games.db-wal").stat().st_size > 0
        shutil.copytree(folder, folder.parent / "copy")
    os.remove(folder.parent / "copy" / "games.db-shm")
    with _forbidden(folder.parent / "copy"):
        os.chdir(folder.parent / "copy")
        error = error_of("find", "31P")
    assert error == (
        "nactate: games.db: its last changes are in the file -wal; copy both to a folder that may"
        " be written to\n"
    )


def test_a_file_name_may_have_the_signs_of_a_uri() -> None:
    os.rename("games.db", "100 % a?b#c\udcff.db")
    assert run("find", "31P", "--db", "100 % a?b#c\udcff.db").status in {0, 1}
    with archive_at("100 % a?b#c\udcff.db") as archive:
        assert archive.execute("SELECT count(*) FROM files").fetchone() == (1,)
