"""Older usage: how characters were read and ranked before the tutorial of 2013.

The table has an entry for each abandoned usage, with its last day and its source. A dialect
combines the usages of one time. They define the plays that a character names, and their order.
Everything else is read as today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date

from gnubg_nactation.backgammon.plays import POINT_BIT, Play
from gnubg_nactation.backgammon.position import BAR, FAR, HOME
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language import conventions
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import area, areal_family
from gnubg_nactation.language.conventions import POINT_ORDER, Convention, Order, rank
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays, Preferred, Reading
from gnubg_nactation.language.styles import checker_paths, new_blots, orders, resting_points
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

Holds = Callable[[Play], bool]
Ranks = Callable[[Order], Order]


class Usage(NamedTuple):
    """An abandoned usage: its last day (YYYY-MM-DD), its characters and its meaning.

    `section` is the tutorial's section on today's usage, `source` tells where the old one is known
    from. `holds` maps families to a test for the plays that belonged to them. `ranks` turns today's
    order of members into the old one, of these `characters` only.
    """

    until: str
    characters: str
    meaning: str
    section: str
    source: str
    holds: Mapping[str, Holds] = {}
    ranks: Ranks | None = None

    def includes(self, family: Family) -> bool:
        """Whether the usage is about this family."""
        if self.characters == _AREAL:
            return bool(family.dice or family.doublet)
        return self.characters == _ALL or family.key in self.characters.split()


class Dialect(NamedTuple):
    """The language of a time: the usages of then that are abandoned now; today's has none."""

    name: str
    usages: tuple[Usage, ...] = ()

    def usage_of(self, family: Family) -> Usage | None:
        """The usage by which other plays belonged to a family; None if there is none."""
        return next((usage for usage in self.usages if family.key in usage.holds), None)

    @property
    def year(self) -> str:
        """The name of the dialect of a year that has the same usages, or else its own."""
        same = [each.name for each in DIALECTS.values() if each.usages == self.usages]
        return same[0] if same else self.name

    @property
    def hint(self) -> str:
        """A hint that a text can be read in this usage."""
        return f"reads through in the usage of {self.name}"

    def order(self, family: Family, today: Order) -> Order:
        """The rule of the dialect that `today` has replaced for a family."""
        for usage in self.usages:
            today = usage.ranks(today) if usage.ranks and usage.includes(family) else today
        return today


def dialect_on(day: str) -> Dialect:
    """The dialect of a day (YYYY-MM-DD), named after it; today's if no abandoned usage applied.

    Raises MalformedError for any other text.
    """
    with suppress(ValueError):
        if date.fromisoformat(day).isoformat() == day:
            return _dialect_on(day)
    raise MalformedError(f"not a day: {quoted(day)} (expected one such as 2010-05-01)")


def _dialect_on(day: str) -> Dialect:
    usages = tuple([usage for usage in USAGES if day <= usage.until])
    return Dialect(day, usages) if usages else DIALECTS[CURRENT.name]


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
        super().__init__(today.legal, today.family, today.right)
        self._order = dialect.order(today.family, today.order)
        self._members = tuple(rank(members, self._order))

    @property
    def order(self) -> Order:
        """The rule that ranks the members."""
        return self._order


_ALL, _AREAL = "all", "areal"


def _areal(*keys: str) -> Holds:
    """Test whether a play belongs to one of these areal families of today."""
    families = {family(key) for key in keys}
    return lambda play: areal_family(play) in families


_RUN, _UP, _BAR_POINT = _areal("R"), _areal("U"), 18


def _run_and_up(reaches_bar_point: Holds) -> Mapping[str, Holds]:
    """R and U, where these plays up to the 18pt have run."""
    return {
        "R": lambda play: _RUN(play) or reaches_bar_point(play),
        "U": lambda play: _UP(play) and not reaches_bar_point(play),
    }


def _runs_to_the_bar_point(play: Play) -> bool:
    """Whether one checker plays the whole roll to the opponent's bar point."""
    return _UP(play) and resting_points(play.portions) == [_BAR_POINT]


def _enters_to_the_bar_point(play: Play) -> bool:
    return play.portions[0].source == BAR and _runs_to_the_bar_point(play)


def _is_both(play: Play) -> bool:
    """Whether a play is B: of two dice, also where it is S or Z today."""
    return (_BOTH if play.roll.is_doublet else _FAR_AND_DOWN)(play)


_BOTH, _FAR_AND_DOWN = _areal("B"), _areal("B", "S", "Z")


def _goes_in(play: Play) -> bool:
    """Whether all checkers come into the inner board, or all move within it; or one comes in."""
    moved = resting_points(play.portions)
    return _INTO_OR_WITHIN(play) or (len(play.portions) > len(moved) == 1 and moved[0] <= HOME)


_INTO_OR_WITHIN = _areal("I", "J")


def _from_the_midpoint(key: str) -> Holds:
    """Test whether a play belongs to a family, and what comes down leaves the midpoint."""
    belongs = _areal(key)

    def holds(play: Play) -> bool:
        downs = [each for each in play.portions if area(each) == "down"]
        starts = {FAR, *[each.target for each in downs]}
        return belongs(play) and all(each.source in starts for each in downs)

    return holds


def _floats_a_spare(play: Play) -> bool:
    """Whether the only new blot is a checker on the near side from a point with three or more.

    Nothing is hit, the other checker comes to rest on a held point, and the roll is no doublet.
    """
    new = [point for point in range(BAR) if play.own(point) == 1 != play.before.points[point]]
    if play.roll.is_doublet or play.hits or len(new) != 1 or play.before.points[new[0]]:
        return False
    paths = [path for portions in orders(play) for path in checker_paths(portions)]
    return any(path[-1].target == new[0] < FAR and play.own(path[0].source) >= 2 for path in paths)


