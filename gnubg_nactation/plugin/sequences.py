"""The sequence that leads to the position on gnubg's board."""

from __future__ import annotations

from collections.abc import Iterator

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Match, Move, SetPosition, Take, replay
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.plugin.board import shown_state
from gnubg_nactation.plugin.program import gnubg_module
from gnubg_nactation.sequences.filename import file_name
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.values import replace

_ANY_ROLL = Roll(2, 1)


def name() -> str:
    """Print the sequence that leads to the position on the board, as the name of a file."""
    state, loaded = shown_state(gnubg_module())
    match = loaded.record.match
    found = list(_places(match, state))
    if not found:
        raise NactationError("the position on the board is not in the loaded match")
    at = loaded.place  # several are found after two fans in a row
    found.sort(key=lambda place: (place[0] != at.game, abs(place[1] - at.passed)))
    index, count = found[0]
    game = annotate(match).games[index]
    turns = game.turns[:count]
    if any(isinstance(one.action, SetPosition) for one in turns):
        raise NactationError("the game was set up on the way: no sequence leads to its positions")
    if state.roll:
        move, plays = Move(state.player, state.roll), Plays(state.position, state.roll)
        turns += (AnnotatedTurn(count + 1, move, state, plays=plays),)
    text = game_sequence(AnnotatedGame.of(game, turns))
    if "?" in text:
        raise NactationError("a play on the way is not legal: no sequence leads here")
    return file_name(text or start_prefix(match.start))


def _places(match: Match, state: GameState) -> Iterator[tuple[int, int]]:
    """Where in the match the state is: the number of its game and of the turns before it."""
    coming = Take(state.player) if state.doubled else Move(state.player, state.roll or _ANY_ROLL)
    for index, game in enumerate(match.games):
        if game.score == state.score:
            turns = replay(match, replace(game, actions=(*game.actions, coming)))
            for count, turn in enumerate(turns):
                # The board may not show the roll.
                shown = turn.state and replace(
                    state, roll=state.roll or turn.state.roll, jacoby=turn.state.jacoby
                )
                if shown and shown == turn.state:
                    yield index, count
