"""Annotated matches as JSON, one line a match."""

from __future__ import annotations

from dataclasses import asdict

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Game, Move, move_numbers, place_name
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    Judgement,
    Totals,
    blunders,
    depth,
    rating,
    totals,
)
from gnubg_nactation.exports.views import View, match_turn_view, played
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_line, rounded


def format_json(annotated: AnnotatedMatch, *, blunder: float = BLUNDER, number: int = 1) -> str:
    """The match as one line: `format`, players, length, games (score, Crawford, result), and turns.

    The `place` of a turn is that of pages and posts, such as `7.14b`; `number` is that of the match
    in its file. Players are 0 (the first-named) and 1; positions are before the action, from its
    player's side. A double has the value of the cube `offered`; `raised` marks a beaver or a
    raccoon. An illegal or missing play has a `problem` and no `nactation`.

    Analysed turns have the `error` of the play and the `cube_error` in points for the present cube
    (EMG in matches), the `best` play or `cube_best` if another was right, the `nacbrac` and the
    `cube_nacbrac`, the `mark` and `cube_mark` of errors, and the `luck` of the roll. `chances` and
    `best_chances` of the play made and of the best are: to win, to win a gammon or more, to win a
    backgammon, to lose a gammon or more, to lose a backgammon.

    `analysis` of a match has its `depth` and `engine`; the fields of severity.Totals for both
    `players`, with error rates in thousandths of a point, gnubg's words for them (null if there was
    nothing to decide), and XG's performance rating `pr`; and the `blunders`, which lose `blunder`
    points or more, the largest first, with null as the `roll` of cube decisions.
    """
    match = annotated.match
    value = {
        "players": match.players,
        "length": match.length,
        "jacoby": match.jacoby,
        "games": list(map(_game, annotated.games)),
        "turns": [
            match_turn_view(game, turn, move, number)
            for game in annotated.games
            for turn, move in zip(game.turns, move_numbers(game.turns), strict=True)
        ],
    }
    both = totals(annotated, blunder)
    if any(player.is_analysed for player in both):
        value["analysis"] = {
            "depth": depth(annotated),
            "engine": bot_of(depth(annotated))[0],
            "players": list(map(_totals, both)),
            "blunders": [_blunder(each, number) for each in blunders(annotated, blunder)],
        }
    return json_line(value, close=True)


def _game(game: Game) -> View:
    won = {"winner": game.winner, "points": game.points, "resigned": game.resigned}
    result = None if game.winner is None else won
    head = {"game": game.number, "score": game.score, "crawford": game.crawford}
    return head | {"result": result}


def _totals(player: Totals) -> View:
    rates = {"play": player.play_rate, "cube": player.cube_rate, "overall": player.rate}
    words = {name: None if rate is None else rating(rate) for name, rate in rates.items()}
    rates["snowie"] = player.snowie_rate
    value: View = {name: rounded(count) for name, count in asdict(player).items()}
    value["error"] = rounded(player.error)
    value["rates"] = {name: rounded(rate, 3) for name, rate in rates.items()}
    pr = rounded(player.performance_rating, 3)
    return value | {"ratings": words, "rating": words["overall"], "pr": pr}


def _blunder(blunder: Judgement, number: int) -> View:
    action = blunder.turn.action
    value: View = {
        "place": place_name(blunder.game.number, blunder.move, blunder.player, number),
        "game": blunder.game.number,
        "turn": blunder.turn.number,
        "move": blunder.move,
        "player": blunder.player,
        "error": rounded(blunder.error),
    }
    if isinstance(blunder.analysis, CubeAnalysis):
        value |= {"roll": None, "made": blunder.made, "best": blunder.best or None}
    elif isinstance(action, Move):
        naming = blunder.turn.best
        best = naming and blunder.turn.plays.play(naming.nactation)
        value |= {
            "roll": str(action.roll),
            "made": blunder.turn.nactation or None,
            "best": blunder.best or None,
            "play": played(blunder.turn),
            "best_play": format_play(best) if best else None,
        }
    value["position_id"] = blunder.position_id or None
    value["xgid"] = blunder.state.xgid if blunder.state else None
    return value
