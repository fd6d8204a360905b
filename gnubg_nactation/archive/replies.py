"""The chart of replies: what is best, or played, with each roll after each first move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from gnubg_nactation.archive.book import Book
from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.nodes import RollRow, node, reordered
from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice
from gnubg_nactation.decisions.rating import rate_plays
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.errors import EngineError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.score import MONEY, at_score
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3


Cell = tuple[str, Roll]
"""A roll after a first move, that by its token."""


class Chart(NamedTuple):
    """What a source holds of each roll after each first move, the play that it puts first first.

    `source` names it for people: `gnubg 2-ply`, or a file. `score` is as `nacbracs.score` has it,
    from the side of who replies; None where all scores are together. A cell of which nothing is
    known is not among the `replies`. Losses are those of the engine or the book; in an archive the
    mean of what its analyses say.
    """

    source: str
    score: str | None
    openings: tuple[Opening, ...]
    replies: Mapping[Cell, tuple[Choice, ...]]

    def at(self, opening: Opening, roll: Roll) -> tuple[Choice, ...]:
        """The plays of a cell; empty where nothing is known."""
        return self.replies.get((opening.token, roll), ())

    def cells(self) -> Iterator[tuple[Opening, Roll]]:
        """All cells, row by row, known or not."""
        for opening in self.openings:
            for roll in ROLLS:
                yield opening, roll


class Difference(NamedTuple):
    """A cell of which two sources say different things, and what both say."""

    opening: Opening
    roll: Roll
    first: tuple[Choice, ...]
    second: tuple[Choice, ...]

    @property
    def cost(self) -> float | None:
        """The most that either source says the best play of the other loses; None if unknown."""
        losses = [
            _loss(self.second, self.first[0].play),
            _loss(self.first, self.second[0].play),
        ]
        return max((loss for loss in losses if loss is not None), default=None)


def chart_of_engine(
    engine: Analyser,
    depth: Depth,
    openings: Sequence[Opening],
    source: str,
    score: str = MONEY,
    watch: Callable[[int, int], None] | None = None,
) -> Chart:
    """The chart of an engine, which is asked about one first move after the other.

    What it has answered before is kept by `Cached`, so that a chart which was interrupted goes
    on where it was. `watch` is told how many replies of how many are known. Raises EngineError.
    """
    found: dict[Cell, tuple[Choice, ...]] = {}
    for opening in openings:
        after = opening.play.after
        states = [at_score(GameState(after, roll=roll), score) for roll in ROLLS]
        for place, analysis in engine.analyse(states, depth):
            found[opening.token, ROLLS[place]] = _judged(states[place], analysis)
            if watch:
                watch(len(found), len(openings) * len(ROLLS))
    return Chart(source, score, tuple(openings), found)


def _judged(state: GameState, analysis: MoveAnalysis) -> tuple[Choice, ...]:
    assert state.roll is not None  # it is what the engine was asked about
    plays = Plays(state.position, state.roll)
    if analysis.play is None or not analysis.play.candidates:
        raise EngineError(f"the engine has not looked at {state.roll}")
    rated = rate_plays(analysis.play.candidates, plays)
    best = rated[0]
    # Those looked at less closely may seem better than they are.
    near = [one for one in rated if one.method == best.method]
    kept = near if len(near) > 1 else rated[:2]
    names = listed([one.play for one in kept], plays)
    return tuple(
        [
            Choice(one.play, name.nactation, loss=max(0.0, best.equity - one.equity))
            for one, name in zip(kept, names, strict=True)
        ]
    )


def chart_of_book(book: Book, openings: Sequence[Opening], score: str = MONEY) -> Chart:
    """The chart of what a book says at a score."""
    found = {}
    for opening in openings:
        for roll in ROLLS:
            if line := book.at(opening.play.after, roll, score):
                found[opening.token, roll] = tuple(
                    [Choice(play, name, loss=loss) for name, play, loss in line.plays]
                )
    return Chart(book.name, score, tuple(openings), found)


def chart_of_archive(
    connection: sqlite3.Connection,
    openings: Sequence[Opening],
    source: str,
    filters: Filters,
    order: str = "count",
) -> Chart:
    """The chart of what was played, in an order by its name in `nodes.ORDERS`; KeyError.

    Only turns that the filters let through count, and plays that were made so often as they ask
    for. Losses are mean errors.
    """
    found = {}
    for opening in openings:
        for row in reordered(node(connection, opening.play.after, filters), order).rolls:
            if replies := tuple(_played(row, Plays(opening.play.after, row.roll))):
                found[opening.token, row.roll] = replies
    return Chart(source, filters.score, tuple(openings), found)


def _played(row: RollRow, plays: Plays) -> Iterator[Choice]:
    known = {format_play(play): play for play in plays}
    rows = [one for one in row.plays if one.play in known]
    names = listed([known[one.play] for one in rows], plays)
    for one, name in zip(rows, names, strict=True):
        loss = one.error.value if one.error else None
        yield Choice(known[one.play], name.nactation, loss=loss, times=one.count)


def differences(
    first: Chart, second: Chart, *, tolerance: float | None = None
) -> Iterator[Difference]:
    """Where two sources put different plays first, of the cells that both know.

    With a `tolerance`, in points, also where they tell the losses of a play further apart. Plays
    that are as good as the first count as first.
    """
    for opening, roll in first.cells():
        one, other = first.at(opening, roll), second.at(opening, roll)
        if one and other:
            apart = tolerance is not None and any(
                abs(reply.loss - there) > tolerance
                for reply in one
                if reply.loss is not None and (there := _loss(other, reply.play)) is not None
            )
            if apart or not _firsts(one) & _firsts(other):
                yield Difference(opening, roll, one, other)


def _firsts(replies: Sequence[Choice]) -> set[Play | None]:
    """The play that a source puts first, and those that it says are as good."""
    equal = {one.play for one in replies if not one.times and _is_nothing(one.loss)}
    return {replies[0].play, *equal}


def _is_nothing(loss: float | None) -> bool:
    return loss is not None and round(loss, 3) == 0


def _loss(replies: Sequence[Choice], play: Play | None) -> float | None:
    return next((one.loss for one in replies if one.play == play), None)
