"""Annotated matches as JSON, one line a match."""

from __future__ import annotations

from dataclasses import asdict

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Game, Move, move_numbers
from gnubg_nactation.decisions.severity import BLUNDER
from gnubg_nactation.decisions.totals import Judgement, Totals, blunders, depth, rating, totals
from gnubg_nactation.exports.views import DIGITS, View, match_turn_view, played, rounded
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_text


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
            match_turn_view(game, turn, move)
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


def _game(game: Game) -> View:
    won = {"winner": game.winner, "points": game.points, "resigned": game.resigned}
    result = None if game.winner is None else won
    head = {"game": game.number, "score": game.score, "crawford": game.crawford}
    return head | {"result": result}


def _totals(one: Totals) -> View:
    rates = {"play": one.play_rate, "cube": one.cube_rate, "overall": one.rate}
    ratings = {name: None if rate is None else rating(rate) for name, rate in rates.items()}
    rates["snowie"] = one.snowie_rate
    value = {name: round(count, DIGITS) for name, count in asdict(one).items()}
    value["error"] = round(one.error, DIGITS)
    value["rates"] = {
        name: None if rate is None else round(rate, 3) for name, rate in rates.items()
    }
    performance = one.performance_rating
    pr = None if performance is None else round(performance, 3)
    return value | {"ratings": ratings, "rating": ratings["overall"], "pr": pr}


def _blunder(one: Judgement) -> View:
    action = one.turn.action
    value: View = {
        "game": one.game.number,
        "turn": one.turn.number,
        "move": one.move,
        "player": one.player,
        "error": rounded(one.error),
    }
    if isinstance(one.judged, CubeAnalysis):
        value |= {"roll": None, "made": one.made, "best": one.best or None}
    elif isinstance(action, Move):
        best = one.judged.best
        value |= {
            "roll": str(action.roll),
            "made": one.turn.nactation or None,
            "best": one.best or None,
            "play": played(one.turn),
            "best_play": best.text if best else None,
        }
    value["position_id"] = one.position_id or None
    value["xgid"] = format_xgid(one.state) if one.state else None
    return value
