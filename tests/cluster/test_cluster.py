"""`--scheduler` with a real Dask scheduler and two workers; one dies."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest

from gnubg_nactation.tasks import processes
from tests.archive.contents import content_of
from tests.cli.archives import finished, make_archive, tree
from tests.cli.running import ROOT, run, start
from tests.engines.built import FOLDER
from tests.gnubg.ingame import needs_gnubg

INSTALLED = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(
    not INSTALLED and not os.environ.get("CI"), reason="dask.distributed is not installed"
)
QUIET = ("--no-dashboard", "--host", "127.0.0.1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@contextmanager
def program(kind: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker, ended with the test."""
    with subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{kind}", *map(str, arguments), *QUIET],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(truth: Callable[[], object], *needed: subprocess.Popen[bytes]) -> None:
    """Wait until it is true, and fail if a process that it needs ends."""
    while not truth():
        assert all(process.poll() is None for process in needed)
        time.sleep(0.02)


def worker(stack: ExitStack, file: Path) -> subprocess.Popen[bytes]:
    arguments = ("--scheduler-file", file, "--no-nanny", "--nthreads", 1, "--local-directory", ".")
    return stack.enter_context(program("worker", *arguments))


def started_cluster(
    stack: ExitStack, file: Path, count: int
) -> tuple[subprocess.Popen[bytes], str, list[subprocess.Popen[bytes]]]:
    """A scheduler that has written its file, its address for `--scheduler`, and its workers."""
    scheduler = stack.enter_context(program("scheduler", "--port", 0, "--scheduler-file", file))
    workers = [worker(stack, file) for _ in range(count)]
    wait_for(lambda: file.exists() and file.read_text().endswith("}"), scheduler, *workers)
    address: str = json.loads(file.read_text())["address"]
    return scheduler, address.replace("tcp://", "dask://"), workers


@needs_dask
@pytest.mark.timeout(0)  # it takes as long as a busy machine takes to start five processes
def test_a_killed_worker_loses_no_file(folder: Path) -> None:
    make_archive(folder / "in", 300, 3)
    local = run("annotate", "-o", folder / "local", folder / "in")
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler, address, workers = started_cluster(stack, file, 2)
        options = ("--scheduler", address, "-o", folder / "far", folder / "in")
        process = stack.enter_context(start("annotate", *options))
        wait_for(lambda: finished(folder / "far") > 20, scheduler, process, *workers)
        process.send_signal(signal.SIGSTOP)  # so that it is not done before the worker is gone
        done = finished(folder / "far")
        workers[0].kill()
        workers[0].wait()
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate()
    assert done < 297
    assert process.returncode == 1
    assert err.decode() == local.err
    assert tree(folder / "far") == tree(folder / "local")


@needs_dask
@needs_gnubg
@pytest.mark.timeout(0)  # as above
def test_a_killed_worker_loses_no_analysis(folder: Path) -> None:
    """Each file is analysed and stored once, as without a cluster."""
    make_archive(folder / "in", 60, 0)
    options = ("--analyse", "--engine", "gnubg", "--plies", 0, "--turns", 2)
    local = run("index", "--db", folder / "local.db", *options, folder / "in")
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler, address, workers = started_cluster(stack, file, 2)
        far = ("index", "--db", folder / "far.db", "--scheduler", address, *options, folder / "in")
        process = stack.enter_context(start(*far))
        wait_for(lambda: _stored(folder / "far.db") > 5, scheduler, process, *workers)
        process.send_signal(signal.SIGSTOP)
        stored = _stored(folder / "far.db")
        workers[0].kill()
        workers[0].wait()
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate()
    assert stored < 60
    assert (process.returncode, err) == (0, b"")
    assert out.decode() == local.out.replace("local.db", "far.db")
    assert content_of(folder / "far.db") == content_of(folder / "local.db")


def _stored(path: Path) -> int:
    if not path.exists():
        return 0
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM files").fetchone()[0])
    return 0


