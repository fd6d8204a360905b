"""A book at one score: its nacbracs and the plays that leave it."""

from __future__ import annotations

from gnubg_nactation.archive.book import Book, Line
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.values import NamedTuple


class BookAtScore(NamedTuple):
    """A book and the score to look up in it, written as in `nacbracs.score`."""

    book: Book
    score: str

    def nacbrac(self, position: Position, roll: Roll) -> str:
        """Return the nacbrac of a roll; empty if the book has none."""
        line = self._line(position, roll)
        return str(line.nacbrac) if line else ""

    def leaves_book(self, position: Position, roll: Roll, play: str) -> bool:
        """Whether the book has the roll, but not this play (in traditional notation) as best."""
        line = self._line(position, roll)
        if not line:
            return False
        best, *others = line.plays
        best_plays = [best[1], *(equal for _, equal, loss in others if loss == 0)]
        return play not in map(format_play, best_plays)

    def _line(self, position: Position, roll: Roll) -> Line | None:
        return self.book.at(position, roll, self.score)
