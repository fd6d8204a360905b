"""Annotated matches as JSON, one line a match."""

from __future__ import annotations

from dataclasses import asdict

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Game, Move, Turn, move_numbers
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import BLUNDER, cube_of, play_of
from gnubg_nactation.decisions.totals import Judgement, Totals, blunders, depth, rating, totals
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any

_DIGITS = 6  # after the point, as gnubg stores them


def format_json(annotated: AnnotatedMatch, *, blunder: float = BLUNDER) -> str:
    """The match as one line: players, length, games (score, Crawford, result), and turns.

    A double has the cube that is `offered`, and a beaver or a raccoon says so in `raised`.
    Players are 0 (the first-named) and 1. Positions are those before the action, from the side
    of its player. Plays that are illegal or missing have a `problem` and no `nactation`.
    A turn with analysis has the `error` of its play and the `cube_error`, both in points for the
    cube as it is (in matches EMG), with the `best` play or `cube_best` if another was right, the
    `nacbrac` of its plays and the `cube_nacbrac` of its cube decision, the `mark` and `cube_mark`
    of bad ones, and the `luck` of its roll.
    `chances` and `best_chances` are those of the play made and of the best: to win, to win a
    gammon, a backgammon, to lose either.
    A match with analysis ends with `analysis`: its `depth` and `engine`; for both `players` the
    fields of totals.Totals, with the error rates in thousandths of a point and gnubg's words
    for them (null where there was nothing to decide), and XG's performance rating as `pr`; and the
    `blunders`, which lose `blunder` points or more, largest first, those about the cube without a
    roll. `move` is the number that move lists have.
    """
    match = annotated.match
    value = {
        "players": match.players,
        "length": match.length,
        "jacoby": match.jacoby,
        "games": list(map(_game, annotated.games)),
        "turns": [
            _turn(game, turn, move)
            for game in annotated.games
            for turn, move in zip(game.turns, move_numbers(game.turns), strict=True)
        ],
    }
    both = totals(annotated, blunder)
    if any(one.is_analysed for one in both):
        value["analysis"] = {
            "depth": depth(annotated),
            "engine": bot_of(depth(annotated))[0],
            "players": [_totals(one) for one in both],
            "blunders": [_blunder(one) for one in blunders(annotated, blunder)],
        }
    return json_text(value, close=True) + "\n"


def _game(game: Game) -> dict[str, Any]:
    won = {"winner": game.winner, "points": game.points, "resigned": game.resigned}
    result = None if game.winner is None else won
    head = {"game": game.number, "score": game.score, "crawford": game.crawford}
    return head | {"result": result}


def _turn(game: AnnotatedGame, turn: AnnotatedTurn, move: int) -> dict[str, Any]:
    action, state = turn.action, turn.state
    value = {
        "game": game.number,
        "turn": turn.number,
        "move": move,
        "player": action.player,
        "action": type(action).__name__.lower(),
        "roll": str(action.roll) if isinstance(action, Move) else None,
        "play": _play(turn),
        "nactation": turn.nactation or None,
        "position_id": format_position_id(state.position) if state else None,
        "xgid": format_xgid(state) if state else None,
    }
    if turn.raised > 1:
        value["raised"] = "beaver" if turn.raised == 2 else "raccoon"
    if turn.offered is not None:
        value["offered"] = turn.offered
    if len(turn.namings) > 1:
        value["others"] = [str(naming.nactation) for naming in turn.namings[1:]]
    if turn.problem:
        value["problem"] = turn.problem
    return value | _analysis(turn)


def _play(turn: Turn) -> str | None:
    if turn.play is not None:
        return format_play(turn.play)
    return turn.action.text if isinstance(turn.action, Move) else None


def _analysis(turn: AnnotatedTurn) -> dict[str, Any]:
    play, cube = play_of(turn), cube_of(turn)
    found = turn.action.analysis if isinstance(turn.action, Move) else None
    best = play.best if play and turn.best else None
    value = {
        "error": play and _points(play.error),
        "chances": play and play.made and play.made.chances,
        "best": turn.best and str(turn.best.nactation),
        "best_chances": best and best.chances,
        "nacbrac": play and _nacbrac(turn),
        "mark": play and play.mark and play.mark.value,
        "cube_error": cube and _points(cube.error),
        "cube_best": cube.best if cube and cube.error else None,
        "cube_nacbrac": cube and _nacbrac(turn, cube=True),
        "cube_mark": cube and cube.mark and cube.mark.value,
        "luck": found and _points(found.luck),
    }
    return {name: what for name, what in value.items() if what is not None}


def _nacbrac(turn: AnnotatedTurn, *, cube: bool = False) -> str | None:
    # Slow to import, and most matches have no analysis.
    from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415

    return turn_nacbrac(turn, cube=cube) or None


def _points(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _totals(one: Totals) -> dict[str, Any]:
    rates = {"play": one.play_rate, "cube": one.cube_rate, "overall": one.rate}
    ratings = {name: None if rate is None else rating(rate) for name, rate in rates.items()}
    rates["snowie"] = one.snowie_rate
    value = {name: round(count, _DIGITS) for name, count in asdict(one).items()}
    value["error"] = round(one.error, _DIGITS)
    value["rates"] = {
        name: None if rate is None else round(rate, 3) for name, rate in rates.items()
    }
    performance = one.performance_rating
    pr = None if performance is None else round(performance, 3)
    return value | {"ratings": ratings, "rating": ratings["overall"], "pr": pr}


def _blunder(one: Judgement) -> dict[str, Any]:
    action = one.turn.action
    value: dict[str, Any] = {
        "game": one.game.number,
        "turn": one.turn.number,
        "move": one.move,
        "player": one.player,
        "error": _points(one.error),
    }
    if isinstance(one.judged, CubeAnalysis):
        value |= {"roll": None, "made": one.made, "best": one.best or None}
    elif isinstance(action, Move):
        best = one.judged.best
        value |= {
            "roll": str(action.roll),
            "made": one.turn.nactation or None,
            "best": one.best or None,
            "play": _play(one.turn),
            "best_play": best.text if best else None,
        }
    value["position_id"] = one.position_id or None
    value["xgid"] = format_xgid(one.state) if one.state else None
    return value
