"""Where everything stands in the drawing of a board: one side's numbers to places, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import hypot
from operator import itemgetter
from typing import Literal

from gnubg_nactation.backgammon.notation import format_play, parse_hops
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, OFF, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.values import NamedTuple

Home = Literal["right", "left"]
XY = tuple[int, int]

# The drawing in its own units; as wide as it would be with points 40 pixels apart.
WIDTH, HEIGHT = 620, 560
MIDDLE = HEIGHT // 2
TOP, BOTTOM = 66, 494  # of the playing field
RADIUS = 19
SHOWN = 5  # checkers of a stack; a number tells of more
_SLAB = 12  # a checker borne off, seen from its edge
# The centres of the leftmost points of the four quadrants and of the side rails.
_OUTER_LEFT, _HOME_LEFT = 68, 352
_RAIL = 27


def seen_by(state: GameState, player: Player) -> Position:
    """The board numbered from a player."""
    return state.position if player is state.player else state.position.switch_sides()


class Layout(NamedTuple):
    """Whose side is at the bottom, and where the home boards are.

    Points are numbered from the player named beside them, so that both sides look alike.
    """

    viewer: Player
    home: Home

    def column(self, point: int) -> int:
        """The middle of a point, from the left; the same for both sides' points of a number."""
        at = point - 13 if point > 12 else 12 - point  # from the left, in a half
        return self._turned((_OUTER_LEFT if at < 6 else _HOME_LEFT - 240) + 40 * at)

    def checker(self, player: Player, point: int, slot: int) -> XY:
        """The centre of the player's checker `slot` on a point (25 the bar), counted from 0.

        Stacks grow from the edge, on the bar from the middle, and stop at SHOWN.
        """
        step = 38 * min(slot, SHOWN - 1)
        if point == BAR:
            return WIDTH // 2, self.level(player, MIDDLE + 26 + step)
        y = self.level(player, BOTTOM - 1 - RADIUS - step)
        return self.column(point), HEIGHT - y if point > 12 else y

    def off(self, player: Player, slot: int) -> XY:
        """The centre of the player's checker borne off as number `slot`, counted from 0."""
        x = self._turned(WIDTH - _RAIL)
        return x, self.level(player, BOTTOM - _SLAB // 2 - 1 - _SLAB * slot)

    def cube(self, owner: Player | None) -> XY:
        """The centre of the cube: at its owner's side, or halfway."""
        return self._turned(_RAIL), MIDDLE if owner is None else self.level(owner, BOTTOM - 20)

    def level(self, player: Player, y: int) -> int:
        """The height `y` of something at the bottom, for the player who may sit at the top."""
        return y if player is self.viewer else HEIGHT - y

    def _turned(self, x: int) -> int:
        return x if self.home == "right" else WIDTH - x


class Arrow(NamedTuple):
    """A checker's way from place to place; `lands` tells whether it stays there on a point.

    The shaft begins `start` away from the source's centre and ends `stop` before the target's,
    so that what is drawn there stays clear. `onto` is the point (of the player who moves) where
    the checker comes to lie on others, as the stack is as high as can be shown; else 0.
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
    """An arrow for each hop of the play as format_play has it, from the checker that moves."""
    before = play.before.points
    left = [max(n, 0) for n in before]  # of the checkers that stood there before
    landed = [0] * (BAR + 1)
    off = play.before.off
    hops = parse_hops(format_play(play))
    ways: list[tuple[tuple[int, int], Arrow]] = []
    for at, (source, target, hits) in enumerate(hops):
        if at and landed[source] and hops[at - 1].target == source:  # the same checker goes on
            landed[source] -= 1
        else:
            left[source] -= 1
        slot = left[source] + landed[source]
        place = layout.checker(player, source, slot)
        start = _CLEAR if slot >= SHOWN - 1 and before[source] > SHOWN else 0
        if target == OFF:
            ways.append(((OFF, at), Arrow(place, layout.off(player, off), start, RADIUS + 1)))
            off += 1
            continue
        slot = left[target] + landed[target]
        landed[target] += 1
        goes_on = at + 1 < len(hops) and hops[at + 1].source == target
        crowded = hits or slot >= SHOWN or (slot >= SHOWN - 1 and before[target] > SHOWN)
        end, stop = layout.checker(player, target, slot), _CLEAR if crowded else 6
        onto = target if slot >= SHOWN else 0
        arrow = Arrow(place, end, start, stop, hits, not hits and not goes_on, onto)
        ways.append(((source, target), arrow))
    for _, group in groupby(ways, itemgetter(0)):
        yield from _uncrossed([way for _, way in group])


def _uncrossed(ways: list[Arrow]) -> list[Arrow]:
    """Of checkers that go the same way along one edge, the lower one comes to stand lower."""
    first = ways[0]
    if (first.source[1] < MIDDLE) != (first.target[1] < MIDDLE):
        return ways
    turned = zip(ways, reversed(ways), strict=True)
    return [end._replace(source=begin.source, start=begin.start) for begin, end in turned]


def arrow_path(arrow: Arrow) -> str:
    """The arrow as an SVG path: the shaft, then the head.

    Along one edge of the board the shaft is bent to the middle, the more the farther it goes,
    so that arrows over the same points stay apart.
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
