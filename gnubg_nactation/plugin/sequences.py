"""The sequence to the position on gnubg's board."""

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
    """Print the sequence to the position on the board as a file name."""
    state, loaded = shown_state(gnubg_module())
    match = loaded.record.match
    places = list(_places(match, state))
    if not places:
        raise NactationError("the position on the board is not in the loaded match")
    current = loaded.place  # two fans in a row repeat a position
    index, count = min(
        places, key=lambda place: (place[0] != current.game, abs(place[1] - current.passed))
    )
    game = annotate(match).games[index]
    turns = game.turns[:count]
    if any(isinstance(turn.action, SetPosition) for turn in turns):
        raise NactationError("no sequence leads here: a position was set up in this game")
    if state.roll:
        move, plays = Move(state.player, state.roll), Plays(state.position, state.roll)
        turns += (AnnotatedTurn(count + 1, move, state, plays=plays),)
    text = game_sequence(AnnotatedGame.of(game, turns))
    if "?" in text:
        raise NactationError("no sequence leads here: an earlier play is not legal")
    return file_name(text or start_prefix(match.start))


def _places(match: Match, state: GameState) -> Iterator[tuple[int, int]]:
    """The places of a state in a match: the index of the game, and the turns before it."""
    coming = Take(state.player) if state.doubled else Move(state.player, state.roll or _ANY_ROLL)
    for index, game in enumerate(match.games):
        if game.score == state.score:
            turns = replay(match, replace(game, actions=(*game.actions, coming)))
            for count, turn in enumerate(turns):
                if turn.state is None:
                    continue
                roll = state.roll or turn.state.roll  # the board may not show it
                if turn.state == replace(state, roll=roll, jacoby=turn.state.jacoby):
                    yield index, count
