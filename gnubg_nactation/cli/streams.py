"""Where a command reads and writes, what the terminal shows meanwhile, and the exit status."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO, Literal, TextIO

    from gnubg_nactation.engines.engine import Program

_OUTPUT = "standard output"


class Status:
    """The exit status of every command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130


def _no_engine() -> Program:
    raise EngineError("no engine is open")


class Streams(NamedTuple):
    """The command line as the face of a task: it reads files, and shows progress on a terminal.

    Results go to `stdout`, messages to `stderr`. All text is UTF-8, but for a terminal of another
    encoding, and where PYTHONIOENCODING names one: then `encodings` of both streams are not empty.
    `shown` prepares results that are text for the terminal. `engine` always returns the same
    engine. It starts at its first question, or at once for an analysis, and ends with the command.
    `inputs` collects the names of the files that a command reads.
    """

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO
    shown: Callable[[str], str] = str
    engine: Callable[[], Program] = _no_engine
    encodings: tuple[str, str] = ("", "")
    inputs: list[str] | None = None

    def write(self, data: bytes) -> None:
        """Write bytes as a result. Raises OSError that names standard output."""
        rest = memoryview(data)
        with _naming(_OUTPUT):
            while rest:  # with PYTHONUNBUFFERED a call may write a part, as if all were well
                rest = rest[self.stdout.write(rest) :]

    def print(self, text: str) -> None:
        """Write text as a result, without a line end. Raises OSError."""
        self.write(_encoded(self.shown(text), self.encodings[0]))

    def flush(self) -> None:
        """Write all results that are still buffered. Raises OSError."""
        with _naming(_OUTPUT):
            self.stdout.flush()

    def text_of(self, word: str) -> str:
        """Return the stripped text of an argument, which is standard input for `-`."""
        if word != "-":
            return word.strip()
        from gnubg_nactation.tasks.sources import read_at_most
        from gnubg_nactation.writing.codepage import decode_any

        return decode_any(read_at_most(self.stdin)).strip()

    def report(self, message: str, excerpt: str = "") -> None:
        """Write a one-line message, and below it an excerpt of the text that it is about."""
        for activity in _activities:
            activity.clear()
        text = f"nactate: {shown(message)}\n" + (excerpt and f"{excerpt}\n")
        self.stderr.write(_encoded(text, self.encodings[1]))
        self.stderr.flush()

    def open_engine(self) -> Program:
        """Return the engine of the command. Raises EngineError."""
        return self.engine()

    def is_file(self, name: str) -> bool:
        """Whether a word names a file that exists or has the ending of a match file."""
        from gnubg_nactation.tasks.sources import is_file_name

        return is_file_name(name)

    def read(self, name: str) -> bytes:
        """Return the bytes of a file, `-` for standard input. Raises OSError."""
        from gnubg_nactation.tasks.sources import Input, read_input

        if self.inputs is not None:
            self.inputs.append(name)
        return read_input(Input(name, name), self.stdin)

    def begin(self, activity: str, total: int = 0, unit: str = "") -> None:
        """Show an activity on a terminal: a bar for several files, else a line."""
        if not self.stderr.isatty() or (unit == FILES and total < 2):
            _activities.append(_Activity())
            return
        try:
            kind = _Bar if unit == FILES else _Line
            _activities.append(kind(self, activity, total, unit))
        except ImportError:
            _activities.append(_Line(self, activity, total, unit))

    def step(self, done: int, total: int = 0, *, failed: int = 0) -> None:
        """Show how many steps of the latest activity are done."""
        _activities[-1].show(done, total, failed)

    def end(self) -> None:
        """Erase what the latest activity shows."""
        _activities.pop().end()

    def is_stopped(self) -> bool:
        """Ctrl-C stops a command at once, by KeyboardInterrupt."""
        return False

    def engine_reporter(self) -> Callable[[str], None] | None:
        """Return a function that shows why an engine takes long; None if no terminal."""
        if not self.stderr.isatty():
            return None

        def report(text: str) -> None:
            with suppress(OSError, ValueError):  # the terminal may be closed
                _replace_line(self, f"{text} ..." if text else "")

        return report


