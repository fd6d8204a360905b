"""A finding: one piece of Nactation in a text, where it is, and what it says."""

from __future__ import annotations

from enum import Enum

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.dialects import Dialect
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.resolving import NacbracRead
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, usage_words
from gnubg_nactation.values import NamedTuple


class Kind(Enum):
    """What is found."""

    SEQUENCE = "sequence"
    NACBRAC = "nacbrac"
    PLAY = "play"
    POSITION = "position"


class Finding(NamedTuple):
    """Nactation in a text, from offset `start` up to `end`; lines and columns count from 1.

    `text` is what the text has there, without markup. A sequence, and a play as a sequence of one
    turn from its position, is `decoded`. A nacbrac is `nacbrac`, and one of the cube `cube`, with
    the `state` before the roll that it is about, None if the text does not tell. A position is
    `state` alone. If none of them can be read there is an `error`, and the older `usage` by which
    a sequence can, if there is one. `note` says what was assumed. `tokens` are those of a move
    list, each with its offset.
    """

    kind: Kind
    start: int
    end: int
    line: int
    column: int
    text: str
    sure: Confidence
    decoded: Decoded | None = None
    nacbrac: NacbracRead | None = None
    cube: CubeNacbrac | None = None
    state: GameState | None = None
    error: NactationError | None = None
    usage: Dialect | None = None
    note: str = ""
    tokens: tuple[tuple[int, str], ...] = ()

    @property
    def trouble(self) -> str:
        """Why it cannot be read, in words; empty if it can."""
        usage = f"; it {usage_words(self.usage)}" if self.usage else ""
        return f"{self.error}{usage}" if self.error else ""
