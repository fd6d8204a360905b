"""Boards for tests, written by the few points that matter."""

from __future__ import annotations

from gnubg_nactation.backgammon.position import Position


def board(**counts: int) -> Position:
    """A board from p6=5 (own checkers on the 6pt), p0=-1 (an opponent on his bar) and so on."""
    points = [0] * 26
    for name, count in counts.items():
        points[int(name[1:])] = count
    return Position(tuple(points))
