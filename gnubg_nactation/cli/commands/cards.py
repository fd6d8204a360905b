"""`nactate cards`: make flashcards for Anki of replies, of errors, or of the alphabet."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.cli.archive_options import filters_of
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.chart_sources import (
    Source,
    add_chart_options,
    add_source_option,
    archive_options,
    chart_from,
    files_of,
    source_conflict,
)
from gnubg_nactation.cli.inputs import add_encoding_option, find_inputs, read_input
from gnubg_nactation.cli.results import overwritten
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.flashcards import flashcards_of_match, once
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.files.formats import read
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.cli.inputs import Input
    from gnubg_nactation.exports.flashcards import Flashcard

DESCRIPTION = (
    "Make a deck of flashcards: a board and a question on the front; the answer with its nacbrac, "
    "why it has its name, the sequence and the XGID on the back. The questions are the replies of "
    "a chart, the errors of analysed matches or of an archive, or the alphabet. Anki knows each "
    "card again: a deck that is imported twice adds nothing, a better answer takes its place."
)
EXAMPLES = """\
  nactate cards alphabet -o alphabet.apkg
  nactate cards replies -o replies.apkg                    30 first moves, 21 rolls
  nactate cards replies --opening 31P --from theory.txt -o theory.csv
  nactate cards errors match.sgf --player Ann -o mine.apkg
  nactate cards errors --db games.db --me -o leaks.apkg    what costs most
"""
_FORMS = ("apkg", "csv")
_LEAST, _MOST = 0.05, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what", choices=("replies", "errors", "alphabet"), help="what the questions are"
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="of errors: analysed match files or folders (without any: the archive)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the deck, CSV where it ends in .csv, else Anki's (with the extra `cards`); `-` for "
        "standard output",
    )
    parser.add_argument("--form", choices=_FORMS, help="the form, whatever the name of the file")
    add_source_option(parser)
    parser.add_argument(
        "--errors",
        type=between(float, 0, 10, " points"),
        default=_LEAST,
        metavar="POINTS",
        help=f"of errors: only those that lost so much at least (default: {_LEAST})",
    )
    parser.add_argument(
        "--most",
        type=between(int, 1, 10**5),
        default=_MOST,
        metavar="N",
        help=f"of the archive's errors: those that cost most (default: {_MOST})",
    )
    add_encoding_option(parser)
    add_chart_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    from gnubg_nactation.exports.deck import deck_apkg, deck_csv

    form = options.form or ("csv" if options.output.lower().endswith(".csv") else "apkg")
    if conflict := _option_conflict(options, streams, form):
        streams.report(f"cards: {conflict}")
        return Status.USAGE
    failed: list[str] = []
    with ExitStack() as stack:
        cards = once(list(_cards(options, streams, failed, stack)))
        if not cards:
            if not failed:
                streams.report(f"cards: {_NONE[options.what]}")
            return Status.FAILED
        data = deck_csv(cards).encode() if form == "csv" else deck_apkg(cards, _now())
    if options.output == "-":
        streams.write(data)
    else:
        write_atomically(options.output, data)
    return Status.FAILED if failed else Status.OK


_NONE = {
    "replies": "the source says nothing of these replies",
    "errors": "no analysed error is so large; --errors says how large one must be",
    "alphabet": "",
}


def _option_conflict(options: argparse.Namespace, streams: Streams, form: str) -> str:
    """What makes no sense together; empty if all does."""
    if options.files and options.what != "errors":
        return f"files say nothing of {options.what}"
    given = [one for one in archive_options(options) if one != "player"]
    if options.files and (given or options.score is not None):
        return f"--{[*given, 'score'][0]} goes with the archive, and not with files"
    if options.output == "-" and form == "apkg" and streams.stdout.isatty():
        return "a deck is not for a terminal; name a file with -o"
    sources = [options.source] if options.what == "replies" else []
    archive = [Source("archive")] * (options.what == "errors" and not options.files)
    inputs = [*files_of([*sources, *archive], options), *options.files]
    if found := overwritten(options.output, inputs):
        return f"-o would overwrite {found}"
    return source_conflict(sources, options) if sources else ""


def _now() -> float:
    """The time that a deck says it was made; SOURCE_DATE_EPOCH, where bytes are to be the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(given) if given.isdecimal() else time.time()


def _cards(
    options: argparse.Namespace, streams: Streams, failed: list[str], stack: ExitStack
) -> Iterator[Flashcard]:
    from gnubg_nactation.exports import flashcards

    if options.what == "alphabet":
        yield from flashcards.flashcards_of_alphabet()
    elif options.what == "replies":
        yield from flashcards.flashcards_of_chart(chart_from(options.source, options, streams))
    elif options.files:
        yield from _of_files(options, streams, failed)
    else:
        from gnubg_nactation.archive.leaks import find_leaks

        connection = stack.enter_context(archive_at(options.db or default_path()))
        leaks = find_leaks(connection, filters_of(options), most=options.most)
        yield from flashcards.flashcards_of_leaks(leaks, options.errors)


def _of_files(
    options: argparse.Namespace, streams: Streams, failed: list[str]
) -> Iterator[Flashcard]:
    inputs = list(find_inputs(options.files, streams.report))
    if not inputs:
        raise IllegalError(f"no match files in {', '.join(options.files)}")
    for one in inputs:
        found = _tried(one, options, streams)
        yield from found or ()
        if found is None:
            failed.append(one.path)


def _tried(one: Input, options: argparse.Namespace, streams: Streams) -> list[Flashcard] | None:
    """The cards of a file; None, and what is wrong is told, where it cannot be read."""
    try:
        return list(_of_file(one, options, streams))
    except (OSError, NactationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        streams.report(f"{one.path}: {reason}")
        return None


def _of_file(one: Input, options: argparse.Namespace, streams: Streams) -> Iterator[Flashcard]:
    matches = read(read_input(one, streams.stdin), options.encoding)
    annotated = [presentable(annotate(match)) for match in matches]
    turns = [turn for match in annotated for game in match.games for turn in game.turns]
    if not any(play_of(turn) or cube_of(turn) for turn in turns):
        raise MalformedError("no analysis in it, so no errors are known")
    for match in annotated:
        yield from flashcards_of_match(match, one.path, options.errors, options.player)
