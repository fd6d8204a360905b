"""Find gnubg, start it, exchange questions and answers with it, and end it."""

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
from gnubg_nactation.engines.server import DONE, IMPORT_FILE, MARK, SAVED_FILE
from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.resources import package_file
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any

_OPTIONS = ("-t", "-q", "-r")  # no window, no sound, none of the user's settings
_INHERITED = ("PATH", "SYSTEMROOT")  # variables of our environment
# Set to a temporary folder, the only one where gnubg may write.
_FOLDERS = ("HOME", "USERPROFILE", "TEMP", "TMP", "TMPDIR")
# Where packages and installers put gnubg.
_UNIX = tuple(f"{folder}/gnubg" for folder in ("usr/games", "usr/local/games", "usr/local/bin"))
_MAC = (  # Homebrew on either processor, MacPorts; an application may have neither on its PATH
    *(f"{folder}/gnubg" for folder in ("opt/homebrew/bin", "usr/local/bin", "opt/local/bin")),
    *(f"{folder}/opt/gnubg/bin/gnubg" for folder in ("opt/homebrew", "usr/local")),
)
_BUNDLE = (
    "Applications/*[gG][nN][uU]*.app/Contents/MacOS/gnubg",
    "Applications/*[gG][nN][uU]*.app/Contents/Resources/bin/gnubg",
)
# CREATE_NO_WINDOW, and CREATE_NEW_PROCESS_GROUP, which Ctrl-C does not reach.
_CREATION_FLAGS = 0x8000000 | 0x200 if os.name == "nt" else 0
_CLI = "gnubg-cli.exe"  # the Windows program without a window
_PROGRAMS = (f"gnubg*/{_CLI}", f"GNU Backgammon*/{_CLI}")
_PACKAGES = (f"WinGet/Links/{_CLI}", f"WinGet/Packages/*/{_CLI}", f"WinGet/Packages/*/*/{_CLI}")
_SHIMS = (f"bin/{_CLI}", f"lib/*gnubg*/tools/{_CLI}", f"lib/*gnubg*/tools/*/{_CLI}")
_WINDOWS = {  # by the variable that names the folder
    "PROGRAMFILES": (*_PROGRAMS, *_PACKAGES),
    "PROGRAMW6432": (*_PROGRAMS, *_PACKAGES),  # for a 32-bit Python
    "PROGRAMFILES(X86)": (*_PROGRAMS, *_PACKAGES),
    "LOCALAPPDATA": (
        *(f"Programs/{path}" for path in _PROGRAMS),
        *_PROGRAMS,
        *(f"Microsoft/{path}" for path in _PACKAGES),
    ),
    "APPDATA": _PROGRAMS,
    "CHOCOLATEYINSTALL": _SHIMS,
    "PROGRAMDATA": tuple(f"chocolatey/{path}" for path in _SHIMS),
    "USERPROFILE": (f"scoop/apps/*gnubg*/current/{_CLI}",),
}
_MARK = MARK.encode()
_PROGRESS = re.compile(DONE.encode() + rb"([0-9]{1,9})\r?\n")
_MAX_ANSWER_BYTES = 2**26
NO_GNUBG = "none"  # the value of NACTATION_GNUBG that hides an installed gnubg
_ENDING = 5.0  # seconds to end after closing its output
_STARTING = 30.0  # seconds to report its version
_PATIENCE = 5.0  # seconds of waiting for an answer before that is reported


def find_gnubg(program: str | None = None, platform: str = sys.platform) -> str:
    """The path of gnubg: `program`, NACTATION_GNUBG, on PATH, or in the systems' usual folders.

    Raises EngineError if there is none, or if the variable is `none`.
    """
    variable = os.environ.get("NACTATION_GNUBG")
    if variable == NO_GNUBG and not program:
        raise EngineError("gnubg is switched off by NACTATION_GNUBG=none: unset it")
    usual = () if program or variable else ("gnubg", "gnubg-cli", *_installed(platform))
    for name in filter(None, (program or variable, *usual)):
        if executable := shutil.which(name):
            path = Path(os.path.abspath(executable))
            without_window = path.with_name(_CLI)
            if path.name.casefold() == "gnubg.exe" and without_window.exists():
                path = without_window
            return str(path)
    if program:
        raise EngineError(
            f"{program!r} is not a program: install gnubg (on Debian: apt install gnubg) or give "
            "its full path"
        )
    if variable:
        raise EngineError(f"NACTATION_GNUBG names {variable!r}, which is not a program")
    raise EngineError(
        "GNU Backgammon is not installed: get it by `apt install gnubg` on Debian and Ubuntu or "
        "from https://www.gnu.org/software/gnubg/, or set NACTATION_GNUBG to its path"
    )


def _installed(platform: str, root: Path = Path("/")) -> Iterator[str]:
    """Where gnubg is if it is not on PATH; on Windows the program without a window."""
    if platform == "win32":
        paths = {os.environ.get(name): patterns for name, patterns in _WINDOWS.items()}
        folders = [(Path(path), patterns) for path, patterns in paths.items() if path]
    elif platform == "darwin":
        folders = [(root, (*_MAC, *_BUNDLE)), (Path.home(), _BUNDLE)]
    else:
        folders = [(root, _UNIX)]
    for folder, patterns in folders:
        for pattern in patterns:
            yield from map(str, sorted(folder.glob(pattern), reverse=True))


