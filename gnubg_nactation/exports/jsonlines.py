"""Annotated matches as JSON, one line a match."""

from __future__ import annotations

import json
from typing import Any

from gnubg_nactation.annotate import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Game, Move, acting
from gnubg_nactation.backgammon.notation import format_play

__all__ = ["format_json"]


def format_json(annotated: AnnotatedMatch) -> str:
    """The match as one line: players, length, games (score, Crawford, result), and turns.

    Players are 0 (the first-named) and 1. Positions are those before the action, from the side
    of its player. Plays that are illegal or missing have a `problem` and no `nactation`.
    """
    match = annotated.match
    value = {
        "players": list(match.players),
        "length": match.length,
        "jacoby": match.jacoby,
        "games": [_game(game.game) for game in annotated.games],
        "turns": [_turn(game, turn) for game in annotated.games for turn in game.turns],
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _game(game: Game) -> dict[str, Any]:
    result = None
    if game.winner is not None:
        result = {
            "winner": int(game.winner),
            "points": game.points,
            "resigned": game.resigned,
        }
    return {
        "game": game.number,
        "score": list(game.score),
        "crawford": game.crawford,
        "result": result,
    }


def _turn(game: AnnotatedGame, annotated: AnnotatedTurn) -> dict[str, Any]:
    turn = annotated.turn
    action, state = turn.action, turn.state
    roll = play = None
    if isinstance(action, Move):
        roll = str(action.roll)
        play = format_play(turn.play) if turn.play else action.text
    value = {
        "game": game.game.number,
        "turn": turn.number,
        "player": int(acting(action)),
        "action": type(action).__name__.lower(),
        "roll": roll,
        "play": play,
        "nactation": annotated.nactation or None,
        "position_id": format_position_id(state.position) if state else None,
        "xgid": format_xgid(state) if state else None,
    }
    if len(annotated.namings) > 1:
        value["others"] = [str(naming.nactation) for naming in annotated.namings[1:]]
    if turn.problem:
        value["problem"] = turn.problem
    return value
