"""Which characters to write: those of the language, and as people write who are in a hurry.

Sections 8 and 9 of the tutorial let a writer name the hard part of a play and leave the rest to the
reader. What is written so here reads back to the same play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.backgammon.match import SetPosition, Turn
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language import preference
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import assumed_plays
from gnubg_nactation.sequences.notation import sequence
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.sequences.decode import DecodedTurn

ASSUMPTION = "assumption"


def choose(play: Play, plays: Plays, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play that a preset of CHARACTERS shows; KeyError for another."""
    return CHARACTERS[characters](play, plays)


def _assumed(play: Play, plays: Plays) -> tuple[Naming, ...]:
    """A simple character that a reader takes for this play, the rest of it being obvious.

    The preferred one if that is simple, else a numeral or one of a part of the play; of doublets,
    whose parts are plays themselves, that first. By which right an assumed character names the play
    is not said: its naming has that of its family.
    """
    first = preference.preferred(play, plays).naming
    if first.nactation.is_simple:
        return (first,)
    numeral = preference.choose(play, plays, "numerals")
    if numeral[0].nactation.is_simple and not play.roll.is_doublet:
        return numeral
    found = next(_parts(play, plays), None)
    return (found,) if found else numeral


def _parts(play: Play, plays: Plays) -> Iterator[Naming]:
    for simple in _SIMPLE:
        if not plays.reading(simple).members and assumed_plays(simple, [play]):
            name = Nactation(simple)
            turn = _read(name, play)
            if turn and turn.play == play and not turn.others:  # no engine can take it for another
                yield Naming(name, simple.right)


def is_understood(name: Nactation, play: Play) -> bool:
    """Whether a reader who sees the name of a play alone takes it for this play."""
    turn = _read(name, play)
    return turn is not None and turn.play == play


def _read(name: Nactation, play: Play) -> DecodedTurn | None:
    """The turn as which a reader takes a name of this play's roll; None if it says nothing."""
    from gnubg_nactation.sequences.decode import decode  # noqa: PLC0415

    try:
        return decode(f"{play.roll}{name}", start=play.before).turns[0]
    except NactationError:
        return None


# What a beginner knows (sections 1 to 7), the plainest first.
_SIMPLE = tuple(map(family, "PDRUS$HTLXKZBEACONJIW"))

CHARACTERS: dict[str, Callable[[Play, Plays], tuple[Naming, ...]]] = {
    **preference.CHARACTERS,
    ASSUMPTION: _assumed,
}


def readable(
    turns: Sequence[Turn],
    names: Sequence[Nactation | None],
    safe: Sequence[Nactation | None],
    start: Position,
) -> list[Nactation | None]:
    """The names of a game's turns, or the safe ones where those would mislead a reader.

    A sequence is read as a whole, so that what is assumed in one place may tip another; the last
    ones are given up first. What follows a turn that no sequence tells is not looked at.
    """
    told = next((at for at, turn in enumerate(turns) if _is_untold(turn)), len(turns))
    found = list(names)
    others = [at for at in range(told) if names[at] != safe[at]]
    while others and not _reads_back(turns[:told], found, start):
        at = others.pop()
        found[at] = safe[at]
    return found


def _is_untold(turn: Turn) -> bool:
    return turn.state is None or bool(turn.problem) or isinstance(turn.action, SetPosition)


def _reads_back(turns: Sequence[Turn], names: Sequence[Nactation | None], start: Position) -> bool:
    from gnubg_nactation.sequences.decode import decode  # noqa: PLC0415

    try:
        decoded = decode(sequence(zip(turns, names, strict=False)), start=start)
    except NactationError:
        return False
    found = [turn.play for turn in decoded.turns if turn.play]
    return found == [turn.play for turn in turns if turn.play]
