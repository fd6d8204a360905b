"""The files that the arguments of a command stand for."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["STANDARD_INPUT", "Input", "find_inputs"]

STANDARD_INPUT = "-"
_SUFFIXES = {".mat", ".txt", ".sgf"}


class Input(NamedTuple):
    """A file to read, and where below an output folder its result belongs.

    `place` is the path without the folder that was named on the command line.
    """

    path: Path
    place: Path

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return str(self.path) == STANDARD_INPUT


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


def _expand(argument: str) -> Iterator[Input]:
    path = Path(argument)
    if path.is_dir():
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                file = Path(folder, name)
                if file.suffix.lower() in _SUFFIXES:
                    yield Input(file, file.relative_to(path))
        return
    if argument != STANDARD_INPUT and not path.exists() and glob.has_magic(argument):
        matches = sorted(glob.glob(argument, recursive=True))
        for match in matches:
            yield from _expand(match)
        if matches:
            return
    yield Input(path, Path(path.name))
