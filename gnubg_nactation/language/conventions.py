"""The order within a family: hit-more-6 and the logic loop (tutorial sections 10 and 11).

Every convention is a key: the play with the greater key ranks higher. The hit convention is an
exception: it compares only plays that do not hit exactly the same points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter

from gnubg_nactation.backgammon.plays import POINT_BIT, Play
from gnubg_nactation.backgammon.position import BAR, HOME
from gnubg_nactation.language.styles import new_blots, resting_points
from gnubg_nactation.values import NamedTuple

Key = Callable[[Play], tuple[int, ...]]


class Convention(NamedTuple):
    """A named key."""

    name: str
    key: Key


class Order(NamedTuple):
    """An ordering rule: the hit convention, or None if it does not apply, then the others."""

    name: str
    hit: Convention | None
    conventions: tuple[Convention, ...]


# The 24pt and 23pt never count as owned.
_POINTS = sum(POINT_BIT[1:23])
_HOME = sum(POINT_BIT[1 : HOME + 1])
# Closest to the 6pt first, ties to the inside point.
POINT_ORDER = (6, 5, 7, 4, 8, 3, 9, 2, 10, 1, *range(11, 23))
# Lower quadrants first; in one's own outer board farther from the 6pt is better (the wrinkle).
_LANDING_ORDER = (6, 5, 4, 3, 2, 1, 0, 12, 11, 10, 9, 8, 7, *range(13, 25))
_NOWHERE = 13  # how many landings of _LANDING_ORDER are on the near side
# Up to four portions may land on a point: four bits for each place in the order.
_PLACES = [*_LANDING_ORDER[:_NOWHERE], None, *_LANDING_ORDER[_NOWHERE:]]
_LANDING_BY_PLACE = {point: 1 << 4 * at for at, point in enumerate(_PLACES[::-1])}
_NO_LANDING = _LANDING_BY_PLACE[None]
_LANDING = [_LANDING_BY_PLACE.get(point, 0) for point in range(BAR + 1)]
_SLOT_ORDER = (1, 2, 3, 7, 4, 5, 6)  # the best last


def owned_points(play: Play) -> int:
    """The points that count as owned after the play, as a sum of POINT_BIT."""
    return play.owned & _POINTS


def hit(play: Play) -> tuple[int, ...]:
    """Home points, then number of hits, then hits on higher points (section 10, and #53)."""
    return (owned_points(play) & _HOME).bit_count(), play.hits.bit_count(), play.hits


def more_points(play: Play) -> tuple[int, ...]:
    """The number of points owned (#48, #49)."""
    return (owned_points(play).bit_count(),)


def six_points(play: Play) -> tuple[int, ...]:
    """The points owned, closer to the 6pt first (#50)."""
    return (_by_closeness(owned_points(play)),)


@lru_cache(maxsize=1 << 16)
def _by_closeness(owned: int) -> int:
    return sum(
        1 << place for place, point in enumerate(POINT_ORDER[::-1]) if owned & POINT_BIT[point]
    )


def six_landings(play: Play) -> tuple[int, ...]:
    """Where the portions land, intermediate landings included (#51, #52, #54)."""
    return landings([portion[1] for portion in play.portions])


def landings(points: Iterable[int]) -> tuple[int, ...]:
    """Landings on these points as a key: the best first, whatever their order."""
    return (sum([_LANDING[point] for point in points]),)


def landings_of(key: tuple[int, ...]) -> list[int | None]:
    """The landings in a key of `landings`, best first; None for a missing landing."""
    (bits,) = key
    points: list[int | None] = []
    for at in range(len(_PLACES) - 1, -1, -1):
        points += [_PLACES[-1 - at]] * (bits >> 4 * at & 15)
    return points


def high_from_high(play: Play) -> tuple[int, ...]:
    """The point that the larger die is played from (#57), then all sources from the highest."""
    high = play.roll.high
    return (
        max(portion.source if portion.die == high else 0 for portion in play.portions),
        *sorted((portion.source for portion in play.portions), reverse=True),
    )


def six_rests(play: Play) -> tuple[int, ...]:
    """The points where moved checkers rest or hit, for style families.

    Each checker that lands counts, as in areal families: in 13/10*/7 13/10, two land on the 10pt.
    A missing landing ranks between those on the near and on the far side (#71).
    """
    points = resting_points(play.portions)
    sources = [portion.source for portion in play.portions]
    points += [p.target for p in play.portions if p.hits and p.target in sources]
    missing = len(play.portions) - len(points)
    return (landings(points)[0] + missing * _NO_LANDING,)


def higher(play: Play) -> tuple[int, ...]:
    """The points hit, from the highest (#67, #68)."""
    return (play.hits,)


def fewer_blots(play: Play) -> tuple[int, ...]:
    """Minus the number of own blots on the board (#69-71)."""
    return (-play.blots.bit_count(),)


def which_point(play: Play) -> tuple[int, ...]:
    """The points slotted, the best first (#72)."""
    return tuple(sorted((_SLOT_ORDER.index(point) for point in new_blots(play)), reverse=True))


def slots_of(key: tuple[int, ...]) -> list[int]:
    """The points slotted in a key of `which_point`, the best first."""
    return [_SLOT_ORDER[place] for place in key]


MORE = Convention("more points", more_points)
SIX_POINTS = Convention("6pt, points", six_points)
SIX_LANDINGS = Convention("6pt, blots and spares", six_landings)
SIX_RESTS = Convention("6pt, blots and spares", six_rests)
HIGH_FROM_HIGH = Convention("high number from high point", high_from_high)
HIT = Convention("hit", hit)

HIT_MORE_6 = Order("hit-more-6", HIT, (MORE, SIX_POINTS, SIX_LANDINGS, HIGH_FROM_HIGH))
STYLE_HIT_MORE_6 = Order("hit-more-6", HIT, (MORE, SIX_POINTS, SIX_RESTS, HIGH_FROM_HIGH))

HIGHER_MORE_6 = Order(
    "higher-more-6",
    None,
    (Convention("higher point", higher), MORE, SIX_POINTS, SIX_RESTS, HIGH_FROM_HIGH),
)
HIT_MORE_FEWER_6 = Order(
    "hit-more-fewer-6",
    HIT,
    (MORE, Convention("fewer blots", fewer_blots), SIX_POINTS, SIX_RESTS, HIGH_FROM_HIGH),
)
MORE_WHICH_6 = Order(
    "more-which-6",
    None,
    (MORE, Convention("which point", which_point), SIX_POINTS, SIX_RESTS, HIGH_FROM_HIGH),
)


# For numerals that count the checkers borne off: they have at most one member.
BEARING_OFF = Order("from the highest points", None, ())


def rank(plays: Sequence[Play], order: Order = HIT_MORE_6) -> list[Play]:
    """The plays, best first."""
    if len(plays) < 2:
        return list(plays)
    entries = _entries(plays, order)
    if _hit_differently(plays, order):
        return [entry.play for loop in _loops(entries) for entry in loop]
    entries.sort(key=_keys, reverse=True)
    return [entry.play for entry in entries]


def place_of(play: Play, plays: Sequence[Play], order: Order = HIT_MORE_6) -> int:
    """The place that `rank` gives to a play, from 1; 0 if it has none, or only `rank` can find it.

    Counting the better plays is enough, and the first conventions decide most comparisons. But
    plays that hit differently may form a loop with the plays that hit alike, if they beat some of
    these and lose to others.
    """
    better = 0
    alike: Sequence[Play] = plays
    if order.hit and len(plays) > 1 and _hit_differently(plays, order):
        hit_key, hits = order.hit.key, play.hits
        alike = [member for member in plays if member.hits == hits]
        keys = [hit_key(member) for member in alike]
        if not keys:
            return 0
        lowest, highest = min(keys), max(keys)
        for hit_value in [hit_key(member) for member in plays if member.hits != hits]:
            if hit_value > highest:
                better += 1
            elif hit_value > lowest:
                return 0
    for convention in order.conventions:
        if len(alike) == 1:
            break
        key = convention.key
        own = key(play)
        keys = [key(member) for member in alike]
        better += sum([value > own for value in keys])
        alike = [member for member, value in zip(alike, keys, strict=True) if value == own]
    return better + 1 if len(alike) == 1 and alike[0].portions == play.portions else 0


def loops(plays: Sequence[Play], order: Order = HIT_MORE_6) -> list[list[Play]]:
    """The logic loops among the plays (#58), each best first; empty if there is none."""
    if not _hit_differently(plays, order):
        return []
    groups = _loops(_entries(plays, order))
    return [[entry.play for entry in loop] for loop in groups if len(loop) > 1]


def _entries(plays: Sequence[Play], order: Order) -> list[_Entry]:
    keys = [convention.key for convention in order.conventions]
    hit_key = order.hit.key if order.hit else _no_hit
    return [_Entry(hit_key(play), tuple([key(play) for key in keys]), play) for play in plays]


def _hit_differently(plays: Sequence[Play], order: Order) -> bool:
    return order.hit is not None and len({play.hits for play in plays}) > 1


class _Entry(NamedTuple):
    hit: tuple[int, ...]
    keys: tuple[tuple[int, ...], ...]
    play: Play


def _no_hit(_: Play) -> tuple[int, ...]:
    return ()


_keys = attrgetter("keys")
_hit = attrgetter("hit")


def _loops(entries: list[_Entry]) -> list[list[_Entry]]:
    """Rank plays that hit differently by the hit convention, and those that hit alike by the keys.

    This may run in circles (#58). The number of wins over all other plays orders the loops, best
    first; most have a single play. Within a loop, more home points rank higher, then the keys.
    """
    alike: dict[int, list[_Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.play.hits, []).append(entry)
    all_hits = sorted(map(_hit, entries))
    scored: list[tuple[int, _Entry]] = []
    for group in alike.values():
        group_hits = sorted(map(_hit, group))
        group.sort(key=_keys)
        for beaten, entry in enumerate(group):
            wins_elsewhere = bisect_left(all_hits, entry.hit) - bisect_left(group_hits, entry.hit)
            scored.append((beaten + wins_elsewhere, entry))
    # Every play meets every other: the weakest k are a union of loops if they win only the
    # k(k-1)/2 games among themselves.
    scored.sort(key=lambda pair: pair[0])
    ranked: list[list[_Entry]] = []
    loop: list[_Entry] = []
    wins = 0
    for count, (won, entry) in enumerate(scored, 1):
        loop.append(entry)
        wins += won
        if wins == count * (count - 1) // 2:
            if len(loop) > 1:
                loop.sort(reverse=True)
            ranked.append(loop)
            loop = []
    return ranked[::-1]
