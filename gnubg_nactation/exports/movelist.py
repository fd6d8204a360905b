"""What every move list says: titles, results, and the cells of two columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    acting,
)
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.nactation import Nactation

__all__ = [
    "INDENT",
    "action_words",
    "column_lines",
    "game_title",
    "match_title",
    "printed",
    "result",
    "two_columns",
]


INDENT = 6  # of the left column, behind the row number
_GAP = 3


def match_title(match: Match) -> str:
    """The players and the length of the match."""
    kind = f"{match.length} point match" if match.length else "money session"
    return f"{match.players[0]} - {match.players[1]}, {kind}"


def game_title(match: Match, game: Game) -> str:
    """The number of the game and the score before it."""
    first, second = match.players
    score = f"{first} {game.score[0]}, {second} {game.score[1]}"
    return f"Game {game.number}: {score}{', Crawford' if game.crawford else ''}"


def result(match: Match, game: Game) -> str:
    """Who won how much, as the record says."""
    if game.winner is None:
        return "not finished"
    points = f"{game.points} point{'' if game.points == 1 else 's'}"
    won = game.score[game.winner] + game.points >= match.length > 0
    return f"{match.players[game.winner]} wins {points}{' and the match' if won else ''}"


def printed(game: AnnotatedGame) -> list[tuple[Turn, Nactation | None]]:
    """The turns of a game, each with the Nactation to print, as sequences want them."""
    return [(turn, turn.namings[0].nactation if turn.namings else None) for turn in game.turns]


def two_columns(
    turns: Iterable[AnnotatedTurn], cell: Callable[[AnnotatedTurn], str]
) -> list[tuple[str, str]]:
    """The first player's cells on the left, each row read from left to right."""
    rows: list[tuple[str, str]] = []
    open_row = False  # whether the last row has room on the right
    for turn in turns:
        text = cell(turn)
        if acting(turn.action) is Player.FIRST:
            rows.append((text, ""))
            open_row = True
        elif open_row:
            rows[-1] = (rows[-1][0], text)
            open_row = False
        else:
            rows.append(("", text))
    return rows


def column_lines(players: tuple[str, str], rows: Sequence[tuple[str, str]]) -> list[str]:
    """The two columns as text: the players, then the rows with their numbers."""
    width = max([len(players[0]), *(len(left) for left, _ in rows)]) + _GAP
    lines = [f"{'':{INDENT}}{players[0]:{width}}{players[1]}"]
    return lines + [
        f"{at:4}  {left:{width}}{right}".rstrip() for at, (left, right) in enumerate(rows, 1)
    ]


def action_words(turn: Turn) -> str:
    """What an action other than a roll is called."""
    match turn.action:
        case Double():
            return f"doubles to {turn.state.cube * 2}" if turn.state else "doubles"
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
    return ""
