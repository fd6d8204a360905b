"""Books as text: what one has, how two differ, and whether an engine agrees."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing

from gnubg_nactation.archive.book_checking import (
    TOLERANCE,
    Deviation,
    check_book,
    compare_books,
    sample_of,
)
from gnubg_nactation.cli.chart_sources import read_book
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.decisions.severity import points
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.registry import new_engine
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.nacbracs.score import describe_score
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.showing import counted, shown


def show_text(word: str, sequence: str | None, streams: Streams) -> str:
    """The properties of a book, or its plays after a sequence."""
    book = read_book(word, streams)
    if sequence is None:
        positions = dict.fromkeys((position, score) for position, _, score in book.lines)
        scores = dict.fromkeys(score for _, score in positions)
        lines = [f"{name}: {shown(value)}" for name, value in book.properties.items()]
        for score in scores:
            count = sum(each == score for _, each in positions)
            decisions = sum(each == score for _, _, each in book.lines)
            lines.append(
                f"{describe_score(score)}: {decisions:,} rolls in {counted(count, 'position')}"
            )
        return "".join(f"{line}\n" for line in lines)
    state = decode(sequence).state
    plays = [
        line
        for key in book.lines
        if key[0] == state.position and (state.roll is None or key[1] == state.roll)
        if (line := book.at(*key))
    ]
    if not plays:
        raise IllegalError(f"{book.label} does not have {sequence}")
    return "".join(f"{line.sequence} {line.read.nacbrac}\n" for line in plays)


def compare_text(first: str, second: str, streams: Streams) -> str:
    """The decisions in which two books have other best plays, and the largest difference."""
    books = read_book(first, streams), read_book(second, streams)
    deviations = list(compare_books(*books))
    return f"{books[0].label} | {books[1].label}\n{_summary(deviations)}"


def check_text(word: str, options: argparse.Namespace, streams: Streams) -> tuple[str, bool]:
    """Compare a sample of a book with an engine; whether no loss differs by more than TOLERANCE.

    Raises EngineError.
    """
    book = read_book(word, streams)
    keys = sample_of(book, options.sample, options.seed)
    deviations = []
    with (
        closing(new_engine(options.engine)) as engine,
        count_progress(streams, "decisions") as watch,
    ):
        depth = Depth(options.plies)
        for deviation in check_book(book, keys, engine, depth):
            deviations.append(deviation)
            if watch:
                watch(len(deviations), len(keys))
        label = engine.bot.label(depth)
    is_right = all(deviation.points <= TOLERANCE for deviation in deviations)
    return f"{book.label} | {options.engine}: {label}\n{_summary(deviations)}", is_right


def _summary(deviations: Sequence[Deviation]) -> str:
    """A line for each decision whose best play differs, and totals."""
    differing = [deviation for deviation in deviations if deviation.best_differs]
    lines = [
        f"{deviation.line.sequence} {deviation.line.read.nacbrac}  best play differs"
        for deviation in differing
    ]
    largest = max((deviation.points for deviation in deviations), default=0.0)
    lines.append(
        f"{counted(len(deviations), 'decision')} in both, {len(differing)} with another best play; "
        f"largest difference of a loss {points(largest)}"
    )
    return "".join(f"{line}\n" for line in lines)
