"""The files that the arguments of a command stand for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec

from gnubg_nactation.cli.packed import Packed, repeated
from gnubg_nactation.showing import counted
from gnubg_nactation.system.extras import install_command
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse
    from typing import BinaryIO

STANDARD_INPUT = "-"
MEGABYTES = 64  # of a file, at most; the largest archives of matches have some ten
_READINGS = 3  # of a file that changes meanwhile
SUFFIXES = (".mat", ".txt", ".sgf", ".xg")

Tell = Callable[[str], object]


class Input(NamedTuple):
    """A file to read, and where below an output folder its result belongs.

    `place` is the path without the folder that was named on the command line. `error` is why it
    cannot be read, or a folder not be searched.
    """

    path: str
    place: str
    error: OSError | None = None

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return self.path == STANDARD_INPUT


class ChangedError(OSError):
    """A file that was written to each time that it was read."""


class LargeError(OSError):
    """A file, or what comes out of a pipe or a device, that is over the limit."""


def add_encoding_option(group: argparse._ActionsContainer) -> None:
    """Declare --encoding, for match files whose encoding is not recognised."""
    group.add_argument("--encoding", help="text encoding of the files (default: detected)")


def find_inputs(arguments: Sequence[str], tell: Tell = str) -> Iterator[Input]:
    """Expand files, folders (walked for .mat, .txt, .sgf and .xg), patterns and `-`, in order.

    A name that exists is taken as it is, even with `*` or `[` in it; one that does not exist
    and is no pattern comes out as it is, so that reading it gives the error. Of what is found by
    searching, pipes and devices are passed over, and .xg files where nothing reads them: `tell`
    hears, in a sentence for each folder, how many.
    """
    if len(arguments) == 1:  # nothing comes twice
        yield from _expand(arguments[0], tell)
        return
    found = Packed(source for argument in arguments for source in _expand(argument, tell))
    again = repeated(lambda: (source.path for source in found))
    seen: set[str] = set()
    for source in found:
        if source.path not in seen:
            yield source
        if source.path in again:
            seen.add(source.path)


def read_input(source: Input, stdin: BinaryIO, megabytes: int = MEGABYTES) -> bytes:
    """The bytes of a file as it was at one moment; OSError."""
    if source.error:
        raise source.error
    if source.is_standard_input:
        return read_at_most(stdin, megabytes)
    for _ in range(_READINGS):
        with open(source.path, "rb") as file:
            before = os.fstat(file.fileno())
            data = read_at_most(file, megabytes, before.st_size, source.path)
            after = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):  # what was read of a pipe is gone
            return data
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise ChangedError("it changes while it is read")


def read_at_most(
    file: BinaryIO, megabytes: int = MEGABYTES, size: int = 0, name: str = "standard input"
) -> bytes:
    """All that is in a file of this size, 0 if it is unknown; LargeError, or another OSError."""
    most = megabytes << 20
    try:
        data = file.read((size or most) + 1) if size <= most else b""
    except MemoryError:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), name) from None
    if max(size, len(data)) > most:
        told = f"over {megabytes} MB; `annotate --largest MB` reads more"
        raise LargeError(errno.EFBIG, told, name)
    return data


def tidy(path: str) -> str:
    """A path as it is written in messages: without `//`, `./` and a `/` at its end."""
    parts = path.split("/")
    if path and os.sep == "/" and "." not in parts and "" not in parts[1:]:
        return path
    from pathlib import Path  # which takes long to import

    return str(Path(path))


def below(folder: str) -> str:
    """What stands before the names of what is in a folder, whose path is tidy."""
    return "" if folder == "." else os.path.join(folder, "")


def _expand(argument: str, tell: Tell) -> Iterator[Input]:
    if os.path.isdir(argument or "."):
        yield from _walk(tidy(argument), tell)
        return
    if argument != STANDARD_INPUT and not os.path.exists(argument):
        import glob

        matches = sorted(glob.glob(argument, recursive=True)) if glob.has_magic(argument) else []
        for match in matches:
            yield from (one for one in _expand(match, tell) if _is_file(one))
        if matches:
            return
    path = tidy(argument)
    if path == STANDARD_INPUT:  # `./-` is a file
        path = argument
    yield Input(path, os.path.basename(path))


def _walk(top: str, tell: Tell) -> Iterator[Input]:
    errors: list[OSError] = []
    passed = 0
    for folder, folders, names in os.walk(top, onerror=errors.append):
        yield from map(_unsearched, errors)
        errors.clear()
        folders.sort()
        names.sort()
        inside = folder[len(top) :].lstrip(os.sep)
        inside = inside and os.path.join(inside, "")
        head = below(top) + inside
        for name in names:
            suffix = os.path.splitext(name)[1].lower()
            if suffix == ".xg" and not _reads_xg():
                passed += 1
            elif suffix in SUFFIXES:
                found = Input(head + name, inside + name)
                if _is_file(found):
                    yield found
    yield from map(_unsearched, errors)
    if passed:
        files = counted(passed, ".xg file")
        tell(f"{top}: {files} skipped; reading them needs: {install_command('xg')}")


@cache
def _reads_xg() -> bool:
    return find_spec("xgparse") is not None


def _is_file(source: Input) -> bool:
    """Whether it is a file, or a link to one, or so broken that reading gives an error at once."""
    try:
        return stat.S_ISREG(os.stat(source.path).st_mode)
    except OSError:
        return True


def _unsearched(error: OSError) -> Input:
    path = tidy(error.filename)
    return Input(path, os.path.basename(path), error)
