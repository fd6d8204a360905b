"""Nacbracs of the cube: the right actions of both players, and what the wrong ones lose.

`[N D/T 45 D/P 690]` says that it is right not to double, and to take a double, which loses the
doubler 45 thousandths of a point; passing it would lose the opponent 690. Letters are those of
the language (N no double, D double, X no redouble, R redouble), behind the slash T take and P
pass; order and numbers are those of the tutorial's section 17, for two decisions in place of one:
the right outcome, then what the doubler can do wrong, then the wrong answer.
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
    """Whether to double, whether to take, and what else would lose, in points.

    `error` is what the doubler loses by doing the other thing, `answer_error` the opponent by the
    other answer. `take` is None where nothing is said of the answer, errors where they are not
    told. `score` and `suffix` as in Nacbrac.
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
        """The right actions, as CubeAnalysis.best has them: `double, take`."""
        return ", ".join(action.words for action in actions_of(self) if action.right)

    def __str__(self) -> str:
        """The nacbrac in plain spelling."""
        return format_cube(self)


class Action(NamedTuple):
    """What a player may do about the cube, in words, and what it loses, None if that is unknown."""

    words: str
    right: bool
    error: float | None


def actions_of(nacbrac: CubeNacbrac) -> tuple[Action, ...]:
    """What both players may do, each the right thing first; no answers where none are told."""
    words = ("double", "no double")[:: 1 if nacbrac.double else -1]
    actions = [Action(words[0], True, 0.0), Action(words[1], False, nacbrac.error)]
    if nacbrac.take is not None:
        words = ("take", "pass")[:: 1 if nacbrac.take else -1]
        actions += [Action(words[0], True, 0.0), Action(words[1], False, nacbrac.answer_error)]
    return (*actions,)


def cube_nacbrac_of(
    analysis: CubeAnalysis, *, redouble: bool, score: str = MONEY, suffix: str = ""
) -> CubeNacbrac | None:
    """The nacbrac of a cube decision that was analysed; None where its equities are not known."""
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

    What is as good as the right outcome is joined to it with `=`, as in nacbracs of plays. For
    markup `escape` writes text, and `best` marks the right outcome.
    """
    no, double = ("X", "R") if nacbrac.redouble else ("N", "D")
    if nacbrac.take is None:
        right = wrong = double
    else:
        right, wrong = (f"{double}/{letter}" for letter in ("TP" if nacbrac.take else "PT"))
    first, second = (right, no) if nacbrac.double else (no, right)
    written = escape(f"{nacbrac.score}[x").removesuffix("x") + best(escape(first))
    written += (escape("=") if nacbrac.error == 0 else " ") + escape(second)
    written += f" {thousandths(nacbrac.error)}" if nacbrac.error else ""
    if nacbrac.answer_error is not None:
        written += f" {escape(wrong)} {thousandths(nacbrac.answer_error)}"
    return f"{written}{escape(']')} {escape(nacbrac.suffix)}".rstrip()


def of_plays(names: Sequence[tuple[str, float | None]], text: str) -> CubeNacbrac | None:
    """The cube in what reads like plays, where no roll is to be played: `[N D45]`, `[R X12]`."""
    (best, _), *others = names or [("", None)]
    if len(others) != 1 or {best, others[0][0]} not in ({"N", "D"}, {"X", "R"}):
        return None
    return CubeNacbrac(best in "DR", None, others[0][1], redouble=best in "XR", text=text)
