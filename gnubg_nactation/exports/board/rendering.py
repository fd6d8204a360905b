"""A board for people: as text, as SVG, and as PNG with the extra `png`."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.diagram import draw
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import CHECKERS, Position
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board.drawing import Scene, draw_scene
from gnubg_nactation.exports.board.layout import HEIGHT, WIDTH, Home, Layout, seen_by
from gnubg_nactation.exports.board.style import Theme, class_prefix, style_sheet
from gnubg_nactation.exports.board.tree import Branch
from gnubg_nactation.showing import LONGEST_NAME, quoted, shown
from gnubg_nactation.system.extras import import_extra

Names = tuple[str, str]


_LARGEST = 10_000  # bytes of a drawing
_DRAWN = 27  # letters of a name that fit beside the pip count


def board_text(
    state: GameState,
    play: Play | None = None,
    *,
    players: Names | None = None,
    view: Player | None = None,
) -> str:
    """The board with characters, then score, cube and what is to be done or is played.

    X is the side at the bottom, from which the points are numbered: that of `view`, or of the
    player to move. `play` is one of `state`, not made yet on the board. `players` stand in the
    order of Player. Raises IllegalError if the play is one of another position or roll.
    """
    roll = _roll(state, play)
    viewer = state.player if view is None else view
    lines = [draw(seen_by(state, viewer))]
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
    """The board as an SVG element, with arrows if a play is given; always below 10 KB.

    `board` is a state, a position, the Position ID or XGID of one, or a play as it is made. `play`
    may be traditional text, of the state's roll.
    The side at the bottom is that of `view`, or of the player to move; points are numbered from
    it. The first player has the white checkers. `home` is where the home boards are; `theme`
    auto is dark where the reader's system is. `players` stand in the order of Player; a name too
    long to be drawn is cut there, but whole in the description if that leaves the drawing small.
    `width` is in pixels; without, the board fills what it stands in. A `key` tells apart two
    copies of one board on one page. Raises IllegalError if the play is one of another position
    or roll.
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
    told = board_text(state, play, players=names, view=view)
    svg = _svg(scene, told, theme, width, key)
    if len(svg.encode()) > _LARGEST:
        told = board_text(state, play, players=short, view=view)
        svg = _svg(scene, told, theme, width, key)
    return svg


def _play(play: Play | str | None, state: GameState) -> Play | None:
    if not isinstance(play, str):
        return play
    if state.roll is None:
        raise IllegalError(f"there is no roll that {quoted(play)} could be a play of")
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
    """The drawing of board_svg as the bytes of a PNG image, `width` pixels wide; `auto` is light.

    The letters are those of the fonts that the system has. Raises NactationError where the extra
    `png` is not installed, else as board_svg does.
    """
    theme = "light" if theme == "auto" else theme
    svg = board_svg(board, play, theme=theme, home=home, view=view, players=players, width=width)
    return png_of(svg)


def png_of(svg: str) -> bytes:
    """Return a drawing as the bytes of a PNG image. Raises NactationError without the extra."""
    resvg = import_extra("resvg_py", "PNG", "png")
    return bytes(resvg.svg_to_bytes(svg_string=svg))


def _svg(scene: Scene, told: str, theme: Theme, width: int | None, key: str) -> str:
    """The scene as SVG; `told` is what those hear who do not see it."""
    viewer, home = scene.layout
    number = zlib.crc32(f"{int(viewer)} {home} {width} {key} {told}".encode())
    ids = f"{scene.prefix}-{number:08x}"
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    if width is not None:
        size |= {"width": str(width), "height": str(round(width * HEIGHT / WIDTH))}
    told_by = {"role": "img", "aria-labelledby": f"{ids}-t {ids}-d"}
    svg = {"xmlns": "http://www.w3.org/2000/svg", "class": scene.prefix}
    root = Branch("svg", svg | size | told_by)
    first, second = map(_isolate, scene.names)
    said = _doing(scene.state, scene.play, scene.roll, (first, second))
    root.add("title", {"id": f"{ids}-t"}, f"{said}.")
    root.add("desc", {"id": f"{ids}-d"}, told)
    root.add("style", {}, style_sheet(theme))
    draw_scene(root, scene)
    return str(root)


def _roll(state: GameState, play: Play | None) -> Roll | None:
    """The roll on the board, after a look whether the play belongs to it."""
    if play is None:
        return state.roll
    if play.before != state.position or state.roll not in {None, play.roll}:
        raise IllegalError(
            f"{quoted(format_play(play))} with {play.roll} is a play of another board"
        )
    return play.roll


def _score(state: GameState, viewer: Player) -> Iterator[str]:
    """A line on score and length, X first; nothing where only a position is known."""
    if not state.length and not any(state.score) and not state.jacoby:
        return
    kind = f"{state.length} point match" if state.length else "money play"
    rule = ", Crawford game" if state.crawford else ", Jacoby rule" if state.jacoby else ""
    yield f" Score: X {state.score[viewer]}, O {state.score[viewer.other]}, {kind}{rule}"


def _doing(state: GameState, play: Play | None, roll: Roll | None, names: Names) -> str:
    """What happens at this moment, in one sentence without its full stop."""
    name = names[state.player]
    if play:
        return f"{name} plays {roll}: {format_play(play)}"
    if state.position.opponent_off == CHECKERS:
        return f"{names[state.player.other]} has borne off all checkers"
    if state.doubled:
        return f"{name} is offered the cube at {state.cube * 2}"
    return f"{name} to play {roll}" if roll else f"{name} to roll"


def _clean(players: Names) -> Names:
    """The names on one line each, without what XML forbids and what turns other text around."""
    first, second = (shown(" ".join(name.split()))[:LONGEST_NAME] for name in players)
    return first, second


def shorten(name: str) -> str:
    """The name, or its beginning and an ellipsis where it is too wide to be drawn."""
    room = float(_DRAWN)
    for at, character in enumerate(name):
        room -= _width(character)
        if room < 0 or at >= 2 * _DRAWN:
            return name[: max(at - 1, 0)].rstrip() + "\u2026"
    return name


def width_of(text: str) -> float:
    """How wide a text is, in units of a common small letter; rather too much than too little."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 1.5 if character.isupper() or character in "mw@%" else 1


def _isolate(name: str) -> str:
    """Keep a name written from right to left from turning the sentence around it."""
    turned = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in name)
    return f"\u2068{name}\u2069" if turned else name
