"""Reading files into the database, by one or several processes."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, nullcontext, suppress
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
from gnubg_nactation.cli.work import Failure, engine_of_worker, failure_of, guarded
from gnubg_nactation.engines.analysing import analyse_beginnings
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.showing import counted
from gnubg_nactation.system.paths import near
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse

_MAX_TASK_FILES = 8  # their rows wait in memory
_NOT_THERE = os.strerror(errno.ENOENT)


class IndexSettings(NamedTuple):
    """How files are read. The engine, if any, analyses the first `turns` of matches without one.

    `label` names the engine and its depth.
    """

    megabytes: int = MEGABYTES
    engine: str = ""
    plies: int = 0
    turns: int = 0
    label: str = ""

    @property
    def made(self) -> str:
        """The note in the database about a file: the version of its rows, and the engine."""
        return f"{CONTENT} {self.label}, {self.turns} turns" if self.engine else str(CONTENT)

    def is_made(self, made: str) -> bool:
        """Whether the database holds a file as these settings store it, or with an analysis."""
        return made == self.made or (not self.engine and made.startswith(f"{CONTENT} "))


class _Outcome(NamedTuple):
    """The rows of a file, or the failure to read it."""

    file: FileRow
    matches: tuple[MatchRow, ...] = ()
    failure: Failure | None = None


def index_files(
    archive: sqlite3.Connection,
    settings: IndexSettings,
    options: argparse.Namespace,
    streams: Streams,
) -> int:
    """Read new and changed files, forget files that are gone; return the number of failures.

    Old rows of a file stay until the new ones are stored, so that nothing is missing meanwhile.
    """
    gone_files = _gone_files(archive, options.files)
    plan = _plan(archive, settings, options, gone_files)
    refresh(archive, plan.same)
    for fault in plan.faults:
        streams.report(f"{fault.filename}: {fault.strerror}")
    failures = len(plan.faults) + _store_all(archive, plan.todo, settings, options, streams)
    kept_files = {} if options.forget else _kept_files(archive, gone_files, options.files)
    forget(archive, [path for path in gone_files if path not in kept_files])
    # If the counted copy of a match is gone, another file has to be read for it.
    tried: set[str] = set()
    while paths := [
        path for path in files_to_recount(archive) if path not in tried and not _is_gone(path)
    ]:
        tried.update(paths)
        failures += _store_all(archive, paths, settings, options, streams)
    if options.forget:
        return failures
    numbers = Counter(kept_files.values())
    for argument in plan.missing:
        if argument not in numbers:
            streams.report(f"{argument}: {_NOT_THERE}")
    for argument, number in numbers.items():
        missing = "" if os.path.exists(argument) else f"{_NOT_THERE}; "
        streams.report(
            f"{argument}: {missing}{counted(number, 'indexed file')} missing, and the folder has "
            "no match files, so the games are kept (--forget removes them)"
        )
    return failures + len(plan.missing)


def _store_all(
    archive: sqlite3.Connection,
    todo: Sequence[str],
    settings: IndexSettings,
    options: argparse.Namespace,
    streams: Streams,
) -> int:
    """Read files into the database; return the number of failures."""
    failures = 0
    with (
        progress(streams, len(todo), "indexing") as bar,
        closing(_read_all(todo, settings, options)) as outcomes,
    ):
        for number, (file, matches, failure) in enumerate(outcomes, 1):
            if failure:
                failures += 1
                bar.clear()
                streams.report(f"{near(file.path)}: {failure.reason}")
            # Only a malformed file replaces its old rows; other failures may be temporary.
            if (
                failure is None
                or failure.kind == "malformed"
                or (failure.kind != "gone" and not file_known(archive, file.path))
            ):
                add_file(archive, file, matches, again=options.force)
            bar.show(number, failures)
    return failures


class _Plan(NamedTuple):
    """The files to read, those with the same bytes at a new time, and problems.

    `faults` are folders that cannot be searched, `missing` are arguments whose files are gone.
    """

    todo: list[str]
    same: list[FileRow]
    faults: list[OSError]
    missing: list[str]


def _plan(
    archive: sqlite3.Connection,
    settings: IndexSettings,
    options: argparse.Namespace,
    gone_files: Sequence[str],
) -> _Plan:
    plan = _Plan([], [], [], [])
    for source in find_inputs(options.files):
        if source.error:
            plan.faults.append(source.error)
            continue
        path = os.path.abspath(source.path)
        if _is_gone(path) and any(_is_within(file, path) for file in gone_files):
            plan.missing.append(source.path)
            continue
        stored = file_known(archive, path)
        current = None if stored is None or options.force else _unchanged(stored, settings)
        if current is None:
            plan.todo.append(path)
        elif current != stored:
            plan.same.append(current)
    return plan


def _unchanged(stored: FileRow, settings: IndexSettings) -> FileRow | None:
    """Return the current row of a stored file; None if it must be read again."""
    if stored.problem or not settings.is_made(stored.made):
        return None
    with suppress(OSError):  # reading it will report the error
        now = os.stat(stored.path)
        if (now.st_size, now.st_mtime_ns) == (stored.size, stored.changed):
            return stored
        if now.st_size == stored.size and _digest(_bytes(stored.path, settings)) == stored.digest:
            return stored._replace(changed=now.st_mtime_ns)
    return None


def _gone_files(archive: sqlite3.Connection, arguments: Sequence[str]) -> list[str]:
    """Return the stored files that the arguments name and that no longer exist."""
    names = [os.path.abspath(argument) for argument in arguments]
    paths = (path for (path,) in archive.execute("SELECT path FROM files"))
    matching = (path for path in paths if any(_is_named(path, name) for name in names))
    return list(filter(_is_gone, matching))


def _is_named(path: str, name: str) -> bool:
    """Whether a name is that of a file or its folder, or a pattern for it."""
    return _is_within(path, name) or fnmatchcase(path, name)


def _is_within(path: str, name: str) -> bool:
    return path == name or path.startswith(below(name))


def _kept_files(
    archive: sqlite3.Connection, gone_files: Iterable[str], arguments: Sequence[str]
) -> dict[str, str]:
    """Return the gone files whose games to keep, each with the argument that names it.

    They are kept if the drive may be missing: no match file is left in their folder, nor, if that
    is gone, in the nearest folder above within the argument. A file that was moved is not kept: its
    bytes are stored from a file that exists.
    """
    kept_files: dict[str, str] = {}
    holds_matches = lru_cache(maxsize=None)(_holds_matches)
    moved: set[bytes] | None = None
    for path in gone_files:
        argument = next(name for name in arguments if _is_named(path, os.path.abspath(name)))
        top, folder = os.path.abspath(argument), os.path.dirname(path)
        while not os.path.isdir(folder) and _is_within(folder, top) and folder != top:
            folder = os.path.dirname(folder)
        if holds_matches(folder, os.path.splitext(path)[1].lower()):
            continue
        if moved is None:
            rows = archive.execute("SELECT path, digest FROM files").fetchall()
            moved = {digest for file, digest in rows if not _is_gone(file)}
        stored = file_known(archive, path)
        if stored and stored.digest not in moved:
            kept_files[path] = tidy(argument)
    return kept_files


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


def _read_all(
    todo: Sequence[str], settings: IndexSettings, options: argparse.Namespace
) -> Generator[_Outcome, None, None]:
    """Yield the outcomes of files, which a cluster, several processes or this one read."""
    if options.scheduler and todo:
        yield from _read_far(todo, settings, options.scheduler)
        return
    processes = min(options.jobs, len(todo))
    if processes < 2:
        engine = options.open_engine() if settings.engine else None
        for path in todo:
            yield _read_file(path, settings, engine)
        return
    size = 1 if settings.engine else min(_MAX_TASK_FILES, task_size(len(todo), processes))
    paths = iter(todo)
    tasks = iter(lambda: list(islice(paths, size)), [])
    do = partial(_read_files, settings=settings)
    with closing(by_pool(tasks, do, None, processes)) as outcomes:
        for path, outcome in zip(todo, outcomes, strict=True):
            yield outcome or _failed(FileRow(path, made=settings.made), _CRASHED)


_CRASHED = Failure("crashed", "the process reading it died")


def _read_files(paths: Sequence[str], settings: IndexSettings) -> list[_Outcome | None]:
    """Read the files of a task, in a worker."""
    return _read_opened((_open_file(path, settings) for path in paths), settings)


def _read_far(
    todo: Sequence[str], settings: IndexSettings, address: str
) -> Generator[_Outcome, None, None]:
    """Yield the outcomes of files whose bytes are read here, and the rest in a cluster."""
    from gnubg_nactation.cli.cluster import tasks_by_scheduler

    tasks = ([_open_file(path, settings)] for path in todo)
    do = partial(_read_opened, settings=settings)
    with closing(tasks_by_scheduler(tasks, do, None, address)) as outcomes:
        for path, outcome in zip(todo, outcomes, strict=True):
            yield outcome or _failed(FileRow(path, made=settings.made), _CRASHED)


def _read_opened(files: Iterable[_Opened], settings: IndexSettings) -> list[_Outcome | None]:
    """Read the bytes of files, in a worker, which keeps its engine."""
    try:
        with engine_of_worker(settings.engine) if settings.engine else nullcontext() as engine:
            return [_read_bytes(file, settings, engine) for file in files]
    except EngineError as error:
        return [_failed(file.row, Failure("engine", str(error))) for file in files]


def _read_file(path: str, settings: IndexSettings, engine: Analyser | None) -> _Outcome:
    return _read_bytes(_open_file(path, settings), settings, engine)


class _Opened(NamedTuple):
    """The bytes of a file, or the failure to read them."""

    row: FileRow
    data: bytes = b""
    failure: Failure | None = None


def _open_file(path: str, settings: IndexSettings) -> _Opened:
    file = FileRow(path, made=settings.made)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # it might have no end
            reason = "not a file but a pipe or a device"
            return _Opened(file, failure=Failure("unreadable", reason))
        # If the file changes from now on, the next run sees a new time.
        file = file._replace(size=status.st_size, changed=status.st_mtime_ns)
        data = _bytes(path, settings)
    except OSError as error:
        kind = "gone" if isinstance(error, FileNotFoundError) else "unreadable"
        return _Opened(file, failure=failure_of(error, kind))
    return _Opened(file._replace(size=len(data), digest=_digest(data)), data)


def _read_bytes(opened: _Opened, settings: IndexSettings, engine: Analyser | None) -> _Outcome:
    file, data, failure = opened
    if failure:
        return _failed(file, failure)
    analyse = None
    if engine:
        depth, count = Depth(settings.plies), settings.turns
        analyse = partial(analyse_beginnings, analyser=engine, depth=depth, count=count)
    rows = guarded(lambda: read_rows(data, analyse))
    return _failed(file, rows) if isinstance(rows, Failure) else _Outcome(file, rows)


def _failed(file: FileRow, failure: Failure) -> _Outcome:
    return _Outcome(file._replace(problem=failure.reason), failure=failure)


def _bytes(path: str, settings: IndexSettings) -> bytes:
    return read_input(Input(path, ""), BytesIO(), settings.megabytes)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
