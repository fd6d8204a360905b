"""Older usage: how characters were read and ranked before the tutorial of 2013.

The table has an entry for each abandoned usage, with its last day. A dialect combines the usages of
one time. They define the plays that a character names, their order, and the member that a style of
writing means. Everything else is read as today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date

from gnubg_nactation.backgammon.plays import POINT_BIT, Play
from gnubg_nactation.backgammon.position import BAR, FAR
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language import conventions
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.conventions import POINT_ORDER, Convention, Order, rank
from gnubg_nactation.language.nactation import Nactation, from_look
from gnubg_nactation.language.plays import Plays, Reading
from gnubg_nactation.language.preference import Preferred
from gnubg_nactation.language.styles import checker_paths, new_blots, orders, resting_points
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

Holds = Callable[[Play], bool]
Ranks = Callable[[Order], Order]


class Usage(NamedTuple):
    """An abandoned usage: its last day (YYYY-MM-DD), its characters and its meaning.

    `section` is the tutorial's section on today's usage. `holds` maps families to a test for the
    plays that belonged to them. `ranks` turns today's order of members into the old one. `looks`
    are the weights of italics, underline, bold and colour in the level of a member; for most
    letters, a level has two members.
    """

    until: str
    characters: str
    meaning: str
    section: str
    holds: Mapping[str, Holds] = {}
    ranks: Ranks | None = None
    looks: tuple[int, int, int, int] | None = None


class Dialect(NamedTuple):
    """The language of a time: the usages of then that are abandoned now; today's has none."""

    name: str
    usages: tuple[Usage, ...] = ()

    def usage_of(self, family: Family) -> Usage | None:
        """The usage by which other plays belonged to a family; None if there is none."""
        return next((usage for usage in self.usages if family.key in usage.holds), None)

    def order(self, today: Order) -> Order:
        """The rule of the dialect that `today` has replaced."""
        for usage in self.usages:
            today = usage.ranks(today) if usage.ranks else today
        return today

    def names(
        self, glyph: str, mark: str, italic: bool, bold: bool, colour: int
    ) -> tuple[Nactation, ...]:
        """The Nactations that a look may mean, the likelier first; MalformedError if there is none.

        For doublets, an underlined letter may be a separate family or a member of the plain one.
        """
        looks = next((usage.looks for usage in self.usages if usage.looks), None)
        if looks is None or not (mark == "_" or bold or colour):
            return (from_look(glyph, mark, italic, bold, colour),)
        style = italic, mark == "_", bold, colour
        level = sum([weight * count for weight, count in zip(looks, style, strict=True)])
        plain = "" if mark == "_" else mark
        member = from_look(glyph, plain, bool(level & 1), bool(level & 2), level >> 2)
        if mark != "_":
            return (member,)
        try:
            return from_look(glyph, mark, italic, bold, colour), member
        except MalformedError:
            return (member,)


def dialect_on(day: str) -> Dialect:
    """The dialect of a day (YYYY-MM-DD), named after it; CURRENT if no abandoned usage applied.

    Raises MalformedError for any other text.
    """
    with suppress(ValueError):
        if date.fromisoformat(day).isoformat() == day:
            return _dialect_on(day)
    raise MalformedError(f"not a day: {quoted(day)} (expected one such as 2010-05-01)")


def _dialect_on(day: str) -> Dialect:
    usages = tuple([usage for usage in USAGES if day <= usage.until])
    return Dialect(day, usages) if usages else CURRENT


def plays_in(plays: Plays, dialect: Dialect) -> Plays:
    """The plays of a roll with characters read by a dialect, but written as today."""
    return _OldPlays(plays, dialect) if dialect.usages and plays else plays


def usage_note(plays: Plays, name: Nactation) -> str:
    """The usage by which a name is not read as today; empty if it is."""
    return plays.note(name) if isinstance(plays, _OldPlays) else ""


