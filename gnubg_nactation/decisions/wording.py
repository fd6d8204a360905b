"""A decision in words: the question, the score, the cube, the choices and the right action."""

from __future__ import annotations

from collections.abc import Callable

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice, Decision
from gnubg_nactation.decisions.severity import points, points_lost, thousandths
from gnubg_nactation.language.nactation import Nactation

Names = tuple[str, str]


def question(state: GameState, names: Names | None = None) -> str:
    """The question of a state: `X to play 61: your play?`; X is the player who decides."""
    player = names[state.player] if names else "X"
    if state.doubled:
        return f"{player} is offered the cube at {state.cube * 2}: take or drop?"
    if state.roll:
        return f"{player} to play {state.roll}: your play?"
    return f"{player} to roll: double?"


def score_words(state: GameState) -> str:
    """The away scores, first of the player who decides: `3-away 1-away, Crawford`."""
    if not state.length:
        return "Money game, Jacoby rule" if state.jacoby else "Money game"
    own = state.length - state.score[state.player]
    opponent = state.length - state.score[state.player.other]
    crawford = ", Crawford" if state.crawford else ""
    if not crawford and min(own, opponent) == 1 < max(own, opponent):
        crawford = ", post-Crawford"
    return f"{own}-away {opponent}-away{crawford}"


def cube_words(state: GameState, names: Names | None = None) -> str:
    """Where the cube is: `cube in the middle`, `X owns the cube at 2`; `no cube` in Crawford."""
    if state.crawford and state.length:
        return "no cube"
    if state.owner is None:
        return "cube in the middle"
    sides = names or ("X", "O") if state.player == 0 else names or ("O", "X")
    return f"{sides[state.owner]} owns the cube at {state.cube}"


def choice_words(
    choice: Choice,
    spell: Callable[[Nactation], str] = str,
    escape: Callable[[str], str] = str,
    details: str = "",
) -> str:
    """The choice on one line: `31P 8/5 6/5, +.159`, `no double, +.050 (-.109), 3-ply`."""
    equity = "" if choice.equity is None else f", {points(choice.equity)}"
    loss = f" ({points_lost(choice.loss)})" if thousandths(choice.loss) else ""
    words = f"{choice.text}{equity}{loss}" + f", {details}" * bool(details)
    return f"{token(choice, spell)}{escape(words)}"


def token(choice: Choice, spell: Callable[[Nactation], str]) -> str:
    """The roll and the Nactation of a play, then a blank; empty for the cube."""
    return f"{choice.play.roll}{spell(choice.name)} " if choice.play and choice.name else ""


def right_actions(decision: Decision) -> str:
    """The right cube actions: `no double, take`, or the answer alone; empty for plays."""
    best = in_prose(decision.cube.best) if decision.cube else ""
    return best.rpartition(", ")[2] if decision.state.doubled else best
