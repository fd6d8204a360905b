"""A finding: a piece of Nactation in a text, with its place and its reading."""

from __future__ import annotations

from enum import Enum
from operator import attrgetter

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.copied import Copied
from gnubg_nactation.language.dialects import Dialect
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.resolving import NacbracRead
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.values import NamedTuple


class Kind(Enum):
    """The kinds of findings."""

    SEQUENCE = "sequence"
    NACBRAC = "nacbrac"
    PLAY = "play"
    POSITION = "position"
    CLAIM = "claim"
    PATTERN = "pattern"
    ANALYSIS = "analysis"


class Claim(NamedTuple):
    """A letter with the play that the text says it names.

    The claim is about `state`, which has a roll. If the claim is not `right`, `instead` is the
    preferred name of the play; empty if the play is not legal. `state` and `right` are None if the
    text gives no such position.
    """

    letter: str
    play: str
    state: GameState | None = None
    right: bool | None = None
    instead: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.right is None:
            return "of an unknown position"
        if self.state and not (self.right or self.instead):
            return f"wrong: {self.play} is not a legal play of {self.state.roll}"
        return "right" if self.right else f"wrong: {self.play} is {self.instead}"


class Finding(NamedTuple):
    """Nactation in a text, from offset `start` up to `end`; lines and columns count from 1.

    `text` is the passage without markup. A sequence has `decoded`; so has a play, as a sequence of
    one turn. A nacbrac of plays has `nacbrac`. A nacbrac of the cube has `cube` and the `state`
    before the roll, None if the text does not give it. A position has `state`, a claim `claim`, a
    pattern its `meaning` in words. An analysis of XG or gnubg is a position that is `copied`.
    A finding that cannot be read has an `error`, and a sequence also the older `usage` in which it
    can be read. `note` names assumptions. `tokens` are those of a move list, each with its offset.
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
    claim: Claim | None = None
    meaning: str = ""
    copied: Copied | None = None

    @property
    def words(self) -> str:
        """The verdict of a claim, or the meaning of a pattern; else empty."""
        return self.claim.verdict if self.claim else self.meaning

    def place_of(self, turn: DecodedTurn) -> int:
        """The offset of a turn's token; in a reply chart, that of its letter."""
        return max(turn.token.at, self.start)

    @property
    def trouble(self) -> str:
        """The reason why it cannot be read; empty if it can."""
        usage = f"; it {self.usage.hint}" if self.usage else ""
        return f"{self.error}{usage}" if self.error else ""


def weakest(sure: Confidence, note: str, decoded: Decoded) -> tuple[Confidence, str]:
    """The confidence of a sequence and its note, or those of the first of its weakest turns."""
    turn = min(decoded.turns, key=attrgetter("sure"), default=None)
    if turn is None or turn.sure >= sure:
        return sure, note
    return turn.sure, "; ".join(filter(None, (note, f"{turn.token.text}: {turn.doubt}")))