FILES = "files"  # the unit of a run over many files


class _Activity:
    """Shows how much of an activity is done; this class shows nothing."""

    def show(self, done: int, total: int, failed: int) -> None:
        """Show how many steps are done, of how many, and how many of them failed."""

    def clear(self) -> None:
        """Erase what is shown, before a message."""

    def end(self) -> None:
        """Erase what is shown, for good."""
        self.clear()


_activities: list[_Activity] = []  # the latest last: a process has one terminal


class _Line(_Activity):
    def __init__(self, streams: Streams, activity: str, total: int, unit: str) -> None:
        self._streams, self._activity, self._total, self._unit = streams, activity, total, unit
        if not unit:
            _replace_line(streams, f"{activity} ...")

    def show(self, done: int, total: int, failed: int) -> None:
        text = f"{done} of {total or self._total}"
        text = f"{text} {self._unit}" if self._unit else f"{self._activity} ... {text}"
        _replace_line(self._streams, f"{text}, {failed} failed" if failed else text)

    def clear(self) -> None:
        _replace_line(self._streams, "")


class _Bar(_Activity):
    """A bar, if the extra `progress` (rich) is there. Raises ImportError."""

    def __init__(self, streams: Streams, activity: str, total: int, unit: str) -> None:  # noqa: ARG002 (as _Line)
        rich: Any = import_module("rich.progress")
        console: Any = import_module("rich.console")
        # A copy of the descriptor: closing it must not close standard error.
        self._text = os.fdopen(os.dup(streams.stderr.fileno()), "w", encoding="utf-8")
        self._bar = rich.Progress(console=console.Console(file=self._text), transient=True)
        self._activity = activity
        self._task = self._bar.add_task(activity, total=total)

    def show(self, done: int, total: int, failed: int) -> None:  # noqa: ARG002 (known from the start)
        self._bar.start()
        text = f"{self._activity}, {failed} failed" if failed else self._activity
        self._bar.update(self._task, completed=done, description=text)

    def clear(self) -> None:
        self._bar.stop()

    def end(self) -> None:
        self.clear()
        self._text.close()


def _replace_line(streams: Streams, text: str) -> None:
    """Replace the line that is shown."""
    # Old consoles of Windows do not know the sequence that erases the rest of a line.
    line = f"\r{text:<79}" if sys.platform == "win32" else f"\r{text}\x1b[K"
    streams.stderr.write(line.encode())
    streams.stderr.flush()


@contextmanager
def _naming(stream: str) -> Iterator[None]:
    """Add the name of a stream to errors of the system."""
    try:
        yield
    except OSError as error:
        number = error.errno
        if sys.platform == "win32" and number == errno.EINVAL:  # Windows for a broken pipe
            number = errno.EPIPE
        raise OSError(number, error.strerror, stream) from None


def _encoded(text: str, encoding: str) -> bytes:
    if encoding:
        from gnubg_nactation.writing.codepage import encode_for

        return encode_for(text, encoding)
    return text.encode("utf-8", "surrogateescape")


def _encoding(stream: TextIO | None) -> str:
    """Return the encoding of a stream if it is not UTF-8 and somebody reads it."""
    is_read = stream and (os.environ.get("PYTHONIOENCODING") or stream.isatty())
    name = stream.encoding if stream and is_read else ""
    return "" if name.lower().replace("-", "") == "utf8" else name


def standard_streams() -> Streams:
    """Return the streams of the process; the null device for one that is closed."""

    def binary(stream: TextIO | None, mode: Literal["rb", "wb"]) -> BinaryIO:
        return stream.buffer if stream else open(os.devnull, mode)

    return Streams(
        binary(sys.stdin, "rb"),
        binary(sys.stdout, "wb"),
        binary(sys.stderr, "wb"),
        encodings=(_encoding(sys.stdout), _encoding(sys.stderr)),
    )
