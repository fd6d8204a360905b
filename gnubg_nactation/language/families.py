"""The families of a roll: the one place that joins plays, areas and conventions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.conventions import rank

__all__ = ["areal_families", "areal_members"]


def areal_families(plays: Iterable[Play]) -> dict[Family, list[Play]]:
    """All areal families of a roll's legal plays, each with its members in rank order."""
    families: dict[Family, list[Play]] = {}
    for play in plays:
        families.setdefault(areal_family(play), []).append(play)
    return {row: rank(members) for row, members in families.items()}


def areal_members(row: Family, plays: Sequence[Play]) -> list[Play]:
    """The members of one areal family among a roll's legal plays, in rank order."""
    return rank([play for play in plays if areal_family(play) is row])
