"""What a player's first plays lose by the book, whether their games are analysed or not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from gnubg_nactation.archive.book_at_score import BookAtScore
from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.nodes import count_plays
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.nacbracs.book import Line, shipped_book
from gnubg_nactation.nacbracs.nacbrac import MONEY
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
    whose = [replace(filters, player=name, me=False) for name in names] or [filters]
    counts: dict[tuple[Position, Roll], Counter[tuple[str, str]]] = defaultdict(Counter)
    for each in whose:
        for position, roll, made, play, count in count_plays(connection, book.book.positions, each):
            counts[position, roll][made, play] += count
    plays = [leak for key, times in counts.items() for leak in _plays_of(*key, times, book)]
    wrong = [leak for leak in plays if leak.loss != 0.0]
    often = [leak for leak in wrong if leak.times >= filters.min_count]
    often.sort(key=lambda leak: (-leak.times * leak.least_loss, leak.line.sequence, leak.made))
    return OpeningLeaks(
        book.book.source,
        score,
        sum(leak.times for leak in plays),
        sum(leak.times for leak in wrong),
        sum(leak.times * (leak.loss or 0.0) for leak in wrong),
        tuple(often[:limit]),
    )


def _plays_of(
    position: Position, roll: Roll, times: Counter[tuple[str, str]], book: BookAtScore
) -> Iterator[OpeningLeak]:
    """Yield all plays of a roll, those that lose nothing included, if the book has the roll."""
    if line := book.line(position, roll):
        for (made, play), count in times.items():
            loss = book.loss_of(position, roll, play)
            yield OpeningLeak(line, made, play, count, times.total(), loss)
