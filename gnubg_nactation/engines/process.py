"""A gnubg process that answers questions: found, started, heard out in time, and ended."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import TIMEOUT_MAX, Event, Timer

from gnubg_nactation.engines.engine import Report, Watch
from gnubg_nactation.engines.server import DONE, GIVEN, MARK, SAVED
from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any

_OPTIONS = ("-t", "-q", "-r")  # no window, no sound, none of the user's settings
_KEPT = ("PATH", "SYSTEMROOT")  # of our environment
# Where it may write: a folder that goes with it.
_PLACES = ("HOME", "USERPROFILE", "TEMP", "TMP", "TMPDIR")
# Where packages and gnubg's own installers put it.
_UNIX = tuple(f"{place}/gnubg" for place in ("usr/games", "usr/local/games", "usr/local/bin"))
_MAC = (  # Homebrew on either processor, MacPorts; both may be missing on PATH of an application
    *(f"{place}/gnubg" for place in ("opt/homebrew/bin", "usr/local/bin", "opt/local/bin")),
    *(f"{place}/opt/gnubg/bin/gnubg" for place in ("opt/homebrew", "usr/local")),
)
_BUNDLE = (
    "Applications/*[gG][nN][uU]*.app/Contents/MacOS/gnubg",
    "Applications/*[gG][nN][uU]*.app/Contents/Resources/bin/gnubg",
)
# With no window, and where Ctrl-C does not reach it: CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP.
_APART = 0x8000000 | 0x200 if os.name == "nt" else 0
_CLI = "gnubg-cli.exe"  # the program for Windows without a window
_PROGRAMS = (f"gnubg*/{_CLI}", f"GNU Backgammon*/{_CLI}")
_PACKAGES = (f"WinGet/Links/{_CLI}", f"WinGet/Packages/*/{_CLI}", f"WinGet/Packages/*/*/{_CLI}")
_SHIMS = (f"bin/{_CLI}", f"lib/*gnubg*/tools/{_CLI}", f"lib/*gnubg*/tools/*/{_CLI}")
_WINDOWS = {  # by the variable that names the folder
    "PROGRAMFILES": (*_PROGRAMS, *_PACKAGES),
    "PROGRAMW6432": (*_PROGRAMS, *_PACKAGES),  # for a Python of 32 bits
    "PROGRAMFILES(X86)": (*_PROGRAMS, *_PACKAGES),
    "LOCALAPPDATA": (
        *(f"Programs/{one}" for one in _PROGRAMS),
        *_PROGRAMS,
        *(f"Microsoft/{one}" for one in _PACKAGES),
    ),
    "APPDATA": _PROGRAMS,
    "CHOCOLATEYINSTALL": _SHIMS,
    "PROGRAMDATA": tuple(f"chocolatey/{one}" for one in _SHIMS),
    "USERPROFILE": (f"scoop/apps/*gnubg*/current/{_CLI}",),
}
_MARK = MARK.encode()
_PROGRESS = re.compile(DONE.encode() + rb"([0-9]{1,9})\r?\n")
_LONGEST = 2**26  # bytes of an answer
_ENDING = 5.0  # seconds that one who has let go of its output has to end
_STARTING = 30.0  # seconds that gnubg has to say who it is
_PATIENCE = 5.0  # seconds of waiting for an answer before that is reported


def find_gnubg(named: str | None = None, platform: str = sys.platform) -> str:
    """The path of gnubg: `named`, what NACTATION_GNUBG says, on PATH, or where systems put it.

    Raises EngineError if there is none.
    """
    variable = os.environ.get("NACTATION_GNUBG")
    usual = () if named or variable else ("gnubg", "gnubg-cli", *_installed(platform))
    for place in filter(None, (named or variable, *usual)):
        if found := shutil.which(place):
            path = Path(os.path.abspath(found))
            without_window = path.with_name(_CLI)
            if path.name.casefold() == "gnubg.exe" and without_window.exists():
                path = without_window
            return str(path)
    if named:
        raise EngineError(
            f"no program {named!r}; install it (on Debian: apt install gnubg) or name it fully"
        )
    if variable:
        raise EngineError(f"NACTATION_GNUBG names {variable!r}, which is not a program")
    raise EngineError(
        "GNU Backgammon is not installed: `apt install gnubg` gets it on Debian and Ubuntu, "
        "https://www.gnu.org/software/gnubg/ elsewhere; NACTATION_GNUBG=PATH names one that is "
        "not found by itself"
    )


def _installed(platform: str, root: Path = Path("/")) -> Iterator[str]:
    """Where gnubg is without being on PATH; on Windows the program without a window."""
    if platform == "win32":
        named = {os.environ.get(name): patterns for name, patterns in _WINDOWS.items()}
        places = [(Path(folder), patterns) for folder, patterns in named.items() if folder]
    elif platform == "darwin":
        places = [(root, (*_MAC, *_BUNDLE)), (Path.home(), _BUNDLE)]
    else:
        places = [(root, _UNIX)]
    for folder, patterns in places:
        for pattern in patterns:
            yield from map(str, sorted(folder.glob(pattern), reverse=True))


def _script(folder: Path) -> str:
    """The path of `server.py`, or of a copy in a folder: gnubg opens no path that is not ASCII."""
    script = Path(__file__).with_name("server.py")
    if str(script).isascii():
        return str(script)
    copied = folder / script.name
    copied.write_bytes(script.read_bytes())
    return str(copied) if str(copied).isascii() else copied.name  # gnubg starts in the folder


def _line(question: dict[str, Any]) -> bytes:
    return json.dumps(question).encode("ascii") + b"\n"


class EndedError(EngineError):
    """gnubg ended by itself; it may be started and asked again."""


class Process:
    """A running gnubg, and the folder that it works in. `end` it, or both are left behind.

    `report` is called with what is waited for if an answer takes seconds, and with nothing when
    it is there.
    """

    def __init__(self, path: str, report: Report | None = None) -> None:
        self._path = path
        self._report = report
        self._topic = "its version"  # of the question
        self._version: str | None = None
        self.busy = False  # with a question that was sent
        self._own = ExitStack()
        self._folder = Path(self._own.enter_context(temporary_folder()))
        self._says = self._folder / "said"
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        try:
            with self._says.open("ab") as said:
                self._process: subprocess.Popen[bytes] = subprocess.Popen(
                    [path, *_OPTIONS, f"--python={_script(self._folder)}"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=said,
                    cwd=self._folder,
                    env=kept | dict.fromkeys(_PLACES, str(self._folder)) | {"LC_ALL": "C.UTF-8"},
                    start_new_session=True,  # an interrupt is ours to deal with
                    creationflags=_APART,
                )
        except OSError as error:
            self._own.close()
            raise EngineError(f"{path} cannot be started: {error.strerror or error}") from None

    @property
    def ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.poll() is not None

    def version(self) -> str:
        """The program and its version, which it says first of all."""
        if self._version is None:
            try:
                self._version = str(self._answer(b"", _STARTING).get("version"))
            except EndedError as end:
                raise EngineError(f"{end}; is it GNU Backgammon with Python?") from None
        return self._version

    def ask(
        self, question: dict[str, Any], seconds: float, watch: Watch | None = None
    ) -> dict[str, Any]:
        """The answer. Raises EngineError if it does not come in time, and EndedError."""
        self._topic = question.get("topic", "")
        return self._answer(_line(question), seconds, watch)

    def send(self, question: dict[str, Any]) -> None:
        """Ask without waiting, one that is not busy, what a pipe can hold; `answer` comes next."""
        self.busy = True
        self._topic = question.get("topic", "")
        self._write(_line(question))

    def answer(self, seconds: float) -> dict[str, Any]:
        """The answer to what was sent, as `ask` gives it."""
        return self._answer(b"", seconds)

    def _answer(
        self, question: bytes, seconds: float, watch: Watch | None = None
    ) -> dict[str, Any]:
        start = time.monotonic()
        # Neither reading from a pipe nor writing to it can be given a time, but both end with it.
        limit = Timer(min(seconds, TIMEOUT_MAX), self._kill)
        limit.daemon = True
        limit.start()
        try:
            with self._reported() if watch is None else nullcontext():
                line = self._exchange(question, watch)
        finally:
            limit.cancel()
        if not line.endswith(b"\n"):
            if time.monotonic() >= start + seconds:
                raise EngineError(f"{self._path} did not answer within {seconds:g} seconds")
            raise EndedError(self._exit_reason())
        with suppress(ValueError):
            answer = read_json(line[len(_MARK) :])
            if isinstance(answer, dict):
                return answer
        raise EngineError(f"{self._path} gave an answer that cannot be read")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Report what is waited for as soon as that takes long."""
        report = self._report
        if report is None:
            yield
            return
        reported = Event()

        def report_wait() -> None:
            reported.set()
            report(f"waiting for gnubg's answer ({self._topic})")

        timer = Timer(_PATIENCE, report_wait)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if reported.is_set():
                report("")

    def _exchange(self, question: bytes, watch: Watch | None) -> bytes:
        """Write a question, and read the line of its answer; what else is printed goes nowhere."""
        pipes = self._process
        assert pipes.stdout is not None
        self._write(question)
        while line := pipes.stdout.readline(_LONGEST):
            if line.startswith(_MARK):
                self.busy = False
                return line
            if watch and (done := _PROGRESS.fullmatch(line)):
                watch(int(done[1]))
        return b""

    def _write(self, question: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # that it has ended shows when the answer is read
            self._process.stdin.write(question)
            self._process.stdin.flush()

    def give(self, data: bytes) -> None:
        """Put down a file that it is to import next; EngineError."""
        try:
            (self._folder / GIVEN).write_bytes(data)
        except OSError as error:
            raise EngineError(f"gnubg cannot be given a file: {error.strerror}") from None

    def said(self) -> str:
        """What it has said since it was asked last, but for its answer."""
        with suppress(OSError):
            return self._says.read_text("utf-8", "replace")
        return ""

    def saved(self) -> bytes:
        """What gnubg has saved; EngineError if it has not."""
        try:
            return (self._folder / SAVED).read_bytes()
        except OSError as error:
            raise EngineError(f"gnubg's answer cannot be read: {error.strerror}") from None

    def end(self) -> None:
        """Kill it, wait for its end and clear up."""
        self._kill()
        with suppress(OSError), self._process:  # what was still to be written is lost
            pass
        self._own.close()

    def _kill(self) -> None:
        """Kill it and what it may have started, such as the gnubg that a script runs."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):  # it may have let go of its output alone
            self._process.wait(_ENDING)
        self._kill()
        status = self._process.wait()
        how = f"signal {-status}" if status < 0 else f"status {status}"
        said = self.said().strip()
        # What gnubg says while it works is of no use.
        last = f"; it said: {said.splitlines()[-1].strip()}" if said and not self._version else ""
        return f"{self._path} ended by itself ({how}){last}"
