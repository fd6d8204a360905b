"""How bad an error is, and what the analysis of a turn holds: its play, its cube, its luck."""

from __future__ import annotations

from collections.abc import Callable

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import (
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    MoveAnalysis,
    PlayAnalysis,
    mark_of,
)
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take
from gnubg_nactation.language.nactation import Nactation

_CLOSE = 0.16  # points: gnubg's limit for a decision not to double that counts
BLUNDER = 0.08  # points that a blunder loses, as most sites have it; gnubg says 0.12
# Of what a blunder loses, the part from which on an error has each mark: a half, a quarter.
PARTS = dict(zip(reversed(ErrorMark), (1, 2, 4), strict=True))
SIGNS = {ErrorMark.DOUBTFUL: "?!", ErrorMark.BAD: "?", ErrorMark.VERY_BAD: "??"}


def severity(one: PlayAnalysis | CubeAnalysis, blunder: float = BLUNDER) -> ErrorMark | None:
    """How bad an error is: a blunder from so many points, half and a quarter of that lesser ones.

    With 0.12 the limits are gnubg's. A mark of the record counts where the size is not known, and
    where it is not the one that gnubg gives to this size, as somebody has set it by hand.
    """
    if one.error is None or (one.marked and one.marked is not mark_of(one.error)):
        return one.mark
    size = round(one.error, 3)
    return next((mark for mark, part in PARTS.items() if size and size >= blunder / part), None)


def play_of(turn: AnnotatedTurn) -> PlayAnalysis | None:
    """The analysis of the play of a turn."""
    action = turn.action
    return action.analysis.play if isinstance(action, Move) and action.analysis else None


def cube_of(turn: AnnotatedTurn) -> CubeAnalysis | None:
    """The analysis of the cube decision of a turn: a cube action, or a roll without doubling."""
    action = turn.action
    match action:
        case Move(analysis=MoveAnalysis(cube=cube)):
            return cube
        case Double() | Take() | Drop():
            return action.analysis
    return None


def analyses_of(turn: AnnotatedTurn) -> list[CubeAnalysis | PlayAnalysis]:
    """What is analysed of a turn: the cube, the play."""
    return [one for one in (cube_of(turn), play_of(turn)) if one]


def losses(turn: AnnotatedTurn) -> list[CubeAnalysis | PlayAnalysis]:
    """What was wrong with a turn, the cube before the play; none where nothing was analysed."""
    return [one for one in analyses_of(turn) if one.error or one.mark]


def luck_of(turn: AnnotatedTurn) -> float | None:
    """The luck of the roll of a turn, in points; None if it is no roll, or not known."""
    match turn.action:
        case Move(analysis=MoveAnalysis(luck=float(luck))):
            return luck
    return None


def is_close(cube: CubeAnalysis, limit: float = _CLOSE) -> bool:
    """Whether it is an actual decision, or a roll before which doubling was not far off."""
    if cube.act is not CubeAct.NO_DOUBLE:
        return True
    if cube.no_double is None or cube.double_take is None:
        return False
    return cube.no_double - min(cube.double_take, cube.double_pass) < limit


def remark(
    turn: AnnotatedTurn,
    form: Callable[[Nactation], str] = str,
    blunder: float = BLUNDER,
    right: str = "({})",
) -> str:
    """What was wrong with a turn, in points: `?? -.129 (R)`, `?! -.028 (missed double)`.

    Empty if nothing was, or if no thousandth was lost. `form` spells the Nactation, and `right`
    is what stands around it; the sign is that of `severity`.
    """
    best = form(turn.best.nactation) if turn.best else ""
    found = []
    for loss in losses(turn):
        if thousandths(loss.error):
            mark, said = severity(loss, blunder), loss.fault or best
            sign, told = SIGNS[mark] if mark else "", right.format(said) if said else ""
            found.append(" ".join(filter(None, (sign, points_lost(loss.error), told))))
    return ", ".join(found)


def points(equity: float) -> str:
    """An equity as players write it: `+.159`, `-1.020`; `+.000` whatever it is rounded from."""
    return f"{thousandths(equity) / 1000:+.3f}".replace("+0.", "+.").replace("-0.", "-.")


def points_lost(error: float | None) -> str:
    """An error as players write it: `-.129`; without a letter, which might be a Nactation."""
    return "-?" if error is None else points(error).replace("+", "-")


def thousandths(error: float | None) -> int:
    """An error in points as whole thousandths, 0 if it is not known."""
    return round(1000 * (error or 0.0))
