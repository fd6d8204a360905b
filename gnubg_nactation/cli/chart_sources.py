"""Where a chart of replies comes from, by the options: an engine, an archive or a book."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import check_filters
from gnubg_nactation.archive.replies import (
    Chart,
    chart_of_archive,
    chart_of_book,
    chart_of_engine,
)
from gnubg_nactation.cli.archive_options import filters_of
from gnubg_nactation.cli.arguments import score_type
from gnubg_nactation.cli.engine import add_engine_option, add_plies_option
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.engines.book import BookEngine
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.errors import NactationError
from gnubg_nactation.nacbracs.book import SHIPPED, Book, parse_book, shipped_book
from gnubg_nactation.nacbracs.book_format import unpack
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.sequences.openings import OPENINGS, Opening, openings
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import NamedTuple, replace

ENGINE, ARCHIVE = "engine", "archive"


class Source(NamedTuple):
    """`engine`, `archive` or the file of a book, and a score, None for that of --score."""

    name: str
    score: str | None = None


def source_type(text: str) -> Source:
    """Return the source of an option's text; argparse reports its errors."""
    name, at, score = text.rpartition("@")
    if at and not os.path.exists(text):
        return Source(name, score_type(score))
    return Source(text)


def opening_type(text: str) -> Opening:
    """Return the first move of an option's text, as in 31P."""
    try:
        return openings((text,))[0]
    except NactationError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a first move: {error}") from None


def add_source_option(group: argparse._ActionsContainer) -> None:
    """Declare --from: where the replies come from."""
    group.add_argument(
        "--from",
        dest="source",
        type=source_type,
        metavar="SOURCE",
        default=Source(ENGINE),
        help="source of the replies: engine (default), archive (the database), book (that of this "
        "program) or a book's file; "
        "@SCORE sets the score: engine@dmp",
    )


def add_chart_options(group: argparse._ActionsContainer) -> None:
    """Declare which replies a chart has, and how they are found."""
    group.add_argument(
        "--opening",
        action="append",
        type=opening_type,
        metavar="OPENING",
        help=f"only replies to this first move; repeatable (default: the {len(OPENINGS)} usual)",
    )
    add_plies_option(group)
    add_engine_option(group)
    group.add_argument(
        "--order",
        choices=("count", "error"),
        help="sort plays of the database by count (default) or mean error",
    )


def check_sources(sources: Sequence[Source], options: argparse.Namespace) -> None:
    """Raise SettingsError if an option does nothing for these sources."""
    names = {each.name for each in sources}
    if options.plies is not None and ENGINE not in names:
        raise SettingsError("--plies goes with an engine")
    if ARCHIVE not in names and (filters := archive_options(options)):
        raise SettingsError(f"--{filters[0]} goes with an archive")


def archive_options(options: argparse.Namespace) -> list[str]:
    """Return the names of the options for an archive that are set, without the score."""
    names = "player", "opponent", "me", "since", "until", "event", "db", "order"
    is_set = [name for name in names if getattr(options, name)]
    return is_set + ["length"] * (options.length is not None) + ["min"] * (options.min_count != 1)


def files_of(sources: Iterable[Source], options: argparse.Namespace) -> Iterator[str]:
    """Yield the files that charts are read from: books and databases."""
    for name, _ in sources:
        if name != ENGINE and not is_shipped(name):
            yield (options.db or default_path()) if name == ARCHIVE else name


def chart_from(source: Source, options: argparse.Namespace, streams: Streams) -> Chart:
    """Make the chart of a source, with progress on a terminal. NactationError, OSError."""
    chosen = tuple(options.opening or openings())
    score = options.score if source.score is None else source.score
    if source.name == ENGINE:
        engine = options.open_engine()
        if isinstance(engine, BookEngine):
            return chart_of_book(engine.book, chosen, score or MONEY)
        depth = Depth(engine.bot.usual if options.plies is None else options.plies)
        label = engine.bot.label(depth)
        with count_progress(streams, f"replies by {label}") as watch:
            return chart_of_engine(engine, depth, chosen, label, score or MONEY, watch)
    if source.name == ARCHIVE:
        path = options.db or default_path()
        filters = replace(filters_of(options), score=score)
        with archive_at(path) as connection:
            check_filters(connection, filters)
            return chart_of_archive(connection, chosen, path, filters, options.order or "count")
    return chart_of_book(read_book(source.name, streams), chosen, score or MONEY)


def is_shipped(word: str) -> bool:
    """Whether a word names the book of this package, and no file."""
    return word == SHIPPED and not os.path.exists(word)


def read_book(word: str, streams: Streams) -> Book:
    """Read a book from a UTF-8 file, or from standard input for `-`. MalformedError, OSError.

    `book` is the book of this package, unless there is a file of that name.
    """
    if is_shipped(word):
        return shipped_book()
    data = read_input(Input(word, word), streams.stdin)
    name = "standard input" if word == STANDARD_INPUT else word
    return parse_book(unpack(data), name)
