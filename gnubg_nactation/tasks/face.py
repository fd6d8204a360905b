"""What a face of the program gives to a task: progress, messages, an engine, and bytes by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gnubg_nactation.engines.engine import Program


class Watch(Protocol):
    """Whoever waits for a task: is shown its progress and its warnings, and may stop it."""

    def begin(self, activity: str, total: int = 0, unit: str = "") -> None:
        """Begin to show an activity; `total` is the number of its steps, 0 if unknown."""

    def step(self, done: int, total: int = 0, *, failed: int = 0) -> None:
        """Show how many steps are done, of `total` if `begin` did not know, and how many failed."""

    def end(self) -> None:
        """End what `begin` began."""

    def is_stopped(self) -> bool:
        """Whether the task should stop after this step. It can go on later."""

    def report(self, message: str, excerpt: str = "") -> None:
        """Show a warning of one line, and below it an excerpt of the text that it is about."""


class Face(Watch, Protocol):
    """A watch that also opens engines and reads what the user has named."""

    def open_engine(self) -> Program:
        """Return the engine that the user has chosen, always the same. Raises EngineError."""

    def is_file(self, name: str) -> bool:
        """Whether a word of the user names a file that `read` reads."""

    def read(self, name: str) -> bytes:
        """Return the bytes of a file, `-` for standard input. Raises OSError."""


class Library:
    """The face of a program that calls tasks: silent, without files, with an engine if given one.

    Warnings are kept in `messages`.
    """

    def __init__(self, engine: Program | None = None) -> None:
        self.engine = engine
        self.messages: list[str] = []

    def begin(self, activity: str, total: int = 0, unit: str = "") -> None:
        """Show nothing."""

    def step(self, done: int, total: int = 0, *, failed: int = 0) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Show nothing."""

    def is_stopped(self) -> bool:
        """Never stop."""
        return False

    def report(self, message: str, excerpt: str = "") -> None:  # noqa: ARG002 (of Watch)
        """Keep the message."""
        self.messages.append(message)

    def open_engine(self) -> Program:
        """Return the engine of this face. Raises EngineError if it has none."""
        if self.engine is None:
            raise EngineError("this needs an engine, and none is open")
        return self.engine

    def is_file(self, name: str) -> bool:  # noqa: ARG002 (of Face)
        """Every word is text."""
        return False

    def read(self, name: str) -> bytes:
        """Raise OSError, as there are no files."""
        raise FileNotFoundError(2, "No such file or directory", name)


@contextmanager
def showing_progress(
    watch: Watch, activity: str, total: int = 0, unit: str = ""
) -> Iterator[Watch]:
    """Show an activity while the block runs."""
    watch.begin(activity, total, unit)
    try:
        yield watch
    finally:
        watch.end()
