"""The sequence that leads to the position on gnubg's board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import (
    Action,
    Match,
    Move,
    SetPosition,
    Take,
    Turn,
    replay,
)
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.plugin.board import shown_state
from gnubg_nactation.plugin.program import gnubg_module, spoken
from gnubg_nactation.sequences.filename import file_name
from gnubg_nactation.sequences.notation import sequence

__all__ = ["name"]

_ANY_ROLL = Roll(2, 1)


@spoken
def name() -> str:
    """Print the sequence that leads to the position on the board, as the name of a file.

    The name has no ending. `nactate name --decode` reads it back.
    """
    state, loaded = shown_state(gnubg_module())
    match = loaded.record.match
    found = list(_places(match, state))
    if not found:
        raise NactationError("the position on the board is not in the loaded match")
    at = loaded.place  # several are found after two fans in a row
    found.sort(key=lambda place: (place[0] != at.game, abs(place[1] - at.passed)))
    index, count = found[0]
    turns = annotate(match).games[index].turns[:count]
    if any(isinstance(one.action, SetPosition) for one in turns):
        raise NactationError("the game was set up on the way: no sequence leads to its positions")
    pairs: list[tuple[Turn, Nactation | None]] = [
        (one, one.namings[0].nactation if one.namings else None) for one in turns
    ]
    if state.roll:
        plays = legal_plays(state.position, state.roll)
        pairs.append((Turn(count + 1, Move(state.player, state.roll), state, plays=plays), None))
    text = sequence(pairs)
    if "?" in text:
        raise NactationError("a play on the way is not legal: no sequence leads here")
    return file_name("N " * (match.start == NACKGAMMON) + text)


def _places(match: Match, state: GameState) -> Iterator[tuple[int, int]]:
    """Where in the match the state is: the number of its game and of the turns before it."""
    if state.doubled:
        coming: Action = Take(state.player)
    else:
        coming = Move(state.player, state.roll or _ANY_ROLL)
    for index, game in enumerate(match.games):
        if game.score == state.score:
            turns = replay(match, replace(game, actions=(*game.actions, coming)))
            for count, turn in enumerate(turns):
                if turn.state and _is_same(turn.state, state):
                    yield index, count


def _is_same(turn: GameState, board: GameState) -> bool:
    """Whether the moment of a turn is the one on the board, which may not show the roll."""
    return replace(board, roll=board.roll or turn.roll, jacoby=turn.jacoby) == turn
