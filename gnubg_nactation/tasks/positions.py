"""A position that is set up by hand: its IDs, and why it cannot occur in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_gnubg_id, format_position_id, format_xgid
from gnubg_nactation.backgammon.ogid import format_ogid
from gnubg_nactation.backgammon.position import CHECKERS, HOME, Position
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import NamedTuple

_IDS: dict[str, Callable[[GameState], str]] = {
    "XGID": format_xgid,
    "Position ID": lambda state: format_position_id(state.position),
    "GNU ID": format_gnubg_id,
    "OGID": lambda state: f"OGID={format_ogid(state)}",
}


class CheckedPosition(NamedTuple):
    """The IDs of a state by their names, and why it cannot occur before a turn, in words."""

    ids: dict[str, str]
    problems: tuple[str, ...]


def check_position(text: str) -> CheckedPosition:
    """Return the IDs of a state that have a form for it, and the problems.

    Raises MalformedError for a text that names no state.
    """
    state, ids = to_state(text), {}
    for name, write in _IDS.items():
        with suppress(MalformedError):
            ids[name] = write(state)
    problems = *_board_problems(state), *_cube_problems(state), *_score_problems(state)
    return CheckedPosition(ids, problems)


def _board_problems(state: GameState) -> Iterator[str]:
    sides = state.position, state.position.switch_sides()
    names = PLAYER_NAMES[state.player], PLAYER_NAMES[state.player.other]
    for side, name in zip(sides, names, strict=True):
        if side.off == CHECKERS:
            yield f"{name} has no checkers on the board: the game is over."
    if all(side.bar and _is_closed(side) for side in sides):
        yield "Both players have checkers on the bar and a closed board: nobody can ever move."


def _is_closed(position: Position) -> bool:
    """Whether the player on roll owns the six points of the home board."""
    return all(count > 1 for count in position.points[1 : HOME + 1])


def _cube_problems(state: GameState) -> Iterator[str]:
    if state.crawford:
        if state.cube > 1 or state.owner is not None or state.doubled:
            yield "There is no cube in the Crawford game."
    elif state.cube == 1 and state.owner is not None:
        yield f"{PLAYER_NAMES[state.owner]} cannot own a cube of 1: it belongs to nobody."
    elif state.cube > 1 and state.owner is None and state.length:
        yield f"A cube of {state.cube} belongs to the player who took it."
    elif state.doubled and state.owner == (doubler := state.doubler).other:
        names = PLAYER_NAMES[doubler], PLAYER_NAMES[doubler.other]
        yield "{} cannot double: {} owns the cube.".format(*names)


def _score_problems(state: GameState) -> Iterator[str]:
    if not state.length:
        return
    for name, won in zip(PLAYER_NAMES, state.score, strict=True):
        if won >= state.length:
            yield f"{name} has won the match: a score is below {state.length}."
    if not state.crawford or max(state.score) >= state.length:
        return
    if max(state.score) != state.length - 1:
        yield "In the Crawford game one player needs exactly 1 point."
    elif state.score[0] == state.score[1]:
        yield "There is no Crawford game if both players need 1 point."
