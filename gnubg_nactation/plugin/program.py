"""The GNU Backgammon that Python runs in: its commands, its output, and the match it has loaded.

A match is read from the bytes that gnubg saves, not with `gnubg.match()`: that ends the whole
program where a name or a comment is not UTF-8.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, BinaryIO, ParamSpec

from gnubg_nactation.errors import NactationError
from gnubg_nactation.files import sgf

__all__ = ["gnubg_module", "loaded_match", "output_to", "quoted", "run_command", "say", "spoken"]

_SGF = b"(;FF[4]GM[6]"  # how a match that gnubg saves begins
_P = ParamSpec("_P")


def gnubg_module() -> Any:
    """The module that GNU Backgammon has built in; NactationError outside it."""
    # The package of this name on PyPI is another thing.
    if "gnubg" not in sys.builtin_module_names:
        raise NactationError("this works inside GNU Backgammon only")
    return importlib.import_module("gnubg")


def spoken(function: Callable[_P, str]) -> Callable[_P, None]:
    """Print what the function answers, or in a line why it cannot."""

    @wraps(function)
    def speak(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            text = function(*args, **kwargs)
        except NactationError as error:
            text = f"nactation: {error}"
        except KeyboardInterrupt:
            text = "nactation: interrupted"
        say(text)

    return speak


def loaded_match() -> sgf.SgfRecord:
    """The match that gnubg has loaded, as gnubg saves it.

    Raises NactationError if there is none, or outside gnubg.
    """
    data = run_command("save match -")  # `gnubg.board()` has none after a game of one move
    if _SGF not in data:
        raise NactationError("no match is loaded")
    return sgf.read(data[data.index(_SGF) :])


def say(text: str) -> None:
    """Print a text in the letters that the screen has: no more than ASCII where LANG is C."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201


def run_command(command: str) -> bytes:
    """What gnubg prints at a command, errors too."""
    with tempfile.TemporaryFile() as output:
        with output_to(output):
            gnubg_module().command(command)
        output.seek(0)
        return output.read()


def quoted(path: str) -> str:
    """A path as gnubg's commands take it."""
    return '"{}"'.format(re.sub(r'(["\\])', r"\\\1", path))


@contextmanager
def output_to(file: BinaryIO) -> Iterator[None]:
    """Lead to a file what gnubg prints, which goes by C and past `sys.stdout`."""
    libc = ctypes.CDLL("msvcrt" if os.name == "nt" else None)

    def flush() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        libc.fflush(None)

    flush()
    screen = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in screen:
            os.dup2(file.fileno(), number)
        yield
    finally:
        flush()
        for number, kept in screen.items():
            os.dup2(kept, number)
            os.close(kept)
