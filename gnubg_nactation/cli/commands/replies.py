"""`nactate replies`: chart the replies to the opening moves, and compare two charts."""

from __future__ import annotations

import argparse

from gnubg_nactation.archive.replies import differences
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.chart_sources import (
    add_chart_options,
    add_source_option,
    chart_from,
    files_of,
    source,
    source_conflict,
)
from gnubg_nactation.cli.results import overwritten
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import width_of
from gnubg_nactation.exports.chart import (
    chart_csv,
    chart_json,
    chart_text,
    differences_csv,
    differences_json,
    differences_text,
)
from gnubg_nactation.system.atomic import write_atomically

DESCRIPTION = (
    "The chart of replies: for each of the 30 usual first moves and each of the 21 rolls the best "
    "play and the next one with what it loses. It comes from an engine, whose answers are kept, so "
    "that an interrupted chart goes on where it was; from an archive, what was played most; or "
    "from a book, a file of nacbracs. --diff lists what differs between two of them."
)
EXAMPLES = """\
  nactate replies                                    by the engine, some minutes the first time
  nactate replies --opening 31P --opening 43Z --plies 0
  nactate replies --to html -o chart.html            one page of paper, A4 across
  nactate replies --score dmp --to csv -o dmp.csv
  nactate replies --from archive --db games.db --me  what I play
  nactate replies --from theory.txt
  nactate replies --diff engine archive --min 5      where practice differs
  nactate replies --diff engine engine@-2-3          money and a score

A book has lines such as

  31P-42 [P Z20]   # a comment

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points that who replies and
the opponent need: -3-5, or -2-1C in the Crawford game.
"""
_FORMS = ("text", "csv", "json", "html")
_WIDTH = 120  # columns where no terminal says how many


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    which = parser.add_mutually_exclusive_group()
    add_source_option(which)
    which.add_argument(
        "--diff",
        type=source,
        nargs=2,
        metavar="SOURCE",
        help="list the replies of which two sources put different plays first, the dearest first",
    )
    parser.add_argument(
        "--tolerance",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help="with --diff, also where they tell the loss of a play further apart",
    )
    parser.add_argument(
        "--to", choices=_FORMS, help="the form (default: by the ending of -o, else text)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="instead of the terminal")
    add_chart_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = options.to or _form_of(options.output or "")
    if conflict := _option_conflict(options, form):
        streams.report(f"replies: {conflict}")
        return Status.USAGE
    text = _compared(options, streams, form) if options.diff else _charted(options, streams, form)
    if options.output and options.output != "-":
        write_atomically(options.output, text.encode())
    elif form == "text":
        streams.print(text)
    else:
        streams.write(text.encode())
    return Status.OK


def _option_conflict(options: argparse.Namespace, form: str) -> str:
    """What makes no sense together; empty if all does."""
    if options.diff and form == "html":
        return "--diff has no page; --to text, csv or json"
    if options.tolerance is not None and not options.diff:
        return "--tolerance goes with --diff"
    sources = options.diff or [options.source]
    if found := overwritten(options.output, files_of(sources, options)):
        return f"-o would overwrite {found}"
    return source_conflict(sources, options)


def _form_of(name: str) -> str:
    endings = {"csv": "csv", "json": "json", "jsonl": "json", "html": "html", "htm": "html"}
    return endings.get(name.rpartition(".")[2].lower(), "text")


def _charted(options: argparse.Namespace, streams: Streams, form: str) -> str:
    chart = chart_from(options.source, options, streams)
    if form == "html":
        from gnubg_nactation.exports.chart_page import chart_page

        return chart_page(chart)
    if form == "text":
        return chart_text(chart, width_of(streams) or _WIDTH)
    return {"csv": chart_csv, "json": chart_json}[form](chart)


def _compared(options: argparse.Namespace, streams: Streams, form: str) -> str:
    first, second = (chart_from(one, options, streams) for one in options.diff)
    found = list(differences(first, second, tolerance=options.tolerance))
    forms = {"text": differences_text, "csv": differences_csv, "json": differences_json}
    return forms[form](first, second, found)