def _points_before_hits(order: Order) -> Order:
    """More points, then more and higher hits, then as today, of families that rank hits first."""
    if not order.hit:
        return order
    more, *others = order.conventions
    return Order("more-hit-6", None, (more, Convention("hit", _hits), *others))


def _lead_checker_first(order: Order) -> Order:
    """The point that the foremost moved checker reaches, then hits, then as today."""
    others = [Convention("hit", _hits)] * (order.hit is not None)
    return Order(
        "lead-checker", None, (Convention("lead checker", _lead), *others, *order.conventions)
    )


def _lead(play: Play) -> tuple[int, ...]:
    return (-min(resting_points(play.portions), default=0),)


def _hits(play: Play) -> tuple[int, ...]:
    return play.hits.bit_count(), play.hits


def _with_back_points(order: Order) -> Order:
    return order._replace(
        conventions=tuple([_BACK_POINTS.get(each.name, each) for each in order.conventions])
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


def _procedure(order: Order) -> Order:
    """Home points first among plays with the same hits, and the far side before the outer board."""
    before = [Convention("home points", _home_points_of_hitter)] * (order.hit is not None)
    for each in order.conventions:
        before += [Convention("far side first", _far_side_first)] * (each.name == _LANDINGS)
        before.append(each)
    return order._replace(conventions=tuple(before))


def _home_points_of_hitter(play: Play) -> tuple[int, ...]:
    return conventions.hit(play)[:1] if play.hits else ()


def _far_side_first(play: Play) -> tuple[int, ...]:
    """The points where moved checkers come to rest as blots or spares, in the order of 2011.

    On the near outer board such a point ranks lower, the closer it is to the 6pt.
    """
    rests = {point for point in resting_points(play.portions) if play.own(point) != 2}
    good = [point in rests for point in (*range(HOME, 0, -1), *range(FAR, BAR))]
    return (*good, *[point not in rests for point in range(HOME + 1, FAR)])


_LANDINGS = conventions.SIX_LANDINGS.name


def _early_slots(play: Play) -> tuple[int, ...]:
    return (any(point in {4, 5} for point in new_blots(play)),)


def _unstacked(play: Play) -> tuple[int, ...]:
    """The heights of the stacks of four or more, lower ones ranking higher."""
    heights = sorted([play.own(point) for point in range(BAR)], reverse=True)
    return tuple([-height if height >= 4 else 0 for height in heights])


def _slots_of_old(order: Order) -> Order:
    """A slot of the 5pt or 4pt first, more points, lower stacks, then as today."""
    more, *others = order.conventions
    first = Convention("5pt or 4pt", _early_slots), more, Convention("unstack", _unstacked)
    return order._replace(conventions=(*first, *others))


# Usages end with the year or month in which the end is known; "early 2012" is its first quarter.
USAGES = (
    Usage("2009-12-31", "R U", "one checker that goes to the 18pt has run", "2, 12",
          "`32-split 51-run`, of 2003", holds=_run_and_up(_runs_to_the_bar_point)),
    Usage("2010-08-31", "R U", "the lead checker decides", "10",
          "Nack Ballard, 4 July 2010 (72006, with `43@-61Q-65R-32R`) and 75843; still a guideline "
          "in section 5, #19 and #20", ranks=_lead_checker_first),
    Usage("2010-12-31", _AREAL, "more points before a hit", "10",
          "Nack Ballard, 19 August 2010 (75457)", ranks=_points_before_hits),
    Usage("2010-12-31", "F", "float a spare", "16", "Nack Ballard, 13 March 2010 (61826)",
          holds={"F": _floats_a_spare}),
    Usage("2011-12-31", "B", "any far and down", "3, 4, 12, 15",
          "Nack Ballard, 31 December 2009 (56987); Taper_Mike, 29 November 2013, has today's",
          holds={"B": _is_both}),
    Usage("2011-12-31", "I", "into or within the inner board", "5",
          "first edition of the tutorial, quoted by Taper_Mike, 16 June 2013 (143194)",
          holds={"I": _goes_in}),
    Usage("2011-12-31", "D S Z", "down from the midpoint only", "5, 12",
          "Taper_Mike, 17 December 2011 (111316)",
          holds={key: _from_the_midpoint(key) for key in "DSZ"}),
    Usage("2012-03-31", "R U", "one checker that enters and goes to the 18pt has run", "12",
          "Nack Ballard, 25 March 2012 (118594)", holds=_run_and_up(_enters_to_the_bar_point)),
    Usage("2012-05-31", _ALL, "the 23pt and 24pt count as owned", "10",
          "Taper_Mike's procedure, 25 November 2011, 2 and 3.1", ranks=_with_back_points),
    Usage("2012-12-31", _ALL, "home points if both hit, the far side before the outer board", "11",
          "Taper_Mike's procedure, 25 November 2011, 1.2 and 3.2", ranks=_procedure),
    Usage("2013-12-31", "$ & W", "the 5pt or 4pt first, more points, unstack", "13",
          "section 13, after #73: once there were six rules, one about tall points",
          ranks=_slots_of_old),
    Usage("2014-12-31", "R_", "all far landings on the 18pt or above, too", "16",
          "Nack Ballard, 13 June 2014 (162545)", holds={"R_": _areal("R_", "U_")}),
)  # fmt: skip

# The default, which gives way to the date of a text. One that a user names is another object.
CURRENT = Dialect("current")
# A year means the usages that still applied when it began.
DIALECTS = {
    dialect.name: dialect
    for dialect in (
        *(_dialect_on(f"{year}-01-01")._replace(name=str(year)) for year in range(2009, 2015)),
        CURRENT._replace(),
    )
}
