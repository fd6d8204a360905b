"""`nactate index`: store matches in a database."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.indexing import add_handles, file_known
from gnubg_nactation.archive.parquet import ORDERS, export_parquet, parquet_file
from gnubg_nactation.cli.results import OfDatabase, check_output, largest_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.files.formats import SUFFIXES
from gnubg_nactation.showing import counted
from gnubg_nactation.system.resources import near
from gnubg_nactation.tasks.engines import NONE
from gnubg_nactation.tasks.library import Contents, IndexSettings, contents_of, index
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import (
    EMPTY_NAME,
    MatchFile,
    below,
    find_inputs,
    tidy,
)

DESCRIPTION = """\
Store your matches in a database, for explore, find, leaks, stats, replies and cards.
Reads .xg, .mat, .txt and .sgf files; later runs read only what is new or changed."""
EXAMPLES = """\
  nactate index matches/                         into games.db
  nactate index --me "Ann Smith" --me ann77 matches/
  nactate index --jobs 4 --analyse matches/
  nactate index --export-parquet games.parquet

A match in several files counts once. Deleted files are forgotten, unless their folder is empty or
missing, as when a drive is not connected.
"""
USAGE = "[FILE ...]"
_ORDER = "game"
_NOT_THERE = os.strerror(errno.ENOENT)


class _Database(OfDatabase, group=""):
    """The database, which is no filter here."""


class Options(
    IndexSettings,
    _Database,
    first="files db me largest force forget jobs export_parquet order",
):
    """The settings of the task, the files, and the database."""

    files: tuple[str, ...] = setting((), "a match file, folder or pattern", "FILE", words="any")
    me: tuple[str, ...] = setting((), "a name that you play under; repeatable", "NAME")
    largest: int = largest_setting()
    forget: bool = setting(False, "forget deleted files even if their folder is empty")
    export_parquet: str | None = setting(
        None, "write all turns as Parquet (needs the extra `parquet`)", "FILE-or-FOLDER"
    )
    order: str = setting(
        _ORDER,
        "sort the Parquet file by game (default) or by position, for quick lookups",
        choices=ORDERS,
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    _check(settings)
    path, status = settings.db or default_path(), Status.OK
    sources = (
        file for source in find_inputs(settings.files) for file in (source.path, *source.others)
    )
    _check_export(settings, chain([path], sources))
    if settings.analyse:
        streams.open_engine()  # before a database is created
    with archive_at(path, create=bool(settings.files or settings.me)) as archive:
        _check_export(settings, (file for (file,) in archive.execute("SELECT path FROM files")))
        if settings.me:
            add_handles(archive, settings.me)
        if settings.files and not _index(archive, settings, streams):
            status = Status.FAILED
        contents = contents_of(archive)
        streams.print(f"{near(path)}: {_account(contents)}\n")
        if contents.odd:
            odd = counted(contents.odd, "game")
            streams.report(f"{odd} left out of means: impossible result")
        if settings.export_parquet:
            export_parquet(archive, settings.export_parquet, settings.order)
    return status


def _check(settings: Options) -> None:
    """Raise SettingsError for arguments that are missing or do not go together."""
    if not (settings.files or settings.me or settings.export_parquet):
        raise SettingsError("files or folders are missing")
    if settings.forget and not settings.files:
        raise SettingsError("--forget needs files or folders")
    if settings.order != _ORDER and not settings.export_parquet:
        raise SettingsError("--order goes with --export-parquet")
    if not all(name.strip() for name in settings.me):
        raise SettingsError("--me needs a name")
    if "" in settings.files:  # before a database is created
        raise SettingsError(EMPTY_NAME)
    if "-" in settings.files:
        raise SettingsError("standard input cannot be indexed; name a file or folder")
    if settings.analyse or settings.engine == NONE:
        return
    for name in ("plies", "engine", "turns", "scheduler"):
        if getattr(settings, name) != settings.declared[name].default:
            raise SettingsError(f"--{name} goes with --analyse")


def _check_export(settings: Options, files: Iterable[str]) -> None:
    if settings.export_parquet:
        check_output(parquet_file(settings.export_parquet), files, "--export-parquet")


def _account(contents: Contents) -> str:
    counts = [
        counted(contents.files, "file"),
        counted(contents.matches, "match", "matches"),
        counted(contents.games, "game"),
        counted(contents.turns, "turn"),
    ]
    duplicates = counted(contents.duplicates, "duplicate match", "duplicate matches")
    return ", ".join(counts) + (f"; {duplicates} skipped" if contents.duplicates else "")


# What is about paths


def _index(archive: sqlite3.Connection, settings: Options, streams: Streams) -> bool:
    """Store new and changed files, forget files that are gone; return whether all went well."""
    gone_files = _gone_files(archive, settings.files)
    files: list[MatchFile] = []
    faults: list[OSError] = []  # folders that cannot be searched
    missing: list[str] = []  # arguments whose files are gone
    for source in find_inputs(settings.files):
        path = os.path.abspath(source.path)
        if source.error:
            faults.append(source.error)
        elif _is_gone(path) and any(_is_within(file, path) for file in gone_files):
            missing.append(source.path)
        else:
            others = tuple(map(os.path.abspath, source.others))
            files.append(MatchFile(path, settings.largest, others))
    for fault in faults:
        streams.report(f"{fault.filename}: {fault.strerror}")
    kept_files: dict[str, str] = {}

    by_name = {file.name: file for file in files}
    # A file that is now read with an earlier game of its match was alone before.
    joined = [name for file in files for name in file.others if file_known(archive, name)]

    def gone() -> Iterator[str]:
        if not settings.forget:
            kept_files.update(_kept_files(archive, gone_files, settings.files))
        yield from joined
        yield from (path for path in gone_files if path not in kept_files)

    def find(path: str) -> MatchFile | None:
        if path in by_name:
            return by_name[path]
        return None if _is_gone(path) else MatchFile(path, settings.largest)

    failures = index(archive, files, settings, streams, gone=gone, find=find).failures
    if settings.forget:
        return not (faults or failures)
    numbers = Counter(kept_files.values())
    for argument in missing:
        if argument not in numbers:
            streams.report(f"{argument}: {_NOT_THERE}")
    for place, number in numbers.items():
        reason = "" if os.path.exists(place) else f"{_NOT_THERE}; "
        streams.report(
            f"{place}: {reason}{counted(number, 'indexed file')} missing, and the folder has "
            "no match files, so the games are kept (--forget removes them)"
        )
    return not (faults or failures or missing)


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
    """Return the gone files whose games to keep, each with the folder or argument to report.

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
        suffix = os.path.splitext(path)[1].lower()
        if holds_matches(folder, suffix):
            continue
        if moved is None:
            rows = archive.execute("SELECT path, digest FROM files").fetchall()
            moved = {digest for file, digest in rows if not _is_gone(file)}
        stored = file_known(archive, path)
        if stored and stored.digest not in moved:
            while _is_within(above := os.path.dirname(folder), top) and not (
                holds_matches(above, suffix)
            ):
                folder = above
            is_inner = folder != top and _is_within(folder, top)
            kept_files[path] = near(folder) if is_inner else tidy(argument)
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
