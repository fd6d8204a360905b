"""`nactate cards`: make Anki flashcards of replies, errors, positions or the alphabet."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.cli.archive_options import add_filter_options, filters_of
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.chart_sources import (
    ARCHIVE,
    ENGINE,
    Source,
    add_chart_options,
    add_source_option,
    archive_options,
    chart_from,
    check_sources,
    files_of,
    read_book,
)
from gnubg_nactation.cli.inputs import add_encoding_option, find_inputs, read_input
from gnubg_nactation.cli.paste import add_paste_option
from gnubg_nactation.cli.results import check_output, goes_to_terminal, write_result
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.flashcards import flashcards_of_copied, flashcards_of_match, once
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.files.formats import read
from gnubg_nactation.nacbracs.book import SHIPPED
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.cli.inputs import Input
    from gnubg_nactation.exports.flashcards import Flashcard

DESCRIPTION = """\
Make Anki flashcards of openings and replies, errors, copied positions, or the alphabet.
Writes an Anki deck or CSV; import a deck again to update its cards."""
EXAMPLES = """\
  nactate cards alphabet -o alphabet.apkg
  nactate cards openings -o openings.apkg          the best plays of the first rolls
  nactate cards replies -o replies.apkg
  nactate cards replies --opening 31P --from theory.txt -o theory.csv
  nactate cards errors match.sgf --player Ann -o mine.apkg
  nactate cards errors --me -o leaks.apkg          the costliest of your games
  nactate cards positions xg.txt -o xg.apkg        positions copied from XG, with your notes
"""
_FORMS = ("apkg", "csv")
_OF_FILES = ("errors", "positions")
_MIN_ERROR, _MAX_LEAKS = 0.05, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] {openings,replies,errors,positions,alphabet} [FILE ...]"
    parser.add_argument(
        "topic",
        choices=("openings", "replies", "errors", "positions", "alphabet"),
        help="what the cards ask about",
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="analysed match files or folders, for errors (default: the database); "
        "files copied from XG, or `-`, for positions",
    )
    add_paste_option(parser, "FILE")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="deck to write, CSV for .csv, else Anki (default: CSV on standard output)",
    )
    parser.add_argument("--form", choices=_FORMS, help="format of the deck (default: by its name)")
    errors = parser.add_argument_group("errors")
    errors.add_argument(
        "--errors",
        type=between(float, 0, 10, " points"),
        default=_MIN_ERROR,
        metavar="POINTS",
        help=f"only errors of at least this size (default: {_MIN_ERROR})",
    )
    errors.add_argument(
        "--most",
        type=between(int, 1, 10**5),
        default=_MAX_LEAKS,
        metavar="N",
        help=f"only the N costliest errors of the database (default: {_MAX_LEAKS})",
    )
    add_encoding_option(errors)
    replies = parser.add_argument_group("replies")
    add_source_option(replies)
    add_chart_options(replies)
    add_filter_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    from gnubg_nactation.exports.deck import deck_apkg, deck_csv

    form = options.form or ("csv" if options.output.lower().endswith((".csv", "-")) else "apkg")
    _check(options)
    if form == "apkg" and goes_to_terminal(options.output, streams):
        raise SettingsError("a terminal cannot show a deck; name a file with -o")
    failed: list[str] = []
    with ExitStack() as stack:
        cards = once(list(_cards(options, streams, failed, stack)))
        if not cards:
            if not failed:
                streams.report(f"cards: {_NO_CARDS[options.topic]}")
            return Status.FAILED
        data = deck_csv(cards).encode() if form == "csv" else deck_apkg(cards, _now())
    write_result(data, options.output, streams)
    return Status.FAILED if failed else Status.OK


_NO_CARDS = {
    "openings": "the book has no first rolls",
    "replies": "the source has none of these replies",
    "errors": "no analysed error is that large; lower --errors",
    "positions": "no position that XG or gnubg copies; name a file with some",
    "alphabet": "",
}


def _check(options: argparse.Namespace) -> None:
    """Raise SettingsError for options that do not go together."""
    if options.files and options.topic not in _OF_FILES:
        raise SettingsError(f"files do nothing for {options.topic}")
    if options.topic == "positions" and not options.files:
        raise SettingsError("positions need a file copied from XG, or `-`")
    for_database = [name for name in archive_options(options) if name != "player"]
    for_database += ["score"] * (options.score is not None)
    if options.files and for_database:
        raise SettingsError(f"--{for_database[0]} goes with the database, not with files")
    sources = [options.source] if options.topic == "replies" else []
    database = [Source("archive")] * (options.topic == "errors" and not options.files)
    inputs = [*files_of([*sources, *database], options), *options.files]
    check_output(options.output, inputs)
    if sources:
        check_sources(sources, options)


def _now() -> float:
    """Return the time that the deck carries; SOURCE_DATE_EPOCH makes its bytes reproducible."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(epoch) if epoch.isdecimal() else time.time()


def _cards(
    options: argparse.Namespace, streams: Streams, failed: list[str], stack: ExitStack
) -> Iterator[Flashcard]:
    from gnubg_nactation.exports import flashcards

    if options.topic == "alphabet":
        yield from flashcards.flashcards_of_alphabet()
    elif options.topic == "openings":
        named = options.source.name not in {ENGINE, ARCHIVE}
        book = read_book(options.source.name if named else SHIPPED, streams)
        yield from flashcards.flashcards_of_first_rolls(book)
    elif options.topic == "replies":
        yield from flashcards.flashcards_of_chart(chart_from(options.source, options, streams))
    elif options.files:
        inputs = list(find_inputs(options.files))
        if not inputs:
            raise IllegalError(f"no match files in {', '.join(options.files)}")
        for source in inputs:
            yield from _of_file(source, options, streams, failed)
    else:
        from gnubg_nactation.archive.leaks import find_leaks

        connection = stack.enter_context(archive_at(options.db or default_path()))
        leaks = find_leaks(connection, filters_of(options), limit=options.most)
        yield from flashcards.flashcards_of_leaks(leaks, options.errors)


def _of_file(
    source: Input, options: argparse.Namespace, streams: Streams, failed: list[str]
) -> list[Flashcard]:
    """Return the cards of a file; report and note one that cannot be read."""
    from gnubg_nactation.cli.copied import copied_in_file, report_problems

    name = "standard input" if source.is_standard_input else source.path
    cards: list[Flashcard] = []
    try:
        data = read_input(source, streams.stdin)
        if positions := copied_in_file(data, options.encoding):
            for number, copied in enumerate(positions, 1):
                failed += [name] * report_problems(copied, streams, name)
                cards += flashcards_of_copied(copied, f"{name}#{number}", options.topic)
        elif options.topic == "positions":
            raise MalformedError("no position as XG or gnubg copies it, with its analysis")
        else:
            cards += _errors_of(read(data, options.encoding), source.path, options)
    except (OSError, NactationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        streams.report(f"{name}: {reason}")
        failed.append(name)
        return []
    return cards


def _errors_of(
    matches: Sequence[Match], path: str, options: argparse.Namespace
) -> Iterator[Flashcard]:
    annotated = [presentable(annotate(match)) for match in matches]
    turns = [turn for match in annotated for game in match.games for turn in game.turns]
    if not any(play_of(turn) or cube_of(turn) for turn in turns):
        raise MalformedError("the file has no analysis, so its errors are unknown")
    for match in annotated:
        yield from flashcards_of_match(match, path, options.errors, options.player)