def _script(folder: Path) -> str:
    """The path of `server.py`, or of a copy in the folder.

    gnubg opens files with ASCII paths only, and the package may be in an archive.
    """
    script = Path(__file__).with_name("server.py")
    if script.is_file() and str(script).isascii():
        return str(script)
    copy = folder / script.name
    copy.write_bytes(package_file("engines/server.py"))
    return str(copy) if str(copy).isascii() else copy.name  # gnubg starts in the folder


def _line(question: dict[str, Any]) -> bytes:
    return json.dumps(question).encode("ascii") + b"\n"


class EndedError(EngineError):
    """gnubg ended unexpectedly; it may be started and asked again."""


class Process:
    """A running gnubg and its temporary folder; `end` removes both.

    `report` is called with a message if an answer takes seconds, and with "" when it has come.
    """

    def __init__(self, path: str, report: Report | None = None) -> None:
        self._path = path
        self._report = report
        self._topic = "its version"  # of the question
        self._version: str | None = None
        self.busy = False  # whether a question was sent
        self._resources = ExitStack()
        self._folder = Path(self._resources.enter_context(temporary_folder()))
        self._log = self._folder / "output"
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        folders = dict.fromkeys(_FOLDERS, str(self._folder))
        try:
            with self._log.open("ab") as log:
                self._process: subprocess.Popen[bytes] = subprocess.Popen(
                    [path, *_OPTIONS, f"--python={_script(self._folder)}"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd=self._folder,
                    env=inherited | folders | {"LC_ALL": "C.UTF-8"},
                    start_new_session=True,  # Ctrl-C interrupts this process alone
                    creationflags=_CREATION_FLAGS,
                )
        except OSError as error:
            self._resources.close()
            raise EngineError(f"{path} cannot be started: {error.strerror or error}") from None

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def version(self) -> str:
        """The program and its version, which it sends first of all."""
        if self._version is None:
            try:
                self._version = str(self._answer(b"", _STARTING).get("version"))
            except EndedError as end:
                raise EngineError(f"{end}; is it GNU Backgammon with Python?") from None
        return self._version

    def ask(
        self, question: dict[str, Any], seconds: float, watch: Watch | None = None
    ) -> dict[str, Any]:
        """Return the answer. Raises EngineError if it does not come in time, and EndedError."""
        self._topic = question.get("topic", "")
        return self._answer(_line(question), seconds, watch)

    def send(self, question: dict[str, Any]) -> None:
        """Send a question that a pipe can hold, without waiting; call `answer` next."""
        self.busy = True
        self._topic = question.get("topic", "")
        self._write(_line(question))

    def answer(self, seconds: float) -> dict[str, Any]:
        """Return the answer to the question sent; errors as for `ask`."""
        return self._answer(b"", seconds)

    def _answer(
        self, question: bytes, seconds: float, watch: Watch | None = None
    ) -> dict[str, Any]:
        start = time.monotonic()
        # Pipes have no time limit, but reading and writing end with the process.
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
        """Report the wait if it becomes long."""
        report = self._report
        if report is None:
            yield
            return
        reported = Event()

        def start_report() -> None:
            reported.set()
            report(f"waiting for gnubg's answer ({self._topic})")

        timer = Timer(_PATIENCE, start_report)
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
        """Write a question and return the line of its answer, ignoring any other output."""
        pipes = self._process
        assert pipes.stdout is not None
        self._write(question)
        while line := pipes.stdout.readline(_MAX_ANSWER_BYTES):
            if line.startswith(_MARK):
                self.busy = False
                return line
            if watch and (done := _PROGRESS.fullmatch(line)):
                watch(int(done[1]))
        return b""

    def _write(self, question: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # if it has ended, reading the answer raises the error
            self._process.stdin.write(question)
            self._process.stdin.flush()

    def write_import(self, data: bytes) -> None:
        """Write the file that gnubg will import. Raises EngineError."""
        try:
            (self._folder / IMPORT_FILE).write_bytes(data)
        except OSError as error:
            raise EngineError(f"cannot write a file for gnubg: {error.strerror}") from None

    def output(self) -> str:
        """The output since the last question, without its answer."""
        with suppress(OSError):
            return self._log.read_text("utf-8", "replace")
        return ""

    def saved(self) -> bytes:
        """The match that gnubg has saved. Raises EngineError if there is none."""
        try:
            return (self._folder / SAVED_FILE).read_bytes()
        except OSError as error:
            raise EngineError(f"gnubg's answer cannot be read: {error.strerror}") from None

    def end(self) -> None:
        """Kill it, wait for its end and remove its folder."""
        self._kill()
        with suppress(OSError), self._process:  # unwritten input is lost
            pass
        self._resources.close()

    def _kill(self) -> None:
        """Kill it with its child processes, such as the gnubg that a script runs."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):  # it may only have closed its output
            self._process.wait(_ENDING)
        self._kill()
        status = self._process.wait()
        reason = f"signal {-status}" if status < 0 else f"status {status}"
        output = self.output().strip()
        # After the start its output does not explain anything.
        last = f": {output.splitlines()[-1].strip()}" if output and not self._version else ""
        return f"{self._path} ended unexpectedly ({reason}){last}"
