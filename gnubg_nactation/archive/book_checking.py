"""Books compared with each other and with an engine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.engine import Depth, Engine, Ranking
from gnubg_nactation.nacbracs.book import Book, Key, Line
from gnubg_nactation.values import NamedTuple

TOLERANCE = 0.002  # points; equities are rounded to thousandths, and processors differ


class Deviation(NamedTuple):
    """A line of a book, the other losses of its plays, and how much they differ.

    `points` is the largest difference of a loss that both know; `best_differs` if no play is best
    in both.
    """

    line: Line
    other: Mapping[Play, float]
    points: float
    best_differs: bool


def compare_books(first: Book, second: Book) -> Iterator[Deviation]:
    """Compare the decisions that both books have, in the order of the first."""
    for key in first.lines:
        line, other = first.at(*key), second.at(*key)
        if line and other:
            losses = {play: loss for _, play, loss in other.plays if loss is not None}
            yield _deviation(line, losses)


def check_book(
    book: Book, keys: Iterable[Key], engine: Engine, depth: Depth
) -> Iterator[Deviation]:
    """Compare decisions of a book with an engine's answers; raises EngineError."""
    for key in keys:
        if line := book.at(*key):
            yield _deviation(line, _losses(engine.rank(line.state, depth)))


def sample_of(book: Book, count: int, seed: int) -> list[Key]:
    """Up to `count` random decisions of a book, in its order; the same ones for the same seed."""
    keys = list(book.lines)
    places = random.Random(seed).sample(range(len(keys)), min(count, len(keys)))
    return [keys[place] for place in sorted(places)]


def _losses(rated: Ranking) -> dict[Play, float]:
    """What the plays lose that were searched as deeply as the best."""
    best = rated[0]
    return {play.play: best.equity - play.equity for play in rated if play.method == best.method}


def _deviation(line: Line, other: Mapping[Play, float]) -> Deviation:
    own = {play: loss for _, play, loss in line.plays if loss is not None}
    points = max((abs(own[play] - other[play]) for play in own if play in other), default=0.0)
    return Deviation(line, other, points, not _best(own) & _best(other))


def _best(losses: Mapping[Play, float]) -> set[Play]:
    return {play for play, loss in losses.items() if not round(loss, 3)}
