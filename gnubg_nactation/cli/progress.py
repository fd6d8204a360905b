"""Progress of a long run, shown on a terminal only.

The extra `progress` (rich) shows a bar instead of a line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.values import Any


class Progress:
    """Shows how many files are done; this class shows nothing."""

    def show(self, done: int, failed: int) -> None:
        """Show how many files are done, and how many of them failed."""

    def clear(self) -> None:
        """Erase the line before a message."""


@contextmanager
def progress(streams: Streams, total: int, activity: str = "annotating") -> Iterator[Progress]:
    """Yield a bar or a line; without a terminal or with one file, something that shows nothing."""
    if total < 2 or not streams.stderr.isatty():
        yield Progress()
        return
    with ExitStack() as stack:
        try:
            bar: Progress = _Bar(stack, streams, total, activity)
        except ImportError:
            bar = _Line(streams, total)
        stack.callback(bar.clear)
        yield bar


@contextmanager
def _status_line(streams: Streams) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that shows a text until it is replaced; None if no terminal."""
    if not streams.stderr.isatty():
        yield None
        return
    try:
        yield partial(_write, streams)
    finally:
        _write(streams, "")


@contextmanager
def count_progress(streams: Streams, unit: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function that shows how many units of how many are done; None if no terminal."""
    with _status_line(streams) as show:
        yield show and (lambda done, total: show(f"{done} of {total} {unit}"))


@contextmanager
def waiting(streams: Streams, text: str) -> Iterator[None]:
    """Show on a terminal the reason for a wait."""
    with trial_progress(streams, text, 0):
        yield


@contextmanager
def trial_progress(
    streams: Streams, text: str, trials: int
) -> Iterator[Callable[[int], None] | None]:
    """Show the reason for a wait; yield a function that adds the number of trials done."""
    with _status_line(streams) as show:
        if show:
            show(f"{text} ...")
        yield show and (lambda done: show(f"{text} ... {done} of {trials}"))


def engine_reporter(streams: Streams) -> Callable[[str], None] | None:
    """Return a function that shows why an engine takes long; None if no terminal."""
    if not streams.stderr.isatty():
        return None

    def report(text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal may be closed
            _write(streams, f"{text} ..." if text else "")

    return report


def _write(streams: Streams, text: str) -> None:
    """Replace the line that is shown."""
    # Old consoles of Windows do not know the sequence that erases the rest of a line.
    line = f"\r{text:<79}" if sys.platform == "win32" else f"\r{text}\x1b[K"
    streams.stderr.write(line.encode())
    streams.stderr.flush()


class _Line(Progress):
    def __init__(self, streams: Streams, total: int) -> None:
        self._streams, self._total = streams, total

    def show(self, done: int, failed: int) -> None:
        text = f"{done} of {self._total} files"
        _write(self._streams, f"{text}, {failed} failed" if failed else text)

    def clear(self) -> None:
        _write(self._streams, "")


class _Bar(Progress):
    def __init__(self, stack: ExitStack, streams: Streams, total: int, activity: str) -> None:
        rich: Any = import_module("rich.progress")
        console: Any = import_module("rich.console")
        # A copy of the descriptor: closing it must not close standard error.
        descriptor = os.dup(streams.stderr.fileno())
        text = stack.enter_context(os.fdopen(descriptor, "w", encoding="utf-8"))
        self._bar = rich.Progress(console=console.Console(file=text), transient=True)
        self._activity = activity
        self._task = self._bar.add_task(activity, total=total)

    def show(self, done: int, failed: int) -> None:
        self._bar.start()
        text = f"{self._activity}, {failed} failed" if failed else self._activity
        self._bar.update(self._task, completed=done, description=text)

    def clear(self) -> None:
        self._bar.stop()
