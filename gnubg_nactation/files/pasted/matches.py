"""Pasted games as a match file can hold them."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.match import Game, Match, Resign, SetPosition
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS
from gnubg_nactation.backgammon.results import Result, result_of
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.pasted.games import Pasted
from gnubg_nactation.values import replace


def as_matches(pasted: Sequence[Pasted]) -> list[Match]:
    """The pasted games as matches, with results: games that can be of one match form one.

    A resignation without points counts as a single game.
    """
    matches: list[Match] = []
    for item in pasted:
        match = _with_board(item.match)
        (game,) = match.games
        result = _result(item)
        if result:
            game = replace(game, winner=result.winner, points=result.points)
        last = matches[-1] if matches else None
        if last and _goes_on(last, match):
            games = (*last.games, _after(last.games[-1], game))
            matches[-1] = replace(last, games=games)
        else:
            matches.append(replace(match, games=(game,)))
    return matches


def _with_board(match: Match) -> Match:
    """The match with a board that is set up, unless a variation of the game begins like that."""
    if match.start in VARIATIONS.values():
        return match
    (game,) = match.games
    board = SetPosition(Player.FIRST, match.start)
    return replace(match, start=STANDARD, games=(replace(game, actions=(board, *game.actions)),))


def _result(item: Pasted) -> Result | None:
    last = item.turns[-1] if item.turns else None
    if last and last.state and isinstance(last.action, Resign):
        return Result(last.action.player.other, last.state.cube)
    return result_of(item.turns)


def _goes_on(match: Match, other: Match) -> bool:
    rules = (match.start, match.length, match.jacoby)
    is_open = all(game.score == (0, 0) for game in other.games)
    over = match.length and max(match.games[-1].score_after) >= match.length
    return rules == (other.start, other.length, other.jacoby) and is_open and not over


def _after(last: Game, game: Game) -> Game:
    return replace(game, number=last.number + 1, score=last.score_after)
