"""The chart of replies: the best or most frequent plays after each first move and roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.nodes import RollRow, node, reordered
from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice, read_decision
from gnubg_nactation.decisions.severity import rate_plays
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.errors import EngineError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import CLOSE_ROLLED_OUT, Book
from gnubg_nactation.nacbracs.nacbrac import MONEY, at_score
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3


Cell = tuple[str, Roll]
"""The token of a first move, and the roll after it."""


class Chart(NamedTuple):
    """The plays of each roll after each first move, in the order of a source.

    `source` is for readers: `gnubg 2-ply`, or a file. `score` is from the side of the player who
    replies, written as in `nacbracs.nacbrac`; None for all scores. `replies` has no empty cells.
    Losses are those of the engine or the book, or the mean errors in the archive.
    """

    source: str
    score: str | None
    openings: tuple[Opening, ...]
    replies: Mapping[Cell, tuple[Choice, ...]]

    def at(self, opening: Opening, roll: Roll) -> tuple[Choice, ...]:
        """Return the plays of a cell; empty if it has none."""
        return self.replies.get((opening.token, roll), ())

    def cells(self) -> Iterator[tuple[Opening, Roll]]:
        """Yield all cells, row by row, with empty ones."""
        for opening in self.openings:
            for roll in ROLLS:
                yield opening, roll


class Difference(NamedTuple):
    """A cell in which two sources differ, and the plays of both."""

    opening: Opening
    roll: Roll
    first: tuple[Choice, ...]
    second: tuple[Choice, ...]

    @property
    def cost(self) -> float | None:
        """The larger loss of one source's first play in the other source; None if unknown."""
        pairs = (self.second, self.first[0]), (self.first, self.second[0])
        losses = [_loss(replies, best.play) for replies, best in pairs]
        return max((loss for loss in losses if loss is not None), default=None)


def chart_of_engine(
    engine: Analyser,
    depth: Depth,
    openings: Sequence[Opening],
    source: str,
    score: str = MONEY,
    watch: Callable[[int, int], None] | None = None,
) -> Chart:
    """Make the chart of an engine, one first move after the other; raises EngineError.

    `Cached` keeps the engine's answers, so that an interrupted chart continues where it stopped.
    `watch` is called with the number of finished cells and the number of all cells.
    """
    replies: dict[Cell, tuple[Choice, ...]] = {}
    for opening in openings:
        after = opening.play.after
        states = [at_score(GameState(after, roll=roll), score) for roll in ROLLS]
        for place, analysis in engine.analyse(states, depth):
            replies[opening.token, ROLLS[place]] = _rated_replies(states[place], analysis)
            if watch:
                watch(len(replies), len(openings) * len(ROLLS))
    return Chart(source, score, tuple(openings), replies)


def _rated_replies(state: GameState, analysis: MoveAnalysis) -> tuple[Choice, ...]:
    assert state.roll is not None  # the engine's question had one
    plays = Plays(state.position, state.roll)
    if analysis.play is None or not analysis.play.candidates:
        raise EngineError(f"the engine did not analyse {state.roll}")
    rated = rate_plays(analysis.play.candidates, plays)
    best = rated[0]
    # Plays analysed less deeply may seem better than they are.
    deepest = [play for play in rated if play.method == best.method]
    choices = deepest if len(deepest) > 1 else rated[:2]
    names = listed([play.play for play in choices], plays)
    return tuple(
        [
            Choice(
                play.play,
                name.nactation,
                equity=play.equity,
                loss=max(0.0, best.equity - play.equity),
            )
            for play, name in zip(choices, names, strict=True)
        ]
    )


def chart_of_book(book: Book, openings: Sequence[Opening], score: str = MONEY) -> Chart:
    """Make the chart of a book at a score."""
    replies, has_rollouts = {}, False
    for opening in openings:
        for roll in ROLLS:
            if line := book.at(opening.play.after, roll, score):
                replies[opening.token, roll] = read_decision(line.read).choices
                has_rollouts |= line.is_rolled_out
    label = book.label.removesuffix(CLOSE_ROLLED_OUT) + CLOSE_ROLLED_OUT
    return Chart(label if has_rollouts else book.label, score, tuple(openings), replies)


def chart_of_archive(
    connection: sqlite3.Connection,
    openings: Sequence[Opening],
    source: str,
    filters: Filters,
    order: str = "count",
) -> Chart:
    """Make the chart of an archive; `order` is a key of `nodes.ORDERS`, or raises KeyError.

    Only the turns that meet the filters count. Losses are mean errors.
    """
    replies = {}
    for opening in openings:
        for row in reordered(node(connection, opening.play.after, filters), order).rolls:
            if choices := tuple(_stored_replies(row, Plays(opening.play.after, row.roll))):
                replies[opening.token, row.roll] = choices
    return Chart(source, filters.score, tuple(openings), replies)


def _stored_replies(row: RollRow, plays: Plays) -> Iterator[Choice]:
    legal = {format_play(play): play for play in plays}
    rows = [play for play in row.plays if play.play in legal]
    names = listed([legal[play.play] for play in rows], plays)
    for play, name in zip(rows, names, strict=True):
        loss = play.error.value if play.error else None
        yield Choice(legal[play.play], name.nactation, loss=loss, times=play.count)


def differences(
    first: Chart, second: Chart, *, tolerance: float | None = None
) -> Iterator[Difference]:
    """Yield the cells in which two sources have different best plays.

    With a `tolerance`, in points, also cells in which they differ more in the loss of a play.
    Plays as good as the best count as best. Cells that only one source has are skipped.
    """
    for opening, roll in first.cells():
        ours, theirs = first.at(opening, roll), second.at(opening, roll)
        if ours and theirs:
            differs = tolerance is not None and any(
                abs(reply.loss - loss) > tolerance
                for reply in ours
                if reply.loss is not None and (loss := _loss(theirs, reply.play)) is not None
            )
            if differs or not _best(ours) & _best(theirs):
                yield Difference(opening, roll, ours, theirs)


def _best(replies: Sequence[Choice]) -> set[Play | None]:
    """Return the first play, and those that a source rates equal."""
    equal = {
        reply.play
        for reply in replies
        if not reply.times and reply.loss is not None and round(reply.loss, 3) == 0
    }
    return {replies[0].play, *equal}


def _loss(replies: Sequence[Choice], play: Play | None) -> float | None:
    return next((reply.loss for reply in replies if reply.play == play), None)
