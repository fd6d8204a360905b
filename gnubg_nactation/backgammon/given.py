"""What callers of the library give for a board or a roll: the value itself, or its text."""

from __future__ import annotations

from gnubg_nactation.backgammon.ids import parse_position, parse_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import wrong_type

__all__ = ["given_position", "given_roll", "given_state"]

_BOARD = "a Position, a GameState, or the text of one: a Position ID or an XGID"


def given_state(board: GameState | Position | str) -> GameState:
    """The state that is given: a position for money, or by its name, as in `parse_state`.

    Raises MalformedError for a text that names none, and TypeError for anything else.
    """
    match board:
        case GameState():
            return board
        case Position():
            return GameState(board)
        case str():
            return parse_state(board) or GameState(parse_position(board))
    raise wrong_type(_BOARD, board)


def given_position(board: Position | str) -> Position:
    """The position that is given, or named as in `parse_position`; errors as of given_state."""
    return board if isinstance(board, Position) else given_state(board).position


def given_roll(roll: Roll | str) -> Roll:
    """The roll that is given, or written as two digits; MalformedError, TypeError."""
    if isinstance(roll, str):
        return Roll.parse(roll)
    if not isinstance(roll, Roll):
        raise wrong_type("a Roll or its text, as in '31'", roll)
    return roll
