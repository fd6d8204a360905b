"""The characters of several plays of a roll in a list, as in a nacbrac (tutorial section 17).

In a list, the author uses no numerals, and keeps to a family once its first member is listed. This
shows what the plays have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays, choose, comes_from_midpoint


def listed(
    chosen: Sequence[Play],
    plays: Plays,
    characters: str = "preferred",
    *,
    context: Sequence[Play] | None = None,
) -> list[Naming]:
    """The Nactation of each chosen play in a list of them, or in the longer list `context`.

    `characters` is a preset of CHARACTERS (KeyError if unknown). Only the preferred characters
    depend on the other plays of the list.
    """
    if characters != "preferred":
        return [choose(play, plays, characters)[0] for play in chosen]
    return [_listed(play, context or chosen, plays) for play in chosen]


def _listed(play: Play, context: Sequence[Play], plays: Plays) -> Naming:
    """The Nactation of a play in a list, where a family kept in the list beats an areal letter."""
    alone = plays.without_numerals(play).naming
    low = alone.nactation == _SECOND_POINT  # a list has no p without its P
    if not low and alone.right not in _GIVES_WAY:
        return alone
    for listed in _FAMILIES:
        if _is_of(listed, play, plays) and _is_kept(listed, context, plays):
            naming = plays.reading(listed, listed.style_right).naming(play)
            if naming:
                return naming
    return plays.areal(play) if low else alone


def _is_of(family: Family, play: Play, plays: Plays) -> bool:
    """Whether a play is of a family that lists may keep."""
    style = family.style
    if style is None or not style.glance(play) or not plays.fits(play, family):
        return False
    return family is not _SLOT or not comes_from_midpoint(play, plays)  # that stays a D


def _is_kept(family: Family, context: Sequence[Play], plays: Plays) -> bool:
    """Whether a list keeps a family: its first two are listed, and the first prefers its letter."""
    best = plays.reading(family, family.style_right).members[:2]
    if len(best) < 2 or not all(play in context and _is_of(family, play, plays) for play in best):
        return False
    if family is _LIFT:  # never preferred for a single play: in a list it must add information
        return areal_family(best[0]) is not areal_family(best[1])
    return plays.without_numerals(best[0]).naming == (Nactation(family), family.style_right)


_FAMILIES = tuple(map(family, "PKH$TL"))
_SLOT, _LIFT = family("$"), family("L")
_SECOND_POINT = Nactation(family("P"), 2)
_GIVES_WAY = {Right.AREAL, Right.CONVENIENCE}
