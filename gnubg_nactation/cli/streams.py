"""Where a command reads and writes, and its exit status."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation.cli.inputs import read_at_most
from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO, Literal, TextIO

DEBUG = "NACTATION_DEBUG"  # a variable of the environment
_OUTPUT = "standard output"


class Status:
    """The exit status of every command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130


class UsageError(NactationError):
    """Options or arguments that do not go together; the exit status is `Status.USAGE`."""


class Streams(NamedTuple):
    """Results go to `stdout`, messages to `stderr`; all text is UTF-8.

    `shown` prepares results that are text for the terminal.
    """

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO
    shown: Callable[[str], str] = str

    def write(self, data: bytes) -> None:
        """Write bytes as a result. Raises OSError that names standard output."""
        with _naming(_OUTPUT):
            self.stdout.write(data)

    def print(self, text: str) -> None:
        """Write text as a result, without a line end. Raises OSError."""
        self.write(self.shown(text).encode("utf-8", "surrogateescape"))

    def flush(self) -> None:
        """Write all results that are still buffered. Raises OSError."""
        with _naming(_OUTPUT):
            self.stdout.flush()

    def text_of(self, word: str) -> str:
        """Return the stripped text of an argument, which is standard input for `-`."""
        if word != "-":
            return word.strip()
        return read_at_most(self.stdin).decode("utf-8", "replace").strip()

    def report(self, message: str, excerpt: str = "") -> None:
        """Write a one-line message, and below it an excerpt of the text that it is about."""
        text = f"nactate: {shown(message)}\n" + (excerpt and f"{excerpt}\n")
        self.stderr.write(text.encode())
        self.stderr.flush()


def is_debugging() -> bool:
    """Whether internal errors show their traceback."""
    return os.environ.get(DEBUG, "0") not in {"", "0"}


def internal_error(error: Exception) -> str:
    """Return a line about an error that nothing in this program expects."""
    import traceback

    at = traceback.extract_tb(error.__traceback__)[-1]
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    hint = "" if is_debugging() else " (--debug shows the traceback)"
    return f"internal error at {at.name}, line {at.lineno}: {reason}{hint}"


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


def standard_streams() -> Streams:
    """Return the streams of the process; the null device for one that is closed."""

    def binary(stream: TextIO | None, mode: Literal["rb", "wb"]) -> BinaryIO:
        return stream.buffer if stream else open(os.devnull, mode)

    return Streams(binary(sys.stdin, "rb"), binary(sys.stdout, "wb"), binary(sys.stderr, "wb"))
