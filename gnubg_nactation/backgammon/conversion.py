"""Arguments of the library turned into values: a board or a roll may also be a text."""

from __future__ import annotations

from gnubg_nactation.backgammon.ids import parse_position, parse_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import wrong_type

_BOARD = "a Position, a GameState, or the text of one: a Position ID or an XGID"


def to_state(board: GameState | Position | str) -> GameState:
    """Return the state itself, a money game from a position, or the state that a text names.

    Texts are those of `GameState.parse`. Raises MalformedError, and TypeError for anything else.
    """
    match board:
        case GameState():
            return board
        case Position():
            return GameState(board)
        case str():
            return parse_state(board) or GameState(parse_position(board))
    raise wrong_type(_BOARD, board)


def to_position(board: Position | str) -> Position:
    """Return the position itself, or the one that a text names; errors as for `to_state`."""
    return board if isinstance(board, Position) else to_state(board).position


def to_roll(roll: Roll | str) -> Roll:
    """Return the roll itself, or that of a text of two digits; MalformedError, TypeError."""
    if isinstance(roll, str):
        return Roll.parse(roll)
    if not isinstance(roll, Roll):
        raise wrong_type("a Roll or its text, as in '31'", roll)
    return roll
