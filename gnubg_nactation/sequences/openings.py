"""The first moves that are worth a reply of their own: the thirty of reply charts."""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import NamedTuple

# Those of the tutorial's captions and diagrams, and 62R. None loses more than .050 for money by
# gnubg's 2-ply, and of every roll the best play is among them.
OPENINGS = (
    *("21$", "21S", "31P", "41$", "41S", "51$", "51S", "61P", "32D", "32S"),
    *("32Z", "42P", "52D", "52S", "62S", "62$", "62R", "43D", "43S", "43Z"),
    *("43U", "53P", "63R", "63S", "54D", "54S", "64P", "64R", "64S", "65R"),
)


class Opening(NamedTuple):
    """A first move, as a sequence writes it (`31P`), and its play."""

    token: str
    play: Play


def openings(tokens: tuple[str, ...] = OPENINGS) -> tuple[Opening, ...]:
    """The plays of these first moves, each read to the letter; IllegalError for one that is none.

    Raises MalformedError where the first two characters are no roll, or the rest no Nactation.
    """
    found = []
    for token in tokens:
        plays = Plays(STANDARD, Roll.parse(token[:2]))
        found.append(Opening(token, plays.play(token[2:])))
    return tuple(found)
