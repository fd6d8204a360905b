"""The sequence form of a game: `54S-63R-31P` (tutorial introduction, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, Turn
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.values import NamedTuple

FAN = "^"
START_MARKS = ("-", "->", "-->", "---")


def start_prefix(position: Position | None) -> str:
    """`N ` before a sequence from Nackgammon's position, else nothing."""
    return "N " if position == NACKGAMMON else ""


class SequenceLayout(NamedTuple):
    """Choices in writing a sequence.

    `fan` is `F`, `^` (after the roll) or `roll` (the roll alone); `forced` is `roll` or `name`;
    `start` marks a sequence that the second player starts; `spell` writes a Nactation. `between`
    separates tokens; `cube` has the tokens of double, redouble and pass. `suffix` writes a comment
    on a turn after its token, which readers skip. `raises` writes beavers and raccoons as words.
    """

    fan: str = "F"
    forced: str = "roll"
    start: str = "-"
    spell: Callable[[Nactation], str] = str
    between: str = "-"
    cube: tuple[str, str, str] = ("C", "R", "P")
    suffix: Callable[[Turn], str] | None = None
    raises: bool = False


PLAIN = SequenceLayout()
RAISES = {2: "beaver", 3: "raccoon"}


def in_words(style: SequenceLayout) -> SequenceLayout:
    """The style with words for letters: `54-split, 63-run, 31-point` (section 1).

    Letters without a word are written as before. The result can be read back.
    """

    def spell(name: Nactation) -> str:
        head = name.family
        word = head.word.split(",")[0]
        has_word = name.member == 1 and not head.is_advanced and word.isalpha()
        return f"-{word}" if has_word else style.spell(name)

    fan = "fan" if style.fan == "F" else style.fan
    cube = ("double", "redouble", "pass")
    return style._replace(fan=fan, spell=spell, between=", ", cube=cube)


def sequence(
    turns: Iterable[tuple[Turn, Nactation | None]],
    style: SequenceLayout = PLAIN,
    *,
    paired: bool = False,
) -> str:
    """Write the turns of a game, each with its Nactation, as one line joined by hyphens.

    A forced roll has no letter, a fan is F, and the cube is C (double), R (redouble) and P (pass).
    Takes are left out, and so are beavers, which have no letter. `paired`: see `join_tokens`.
    """
    turns = list(turns)
    starts = next((turn.action.player for turn, _ in turns if isinstance(turn.action, Move)), None)

    def tokens(style: SequenceLayout) -> list[str]:
        texts = ((turn, token(turn, name, style)) for turn, name in turns)
        return [text + (style.suffix(turn) if style.suffix else "") for turn, text in texts if text]

    return join_tokens(tokens, style, starts, paired=paired)


def join_tokens(
    tokens: Callable[[SequenceLayout], Sequence[str]],
    style: SequenceLayout,
    starts: Player | None,
    *,
    paired: bool,
) -> str:
    """Join the tokens of a style, after the mark for a second player who starts.

    With `paired` each pair runs together, in most cases as six characters. A comma separates two
    that could be misread in plain spelling (31 and F).
    """
    texts = tokens(style)
    if paired:
        joined, plain = [], tokens(style._replace(spell=str))
        for at in range(0, len(texts) - 1, 2):
            left, right = plain[at], plain[at + 1]
            clear = (
                style.between == "-"
                and len(left) > 2
                and left[0].isdigit()
                and not left[-1].isdigit()
                and right[0].isdigit()
            )
            between = "" if clear else "-" if left in RAISES.values() else ","
            joined.append(f"{texts[at]}{between}{texts[at + 1]}")
        texts = [*joined, *texts[len(texts) // 2 * 2 :]]
    return (style.start if starts is Player.SECOND else "") + style.between.join(texts)


def token(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's token in a sequence; empty for an action that sequences leave out.

    A roll whose play is unknown or illegal gets a question mark.
    """
    match turn.action:
        case Move(roll=roll):
            if turn.state is None or turn.problem:
                return f"{roll}?"
            if not turn.plays and turn.state.position.bar:
                fans = {"F": "F", "fan": "fan", "^": f"{roll}{style.spell(_FAN)}"}
                return fans.get(style.fan, str(roll))
            is_named = len(turn.plays) > 1 or style.forced == "name"
            return f"{roll}{style.spell(nactation)}" if nactation and is_named else str(roll)
        case Double() if turn.state is not None:
            if turn.state.doubled:  # a beaver has no letter
                return RAISES[turn.raised] if style.raises and turn.raised in RAISES else ""
            return style.cube[0] if turn.state.owner is None else style.cube[1]
        case Drop():
            return style.cube[2]
    return ""


def column_word(turn: Turn, nactation: Nactation | None, style: SequenceLayout = PLAIN) -> str:
    """The turn's entry in a column of three characters: cube actions and fans are words."""
    if isinstance(turn.action, Double) and style.raises and turn.raised in RAISES:
        return _RAISED[turn.raised]
    if isinstance(turn.action, Double) and turn.state and turn.state.owner is not None:
        return "Rcb"
    text = _WORDS.get(type(turn.action)) or token(turn, nactation, style)
    return "Fan" if text == "F" else text


_RAISED = {2: "Bvr", 3: "Rcn"}
_WORDS: dict[type, str] = {Double: "Cub", Take: "Tak", Drop: "Pas"}
_FAN = Nactation(family(FAN))
