"""The thirty first moves of reply charts."""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import ROLLS, Play
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import NamedTuple

# The tutorial's openings, and 62R: every roll's best play, and none that loses more than .050 for
# money according to gnubg 2-ply.
OPENINGS = (
    *("21$", "21S", "31P", "41$", "41S", "51$", "51S", "61P", "32D", "32S"),
    *("32Z", "42P", "52D", "52S", "62S", "62$", "62R", "43D", "43S", "43Z"),
    *("43U", "53P", "63R", "63S", "54D", "54S", "64P", "64R", "64S", "65R"),
)
FIRST_ROLLS = tuple([roll for roll in ROLLS if not roll.is_doublet])


class Opening(NamedTuple):
    """A first move: its token in a sequence (`31P`), and its play."""

    token: str
    play: Play


def openings(tokens: tuple[str, ...] = OPENINGS) -> tuple[Opening, ...]:
    """The plays of these first moves, read strictly.

    Raises MalformedError if a token is not a roll with a Nactation, IllegalError if it has no play.
    """
    return tuple([Opening(token, Plays(STANDARD, token[:2]).play(token[2:])) for token in tokens])
