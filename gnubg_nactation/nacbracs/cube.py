"""Nacbracs of the cube: the right actions of both players, and the losses by the wrong ones.

`[N D/T 45 D/P 690]`: no double is right; doubling loses 45 thousandths of a point after a take;
passing would lose the opponent 690. Letters: N no double, D double, X no redouble, R redouble, and
after the slash T take and P pass. As in the tutorial's section 17, the right outcome comes first,
then the doubler's mistake, then the wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.nacbracs.numbers import thousandths
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.values import NamedTuple, dataclass, field


@dataclass(frozen=True, slots=True)
class CubeNacbrac:
    """Whether to double, whether to take, and the losses by doing otherwise, in points.

    The doubler's wrong action loses `error`, the opponent's wrong answer `answer_error`; None if
    not given. `take` is None if no answer is given. `score` and `suffix`: see Nacbrac.
    """

    double: bool
    take: bool | None
    error: float | None = None
    answer_error: float | None = None
    redouble: bool = False
    score: str = MONEY
    suffix: str = ""
    text: str = field(default="", compare=False)

    @property
    def best(self) -> str:
        """The right actions in words, like CubeAnalysis.best: `double, take`."""
        return ", ".join(action.words for action in actions_of(self) if action.right)

    def __str__(self) -> str:
        """The nacbrac in plain spelling."""
        return format_cube(self)


class Action(NamedTuple):
    """A cube action in words, whether it is right, and its loss; None if unknown."""

    words: str
    right: bool
    error: float | None


def actions_of(nacbrac: CubeNacbrac) -> tuple[Action, ...]:
    """The actions of both players, the right ones first; no answers if `take` is None."""
    words = ("double", "no double")[:: 1 if nacbrac.double else -1]
    actions = [Action(words[0], True, 0.0), Action(words[1], False, nacbrac.error)]
    if nacbrac.take is not None:
        words = ("take", "pass")[:: 1 if nacbrac.take else -1]
        actions += [Action(words[0], True, 0.0), Action(words[1], False, nacbrac.answer_error)]
    return (*actions,)


def cube_nacbrac_of(
    analysis: CubeAnalysis, *, redouble: bool, score: str = MONEY, suffix: str = ""
) -> CubeNacbrac | None:
    """The nacbrac of an analysed cube decision; None if its equities are unknown."""
    no_double, double_take = analysis.no_double, analysis.double_take
    if no_double is None or double_take is None or not isfinite(no_double + double_take):
        return None
    passed = analysis.double_pass
    doubled = min(double_take, passed)
    return CubeNacbrac(
        doubled > no_double,
        double_take <= passed,
        round(abs(doubled - no_double), 3),
        round(abs(double_take - passed), 3),
        redouble,
        score,
        suffix,
    )


# Writing


def format_cube(
    nacbrac: CubeNacbrac,
    escape: Callable[[str], str] = str,
    best: Callable[[str], str] = str,
) -> str:
    """The nacbrac in plain spelling, the inverse of parse_cube.

    An outcome as good as the right one is joined to it with `=`, as in nacbracs of plays. For
    markup, `escape` writes text, and `best` marks the right outcome.
    """
    no, double = ("X", "R") if nacbrac.redouble else ("N", "D")
    if nacbrac.take is None:
        right = wrong = double
    else:
        right, wrong = (f"{double}/{letter}" for letter in ("TP" if nacbrac.take else "PT"))
    first, second = (right, no) if nacbrac.double else (no, right)
    text = escape(f"{nacbrac.score}[x").removesuffix("x") + best(escape(first))
    text += (escape("=") if nacbrac.error == 0 else " ") + escape(second)
    text += f" {thousandths(nacbrac.error)}" if nacbrac.error else ""
    if nacbrac.answer_error is not None:
        text += f" {escape(wrong)} {thousandths(nacbrac.answer_error)}"
    return f"{text}{escape(']')} {escape(nacbrac.suffix)}".rstrip()


def of_plays(names: Sequence[tuple[str, float | None]], text: str) -> CubeNacbrac | None:
    """The cube nacbrac that reads like plays, if no roll is to be played: `[N D45]`, `[R X12]`."""
    (best, _), *worse = names or [("", None)]
    if len(worse) != 1 or {best, worse[0][0]} not in ({"N", "D"}, {"X", "R"}):
        return None
    return CubeNacbrac(best in "DR", None, worse[0][1], redouble=best in "XR", text=text)
