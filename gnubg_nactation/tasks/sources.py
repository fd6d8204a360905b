"""Match files on the disk: what names, folders and patterns stand for, and their bytes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.formats import HEADING_BYTES, SUFFIXES, is_report
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, dataclass

if TYPE_CHECKING:
    from typing import BinaryIO

    from gnubg_nactation.errors import MissingArchiveError
    from gnubg_nactation.files.report import Heading

STANDARD_INPUT = "-"
MEGABYTES = 64  # the default limit of a file; the largest archives of matches have about 10
EMPTY_NAME = "a file has an empty name"
_MAX_READS = 3  # attempts if a file changes meanwhile


class Input(NamedTuple):
    """A file to read, and where its result belongs below an output folder.

    `place` is the path without the folder named on the command line. `error` is the reason why
    the file cannot be read, or a folder cannot be searched. `others` are files with later games of
    the same match: gnubg exports text reports as `x.txt`, `x_002.txt` and so on.
    """

    path: str
    place: str
    error: OSError | None = None
    others: tuple[str, ...] = ()

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return self.path == STANDARD_INPUT


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match file to store, as a Source of `index`; its name is its absolute path.

    `others` are the files of later games of the same match.
    """

    name: str
    megabytes: int = MEGABYTES
    others: tuple[str, ...] = ()

    def status(self) -> tuple[int, int]:
        """Return the size and the time of the last change. Raises OSError."""
        size = changed = 0
        for name in (self.name, *self.others):
            status = os.stat(name)
            if not stat.S_ISREG(status.st_mode):  # it might have no end
                raise OSError("not a file but a pipe or a device")
            size += status.st_size
            changed = max(changed, status.st_mtime_ns)
        return size + len(self.others), changed  # line ends are between the files

    def read(self) -> bytes:
        """Return the bytes. Raises OSError."""
        return read_input(Input(self.name, "", others=self.others), BytesIO(), self.megabytes)


class ChangedError(OSError):
    """A file has changed during each attempt to read it."""


class LargeError(OSError):
    """A file, pipe or device holds more than the limit."""


def is_file_name(word: str) -> bool:
    """Whether a word names a file that exists, or has the ending of a match file."""
    if word not in {"", "-"}:
        with suppress(OSError, ValueError):  # too long for a name, or with impossible characters
            if os.path.exists(word) or word.lower().endswith(SUFFIXES):
                return True
    return False


def is_database(path: str) -> bool:
    """Whether a file begins like a database of SQLite; the rest is not read. Raises OSError."""
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def missing_database(error: MissingArchiveError) -> str:
    """Return the error, with the command that creates the database from the matches that are near.

    They are in the current folder or in one of its folders.
    """
    from gnubg_nactation.system.resources import command_line

    if os.path.isdir(error.path):
        command = command_line("index", error.path)
        return f"{error.path}: a folder, not a database; `{command}` stores its matches in one"
    folder = next(filter(_has_matches, (os.curdir, *_folders())), "")
    if not folder:
        return str(error)
    place = ["--db", error.path] if error.path != "games.db" else []
    command = command_line("index", *place, folder)
    return f"{error.path}: no such database; create it with `{command}`"


def _folders() -> list[str]:
    """Return the folders of the current folder, without hidden ones."""
    with suppress(OSError):
        names = (entry.name for entry in os.scandir() if entry.is_dir())
        return sorted(name for name in names if not name.startswith("."))
    return []


def _has_matches(folder: str) -> bool:
    with suppress(OSError):
        return any(name.lower().endswith((".mat", ".sgf", ".xg")) for name in os.listdir(folder))
    return False


def find_inputs(arguments: Sequence[str]) -> Iterator[Input]:
    """Expand files, folders (searched for match files), patterns and `-`; each file once.

    An existing name is used verbatim, even with `*` or `[` in it. So is a missing name that is no
    pattern: reading it then gives the error. Searching skips pipes and devices. Text reports of
    the games of one match are one input. Raises SettingsError for an empty name.
    """
    sources: dict[str, Input] = {}
    for argument in arguments:
        for source in _expand(argument):
            sources.setdefault(source.path, source)
    yield from _join_reports(sources)


def read_input(source: Input, stdin: BinaryIO, megabytes: int = MEGABYTES) -> bytes:
    """Return the bytes of a file, all of one moment. Raises OSError."""
    if source.error:
        raise source.error
    if source.is_standard_input:
        return read_at_most(stdin, megabytes)
    paths = (source.path, *source.others)
    return b"\n".join([_read_file(path, megabytes) for path in paths])


def _read_file(path: str, megabytes: int) -> bytes:
    for _ in range(_MAX_READS):
        with open(path, "rb") as file:
            before = os.fstat(file.fileno())
            data = read_at_most(file, megabytes, before.st_size, path)
            after = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):  # a pipe cannot be read again
            return data
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise ChangedError("it keeps changing while it is read")


