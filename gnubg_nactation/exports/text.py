"""Annotated matches as text for people: move lists in two columns, or one line a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.exports.movelist import (
    INDENT,
    action_words,
    column_lines,
    game_title,
    match_title,
    printed,
    result,
    two_columns,
)
from gnubg_nactation.exports.summary import format_account
from gnubg_nactation.sequences.notation import (
    PLAIN,
    SequenceLayout,
    join_row,
    sequence,
    token,
    word,
)
from gnubg_nactation.statistics import remark

__all__ = [
    "cell",
    "format_column",
    "format_columns",
    "format_row",
    "game_sequence",
    "game_sequences",
    "pairs",
    "words",
]

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
    match = annotated.match
    lines = [match_title(match)]
    for game in annotated.games:
        rows = two_columns(game.turns, partial(cell, traditional=traditional, errors=errors))
        lines += ["", game_title(match, game), *column_lines(match.players, rows)]
        ends = result(match, game), game_sequence(game, style)
        lines += [f"{'':{INDENT}}{end}" for end in ends]
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
    turns = printed(game)
    if not paired:
        return sequence(turns, style)
    tokens = [text for turn, name in turns if (text := token(turn, name, style))]
    plain = [text for turn, name in turns if (text := token(turn, name, style._replace(spell=str)))]
    return join_row(pairs(tokens, plain), (turn for turn, _ in turns), style)


def game_sequences(annotated: AnnotatedMatch) -> tuple[str, ...]:
    """The sequence form of each game: `54S-63R-31P-...`."""
    return tuple(game_sequence(game) for game in annotated.games)


def pairs(tokens: Sequence[str], plain: Sequence[str]) -> list[str]:
    """Tokens two by two, for rows with six characters between hyphens.

    A comma parts two of which the `plain` spelling could be misread when run together (31 and F).
    """
    joined = []
    for at in range(0, len(tokens) - 1, 2):
        left, right = plain[at], plain[at + 1]
        clear = len(left) > 2 and not left[-1].isdigit() and right[0].isdigit()
        joined.append(f"{tokens[at]}{'' if clear else ','}{tokens[at + 1]}")
    return joined + list(tokens[len(tokens) // 2 * 2 :])


def cell(turn: AnnotatedTurn, *, traditional: bool, errors: bool = False) -> str:
    """What stands in a column for a turn; with `errors` also what it lost."""
    action = turn.action
    play = format_play(turn.play) if traditional and turn.play else ""
    if not isinstance(action, Move):
        told = action_words(turn)
    elif turn.trouble:
        told = f"{action.roll} {action.text} ({turn.trouble})".replace("  ", " ")
    else:
        told = f"{action.roll}{turn.nactations:{_NAME}} {play}".rstrip()
    return f"{told} {remark(turn)}".rstrip() if errors else told
