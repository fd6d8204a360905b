"""The analysis of plays and cube actions in a match.

All equities and errors are in units of the cube before the action: 1 is a single game won, or a
double that is passed. In a match they are money equities with the same match winning chances
(EMG), as gnubg shows them. Errors are never negative.
"""

from __future__ import annotations

from enum import Enum

from gnubg_nactation.backgammon.notation import Hop, format_hops
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.values import NamedTuple, dataclass


class ErrorMark(Enum):
    """How bad an error is, in gnubg's words; a very bad one is what players call a blunder."""

    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very bad"


class Luck(Enum):
    """How a roll is marked, for the player who rolled."""

    VERY_UNLUCKY = "very unlucky"
    UNLUCKY = "unlucky"
    LUCKY = "lucky"
    VERY_LUCKY = "very lucky"


# gnubg's own settings: an error larger than this has the mark.
_THRESHOLDS = ((0.12, ErrorMark.VERY_BAD), (0.06, ErrorMark.BAD), (0.03, ErrorMark.DOUBTFUL))

_ROUNDING = 1e-9  # differences of decimals are not exact


def mark_of(error: float | None) -> ErrorMark | None:
    """The mark of an error, in points, by gnubg's default settings."""
    if error is None:
        return None
    return next((mark for limit, mark in _THRESHOLDS if error > limit + _ROUNDING), None)


_LUCK_THRESHOLDS = (  # gnubg's own settings, too
    (0.6, Luck.VERY_LUCKY, Luck.VERY_UNLUCKY),
    (0.3, Luck.LUCKY, Luck.UNLUCKY),
)


def luck_mark_of(luck: float) -> Luck | None:
    """The mark of a roll's luck, in points, by gnubg's default settings."""
    for limit, lucky, unlucky in _LUCK_THRESHOLDS:
        if abs(luck) > limit:
            return lucky if luck > 0 else unlucky
    return None


MAX_POINTS = 100  # far more than any position is worth
MIN_CHANCE, MAX_CHANCE = -0.001, 1.001  # chances may be rounded


def is_equity(number: float) -> bool:
    """Whether a number can be an equity, an error or luck: not NaN, nor beyond 100 points."""
    return -MAX_POINTS <= number <= MAX_POINTS


def is_chance(number: float) -> bool:
    """Whether a number is from 0 to 1, but for rounding."""
    return MIN_CHANCE <= number <= MAX_CHANCE


class Chances(NamedTuple):
    """The chances of a player, from 0 to 1 and without the cube, in gnubg's order.

    A gammon is one of the games won or lost, a backgammon one of the gammons.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


Odds = bytes | tuple[float, ...]  # five numbers, or text with them; empty if unknown


def read_chances(odds: Odds) -> Chances | None:
    """The chances in a record's five numbers; None if they are not known or cannot be any."""
    try:
        chances = Chances(*map(float, odds.split() if isinstance(odds, bytes) else odds))
    except (TypeError, ValueError):
        return None
    if not all(map(is_chance, chances)):
        return None
    return Chances(*[min(max(chance, 0.0), 1.0) for chance in chances])


class Candidate(NamedTuple):
    """A play in an analysis, with its cubeful equity for the player.

    `method` is the source of the equity: `2-ply`, `0-ply`, `rollout`. A rollout may have the
    standard error of the equity. `odds` are the five numbers of Chances as the file has them:
    most are never needed, and converting them takes time.
    """

    hops: tuple[Hop, ...]
    equity: float
    method: str
    standard_error: float | None = None
    odds: Odds = b""

    @property
    def chances(self) -> Chances | None:
        """The chances of the player; None if they are not known or cannot be any."""
        return read_chances(self.odds)

    @property
    def text(self) -> str:
        """The play in traditional notation."""
        return format_hops(self.hops)


