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
from gnubg_nactation.language.preference import choose, comes_from_midpoint
from gnubg_nactation.language.styles import fits


def listed(
    chosen: Sequence[Play],
    plays: Plays,
    characters: str = "preferred",
    *,
    beside: Sequence[Play] | None = None,
) -> list[Naming]:
    """The Nactation of each of these plays of a roll in a list of them, or of all `beside`.

    `characters` is a preset of CHARACTERS (KeyError for another); only with the preferred ones do
    the other plays in the list matter.
    """
    if characters != "preferred":
        return [choose(play, plays, characters)[0] for play in chosen]
    return [_listed(play, beside or chosen, plays) for play in chosen]


def _listed(play: Play, beside: Sequence[Play], plays: Plays) -> Naming:
    """The Nactation of a play in a list; a family kept throughout beats the areal letter."""
    alone = plays.without_numerals(play).naming
    low = alone.nactation == _SECOND_POINT  # no p without its P
    if not low and alone.right not in _GIVES_WAY:
        return alone
    for listed in _families(play, plays):
        if _is_kept(listed, beside, plays):
            kept = plays.reading(listed, listed.style_right).naming(play)
            if kept:
                return kept
    return plays.areal(play) if low else alone


@lru_cache(maxsize=64)  # of one roll: a play may stand in two lists
def _families(play: Play, plays: Plays) -> tuple[Family, ...]:
    """The families of lists that a play belongs to."""
    return tuple([family for family in _FAMILIES if _is_of(family, play, plays)])


def _is_of(family: Family, play: Play, plays: Plays) -> bool:
    style = family.style
    if style is None or not style.glance(play) or not fits(play, style, plays.forced):
        return False
    return family is not _SLOT or not comes_from_midpoint(play, plays)  # that stays a D


def _is_kept(family: Family, beside: Sequence[Play], plays: Plays) -> bool:
    """Whether a list keeps to a family: its first two are in it, and the first is known by it."""
    best = plays.reading(family, family.style_right).members[:2]
    if len(best) < 2 or not all(one in beside and family in _families(one, plays) for one in best):
        return False
    if family is _LIFT:  # which nobody prefers for a play alone: it must have more to tell
        return areal_family(best[0]) is not areal_family(best[1])
    return plays.without_numerals(best[0]).naming == (Nactation(family), family.style_right)


_FAMILIES = tuple(map(family, "PKH$TL"))
_SLOT, _LIFT = family("$"), family("L")
_SECOND_POINT = Nactation(family("P"), 2)
_GIVES_WAY = {Right.AREAL, Right.CONVENIENCE}
