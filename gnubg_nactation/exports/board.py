"""Boards: laid out, drawn, styled, as SVG, PNG and text."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from math import hypot
from operator import itemgetter

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play, parse_hops, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR, CHECKERS, OFF, Position
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.showing import LONGEST_NAME, quoted, shown
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias


class Branch:
    """An element with its attributes, text and branches, in this order."""

    __slots__ = ("_branches", "attributes", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], text: str = "") -> None:
        self.tag, self.attributes, self.text = tag, attributes, text
        self._branches: list[Branch] = []

    def add(self, tag: str, attributes: dict[str, str], text: str = "") -> Branch:
        """Add and return a new branch."""
        branch = Branch(tag, attributes, text)
        self._branches.append(branch)
        return branch

    def __str__(self) -> str:
        """The element as XML. Its texts must not have characters that XML forbids."""
        head = self.tag + "".join(
            [f' {name}="{_escape(value)}"' for name, value in self.attributes.items()]
        )
        inside = _escape(self.text, quote='"') + "".join(map(str, self._branches))
        return f"<{head}>{inside}</{self.tag}>" if inside else f"<{head} />"


def _escape(text: str, quote: str = "&quot;") -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', quote)


Theme: TypeAlias = "Literal['light', 'dark', 'auto']"

# Colours in the light and the dark theme. `rim` and `edge` are the outlines of white and black
# checkers, `pale` and `deep` the points, `note` the words on the field.
_PAIRS = {
    "page": ("#fbf9f5", "#15171b"),
    "text": ("#2a2522", "#e9e6e0"),
    "frame": ("#5b4334", "#22262d"),
    "number": ("#f6ecdf", "#c9ced8"),
    "field": ("#efe3cf", "#343a45"),
    "pale": ("#d9b98c", "#6d7f93"),
    "deep": ("#a8744d", "#4a5666"),
    "note": ("#5c4632", "#d3dae3"),
    "white": ("#fffdf8", "#f2eee5"),
    "black": ("#2e3138", "#17191d"),
    "rim": ("#4b4038", "#0f1113"),
    "edge": ("#111215", "#b9c2cf"),
    "arrow": ("#0a5fd0", "#58b0ff"),
    "halo": ("#ffffff", "#0c0e11"),
    "hit": ("#d11f2d", "#ff5a5f"),
}
PALETTES = {
    theme: {name: pair[at] for name, pair in _PAIRS.items()}
    for at, theme in enumerate(("light", "dark"))
}

# Other colours of the board itself, by their names; the first keeps those above.
BOARDS = {
    "wood": {},
    "green": {
        "frame": "#3b2820",
        "number": "#e9dcc3",
        "field": "#1f5c49",
        "pale": "#cfc8ad",
        "deep": "#a04a2f",
        "note": "#f4f1e6",
        "white": "#fffaf0",
        "black": "#23262e",
        "rim": "#5a4a3c",
        "edge": "#0d0f12",
        "arrow": "#f5b135",
        "halo": "#10281a",
        "hit": "#ff8a7d",
    },
    "night": {
        "frame": "#1b2028",
        "number": "#aab4c2",
        "field": "#262d38",
        "pale": "#55657a",
        "deep": "#3a4657",
        "note": "#d3dae3",
        "white": "#e9e4d8",
        "black": "#11141a",
        "rim": "#0f1113",
        "edge": "#8693a5",
        "arrow": "#6fc3ff",
        "halo": "#0c0e11",
        "hit": "#ff6f74",
    },
    "blue": {
        "frame": "#1d3557",
        "number": "#e6eef7",
        "field": "#dbe7f3",
        "pale": "#a9c4de",
        "deep": "#5f8db8",
        "note": "#1d3557",
        "white": "#ffffff",
        "black": "#22303f",
        "rim": "#3b4c5e",
        "edge": "#0e1822",
        "arrow": "#0b3d91",
        "halo": "#ffffff",
        "hit": "#c01525",
    },
    "high contrast": {
        "frame": "#000000",
        "number": "#ffffff",
        "field": "#ffffff",
        "pale": "#d0d0d0",
        "deep": "#7a7a7a",
        "note": "#000000",
        "white": "#ffffff",
        "black": "#000000",
        "rim": "#000000",
        "edge": "#ffffff",
        "arrow": "#0033cc",
        "halo": "#ffffff",
        "hit": "#b00000",
    },
}

# The rules of both themes, then the colours of one; `c` is replaced by the prefix.
_SHAPES = """\
.c{direction:ltr}
.c text{font:600 19px system-ui,"Segoe UI",Roboto,"DejaVu Sans",Arial,sans-serif;text-anchor:middle}
.c .c-name{font-size:22px;text-anchor:start}
.c .c-pips{font-weight:400;text-anchor:end}
.c .c-waits{font-weight:400}
.c-line,.c-ring,.c-pip{fill:none;stroke-linecap:round;stroke-linejoin:round}
.c-ring{stroke-width:3;stroke-dasharray:5 6}
.c-pip{stroke-width:7}
.c .c-note{paint-order:stroke;stroke-width:5;stroke-linejoin:round}
"""
_COLOURS = """\
.c-page{fill:PAGE}
.c-name,.c-pips{fill:TEXT}
.c-frame{fill:FRAME}
.c-number{fill:NUMBER}
.c-field{fill:FIELD}
.c-pale{fill:PALE}
.c-deep{fill:DEEP}
.c-note{fill:NOTE;stroke:FIELD}
.c-first,.c-cube{fill:WHITE;stroke:RIM;stroke-width:1.5}
.c-second{fill:BLACK;stroke:EDGE;stroke-width:1.5}
.c-on-first{fill:BLACK}
.c-on-second{fill:WHITE}
.c-first .c-pip{stroke:BLACK}
.c-second .c-pip{stroke:WHITE}
.c-halo{stroke:HALO;stroke-width:10}
.c-arrow,.c-ring{stroke:ARROW}
.c-arrow,.c-hit{stroke-width:5}
.c-hit{stroke:HIT}
"""


def class_prefix(theme: Theme) -> str:
    """The prefix of a theme's classes: on one page, equal names need equal rules."""
    return f"nb{theme[0]}"


