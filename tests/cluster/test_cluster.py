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

from gnubg_nactation.tasks import processes as package
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
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where killed processes leave their folders
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def program(kind: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker, ended with the module."""
    with subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{kind}", *map(str, arguments), *QUIET],
        env=os.environ | {"PYTHONPATH": str(ROOT), "NACTATION_ENGINE": str(FOLDER)},
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
        ended = [process for process in needed if process.poll() is not None]
        assert not ended, [
            (process.args, process.returncode, process.stderr and process.stderr.read())
            for process in ended
        ]
        time.sleep(0.02)


class Cluster:
    """A scheduler that has written its file, its address for `--scheduler`, and its workers."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._file = file = folder / "scheduler.json"
        arguments = ("--port", 0, "--scheduler-file", file)
        self.scheduler = stack.enter_context(program("scheduler", *arguments))
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), self.scheduler)
        self.address: str = json.loads(file.read_text())["address"].replace("tcp://", "dask://")
        self.workers: list[subprocess.Popen[bytes]] = []

    def set_workers(self, count: int) -> None:
        """Start or kill some, so that there are so many."""
        for _ in range(count - len(self.workers)):
            arguments = ("--no-nanny", "--nthreads", 1, "--local-directory", self._folder)
            self.workers.append(
                self._stack.enter_context(
                    program("worker", "--scheduler-file", self._file, *arguments)
                )
            )
        while len(self.workers) > count:
            self.kill_worker()

    def kill_worker(self) -> None:
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()


@pytest.fixture(scope="module")
def cluster_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where killed processes leave their folders."""
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def cluster(cluster_folder: Path) -> Iterator[Cluster]:
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(cluster_folder))
        patch.setenv("XDG_CACHE_HOME", str(cluster_folder / "cache"))
        yield Cluster(stack, cluster_folder)


_PATIENT = """
import os, signal
from gnubg_nactation.tasks import batches, processes
from gnubg_nactation.cli.main import run
processes._TIMEOUT = "600s"  # a busy machine answers late
"""
_STOPPING = """
def stopping(*arguments, results=[]):
    results.append(wait(*arguments))
    if len(results) == 5:
        os.kill(os.getpid(), signal.SIGSTOP)
    return results[-1]

