"""From a play to its Nactations."""

from __future__ import annotations

from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactation import Nactation

__all__ = ["CONVENIENCE", "Naming", "areal_nactation", "nactate", "s_names_z"]

CONVENIENCE = "convenience"


class Naming(NamedTuple):
    """A Nactation of a play, and by which right: an alphabet Kind's value, or `convenience`."""

    nactation: Nactation
    kind: str


def areal_nactation(play: Play, families: Families) -> Nactation:
    """The one areal Nactation of a play among the families of its roll."""
    row = areal_family(play)
    return Nactation(row, families.members(row).index(play) + 1)


def nactate(play: Play, families: Families) -> tuple[Naming, ...]:
    """Every Nactation of a play among the families of its roll, the one to print first."""
    areal = areal_nactation(play, families)
    namings = [Naming(areal, areal.family.kind.value)]
    if areal.family is _ZPLIT and s_names_z(families):
        namings.insert(0, Naming(Nactation(_SPLIT, areal.member), CONVENIENCE))
    return tuple(namings)


_SPLIT, _ZPLIT = family("S"), family("Z")


def s_names_z(families: Families) -> bool:
    """Whether S stands for Z, as no play splits with the larger die (#6, section 12)."""
    plays = families.plays
    return bool(plays) and not plays[0].roll.is_doublet and _SPLIT not in families