class _OldPlays(Plays):
    """Plays whose characters a dialect reads, unless the caller gives a right."""

    __slots__ = ("_dialect", "_old", "_today")

    def __init__(self, today: Plays, dialect: Dialect) -> None:
        super().__init__(today[0].before, today[0].roll, _legal=tuple(today))
        self._today, self._dialect = today, dialect
        self._old: dict[Family, Reading] = {}

    def reading(self, family: Family, right: Right | None = None) -> Reading:
        """A family by a right, as today, or without one as the dialect reads it."""
        if right is not None:
            return self._today.reading(family, right)
        if family not in self._old:
            self._old[family] = self._read(family)
        return self._old[family]

    def place(self, play: Play, family: Family) -> int:
        """The place of a play in a family of the dialect, from 1; 0 if it is no member."""
        return self.reading(family).place(play)

    def name(self, play: Play | str) -> Preferred:
        """The Nactation of a play as written today, and why."""
        return self._today.name(play)

    def note(self, name: Nactation) -> str:
        """The usage by which a name of a play is not read as today; empty if it is."""
        family, at = name
        today = self._today.reading(family).members
        play = self.reading(family).members[at - 1]
        if at <= len(today) and today[at - 1] == play:
            return ""
        usage = self._dialect.usage_of(family)
        if usage and play not in today:
            return f"{family} as until {usage.until}: {usage.meaning}"
        return f"ranked as in the usage of {self._dialect.name}"

    def _read(self, family: Family) -> Reading:
        usage = self._dialect.usage_of(family)
        members = [play for play in self if usage.holds[family.key](play)] if usage else []
        if members:
            return _OldReading(self._today.reading(family, Right.AREAL), members, self._dialect)
        reading = self._today.reading(family)
        if reading.right is Right.NUMERAL:
            return reading
        return _OldReading(reading, reading.members, self._dialect)


class _OldReading(Reading):
    """A family with its members in a dialect, in the dialect's order."""

    __slots__ = ("_order",)

    def __init__(self, today: Reading, members: Sequence[Play], dialect: Dialect) -> None:
        super().__init__(today.plays, tuple(today.plays), today.family, today.right)
        self._order = dialect.order(today.order)
        self._members = tuple(rank(members, self._order))

    @property
    def order(self) -> Order:
        """The rule that ranks the members."""
        return self._order


def _areal(*keys: str) -> Holds:
    """Test whether a play belongs to one of these areal families of today."""
    families = {family(key) for key in keys}
    return lambda play: areal_family(play) in families


def _enters_to_18(play: Play) -> bool:
    """Whether one checker plays the whole roll from the bar to the 18pt."""
    return play.portions[0].source == BAR and resting_points(play.portions) == [18]


def _runs(play: Play) -> bool:
    return _RUN(play) or (_UP(play) and _enters_to_18(play))


def _goes_up(play: Play) -> bool:
    return _UP(play) and not _enters_to_18(play)


_RUN, _UP = _areal("R"), _areal("U")


def _splits(play: Play) -> bool:
    """S, which included Z for doublets."""
    return (_THREE_TO_ONE if play.roll.is_doublet else _SPLIT)(play)


_SPLIT, _THREE_TO_ONE = _areal("S"), _areal("S", "Z")


def _floats_a_spare(play: Play) -> bool:
    """Whether the only new blot is a checker on the near side from a point with three or more.

    Nothing is hit, the other checker comes to rest on a held point, and the roll is no doublet.
    """
    start = play.before.points
    blots = [point for point in range(BAR) if play.blots & POINT_BIT[point]]
    new = [point for point in blots if start[point] != 1]
    if play.roll.is_doublet or play.hits or len(new) != 1:
        return False
    (floated,) = new
    paths = [path for portions in orders(play) for path in checker_paths(portions)]
    return not start[floated] and any(
        path[-1].target == floated < FAR and play.own(path[0].source) >= 2 for path in paths
    )


def _replaced(order: Order, new: Mapping[str, Convention]) -> Order:
    """The order with other conventions of the same names."""
    return order._replace(
        conventions=tuple(
            [new.get(convention.name, convention) for convention in order.conventions]
        )
    )


def _more_points_than_today(play: Play) -> tuple[int, ...]:
    return (play.owned.bit_count(),)


def _all_points(play: Play) -> tuple[int, ...]:
    owned = play.owned
    return tuple([bool(owned & POINT_BIT[point]) for point in (*POINT_ORDER, 23, 24)])


