"""Annotated matches as text for people: move lists in two columns, or one line a game."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.annotate import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.exports.mistakes import remark
from gnubg_nactation.exports.movelist import (
    action_words,
    game_title,
    match_title,
    printed,
    result,
    two_columns,
)
from gnubg_nactation.language.sequence import sequence

__all__ = ["cell", "format_columns", "format_row", "game_sequence"]

_INDENT = 6  # of the left column, behind the row number
_GAP = 3
_NAME = 4  # wide enough for most Nactations


def format_columns(
    annotated: AnnotatedMatch,
    *,
    traditional: bool = False,
    errors: bool = False,
) -> str:
    """The match game by game, a column for each player, then each game's sequence.

    With `traditional` every Nactation is followed by the play in traditional notation. With
    `errors` analysed turns say what they lost, in thousandths of a point: `63R x28 best S`.
    """
    lines = [match_title(annotated.match)]
    for game in annotated.games:
        lines += ["", *_game_lines(annotated.match, game, traditional=traditional, errors=errors)]
    return "\n".join(lines) + "\n"


def format_row(annotated: AnnotatedMatch) -> str:
    """The match as one line of tokens for each game: `54S-63R-31P`."""
    return "".join(f"{game_sequence(game)}\n" for game in annotated.games)


def game_sequence(game: AnnotatedGame) -> str:
    """The sequence form of a game, with the Nactations to print."""
    return sequence(printed(game))


def _game_lines(
    match: Match, game: AnnotatedGame, *, traditional: bool, errors: bool
) -> Iterable[str]:
    def text(turn: AnnotatedTurn) -> str:
        told = cell(turn, traditional=traditional)
        return f"{told} {remark(turn)}".rstrip() if errors else told

    first, second = match.players
    rows = two_columns(game.turns, text)
    width = max([len(first), *(len(left) for left, _ in rows)]) + _GAP
    yield game_title(match, game.game)
    yield f"{'':{_INDENT}}{first:{width}}{second}"
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:4}  {left:{width}}{right}".rstrip()
    yield f"{'':{_INDENT}}{result(match, game.game)}"
    yield f"{'':{_INDENT}}{game_sequence(game)}"


def cell(turn: AnnotatedTurn, *, traditional: bool) -> str:
    """What stands in a column for a turn."""
    action = turn.turn.action
    if not isinstance(action, Move):
        return action_words(turn.turn)
    if turn.trouble:
        return f"{action.roll} {action.text} ({turn.trouble})".replace("  ", " ")
    play = format_play(turn.turn.play) if traditional and turn.turn.play else ""
    return f"{action.roll}{turn.nactations:{_NAME}} {play}".rstrip()
