"""The position on gnubg's board."""

from __future__ import annotations

from contextlib import suppress

from gnubg_nactation.backgammon.ids import parse_gnubg_id
from gnubg_nactation.backgammon.match import Move, replay
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.loaded import look
from gnubg_nactation.plugin.saved import Loaded
from gnubg_nactation.values import Any, replace

_PLAYING = 1  # gnubg's number for a game that is being played
_NO_POSITION = "there is no position on the board; open a match and choose a move"
_MAX_VARIATION = 1  # gnubg's numbers: 0 is backgammon, 1 Nackgammon, the others Hypergammon


def state_on_board(gnubg: Any) -> GameState:
    """The state on gnubg's board; NactationError if no game of backgammon is going on."""
    try:
        info = gnubg.posinfo()
    except Exception:  # gnubg has none
        raise NactationError(_NO_POSITION) from None
    if info["gamestate"] != _PLAYING:
        raise NactationError("this game is over; choose a move of it")
    if info["resigned"]:
        raise NactationError("answer the resignation first")
    if gnubg.cubeinfo()["bgv"] > _MAX_VARIATION:
        raise NactationError("Hypergammon has no Nactation")
    return parse_gnubg_id(gnubg.gnubgid())


def shown_state(gnubg: Any) -> tuple[GameState, Loaded]:
    """The state on gnubg's board, with the roll of the match, and the match.

    In a match gnubg shows the next roll but has not rolled it, and before the first roll of a
    game it has no position.
    """
    if gnubg.board() is None:
        with suppress(NactationError):
            loaded = look()
            game = loaded.record.match.games[loaded.place.game]
            first = next(replay(loaded.record.match, game), None)
            if not loaded.place.passed and first and first.state:
                return first.state, loaded
        raise NactationError(_NO_POSITION)
    state = state_on_board(gnubg)
    loaded = look()
    coming = loaded.coming
    if (
        isinstance(coming, Move)
        and coming.player is state.player
        and state.roll is None
        and not state.doubled
    ):
        state = replace(state, roll=coming.roll)
    return state, loaded
