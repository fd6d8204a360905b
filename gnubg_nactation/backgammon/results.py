"""The result of a game, worked out from its turns."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.match import Drop
from gnubg_nactation.backgammon.position import BAR, CHECKERS, HOME, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.values import Any, NamedTuple


class Result(NamedTuple):
    """The winner of a game and the points won."""

    winner: Player
    points: int


def result_of(turns: Sequence[Any]) -> Result | None:
    """The result that the last of some Turns gives by the rules; None if it does not end the game.

    A resignation needs the agreed points, which no rule gives.
    """
    # Compiled code takes no DecodedTurn for a Turn.
    last: Any = turns[-1] if turns else None
    if last is None or last.state is None:
        return None
    state = last.state
    if isinstance(last.action, Drop):
        return Result(state.player.other, state.cube)
    if last.play and last.play.after.opponent_off == CHECKERS:
        return Result(state.player, points_for(state, size_of_loss(last.play.after)))
    return None


def size_of_loss(lost: Position) -> int:
    """1 for a single game, 2 for a gammon, 3 for a backgammon, by the loser's last position."""
    if lost.off:
        return 1
    return 3 if any(count > 0 for count in lost.points[BAR - HOME :]) else 2


def points_for(state: GameState, size: int) -> int:
    """The points of a single game, gammon or backgammon with the cube of a state.

    By the Jacoby rule only a single game counts until the cube is turned.
    """
    counts = state.owner is not None or not state.jacoby or bool(state.length)
    return state.cube * (size if counts else 1)
