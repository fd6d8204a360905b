"""Folders of matches: any number of processes, runs that stop and continue, summaries."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import process as futures
from contextlib import suppress
from pathlib import Path

import pytest

from gnubg_nactation.cli import streams
from gnubg_nactation.cli.commands import annotate
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.engines.cache import open_store
from gnubg_nactation.tasks import annotating, batches, processes
from gnubg_nactation.tasks.annotating import Rendering, Result
from gnubg_nactation.tasks.batches import BatchSettings, by_processes
from gnubg_nactation.tasks.outcomes import Failure
from gnubg_nactation.tasks.sources import Input, Job, write
from tests.cli.archives import DAMAGED, finished, make_archive, tree
from tests.cli.running import ILLEGAL, MATCH, SAMPLES, run, start


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of every test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def annotated(*arguments: object) -> str:
    """Run without errors and return the summary."""
    ran = run("annotate", "--summary", *arguments)
    assert (ran.status, ran.out) == (0, "")
    return ran.err


# --- any number of processes ----------------------------------------------------------------


def test_any_number_of_processes_gives_the_same_files_and_messages() -> None:
    make_archive(Path("in"), 24, 4)
    Path("in/illegal.mat").write_bytes(ILLEGAL)
    runs = {jobs: run("annotate", "--jobs", jobs, "-o", f"out{jobs}", "in") for jobs in (1, 2, 3)}
    assert runs[1].status == 1
    assert runs[1].err.count("\n") == 5
    assert runs[1] == runs[2] == runs[3]
    assert len(tree(Path("out1"))) == 21
    assert tree(Path("out1")) == tree(Path("out2")) == tree(Path("out3"))


def test_processes_print_in_the_order_of_the_files() -> None:
    make_archive(Path("in"), 9, 0)
    alone = run("annotate", "in")
    assert run("annotate", "--jobs", "2", "in") == alone
    assert re.findall(r"P\d{4} - ", alone.out) == [f"P{number:04} - " for number in range(9)]


def test_there_may_be_more_processes_than_files() -> None:
    Path("a.mat").write_bytes(MATCH)
    assert run("annotate", "--jobs", "0", "a.mat").status == 0
    Path("b.mat").write_bytes(MATCH)
    assert annotated("--jobs", "9", "-o", "out/", "a.mat", "b.mat").startswith("nactate: 2 files")


@pytest.mark.parametrize("jobs", ["-1", "many", "1.5", "5000"])
def test_a_wrong_number_of_processes_is_an_error(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("annotate", f"--jobs={jobs}", "a.mat").status == 2
    assert "--jobs" in capsys.readouterr().err


class Deadly(str):
    """A place that kills the process that unpickles it."""

    def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
        return os._exit, (7,)


@pytest.mark.parametrize("deadly", [{0}, {1, 2, 19}])
def test_a_process_that_dies_costs_one_file(
    deadly: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash the processes work in parallel again."""
    pools: list[int] = []

    def make(count: int, folder: str) -> ProcessPoolExecutor:
        pools.append(count)
        return original(count, folder)

    original = processes._pool
    monkeypatch.setattr(processes, "_pool", make)
    inputs = []
    for at in range(48):
        Path(f"{at}.mat").write_bytes(MATCH)
        inputs.append(Input(f"{at}.mat", Deadly() if at in deadly else ""))
    jobs = [Job(source, f"out/{source.path}") for source in inputs]
    settings = BatchSettings(Rendering(), False, io.BytesIO())
    kinds = [type(done.outcome) for done in by_processes(jobs, settings, 2)]
    assert kinds == [Failure if at in deadly else Result for at in range(48)]
    assert len(tree(Path("out"))) == 48 - len(deadly)
    if deadly == {0}:
        assert pools.count(2) == 2
        assert pools.count(1) <= 2 * processes._AHEAD + 1  # waiting tasks, and the crash


def test_an_internal_error_costs_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ouch\nsecond line")

    Path("a.mat").write_bytes(MATCH)
    Path("b.sgf").write_bytes((SAMPLES / "match-5pt.sgf").read_bytes())
    monkeypatch.setattr("gnubg_nactation.files.sgf.read_all", fail)
    ran = run("annotate", "-o", "out/", "b.sgf", "a.mat")
    assert ran.status == 1
    assert ran.err.startswith("nactate: b.sgf: internal error at fail, line ")
    assert ran.err.count("\n") == 1
    assert list(tree(Path("out"))) == ["a.txt"]
    assert isinstance(annotating.attempt(b"(;", Rendering()), Failure)


