"""The families of a roll: the one place that joins plays, areas and conventions."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.conventions import rank

__all__ = ["Families"]


class Families:
    """The legal plays of a roll, sorted into families; each is ranked when first asked for."""

    __slots__ = ("_areal", "_ranked", "plays")

    def __init__(self, plays: Sequence[Play]) -> None:
        self.plays = plays
        self._areal: dict[Family, list[Play]] = {}
        for play in plays:
            if play.portions:
                self._areal.setdefault(areal_family(play), []).append(play)
        self._ranked: dict[Family, list[Play]] = {}

    def __contains__(self, row: Family) -> bool:
        return row in self._areal

    def members(self, row: Family) -> list[Play]:
        """The members of a family, best first; empty if it has none."""
        if row not in self._ranked:
            self._ranked[row] = rank(self._areal.get(row, ()))
        return self._ranked[row]
