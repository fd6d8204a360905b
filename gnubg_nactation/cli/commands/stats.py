"""`nactate stats`: a player's ratings, luck and cube actions by month and by opponent."""

from __future__ import annotations

import argparse

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.stats import Statistics, find_statistics
from gnubg_nactation.cli.archive_options import add_game_options, add_names_option, games_of_player
from gnubg_nactation.cli.results import add_result_options, check_output, deliver
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option
from gnubg_nactation.exports.stats import csv_statistics, format_statistics, json_statistics

DESCRIPTION = """\
Show a player's progress: rating (PR), luck, doubles and takes by month and by opponent.
Reads the games stored by `nactate index`; prints text, CSV or JSON, or writes a page."""
EXAMPLES = """\
  nactate stats                              yours (your names: `index --me`)
  nactate stats --player Alice --since 2024
  nactate stats --to html -o stats.html      a page with a chart
  nactate stats --csv -o stats.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options]"
    add_result_options(parser, ("text", "json", "csv", "html"))
    add_color_option(parser)
    group = add_game_options(parser)
    add_names_option(group)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = options.db or default_path()
    check_output(options.output, [path])
    with archive_at(path) as connection:
        filters, names, whose = games_of_player(connection, options, "statistics")
        text = _format(find_statistics(connection, filters, names), whose, options)
    deliver(text, options, streams)
    return Status.OK


def _format(statistics: Statistics, whose: str, options: argparse.Namespace) -> str:
    if options.to == "json":
        return json_statistics(statistics, whose)
    if options.to == "csv":
        return csv_statistics(statistics)
    if options.to == "html":
        from gnubg_nactation.exports.stats_page import statistics_page

        return statistics_page(statistics, whose)
    return format_statistics(statistics, whose)
