"""The layout of a drawn board: where points, checkers, cube and arrows are, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import hypot
from operator import itemgetter

from gnubg_nactation.backgammon.notation import format_play, parse_hops
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, OFF, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Home: TypeAlias = "Literal['right', 'left']"
XY = tuple[int, int]

WIDTH, HEIGHT = 620, 560
MIDDLE = HEIGHT // 2
TOP, BOTTOM = 66, 494  # of the playing field
RADIUS = 19
STACK = 5  # checkers drawn of a stack; a number counts the rest
_SLAB = 12  # height of a checker borne off
# The centres of the leftmost points of the quadrants, and of the rails.
_OUTER_LEFT, _HOME_LEFT = 68, 352
_RAIL = 27


def seen_by(state: GameState, player: Player) -> Position:
    """The board numbered from a player."""
    return state.position if player is state.player else state.position.switch_sides()


class Layout(NamedTuple):
    """The player at the bottom, and the side of the home boards.

    Methods number points from the player in their arguments.
    """

    viewer: Player
    home: Home

    def column(self, point: int) -> int:
        """The middle of a point, from the left; the same for both players."""
        at = point - 13 if point > 12 else 12 - point  # from the left, in a half
        return self._turned((_OUTER_LEFT if at < 6 else _HOME_LEFT - 240) + 40 * at)

    def checker(self, player: Player, point: int, slot: int) -> XY:
        """The centre of checker `slot` (from 0) of a stack on a point (25: the bar).

        Stacks grow from the edge, on the bar from the middle, up to STACK.
        """
        step = 38 * min(slot, STACK - 1)
        if point == BAR:
            return WIDTH // 2, self.level(player, MIDDLE + 26 + step)
        y = self.level(player, BOTTOM - 1 - RADIUS - step)
        return self.column(point), HEIGHT - y if point > 12 else y

    def off(self, player: Player, slot: int) -> XY:
        """The centre of checker `slot` (from 0) borne off."""
        x = self._turned(WIDTH - _RAIL)
        return x, self.level(player, BOTTOM - _SLAB // 2 - 1 - _SLAB * slot)

    def cube(self, owner: Player | None) -> XY:
        """The centre of the cube: with its owner, or in the middle."""
        return self._turned(_RAIL), MIDDLE if owner is None else self.level(owner, BOTTOM - 20)

    def level(self, player: Player, y: int) -> int:
        """The height `y` at the bottom, mirrored for the player at the top."""
        return y if player is self.viewer else HEIGHT - y

    def _turned(self, x: int) -> int:
        return x if self.home == "right" else WIDTH - x


class Arrow(NamedTuple):
    """The arrow of a hop; `lands` if the checker stays on the target.

    The shaft begins `start` after the source's centre and ends `stop` before the target's, to keep
    numbers and crosses clear. `onto` is the target's point if its stack is full, else 0.
    """

    source: XY
    target: XY
    start: int
    stop: int
    hits: bool = False
    lands: bool = False
    onto: int = 0


_CLEAR = RADIUS - 5  # of a number or a cross


def arrows(play: Play, player: Player, layout: Layout) -> Iterator[Arrow]:
    """An arrow for each hop of the play, as format_play writes it."""
    before = play.before.points
    remaining = [max(count, 0) for count in before]
    landed = [0] * (BAR + 1)
    off = play.before.off
    hops = parse_hops(format_play(play))
    ways: list[tuple[tuple[int, int], Arrow]] = []
    for at, (source, target, hits) in enumerate(hops):
        if at and landed[source] and hops[at - 1].target == source:
            landed[source] -= 1
        else:
            remaining[source] -= 1
        slot = remaining[source] + landed[source]
        place = layout.checker(player, source, slot)
        start = _CLEAR if slot >= STACK - 1 and before[source] > STACK else 0
        if target == OFF:
            ways.append(((OFF, at), Arrow(place, layout.off(player, off), start, RADIUS + 1)))
            off += 1
            continue
        slot = remaining[target] + landed[target]
        landed[target] += 1
        goes_on = at + 1 < len(hops) and hops[at + 1].source == target
        crowded = hits or slot >= STACK or (slot >= STACK - 1 and before[target] > STACK)
        end, stop = layout.checker(player, target, slot), _CLEAR if crowded else 6
        onto = target if slot >= STACK else 0
        arrow = Arrow(place, end, start, stop, hits, not hits and not goes_on, onto)
        ways.append(((source, target), arrow))
    for _, group in groupby(ways, itemgetter(0)):
        yield from _uncrossed([way for _, way in group])


def _uncrossed(ways: list[Arrow]) -> list[Arrow]:
    """Keep the order of checkers that go the same way along one edge."""
    first = ways[0]
    if (first.source[1] < MIDDLE) != (first.target[1] < MIDDLE):
        return ways
    turned = zip(ways, reversed(ways), strict=True)
    return [end._replace(source=begin.source, start=begin.start) for begin, end in turned]


def arrow_path(arrow: Arrow) -> str:
    """The arrow as an SVG path: the shaft, then the head.

    Along one edge of the board the shaft bends to the middle, the farther the more, which keeps
    arrows over the same points apart.
    """
    (x1, y1), (x2, y2) = arrow.source, arrow.target
    same_half = (y1 < MIDDLE) == (y2 < MIDDLE)
    bend = (0.3 if y1 < MIDDLE else -0.3) * abs(x2 - x1) if same_half else 0
    bend_x, bend_y = (x1 + x2) / 2, (y1 + y2) / 2 + bend
    length = hypot(x2 - bend_x, y2 - bend_y)  # of either half of the shaft
    ux, uy = (x2 - bend_x) / length, (y2 - bend_y) / length
    tip_x, tip_y = x2 - arrow.stop * ux, y2 - arrow.stop * uy
    tail = arrow.start / hypot(bend_x - x1, bend_y - y1)
    tail_x, tail_y = x1 + tail * (bend_x - x1), y1 + tail * (bend_y - y1)
    head = min(13.0, length / 2)
    back_x, back_y = tip_x - head * ux, tip_y - head * uy
    side_x, side_y = -uy * head * 0.75, ux * head * 0.75
    return (
        f"M{tail_x:.0f} {tail_y:.0f}Q{bend_x:.0f} {bend_y:.0f} {tip_x:.0f} {tip_y:.0f}"
        f"M{back_x + side_x:.0f} {back_y + side_y:.0f}L{tip_x:.0f} {tip_y:.0f}"
        f"L{back_x - side_x:.0f} {back_y - side_y:.0f}"
    )
