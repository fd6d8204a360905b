"""Annotated matches as text for people: move lists in two columns, or one line a game."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.annotate import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    acting,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.sequence import sequence

__all__ = ["format_columns", "format_row"]

_INDENT = 6  # of the left column, behind the row number
_GAP = 3
_NAME = 4  # wide enough for most Nactations


def format_columns(annotated: AnnotatedMatch, *, traditional: bool = False) -> str:
    """The match game by game, a column for each player, then each game's sequence.

    With `traditional` every Nactation is followed by the play in traditional notation.
    """
    match = annotated.match
    lines = [_title(match)]
    for game in annotated.games:
        lines += ["", *_game_lines(match, game, traditional=traditional)]
    return "\n".join(lines) + "\n"


def format_row(annotated: AnnotatedMatch) -> str:
    """The match as one line of tokens for each game: `54S-63R-31P`."""
    return "".join(f"{game_sequence(game)}\n" for game in annotated.games)


def game_sequence(game: AnnotatedGame) -> str:
    """The sequence form of a game, with the Nactations to print."""
    return sequence(
        (turn.turn, turn.namings[0].nactation if turn.namings else None) for turn in game.turns
    )


def _title(match: Match) -> str:
    kind = f"{match.length} point match" if match.length else "money session"
    return f"{match.players[0]} - {match.players[1]}, {kind}"


def _game_lines(match: Match, game: AnnotatedGame, *, traditional: bool) -> Iterable[str]:
    first, second = match.players
    rows = _rows((turn, _cell(turn, traditional=traditional)) for turn in game.turns)
    width = max([len(first), *(len(left) for left, _ in rows)]) + _GAP
    score = f"{first} {game.game.score[0]}, {second} {game.game.score[1]}"
    yield f"Game {game.game.number}: {score}{', Crawford' if game.game.crawford else ''}"
    yield f"{'':{_INDENT}}{first:{width}}{second}"
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:4}  {left:{width}}{right}".rstrip()
    yield f"{'':{_INDENT}}{_result(match, game.game)}"
    yield f"{'':{_INDENT}}{game_sequence(game)}"


def _rows(cells: Iterable[tuple[AnnotatedTurn, str]]) -> list[tuple[str, str]]:
    """Put the first player's cells on the left, each row read from left to right."""
    rows: list[tuple[str, str]] = []
    open_row = False  # whether the last row has room on the right
    for turn, cell in cells:
        if acting(turn.turn.action) is Player.FIRST:
            rows.append((cell, ""))
            open_row = True
        elif open_row:
            rows[-1] = (rows[-1][0], cell)
            open_row = False
        else:
            rows.append(("", cell))
    return rows


def _cell(turn: AnnotatedTurn, *, traditional: bool) -> str:
    match turn.turn.action:
        case Move(roll=roll, text=text):
            if turn.trouble:
                return f"{roll} {text} ({turn.trouble})".replace("  ", " ")
            play = format_play(turn.turn.play) if traditional and turn.turn.play else ""
            return f"{roll}{turn.nactations:{_NAME}} {play}".rstrip()
        case Double():
            state = turn.turn.state
            return f"doubles to {state.cube * 2}" if state else "doubles"
        case Take():
            return "takes"
        case Drop():
            return "drops"
        case Resign():
            return "resigns"
        case SetPosition(position=position):
            return f"position set to {format_position_id(position)}"
        case SetCube(value=value):
            return f"cube set to {value}"


def _result(match: Match, game: Game) -> str:
    if game.winner is None:
        return "not finished"
    points = f"{game.points} point{'' if game.points == 1 else 's'}"
    won = game.score[game.winner] + game.points >= match.length > 0
    return f"{match.players[game.winner]} wins {points}{' and the match' if won else ''}"
