"""Single keys of a terminal, as soon as they are pressed."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SEQUENCE_SECONDS = 0.05  # in which the rest of an arrow or function key arrives
_FINAL = re.compile(rb"[@-~]|\Z")  # ends a sequence
_ESCAPE, _BACKSPACES, _ENDS = "\x1b", "\x08\x7f", "\x04"


@contextmanager
def single_keys(number: int) -> Iterator[Callable[[], str]]:
    r"""Within it, a function reads the next key of the terminal with this file descriptor.

    It returns a character, with `\b` for Backspace and `\n` for Enter; empty for Ctrl-D and at the
    end of the input. Keys without a character, such as arrows, are skipped. Ctrl-C raises
    KeyboardInterrupt.
    """
    if sys.platform == "win32":
        yield _console_key
        return
    import termios  # noqa: PLC0415 (not on Windows)
    import tty  # noqa: PLC0415

    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSANOW)  # what was typed ahead stays
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        yield lambda: _terminal_key(number, decoder)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _terminal_key(number: int, decoder: codecs.IncrementalDecoder) -> str:
    while True:
        data = os.read(number, 1)
        key = decoder.decode(data)
        if not data or (key and key in _ENDS):
            return ""
        if key == _ESCAPE:
            _skip_sequence(number)
        elif key:
            return _plain(key)


def _skip_sequence(number: int) -> None:
    """Read the rest of what an arrow or function key sends after Escape, and no further key."""
    import select  # noqa: PLC0415 (not for terminals on Windows)

    if not select.select([number], [], [], _SEQUENCE_SECONDS)[0]:
        return  # Escape alone
    kind = os.read(number, 1)
    if kind == b"O":
        os.read(number, 1)
    while kind == b"[" and not _FINAL.match(os.read(number, 1)):
        pass


def _console_key() -> str:
    """A key of a Windows console."""
    import msvcrt  # noqa: PLC0415 (only on Windows)

    while True:
        key: str = msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        if key in "\0\xe0":  # an arrow or function key
            msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        elif key == "\x03":
            raise KeyboardInterrupt
        else:
            return "" if key in _ENDS else _plain(key)


def _plain(key: str) -> str:
    return "\b" if key in _BACKSPACES else "\n" if key == "\r" else key
