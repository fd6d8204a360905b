"""The pieces of a drawn board, each a branch of an SVG tree."""

from __future__ import annotations

from collections import Counter

from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board.layout import (
    BOTTOM,
    HEIGHT,
    MIDDLE,
    RADIUS,
    STACK,
    TOP,
    WIDTH,
    XY,
    Arrow,
    Layout,
    arrow_path,
    arrows,
    seen_by,
)
from gnubg_nactation.exports.board.tree import Branch
from gnubg_nactation.values import NamedTuple

_LETTER = 13  # the width of a digit or common letter, in the widest of usual fonts
_SIDES = ("first", "second")
_PIPS = {  # of a die, in ninths of its width from the centre
    1: ((0, 0),),
    2: ((-2, -2), (2, 2)),
    3: ((-2, -2), (0, 0), (2, 2)),
    4: ((-2, -2), (2, -2), (-2, 2), (2, 2)),
    5: ((-2, -2), (2, -2), (0, 0), (-2, 2), (2, 2)),
    6: ((-2, -2), (2, -2), (-2, 0), (2, 0), (-2, 2), (2, 2)),
}


class Scene(NamedTuple):
    """A state to draw, with the arrows of a play; `prefix` begins the names of all classes."""

    state: GameState
    play: Play | None
    roll: Roll | None
    layout: Layout
    names: tuple[str, str]
    prefix: str


def draw_scene(root: Branch, scene: Scene) -> None:
    """Add all pieces to the tree, from the bottom up."""
    _draw_field(root, scene)
    ways = list(arrows(scene.play, scene.state.player, scene.layout)) if scene.play else []
    for player in Player:
        _draw_checkers(root, scene, player)
        _draw_strip(root, scene, player)
    if ways:
        _draw_arrows(root, scene, ways)
    _draw_middle(root, scene)
    words = _words(scene.state)
    if words:
        _write(root, scene, "note", (_other_half(scene), MIDDLE + 7), words, 232)
    arriving = Counter(way.onto for way in ways if way.onto and way.lands)
    for player in Player:
        _draw_counts(root, scene, player, arriving if player is scene.state.player else Counter())


def _add(parent: Branch, scene: Scene, tag: str, kind: str, **attributes: object) -> Branch:
    """A new branch; `kind` are its classes, without prefix and separated by blanks."""
    words = [f"{scene.prefix}-{word}" for word in kind.split()]
    classes = {"class": " ".join(words)} if words else {}
    return parent.add(tag, classes | {name: str(value) for name, value in attributes.items()})


def _write(
    parent: Branch, scene: Scene, kind: str, place: XY, text: str, room: int = WIDTH
) -> None:
    """Write text at `place`, squeezed if a wide font would not fit the room."""
    element = _add(parent, scene, "text", kind, x=place[0], y=place[1])
    element.text = text
    if _LETTER * len(text) > room:
        element.attributes |= {"textLength": str(room), "lengthAdjust": "spacingAndGlyphs"}


def _draw_field(root: Branch, scene: Scene) -> None:
    _add(root, scene, "rect", "page", width=WIDTH, height=HEIGHT, rx=8)
    frame = HEIGHT - 2 * (TOP - 26)
    _add(root, scene, "rect", "frame", y=TOP - 26, width=WIDTH, height=frame, rx=8)
    tall = BOTTOM - TOP
    field = "".join(
        f"M{left} {TOP}h{wide}v{tall}h-{wide}z"
        for left, wide in ((6, 38), (48, 240), (332, 240), (576, 38))
    )
    _add(root, scene, "path", "field", d=field)
    for kind, first in (("pale", 0), ("deep", 1)):
        points = "".join(
            f"M{left + 40 * at} {TOP}h40l-20 178zM{left + 40 * (5 - at)} {BOTTOM}h40l-20-178z"
            for left in (48, 332)
            for at in range(first, 6, 2)
        )
        _add(root, scene, "path", kind, d=points)
    numbers = _add(root, scene, "g", "number")
    for point in range(1, BAR):
        y = TOP - 7 if point > 12 else BOTTOM + 20
        _write(numbers, scene, "", (scene.layout.column(point), y), str(point))


