"""`nactate leaks`: list what a player's mistakes cost."""

from __future__ import annotations

import argparse
import os

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.leaks import Leaks, find_leaks
from gnubg_nactation.archive.opening_leaks import OpeningLeaks, find_opening_leaks
from gnubg_nactation.cli.archive_options import (
    add_game_options,
    add_min_option,
    add_names_option,
    games_of_player,
)
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.results import add_result_options, check_output, deliver
from gnubg_nactation.cli.streams import Status, Streams, UsageError
from gnubg_nactation.cli.terminal import add_color_option
from gnubg_nactation.exports.leaks import format_leaks, json_leaks
from gnubg_nactation.exports.leaks_page import leaks_page
from gnubg_nactation.exports.opening_leaks import opening_leaks_text
from gnubg_nactation.showing import shown
from gnubg_nactation.system.paths import relative_link
from gnubg_nactation.values import replace

DESCRIPTION = """\
List what a player's mistakes cost: the costliest decisions, themes, phases, replies, the cube.
Reads the games stored by `nactate index`; prints text or JSON, or writes a page."""
EXAMPLES = """\
  nactate leaks                              yours (your names: `index --me`)
  nactate leaks --player Alice --boards
  nactate leaks --since 2024-06              what improved since then
  nactate leaks --to html -o leaks.html      a page to print
  nactate leaks --to html -o leaks.html --pages pages
                                             with links to the pages of your matches
"""
_TOP, _MIN_COUNT = 10, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options]"
    add_result_options(parser, ("text", "json", "html"))
    parser.add_argument("--boards", action="store_true", help="print a board for each leak")
    parser.add_argument(
        "--top",
        metavar="N",
        type=between(int, 1, 1000),
        default=_TOP,
        help=f"show at most N leaks of each kind (default: {_TOP})",
    )
    parser.add_argument(
        "--pages",
        metavar="FOLDER",
        help="link to the pages that `annotate --to html` wrote here (default: that of --output)",
    )
    add_color_option(parser)
    group = add_game_options(
        parser, "compare losses from this day, month or year on with those before"
    )
    add_names_option(group)
    add_min_option(group, _MIN_COUNT)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = options.db or default_path()
    _check(options, path)
    with archive_at(path) as connection:
        filters, names, whose = games_of_player(connection, options, "leaks")
        leaks = find_leaks(connection, filters, names, options.top)
        ever = replace(filters, since="")
        openings = find_opening_leaks(connection, ever, names, options.top)
        text = _format(leaks, openings, whose, options)
    deliver(text, options, streams)
    return Status.OK


def _check(options: argparse.Namespace, path: str) -> None:
    """Raise UsageError for options that do not go together."""
    if options.boards and options.to != "text":
        raise UsageError("--boards goes with text; a page always has boards, and JSON has XGIDs")
    if options.pages and options.to != "html":
        raise UsageError("--pages goes with --to html")
    if options.pages and not os.path.isdir(options.pages):
        raise UsageError(f"--pages: no folder {shown(options.pages)}")
    check_output(options.output, [path])


def _format(leaks: Leaks, openings: OpeningLeaks, whose: str, options: argparse.Namespace) -> str:
    if options.to == "json":
        return json_leaks(leaks, whose, openings)
    if options.to == "html":
        return leaks_page(leaks, whose, openings, _links(leaks, options))
    return format_leaks(leaks, whose, boards=options.boards) + opening_leaks_text(openings)


def _links(leaks: Leaks, options: argparse.Namespace) -> dict[str, str]:
    """The pages of match files, relative to the output."""
    is_file = options.output not in {None, "-"}
    base = os.path.dirname(os.path.abspath(options.output)) if is_file else os.getcwd()
    folder = options.pages or (base if is_file else "")
    files = {example.place.file for example in leaks.examples}
    pages = {file: page for file in files if folder and (page := _page_of(file, folder))}
    return {file: relative_link(page, base) for file, page in pages.items()}


def _page_of(file: str, folder: str) -> str:
    """The page of a match file in a folder or its subfolders; empty if there is none."""
    parts = os.path.normpath(file).split(os.sep)
    for first in range(len(parts)):
        place = os.path.join(folder, *parts[first:])
        for page in (f"{place}.html", f"{os.path.splitext(place)[0]}.html"):
            if parts[first] not in {"", os.pardir} and os.path.isfile(page):
                return page
    return ""
