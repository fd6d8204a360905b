"""The characters of several plays of a roll side by side, as in a nacbrac (tutorial section 17).

There the author stays in a family once its head is in the list, so that one sees what the plays
have in common, and he uses no numerals.
"""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.preference import choose, comes_from_midpoint
from gnubg_nactation.language.styles import fits

__all__ = ["listed"]


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
    """What a play is called in a list: an areal letter gives way to a family that it keeps to."""
    alone = plays.lettered(play).naming
    low = alone.nactation == _SECOND_POINT  # no p without its P
    if not low and alone.right not in _GIVES_WAY:
        return alone
    for row in _FAMILIES:
        naming = _name(row, play, plays)
        if naming and _is_kept(row, beside, plays):
            return naming
    return plays.areal(play) if low else alone


def _is_kept(row: Family, beside: Sequence[Play], plays: Plays) -> bool:
    """Whether a list keeps to a family: its first two are in it, and the first is known by it."""
    found: dict[int, Play] = {}
    for play in beside:
        naming = _name(row, play, plays)
        if naming:
            found[naming.nactation.member] = play
    if not {1, 2} <= found.keys():
        return False
    if row is _LIFT:  # which nobody prefers for a play alone: it must have more to tell
        return areal_family(found[1]) is not areal_family(found[2])
    return plays.lettered(found[1]).naming == (Nactation(row), row.style_right)


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
