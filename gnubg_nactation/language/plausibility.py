"""A rule of thumb for what a player would do, for readings that leave something to assume.

No engine and no claim to strength: hits, points worth having and blots within reach, in
thousandths of a point or thereabouts, enough to tell the obvious from the absurd (section 8).
"""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, OFF

__all__ = ["plausibility"]

# What owning each point from the 1pt up is worth.
_POINT = (
    *(0, 20, 40, 90, 130, 150, 100),
    *(130, 80, 50, 40, 30, 20),
    *(30, 20, 20, 30, 30, 110),
    *(60, 120, 50, 40, 0, 0),
)
_HIT = 90
_DEEP = {1: 70, 2: 30}  # what it costs to put a checker out of play


def plausibility(play: Play) -> int:
    """How natural a play looks; the greater, the better."""
    points = play.reached.points
    score = sum(_HIT + 4 * portion.target for portion in play.portions if portion.hits)
    score -= sum(_DEEP.get(portion.target, 0) for portion in play.portions)
    score += _OFF * sum(portion.target == OFF for portion in play.portions)
    for point in range(1, BAR):
        count = points[point]
        if count >= 2:
            score += _POINT[point] - 6 * max(count - 3, 0)
        elif count == 1:
            score -= _danger(points, point)
    return score


_OFF = 40


def _danger(points: tuple[int, ...], blot: int) -> int:
    """What a blot risks: more for each direct shot, and for the pips that a hit would cost."""
    shots = [blot - at for at in range(blot) if points[at] < 0]
    direct = sum(distance <= 6 for distance in shots)
    indirect = sum(6 < distance <= 12 for distance in shots)
    chance = min(30 * direct + 6 * indirect, 60)
    return chance * (8 + BAR - blot) // 16
