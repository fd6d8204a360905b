"""Where a command reads and writes, handed in so that it can be tested."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation.cli.inputs import read_at_most
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO, Literal, TextIO

_OUTPUT = "standard output"


class Status:
    """The exit status of every command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130


class Streams(NamedTuple):
    """Results go to `stdout`, messages to `stderr`; all text is UTF-8.

    Results that are text are written as `shown` makes them, which a terminal may need.
    """

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO
    shown: Callable[[str], str] = str

    def write(self, data: bytes) -> None:
        """Write results as they are; OSError, of standard output by name."""
        with _named(_OUTPUT):
            self.stdout.write(data)

    def print(self, text: str) -> None:
        """Write results as text, no line end added; OSError."""
        self.write(self.shown(text).encode("utf-8", "surrogateescape"))

    def flush(self) -> None:
        """Have all results written that were only kept so far; OSError."""
        with _named(_OUTPUT):
            self.stdout.flush()

    def text_of(self, word: str) -> str:
        """The text that an argument stands for: standard input for `-`, else itself, stripped."""
        if word != "-":
            return word.strip()
        return read_at_most(self.stdin).decode("utf-8", "replace").strip()

    def report(self, message: str, excerpt: str = "") -> None:
        """Write a message, one line, and below it where in a text the trouble is."""
        text = f"nactate: {shown(message)}\n" + (excerpt and f"{excerpt}\n")
        self.stderr.write(text.encode())
        self.stderr.flush()


@contextmanager
def _named(stream: str) -> Iterator[None]:
    """Errors of the system with the name of the stream that they are about."""
    try:
        yield
    except OSError as error:
        number = error.errno
        if sys.platform == "win32" and number == errno.EINVAL:  # so it says that nobody reads
            number = errno.EPIPE
        raise OSError(number, error.strerror, stream) from None


def standard_streams() -> Streams:
    """The process's own streams; where one is closed, one that leads nowhere."""

    def binary(stream: TextIO | None, mode: Literal["rb", "wb"]) -> BinaryIO:
        return stream.buffer if stream else open(os.devnull, mode)

    return Streams(binary(sys.stdin, "rb"), binary(sys.stdout, "wb"), binary(sys.stderr, "wb"))