@needs_dask
@pytest.mark.timeout(0)  # as above
def test_a_book_made_by_a_worker_is_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    make = ("book", "make", "--engine", "builtin", "--plies", "0", "--rolls", "1")
    date = ("--date", "2026-11-23")
    assert run(*make, *date, "-o", folder / "local.book").err == ""
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        _, address, _ = started_cluster(stack, file, 1)
        options = ("--scheduler", address, "-o", folder / "far.book")
        with start(*make, *date, *options) as process:
            _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    text = (folder / "far.book").read_text()
    assert text == (folder / "local.book").read_text()
    assert len([line for line in text.splitlines() if line[:2].isdecimal()]) == 15


_IMPATIENT = """
from gnubg_nactation.tasks import processes
from gnubg_nactation.cli.main import run
processes._LOOK = 0.05
run()
"""


@needs_dask
@pytest.mark.timeout(0)  # as above
def test_without_workers_a_run_ends_and_the_next_continues(folder: Path) -> None:
    make_archive(folder / "in", 200, 0)
    local = run("annotate", "-o", folder / "local", folder / "in")
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler, remote, _ = started_cluster(stack, file, 0)
        client = stack.enter_context(
            import_module("distributed").Client(remote.replace("dask://", "tcp://"))
        )
        only = worker(stack, file)
        client.wait_for_workers(1)
        options = (
            "annotate",
            "--summary",
            "--scheduler",
            remote,
            "-o",
            folder / "far",
            folder / "in",
        )
        process = stack.enter_context(
            start(*options, program=(sys.executable, "-c", _IMPATIENT), start_new_session=True)
        )
        wait_for(lambda: finished(folder / "far") > 20, scheduler, process, only)
        process.send_signal(signal.SIGSTOP)
        only.kill()
        only.wait()
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate()
        done = finished(folder / "far")
        assert 20 < done < 200
        assert process.returncode == 1
        assert err.decode() == (
            f"nactate: {remote}: no worker is left; {done} of 200 files are done, {200 - done} are "
            "not. Start one and run the same command again: it skips what is up to date\n"
        )
        worker(stack, file)
        client.wait_for_workers(1)
        with start(*options) as again:
            _, err = again.communicate()
    assert (local.status, again.returncode) == (0, 0)
    assert err.endswith(b"; %d already up to date\n" % done)
    assert tree(folder / "far") == tree(folder / "local")


@needs_dask
def test_workers_that_return_in_time_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fifth look finds a worker, and the file is annotated in the end."""
    monkeypatch.setattr(processes, "_LOOK", 0.0)
    timeout = import_module("distributed").TimeoutError
    workers = [{}, {}, {}, {}, {"one": 1}] * 2
    results = [timeout] * len(workers) + ["done"]
    client = Mock(**{"nthreads.side_effect": workers})
    result: object = processes.wait_for(client, Mock(**{"result.side_effect": results}))
    assert result == "done"
    client = Mock(**{"nthreads.return_value": {}})
    with pytest.raises(processes.ClusterError):
        processes.wait_for(client, Mock(**{"result.side_effect": timeout}))
    assert client.nthreads.call_count == 5


@pytest.mark.parametrize(
    ("address", "message"),
    [("tcp://127.0.0.1:1", "not a scheduler"), ("dask://127.0.0.1:1", "no scheduler answers")],
)
@needs_dask
def test_a_missing_scheduler_is_an_error(folder: Path, address: str, message: str) -> None:
    make_archive(folder / "in", 1, 0)
    with start("annotate", "--scheduler", address, "-o", folder / "out", folder / "in") as process:
        _, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert err.startswith(b"nactate: ")
    assert message in err.decode()


def test_without_the_extra_the_error_names_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    make_archive(folder / "in", 1, 0)
    ran = run("annotate", "--scheduler", "dask://127.0.0.1:1", "-o", folder / "out", folder / "in")
    assert ran.status == 1
    assert 'pip install -e ".[cluster]"' in ran.err
