"""The matches of a file, and the turn at GAME.MOVE, as move lists number them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Double, Drop, Match, Move, Take, move_numbers
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.files.formats import read
from gnubg_nactation.tasks.sources import Input, read_input


def read_matches(path: str, streams: Streams, encoding: str | None = None) -> Sequence[Match]:
    """Read the matches of a file, `-` for standard input. Raises MalformedError, OSError."""
    return read(read_input(Input(path, path), streams.stdin), encoding)


def read_place(
    place: re.Match[str], streams: Streams
) -> tuple[tuple[AnnotatedTurn, ...], tuple[str, str]]:
    """Return the turns of the game up to the place, and the names of the players.

    The groups of `place` are `file`, `match`, `game`, `move` and `who`. Raises MalformedError,
    IllegalError and OSError.
    """
    matches = read_matches(place["file"], streams)
    at = int(place["match"] or 1)
    if not 1 <= at <= len(matches):
        raise IllegalError(f"there is no match {at}; the file has {len(matches)}")
    annotated = presentable(annotate(matches[at - 1]))
    turns = _turns(annotated, int(place["game"]), int(place["move"]), place["who"])
    return turns, annotated.match.players


def _turns(
    annotated: AnnotatedMatch, game: int, move: int, letter: str
) -> tuple[AnnotatedTurn, ...]:
    """Return a game up to a decision, the first of its move without a letter."""
    games = {each.number: each.turns for each in annotated.games}
    if game not in games:
        raise IllegalError(f"there is no game {game}; the match has {len(games)}")
    turns = games[game]
    numbers = move_numbers(turns)
    player = Player("ab".index(letter)) if letter else None
    for at, (turn, number) in enumerate(zip(turns, numbers, strict=True), 1):
        decides = isinstance(turn.action, Move | Double | Take | Drop)
        if number == move and decides and player in {None, turn.action.player}:
            return turns[:at]
    last = max(numbers, default=0)
    raise IllegalError(f"there is no decision {move}{letter} in game {game}; it has {last} moves")
