"""Every call of the system, of SQLite and of gnubg fails in turn during one run.

After each, every output is whole or absent, the inputs are unchanged, the message is one line, and
the next run completes the work.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import GNUBG
from gnubg_nactation.errors import EngineError
from tests.archive.contents import content_of
from tests.cli.archives import tree
from tests.cli.running import MATCH, Ran, run


class Faults:
    """Counts calls and makes one of them fail: `hit` describes it."""

    def __init__(self) -> None:
        self.begin(0, errno.EIO)

    def begin(self, failing: int, code: int) -> None:
        """Count from 0 again; `failing` is the number of the call that fails, 0 for none."""
        self.failing, self.code, self.calls, self.hit = failing, code, 0, ""

    def call(self, call: object, error: Callable[[int, str], Exception] = OSError) -> None:
        """Note a call."""
        self.calls += 1
        if self.calls == self.failing:
            self.hit = str(call)
            raise error(self.code, os.strerror(self.code))


class _File:
    """An open file whose writing may fail."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self._file, self._faults = file, faults

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: Any) -> None:
        half = len(data) // 2
        self._file.write(data[:half])
        self._faults.call(f"write {self._file.name}")
        self._file.write(data[half:])


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Faults for the calls in this test's folder."""
    faults = Faults()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setattr("gnubg_nactation.engines.cache.sleep", lambda _: None)
    _let_files_fail(faults, str(tmp_path), monkeypatch)
    _let_sqlite_fail(faults, monkeypatch)
    _let_gnubg_fail(faults, monkeypatch)
    return faults


def _let_files_fail(faults: Faults, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ours(path: object) -> bool:
        return isinstance(path, str | os.PathLike) and os.path.abspath(path).startswith(folder)

    def opening(path: Any, *arguments: Any, **options: Any) -> Any:
        if not ours(path):
            return io_open(path, *arguments, **options)
        faults.call(f"open {path}")
        return _File(io_open(path, *arguments, **options), faults)

    def failing(name: str) -> Callable[..., Any]:
        original = getattr(os, name)

        def call(path: Any, *arguments: Any, **options: Any) -> Any:
            if name == "fsync" or ours(path):
                faults.call(f"{name} {path}")
            return original(path, *arguments, **options)

        return call

    io_open = io.open
    monkeypatch.setattr(builtins, "open", opening)
    monkeypatch.setattr(io, "open", opening)
    for name in ("replace", "mkdir", "fsync", "chmod"):
        monkeypatch.setattr(os, name, failing(name))


def _let_sqlite_fail(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(error: type[sqlite3.Error] = sqlite3.OperationalError) -> None:
        faults.call("sqlite", lambda _, text: error(text))

    class Connection(sqlite3.Connection):
        def execute(self, *arguments: Any) -> Any:
            call()
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> Any:
            call(sqlite3.DatabaseError)
            return super().executemany(*arguments)

        def executescript(self, *arguments: Any) -> Any:
            call()
            return super().executescript(*arguments)

    def connecting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        call()
        return connect(*arguments, factory=Connection, **options)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connecting)


def _let_gnubg_fail(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    class Scripted:
        """A stand-in for gnubg."""

        bot, fingerprint = GNUBG, "scripted"

        def __init__(self, *_: object, **__: object) -> None: ...

        def start(self) -> None: ...

        def close(self) -> None: ...

        def analyse(
            self, states: Sequence[GameState], _: object
        ) -> Iterator[tuple[int, MoveAnalysis]]:
            for place in range(len(states)):
                faults.call("gnubg", lambda _, text: EngineError(f"gnubg: {text}"))
                yield place, MoveAnalysis(luck=0.25)

    monkeypatch.setattr("gnubg_nactation.engines.child.Gnubg", Scripted)
    monkeypatch.setattr("gnubg_nactation.engines.process.Process", lambda *_: None)
    monkeypatch.setattr("gnubg_nactation.engines.process.find_gnubg", lambda: "gnubg")


def _annotate(files: Sequence[str]) -> Ran:
    options = ("--analyse", "--plies", "0", "--to", "sgf", "-o", "out/deep/")
    return run("annotate", *options, *files)


def _prepare(old_files: dict[str, bytes]) -> None:
    for folder in ("out", "cache"):
        shutil.rmtree(folder, ignore_errors=True)
    for name, data in old_files.items():
        Path("out/deep").mkdir(parents=True, exist_ok=True)
        Path("out", name).write_bytes(data)


@pytest.mark.parametrize("old", [False, True], ids=["new", "over old results"])
@pytest.mark.parametrize("files", [["a.mat"], ["a.mat", "b.mat"]], ids=["one file", "two files"])
def test_a_failed_call_leaves_whole_files_only(
    faults: Faults, files: list[str], *, old: bool
) -> None:
    for name in files:
        Path(name).write_bytes(MATCH)
    assert _annotate(files).status == 0
    whole = tree(Path("out"))
    assert len(whole) == len(files)
    old_files = dict.fromkeys(whole, b"the old one") if old else {}
    hits: list[str] = []
    while True:
        _prepare(old_files)
        faults.begin(len(hits) + 1, errno.EIO if old else errno.ENOSPC)
        ran = _annotate(files)
        hit = faults.hit
        faults.begin(0, 0)
        if not hit:
            break
        hits.append(hit.partition(" ")[0])
        now = tree(Path("out"))
        assert now.keys() <= whole.keys(), hit
        assert all(now.get(name) in (data, old_files.get(name)) for name, data in whole.items()), (
            hit
        )
        assert all(Path(name).read_bytes() == MATCH for name in files), hit
        existing = hit.startswith("mkdir") and not ran.status  # the folder exists
        if "sqlite" in hit or "cache" in hit or existing:  # the cache is optional
            assert (ran.status, ran.err, now) == (0, "", whole), hit
        else:
            assert ran.status == 1, hit
            assert ran.err.startswith("nactate: "), hit
            assert ran.err.count("\n") == 1, hit
            assert "internal" not in ran.err, hit
        assert _annotate(files) == (0, "", ""), hit
        assert tree(Path("out")) == whole, hit
    assert {"open", "write", "replace", "mkdir", "sqlite", "gnubg"} <= set(hits)


def test_a_failed_call_loses_nothing_of_an_archive(faults: Faults) -> None:
    Path("in").mkdir()
    won = MATCH + b"      Wins 1 point\n"
    for name, data in (("a.mat", MATCH), ("b.mat", won), ("c.mat", won)):
        Path("in", name).write_bytes(data)
    assert run("index", "--db", "old.db", "in").status == 0
    os.remove("in/b.mat")  # c.mat counts instead
    Path("in/a.mat").write_bytes(won.replace(b"Ann", b"Amy"))
    Path("in/d.mat").write_bytes(MATCH)
    assert run("index", "--db", "whole.db", "in").status == 0
    whole = content_of("whole.db")
    hits: list[str] = []
    while not hits or hits[-1]:
        shutil.copy("old.db", "games.db")
        faults.begin(len(hits) + 1, errno.EIO)
        ran = run("index", "in")
        hits.append(faults.hit)
        faults.begin(0, 0)
        assert ran.status == bool(hits[-1]), ran
        assert ran.err.count("\n") == bool(hits[-1]), ran
        assert "internal" not in ran.err, ran
        content_of("games.db")
        assert run("index", "in").status == 0, hits
        assert content_of("games.db") == whole, hits
    assert {hit.partition(" ")[0] for hit in hits} == {"open", "sqlite", ""}
