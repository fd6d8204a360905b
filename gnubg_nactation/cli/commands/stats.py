"""`nactate stats`: a player's ratings, luck and cube actions by month and by opponent."""

from __future__ import annotations

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.cli.results import (
    check_output,
    color_setting,
    db_setting,
    deliver,
    form_setting,
    output_setting,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.stats import csv_statistics, format_statistics, json_statistics
from gnubg_nactation.tasks.games import PlayerSettings
from gnubg_nactation.tasks.library import PlayerStatistics, stats

DESCRIPTION = """\
Show a player's progress: rating (PR), luck, doubles and takes by month and by opponent.
Reads the games stored by `nactate index`; prints text, CSV or JSON, or writes a page."""
EXAMPLES = """\
  nactate stats                              yours (your names: `index --me`)
  nactate stats --player Alice --since 2024
  nactate stats --to html -o stats.html      a page with a chart
  nactate stats --csv -o stats.csv
"""
USAGE = ""


class Options(PlayerSettings, first="to output color db"):
    """The settings of the task, and of its result."""

    to: str = form_setting("text", "json", "csv", "html")
    output: str | None = output_setting()
    color: str = color_setting()
    db: str | None = db_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = settings.db or default_path()
    check_output(settings.output, [path])
    with archive_at(path) as archive:
        text = _format(stats(archive, settings), settings.to)
    deliver(text, settings, streams)
    return Status.OK


def _format(report: PlayerStatistics, form: str) -> str:
    statistics, whose = report
    if form == "json":
        return json_statistics(statistics, whose)
    if form == "csv":
        return csv_statistics(statistics)
    if form == "html":
        from gnubg_nactation.exports.stats import statistics_page

        return statistics_page(statistics, whose)
    return format_statistics(statistics, whose)
