"""A rule of thumb for natural plays, for readings that require an assumption.

It counts hits, good points and blots within reach, in rough thousandths of a point. It plays
badly, but it separates obvious plays from absurd ones (section 8).
"""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR

# The worth of owning each point, from the bar (0) and the 1pt up.
_POINT = (
    *(0, 20, 40, 90, 130, 150, 100),
    *(130, 80, 50, 40, 30, 20),
    *(30, 20, 20, 30, 30, 110),
    *(60, 120, 50, 40, 0, 0),
)
_HIT = 90
# The worth of a portion to each point: a checker borne off, or put out of play.
_LANDING = (40, -70, -30, *(0,) * (BAR - 3))


def plausibility(play: Play) -> int:
    """How natural a play looks; the greater, the better."""
    points = play.reached.points
    score = 0
    for _, target, _, hits in play.portions:
        score += _LANDING[target] + (_HIT + 4 * target if hits else 0)
    for point in range(1, BAR):
        count = points[point]
        if count >= 2:
            score += _POINT[point] - (6 * (count - 3) if count > 3 else 0)
        elif count == 1:
            score -= _danger(points, point)
    return score


def _danger(points: tuple[int, ...], blot: int) -> int:
    """The risk of a blot: the shots at it, times the pips that a hit would cost."""
    outside, inside = max(blot - 12, 0), max(blot - 6, 0)
    direct = len([count for count in points[inside:blot] if count < 0])
    indirect = len([count for count in points[outside:inside] if count < 0])
    chance = min(30 * direct + 6 * indirect, 60)
    return chance * (8 + BAR - blot) // 16
