"""A board as text, as SVG, and as PNG (with the extra `png`)."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator

from gnubg_nactation.backgammon.conversion import to_state
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
