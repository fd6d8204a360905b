"""The sequence form of a game: `54S-63R-31P` (tutorial introduction, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, Turn
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.sequences.decode import Decoded

FAN = "^"
START_MARKS = ("-", "->", "-->", "---")


def begins(position: Position | None) -> str:
    """What stands before a sequence from a position: `N ` where it is Nackgammon's."""
    return "N " if position == NACKGAMMON else ""


class SequenceLayout(NamedTuple):
    """How a sequence is written where there is a choice.

    `fan` is `F`, `^` (behind the roll) or `roll` (the roll alone); `forced` is `roll` or `name`;
    `start` is the mark of a sequence that the second player starts; `spell` writes a Nactation.
    `between` stands between tokens, and `cube` says double, redouble and pass. What `behind` says
    of a turn stands behind its token, and readers pass it over.
    """

    fan: str = "F"
    forced: str = "roll"
    start: str = "-"
    spell: Callable[[Nactation], str] = str
    between: str = "-"
    cube: tuple[str, str, str] = ("C", "R", "P")
    behind: Callable[[Turn], str] | None = None


PLAIN = SequenceLayout()


def spoken(style: SequenceLayout) -> SequenceLayout:
    """The style in words, as one says it: `54-split, 63-run, 31-point` (section 1).

    What has no word stands as before; all of it is read again.
    """

    def spell(name: Nactation) -> str:
        word = _word_of(name)
        return f"-{word}" if word else style.spell(name)

    fan = "fan" if style.fan == "F" else style.fan
    cube = ("double", "redouble", "pass")
    return style._replace(fan=fan, spell=spell, between=", ", cube=cube)


def _word_of(name: Nactation) -> str:
    """The word for the head of a family whose letter is no advanced knowledge."""
    head = name.family
    word = head.word.split(",")[0]
    told = name.member == 1 and not head.is_advanced and word.isalpha()
    return word if told else ""


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
        told = style.behind or _nothing
        found = ((turn, token(turn, name, style)) for turn, name in named)
        return [text + told(turn) for turn, text in found if text]

    return row(tokens, style, starts, paired=paired)


def rewrite(decoded: Decoded) -> str:
    """A sequence as the program writes it; if a token has no roll, with its tokens unchanged."""
    turns = decoded.turns
    if any(turn.token.roll is None and isinstance(turn.action, Move) for turn in turns):
        mark = "-" if decoded.parsed.starts else ""
        text = mark + "-".join(turn.token.text for turn in turns)
    else:
        text = sequence((turn, turn.nactation) for turn in turns)
    return begins(decoded.parsed.start) + text


def _nothing(_: Turn) -> str:
    return ""


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
            clear = (
                style.between == "-"
                and len(left) > 2
                and not left[-1].isdigit()
                and right[0].isdigit()
            )
            joined.append(f"{texts[at]}{'' if clear else ','}{texts[at + 1]}")
        texts = [*joined, *texts[len(texts) // 2 * 2 :]]
    return (style.start if starts is Player.SECOND else "") + style.between.join(texts)


def token(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's token in a sequence; empty for an action that sequences leave out.

    A roll whose play is unknown or against the rules gets a question mark.
    """
    match turn.action:
        case Move(roll=roll):
            if turn.state is None or turn.problem:
                return f"{roll}?"
            if not turn.plays and turn.state.position.bar:
                fans = {"F": "F", "fan": "fan", "^": f"{roll}{style.spell(_FAN)}"}
                return fans.get(style.fan, str(roll))
            choice = len(turn.plays) > 1 or style.forced == "name"
            return f"{roll}{style.spell(nactation)}" if nactation and choice else str(roll)
        case Double() if turn.state is not None:
            if turn.state.doubled:
                return ""  # there is no letter for a beaver
            return style.cube[0] if turn.state.owner is None else style.cube[1]
        case Drop():
            return style.cube[2]
    return ""


def word(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's entry in a column of three characters: cube actions and fans are words."""
    if isinstance(turn.action, Double) and turn.state and turn.state.owner is not None:
        return "Rcb"
    text = _WORDS.get(type(turn.action)) or token(turn, nactation, style)
    return "Fan" if text == "F" else text


_WORDS: dict[type, str] = {Double: "Cub", Take: "Tak", Drop: "Pas"}
_FAN = Nactation(family(FAN))
