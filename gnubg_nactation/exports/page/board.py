"""The board of the page: its first drawing, its colours, and the places where the script draws."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, CHECKERS
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board.layout import MIDDLE, RADIUS, SHOWN, Layout
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.board.style import PALETTES, class_prefix, style_sheet
from gnubg_nactation.exports.page.document import themed
from gnubg_nactation.values import Any

_LAYOUT = Layout(Player.FIRST, "right")
_STYLE = re.compile("<style>[^<]*</style>")


def first_board(matches: Sequence[AnnotatedMatch]) -> str:
    """The first turn with a known board as SVG, which the script takes over.

    Its style is board_colours, so that the page can be light or dark by the reader's choice.
    """
    turns = ((one.match, turn) for one in matches for game in one.games for turn in game.turns)
    match, turn = next((pair for pair in turns if pair[1].state is not None), (None, None))
    state = turn.state if turn and turn.state else GameState()
    players = match.players if match else None
    return plain_board(state, turn.play if turn else None, view=Player.FIRST, players=players)


def plain_board(state: GameState, play: Play | None = None, **options: Any) -> str:
    """The board as SVG without its style, with the options of board_svg."""
    return _STYLE.sub("", board_svg(state, play, theme="light", **options))


def board_colours() -> str:
    """The style of the board, its colours in their light and their dark form."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    names = {colour: f"var(--board-{name})" for name, colour in light.items()}
    pairs = {f"board-{name}": (light[name], dark[name]) for name in light}
    return themed(pairs) + re.sub("#[0-9a-f]{6}", lambda hit: names[hit[0]], style_sheet("light"))


def board_places() -> dict[str, Any]:
    """Where checkers and cube stand, for both players by their own numbers.

    `checkers` has for each player and point the places in a stack, `off` those of checkers borne
    off, `cube` the middle and both players' sides.
    """
    players = tuple(Player)
    return {
        "prefix": class_prefix("light"),
        "middle": MIDDLE,
        "radius": RADIUS,
        "checkers": [
            [
                [_LAYOUT.checker(player, point, slot) for slot in range(SHOWN + 1)]
                for point in range(1, BAR + 1)
            ]
            for player in players
        ],
        "off": [[_LAYOUT.off(player, slot) for slot in range(CHECKERS)] for player in players],
        "cube": [_LAYOUT.cube(owner) for owner in (None, *players)],
    }
