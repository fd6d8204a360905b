"""A book at one score: its nacbracs and the plays that leave it."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.archive.nodes import Node
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.nacbracs.book import Book, Line, shipped_book
from gnubg_nactation.values import NamedTuple


def shipped_at(score: str, nodes: Iterable[Node]) -> BookAtScore | None:
    """Return the book of this package at a score; None if it has no roll of these nodes."""
    book = BookAtScore(shipped_book(), score)
    return book if book.has_any(nodes) else None


class BookAtScore(NamedTuple):
    """A book and the score to look up in it, written as in `nacbracs.score`."""

    book: Book
    score: str

    def nacbrac(self, position: Position, roll: Roll) -> str:
        """Return the nacbrac of a roll; empty if the book has none."""
        line = self.line(position, roll)
        return str(line.nacbrac) if line else ""

    def loss_of(self, position: Position, roll: Roll, play: str) -> float | None:
        """Return what a play (in traditional notation) loses by the book; None if unknown."""
        line = self.line(position, roll)
        plays = line.plays if line else ()
        if plays and format_play(plays[0][1]) == play:
            return 0.0
        return next((loss for _, listed, loss in plays if format_play(listed) == play), None)

    def leaves_book(self, position: Position, roll: Roll, play: str) -> bool:
        """Whether the book has the roll, but not this play (in traditional notation) as best."""
        line = self.line(position, roll)
        if not line:
            return False
        best, *others = line.plays
        best_plays = [best[1], *(equal for _, equal, loss in others if loss == 0)]
        return play not in map(format_play, best_plays)

    def has_any(self, nodes: Iterable[Node]) -> bool:
        """Whether the book has a roll that was thrown in one of the nodes."""
        return any(self.line(node.position, row.roll) for node in nodes for row in node.rolls)

    def line(self, position: Position, roll: Roll) -> Line | None:
        """Return the line of a roll; None if the book has none."""
        return self.book.at(position, roll, self.score)
