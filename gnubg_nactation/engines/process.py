"""A gnubg process that answers questions: found, started, heard out in time, and ended."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any

from gnubg_nactation.engines.server import MARK
from gnubg_nactation.errors import EngineError

__all__ = ["EndedError", "Process", "find_gnubg"]

_OPTIONS = ("-t", "-q", "-r")  # no window, no sound, none of the user's settings
_KEPT = ("PATH", "SYSTEMROOT")  # of our environment
_PLACES = ("HOME", "TEMP", "TMP", "TMPDIR")  # where it may write: a folder that goes with it
_USUAL_PLACES = (
    "/usr/games/gnubg",
    "/usr/local/games/gnubg",
    "/opt/homebrew/bin/gnubg",
    "/opt/local/bin/gnubg",
)
_APPLICATIONS = "*[gG][nN][uU]*.app/Contents/MacOS/gnubg"  # of macOS
_FOLDERS = ("PROGRAMFILES(X86)", "PROGRAMFILES", "LOCALAPPDATA")  # of Windows
_MARK = MARK.encode()
_LONGEST = 2**26  # bytes of an answer
_CLEARING = 5.0  # seconds for what is left in the pipes
_STARTING = 30.0  # seconds that gnubg has to say who it is


def find_gnubg(named: str | None = None) -> str:
    """The path of gnubg: `named`, what NACTATION_GNUBG says, on PATH, or where systems put it.

    Raises EngineError if there is none.
    """
    if named:
        if found := shutil.which(named):
            return os.path.abspath(found)
        raise EngineError(
            f"no program {named!r}; install it (on Debian: apt install gnubg) or name it fully"
        )
    if variable := os.environ.get("NACTATION_GNUBG"):
        if found := shutil.which(variable):
            return os.path.abspath(found)
        raise EngineError(f"NACTATION_GNUBG names {variable!r}, which is not a program")
    for place in ("gnubg", "gnubg-cli", *_USUAL_PLACES, *_installed()):
        if found := shutil.which(place):
            return os.path.abspath(found)
    raise EngineError(
        "GNU Backgammon is not installed: `apt install gnubg` gets it on Debian and Ubuntu, "
        "https://www.gnu.org/software/gnubg/ elsewhere; NACTATION_GNUBG=PATH names one that is "
        "not found by itself"
    )


def _installed(platform: str = sys.platform) -> Iterator[str]:
    """Where gnubg's own installers put it; on Windows the program without a window."""
    if platform == "win32":
        for folder in filter(None, map(os.environ.get, _FOLDERS)):
            yield from map(str, Path(folder).glob("gnubg*/gnubg-cli.exe"))
            yield from map(str, Path(folder).glob("Programs/gnubg*/gnubg-cli.exe"))
    if platform == "darwin":
        for place in (Path("/Applications"), Path.home() / "Applications"):
            yield from map(str, place.glob(_APPLICATIONS))


class EndedError(EngineError):
    """gnubg ended by itself; it may be started and asked again."""


class Process:
    """A running gnubg. Lines that it writes are collected by a thread, for a pipe cannot wait."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._version: str | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="nactation-")
        self._said = open(Path(self._folder.name, "said"), "a+b")  # noqa: SIM115 - closed in `end`
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        try:
            self._process = subprocess.Popen(
                [path, *_OPTIONS, "-p", str(Path(__file__).with_name("server.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                cwd=self._folder.name,
                env=kept | dict.fromkeys(_PLACES, self._folder.name) | {"LC_ALL": "C.UTF-8"},
                start_new_session=True,  # an interrupt is ours to deal with
            )
        except OSError as error:
            self._said.close()
            self._folder.cleanup()
            raise EngineError(f"{path} cannot be started: {error.strerror or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # Threads, as neither reading from a pipe nor writing to it can be given a time.
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._questions: queue.Queue[bytes | None] = queue.Queue()
        self._threads = (
            Thread(target=_collect, args=(self._process.stdout, self._lines), daemon=True),
            Thread(target=_write, args=(self._process.stdin, self._questions), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.poll() is not None

    def version(self) -> str:
        """The program and its version, which it says first of all."""
        if self._version is None:
            try:
                self._version = str(self.receive(_STARTING).get("version"))
            except EndedError as end:
                raise EngineError(f"{end}; is it GNU Backgammon with Python?") from None
        return self._version

    def send(self, question: str) -> None:
        """Ask; whether gnubg still runs is told by `receive`."""
        self._questions.put(question.encode("ascii") + b"\n")

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next answer. Raises EngineError if it does not come in time, and EndedError."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self._kill()
            raise EngineError(f"{self._path} did not answer within {seconds:g} seconds") from None
        if line is None or not line.endswith(b"\n"):
            raise EndedError(self._exit_reason())
        try:
            answer = json.loads(line[len(_MARK) :])
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self._kill()
            raise EngineError(f"{self._path} gave an answer that cannot be read")
        return answer

    def saved(self, name: str) -> bytes:
        """What gnubg has saved in its folder under a name; EngineError if it has not."""
        try:
            return Path(self._folder.name, Path(name).name).read_bytes()
        except OSError as error:
            raise EngineError(f"gnubg's answer cannot be read: {error.strerror}") from None

    def end(self) -> None:
        """Kill it, wait for its end and clear up."""
        self._kill()
        self._process.wait()
        self._questions.put(None)
        for thread in self._threads:
            thread.join(_CLEARING)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was still to be written
                pipe.close()
        self._said.close()
        self._folder.cleanup()

    def _kill(self) -> None:
        """Kill it and what it may have started, such as the gnubg that a script runs."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):  # it may have let go of its output alone
            self._process.wait(_CLEARING)
        self._kill()
        status = self._process.wait()
        how = f"signal {-status}" if status < 0 else f"status {status}"
        self._said.seek(0)
        said = self._said.read().decode("utf-8", "replace").strip()
        # What gnubg says while it works is of no use.
        last = f"; it said: {said.splitlines()[-1].strip()}" if said and not self._version else ""
        return f"{self._path} ended by itself ({how}){last}"


def _collect(pipe: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Collect answers; what else is printed, however much, goes nowhere."""
    with suppress(OSError, ValueError):  # closed by `end`
        while line := pipe.readline(_LONGEST):
            if line.startswith(_MARK):
                lines.put(line)
    lines.put(None)


def _write(pipe: IO[bytes], questions: queue.Queue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        while (question := questions.get()) is not None:
            pipe.write(question)
            pipe.flush()
