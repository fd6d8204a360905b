"""The files that the arguments of a command stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["STANDARD_INPUT", "ChangedError", "Input", "find_inputs", "read_input"]

STANDARD_INPUT = "-"
_READINGS = 3  # of a file that changes meanwhile
_SUFFIXES = {".mat", ".txt", ".sgf"}


class Input(NamedTuple):
    """A file to read: its path, as text because a single file needs no pathlib.

    `folder` is the one that was named on the command line and in which it was found, empty if the
    file itself was named. `error` is why a folder cannot be searched.
    """

    name: str
    folder: str = ""
    error: OSError | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        from pathlib import Path

        return Path(self.name)

    @property
    def place(self) -> Path:
        """Where below an output folder its result belongs."""
        from pathlib import Path

        path = Path(self.name)
        return path.relative_to(self.folder) if self.folder else Path(path.name)

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return self.name == STANDARD_INPUT


class ChangedError(OSError):
    """A file that was written to each time that it was read."""


def find_inputs(arguments: Iterable[str]) -> Iterator[Input]:
    """Expand files, folders (walked for .mat, .txt and .sgf), patterns and `-`, in order.

    A name that exists is taken as it is, even with `*` or `[` in it; one that does not exist
    and is no pattern comes out as it is, so that reading it gives the error.
    """
    seen: set[str] = set()
    for argument in arguments:
        for found in _expand(argument):
            if (key := os.path.normcase(found.name)) not in seen:
                seen.add(key)
                yield found


def read_input(source: Input, stdin: BinaryIO) -> bytes:
    """The bytes of a file as it was at one moment; OSError."""
    if source.is_standard_input:
        return stdin.read()
    if source.error:
        raise source.error
    for _ in range(_READINGS):
        with open(source.name, "rb") as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise ChangedError("it changes while it is read")


def _expand(argument: str) -> Iterator[Input]:
    path = _tidy(argument)
    if os.path.isdir(path):
        yield from _search(path)
        return
    if argument != STANDARD_INPUT and not os.path.exists(path):
        import glob

        matches = sorted(glob.glob(argument, recursive=True)) if glob.has_magic(argument) else []
        for match in matches:
            yield from _expand(match)
        if matches:
            return
    yield Input(path)


def _search(folder: str) -> Iterator[Input]:
    errors: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=errors.append):
        yield from map(_unsearched, errors)
        errors.clear()
        folders.sort()
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() in _SUFFIXES:
                yield Input(_tidy(os.path.join(place, name)), folder)
    yield from map(_unsearched, errors)


def _unsearched(error: OSError) -> Input:
    return Input(_tidy(error.filename), error=error)


def _tidy(name: str) -> str:
    """A path as pathlib writes it: without `./` and the like, but with `..`."""
    if os.path.normpath(name) == name:
        return name
    from pathlib import Path

    return str(Path(name))
