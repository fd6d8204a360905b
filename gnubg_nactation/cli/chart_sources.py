"""Where a chart of replies comes from, by the options: an engine, an archive or a book."""

from __future__ import annotations

import argparse
import os

from gnubg_nactation.archive.replies import (
    Chart,
    chart_of_archive,
    chart_of_book,
    chart_of_engine,
)
from gnubg_nactation.cli.archive_options import add_filter_options, filters_of
from gnubg_nactation.cli.arguments import score_named
from gnubg_nactation.cli.engine import add_engine_option, add_plies_option
from gnubg_nactation.cli.progress import reply_progress
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import NactationError
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.sequences.openings import OPENINGS, Opening, openings
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

__all__ = ["SOURCE_HELP", "Source", "add_chart_options", "chart_from", "source"]

ENGINE, ARCHIVE = "engine", "archive"
SOURCE_HELP = (
    "`engine`, `archive` (the database of `nactate index`) or the file of a book (`./engine` for "
    "one of that name), with @SCORE behind it for another score: engine@dmp, book.txt@-3-5"
)


class Source(NamedTuple):
    """Who is asked, `engine`, `archive` or a file, and at which score, None for that of --score."""

    name: str
    score: str | None = None


def source(text: str) -> Source:
    """The type of an option whose value is a source."""
    name, at, score = text.rpartition("@")
    if at and not os.path.exists(text):
        return Source(name, score_named(score))
    return Source(text)


def opening(text: str) -> Opening:
    """The type of an option whose value is a first move, as in 31P."""
    try:
        return openings((text,))[0]
    except NactationError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no first move: {error}") from None


def add_chart_options(parser: argparse.ArgumentParser) -> None:
    """Declare what a chart holds, and who says it."""
    parser.add_argument(
        "--opening",
        action="append",
        type=opening,
        metavar="OPENING",
        help=f"only the replies to this first move, as in 31P; may be given several times "
        f"(default: the {len(OPENINGS)} usual ones)",
    )
    add_plies_option(parser)
    add_engine_option(parser)
    parser.add_argument(
        "--order",
        choices=("count", "error"),
        default="count",
        help="which play of an archive comes first: the one that was played most (default), or "
        "that of the least mean error",
    )
    add_filter_options(parser)


def chart_from(wanted: Source, options: argparse.Namespace, streams: Streams) -> Chart:
    """The chart of a source; a terminal shows how far it is. NactationError and OSError."""
    chosen = tuple(options.opening or openings())
    score = options.score if wanted.score is None else wanted.score
    if wanted.name == ENGINE:
        from gnubg_nactation.engines.engine import Depth

        engine = options.open_engine()
        depth = Depth(engine.bot.usual if options.plies is None else options.plies)
        told = engine.bot.told(depth)
        with reply_progress(streams, told) as watch:
            return chart_of_engine(engine, depth, chosen, told, score or MONEY, watch)
    if wanted.name == ARCHIVE:
        from gnubg_nactation.archive.database import archive_at, default_path
        from gnubg_nactation.archive.filters import check_filters

        path = options.db or default_path()
        filters = replace(filters_of(options), score=score)
        with archive_at(path) as connection:
            check_filters(connection, filters)
            return chart_of_archive(connection, chosen, path, filters, options.order)
    from gnubg_nactation.archive.book import read_book

    return chart_of_book(read_book(wanted.name), chosen, score or MONEY)
