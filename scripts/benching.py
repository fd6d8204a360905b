"""Tools for benchmarks: lines to print, and times of tasks that take turns."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gnubg_nactation.engines.process import find_gnubg  # noqa: E402
from gnubg_nactation.errors import EngineError  # noqa: E402

SAMPLES = ROOT / "sample_matches"
SEVEN = str(SAMPLES / "match-7pt.mat")
NACTATE = ["-m", "gnubg_nactation"]
ANNOTATE = [sys.executable, *NACTATE, "annotate"]
RUNS = 7
Task = Callable[[], object]


class Line(NamedTuple):
    """A measure to print. `met` is None without a target."""

    name: str
    ours: str
    reference: str
    ratio: str
    target: str
    met: bool | None


class SkippedError(Exception):
    """Why something cannot be measured here."""


def at_most(name: str, ours: float, theirs: float, reference: str, target: float | None) -> Line:
    """A line for two times; `target` is the highest good ratio."""
    ratio = ours / theirs
    return Line(
        name,
        show(ours),
        f"{reference}: {show(theirs)}",
        f"{ratio:.2f}",
        "" if target is None else f"<= {target:.2f}",
        None if target is None else ratio <= target,
    )


def alternate(ours: Task, theirs: Task, runs: int = RUNS) -> tuple[float, float]:
    """The median times of two tasks that take turns, after a first turn that does not count."""
    ours()
    theirs()
    times = [(clock(ours), clock(theirs)) for _ in range(runs)]
    first, second = zip(*times, strict=True)
    return statistics.median(first), statistics.median(second)


def exhaust(values: Iterable[object]) -> None:
    """Iterate over all values."""
    deque(values, maxlen=0)


def clock(task: Task) -> float:
    """The seconds that a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def cpu_of_children(task: Task) -> float:
    """The processor time of a task's child processes, in seconds; os.times counts hundredths."""
    start = getrusage(RUSAGE_CHILDREN)
    task()
    end = getrusage(RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


# resource.getrusage would include the peak of the parent process.
_PEAK = """
with open("/proc/self/status") as file:
    print(next(line for line in file if line.startswith("VmHWM")).split()[1])
"""
_NACTATE = """
import sys
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import standard_streams
main(sys.argv[1:], standard_streams())
"""


def peak(arguments: Sequence[str], env: Mapping[str, str]) -> float:
    """The peak memory of the command line in MB, of bare Python without arguments."""
    if not Path("/proc/self/status").exists():
        raise SkippedError("there is no /proc/self/status")
    program = _NACTATE + _PEAK if arguments else _PEAK
    output = run([sys.executable, "-c", program, *arguments], env)
    return int(output.split()[-1]) / 1024


def show(seconds: float) -> str:
    """A time for people."""
    return f"{seconds * 1000:.1f} ms" if seconds < 10 else f"{seconds:.1f} s"


def run(command: list[str], env: Mapping[str, str], *, check: bool = True) -> bytes:
    """Run a program in its home folder, away from our modules, and return its output."""
    return subprocess.run(
        command,
        env=env,
        cwd=env["HOME"],
        check=check,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    ).stdout


@contextmanager
def home() -> Iterator[tuple[str, dict[str, str]]]:
    """An empty folder for child processes, and their environment, which stores bytecode there."""
    with tempfile.TemporaryDirectory(prefix="g") as folder:
        env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": folder, "HOME": folder}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        yield folder, env | {"XDG_CACHE_HOME": folder}


def gnubg() -> str:
    """The path of gnubg."""
    try:
        return find_gnubg()
    except EngineError:
        raise SkippedError("gnubg is not installed") from None
