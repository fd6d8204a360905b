"""A run of the tests has a temporary folder of its own, and fails if something is left there.

It fails, too, if a process is left that has inherited this folder, or if something new is at the
top of the project.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

_ROOT = Path(__file__).parents[1]
_PATIENCE = 600  # seconds; it only ends a hopeless wait for processes that are ending


def processes_in(folder: Path) -> Iterator[str]:
    """Other processes whose temporary folder this is, as `PID command`; on Linux only."""
    setting = f"TMPDIR={folder}".encode()
    for process in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended, or is another user's
            continue
        command = b" ".join(words).decode(errors="replace")
        # A process that has ended has no command; Python's tracker ends with its parent.
        if setting in environment and command.strip() and "resource_tracker" not in command:
            yield f"{process.name} {command[:200]}"


def leftovers_in(folder: Path) -> list[str]:
    """The processes and files that are left, once all that is ending has ended."""
    for _ in range(10 * _PATIENCE):
        if not any(processes_in(folder)):
            break
        sleep(0.1)
    names = [path.name for path in folder.iterdir() if not path.name.startswith("pytest-of-")]
    return [*processes_in(folder), *sorted(names)]


def top() -> set[str]:
    """The names at the top of the project, without those of builds."""
    names = os.listdir(_ROOT)
    ignored = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info")
    return {*names} - ignored(str(_ROOT), names)


class Leftovers:
    """The hooks of the process that controls a run; workers of xdist inherit its folder."""

    def __init__(self) -> None:
        self._parent = os.environ.get("TMPDIR")
        self._top = top()
        # A short name, since the path of a socket has about 100 bytes at most.
        self._folder = Path(tempfile.mkdtemp(prefix="t"))
        os.environ["TMPDIR"] = str(self._folder)
        tempfile.tempdir = None

    @pytest.hookimpl(trylast=True)  # after xdist has ended its workers
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            leftovers = leftovers_in(self._folder)
            if leftovers:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
                print("", f"left in {self._folder}:", *leftovers, sep="\n")  # noqa: T201
            if strays := top() - self._top:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
                print("", f"left in {_ROOT}:", *sorted(strays), sep="\n")  # noqa: T201
        if session.exitstatus != pytest.ExitCode.TESTS_FAILED:
            shutil.rmtree(self._folder, ignore_errors=True)

    def pytest_unconfigure(self) -> None:
        tempfile.tempdir = None
        del os.environ["TMPDIR"]
        if self._parent is not None:
            os.environ["TMPDIR"] = self._parent
        with suppress(OSError):  # it is there if no session began
            self._folder.rmdir()