wait = processes.wait_for
processes.wait_for = batches.wait_for = stopping
"""


def start_patient(*words: object, first: str = "") -> subprocess.Popen[bytes]:
    """Start a command that waits long for a scheduler, after these lines of Python."""
    return start(*words, program=(sys.executable, "-c", f"{_PATIENT}{first}\nrun()"))


@contextmanager
def stopped(*words: object, cluster: Cluster, first: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """A command that stops itself when it has the fifth result of the workers."""
    with start_patient(*words, first=_STOPPING + first) as process:
        status = Path(f"/proc/{process.pid}/stat")
        needed = (process, cluster.scheduler, *cluster.workers)
        wait_for(lambda: status.read_text().rpartition(")")[2].split()[0] == "T", *needed)
        yield process


@needs_dask
@pytest.mark.timeout(0)  # it takes as long as a busy machine takes to start five processes
def test_a_killed_worker_loses_no_file(folder: Path, cluster: Cluster) -> None:
    make_archive(folder / "in", 60, 3)
    local = run("annotate", "-o", folder / "local", folder / "in")
    cluster.set_workers(2)
    options = ("--scheduler", cluster.address, "-o", folder / "far", folder / "in")
    with stopped("annotate", *options, cluster=cluster) as process:
        assert 0 < finished(folder / "far") < 57
        cluster.kill_worker()
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate()
    assert process.returncode == 1
    assert err.decode() == local.err
    assert tree(folder / "far") == tree(folder / "local")


@needs_dask
@needs_gnubg
@pytest.mark.timeout(0)  # as above
def test_a_killed_worker_loses_no_analysis(folder: Path, cluster: Cluster) -> None:
    """Each file is analysed and stored once, as without a cluster."""
    make_archive(folder / "in", 60, 0)
    options = ("--analyse", "--engine", "gnubg", "--plies", 0, "--turns", 2)
    local = run("index", "--db", folder / "local.db", *options, folder / "in")
    cluster.set_workers(2)
    far = ("--db", folder / "far.db", "--scheduler", cluster.address, *options, folder / "in")
    with stopped("index", *far, cluster=cluster) as process:
        assert _stored(folder / "far.db") < 60
        cluster.kill_worker()
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate()
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
def test_a_book_made_by_a_worker_is_the_same(
    folder: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    make = ("book", "make", "--engine", "builtin", "--plies", "0", "--rolls", "1")
    date = ("--date", "2026-11-23")
    assert run(*make, *date, "-o", folder / "local.book").err == ""
    cluster.set_workers(1)
    options = ("--scheduler", cluster.address, "-o", folder / "far.book")
    with start_patient(*make, *date, *options) as process:
        _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    text = (folder / "far.book").read_text()
    assert text == (folder / "local.book").read_text()
    assert len([line for line in text.splitlines() if line[:2].isdecimal()]) == 15


@needs_dask
@pytest.mark.timeout(0)  # as above
def test_without_workers_a_run_ends_and_the_next_continues(folder: Path, cluster: Cluster) -> None:
    make_archive(folder / "in", 60, 0)
    local = run("annotate", "-o", folder / "local", folder / "in")
    remote = cluster.address
    cluster.set_workers(1)
    with import_module("distributed").Client(remote.replace("dask://", "tcp://")) as client:
        client.wait_for_workers(1)
        words: tuple[object, ...] = ("annotate", "--summary", "--scheduler", remote)
        words = (*words, "-o", folder / "far", folder / "in")
        with stopped(*words, cluster=cluster, first="processes._LOOK = 0.05") as process:
            cluster.set_workers(0)
            process.send_signal(signal.SIGCONT)
            _, err = process.communicate()
        done = finished(folder / "far")
        assert 0 < done < 60
        assert process.returncode == 1
        assert err.decode() == (
            f"nactate: {remote}: no worker is left; {done} of 60 files are done, {60 - done} are "
            "not. Start one and run the same command again: it skips what is up to date\n"
        )
        cluster.set_workers(1)
        client.wait_for_workers(1)
        with start_patient(*words) as again:
            _, err = again.communicate()
    assert (local.status, again.returncode) == (0, 0)
    assert err.endswith(b"; %d already up to date\n" % done)
    assert tree(folder / "far") == tree(folder / "local")


@needs_dask
def test_workers_that_return_in_time_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fifth look finds a worker, and the file is annotated in the end."""
    monkeypatch.setattr(package, "_LOOK", 0.0)
    timeout = import_module("distributed").TimeoutError
    workers = [{}, {}, {}, {}, {"one": 1}] * 2
    results = [timeout] * len(workers) + ["done"]
    client = Mock(**{"nthreads.side_effect": workers})
    result: object = package.wait_for(client, Mock(**{"result.side_effect": results}))
    assert result == "done"
    client = Mock(**{"nthreads.return_value": {}})
    with pytest.raises(package.ClusterError):
        package.wait_for(client, Mock(**{"result.side_effect": timeout}))
    assert client.nthreads.call_count == 5


_IMPATIENT = """
from gnubg_nactation.tasks import processes
from gnubg_nactation.cli.main import run
processes._TIMEOUT = "100ms"
run()
"""


@pytest.mark.parametrize(
    ("address", "message"),
    [("tcp://127.0.0.1:1", "not a scheduler"), ("dask://127.0.0.1:1", "no scheduler answers")],
)
@needs_dask
def test_a_missing_scheduler_is_an_error(folder: Path, address: str, message: str) -> None:
    make_archive(folder / "in", 1, 0)
    words = ("annotate", "--scheduler", address, "-o", folder / "out", folder / "in")
    with start(*words, program=(sys.executable, "-c", _IMPATIENT)) as process:
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
