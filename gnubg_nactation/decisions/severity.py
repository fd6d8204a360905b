"""How bad an error is, and the parts of a turn's analysis: play, cube and luck."""

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
NEAR_DOUBLE = 0.2  # points: XG's limit for such a decision
BLUNDER = 0.08  # points that a blunder loses on most sites; 0.12 in gnubg
# Divisors of that limit: an error gets BAD from half of it on, DOUBTFUL from a quarter.
PARTS = dict(zip(reversed(ErrorMark), (1, 2, 4), strict=True))
SIGNS = {ErrorMark.DOUBTFUL: "?!", ErrorMark.BAD: "?", ErrorMark.VERY_BAD: "??"}


def severity(analysis: PlayAnalysis | CubeAnalysis, blunder: float = BLUNDER) -> ErrorMark | None:
    """The mark of an error: VERY_BAD from `blunder` points on, BAD from half, DOUBTFUL a quarter.

    With 0.12 the limits are gnubg's. A mark in the record counts instead if the size is unknown,
    or if gnubg would mark this size differently: then somebody has set it by hand.
    """
    marked, error = analysis.marked, analysis.error
    if error is None or (marked and marked is not mark_of(error)):
        return analysis.mark
    size = round(error, 3)
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
    """The analyses of a turn, the cube before the play."""
    return [analysis for analysis in (cube_of(turn), play_of(turn)) if analysis]


def losses(turn: AnnotatedTurn) -> list[CubeAnalysis | PlayAnalysis]:
    """The analyses of a turn that show an error, the cube before the play."""
    return [analysis for analysis in analyses_of(turn) if analysis.error or analysis.mark]


def luck_of(turn: AnnotatedTurn) -> float | None:
    """The luck of a turn's roll, in points; None if it is unknown."""
    match turn.action:
        case Move(analysis=MoveAnalysis(luck=float(luck))):
            return luck
    return None


def is_close(cube: CubeAnalysis, limit: float = _CLOSE) -> bool:
    """Whether it is a cube action, or doubling before the roll lost less than `limit` points."""
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
    """The errors of a turn in points: `?? -.129 (R)`, `?! -.028 (missed double)`.

    Empty if it lost less than a thousandth. `form` spells the Nactation of the best play, which
    goes into `right`. `severity` gives the sign.
    """
    best = form(turn.best.nactation) if turn.best else ""
    texts = []
    for loss in losses(turn):
        if thousandths(loss.error):
            mark, better = severity(loss, blunder), loss.fault or best
            sign, best_words = SIGNS[mark] if mark else "", better and right.format(better)
            texts.append(" ".join(filter(None, (sign, points_lost(loss.error), best_words))))
    return ", ".join(texts)


def points(equity: float) -> str:
    """An equity as players write it: `+.159`, `-1.020`; never `-.000`."""
    return f"{thousandths(equity) / 1000:+.3f}".replace("+0.", "+.").replace("-0.", "-.")


def points_lost(error: float | None) -> str:
    """An error as players write it: `-.129`, or `-?` if it is unknown."""
    return "-?" if error is None else points(error).replace("+", "-")


def thousandths(error: float | None) -> int:
    """An error in whole thousandths of a point; 0 if it is unknown."""
    return round(1000 * (error or 0.0))
