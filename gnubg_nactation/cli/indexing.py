"""Files into the database of an archive: which are to be read, by whom, what became of them."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import partial
from io import BytesIO
from itertools import islice

from gnubg_nactation import EngineError
from gnubg_nactation.archive.indexing import (
    FileRow,
    add_file,
    file_known,
    forget,
    heirs,
    read_rows,
    refresh,
)
from gnubg_nactation.archive.rows import CONTENT, MatchRow
from gnubg_nactation.cli.delivery import failed
from gnubg_nactation.cli.inputs import MEGABYTES, Input, below, find_inputs, read_input
from gnubg_nactation.cli.packed import Packed
from gnubg_nactation.cli.pool import by_pool, task_size
from gnubg_nactation.cli.progress import progress
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.work import Failure, engine_of_worker, guarded
from gnubg_nactation.engines.analysing import analyse_beginnings
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.system.paths import near
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse

__all__ = ["Analysis", "Wanted", "index_files"]

_TOGETHER = 8  # files of one task, at most: their rows wait in memory


class Analysis(NamedTuple):
    """By which engine, and how deep, how many turns of a game are analysed at most.

    `told` says who looks how deep.
    """

    engine: str
    plies: int
    turns: int
    told: str


class Wanted(NamedTuple):
    """What is made of every file; `analysis` is for what has none."""

    analysis: Analysis | None = None
    megabytes: int = MEGABYTES

    @property
    def made(self) -> str:
        """What is noted in the database: the number of the content, and who has analysed."""
        if self.analysis is None:
            return str(CONTENT)
        return f"{CONTENT} {self.analysis.told}, {self.analysis.turns} turns"

    def is_made(self, made: str) -> bool:
        """Whether this, or more than this, was made of a file."""
        return made == self.made or (not self.analysis and made.startswith(f"{CONTENT} "))


class _Found(NamedTuple):
    """What was read of a file, or why nothing was; `gone` says that there is no such file."""

    file: FileRow
    matches: tuple[MatchRow, ...] = ()
    failure: Failure | None = None
    gone: bool = False


def index_files(
    archive: sqlite3.Connection, wanted: Wanted, options: argparse.Namespace, streams: Streams
) -> int:
    """Read what is new or changed of the files, forget what is gone; how many failed."""
    plan = _plan(archive, wanted, options, streams)
    forget(archive, [*plan.changed, *_vanished(archive, options.files)])
    refresh(archive, plan.same)
    for fault in plan.faults:
        streams.complain(f"{fault.filename}: {fault.strerror}")
    failures = len(plan.faults) + _put_all(archive, plan.todo, wanted, options, streams)
    # What was counted in a file that is gone, or holds it no more, counts in another one.
    while paths := heirs(archive):
        failures += _put_all(archive, Packed(paths), wanted, options, streams)
    return failures


def _put_all(
    archive: sqlite3.Connection,
    todo: Packed[str],
    wanted: Wanted,
    options: argparse.Namespace,
    streams: Streams,
) -> int:
    """Read files into the database; how many failed."""
    failures = 0
    with (
        progress(streams, len(todo), "indexing") as shown,
        closing(_all_found(todo, wanted, options)) as all_found,
    ):
        for count, found in enumerate(all_found, 1):
            if found.failure:
                failures += 1
                shown.clear()
                streams.complain(f"{near(found.file.path)}: {found.failure.reason}")
            if found.gone:
                forget(archive, [found.file.path])
            else:
                add_file(archive, found.file, found.matches)
            shown.show(count, failures)
    return failures


class _Plan(NamedTuple):
    """What is to be read, of that what was changed, what has the same bytes at another time.

    `faults` are folders that cannot be searched.
    """

    todo: Packed[str]
    changed: list[str]
    same: list[FileRow]
    faults: list[OSError]


def _plan(
    archive: sqlite3.Connection, wanted: Wanted, options: argparse.Namespace, streams: Streams
) -> _Plan:
    changed: list[str] = []
    same: list[FileRow] = []
    faults: list[OSError] = []

    def todo() -> Iterator[str]:
        for source in find_inputs(options.files, streams.complain):
            if source.error:
                faults.append(source.error)
                continue
            path = os.path.abspath(source.path)
            known = file_known(archive, path)
            kept = None if known is None or options.force else _kept(known, wanted)
            if kept is None:
                changed.extend([path] if known else [])
                yield path
            elif kept != known:
                same.append(kept)

    return _Plan(Packed(todo()), changed, same, faults)


def _kept(known: FileRow, wanted: Wanted) -> FileRow | None:
    """A file as it is to be known from now on; None if it must be read again."""
    if known.problem or not wanted.is_made(known.made):
        return None
    try:
        now = os.stat(known.path)
        if (now.st_size, now.st_mtime_ns) == (known.size, known.changed):
            return known
        if now.st_size == known.size and _digest(_bytes(known.path, wanted)) == known.digest:
            return known._replace(changed=now.st_mtime_ns)
    except OSError:  # whoever reads it says so
        pass
    return None


def _vanished(archive: sqlite3.Connection, arguments: Sequence[str]) -> Iterator[str]:
    """The files of the archive that the arguments stood for, and that are no more.

    Of a folder that is itself no more, as a drive may be, nothing is forgotten.
    """
    named = [os.path.abspath(argument) for argument in arguments]
    heads = tuple(below(path) for path in named if os.path.isdir(path))
    for (path,) in archive.execute("SELECT path FROM files"):
        meant = path.startswith(heads) or any(fnmatchcase(path, name) for name in named)
        if meant and _is_gone(path):
            yield path


def _is_gone(path: str) -> bool:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # it cannot be seen from here
        return False
    return False


def _all_found(
    todo: Packed[str], wanted: Wanted, options: argparse.Namespace
) -> Generator[_Found, None, None]:
    """What is in the files, read by processes or one after the other here."""
    processes = min(options.jobs, len(todo))
    if processes < 2:
        engine = options.open_engine() if wanted.analysis else None
        for path in todo:
            yield _read_file(path, wanted, engine)
        return
    size = 1 if wanted.analysis else min(_TOGETHER, task_size(len(todo), processes))
    paths = iter(todo)
    tasks = iter(lambda: list(islice(paths, size)), [])
    do = partial(_read_files, wanted=wanted)
    with closing(by_pool(tasks, do, None, processes)) as all_found:
        for path, found in zip(todo, all_found, strict=True):
            yield found or _failed(FileRow(path, made=wanted.made), _CRASHED)


_CRASHED = Failure("crashed", "the process that read it has died")


def _read_files(paths: Sequence[str], wanted: Wanted) -> list[_Found | None]:
    """The work of a process; an engine stays with it."""
    if wanted.analysis is None:
        return [_read_file(path, wanted, None) for path in paths]
    try:
        with engine_of_worker(wanted.analysis.engine) as engine:
            return [_read_file(path, wanted, engine) for path in paths]
    except EngineError as error:
        return [_failed(FileRow(path), Failure("engine", str(error))) for path in paths]


def _read_file(path: str, wanted: Wanted, engine: Analyser | None) -> _Found:
    file = FileRow(path, made=wanted.made)
    try:
        before = os.stat(path)  # if it is written to from now on, it is another one next time
        file = file._replace(size=before.st_size, changed=before.st_mtime_ns)
        data = _bytes(path, wanted)
    except OSError as error:
        gone = isinstance(error, FileNotFoundError)
        return _failed(file, failed(error, "unreadable"))._replace(gone=gone)
    file = file._replace(size=len(data), digest=_digest(data))
    analyse = None
    if engine and wanted.analysis:
        depth, most = Depth(wanted.analysis.plies), wanted.analysis.turns
        analyse = partial(analyse_beginnings, analyser=engine, depth=depth, most=most)
    found = guarded(lambda: read_rows(data, analyse))
    return _failed(file, found) if isinstance(found, Failure) else _Found(file, found)


def _failed(file: FileRow, failure: Failure) -> _Found:
    return _Found(file._replace(problem=failure.reason), failure=failure)


def _bytes(path: str, wanted: Wanted) -> bytes:
    return read_input(Input(path, ""), BytesIO(), wanted.megabytes)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
