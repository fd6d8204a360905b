"""What an explanation says, and what ranks one member of a family above another.

The reasons, conventions with their points, come from the keys that rank the plays. So they cannot
disagree with the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Portion
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.language import conventions, styles
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.conventions import POINT_ORDER, Convention, Order
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.numerals import Going
from gnubg_nactation.values import NamedTuple

EXCEPTION = "home quadrant exception"
LOOP = "logic loop"
NUMERAL = "numeral"


class Decision(NamedTuple):
    """The convention that ranks one play above another, in words and with the points compared.

    `points` begin with those of the higher play.
    """

    convention: str
    detail: str
    points: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.convention}: {self.detail}"


class Member(NamedTuple):
    """A member of a family; its `decision` ranks it above the next one.

    None for the last member, and if the next one is left out.
    """

    nactation: Nactation
    play: Play
    decision: Decision | None


class Overruled(NamedTuple):
    """Two members of a logic loop that rank against the plain order, and the decision (#58)."""

    above: Member
    below: Member
    decision: Decision


class Explained(NamedTuple):
    """A Nactation of the play with its family of `size` members, some of them listed.

    `rule` ranks the family, and `note` gives the right of a Nactation that is not strict. `loops`
    has the first and the last place of each logic loop. `overruled` is the first other member that
    the play ranks above or below only because of a loop.
    """

    naming: Naming
    rule: str
    note: str
    size: int
    members: tuple[Member, ...]
    loops: tuple[tuple[int, int], ...]
    overruled: Overruled | None

    @property
    def family(self) -> Family:
        """The family of the Nactation, as in the alphabet."""
        return self.naming.nactation.family


class Explanation(NamedTuple):
    """A play, the area of each portion, the Nactation to write and why, and all Nactations.

    `code` counts the runs, downs, jumps and insides. `order` is a sentence on which number is
    played first, empty if that does not decide the areal letter.
    """

    play: Play
    areas: tuple[tuple[Portion, str], ...]
    code: tuple[int, int, int, int]
    order: str
    preferred: Nactation
    reason: str
    nactations: tuple[Explained, ...]


class Ranking(NamedTuple):
    """The order of the members of a family.

    `loops` gives the logic loop of each play that is in one. `point_made` returns the point that P
    or @ makes, which is no extra home point; 0 for other plays. `goings` are the points that a
    digit may mean; `order` then ranks the plays to the same point.
    """

    order: Order
    loops: dict[tuple[Portion, ...], Sequence[Play]]
    point_made: Callable[[Play], int]
    goings: tuple[Going, ...] = ()


def decide(above: Play, below: Play, ranking: Ranking) -> Decision:
    """Return what ranks one member of a family above another, adjacent or not."""
    return (_by_numeral if ranking.goings else _by_order)(above, below, ranking)


def _by_order(above: Play, below: Play, ranking: Ranking) -> Decision:
    hit = ranking.order.hit
    if hit is None:
        return _by_rest(above, below, ranking.order)
    keys = hit.key(above), hit.key(below)
    if above.hits != below.hits:
        return _by_hit(above, below, keys, ranking)
    loop = ranking.loops.get(above.portions, ())
    if keys[0][0] > keys[1][0] and below in loop:
        plain = [convention.key for convention in ranking.order.conventions]
        if [key(above) for key in plain] < [key(below) for key in plain]:
            decision = _by_home(above, below, keys, ranking)
            overruled = _by_rest(below, above, ranking.order)
            detail = (
                f"{decision.detail}; in a circle of {len(loop)} plays this outranks {overruled}"
            )
            return Decision(LOOP, detail, decision.points)
    return _by_rest(above, below, ranking.order)


_Keys = tuple[tuple[int, ...], tuple[int, ...]]


def _by_hit(above: Play, below: Play, keys: _Keys, ranking: Ranking) -> Decision:
    (home, *hits), (lower_home, *lower_hits) = keys
    if home != lower_home:
        decision = _by_home(above, below, keys, ranking)
        also = ", and the hit is better, too"
        if hits <= lower_hits:
            also = f", which outranks the hit on {_all(hit_points(below))}"
        return Decision(EXCEPTION, decision.detail + also, decision.points)
    ours, theirs = hit_points(above), hit_points(below)
    if not theirs:
        detail = f"a hit on {_all(ours)} beats no hit"
    elif len(ours) != len(theirs):
        detail = f"{len(ours)} hits (on {_all(ours)}) beat {len(theirs)} (on {_all(theirs)})"
    else:
        return _higher(above, below)._replace(convention="hit")
    return Decision("hit", detail, (*ours, *theirs))


def _by_home(above: Play, below: Play, keys: _Keys, ranking: Ranking) -> Decision:
    more, fewer = (
        [point for point in _owned(play) if point <= 6 and point != ranking.point_made(play)]
        for play in (above, below)
    )
    (home, *_), (lower_home, *_) = keys
    uncounted = any(1 <= ranking.point_made(play) <= 6 for play in (above, below))
    detail, both = _difference(more, fewer)
    detail = f"{_beat(home, 'home point', lower_home)} ({detail})"
    if uncounted:
        detail += ", not counting the point made"
    return Decision(EXCEPTION, detail, both)


def _by_rest(above: Play, below: Play, order: Order) -> Decision:
    *first, last = order.conventions
    differing = (rule for rule in first if rule.key(above) != rule.key(below))
    convention = next(differing, last)
    return _WORDS[convention.name](above, below, convention)


def _more_points(above: Play, below: Play, convention: Convention) -> Decision:
    ours, theirs = _owned(above), _owned(below)
    detail, points = _difference(ours, theirs)
    detail = f"{_beat(len(ours), 'point', len(theirs))} ({detail})"
    return Decision(convention.name, detail, points)


def _six_points(above: Play, below: Play, convention: Convention) -> Decision:
    ours, theirs = _owned(above), _owned(below)
    better, lesser = _first_apart(ours, theirs)
    why = "closer to the 6pt"
    if abs(better - 6) == abs(lesser - 6):
        why = "as close to the 6pt, but inside"
    detail = f"{_the(better)} beats {_the(lesser)} ({why})"
    return Decision(convention.name, detail, (better, lesser))


def _six_landings(above: Play, below: Play, convention: Convention) -> Decision:
    upper, lower = (conventions.landings_of(convention.key(play)) for play in (above, below))
    ours, theirs = _less(upper, lower), _less(lower, upper)
    better, lesser = ours[0], theirs[0]
    if better is None or lesser is None:
        better, lesser = _stop_overs(above, below) or (better, lesser)
    points = tuple(point for point in (better, lesser) if point is not None)
    if better is None:
        detail = f"landing nowhere else beats {_the(lesser)} (on the far side)"
    elif lesser is None:
        detail = f"{_the(better)} (on the near side) beats landing nowhere else"
    else:
        detail = f"{_the(better)} beats {_the(lesser)} ({_why_better(better, lesser)})"
        higher = [
            [point for point in landings if point and _quadrant(point) > _quadrant(lesser)]
            for landings in (ours, theirs)
        ]
        if all(higher) and _comes_first(higher[1][0], higher[0][0]):
            detail += f"; the lower quadrant dictates, not {_the(higher[1][0])}"
    return Decision(convention.name, detail, points)


def _stop_overs(above: Play, below: Play) -> tuple[int, int] | None:
    """Return the landings of the portions that differ, if they give the same order; else None.

    If one checker plays both dice, its way shares a portion with the other play if it can: 13/6 and
    18/13 8/6 with 52 differ only in the 5, which lands on the 8pt or the 13pt (#71).
    """
    ways = product(styles.orders(above), styles.orders(below))
    ours, theirs = max(ways, key=lambda way: len({*way[0]} & {*way[1]}))
    own, their = (Counter([portion.target for portion in way]) for way in (ours, theirs))
    if own == their:
        return None
    best = [max(apart, key=_landing) for apart in (own - their, their - own)]
    return (best[0], best[1]) if _comes_first(*best) else None


def _less(ours: Sequence[int | None], theirs: Sequence[int | None]) -> list[int | None]:
    """Our landings without those that the other play has too, still best first."""
    shared = Counter(theirs)
    landings: list[int | None] = []
    for landing in ours:
        if shared[landing]:
            shared[landing] -= 1
        else:
            landings.append(landing)
    return landings


def _why_better(better: int, lesser: int) -> str:
    if lesser == OFF:
        return "on the board"
    if _quadrant(better) != _quadrant(lesser):
        return "in the lower quadrant"
    if _quadrant(better) == 1:
        return "farther from the 6pt, in the outer board"
    return "closer to the 6pt"


def _quadrant(landing: int) -> int:
    """0: inner board, 1: outer board, 2: far side; the lower dictates (#54)."""
    return (landing > 6) + (landing > 12)


def _comes_first(landing: int, other_landing: int) -> bool:
    return _landing(landing) > _landing(other_landing)


def _landing(point: int) -> tuple[int, ...]:
    return conventions.landings([point])


def _high_from_high(above: Play, below: Play, convention: Convention) -> Decision:
    (ours, *high), (theirs, *low) = convention.key(above), convention.key(below)
    if ours != theirs:
        detail = f"{_from(above, ours)} beats {_from(above, theirs)}"
        return Decision(convention.name, detail, (ours, theirs))
    pairs = zip(high, low, strict=True)
    source, lower = next(pair for pair in pairs if pair[0] != pair[1])
    detail = f"from {_the(source)} beats from {_the(lower)}, all else being equal"
    return Decision(convention.name, detail, (source, lower))


def _from(play: Play, source: int) -> str:
    return f"the {play.roll.high} from {_the(source)}"


def _fewer_blots(above: Play, below: Play, convention: Convention) -> Decision:
    ours, theirs = _blots(above), _blots(below)
    detail, points = _difference(ours, theirs, "on", "none on")
    detail = f"{_beat(len(ours), 'blot', len(theirs))} ({detail})"
    return Decision(convention.name, detail, points)


def _higher_point(above: Play, below: Play, _: Convention) -> Decision:
    return _higher(above, below)


def _higher(above: Play, below: Play) -> Decision:
    better, lesser = _first_apart(hit_points(above), hit_points(below))
    detail = f"{_the(better)} beats {_the(lesser)}"
    return Decision("higher point", detail, (better, lesser))


def _first_apart(ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, int]:
    """The first point of each that the other does not have."""
    better = next(point for point in ours if point not in theirs)
    return better, next(point for point in theirs if point not in ours)


def _which_point(above: Play, below: Play, convention: Convention) -> Decision:
    ours, theirs = (conventions.slots_of(convention.key(play)) for play in (above, below))
    better, lesser = _first_apart(ours, theirs)
    detail = f"slotting {_the(better)} beats slotting {_the(lesser)}"
    return Decision(convention.name, detail, (better, lesser))


_WORDS: dict[str, Callable[[Play, Play, Convention], Decision]] = {
    "more points": _more_points,
    "6pt, points": _six_points,
    "6pt, blots and spares": _six_landings,
    "high number from high point": _high_from_high,
    "higher point": _higher_point,
    "fewer blots": _fewer_blots,
    "which point": _which_point,
}


def _by_numeral(above: Play, below: Play, ranking: Ranking) -> Decision:
    groups = [
        next(going for going in ranking.goings if play == going.natural or play in going.plays)
        for play in (above, below)
    ]
    ours, theirs = groups
    if ours is not theirs:
        detail = f"{_the(ours.point)} comes before {_the(theirs.point)}"
        return Decision(NUMERAL, detail, (ours.point, theirs.point))
    if above == ours.natural:
        detail = f"by far the most natural play to {_the(ours.point)}"
        return Decision(NUMERAL, detail, (ours.point,))
    return _by_order(above, below, ranking)


def hit_points(play: Play) -> list[int]:
    """The points where a play hits, the highest first."""
    return [point for point in range(BAR - 1, 0, -1) if play.hits >> point & 1]


def _owned(play: Play) -> list[int]:
    """The owned points, the closest to the 6pt first."""
    owned = conventions.owned_points(play)
    return [point for point in POINT_ORDER if owned & POINT_BIT[point]]


def _blots(play: Play) -> list[int]:
    return [point for point in range(BAR - 1, 0, -1) if play.blots & POINT_BIT[point]]


def _difference(
    ours: Sequence[int], theirs: Sequence[int], only: str = "with", missing: str = "without"
) -> tuple[str, tuple[int, ...]]:
    """The points that only one of two plays has, in words and as numbers."""
    gained = sorted(set(ours) - set(theirs), reverse=True)
    lost = sorted(set(theirs) - set(ours), reverse=True)
    words = [f"{only} {_all(gained)}"] if gained else []
    words += [f"{missing} {_all(lost)}"] if lost else []
    return ", ".join(words), (*gained, *lost)


def _beat(number: int, noun: str, fewer: int) -> str:
    return f"{number} {noun}{' beats' if number == 1 else 's beat'} {fewer}"


def _all(points: Sequence[int]) -> str:
    *first, last = [f"{point}pt" for point in points]
    return "the " + (f"{', '.join(first)} and {last}" if first else last)


def _the(point: int | None) -> str:
    return "the bar" if point == BAR else "off" if point == OFF else f"the {point}pt"
