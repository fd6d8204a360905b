"""Annotated matches as JSON, one line a match."""

from __future__ import annotations

import json
from typing import Any

from gnubg_nactation.annotate import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Game, Move, acting
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.exports.mistakes import cube_of, play_of

__all__ = ["format_json"]

_DIGITS = 6  # after the point, as gnubg stores them


def format_json(annotated: AnnotatedMatch) -> str:
    """The match as one line: players, length, games (score, Crawford, result), and turns.

    Players are 0 (the first-named) and 1. Positions are those before the action, from the side
    of its player. Plays that are illegal or missing have a `problem` and no `nactation`.
    A turn with analysis has the `error` of its play and the `cube_error`, both in points for the
    cube as it is (in matches EMG), with the `best` play or `cube_best` if another was right, the
    `mark` and `cube_mark` of bad ones, and the `luck` of its roll.
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
    return value | _analysis(annotated)


def _analysis(annotated: AnnotatedTurn) -> dict[str, Any]:
    value: dict[str, Any] = {}
    play, cube = play_of(annotated), cube_of(annotated)
    if play and play.error is not None:
        value["error"] = round(play.error, _DIGITS)
    if annotated.best:
        value["best"] = str(annotated.best.nactation)
    if play and play.mark:
        value["mark"] = play.mark.value
    if cube and cube.error is not None:
        value["cube_error"] = round(cube.error, _DIGITS)
        if cube.error:
            value["cube_best"] = cube.best
    if cube and cube.mark:
        value["cube_mark"] = cube.mark.value
    match annotated.turn.action:
        case Move(analysis=MoveAnalysis(luck=float(luck))):
            value["luck"] = round(luck, _DIGITS)
    return value
