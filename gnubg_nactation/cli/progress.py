"""How far a long run is, on a terminal; elsewhere nothing.

With the extra `progress` (rich) it is a bar, without it a plain line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.values import Any


class Progress:
    """Shows how far a run over files is; this one shows nothing."""

    def show(self, done: int, failed: int) -> None:
        """So many files are done, of which so many have failed."""

    def clear(self) -> None:
        """Take the line away, so that a message can be written."""


@contextmanager
def progress(streams: Streams, total: int, does: str = "annotating") -> Iterator[Progress]:
    """What fits the terminal, or nothing where there is none or too little to do."""
    if total < 2 or not streams.stderr.isatty():
        yield Progress()
        return
    with ExitStack() as stack:
        try:
            shown: Progress = _Bar(stack, streams, total, does)
        except ImportError:
            shown = _Line(streams, total)
        stack.callback(shown.clear)
        yield shown


@contextmanager
def turn_progress(streams: Streams) -> Iterator[Callable[[int, int], None] | None]:
    """What shows on a terminal how many turns of how many are analysed; None elsewhere."""
    with _counting(streams, "turns analysed") as watch:
        yield watch


@contextmanager
def reply_progress(streams: Streams, by: str) -> Iterator[Callable[[int, int], None] | None]:
    """The same of replies that an engine is asked about."""
    with _counting(streams, f"replies by {by}") as watch:
        yield watch


@contextmanager
def _counting(streams: Streams, what: str) -> Iterator[Callable[[int, int], None] | None]:
    if not streams.stderr.isatty():
        yield None
        return
    try:
        yield lambda done, total: _write(streams, f"{done} of {total} {what}")
    finally:
        _write(streams, "")


@contextmanager
def waiting(streams: Streams, text: str) -> Iterator[None]:
    """Show on a terminal what is being waited for."""
    if not streams.stderr.isatty():
        yield
        return
    _write(streams, f"{text} ...")
    try:
        yield
    finally:
        _write(streams, "")


def engine_reporter(streams: Streams) -> Callable[[str], None] | None:
    """What shows on a terminal that an engine takes long; None elsewhere."""
    if not streams.stderr.isatty():
        return None

    def report(text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal may have gone
            _write(streams, f"{text} ..." if text else "")

    return report


@contextmanager
def trial_progress(
    streams: Streams, text: str, trials: int
) -> Iterator[Callable[[int], None] | None]:
    """What shows on a terminal how far a rollout is that is being waited for; None elsewhere."""
    with waiting(streams, text):
        if streams.stderr.isatty():
            yield lambda done: _write(streams, f"{text} ... {done} of {trials}")
        else:
            yield None


def _write(streams: Streams, text: str) -> None:
    """Put a text in the place of the line that is shown."""
    # An old console of Windows knows no sequence that erases the rest of a line.
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
    def __init__(self, stack: ExitStack, streams: Streams, total: int, does: str) -> None:
        rich: Any = import_module("rich.progress")
        console: Any = import_module("rich.console")
        # A descriptor of its own: closing it must not close standard error.
        descriptor = os.dup(streams.stderr.fileno())
        text = stack.enter_context(os.fdopen(descriptor, "w", encoding="utf-8"))
        self._bar = rich.Progress(console=console.Console(file=text), transient=True)
        self._does = does
        self._task = self._bar.add_task(does, total=total)

    def show(self, done: int, failed: int) -> None:
        self._bar.start()
        what = f"{self._does}, {failed} failed" if failed else self._does
        self._bar.update(self._task, completed=done, description=what)

    def clear(self) -> None:
        self._bar.stop()
