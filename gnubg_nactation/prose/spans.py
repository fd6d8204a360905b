"""Spans of a text that look like Nactation, and the tokens in them."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable
from enum import Enum

from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.scan import CHARACTERS

SIGNS = re.escape("".join(sorted(CHARACTERS)))
NAME = rf"[{SIGNS}](?:_|\.(?=[-,{{]|[1-6]{{2}}\D))?(?:\{{[1-9][0-9]{{0,5}}\}})?"
CUBE = "Cub|Tak|Pas|Rcb|Bvr|Rcn"  # in columns of three characters
CELL_NAME = rf"{NAME}\.?"  # the dot marks a doublet: no sentence ends in a cell
MIN_CHAIN_TOKENS = 3  # of a chain that looks like nothing else


class Shape(Enum):
    """The shapes of spans."""

    CHAIN = "chain"  # tokens joined by hyphens, or one token with the mark of a side
    LIST = "list"  # plays that may be a sequence, or separate plays
    TABLE = "table"  # the numbered rows of a move list
    PLAY = "play"  # a single play
    ROLL = "roll"  # the roll of the nacbrac after it
    NACBRAC = "nacbrac"
    CUBE = "cube"  # a nacbrac of the cube
    CELL = "cell"  # a letter in a reply chart, or its opening
    PATTERN = "pattern"
    POSITION = "position"  # an XGID, or a Position ID with that label or a Match ID


class Piece(NamedTuple):
    """A possible token, from offset `start` of the bare text up to `end`.

    `named` means more than a roll. `clear` means that its name is a word, a capital or a symbol,
    unlike those of numbers with a unit. `longhand` means that its play is in traditional notation
    and has no name. `roll` is the offset of the roll if it is elsewhere: that of S in `63R/S`.
    """

    start: int
    end: int
    named: bool = False
    clear: bool = False
    longhand: bool = False
    roll: int = -1

    @property
    def roll_start(self) -> int:
        """The offset of the roll."""
        return self.start if self.roll < 0 else self.roll

    @property
    def alone(self) -> Span:
        """The token as a single play."""
        return Span(Shape.PLAY, self.start, self.end, (self,))


class Span(NamedTuple):
    """Possible Nactation, from offset `start` of the bare text up to `end`.

    The mark of a side and the `N` of Nackgammon belong to the span. A `broken` span continues with
    text that is not a token; `goes_on` means an ellipsis before it. `is_game` means a list whose
    words describe a game: `54S, he rolled 63R and then 31P`. `move` is the move of a match that a
    nacbrac is about: `1.2b`. `name` is the ID of a position,
    `is_bare` without a label, `is_result` if the text before it leads there. `answered` is the
    opening that a letter in a reply chart answers.
    """

    shape: Shape
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()
    broken: bool = False
    goes_on: bool = False
    is_game: bool = False
    move: str = ""
    name: str = ""
    is_bare: bool = False
    is_result: bool = False
    answered: Span | None = None

    @property
    def is_distinct(self) -> bool:
        """Whether it looks like nothing but Nactation."""
        clear = sum(piece.clear for piece in self.pieces)
        if self.shape in {Shape.NACBRAC, Shape.CUBE}:
            return clear > 0
        if self.shape is Shape.CHAIN or (self.shape is Shape.LIST and self.is_game):
            return len(self.pieces) >= MIN_CHAIN_TOKENS and clear > 1
        return self.shape in {Shape.CELL, Shape.PATTERN, Shape.POSITION, Shape.TABLE}


def is_clear(name: str | None) -> bool:
    """Whether a name is a capital or a symbol, unlike those of numbers with a unit."""
    return name is not None and (name[0].isupper() or name[0] in "@$&^")


class Parts:
    """The parts of a text that spans occupy already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._parts = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in self._parts]

    def end_around(self, place: int) -> int:
        """The end of the part around an offset; 0 if there is none."""
        at = bisect(self._starts, place) - 1
        return self._parts[at][1] if at >= 0 and place < self._parts[at][1] else 0

    def next_start(self, place: int) -> int | None:
        """The start of the next part after an offset; None if there is none."""
        at = bisect(self._starts, place)
        return self._starts[at] if at < len(self._starts) else None

    def is_free(self, span: Span) -> bool:
        """Whether no part overlaps a span."""
        following = self.next_start(span.start)
        return not self.end_around(span.start) and (following is None or following >= span.end)