_BACK_POINTS = {
    conventions.MORE.name: conventions.MORE._replace(key=_more_points_than_today),
    conventions.SIX_POINTS.name: conventions.SIX_POINTS._replace(key=_all_points),
}


def _with_back_points(order: Order) -> Order:
    return _replaced(order, _BACK_POINTS)


def _hits(play: Play) -> tuple[int, ...]:
    return play.hits.bit_count(), play.hits


_NEAR_SIDE = sorted(range(FAR), key=lambda point: abs(point - 6))  # the inside point first
# A missing landing ranks between the near and the far side, as today.
_NEARNESS = {point: -at for at, point in enumerate([*_NEAR_SIDE, None, *range(FAR, BAR)])}


def _nearer(landings: Convention) -> Convention:
    """Today's convention for landings, but closer to the 6pt first on both sides."""

    def key(play: Play) -> tuple[int, ...]:
        points = conventions.landings_of(landings.key(play))
        return tuple(sorted([_NEARNESS[point] for point in points], reverse=True))

    return landings._replace(key=key)


def _points_before_hits(order: Order) -> Order:
    """More points, then hits, then closeness to the 6pt, without the wrinkle or the exception.

    H, X and K, which always hit, still compared the higher point first.
    """
    converted = [
        _nearer(convention) if convention.name == _LANDINGS else convention
        for convention in order.conventions
    ]
    if not order.hit:
        return order._replace(conventions=tuple(converted))
    more, *closeness = converted
    return Order("more-hit-6", None, (more, order.hit._replace(key=_hits), *closeness))


_LANDINGS = conventions.SIX_LANDINGS.name


def _early_slots(play: Play) -> tuple[int, ...]:
    return (any(point in {4, 5} for point in new_blots(play)),)


def _unstacked(play: Play) -> tuple[int, ...]:
    """The heights of the stacks of four or more, lower ones ranking higher."""
    heights = sorted([play.own(point) for point in range(BAR)], reverse=True)
    return tuple([-height if height >= 4 else 0 for height in heights])


def _slots_of_old(order: Order) -> Order:
    """A slot of the 5pt or 4pt first, more points, lower stacks, then as today."""
    if all(convention.name != "which point" for convention in order.conventions):
        return order
    more, *others = order.conventions
    first = Convention("5pt or 4pt", _early_slots), more, Convention("unstack", _unstacked)
    return order._replace(conventions=(*first, *others))


# Usages end with the year or month that the sources name; "early 2011" is its first quarter.
# For the tutorial, jumps go "into" the board, insides move "within" it (section 4, #15).
USAGES = (
    Usage(
        "2009-12-31", "B", "any far and down", "3, 4, 12, 15", holds={"B": _areal("B", "S", "Z")}
    ),
    Usage("2010-08-31", "all", "points before hits, then nearness to the 6pt alone", "10, 11",
          ranks=_points_before_hits),
    Usage("2010-12-31", "F", "float a spare", "16", holds={"F": _floats_a_spare}),
    Usage("2010-12-31", "all", "members 5 to 8 underlined, 9 to 16 bold", "14",
          looks=(1, 2, 4, 8)),
    Usage("2011-03-31", "M", "Mayfair, today's Y_", "16", holds={"M": _areal("Y_")}),
    Usage("2011-11-30", "I", "into the board, today's J", "5", holds={"I": _areal("J")}),
    Usage("2012-03-31", "R U", "bar/18 with one checker is a run", "12",
          holds={"R": _runs, "U": _goes_up}),
    Usage("2012-05-31", "all", "the 23pt and 24pt count as owned", "10",
          ranks=_with_back_points),
    Usage("2012-12-31", "S E_ A_ C_ O_ N_", "three to one and one to three", "15",
          holds={"S": _splits} | {f"{key}_": _areal(f"{key}_", f"{key}.") for key in "EACON"}),
    Usage("2013-12-31", "$ & W", "the 5pt or 4pt first, more points, unstack", "13",
          ranks=_slots_of_old),
)  # fmt: skip

CURRENT = Dialect("current")
# A year means the usages that still applied when it began.
DIALECTS = {
    dialect.name: dialect
    for dialect in (
        *(_dialect_on(f"{year}-01-01")._replace(name=str(year)) for year in range(2009, 2014)),
        CURRENT,
    )
}