# --- up to date -----------------------------------------------------------------------------


def test_results_that_are_up_to_date_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    make_archive(Path("in"), 5, 0)
    assert annotated("-o", "out", "in") == "nactate: 5 files, 5 games, 55 plays\n"
    times = {path: path.stat().st_ctime_ns for path in Path("out").rglob("*")}
    monkeypatch.setattr(annotating, "_annotate", None)  # not called at all
    assert annotated("-o", "out", "in").endswith(" plays; 5 already up to date\n")
    assert {path: path.stat().st_ctime_ns for path in Path("out").rglob("*")} == times


@pytest.mark.parametrize("change", ["input", "output", "gone", "options", "version", "time"])
def test_a_changed_file_is_annotated_again(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_archive(Path("in"), 3, 0)
    annotated("-o", "out", "in")
    source, target = Path("in/00/0001.mat"), Path("out/00/0001.txt")
    old_bytes = target.read_bytes()
    options: list[str] = []
    match change:
        case "input":  # even if its time does not show it
            at = source.stat()
            source.write_bytes(source.read_bytes().replace(b"P0001", b"Clara"))
            os.utime(source, ns=(at.st_atime_ns, at.st_mtime_ns))
        case "output":
            target.write_bytes(b"edited")
        case "gone":
            target.unlink()
        case "options":
            options = ["--layout", "row"]
        case "version":
            monkeypatch.setattr("gnubg_nactation.tasks.annotating.__version__", "0.0.0")
        case "time":
            os.utime(target, ns=(0, 0))
    summary = annotated(*options, "-o", "out", "in")
    many = change in {"options", "version"}
    assert ("up to date" not in summary) if many else summary.endswith("; 2 already up to date\n")
    changed = change in {"input", "options"}
    assert (target.read_bytes() != old_bytes) is changed


def test_force_annotates_every_file_again() -> None:
    make_archive(Path("in"), 3, 0)
    first = annotated("-o", "out", "in")
    assert annotated("--force", "-o", "out", "in") == first
    assert annotated("-o", "out", "in").endswith("; 3 already up to date\n")


def test_warnings_are_repeated_and_failed_files_tried_again() -> None:
    Path("in").mkdir()
    Path("in/illegal.mat").write_bytes(ILLEGAL)
    Path("in/bad.mat").write_bytes(DAMAGED)
    runs = [run("annotate", "-o", "out", "in") for _ in range(2)]
    assert runs[0].err.count("\n") == 2
    assert runs[0] == runs[1]
    Path("in/bad.mat").write_bytes(MATCH)
    assert run("annotate", "-o", "out", "in").status == 0


def test_only_files_in_place_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(os, "fsync", calls.append)
    make_archive(Path("in"), 3, 0)
    annotated("-o", "out", "in")
    assert not calls
    for name in "ab":
        Path(f"{name}.sgf").write_bytes((SAMPLES / "match-5pt.sgf").read_bytes())
    annotated("--in-place", "a.sgf", "b.sgf")
    assert len(calls) == 2


def test_files_annotated_in_place_are_up_to_date() -> None:
    Path("in").mkdir()
    for name in "ab":
        Path(f"in/{name}.sgf").write_bytes((SAMPLES / "match-5pt.sgf").read_bytes())
    annotated("--in-place", "in")
    once = tree(Path("in"))
    assert annotated("--in-place", "in").endswith("; 2 already up to date\n")
    assert tree(Path("in")) == once


def test_the_cache_is_optional(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_archive(Path("in"), 2, 0)
    (cache / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache / "file"))
    assert annotated("-o", "out", "in") == annotated("-o", "out", "in")


def test_without_a_home_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who is only a number, as in some containers, has none."""

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "NACTATION_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", home)
    make_archive(Path("in"), 2, 0)
    assert annotated("-o", "out", "in") == annotated("-o", "out", "in")
    open_store().close()


def test_damaged_rows_of_the_log_are_ignored(cache: Path) -> None:
    make_archive(Path("in"), 3, 0)
    annotated("-o", "out", "in")
    (file,) = cache.rglob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b'[1]\n{"name": 1}\n\xff\xfe\n' + lines[0] + lines[1][:-20])
    assert annotated("-o", "out", "in").endswith("; 1 already up to date\n")


@pytest.mark.parametrize(
    "foreign",
    [
        *({"counts": [1, 1, 1, 1, 1]}, {"counts": ["1", "1", "1"]}, {"counts": 7}),
        *({"counts": [-1, 0, 1]}, {"counts": [True, 1, 1]}, {"counts": None}, {"stat": "x"}),
        *({"remarks": [1]}, {"remarks": "text"}, {"remarks": {}}, {"remarks": ["\ud800"]}),
        *({"key": ["x"]}, {"name": ["x"]}, {"name": {}}),
    ],
    ids=repr,
)
def test_foreign_rows_of_the_log_are_ignored(cache: Path, foreign: dict[str, object]) -> None:
    make_archive(Path("in"), 2, 0)
    first = annotated("-o", "out", "in")
    (file,) = cache.rglob("*.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(row | foreign) + "\n" for row in rows))
    assert annotated("-o", "out", "in") == first


def test_a_deeply_nested_row_of_the_log_is_ignored(cache: Path) -> None:
    make_archive(Path("in"), 2, 0)
    first = annotated("-o", "out", "in")
    (file,) = cache.rglob("*.jsonl")
    deep = '"remarks": ' + "[" * 100_000 + "]" * 100_000
    file.write_text(file.read_text().replace('"remarks": []', deep))
    assert annotated("-o", "out", "in") == first


def test_results_inside_the_searched_folder_are_no_inputs() -> None:
    make_archive(Path("in"), 3, 0)
    first = annotated("-o", "in/out", "in")
    assert annotated("-o", "in/out", "in") == first.replace("\n", "; 3 already up to date\n")


# --- stopped and run again ------------------------------------------------------------------


def test_a_stopped_run_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    make_archive(Path("in"), 8, 0)
    annotated("-o", "whole", "in")
    calls: list[str] = []

    def interrupted(target: str, data: bytes, *, lasting: bool) -> None:
        calls.append(target)
        if len(calls) == 4:
            raise KeyboardInterrupt
        write(target, data, lasting=lasting)

    monkeypatch.setattr(batches, "write", interrupted)
    assert run("annotate", "-o", "out", "in").status == 130
    assert len(tree(Path("out"))) == 3
    monkeypatch.setattr(batches, "write", write)
    assert annotated("-o", "out", "in").endswith("; 3 already up to date\n")
    assert tree(Path("out")) == tree(Path("whole"))


def children(pid: int) -> list[int]:
    """Return the living children of a process."""
    pids = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            pids.append(int(file.parent.name))
    return pids


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(truth: Callable[[], object]) -> None:
    while not truth():
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
@pytest.mark.parametrize(
    ("stop", "sent"),
    [(os.kill, signal.SIGINT), (os.kill, signal.SIGKILL), (os.killpg, signal.SIGKILL)],
    ids=["ctrl-c", "killed", "all killed"],
)
def test_a_stopped_run_ends_its_processes(
    folder: Path,
    stop: Callable[[int, int], None],
    sent: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TMPDIR", str(folder))  # where a killed process leaves its folder
    make_archive(folder / "in", 400, 0)
    options = ("--jobs", "2", "-o", folder / "out", folder / "in")
    with start("annotate", *options, start_new_session=True) as process:
        wait_for(lambda: finished(folder / "out") > 3)
        workers = children(process.pid)
        assert len(workers) >= 2
        stop(process.pid, sent)
        status = process.wait(600)
        wait_for(lambda: not any(map(alive, workers)))
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()
    if sent is signal.SIGINT:
        assert status == 130
        assert not [name for name in tree(folder / "out") if name.endswith(".tmp")]
    done = {name: text for name, text in tree(folder / "out").items() if name.endswith(".txt")}
    assert len(done) < 400
    for name, text in done.items():
        whole = run("annotate", (folder / "in" / name).with_suffix(".mat")).out
        assert text.decode() == whole, name
    assert annotated("--jobs", "2", "-o", "out", "in").startswith("nactate: 400 files, ")
    assert len([name for name in tree(folder / "out") if name.endswith(".txt")]) == 400


def hears_ctrl_c(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    deaf = re.findall(r"Sig(?:Blk|Ign):\s*(\w+)", status)
    return not any(int(mask, 16) >> signal.SIGINT - 1 & 1 for mask in deaf)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_only_the_first_process_gets_ctrl_c(folder: Path) -> None:
    make_archive(folder / "in", 400, 0)
    arguments = ["annotate", "--jobs", "2", "-o", folder / "out", folder / "in"]
    with start(*arguments, start_new_session=True) as process:
        wait_for(lambda: len(children(process.pid)) >= 3)  # and the tracker of shared resources
        assert not [*filter(hears_ctrl_c, children(process.pid))]  # from the start
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr
        assert process.stderr.read() == b""
        assert process.wait(600) == 130


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_an_idle_process_ends_at_once(folder: Path) -> None:
    program = (
        "import os, signal; from gnubg_nactation.tasks import processes; "
        f"processes._begin_worker({str(folder)!r}); os.kill(os.getpid(), signal.SIGTERM)"
    )
    with start(program=[sys.executable, "-c", program]) as process:
        assert process.communicate(timeout=600) == (b"", b"")
    assert process.returncode == -signal.SIGTERM


def test_a_stopped_run_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = futures._ExecutorManagerThread
    join = thread.join_executor_internals

    def slowly(manager: futures._ExecutorManagerThread) -> None:
        time.sleep(0.3)
        join(manager)

    monkeypatch.setattr(thread, "join_executor_internals", slowly)
    make_archive(Path("in"), 3, 0)
    jobs = [Job(Input(f"in/{file}", file), f"{file}.txt") for file in tree(Path("in"))]
    settings = BatchSettings(Rendering(), True, io.BytesIO())
    done = by_processes(jobs, settings, 2)
    next(done)
    with pytest.raises(KeyboardInterrupt):
        done.throw(KeyboardInterrupt)
    assert not [each for each in threading.enumerate() if isinstance(each, thread)]


# --- accounts -------------------------------------------------------------------------------


def test_summary_and_report_count_files_and_failures() -> None:
    make_archive(Path("in"), 6, 2)
    Path("in/illegal.mat").write_bytes(ILLEGAL)
    ran = run("annotate", "-o", "out", "--report", "report.json", "in", "gone.mat")
    assert ran.status == 1
    last = ran.err.splitlines()[-1]
    assert last == (
        "nactate: 8 files, 5 games, 46 plays; 1 with warnings; 3 failed (2 malformed, 1 unreadable)"
    )
    report = json.loads(Path("report.json").read_bytes())
    assert (report["files"], report["failed"], report["games"]) == (8, 3, 5)
    assert report["failures"] == {"malformed": 2, "unreadable": 1}
    rows = {row["file"]: row for row in report["results"]}
    assert rows["in/illegal.mat"]["remarks"]
    assert rows["in/00/0000.mat"]["output"] == "out/00/0000.txt"
    assert rows["gone.mat"] == {
        "file": "gone.mat",
        "status": "unreadable",
        "reason": "No such file or directory",
    }
    run("annotate", "-o", "out", "--report", "report.json", "in", "gone.mat")
    again = json.loads(Path("report.json").read_bytes())
    assert again["up_to_date"] == 5
    assert (again["games"], again["plays"]) == (report["games"], report["plays"])


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_progress_and_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(streams, "_Bar", none)
    make_archive(Path("in"), 4, 2)
    screen = Terminal()
    status = main(["annotate", "-o", "out", "in"], Streams(io.BytesIO(), io.BytesIO(), screen))
    screen_text = screen.getvalue().decode()
    assert status == 1
    assert "\r4 of 4 files, 2 failed\x1b[K" in screen_text
    assert re.search(r"\r\x1b\[Knactate: in/00/0001.mat: ", screen_text)
    assert screen_text.endswith("2 failed (2 malformed)\n")


def _read_all(terminal: int, pieces: list[bytes]) -> None:
    with suppress(OSError):  # its other end is closed
        while piece := os.read(terminal, 4096):
            pieces.append(piece)


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "NO_COLOR"])
def test_rich_shows_a_progress_bar(colour: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    make_archive(Path("in"), 4, 2)
    outer, inner = os.openpty()
    pieces: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(outer, pieces))
    reader.start()
    with os.fdopen(inner, "wb", 0, closefd=True) as screen:
        status = main(["annotate", "-o", "out", "in"], Streams(io.BytesIO(), io.BytesIO(), screen))
    reader.join(600)
    os.close(outer)
    screen_text = b"".join(pieces).decode()
    assert status == 1
    assert "annotating" in screen_text
    assert bool(re.search(r"\x1b\[(3\d|38;[\d;]+)m", screen_text)) is colour
    assert "nactate: in/00/0001.mat: " in screen_text
    assert screen_text.rstrip().endswith("2 failed (2 malformed)")


def test_progress_is_shown_on_terminals_only() -> None:
    make_archive(Path("in"), 3, 0)
    assert run("annotate", "-o", "out", "in").err == ""


# --- errors ---------------------------------------------------------------------------------


def test_an_unreadable_folder_is_reported_and_the_others_are_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_archive(Path("in"), 2, 0)
    Path("in/secret").mkdir()
    scandir = os.scandir

    def guarded(path: object) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", guarded)
    ran = run("annotate", "-o", "out", "in")
    assert ran.status == 1
    assert ran.err == "nactate: in/secret: Permission denied\n"
    assert len(tree(Path("out"))) == 2


def test_a_file_that_keeps_changing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.mat").write_bytes(MATCH)
    Path("b.mat").write_bytes(MATCH)
    fstat, calls = os.fstat, []

    class Growing:
        def __init__(self, size: int) -> None:
            self.st_size, self.st_mtime_ns, self.st_mode = size, 0, stat.S_IFREG

    def changing(number: int) -> object:
        calls.append(number)
        return Growing(len(calls)) if len(calls) <= 6 else fstat(number)

    monkeypatch.setattr(os, "fstat", changing)
    ran = run("annotate", "-o", "out/", "a.mat", "b.mat")
    assert (ran.status, ran.err) == (1, "nactate: a.mat: it keeps changing while it is read\n")
    assert list(tree(Path("out"))) == ["b.txt"]


def test_a_file_that_changes_while_it_is_read_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("a.mat").write_bytes(MATCH[:40])
    fstat, calls = os.fstat, []

    def changing(number: int) -> object:
        calls.append(number)
        if len(calls) == 2:
            Path("a.mat").write_bytes(MATCH)
        return fstat(number)

    monkeypatch.setattr(os, "fstat", changing)
    assert "31P" in run("annotate", "a.mat").out
    assert len(calls) == 4


def test_the_same_match_in_two_files_gives_two_results() -> None:
    for name in ("a.mat", "b.mat"):
        Path(name).write_bytes(MATCH)
    assert annotated("-o", "out/", "a.mat", "b.mat", "a.mat").startswith("nactate: 2 files, ")
    results = tree(Path("out"))
    assert sorted(results) == ["a.txt", "b.txt"]
    assert results["a.txt"] == results["b.txt"]


def test_names_that_differ_in_case_keep_their_endings() -> None:
    Path("a.mat").write_bytes(MATCH)
    Path("A.sgf").write_bytes((SAMPLES / "match-5pt.sgf").read_bytes())
    annotated("-o", "out/", "a.mat", "A.sgf")
    assert sorted(tree(Path("out"))) == ["A.sgf.txt", "a.mat.txt"]


def test_a_full_disk_fails_single_files(monkeypatch: pytest.MonkeyPatch) -> None:
    make_archive(Path("in"), 4, 0)
    calls: list[str] = []
    replace = os.replace

    def full(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) in {2, 3}:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    ran = run("annotate", "--summary", "-o", "out", "in")
    assert ran.status == 1
    assert ran.err.count("No space left on device") == 2
    assert ran.err.endswith("; 2 failed (2 unwritable)\n")
    assert sorted(tree(Path("out"))) == ["00/0000.txt", "00/0003.txt"]
    assert annotated("-o", "out", "in").endswith("; 2 already up to date\n")


# --- 2,000 files ----------------------------------------------------------------------------

_PEAKS = """
import resource, sys
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import standard_streams
if __name__ == "__main__":
    status = main(sys.argv[1:], standard_streams())
    with open("/proc/self/status") as file:
        own = next(line for line in file if line.startswith("VmHWM")).split()[1]
    print(status, own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peaks(folder: Path, count: int, damaged: int) -> tuple[int, list[int], str, list[str]]:
    """Annotate an archive; return status, memory peaks in KB, messages and damaged files."""
    bad = make_archive(folder / f"in{count}", count, damaged, rows=2)
    (folder / "program.py").write_text(_PEAKS)
    arguments = ["--jobs", "2", "--summary", "-o", folder / f"out{count}", folder / f"in{count}"]
    command = [sys.executable, folder / "program.py", "annotate", *arguments]
    with start(program=command) as process:
        out, err = process.communicate(timeout=600)
    status, *peak_sizes = map(int, out.split())
    return status, peak_sizes, err.decode(), bad


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
def test_two_thousand_files_take_little_memory(folder: Path) -> None:
    _, few, *_ = peaks(folder, 200, 2)
    status, many, err, bad = peaks(folder, 2000, 20)
    assert status == 1
    assert len(tree(folder / "out2000")) == 1980
    lines = err.splitlines()
    assert len(bad) == 20
    assert [line.split(": ")[1] for line in lines[:-1]] == bad
    assert lines[-1].startswith("nactate: 2,000 files, 1,980 games, ")
    assert lines[-1].endswith("; 20 failed (20 malformed)")
    # Only names stay in memory: a few hundred bytes for each file.
    growth = [large - small for small, large in zip(few, many, strict=True)]
    assert max(growth) < 6000, growth
    assert annotate.__doc__
