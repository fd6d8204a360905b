"""Small match texts for the tests, and a form of matches that can be compared."""

from __future__ import annotations

from dataclasses import replace

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat

PLAYERS = " Ann : 0                        Ben : 0\n"


def one_game(rows: str, *, head: str = "", length: int = 5, players: str = PLAYERS) -> str:
    """A text of one game with these rows."""
    return f"{head}{length} point match\n\n Game 1\n{players}{rows}"


def read_one(text: str) -> Match:
    """The only match of the text."""
    (match,) = mat.read(text.encode())
    return match


def read_game(rows: str) -> Game:
    """The only game of a text with these rows, which must have no problems."""
    match = read_one(one_game(rows))
    assert match.problems == ()
    (game,) = match.games
    return game


def kinds(game: Game) -> list[tuple[str, Player]]:
    """Name and player of each action."""
    return [(type(a).__name__, a.player) for a in game.actions if not isinstance(a, SetCube)]


def result(game: Game) -> tuple[Player | None, int]:
    """The winner and the points."""
    return game.winner, game.points


def expressible(match: Match) -> Match:
    """The match without lines, spellings, and parts that match text cannot express."""
    games = tuple(_expressible(game) for game in match.games)
    return replace(match, games=games, problems=(), is_incomplete=False)


def _expressible(game: Game) -> Game:
    # A resignation is guessed, but not after a drop or if a board is set up.
    sure = not any(isinstance(action, Drop | SetPosition) for action in game.actions)
    return replace(game, actions=_without_words(game), resigned=game.resigned and sure)


def _without_words(game: Game) -> tuple[Action, ...]:
    actions: list[Action] = []
    raises = 0
    for action in game.actions:
        if isinstance(action, Resign):
            continue
        if isinstance(action, Move) and raises > 2:  # a play implies that a raccoon was taken
            actions.append(Take(action.player.other))
        raises = raises + 1 if isinstance(action, Double) else 0
        bare = replace(action, line=0, comment="")
        actions.append(replace(bare, text="") if isinstance(bare, Move) and bare.hops else bare)
    return tuple(actions)


LONG = """\
; [Site "Anywhere"]
; [Match ID ""]
; [Player 1 "Ben"]
; [Player 2 "Ann"]
; [EventDate "2024.04.22"]
; [Crawford "On"]
; a remark on the match

3 point match

 Game 1
 Ann : 0                        Ben : 0
; a remark on the game
  1)                             61: 13/7 8/7
  2) 52: 13/8 24/22              42: 8/4 6/4
  3) 63: 24/15                   Doubles => 2
  4)  Takes                      66: Cannot Move
  5) 31: 8/5* 6/5*               51: ????
      Wins 2 points

 Game 2
 Ann : 2                        Ben : 0
  1) 43: 13/10 24/20             Concedes
      Wins 1 point and the match
"""