def style_sheet(theme: Theme) -> str:
    """The rules of a theme; `auto` follows the reader's system."""
    sheet = _SHAPES + _colours(PALETTES["dark" if theme == "dark" else "light"])
    if theme == "auto":
        sheet += "@media(prefers-color-scheme:dark){" + _colours(PALETTES["dark"]) + "}"
    return re.sub(r"\.c\b", f".{class_prefix(theme)}", sheet.replace("\n", ""))


def _colours(palette: dict[str, str]) -> str:
    return re.sub("[A-Z]+", lambda name: palette[name[0].lower()], _COLOURS)


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
    words = _state_words(scene.state)
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


def _state_words(state: GameState) -> str:
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


Names = tuple[str, str]

_MAX_BYTES = 10_000  # of a drawing
_MAX_NAME = 27  # letters of a name next to the pip count


def board_text(
    state: GameState,
    play: Play | None = None,
    *,
    players: Names | None = None,
    view: Player | None = None,
) -> str:
    """The board in text, then the score, the cube, and the play or who is on roll.

    X is the player at the bottom, from whom the points are numbered: `view`, or the player on
    roll. The board is that before `play`. Raises IllegalError if the play does not fit the state.
    """
    roll = _roll(state, play)
    viewer = state.player if view is None else view
    lines = [str(seen_by(state, viewer))]
    if players:
        names = _clean(players)
        lines = [f" O  {names[viewer.other]}", *lines, f" X  {names[viewer]}"]
    sides = ("X", "O") if viewer is Player.FIRST else ("O", "X")
    owner = "in the middle" if state.owner is None else f"owned by {sides[state.owner]}"
    lines += ["", *_score(state, viewer), f" Cube: {state.cube}, {owner}"]
    numbers = "" if play is None or viewer is state.player else ", numbered from O"
    lines.append(f" {_doing(state, play, roll, sides)}{numbers}")
    return "\n".join(line.rstrip() for line in lines)


def board_svg(  # noqa: PLR0913 - options by keyword
    board: GameState | Position | Play | str,
    play: Play | str | None = None,
    *,
    theme: Theme = "auto",
    home: Home = "right",
    view: Player | None = None,
    players: Names | None = None,
    width: int | None = None,
    key: str = "",
) -> str:
    """The board as an SVG element of at most 10 KB, with the arrows of a play.

    `board` is a state, a position, its Position ID or XGID, or a play to show. `play` may be text
    in traditional notation. The player at the bottom, from whom points are numbered, is `view` or
    the player on roll; the first player is White. `home` is the side of the home boards. The theme
    "auto" follows the reader's system. Long names of `players` are cut in the drawing. `width` is
    in pixels; without it the board fills its container. `key` distinguishes equal boards on one
    page. Raises IllegalError if the play does not fit the board.
    """
    if isinstance(board, Play):
        state, play = GameState(board.before, roll=board.roll), board
    else:
        state = to_state(board)
        play = _play(play, state)
    viewer = state.player if view is None else view
    names = _clean(players or PLAYER_NAMES)
    short = (shorten(names[0]), shorten(names[1]))
    prefix = class_prefix(theme)
    scene = Scene(state, play, _roll(state, play), Layout(viewer, home), short, prefix)
    description = board_text(state, play, players=names, view=view)
    svg = _svg(scene, description, theme, width, key)
    if len(svg.encode()) > _MAX_BYTES:
        description = board_text(state, play, players=short, view=view)
        svg = _svg(scene, description, theme, width, key)
    return svg


