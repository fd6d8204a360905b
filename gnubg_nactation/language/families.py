"""The families of a roll: the one place that joins plays, areas, styles and conventions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.language import conventions, styles
from gnubg_nactation.language.alphabet import FAMILIES, Family, Kind, family
from gnubg_nactation.language.areas import group_by_area
from gnubg_nactation.language.conventions import Convention, Order, rank
from gnubg_nactation.language.numerals import numeral_members
from gnubg_nactation.language.waived import waived_members

__all__ = ["STYLE_ROWS", "Families"]

_Reading = tuple[Family, bool]

STYLE_ROWS = tuple(map(family, styles.STYLES))

_ORDERS = {
    "P": conventions.STYLE_HIT_MORE_6,
    "@": conventions.STYLE_HIT_MORE_6,
    "Q": conventions.STYLE_HIT_MORE_6,
    "H": conventions.HIGHER_MORE_6,
    "X": conventions.HIGHER_MORE_6,
    "K": conventions.HIGHER_MORE_6,
    "L": conventions.HIT_MORE_FEWER_6,
    "T": conventions.HIT_MORE_FEWER_6,
    "$": conventions.MORE_WHICH_6,
    "&": conventions.MORE_WHICH_6,
    "W": conventions.MORE_WHICH_6,
}


class Families:
    """The legal plays of a roll, sorted into families; each is ranked when first asked for."""

    __slots__ = ("_areal", "_places", "_ranked", "forced", "plays")

    def __init__(self, plays: Sequence[Play]) -> None:
        self.plays = plays
        self.forced = styles.forced_portions(plays)
        self._areal: dict[Family, list[Play]] = {}
        self._ranked: dict[_Reading, list[Play]] = {}
        self._places: dict[_Reading, dict[tuple[Portion, ...], int]] = {}

    @property
    def is_doublet(self) -> bool:
        """Whether the roll is a doublet; False when nothing can be played."""
        return bool(self.plays) and self.plays[0].roll.is_doublet

    def areal_rows(self) -> list[Family]:
        """The areal families that have members, in the order of the alphabet."""
        return [row for row in FAMILIES if row in self._by_area()]

    def _by_area(self) -> dict[Family, list[Play]]:
        if not self._areal:
            self._areal = group_by_area(self.plays)
        return self._areal

    def members(self, row: Family, *, waived: bool = False) -> list[Play]:
        """The members of a family, best first; empty if it has none.

        With `waived`, the plays whose rest after entering belongs to the areal family.
        """
        reading = row, waived
        if reading not in self._ranked:
            self._ranked[reading] = self._rank(row, waived=waived)
        return self._ranked[reading]

    def place(self, play: Play, row: Family, *, waived: bool = False) -> int:
        """At which place of a family a play stands, from 1; 0 if it is no member."""
        reading = row, waived
        if reading not in self._places:
            members = self.members(row, waived=waived)
            self._places[reading] = {one.portions: at for at, one in enumerate(members, 1)}
        return self._places[reading].get(play.portions, 0)

    def _rank(self, row: Family, *, waived: bool) -> list[Play]:
        if waived:
            return waived_members(row, self.plays)
        if row.kind is Kind.NUMERAL:
            return numeral_members(row.key, self.plays, self.forced)
        areal = self._by_area().get(row) if row.kind is Kind.AREAL else None
        members = areal or [play for play in self.plays if self.fits(play, row)]
        return rank(members, self.order(row)) if members else []

    def fits(self, play: Play, row: Family) -> bool:
        """Whether a play belongs to a style family."""
        style = styles.STYLES.get(row.key)
        if style is None or not style.glance(play):
            return False
        return any(map(style.definition, self._accounts(play)))

    def style_rows(self, play: Play) -> list[Family]:
        """All style families to which a play belongs."""
        return [row for row in STYLE_ROWS if self.fits(play, row)]

    def _accounts(self, play: Play) -> Iterator[styles.Account]:
        return styles.accounts(play, self.forced)

    def order(self, row: Family) -> Order:
        """The rule by which a family is ranked."""
        if row.key not in _ORDERS or (row.kind is Kind.AREAL and row in self._by_area()):
            return conventions.HIT_MORE_6
        order = _ORDERS[row.key]
        if row.key in {"P", "@"}:
            return order._replace(hit=Convention("hit", partial(self._hit_less_point, row)))
        return order

    def _hit_less_point(self, row: Family, play: Play) -> tuple[int, ...]:
        """The hit convention of P and @: the point made is no extra home point (#66)."""
        home, *hits = conventions.hit(play)
        lowest = 13 if row.key == "@" else 1
        points = map(styles.point_made, self._accounts(play))
        made = next((point for point in points if point >= lowest), 0)
        return home - (1 <= made <= 6), *hits
