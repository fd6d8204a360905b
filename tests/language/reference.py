"""The order of a family, worked out the slow way: pair by pair, as the rule is worded."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from gnubg_nactation.backgammon.plays import Play

POINT_ORDER = [6, 5, 7, 4, 8, 3, 9, 2, 10, 1, *range(11, 23)]
LANDING_ORDER = [6, 5, 4, 3, 2, 1, 0, 12, 11, 10, 9, 8, 7, *range(13, 25)]


@cache
def owned(play: Play) -> set[int]:
    return {point for point in range(1, 23) if play.reached.points[point] >= 2}


@cache
def hit_points(play: Play) -> list[int]:
    return sorted((p.target for p in play.portions if p.hits), reverse=True)


def beats(one: Play, other: Play) -> bool:
    """Whether `one` ranks above `other` by hit-more-6."""
    if hit_points(one) != hit_points(other):
        home = [len(owned(play) & set(range(1, 7))) for play in (one, other)]
        if home[0] != home[1]:
            return home[0] > home[1]
        if len(hit_points(one)) != len(hit_points(other)):
            return len(hit_points(one)) > len(hit_points(other))
        return hit_points(one) > hit_points(other)
    if len(owned(one)) != len(owned(other)):
        return len(owned(one)) > len(owned(other))
    for point in POINT_ORDER:
        if (point in owned(one)) != (point in owned(other)):
            return point in owned(one)
    landings = [
        sorted(LANDING_ORDER.index(p.target) for p in play.portions) for play in (one, other)
    ]
    if landings[0] != landings[1]:
        return landings[0] < landings[1]
    high = [
        max((p.source for p in play.portions if p.die == play.roll.high), default=0)
        for play in (one, other)
    ]
    if high[0] != high[1]:
        return high[0] > high[1]
    sources = [sorted((p.source for p in play.portions), reverse=True) for play in (one, other)]
    return sources[0] > sources[1]


def circles(members: Sequence[Play]) -> dict[Play, set[Play]]:
    """For every play those that it beats and that beat it by some chain, itself included."""
    reach = {play: {other for other in members if beats(play, other)} for play in members}
    for via in members:
        for play in members:
            if via in reach[play]:
                reach[play] |= reach[via]
    return {
        play: {play} | {other for other in reach[play] if play in reach[other]} for play in members
    }


def needs_patch(members: Sequence[Play]) -> bool:
    """Whether a logic loop is possible: not where all hit alike, as no step can then be skipped."""
    return len({tuple(hit_points(play)) for play in members}) > 1


def is_ranked(members: Sequence[Play]) -> bool:
    """Whether neighbours, and so all, stand in the right order, logic loops patched (#58)."""
    same = circles(members) if needs_patch(members) else {play: {play} for play in members}
    for above, below in pairwise(members):
        if below in same[above]:
            homes = [len(owned(play) & set(range(1, 7))) for play in (above, below)]
            if homes[0] != homes[1]:
                if homes[0] < homes[1]:
                    return False
                continue
        if not beats(above, below):
            return False
    return True
