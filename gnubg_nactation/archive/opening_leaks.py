"""What a player's first plays lose by the book, whether their games are analysed or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gnubg_nactation.archive.book_at_score import BookAtScore
from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.nodes import node
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.nacbracs.book import Line, shipped_book
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3


class OpeningLeak(NamedTuple):
    """A play that loses by the book.

    `line` is the line of the book; `made` is the play's Nactation and `play` the play in
    traditional notation. `times` is how often it was made, `faced` how often the player had this
    roll there. `loss` is in points, None if the book does not list the play.
    """

    line: Line
    made: str
    play: str
    times: int
    faced: int
    loss: float | None

    @property
    def least_loss(self) -> float:
        """The loss; of a play that the book does not list, the largest loss that it lists."""
        return self.line.plays[-1][2] or 0.0 if self.loss is None else self.loss


class OpeningLeaks(NamedTuple):
    """The opening leaks, the most expensive first, and all plays that the book has.

    `plays` counts them, `wrong` those that lose, and `lost` is their loss in points, without the
    plays that the book does not list. `source` is that of the book, `score` where it looked.
    """

    source: str
    score: str
    plays: int
    wrong: int
    lost: float
    leaks: tuple[OpeningLeak, ...]


def find_opening_leaks(
    connection: sqlite3.Connection, filters: Filters, names: Sequence[str], limit: int
) -> OpeningLeaks:
    """Find the first plays of a player that lose most by the book of this package.

    The player is the one of the filters or, if given, all `names` together. Without a score in the
    filters, all plays are compared with those for money.
    """
    score = MONEY if filters.score is None else filters.score
    book = BookAtScore(shipped_book(), score)
    bare = replace(filters, min_count=1)
    whose = [replace(bare, player=name, me=False) for name in names] or [bare]
    positions = dict.fromkeys(position for position, _, at in book.book.lines if at == score)
    found = [
        leak
        for position in positions
        for leak in _at(position, _counts(connection, position, whose), book)
    ]
    wrong = [leak for leak in found if leak.loss != 0.0]
    often = [leak for leak in wrong if leak.times >= filters.min_count]
    often.sort(key=lambda leak: -leak.times * leak.least_loss)
    return OpeningLeaks(
        book.book.source,
        score,
        sum(leak.times for leak in found),
        sum(leak.times for leak in wrong),
        sum(leak.times * (leak.loss or 0.0) for leak in wrong),
        tuple(often[:limit]),
    )


def _counts(
    connection: sqlite3.Connection, position: Position, whose: Sequence[Filters]
) -> dict[Roll, Counter[tuple[str, str]]]:
    """How often each play of each roll was made, by its Nactation and its notation."""
    counts: dict[Roll, Counter[tuple[str, str]]] = {}
    for filters in whose:
        for row in node(connection, position, filters).rolls:
            plays = counts.setdefault(row.roll, Counter())
            for play in row.plays:
                plays[play.nactation, play.play] += play.count
    return counts


def _at(
    position: Position, counts: dict[Roll, Counter[tuple[str, str]]], book: BookAtScore
) -> list[OpeningLeak]:
    """All plays of rolls that the book has, those that lose nothing included."""
    leaks = []
    for roll, plays in counts.items():
        if line := book.line(position, roll):
            faced = plays.total()
            for (made, play), times in plays.items():
                loss = book.loss_of(position, roll, play)
                leaks.append(OpeningLeak(line, made, play, times, faced, loss))
    return leaks
