"""The sequence form of a game: `54S-63R-31P` (tutorial introduction, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, Turn
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.values import NamedTuple

__all__ = ["FAN", "PLAIN", "START_MARKS", "SequenceLayout", "row", "sequence", "token", "word"]

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


def sequence(
    turns: Iterable[tuple[Turn, Nactation | None]],
    style: SequenceLayout = PLAIN,
    *,
    paired: bool = False,
) -> str:
    """The turns of a game, each with its Nactation, as one line joined by hyphens.

    Forced rolls stand bare, a fan is F, the cube is C (double), R (redouble) and P (pass); a
    take goes without saying. Beavers, for which there is no letter, are left out. `paired` is as
    for row.
    """
    named = list(turns)
    starts = next((turn.action.player for turn, _ in named if isinstance(turn.action, Move)), None)

    def tokens(style: SequenceLayout) -> list[str]:
        return [text for turn, name in named if (text := token(turn, name, style))]

    return row(tokens, style, starts, paired=paired)


def row(
    tokens: Callable[[SequenceLayout], Sequence[str]],
    style: SequenceLayout,
    starts: Player | None,
    *,
    paired: bool,
) -> str:
    """What `tokens` writes in a style in a row, with the mark for a second player who starts.

    With `paired` two tokens stand between hyphens, six characters in most cases. A comma parts
    those which in plain spelling could be misread when run together (31 and F).
    """
    texts = tokens(style)
    if paired:
        joined, plain = [], tokens(style._replace(spell=str))
        for at in range(0, len(texts) - 1, 2):
            left, right = plain[at], plain[at + 1]
            clear = len(left) > 2 and not left[-1].isdigit() and right[0].isdigit()
            joined.append(f"{texts[at]}{'' if clear else ','}{texts[at + 1]}")
        texts = [*joined, *texts[len(texts) // 2 * 2 :]]
    return (style.start if starts is Player.SECOND else "") + "-".join(texts)


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
    if isinstance(turn.action, Double) and turn.state and turn.state.owner is not None:
        return "Rcb"
    text = _WORDS.get(type(turn.action)) or token(turn, nactation, style)
    return "Fan" if text == "F" else text


_WORDS: dict[type, str] = {Double: "Cub", Take: "Tak", Drop: "Pas"}
_FAN = Nactation(family(FAN))
