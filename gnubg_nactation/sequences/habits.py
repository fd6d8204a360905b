"""The presets of characters to write, with `assumption`: a simple letter for a part of the play.

Sections 8 and 9 of the tutorial let a writer name the hard part of a play and leave the rest to the
reader. Names chosen here read back as the same play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.backgammon.match import SetPosition, Turn
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import CHARACTERS as PRESETS
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import assumed_plays
from gnubg_nactation.sequences.notation import sequence
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.sequences.decode import DecodedTurn

ASSUMPTION = "assumption"


def choose(play: Play, plays: Plays, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play to show by a preset of CHARACTERS; KeyError if unknown."""
    return CHARACTERS[characters](play, plays)


def _assumed(play: Play, plays: Plays) -> tuple[Naming, ...]:
    """A simple character that a reader understands as this play, as the rest of it is obvious.

    The preferred one if that is simple; else a numeral or the letter of a part of the play, and for
    doublets, whose parts are whole plays, the letter first. An assumed letter has the
    right of its family.
    """
    preferred = plays.name(play).naming
    if preferred.nactation.is_simple:
        return (preferred,)
    numeral = PRESETS["numerals"](play, plays)
    if numeral[0].nactation.is_simple and not play.roll.is_doublet:
        return numeral
    letter = next(_part_letters(play, plays), None)
    return (letter,) if letter else numeral


def _part_letters(play: Play, plays: Plays) -> Iterator[Naming]:
    for simple in _SIMPLE:
        if not plays.reading(simple).members and assumed_plays(simple, [play]):
            name = Nactation(simple)
            turn = _read(name, play)
            if turn and turn.play == play and not turn.others:  # no engine can take it for another
                yield Naming(name, simple.right)


def is_understood(name: Nactation, play: Play) -> bool:
    """Whether a reader who sees only the name understands it as this play."""
    turn = _read(name, play)
    return turn is not None and turn.play == play


def _read(name: Nactation, play: Play) -> DecodedTurn | None:
    """A reader's turn for a name of this play's roll; None if the name has no reading."""
    from gnubg_nactation.sequences.decode import decode  # noqa: PLC0415

    try:
        return decode(f"{play.roll}{name}", start=play.before).turns[0]
    except NactationError:
        return None


# The letters of sections 1 to 7, the plainest first.
_SIMPLE = tuple(map(family, "PDRUS$HTLXKZBEACONJIW"))

CHARACTERS: dict[str, Callable[[Play, Plays], tuple[Naming, ...]]] = {
    **PRESETS,
    ASSUMPTION: _assumed,
}


def readable(
    turns: Sequence[Turn],
    names: Sequence[Nactation | None],
    safe: Sequence[Nactation | None],
    start: Position,
) -> list[Nactation | None]:
    """The names of a game's turns, some replaced by safe ones so that the game reads back.

    A sequence is read as a whole, so an assumption at one turn may change another. The last ones
    are replaced first. Turns from the first one that sequences cannot express are not checked.
    """
    end = next((at for at, turn in enumerate(turns) if _is_inexpressible(turn)), len(turns))
    chosen = list(names)
    replaceable = [at for at in range(end) if names[at] != safe[at]]
    while replaceable and not _reads_back(turns[:end], chosen, start):
        at = replaceable.pop()
        chosen[at] = safe[at]
    return chosen


def _is_inexpressible(turn: Turn) -> bool:
    return turn.state is None or bool(turn.problem) or isinstance(turn.action, SetPosition)


def _reads_back(turns: Sequence[Turn], names: Sequence[Nactation | None], start: Position) -> bool:
    from gnubg_nactation.sequences.decode import decode  # noqa: PLC0415

    try:
        decoded = decode(sequence(zip(turns, names, strict=False)), start=start)
    except NactationError:
        return False
    plays = [turn.play for turn in decoded.turns if turn.play]
    return plays == [turn.play for turn in turns if turn.play]