def _draw_checkers(root: Branch, scene: Scene, player: Player) -> None:
    """Draw the checkers of a player: circles, and slabs for those borne off."""
    group = _add(root, scene, "g", _SIDES[player])
    position = seen_by(scene.state, player)
    for point, count in enumerate(position.points):
        for slot in range(min(count, STACK)):
            x, y = scene.layout.checker(player, point, slot)
            _add(group, scene, "circle", "", cx=x, cy=y, r=RADIUS)
    slabs = [scene.layout.off(player, slot) for slot in range(position.off)]
    if slabs:
        x, y = slabs[-1]
        above = -10 if player is scene.layout.viewer else 24
        _write(root, scene, "note", (x, y + above), str(position.off))
        _add(group, scene, "path", "", d="".join(f"M{x - 16} {y - 5}h32v10h-32z" for x, y in slabs))


def _draw_counts(root: Branch, scene: Scene, player: Player, arriving: Counter[int]) -> None:
    """Number the stacks of more than STACK checkers.

    If checkers arrive on a full stack, which has no room for a ring, the number is `5+1`.
    """
    for point, count in enumerate(seen_by(scene.state, player).points):
        more = arriving[point]
        if count > STACK or more:
            x, y = scene.layout.checker(player, point, STACK)
            text = f"{count}+{more}" if more else str(count)
            _write(root, scene, f"on-{_SIDES[player]}", (x, y + 7), text, 36)


def _draw_strip(root: Branch, scene: Scene, player: Player) -> None:
    """Next to the player's edge of the board: colour, name, pip count and score."""
    state = scene.state
    # Not symmetrical, because letters are above their line.
    y = 547 if player is scene.layout.viewer else 28
    side = _SIDES[player]
    _add(root, scene, "circle", side, cx=22, cy=y - 7, r=10)
    moves = "" if player is state.player else " waits"
    _write(root, scene, f"name{moves}", (42, y), scene.names[player])
    scored = state.length or any(state.score)
    pips = f"pips {seen_by(scene.state, player).pips}"
    _write(root, scene, "pips", (546 if scored else 610, y), pips)
    if scored:
        _add(root, scene, "rect", side, x=560, y=y - 21, width=50, height=28, rx=6)
        _write(root, scene, f"on-{side}", (585, y), str(state.score[player]), 46)


def _draw_middle(root: Branch, scene: Scene) -> None:
    """Cube and dice; the dice lie to the right of the player on roll."""
    state = scene.state
    x = WIDTH - _other_half(scene)
    if state.doubled:
        _draw_cube(root, scene, (x, MIDDLE), state.cube * 2)
    elif not (state.crawford and state.cube == 1):
        _draw_cube(root, scene, scene.layout.cube(state.owner), state.cube)
    if scene.roll:
        _draw_die(root, scene, x - 21, scene.roll.high)
        _draw_die(root, scene, x + 21, scene.roll.low)


def _other_half(scene: Scene) -> int:
    """The middle of the half without dice, which has room for words."""
    return 168 if scene.state.player is scene.layout.viewer else 452


def _words(state: GameState) -> str:
    if state.length and state.crawford:
        return f"{state.length} points, Crawford"
    if state.length:
        return f"{state.length} point match"
    return "Jacoby rule" if state.jacoby else ""


def _draw_cube(root: Branch, scene: Scene, place: XY, value: int) -> None:
    x, y = place
    _add(root, scene, "rect", "cube", x=x - 17, y=y - 17, width=34, height=34, rx=5)
    _write(root, scene, "on-first", (x, y + 7), str(value), 30)


def _draw_die(root: Branch, scene: Scene, x: int, die: int) -> None:
    group = _add(root, scene, "g", _SIDES[scene.state.player])
    _add(group, scene, "rect", "", x=x - 17, y=MIDDLE - 17, width=34, height=34, rx=7)
    # A line of no length with round ends is a dot, shorter than a circle.
    dots = "".join(f"M{x + 4 * dx} {MIDDLE + 4 * dy}h0" for dx, dy in _PIPS[die])
    _add(group, scene, "path", "pip", d=dots)


def _draw_arrows(root: Branch, scene: Scene, ways: list[Arrow]) -> None:
    rings = dict.fromkeys(way.target for way in ways if way.lands and not way.onto)
    for x, y in rings:
        _add(root, scene, "circle", "ring", cx=x, cy=y, r=RADIUS - 1)
    shafts = "".join(arrow_path(way) for way in ways)
    crosses = "".join(
        f"M{way.target[0] - 8} {way.target[1] - 8}l16 16m0-16l-16 16" for way in ways if way.hits
    )
    _add(root, scene, "path", "line halo", d=shafts + crosses)
    _add(root, scene, "path", "line arrow", d=shafts)
    if crosses:
        _add(root, scene, "path", "line hit", d=crosses)
