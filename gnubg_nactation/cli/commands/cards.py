"""`nactate cards`: make Anki flashcards of replies, errors, positions or the alphabet."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.cli.results import (
    OfDatabase,
    check_output,
    goes_to_terminal,
    paste_setting,
    write_result,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, NactationError
from gnubg_nactation.exports import flashcards
from gnubg_nactation.nacbracs.book import SHIPPED
from gnubg_nactation.showing import counted, shown
from gnubg_nactation.tasks.openings import (
    ARCHIVE,
    ENGINE,
    ChartSettings,
    RepliesSettings,
    Source,
    archive_options,
    chart_from,
    check_sources,
    files_of,
    read_book,
)
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT, Input, find_inputs, read_input
from gnubg_nactation.tasks.study import CardSettings, cards_of_errors, cards_of_file

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
USAGE = "{openings,replies,errors,positions,alphabet} [FILE ...]"
_FORMS = ("apkg", "csv")
_OF_FILES = ("errors", "positions")


class _Replies(ChartSettings, group="replies"):
    """The settings of a chart, under one heading."""


class Options(
    CardSettings,
    _Replies,
    RepliesSettings,
    OfDatabase,
    first="topic files paste output form errors most encoding source opening plies engine order db",
):
    """What the cards ask about, and the deck."""

    topic: str = setting(
        "",
        "what the cards ask about",
        choices=("openings", "replies", "errors", "positions", "alphabet"),
        words="one",
    )
    files: tuple[str, ...] = setting(
        (),
        "analysed match files or folders, for errors (default: the database); "
        "files copied from XG, or `-`, for positions",
        "FILE",
        words="any",
    )
    paste: bool = paste_setting("FILE")
    output: str = setting(
        "-",
        "deck to write, CSV for .csv, else Anki (default: CSV on standard output)",
        "FILE",
        flags="-o --output",
    )
    form: str | None = setting(None, "format of the deck (default: by its name)", choices=_FORMS)


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    from gnubg_nactation.exports.deck import deck_apkg, deck_csv

    form = settings.form or ("csv" if settings.output.lower().endswith((".csv", "-")) else "apkg")
    _check(settings)
    if form == "apkg" and goes_to_terminal(settings.output, streams):
        raise SettingsError("a terminal cannot show a deck; name a file with -o")
    failed: list[str] = []
    with ExitStack() as stack:
        cards = flashcards.once(list(_cards(settings, streams, failed, stack)))
        if not cards:
            if not failed:
                named = settings.player and f"; {shown(settings.player)} may have another name"
                streams.report(f"cards: {_NO_CARDS[settings.topic]}{named}")
            return Status.FAILED
        data = deck_csv(cards).encode() if form == "csv" else deck_apkg(cards, _now())
    write_result(data, settings.output, streams)
    if settings.output != STANDARD_INPUT:
        streams.print(f"{shown(settings.output)}: {counted(len(cards), 'card')}\n")
    return Status.FAILED if failed else Status.OK


_NO_CARDS = {
    "openings": "the book has no first rolls",
    "replies": "the source has none of these replies",
    "errors": "no analysed error is that large; lower --errors",
    "positions": "no position that XG or gnubg copies; name a file with some",
    "alphabet": "",
}


def _check(settings: Options) -> None:
    """Raise SettingsError for settings that do not go together."""
    if settings.files and settings.topic not in _OF_FILES:
        raise SettingsError(f"files do nothing for {settings.topic}")
    if settings.topic == "positions" and not settings.files:
        raise SettingsError("positions need a file copied from XG, or `-`")
    for_database = [name for name in archive_options(settings, settings.db) if name != "player"]
    for_database += ["score"] * (settings.score is not None)
    for_database += ["most"] * (settings.most != CardSettings().most)
    if settings.files and for_database:
        raise SettingsError(f"--{for_database[0]} goes with the database, not with files")
    sources = [settings.source] if settings.topic == "replies" else []
    database = [Source("archive")] * (settings.topic == "errors" and not settings.files)
    inputs = [*files_of([*sources, *database], settings.db or default_path()), *settings.files]
    check_output(settings.output, inputs)
    if sources:
        check_sources(sources, settings, settings.db)


def _now() -> float:
    """Return the time that the deck carries; SOURCE_DATE_EPOCH makes its bytes reproducible."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(epoch) if epoch.isdecimal() else time.time()


def _cards(
    settings: Options, streams: Streams, failed: list[str], stack: ExitStack
) -> Iterator[flashcards.Flashcard]:
    if settings.topic == "alphabet":
        yield from flashcards.flashcards_of_alphabet()
    elif settings.topic == "openings":
        named = settings.source.name not in {ENGINE, ARCHIVE}
        book = read_book(settings.source.name if named else SHIPPED, streams)
        yield from flashcards.flashcards_of_first_rolls(book)
    elif settings.topic == "replies":
        yield from flashcards.flashcards_of_chart(
            chart_from(settings.source, settings, streams, settings.db or default_path())
        )
    elif settings.files:
        inputs = list(find_inputs(settings.files))
        if not inputs:
            raise IllegalError(f"no match files in {', '.join(settings.files)}")
        for source in inputs:
            yield from _of_file(source, settings, streams, failed)
    else:
        archive = stack.enter_context(archive_at(settings.db or default_path()))
        yield from cards_of_errors(archive, settings)


def _of_file(
    source: Input, settings: Options, streams: Streams, failed: list[str]
) -> list[flashcards.Flashcard]:
    """Return the cards of a file; report and note one that cannot be read."""
    name = "standard input" if source.is_standard_input else source.path
    positions = settings.topic == "positions"
    try:
        data = read_input(source, streams.stdin)
        cards, faulty = cards_of_file(name, data, settings, streams, positions=positions)
    except (OSError, NactationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        streams.report(f"{name}: {reason}")
        failed.append(name)
        return []
    failed += [name] * faulty
    return cards
