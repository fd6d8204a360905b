"""The board of the page: its first drawing, its colours, and where the script draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board.layout import MIDDLE, RADIUS, Layout
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.board.style import BOARDS, PALETTES, class_prefix, style_sheet
from gnubg_nactation.exports.page.document import themed
from gnubg_nactation.values import Any

_LAYOUT = Layout(Player.FIRST, "right")
_STYLE = re.compile("<style>[^<]*</style>")


def first_board(matches: Sequence[AnnotatedMatch]) -> str:
    """The first turn with a known board as SVG, without its style."""
    turns = (
        (annotated.match, turn)
        for annotated in matches
        for game in annotated.games
        for turn in game.turns
    )
    match, turn = next((pair for pair in turns if pair[1].state is not None), (None, None))
    state = turn.state if turn and turn.state else GameState()
    players = match.players if match else None
    return plain_board(state, turn.play if turn else None, view=Player.FIRST, players=players)


def plain_board(state: GameState, play: Play | None = None, **options: Any) -> str:
    """The board as SVG without its style, for `board_colours`; options as for `board_svg`."""
    return _STYLE.sub("", board_svg(state, play, theme="light", **options))


def board_colours() -> str:
    """The style of boards, light or dark like the page."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    names = {colour: f"var(--board-{name})" for name, colour in light.items()}
    pairs = {f"board-{name}": (light[name], dark[name]) for name in light}
    return themed(pairs) + re.sub("#[0-9a-f]{6}", lambda hit: names[hit[0]], style_sheet("light"))


def board_choices() -> str:
    """The colours of the boards that `data-board` asks for, in light and dark."""
    rules = []
    for name, colours in BOARDS.items():
        values = "".join(f"--board-{part}:{colour};" for part, colour in colours.items())
        rules.append(f":root[data-board='{name}'][data-board]{{{values}}}\n")
    return "".join(rules[1:])


def board_places() -> dict[str, Any]:
    """Where checkers and cube are drawn: `places` of page.schema.json."""
    players = tuple(Player)

    def stack(place: Callable[[int], tuple[int, int]]) -> tuple[int, int, int]:
        (x, first), (_, second) = place(0), place(1)
        return x, first, second - first

    return {
        "prefix": class_prefix("light"),
        "middle": MIDDLE,
        "radius": RADIUS,
        "checkers": [
            [stack(partial(_LAYOUT.checker, player, point)) for point in range(1, BAR + 1)]
            for player in players
        ],
        "off": [stack(partial(_LAYOUT.off, player)) for player in players],
        "cube": [_LAYOUT.cube(owner) for owner in (None, *players)],
    }
