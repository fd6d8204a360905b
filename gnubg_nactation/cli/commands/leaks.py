"""`nactate leaks`: tell what costs you most, by the analyses of your own games."""

from __future__ import annotations

import argparse

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.leaks import Leaks, find_leaks
from gnubg_nactation.cli.archive_options import (
    add_db_option,
    add_game_options,
    add_min_option,
    filters_of,
)
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.results import add_result_options, deliver, overwritten
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option
from gnubg_nactation.exports.leaks import format_leaks, json_leaks
from gnubg_nactation.values import replace

DESCRIPTION = (
    "Tell what costs a player most in the games of a database that `nactate index` made: plays of "
    "the same roll in the same position that were wrong again, families (S where Z was right), "
    "and what was wrong about the cube, by what the player needed. Only analysed decisions count, "
    "and each leak stands with what it loses in a hundred analysed games, in points for a cube of "
    "the value it had. The places behind are what `card` and `post` take."
)
EXAMPLES = """\
  nactate leaks                                 yours, by the names that `index --me` noted
  nactate leaks --player Alice --boards         with a board for each
  nactate leaks --me Alice --me alice99         of both names together
  nactate leaks --since 2024-06                 what is better and what is worse since then
  nactate leaks --to html -o leaks.html         a page to print
  nactate leaks --json --top 3
"""
_TOP, _LEAST = 10, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_result_options(parser, ("text", "json", "html"))
    parser.add_argument("--boards", action="store_true", help="a board for each leak, in text")
    parser.add_argument(
        "--top",
        metavar="N",
        type=between(int, 1, 1000),
        default=_TOP,
        help=f"so many leaks of each kind at most (default: {_TOP})",
    )
    add_db_option(parser)
    group = parser.add_argument_group("which games")
    group.add_argument(
        "--me",
        metavar="NAME",
        dest="names",
        action="append",
        default=[],
        help="a name of yours, in the place of those that are noted; may be given again",
    )
    add_game_options(
        group, "compare what was lost from this day, month or year on with what was lost before"
    )
    add_min_option(group, _LEAST)
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = options.db or default_path()
    if conflict := _option_conflict(options, path):
        streams.report(f"leaks: {conflict}")
        return Status.USAGE
    names = options.names or [options.player] * bool(options.player)
    filters = replace(filters_of(options), me=not names, player="")
    with archive_at(path) as connection:
        whose = names or [name for (name,) in connection.execute(_NOTED)]
        if not whose:
            streams.report(
                "leaks: whose? No name of yours is noted; give --player NAME or --me NAME, or have "
                "`nactate index --me NAME` note one"
            )
            return Status.USAGE
        found = find_leaks(connection, filters, names, options.top)
        text = _format(found, ", ".join(whose), options)
    deliver(text, options, streams)
    return Status.OK


_NOTED = "SELECT name FROM handles ORDER BY name"


def _option_conflict(options: argparse.Namespace, path: str) -> str:
    """That options do not go together; empty if all do."""
    if options.names and options.player:
        return "--me and --player both say whose leaks are meant"
    if options.boards and options.to != "text":
        return "--boards is for text; a page has them anyway, and JSON has XGIDs"
    if found := overwritten(options.output, [path]):
        return f"-o would overwrite {found}"
    return ""


def _format(found: Leaks, whose: str, options: argparse.Namespace) -> str:
    if options.to == "json":
        return json_leaks(found, whose)
    if options.to == "html":
        from gnubg_nactation.exports.leaks_page import leaks_page

        return leaks_page(found, whose)
    return format_leaks(found, whose, boards=options.boards)
