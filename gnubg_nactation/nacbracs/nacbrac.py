"""Nacbracs, or Nactation brackets: the plays of a roll with their errors (tutorial section 17).

`[P @87 H94 X101]`: P is best, @ loses 87 thousandths of a point. A score may come before the
bracket, and the bot after it (`bots.py`). `reading.py` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from math import isfinite

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, dataclass, field, replace

MONEY = ""
_MAX_POINTS = 64  # of a match, the bots' limit
_WORDS = {
    MONEY: "money",
    "d": "double match point",
    "g": "gammon go",
    "s": "gammon save",
    "j": "money with Jacoby",
    "n": "money without Jacoby",
}
_NAMES = {"money": MONEY, "dmp": "d", "gg": "g", "gs": "s", "jacoby": "j"}
# Points to go of the player on roll and of the opponent; C for the Crawford game.
_LETTERS = {"g": "-2-1C", "s": "-1-2C", "d": "-1-1"}
_AWAY = re.compile(r"-?([0-9]{1,3})-([0-9]{1,3})(C?)", re.IGNORECASE)


def parse_score(text: str) -> str:
    """Read a score as a nacbrac writes it: empty for money, a letter, or `-3-5`, `-2-1C`.

    Accepts the letters d g s j n, the words money, dmp, gg, gs and jacoby, and the points to go of
    the player on roll and the opponent, with a C for the Crawford game. Raises MalformedError.
    """
    word = text.strip().strip("()")
    if word.lower() in _NAMES:
        return _NAMES[word.lower()]
    if word and word in _WORDS:
        return word
    match = _AWAY.fullmatch(word)
    if not match:
        raise MalformedError(
            f"not a score: {quoted(text)} (expected dmp, gg, gs, money, jacoby, or points to go "
            "such as -3-5 or -2-1C)"
        )
    away, opponent_away = int(match[1]), int(match[2])
    if not (1 <= away <= _MAX_POINTS and 1 <= opponent_away <= _MAX_POINTS):
        raise MalformedError(f"not a score: {quoted(text)} (1 to {_MAX_POINTS} points to go)")
    if match[3] and (away == 1) == (opponent_away == 1):
        raise MalformedError(
            f"not a score: {quoted(text)} (in the Crawford game one side needs 1 point)"
        )
    return f"-{away}-{opponent_away}{match[3].upper()}"


def describe_score(score: str) -> str:
    """A nacbrac's score in words: `gammon go`, `3 away, 5 away`; KeyError if unknown."""
    match = _AWAY.fullmatch(score)
    if not match:
        return _WORDS[score]
    return f"{match[1]} away, {match[2]} away{', Crawford' if match[3] else ''}"


def name_of_score(score: str) -> str:
    """The text that `parse_score` reads as this score: `money`, `dmp`, `-3-5`."""
    return next((name for name, same in _NAMES.items() if same == score), score)


def at_score(state: GameState, score: str) -> GameState:
    """The state at a nacbrac's score.

    Gammon go is 2 points against 1 in the Crawford game, gammon save the reverse. In the Crawford
    game nobody has doubled.
    """
    match = _AWAY.fullmatch(_LETTERS.get(score, score))
    if not match:
        return replace(state, length=0, score=(0, 0), crawford=False, jacoby=score == "j")
    away, opponent_away = int(match[1]), int(match[2])
    length = max(away, opponent_away)
    points = length - away, length - opponent_away
    points = points if state.player is Player.FIRST else points[::-1]
    state = replace(state, jacoby=False, beavers=False)
    if match[3]:
        state = replace(state, cube=1, owner=None)
    return replace(state, length=length, score=points, crawford=bool(match[3]))


def score_of(state: GameState) -> str:
    """The score of a state as a nacbrac writes it, with the letters d, g and s if they fit."""
    if not state.length:
        return "j" if state.jacoby else MONEY
    away = state.length - state.score[state.player]
    opponent_away = state.length - state.score[state.player.other]
    score = f"-{away}-{opponent_away}{'C' if state.crawford else ''}"
    return next((letter for letter, same in _LETTERS.items() if same == score), score)


def thousandths(points: float) -> str:
    """Format points as thousandths: `87`, `12.5`."""
    return f"{Decimal(repr(points)).scaleb(3).normalize():f}"


def points_of(thousandths: str) -> float:
    """Read thousandths as points; the decimal sign may be a comma."""
    return float(Decimal(thousandths.replace(",", ".")).scaleb(-3))


ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Entry:
    """A play of a nacbrac: its name and its loss against the best, in points; None if not given.

    `skipped` means that plays before it are left out (an ellipsis). `text` is the name as written,
    at offset `at` of the whole text.
    """

    name: Nactation
    error: float | None = None
    skipped: bool = False
    text: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Nacbrac:
    """Plays of one roll, the best first, with errors that do not decrease.

    `score` is empty for money, or `d`, `g`, `-3-5`, as `parse_score` returns it. `equity` is that
    of the best play, if given. `more` means that plays after the last entry are left out. `suffix`
    is the text after the bracket, which may name the bot.
    """

    entries: tuple[Entry, ...]
    score: str = MONEY
    equity: float | None = None
    more: bool = False
    suffix: str = ""
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The nacbrac in plain spelling."""
        return format_nacbrac(self)


def format_nacbrac(
    nacbrac: Nacbrac,
    spell: Callable[[Nactation], str] = str,
    escape: Callable[[str], str] = str,
    best: Callable[[str], str] = str,
) -> str:
    """The nacbrac in plain spelling, in the tutorial's form: the inverse of parse_nacbrac.

    Plays as good as the best are joined to it with `=` (#31); other equal plays both have the
    number, as in `R41 Q41` (#51). A hyphen separates a numeral from its error.

    For markup, `spell` writes a name, `escape` other text, and `best` marks the best plays.
    """
    equity = nacbrac.equity
    text = "" if equity is None else "+" * (equity >= 0) + thousandths(equity or 0.0)
    text = escape(f"[{text}x").removesuffix("x")  # BBCode's tags begin with a letter
    previous: Entry | None = None
    for entry in nacbrac.entries:
        equal = previous is not None and previous.error == entry.error == 0
        if entry.skipped:
            text += f" {ELLIPSIS}" if previous is None and equity is not None else ELLIPSIS
        elif previous is not None or equity is not None:
            text += escape("=") if equal else " "
        is_best = not entry.skipped and entry.error == 0 and (previous is None or equal)
        text += best(spell(entry.name)) if is_best else spell(entry.name)
        if entry.error is not None and not is_best:
            text += "-" * (entry.name.family.right is Right.NUMERAL) + thousandths(entry.error)
        previous = entry
    text = f"{escape(nacbrac.score)}{text}{ELLIPSIS * nacbrac.more}"
    return f"{text}{escape(']')} {escape(nacbrac.suffix)}".rstrip()


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
    action, _, answer = analysis.best.rpartition(", ")
    return CubeNacbrac(
        action == "double",
        answer == "take",
        round(abs(min(double_take, passed) - no_double), 3),
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
