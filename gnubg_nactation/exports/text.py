"""Annotated matches as text for people: move lists in two columns, or one line a game."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.exports.movelist import (
    action_words,
    game_title,
    match_title,
    printed,
    result,
    two_columns,
)
from gnubg_nactation.exports.summary import format_account
from gnubg_nactation.sequences.notation import PLAIN, SequenceLayout, sequence, word
from gnubg_nactation.statistics import remark

__all__ = [
    "cell",
    "format_column",
    "format_columns",
    "format_row",
    "game_sequence",
    "game_sequences",
    "words",
]

_INDENT = 6  # of the left column, behind the row number
_GAP = 3
_NAME = 4  # wide enough for most Nactations


def format_columns(
    annotated: AnnotatedMatch,
    *,
    traditional: bool = False,
    errors: bool = False,
    style: SequenceLayout = PLAIN,
) -> str:
    """The match game by game, a column for each player, then each game's sequence.

    With `traditional` every Nactation is followed by the play in traditional notation. With
    `errors` analysed turns say what they lost, in thousandths of a point: `63R x28 best S`; and
    after the games comes the account of both players' errors.
    """
    lines = [match_title(annotated.match)]
    for game in annotated.games:
        shown = _game_lines(annotated.match, game, style, traditional=traditional, errors=errors)
        lines += ["", *shown]
    account = format_account(annotated) if errors else ""
    return "\n".join(lines) + "\n" + (f"\n{account}" if account else "")


def format_row(
    annotated: AnnotatedMatch, *, paired: bool = False, style: SequenceLayout = PLAIN
) -> str:
    """The match as one line of tokens for each game: `54S-63R-31P`, or in pairs: `54S63R-31P`."""
    return "".join(f"{game_sequence(game, style, paired=paired)}\n" for game in annotated.games)


def format_column(annotated: AnnotatedMatch, style: SequenceLayout = PLAIN) -> str:
    """The match as a column of three characters a turn, a blank line between games."""
    columns = ("\n".join(words(game, style)) for game in annotated.games)
    return "\n\n".join(columns) + "\n"


def words(game: AnnotatedGame, style: SequenceLayout = PLAIN) -> list[str]:
    """The entries of a column for a game."""
    return [text for turn, name in printed(game) if (text := word(turn, name, style))]


def game_sequence(
    game: AnnotatedGame, style: SequenceLayout = PLAIN, *, paired: bool = False
) -> str:
    """The sequence form of a game, with the Nactations to print."""
    return sequence(printed(game), style, paired=paired)


def game_sequences(annotated: AnnotatedMatch) -> tuple[str, ...]:
    """The sequence form of each game: `54S-63R-31P-...`."""
    return tuple(game_sequence(game) for game in annotated.games)


def _game_lines(
    match: Match, game: AnnotatedGame, style: SequenceLayout, *, traditional: bool, errors: bool
) -> Iterable[str]:
    def text(turn: AnnotatedTurn) -> str:
        return cell(turn, traditional=traditional, errors=errors)

    first, second = match.players
    rows = two_columns(game.turns, text)
    width = max([len(first), *(len(left) for left, _ in rows)]) + _GAP
    yield game_title(match, game)
    yield f"{'':{_INDENT}}{first:{width}}{second}"
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:4}  {left:{width}}{right}".rstrip()
    yield f"{'':{_INDENT}}{result(match, game)}"
    yield f"{'':{_INDENT}}{game_sequence(game, style)}"


def cell(turn: AnnotatedTurn, *, traditional: bool, errors: bool = False) -> str:
    """What stands in a column for a turn; with `errors` also what it lost."""
    told = _told(turn, traditional=traditional)
    return f"{told} {remark(turn)}".rstrip() if errors else told


def _told(turn: AnnotatedTurn, *, traditional: bool) -> str:
    action = turn.action
    if not isinstance(action, Move):
        return action_words(turn)
    if turn.trouble:
        return f"{action.roll} {action.text} ({turn.trouble})".replace("  ", " ")
    play = format_play(turn.play) if traditional and turn.play else ""
    return f"{action.roll}{turn.nactations:{_NAME}} {play}".rstrip()
