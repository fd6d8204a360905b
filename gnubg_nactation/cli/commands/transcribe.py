"""`nactate transcribe`: turn a score sheet in Nactation into a match file."""

from __future__ import annotations

import argparse
import os

from gnubg_nactation.annotation import annotate
from gnubg_nactation.cli.forms import FORMS, AnnotateOptions, by_suffix
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, add_encoding_option, read_input
from gnubg_nactation.cli.streams import Status, Streams, UsageError
from gnubg_nactation.cli.work import write
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.match_text import decode_text
from gnubg_nactation.files.sheet import Sheet, read_sheets
from gnubg_nactation.showing import shown

DESCRIPTION = """\
Turn a score sheet in Nactation into a match file.
Reads a text with the players and their games; writes match text, SGF, JSON or a page."""
EXAMPLES = """\
  nactate transcribe sheet.txt -o match.mat
  nactate transcribe --check sheet.txt          only list what is wrong or doubtful
  nactate transcribe --to sgf - < sheet.txt

A sheet looks like this; an empty line separates games:

  Alice - Bob, 3 point match

  54S-63R-31P-D-P

  -61P-63R-...
"""
_FORMS = ("mat", "sgf", "json", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] SHEET"
    parser.add_argument("sheet", metavar="SHEET", help="a score sheet, or `-` (standard input)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file to write (default: standard output)"
    )
    parser.add_argument(
        "--to", choices=_FORMS, help="format (default: by the ending of -o, else mat)"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; print a line for each fault, and fail if there is one",
    )
    add_encoding_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    output = None if options.output == STANDARD_INPUT else options.output
    if options.check and (options.output or options.to):
        raise UsageError("--check writes nothing, so it goes without -o and --to")
    to = options.to or (by_suffix(output) if output else "mat")
    if to not in _FORMS:
        raise UsageError(f"-o needs a name that ends in {', '.join(f'.{form}' for form in _FORMS)}")
    if output and os.path.realpath(output) == os.path.realpath(options.sheet):
        raise UsageError(f"{output} would be overwritten")
    source = Input(options.sheet, os.path.basename(options.sheet))
    data = read_input(source, streams.stdin)
    name = "standard input" if source.is_standard_input else options.sheet
    try:
        sheets = read_sheets(decode_text(data, options.encoding))
    except MalformedError as error:
        raise MalformedError(f"{name}: {error}") from None
    faults = [f"{name}:{fault.place}: {fault.message}" for it in sheets for fault in it.faults]
    for fault in faults:
        if options.check:
            streams.print(f"{shown(fault)}\n")
        else:
            streams.report(fault)
    for note in [note for sheet in sheets for note in sheet.notes]:
        streams.report(f"{name}: {note}")
    if not (faults or options.check):
        _write(sheets, to, output, streams)
    return Status.FAILED if faults else Status.OK


def _write(sheets: tuple[Sheet, ...], to: str, output: str | None, streams: Streams) -> None:
    settings = AnnotateOptions(to=to)
    matches = [annotate(sheet.match, settings.characters) for sheet in sheets]
    data = FORMS[to].render(matches, [None] * len(matches), settings)
    if output:
        write(output, data)
    else:
        streams.write(data)
