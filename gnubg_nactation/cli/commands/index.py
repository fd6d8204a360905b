"""`nactate index`: put every turn of match files into a database."""

from __future__ import annotations

import argparse
import sqlite3

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.indexing import add_handles
from gnubg_nactation.archive.parquet import export_parquet
from gnubg_nactation.cli.annotate_options import (
    add_jobs_option,
    add_largest_option,
)
from gnubg_nactation.cli.archive_options import add_db_option
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.engine import AUTO, add_analyst_options, analyse_conflict
from gnubg_nactation.cli.indexing import IndexSettings, index_files
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.showing import counted
from gnubg_nactation.system.paths import near

DESCRIPTION = (
    "Put every turn of match files into a database, which explore, leaks, find and replies ask: "
    "players, score, cube, roll, position, Nactation, result, and what an analysis says."
)
EXAMPLES = """\
  nactate index matches/                         into games.db
  nactate index --db all.db matches/ 'old/*.mat'
  nactate index --me "Ann Smith" --me ann77 matches/
  nactate index --jobs 4 --analyse matches/      the first six turns of each game, by gnubg
  nactate index --export-parquet games.parquet   what is there, for other programs

Files that are known and have not changed are passed over; a file that has vanished from a folder
named is forgotten, unless the folder is empty, as of a drive that is missing. The same match in
several files counts once.
"""
_TURNS = 6
_ODD = """
SELECT count(*) FROM games JOIN matches ON matches.id = match
WHERE games.odd <> '' OR matches.odd <> ''
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "files",
        metavar="ARCHIVE",
        nargs="*",
        help="a match file, a folder (searched for .mat, .txt, .sgf and .xg), or a pattern",
    )
    add_db_option(parser)
    parser.add_argument(
        "--me",
        metavar="NAME",
        action="append",
        default=[],
        help="a name that you play under, which is noted; may be given several times",
    )
    add_largest_option(parser)
    parser.add_argument("--force", action="store_true", help="read again what has not changed")
    parser.add_argument(
        "--forget",
        action="store_true",
        help="forget files that are gone even if nothing is left in their folder",
    )
    add_jobs_option(parser, "read")
    parser.add_argument(
        "--export-parquet",
        metavar="FILE-or-FOLDER",
        help="write all turns, each with its game and match, as Parquet (the extra `parquet`); "
        "into a folder as turns.parquet",
    )
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--analyse",
        action="store_true",
        help="have an engine analyse the first turns of the games of matches without analysis",
    )
    group.add_argument(
        "--turns",
        type=between(int, 1, 1000),
        default=_TURNS,
        metavar="N",
        help=f"how many turns of each game (default: {_TURNS})",
    )
    add_analyst_options(group)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if wrong := _usage_error(options):
        streams.report(f"index: {wrong}")
        return Status.USAGE
    path, settings = options.db or default_path(), _settings(options)
    with archive_at(path, create=bool(options.files or options.me)) as archive:
        if options.me:
            add_handles(archive, options.me)
        failures = index_files(archive, settings, options, streams) if options.files else 0
        streams.print(f"{near(path)}: {_account(archive)}\n")
        if odd := _number(archive, _ODD):
            are = "is" if odd == 1 else "are"
            streams.report(f"{counted(odd, 'game')} with odd results {are} left out of means")
        if options.export_parquet:
            export_parquet(archive, options.export_parquet)
    return Status.FAILED if failures else Status.OK


def _usage_error(options: argparse.Namespace) -> str:
    if not (options.files or options.me or options.export_parquet):
        return "files or folders are missing"
    if options.forget and not options.files:
        return "--forget needs the files or folders to be forgotten"
    if "-" in options.files:
        return "files are indexed by their names, not from standard input"
    return analyse_conflict(options, (("plies", None), ("engine", AUTO), ("turns", _TURNS)))


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
    return ", ".join(counts) + (
        f"; {counted(copies, 'copy', 'copies')} not counted" if copies else ""
    )


def _number(archive: sqlite3.Connection, sql: str) -> int:
    return archive.execute(sql).fetchone()[0] or 0
