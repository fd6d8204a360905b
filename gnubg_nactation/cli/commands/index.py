"""`nactate index`: store matches in a database."""

from __future__ import annotations

import argparse
import sqlite3

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.indexing import add_handles
from gnubg_nactation.archive.parquet import ORDERS, export_parquet
from gnubg_nactation.cli.annotate_options import (
    add_jobs_option,
    add_largest_option,
    add_scheduler_option,
)
from gnubg_nactation.cli.archive_options import add_db_option
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.engine import AUTO, add_analyst_options, analyse_conflict
from gnubg_nactation.cli.indexing import IndexSettings, index_files
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.showing import counted
from gnubg_nactation.system.paths import near
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Store your matches in a database, for explore, leaks, find, replies and cards.
Reads .xg, .mat, .txt and .sgf files; later runs read only what is new or changed."""
EXAMPLES = """\
  nactate index matches/                         into games.db
  nactate index --me "Ann Smith" --me ann77 matches/
  nactate index --jobs 4 --analyse matches/
  nactate index --export-parquet games.parquet

A match in several files counts once. Deleted files are forgotten, unless their folder is empty or
missing, as when a drive is not connected.
"""
_TURNS = 6
_ORDER = "game"
_ODD = """
SELECT count(*) FROM games JOIN matches ON matches.id = match
WHERE games.odd <> '' OR matches.odd <> ''
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] [FILE ...]"
    parser.add_argument("files", metavar="FILE", nargs="*", help="a match file, folder or pattern")
    add_db_option(parser)
    parser.add_argument(
        "--me",
        metavar="NAME",
        action="append",
        default=[],
        help="a name that you play under; repeatable",
    )
    add_largest_option(parser)
    parser.add_argument("--force", action="store_true", help="read unchanged files again")
    parser.add_argument(
        "--forget", action="store_true", help="forget deleted files even if their folder is empty"
    )
    add_jobs_option(parser, "read N files")
    parser.add_argument(
        "--export-parquet",
        metavar="FILE-or-FOLDER",
        help="write all turns as Parquet (needs the extra `parquet`)",
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default=_ORDER,
        help="sort the Parquet file by game (default) or by position, for quick lookups",
    )
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--analyse",
        action="store_true",
        help="analyse the first turns of games without analysis",
    )
    group.add_argument(
        "--turns",
        type=between(int, 1, 1000),
        default=_TURNS,
        metavar="N",
        help=f"analyse the first N turns of each game (default: {_TURNS})",
    )
    add_analyst_options(group)
    add_scheduler_option(group, "analyse")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    _check(options)
    path, settings = options.db or default_path(), _settings(options)
    with archive_at(path, create=bool(options.files or options.me)) as archive:
        if options.me:
            add_handles(archive, options.me)
        failures = index_files(archive, settings, options, streams) if options.files else 0
        streams.print(f"{near(path)}: {_account(archive)}\n")
        if odd := _number(archive, _ODD):
            streams.report(f"{counted(odd, 'game')} left out of means: impossible result")
        if options.export_parquet:
            export_parquet(archive, options.export_parquet, options.order)
    return Status.FAILED if failures else Status.OK


def _check(options: argparse.Namespace) -> None:
    """Raise SettingsError for arguments that are missing or do not go together."""
    if not (options.files or options.me or options.export_parquet):
        raise SettingsError("files or folders are missing")
    if options.forget and not options.files:
        raise SettingsError("--forget needs files or folders")
    if options.order != _ORDER and not options.export_parquet:
        raise SettingsError("--order goes with --export-parquet")
    if "-" in options.files:
        raise SettingsError("standard input cannot be indexed; name a file or folder")
    usual = ("plies", None), ("engine", AUTO), ("turns", _TURNS), ("scheduler", None)
    if conflict := analyse_conflict(options, usual):
        raise SettingsError(conflict)


def _settings(options: argparse.Namespace) -> IndexSettings:
    if not options.analyse:
        return IndexSettings(options.largest)
    bot = options.open_engine().bot  # one message if there is none, not one for each file
    plies = bot.usual if options.plies is None else options.plies
    label = bot.label(Depth(plies))
    return IndexSettings(options.largest, options.engine, plies, options.turns, label)


def _account(archive: sqlite3.Connection) -> str:
    counts = [
        counted(_number(archive, sql), *words)
        for sql, *words in (
            ("SELECT count(*) FROM files", "file"),
            ("SELECT count(*) FROM matches WHERE counted", "match", "matches"),
            ("SELECT count(*) FROM games", "game"),
            ("SELECT sum(kept) FROM games", "turn"),
        )
    ]
    copies = _number(archive, "SELECT count(*) FROM matches WHERE NOT counted")
    duplicates = counted(copies, "duplicate match", "duplicate matches")
    return ", ".join(counts) + (f"; {duplicates} skipped" if copies else "")


def _number(archive: sqlite3.Connection, sql: str) -> int:
    return archive.execute(sql).fetchone()[0] or 0
