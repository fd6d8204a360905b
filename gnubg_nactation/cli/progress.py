"""How far a long run is, on a terminal; elsewhere nothing.

With the extra `progress` (rich) it is a bar, without it a plain line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Protocol

from gnubg_nactation.cli.streams import Streams

__all__ = ["Progress", "progress", "turn_progress", "waiting"]


class Progress(Protocol):
    """Something that shows how far a run is."""

    def show(self, done: int, failed: int) -> None:
        """So many files are done, of which so many have failed."""

    def clear(self) -> None:
        """Take the line away, so that a message can be written."""


@contextmanager
def progress(streams: Streams, total: int) -> Iterator[Progress]:
    """What fits the terminal, or nothing where there is none or too little to do."""
    if total < 2 or not streams.stderr.isatty():
        yield _Silent()
        return
    with ExitStack() as stack:
        try:
            shown: Progress = _Bar(stack, streams, total)
        except ImportError:
            shown = _Line(streams, total)
        stack.callback(shown.clear)
        yield shown


@contextmanager
def turn_progress(streams: Streams) -> Iterator[Callable[[int, int], None] | None]:
    """What shows on a terminal how many turns of how many are analysed; None elsewhere."""
    if not streams.stderr.isatty():
        yield None
        return

    def write(text: str) -> None:
        streams.stderr.write(f"\r{text}\x1b[K".encode())
        streams.stderr.flush()

    try:
        yield lambda done, total: write(f"{done} of {total} turns analysed")
    finally:
        write("")


@contextmanager
def waiting(streams: Streams, text: str) -> Iterator[None]:
    """Show on a terminal what is being waited for."""
    on_terminal = streams.stderr.isatty()
    if on_terminal:
        streams.stderr.write(f"{text} ...".encode())
        streams.stderr.flush()
    try:
        yield
    finally:
        if on_terminal:
            streams.stderr.write(b"\r\x1b[K")
            streams.stderr.flush()


class _Silent:
    def show(self, done: int, failed: int) -> None:
        pass

    def clear(self) -> None:
        pass


class _Line:
    def __init__(self, streams: Streams, total: int) -> None:
        self._stderr, self._total = streams.stderr, total

    def show(self, done: int, failed: int) -> None:
        text = f"{done} of {self._total} files" + (f", {failed} failed" if failed else "")
        self._write(f"\r{text}\x1b[K")

    def clear(self) -> None:
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stderr.write(text.encode())
        self._stderr.flush()


class _Bar:
    def __init__(self, stack: ExitStack, streams: Streams, total: int) -> None:
        rich: Any = import_module("rich.progress")
        console: Any = import_module("rich.console")
        # A descriptor of its own: closing it must not close standard error.
        descriptor = os.dup(streams.stderr.fileno())
        text = stack.enter_context(os.fdopen(descriptor, "w", encoding="utf-8"))
        self._bar = rich.Progress(console=console.Console(file=text), transient=True)
        self._task = self._bar.add_task("annotating", total=total)

    def show(self, done: int, failed: int) -> None:
        self._bar.start()
        what = f"annotating, {failed} failed" if failed else "annotating"
        self._bar.update(self._task, completed=done, description=what)

    def clear(self) -> None:
        self._bar.stop()