def read_at_most(
    file: BinaryIO, megabytes: int = MEGABYTES, size: int = 0, name: str = "standard input"
) -> bytes:
    """Return all bytes of a file whose size is `size`, 0 if unknown. Raises LargeError, OSError."""
    limit = megabytes << 20
    try:
        data = file.read((size or limit) + 1) if size <= limit else b""
    except MemoryError:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), name) from None
    if max(size, len(data)) > limit:
        problem = f"over {megabytes} MB; `annotate --largest MB` reads more"
        raise LargeError(errno.EFBIG, problem, name)
    return data


def tidy(path: str) -> str:
    """Return a path for messages: without `//`, `./` and a final `/`."""
    parts = path.split("/")
    if path and os.sep == "/" and "." not in parts and "" not in parts[1:]:
        return path
    from pathlib import Path  # which takes long to import

    return str(Path(path))


def below(folder: str) -> str:
    """Return the prefix of the paths in a folder, whose path is tidy."""
    return "" if folder == "." else os.path.join(folder, "")


def _expand(argument: str) -> Iterator[Input]:
    if not argument:  # an unset variable of a script; it must not stand for the current folder
        raise SettingsError(EMPTY_NAME)
    if os.path.isdir(argument):
        yield from _walk(tidy(argument))
        return
    if argument != STANDARD_INPUT and not os.path.exists(argument):
        import glob

        matches = sorted(glob.glob(argument, recursive=True)) if glob.has_magic(argument) else []
        for match in matches:
            yield from filter(_is_file, _expand(match))
        if matches:
            return
    path = tidy(argument)
    if path == STANDARD_INPUT:  # `./-` is a file
        path = argument
    yield Input(path, os.path.basename(path))


_OF_MACOS = "._"  # what macOS notes about a file of that name on other file systems


def _walk(top: str) -> Iterator[Input]:
    errors: list[OSError] = []
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
            if suffix in SUFFIXES and not name.startswith(_OF_MACOS):
                source = Input(head + name, inside + name)
                if _is_file(source):
                    yield source
    yield from map(_unsearched, errors)


def _join_reports(sources: Mapping[str, Input]) -> Iterator[Input]:
    """Yield the inputs, the text reports of one match together where the first of them is."""
    texts = [path for path in sources if path.lower().endswith(".txt")]
    headings = {
        path: heading
        for path in (texts if len(texts) > 1 else ())
        if (heading := _read_heading(path))
    }
    joined: dict[str, list[str]] = {}
    if headings:
        from gnubg_nactation.files.report import reports_by_match

        for paths in reports_by_match(headings):
            joined |= dict.fromkeys(paths, paths)
    done: set[str] = set()
    for path in sources:
        first, *others = joined.get(path, [path])
        if first not in done:
            done.add(first)
            yield sources[first]._replace(others=tuple(others))


def _read_heading(path: str) -> Heading | None:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None  # a pipe cannot be read again
        with open(path, "rb") as file:
            beginning = file.read(HEADING_BYTES)
    except OSError:
        return None  # reading it will report the error
    if not is_report(beginning):
        return None
    from gnubg_nactation.files.report import read_heading

    return read_heading(beginning)


def _is_file(source: Input) -> bool:
    """Whether it is a file, or a broken link, which gives an error when it is read."""
    try:
        return stat.S_ISREG(os.stat(source.path).st_mode)
    except OSError:
        return True


def _unsearched(error: OSError) -> Input:
    path = tidy(error.filename)
    return Input(path, os.path.basename(path), error)


class Job(NamedTuple):
    """A file to read and the file for its result (None: standard output)."""

    source: Input
    target: str | None

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return "standard input" if self.source.is_standard_input else self.source.path


def write(target: str, data: bytes, *, lasting: bool = False) -> None:
    """Write a result, unless the file holds it already. Raises OSError.

    The caller removes what an earlier run may have left in the folder.
    """
    if not os.path.isfile(target) or _content(target) != data:
        from gnubg_nactation.system.atomic import write_atomically

        write_atomically(target, data, lasting=lasting, sweeps=False)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:  # importing pathlib takes long
        return file.read()


def encoding_setting(group: str = "") -> Any:
    """Declare the encoding of match files; None is the one that is recognised."""
    words = "text encoding of the files (default: detected)"
    return setting(None, words, group=group, parse=_parse_encoding)


def _parse_encoding(name: str) -> str:
    with suppress(LookupError, ValueError):
        if isinstance(" ".encode(name), bytes):
            return name
    raise MalformedError(f"unknown encoding: {quoted(name)}")
