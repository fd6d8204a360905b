"""Plays or turns of a game written as a sequence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gnubg_nactation.backgammon.match import Move, Turn
from gnubg_nactation.backgammon.plays import ROLLS, Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, wrong_type
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.notation import sequence as join_turns
from gnubg_nactation.sequences.notation import start_prefix


def sequence(moves: Iterable[Play] | Iterable[Turn]) -> str:
    """Write plays, or the turns of a match or a decoded sequence: `54S-63R-31P`.

    Each play gets its preferred name; a forced play is its roll alone. Plays come from one game and
    alternate between the players; if a player plays twice in a row, the opponent has fanned in
    between (`F`). Raises IllegalError if a play does not start from the board reached before it.
    """
    items = list(moves)
    plays = [move for move in items if isinstance(move, Play)]
    turns = [move for move in items if isinstance(move, Turn)]
    if len(items) not in {len(plays), len(turns)}:
        raise wrong_type("plays, or turns of a match or of a decoded sequence", items)
    turns = turns or list(_turns(plays))
    start = turns[0].state if turns else None
    return start_prefix(start.position if start else None) + join_turns(
        (turn, _name(turn)) for turn in turns
    )


def _name(turn: Turn) -> Nactation | None:
    return Plays.of(turn.plays).name(turn.play).naming.nactation if turn.play else None


def _turns(plays: list[Play]) -> Iterator[Turn]:
    player = Player.FIRST
    position = plays[0].before if plays else None
    for number, play in enumerate(plays, 1):
        if position is not None and play.before != position:
            fan = _fan(position, player)
            if fan is None or play.before != position.switch_sides():
                raise IllegalError(f"play {number}, {play}, starts from another board: {play!r}")
            yield fan
            player = player.other
        legal = Plays(play.before, play.roll)
        state = GameState(play.before, player, play.roll)
        yield Turn(number, Move(player, play.roll), state, play, legal)
        player, position = player.other, play.after


def _fan(position: Position, player: Player) -> Turn | None:
    """A turn in which no checker enters; None if every roll has a play."""
    rolls = (roll for roll in ROLLS if position.bar and not Plays(position, roll))
    roll = next(rolls, None)
    return roll and Turn(0, Move(player, roll), GameState(position, player, roll))