class RatedPlay(NamedTuple):
    """A legal play with its cubeful equity for the player; `method` as in Candidate.

    `match_chance` is the chance to win the match, from 0 to 1, if the source has it.
    """

    play: Play
    equity: float
    method: str
    standard_error: float | None = None
    match_chance: float | None = None


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """The candidate plays, best first, and the `rank` of the play made.

    `rank` is 0 for the best, None if the play made is not among them. `marked` is the mark of the
    record, None if it has none; a record may have a mark but no candidates. The order is gnubg's:
    plays analysed more deeply come first.
    """

    candidates: tuple[Candidate, ...]
    rank: int | None
    marked: ErrorMark | None = None

    @property
    def best(self) -> Candidate | None:
        """The best candidate."""
        return self.candidates[0] if self.candidates else None

    @property
    def made(self) -> Candidate | None:
        """The candidate that was played."""
        return None if self.rank is None else self.candidates[self.rank]

    @property
    def error(self) -> float | None:
        """The loss of the play made against the best; None if unknown."""
        if self.best is None or self.made is None:
            return None
        return max(0.0, self.best.equity - self.made.equity)

    @property
    def fault(self) -> str:
        """Empty: an error needs no other description."""
        return ""

    @property
    def mark(self) -> ErrorMark | None:
        """The mark of the record, or else the usual one for the error."""
        return self.marked or mark_of(self.error)


class CubeAct(Enum):
    """A cube action, or the decision not to double."""

    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"

    @property
    def words(self) -> str:
        """The act in nacbracs and JSON, which call a drop a pass."""
        return "pass" if self is CubeAct.DROP else self.value


def in_prose(actions: str) -> str:
    """Cube actions as sentences have them: `double, drop` for `double, pass`."""
    return actions.replace("pass", "drop")


@dataclass(frozen=True, slots=True)
class CubeAnalysis:
    """A cube decision, with the equities of the player who may double.

    The equities are those of no double, of double and take, and of double and pass (always 1). The
    first two are None if the match is longer than the match equity table. `act` is the decision of
    one of the two players. `match_chances` are the doubler's chances to win the match, from 0
    to 1, after no double, double and take, and double and pass; empty if the source lacks them.
    """

    act: CubeAct
    no_double: float | None
    double_take: float | None
    method: str
    marked: ErrorMark | None = None
    match_chances: tuple[float, ...] = ()

    @property
    def double_pass(self) -> float:
        """The equity of a double that is passed."""
        return 1.0

    @property
    def best(self) -> str:
        """The right actions of both sides: `no double, take`, `double, pass` and so on.

        `no double, pass` is a position that is too good to double: playing on is worth more than
        a point. Empty if not known.
        """
        if self.no_double is None or self.double_take is None:
            return ""
        if self.double_take > self.double_pass:
            return f"{'no double' if self.no_double > self.double_pass else 'double'}, pass"
        return f"{'double' if self.double_take > self.no_double else 'no double'}, take"

    @property
    def error(self) -> float | None:
        """The loss of `act` against the best action; None if unknown."""
        if self.no_double is None or self.double_take is None:
            return None
        doubled = min(self.double_take, self.double_pass)
        match self.act:
            case CubeAct.NO_DOUBLE:
                loss = doubled - self.no_double
            case CubeAct.DOUBLE:
                loss = self.no_double - doubled
            case CubeAct.TAKE:
                loss = self.double_take - self.double_pass
            case CubeAct.DROP:
                loss = self.double_pass - self.double_take
        return max(0.0, loss)

    @property
    def fault(self) -> str:
        """The mistake: `missed double`, `wrong double`, `wrong take`, `wrong drop`, or empty."""
        return FAULTS[self.act] if self.error else ""

    @property
    def mark(self) -> ErrorMark | None:
        """The mark of the record, or else the usual one for the error."""
        return self.marked or mark_of(self.error)


FAULTS = {
    CubeAct.NO_DOUBLE: "missed double",
    CubeAct.DOUBLE: "wrong double",
    CubeAct.TAKE: "wrong take",
    CubeAct.DROP: "wrong drop",
}


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """The analysis of a roll: its play, the decision not to double before it, and the luck.

    `luck` is the gain over the average roll, in points. Each is None if the record lacks it.
    """

    play: PlayAnalysis | None = None
    cube: CubeAnalysis | None = None
    luck: float | None = None
    luck_mark: Luck | None = None
