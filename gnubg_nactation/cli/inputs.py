"""The files that the arguments of a command stand for."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["STANDARD_INPUT", "ChangedError", "Input", "find_inputs", "read_input"]

STANDARD_INPUT = "-"
_READINGS = 3  # of a file that changes meanwhile
_SUFFIXES = {".mat", ".txt", ".sgf"}


class Input(NamedTuple):
    """A file to read, and where below an output folder its result belongs.

    `place` is the path without the folder that was named on the command line. `error` is why a
    folder cannot be searched.
    """

    path: Path
    place: Path
    error: OSError | None = None

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return str(self.path) == STANDARD_INPUT


class ChangedError(OSError):
    """A file that was written to each time that it was read."""


def find_inputs(arguments: Iterable[str]) -> Iterator[Input]:
    """Expand files, folders (walked for .mat, .txt and .sgf), patterns and `-`, in order.

    A name that exists is taken as it is, even with `*` or `[` in it; one that does not exist
    and is no pattern comes out as it is, so that reading it gives the error.
    """
    seen: set[Path] = set()
    for argument in arguments:
        for found in _expand(argument):
            if found.path not in seen:
                seen.add(found.path)
                yield found


def read_input(source: Input, stdin: BinaryIO) -> bytes:
    """The bytes of a file as it was at one moment; OSError."""
    if source.is_standard_input:
        return stdin.read()
    if source.error:
        raise source.error
    for _ in range(_READINGS):
        with source.path.open("rb") as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise ChangedError("it changes while it is read")


def _expand(argument: str) -> Iterator[Input]:
    path = Path(argument)
    if path.is_dir():
        errors: list[OSError] = []
        for folder, folders, names in os.walk(path, onerror=errors.append):
            yield from map(_unsearched, errors)
            errors.clear()
            folders.sort()
            for name in sorted(names):
                file = Path(folder, name)
                if file.suffix.lower() in _SUFFIXES:
                    yield Input(file, file.relative_to(path))
        yield from map(_unsearched, errors)
        return
    if argument != STANDARD_INPUT and not path.exists() and glob.has_magic(argument):
        matches = sorted(glob.glob(argument, recursive=True))
        for match in matches:
            yield from _expand(match)
        if matches:
            return
    yield Input(path, Path(path.name))


def _unsearched(error: OSError) -> Input:
    folder = Path(error.filename)
    return Input(folder, Path(folder.name), error)
