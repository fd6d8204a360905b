"""From a play to its Nactations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.families import areal_members
from gnubg_nactation.language.nactation import Nactation

__all__ = ["CONVENIENCE", "Naming", "areal_nactation", "nactate"]

CONVENIENCE = "convenience"


class Naming(NamedTuple):
    """A Nactation of a play, and by which right: an alphabet Kind's value, or `convenience`."""

    nactation: Nactation
    kind: str


def areal_nactation(play: Play, plays: Sequence[Play]) -> Nactation:
    """The one areal Nactation of a play, `plays` being all legal plays of its roll."""
    row = areal_family(play)
    return Nactation(row, areal_members(row, plays).index(play) + 1)


def nactate(play: Play, plays: Sequence[Play]) -> tuple[Naming, ...]:
    """Every Nactation of a play, the one to print first; `plays` are all legal plays of its roll.

    A play in which nothing is moved has none.
    """
    areal = areal_nactation(play, plays)
    namings = [Naming(areal, areal.family.kind.value)]
    if areal.family is _ZPLIT and s_names_z(plays):
        namings.insert(0, Naming(Nactation(_SPLIT, areal.member), CONVENIENCE))
    return tuple(namings)


_SPLIT, _ZPLIT = family("S"), family("Z")


def s_names_z(plays: Sequence[Play]) -> bool:
    """Whether S stands for Z, as no play splits with the larger die (#6, section 12)."""
    return not plays[0].roll.is_doublet and all(areal_family(p) is not _SPLIT for p in plays)