def _play(play: Play | str | None, state: GameState) -> Play | None:
    if not isinstance(play, str):
        return play
    if state.roll is None:
        raise IllegalError(f"no roll for the play {quoted(play)}")
    return parse_play(play, state.position, state.roll)


def board_png(  # noqa: PLR0913 - options by keyword
    board: GameState | Position | Play | str,
    play: Play | str | None = None,
    *,
    theme: Theme = "light",
    home: Home = "right",
    view: Player | None = None,
    players: Names | None = None,
    width: int = 800,
) -> bytes:
    """The drawing of board_svg as a PNG image, `width` pixels wide; the theme "auto" is light.

    Uses the system's fonts. Raises NactationError without the extra `png`, else like board_svg.
    """
    theme = "light" if theme == "auto" else theme
    svg = board_svg(board, play, theme=theme, home=home, view=view, players=players, width=width)
    return png_of(svg)


def png_of(svg: str) -> bytes:
    """An SVG drawing as a PNG image. Raises NactationError without the extra `png`."""
    resvg = import_extra("resvg_py", "PNG", "png")
    return bytes(resvg.svg_to_bytes(svg_string=svg))


def _svg(scene: Scene, description: str, theme: Theme, width: int | None, key: str) -> str:
    viewer, home = scene.layout
    number = zlib.crc32(f"{int(viewer)} {home} {width} {key} {description}".encode())
    ids = f"{scene.prefix}-{number:08x}"
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    if width is not None:
        size |= {"width": str(width), "height": str(round(width * HEIGHT / WIDTH))}
    labels = {"role": "img", "aria-labelledby": f"{ids}-t {ids}-d"}
    svg = {"xmlns": "http://www.w3.org/2000/svg", "class": scene.prefix}
    root = Branch("svg", svg | size | labels)
    first, second = map(_isolate, scene.names)
    title = _doing(scene.state, scene.play, scene.roll, (first, second))
    root.add("title", {"id": f"{ids}-t"}, f"{title}.")
    root.add("desc", {"id": f"{ids}-d"}, description)
    root.add("style", {}, style_sheet(theme))
    draw_scene(root, scene)
    return str(root)


def _roll(state: GameState, play: Play | None) -> Roll | None:
    """The roll of the play or the state. Raises IllegalError if the play does not fit the state."""
    if play is None:
        return state.roll
    if play.before != state.position or state.roll not in {None, play.roll}:
        raise IllegalError(
            f"{quoted(format_play(play))} with {play.roll} is a play of another board"
        )
    return play.roll


def _score(state: GameState, viewer: Player) -> Iterator[str]:
    """A line with score and match length, X first; none if only a position is known."""
    if not state.length and not any(state.score) and not state.jacoby:
        return
    kind = f"{state.length} point match" if state.length else "money play"
    rule = ", Crawford game" if state.crawford else ", Jacoby rule" if state.jacoby else ""
    yield f" Score: X {state.score[viewer]}, O {state.score[viewer.other]}, {kind}{rule}"


def _doing(state: GameState, play: Play | None, roll: Roll | None, names: Names) -> str:
    """The state in one sentence, without a full stop."""
    name = names[state.player]
    if play:
        return f"{name} plays {roll}: {format_play(play)}"
    if state.position.opponent_off == CHECKERS:
        return f"{names[state.player.other]} has borne off all checkers"
    if state.doubled:
        return f"{name} is offered the cube at {state.cube * 2}"
    return f"{name} to play {roll}" if roll else f"{name} to roll"


def _clean(players: Names) -> Names:
    """The names on one line each, without characters that XML forbids or that turn text around."""
    first, second = (shown(" ".join(name.split()))[:LONGEST_NAME] for name in players)
    return first, second


def shorten(name: str) -> str:
    """The name, or its beginning and an ellipsis if it is too wide to draw."""
    room = float(_MAX_NAME)
    for at, character in enumerate(name):
        room -= _width(character)
        if room < 0 or at >= 2 * _MAX_NAME:
            return name[: max(at - 1, 0)].rstrip() + "\u2026"
    return name


def width_of(text: str) -> float:
    """The width of a text in small letters, rounded up."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 1.5 if character.isupper() or character in "mw@%" else 1


def _isolate(name: str) -> str:
    """Isolate a name written from right to left, so that it does not turn its sentence around."""
    turned = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in name)
    return f"\u2068{name}\u2069" if turned else name
