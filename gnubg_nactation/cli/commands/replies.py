"""`nactate replies`: chart the replies to the opening moves, and compare two charts."""

from __future__ import annotations

import argparse

from gnubg_nactation.archive.replies import differences
from gnubg_nactation.cli.archive_options import add_filter_options
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.chart_sources import (
    add_chart_options,
    add_source_option,
    chart_from,
    check_sources,
    files_of,
    opening_type,
    source_type,
)
from gnubg_nactation.cli.dates import today
from gnubg_nactation.cli.results import check_output, width_of, write_result
from gnubg_nactation.cli.results_old import add_output_option
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.chart import (
    chart_book,
    chart_csv,
    chart_json,
    chart_text,
    differences_csv,
    differences_json,
    differences_text,
)
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Chart the best reply to each opening move and roll, or compare two charts.
Asks an engine, counts the games stored by `nactate index`, or reads a book of nacbracs."""
EXAMPLES = """\
  nactate replies                            takes a few minutes the first time
  nactate replies 31P 43Z --plies 0
  nactate replies --engine book              at once, from the opening book
  nactate replies --to html -o chart.html    one page to print
  nactate replies -o mine.book               a book, for --from and `explore --book`
  nactate replies --from archive --me        what you play
  nactate replies --diff engine archive --min 5

A book has lines such as

  31P-42 [P Z20]   # a comment
"""
_FORMS = ("text", "csv", "json", "html", "book")
_WIDTH = 120  # columns, unless a terminal has another width


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] [OPENING ...]"
    parser.add_argument(
        "openings",
        metavar="OPENING",
        type=opening_type,
        nargs="*",
        help="only replies to these first moves, as --opening",
    )
    sources = parser.add_mutually_exclusive_group()
    add_source_option(sources)
    sources.add_argument(
        "--diff",
        type=source_type,
        nargs=2,
        metavar="SOURCE",
        help="list replies that two sources rank differently, costliest first",
    )
    parser.add_argument(
        "--tolerance",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help="with --diff, also list plays whose losses differ by more",
    )
    parser.add_argument(
        "--to", choices=_FORMS, help="format (default: by the ending of -o, else text)"
    )
    add_output_option(parser)
    add_chart_options(parser)
    add_filter_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    options.opening = [*options.openings, *(options.opening or ())]
    form = options.to or _form_of(options.output or "")
    if options.diff and form in {"html", "book"}:
        raise SettingsError("--diff has no page and no book; use --to text, csv or json")
    if options.tolerance is not None and not options.diff:
        raise SettingsError("--tolerance goes with --diff")
    sources = options.diff or [options.source]
    check_output(options.output, files_of(sources, options))
    check_sources(sources, options)
    text = _compared(options, streams, form) if options.diff else _charted(options, streams, form)
    write_result(text.encode(), options.output, streams)
    return Status.OK


def _form_of(name: str) -> str:
    endings = {"jsonl": "json", "htm": "html"} | {form: form for form in _FORMS}
    return endings.get(name.rpartition(".")[2].lower(), "text")


def _charted(options: argparse.Namespace, streams: Streams, form: str) -> str:
    chart = chart_from(options.source, options, streams)
    if form == "html":
        from gnubg_nactation.exports.chart_page import chart_page

        return chart_page(chart)
    if form == "book":
        return chart_book(chart, today())
    if form == "text":
        return chart_text(chart, width_of(streams) or _WIDTH)
    return {"csv": chart_csv, "json": chart_json}[form](chart)


def _compared(options: argparse.Namespace, streams: Streams, form: str) -> str:
    first, second = (chart_from(name, options, streams) for name in options.diff)
    rows = list(differences(first, second, tolerance=options.tolerance))
    forms = {"text": differences_text, "csv": differences_csv, "json": differences_json}
    return forms[form](first, second, rows)
