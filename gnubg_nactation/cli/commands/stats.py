"""`nactate stats`: a player's ratings, luck and cube actions by month and by opponent."""

from __future__ import annotations

from gnubg_nactation.exports import stats as written
from gnubg_nactation.tasks.library import stats

TASK = stats
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
FORMS = {
    "text": lambda report: written.format_statistics(*report),
    "json": lambda report: written.json_statistics(*report),
    "csv": lambda report: written.csv_statistics(report.statistics),
    "html": lambda report: written.statistics_page(*report),
}
