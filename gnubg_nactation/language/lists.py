"""The characters of several plays of a roll side by side, as in a nacbrac (tutorial section 17).

There the author stays in a family once its head is in the list, so that one sees what the plays
have in common, and he uses no numerals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.preference import choose, comes_from_midpoint, lettered
from gnubg_nactation.language.styles import fits

__all__ = ["listed"]


def listed(chosen: Sequence[Play], plays: Plays, characters: str = "preferred") -> list[Naming]:
    """The Nactation of each of these plays of a roll in a list of them.

    `characters` is a preset of CHARACTERS (KeyError for another); only with the preferred ones do
    the other plays in the list matter.
    """
    if characters != "preferred":
        return [choose(play, plays, characters)[0] for play in chosen]
    alone = [_alone(play, plays) for play in chosen]
    kept = [_kept(row, chosen, alone, plays) for row in _FAMILIES]
    return [
        _beside(naming, list(filter(None, names)), plays.areal(play))
        for play, naming, *names in zip(chosen, alone, *kept, strict=True)
    ]


@lru_cache(maxsize=64)  # of one roll: the plays of an answer stand in its nacbrac, too
def _alone(play: Play, plays: Plays) -> Naming:
    return lettered(play, plays).naming


def _beside(alone: Naming, kept: Sequence[Naming], areal: Naming) -> Naming:
    """What a play is called in a list, with its names in the families that the list keeps to."""
    low = alone.nactation == _SECOND_POINT and alone not in kept  # no p without its P
    gives_way = low or alone.right in _GIVES_WAY
    return next(iter(kept), areal if low else alone) if gives_way else alone


def _kept(
    row: Family, chosen: Sequence[Play], alone: Sequence[Naming], plays: Plays
) -> list[Naming | None]:
    """The name of each play in a family that the list keeps to; None where it has none."""
    names = [_name(row, play, plays) for play in chosen]
    places = {naming.nactation.member: at for at, naming in enumerate(names) if naming}
    if not {1, 2} <= places.keys():
        return [None] * len(chosen)
    head, second = chosen[places[1]], chosen[places[2]]
    if row is _LIFT:  # which nobody prefers for a play alone: it must have more to tell
        keeps = areal_family(head) is not areal_family(second)
    else:
        keeps = alone[places[1]] == names[places[1]]
    return names if keeps else [None] * len(chosen)


def _name(row: Family, play: Play, plays: Plays) -> Naming | None:
    style = row.style
    if style is None or not style.glance(play) or not fits(play, style, plays.forced):
        return None
    if row is _SLOT and comes_from_midpoint(play, plays):
        return None  # it stays a D
    return plays.reading(row, row.style_right).naming(play)


_FAMILIES = tuple(map(family, "PKH$TL"))
_SLOT, _LIFT = family("$"), family("L")
_SECOND_POINT = Nactation(family("P"), 2)
_GIVES_WAY = {Right.AREAL, Right.CONVENIENCE}
