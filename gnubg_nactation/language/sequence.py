"""The sequence form of a game: `54S-63R-31P` (tutorial introduction, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.backgammon.match import Double, Drop, Move, Turn
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.nactation import Nactation

__all__ = ["FAN", "sequence", "token"]

FAN = "^"


def sequence(turns: Iterable[tuple[Turn, Nactation | None]]) -> str:
    """The turns of a game, each with its Nactation, as one line joined by hyphens.

    A leading hyphen says that the second player starts. Forced rolls stand bare, a fan is F,
    the cube is C (double), R (redouble) and P (pass); a take goes without saying.
    """
    pairs = list(turns)
    tokens = [word for turn, nactation in pairs if (word := token(turn, nactation))]
    starts = next((t.action.player for t, _ in pairs if isinstance(t.action, Move)), None)
    return ("-" if starts is Player.SECOND else "") + "-".join(tokens)


def token(turn: Turn, nactation: Nactation | None) -> str:
    """The turn's token in a sequence; empty for an action that sequences leave out.

    A roll whose play is unknown or against the rules gets a question mark.
    """
    match turn.action:
        case Move(roll=roll):
            if turn.state is None or turn.problem:
                return f"{roll}?"
            if not turn.plays and turn.state.position.bar:
                return "F"
            choice = nactation is not None and len(turn.plays) > 1
            return f"{roll}{nactation}" if choice else str(roll)
        case Double() if turn.state is not None:
            if turn.state.doubled:
                return ""  # there is no letter for a beaver
            return "C" if turn.state.owner is None else "R"
        case Drop():
            return "P"
    return ""
