"""Files into the database of an archive: which are to be read, by whom, what became of them."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice

from gnubg_nactation import EngineError
from gnubg_nactation.archive.indexing import (
    FileRow,
    add_file,
    file_known,
    files_to_recount,
    forget,
    read_rows,
    refresh,
)
from gnubg_nactation.archive.rows import CONTENT, MatchRow
from gnubg_nactation.cli.delivery import failure_of
from gnubg_nactation.cli.inputs import (
    MEGABYTES,
    SUFFIXES,
    Input,
    below,
    find_inputs,
    read_input,
    tidy,
)
from gnubg_nactation.cli.pool import by_pool, task_size
from gnubg_nactation.cli.progress import progress
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.work import Failure, engine_of_worker, guarded
from gnubg_nactation.engines.analysing import analyse_beginnings
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.showing import counted
from gnubg_nactation.system.paths import near
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse

_TOGETHER = 8  # files of one task, at most: their rows wait in memory


class Analysis(NamedTuple):
    """The engine to analyse games with, its depth, and how many turns of each game at most.

    `label` names the engine and its depth.
    """

    engine: str
    plies: int
    turns: int
    label: str


class Wanted(NamedTuple):
    """What is made of every file; `analysis` is for what has none."""

    analysis: Analysis | None = None
    megabytes: int = MEGABYTES

    @property
    def made(self) -> str:
        """What is noted in the database: the number of the content, and who has analysed."""
        if self.analysis is None:
            return str(CONTENT)
        return f"{CONTENT} {self.analysis.label}, {self.analysis.turns} turns"

    def is_made(self, made: str) -> bool:
        """Whether this, or more than this, was made of a file."""
        return made == self.made or (not self.analysis and made.startswith(f"{CONTENT} "))


class _Found(NamedTuple):
    """What was read of a file, or why nothing was; `gone` says that there is no such file."""

    file: FileRow
    matches: tuple[MatchRow, ...] = ()
    failure: Failure | None = None
    gone: bool = False

    @property
    def is_unread(self) -> bool:
        """Whether the reason of a failure is not in the file: what was stored of it stays."""
        return self.failure is not None and self.failure.kind != "malformed"


def index_files(
    archive: sqlite3.Connection, wanted: Wanted, options: argparse.Namespace, streams: Streams
) -> int:
    """Read what is new or changed of the files, forget what is gone; how many failed.

    Each file is as it was until its successor is stored, so that nothing is missing meanwhile.
    """
    gone = _vanished(archive, options.files)
    plan = _plan(archive, wanted, options, streams, gone)
    refresh(archive, plan.same)
    for fault in plan.faults:
        streams.report(f"{fault.filename}: {fault.strerror}")
    failures = len(plan.faults) + _put_all(archive, plan.todo, wanted, options, streams)
    spared = {} if options.forget else _spared(archive, gone, options.files)
    forget(archive, [path for path in gone if path not in spared])
    # What was counted in a file that is gone, or holds it no more, counts in another one.
    tried: set[str] = set()
    while paths := [
        one for one in files_to_recount(archive) if one not in tried and not _is_gone(one)
    ]:
        tried.update(paths)
        failures += _put_all(archive, paths, wanted, options, streams)
    kept = Counter(spared.values())
    if not options.forget:
        failures += len(plan.missing)
        for argument in plan.missing:
            if argument not in kept:
                streams.report(f"{argument}: {_NOT_THERE}")
    for argument, number in kept.items():
        streams.report(f"{argument}: {_kept_words(argument, number)}")
    return failures


_NOT_THERE = os.strerror(errno.ENOENT)


def _kept_words(argument: str, number: int) -> str:
    missing = "" if os.path.exists(argument) else f"{_NOT_THERE}; "
    are, them, their = ("is", "it", "its") if number == 1 else ("are", "them", "their")
    return (
        f"{missing}{counted(number, 'indexed file')} {are} gone, with all files beside {them}; "
        f"{their} games are kept (--forget drops {them})"
    )


def _put_all(
    archive: sqlite3.Connection,
    todo: list[str],
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
                streams.report(f"{near(found.file.path)}: {found.failure.reason}")
            if not found.gone and not (found.is_unread and file_known(archive, found.file.path)):
                add_file(archive, found.file, found.matches, again=options.force)
            shown.show(count, failures)
    return failures


class _Plan(NamedTuple):
    """What is to be read, and what has the same bytes at another time.

    `faults` are folders that cannot be searched, `missing` what was named and is gone.
    """

    todo: list[str]
    same: list[FileRow]
    faults: list[OSError]
    missing: list[str]


def _plan(
    archive: sqlite3.Connection,
    wanted: Wanted,
    options: argparse.Namespace,
    streams: Streams,
    gone: Sequence[str],
) -> _Plan:
    same: list[FileRow] = []
    faults: list[OSError] = []
    missing: list[str] = []

    def todo() -> Iterator[str]:
        for source in find_inputs(options.files, streams.report):
            if source.error:
                faults.append(source.error)
                continue
            path = os.path.abspath(source.path)
            if _is_gone(path) and any(map(_within(path), gone)):
                missing.append(source.path)
                continue
            known = file_known(archive, path)
            kept = None if known is None or options.force else _kept(known, wanted)
            if kept is None:
                yield path
            elif kept != known:
                same.append(kept)

    return _Plan(list(todo()), same, faults, missing)


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


def _vanished(archive: sqlite3.Connection, arguments: Sequence[str]) -> list[str]:
    """The files of the archive that the arguments stood for, and that are no more."""
    stands = [_stands_for(argument) for argument in arguments]
    paths = (path for (path,) in archive.execute("SELECT path FROM files"))
    return [path for path in paths if any(one(path) for one in stands) and _is_gone(path)]


def _stands_for(argument: str) -> Callable[[str], bool]:
    """Whether an argument stands for a file: as its name, its folder, or a pattern."""
    name = os.path.abspath(argument)
    is_in = _within(name)
    return lambda path: is_in(path) or fnmatchcase(path, name)


def _within(name: str) -> Callable[[str], bool]:
    head = below(name)
    return lambda path: path == name or path.startswith(head)


def _spared(
    archive: sqlite3.Connection, gone: Sequence[str], arguments: Sequence[str]
) -> dict[str, str]:
    """Of the files that are gone those to be kept, each with the argument that stood for it.

    Where nothing is left a drive may be missing. A file goes if another match file is still in its
    folder, or in the nearest folder above that is left, as far as that was named; or if its bytes
    are stored of a file that is there.
    """
    spared: dict[str, str] = {}
    holds_matches = lru_cache(maxsize=None)(_holds_matches)
    moved: set[bytes] | None = None
    for path in gone:
        argument = next(one for one in arguments if _stands_for(one)(path))
        top, folder = os.path.abspath(argument), os.path.dirname(path)
        while not os.path.isdir(folder) and _within(top)(folder) and folder != top:
            folder = os.path.dirname(folder)
        if holds_matches(folder, os.path.splitext(path)[1].lower()):
            continue
        if moved is None:
            rows = archive.execute("SELECT path, digest FROM files").fetchall()
            away = set(gone)
            moved = {digest for at, digest in rows if at not in away and not _is_gone(at)}
        known = file_known(archive, path)
        if known and known.digest not in moved:
            spared[path] = tidy(argument)
    return spared


def _holds_matches(folder: str, suffix: str) -> bool:
    """Whether a match file is anywhere in a folder."""
    suffixes = {*SUFFIXES, suffix}
    return any(
        os.path.splitext(name)[1].lower() in suffixes
        for _, _, names in os.walk(folder)
        for name in names
    )


def _is_gone(path: str) -> bool:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # it cannot be seen from here
        return False
    return False


def _all_found(
    todo: list[str], wanted: Wanted, options: argparse.Namespace
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
        before = os.stat(path)
        if not stat.S_ISREG(before.st_mode):  # it might have no end
            return _failed(file, Failure("unreadable", "it is a pipe or a device, and no file"))
        # If it is written to from now on, it is another one next time
        file = file._replace(size=before.st_size, changed=before.st_mtime_ns)
        data = _bytes(path, wanted)
    except OSError as error:
        gone = isinstance(error, FileNotFoundError)
        return _failed(file, failure_of(error, "unreadable"))._replace(gone=gone)
    file = file._replace(size=len(data), digest=_digest(data))
    analyse = None
    if engine and wanted.analysis:
        depth, count = Depth(wanted.analysis.plies), wanted.analysis.turns
        analyse = partial(analyse_beginnings, analyser=engine, depth=depth, count=count)
    found = guarded(lambda: read_rows(data, analyse))
    return _failed(file, found) if isinstance(found, Failure) else _Found(file, found)


def _failed(file: FileRow, failure: Failure) -> _Found:
    return _Found(file._replace(problem=failure.reason), failure=failure)


def _bytes(path: str, wanted: Wanted) -> bytes:
    return read_input(Input(path, ""), BytesIO(), wanted.megabytes)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
