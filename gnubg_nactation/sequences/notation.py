"""The sequence form of a game: `54S-63R-31P` (tutorial introduction, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, Turn
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation

__all__ = ["FAN", "PLAIN", "START_MARKS", "SequenceLayout", "join_row", "sequence", "token", "word"]

FAN = "^"
START_MARKS = ("-", "->", "-->", "---")


class SequenceLayout(NamedTuple):
    """How a sequence is written where there is a choice.

    `fan` is `F`, `^` (behind the roll) or `roll` (the roll alone); `forced` is `roll` or `name`;
    `start` is the mark of a sequence that the second player starts; `spell` writes a Nactation.
    """

    fan: str = "F"
    forced: str = "roll"
    start: str = "-"
    spell: Callable[[Nactation], str] = str


PLAIN = SequenceLayout()


def sequence(turns: Iterable[tuple[Turn, Nactation | None]], style: SequenceLayout = PLAIN) -> str:
    """The turns of a game, each with its Nactation, as one line joined by hyphens.

    Forced rolls stand bare, a fan is F, the cube is C (double), R (redouble) and P (pass); a
    take goes without saying. Beavers, for which there is no letter, are left out.
    """
    pairs = list(turns)
    tokens = [text for turn, nactation in pairs if (text := token(turn, nactation, style))]
    return join_row(tokens, (turn for turn, _ in pairs), style)


def join_row(
    tokens: Iterable[str], turns: Iterable[Turn], style: SequenceLayout = PLAIN, joint: str = "-"
) -> str:
    """Tokens in a row, with the mark for a second player who starts."""
    starts = next((t.action.player for t in turns if isinstance(t.action, Move)), None)
    return (style.start if starts is Player.SECOND else "") + joint.join(tokens)


def token(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's token in a sequence; empty for an action that sequences leave out.

    A roll whose play is unknown or against the rules gets a question mark.
    """
    match turn.action:
        case Move(roll=roll):
            if turn.state is None or turn.problem:
                return f"{roll}?"
            if not turn.plays and turn.state.position.bar:
                return {"F": "F", "^": f"{roll}{style.spell(_FAN)}"}.get(style.fan, str(roll))
            choice = len(turn.plays) > 1 or style.forced == "name"
            return f"{roll}{style.spell(nactation)}" if nactation and choice else str(roll)
        case Double() if turn.state is not None:
            if turn.state.doubled:
                return ""  # there is no letter for a beaver
            return "C" if turn.state.owner is None else "R"
        case Drop():
            return "P"
    return ""


def word(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's entry in a column of three characters: cube actions and fans are words."""
    match turn.action:
        case Double() if turn.state is not None and turn.state.owner is not None:
            return "Rcb"
        case Double():
            return "Cub"
        case Take():
            return "Tak"
        case Drop():
            return "Pas"
    text = token(turn, nactation, style)
    return "Fan" if text == "F" else text


_FAN = Nactation(family(FAN))
