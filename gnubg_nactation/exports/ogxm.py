"""Annotated matches in OGXM, with their analyses and the Nactation as notes.

The package `gammonview` writes the bytes from a document, whose form `files.ogxm` also reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import Candidate, CubeAnalysis, MoveAnalysis, PlayAnalysis
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
from gnubg_nactation.backgammon.notation import Hop, force_hops, format_hops
from gnubg_nactation.backgammon.position import BAR, STANDARD, Position
from gnubg_nactation.backgammon.state import USUAL_LIMIT, Player
from gnubg_nactation.decisions.severity import NEAR_DOUBLE, counted_play_of, is_close_cube
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.exports.sgf import comment_lines, own_comment
from gnubg_nactation.files import ogxm
from gnubg_nactation.values import Any, NamedTuple, replace

_NO_WINNER = 255
_DIGITS = 4  # of equities and chances in documents
_FIRST_YEAR = 1970  # that a number of seconds can show
_DAY = re.compile(r"([0-9]{4})[.\-/]([0-9]{1,2})[.\-/]([0-9]{1,2})")
_ROUND = re.compile(r"[1-9][0-9]?")


def format_ogxm(annotated: AnnotatedMatch, *, errors: bool = False) -> bytes:
    """The match in OGXM, with the Nactation of each play as a note of ours.

    `errors` as in `comment_lines` of SGF. Raises MalformedError without the extra `files`, and for
    a match that OGXM cannot hold, such as one of 1,001 games.
    """
    library = ogxm.gvformat()
    try:
        return bytes(library.write_gvab(_document(annotated, errors=errors)))
    except ValueError as error:
        raise MalformedError(f"OGXM cannot hold this match: {error}") from None


def _document(annotated: AnnotatedMatch, *, errors: bool) -> dict[str, Any]:
    match = annotated.match
    notes = comment_lines(annotated, errors=errors)
    levels = _levels(annotated)
    score, length = match.score, match.length
    has_beavers = match.beavers or any(
        turn.raised > 1 for game in annotated.games for turn in game.turns
    )
    scores = _stated_scores(match)
    headers = _header_fields(match)
    document: dict[str, Any] = {
        "match_length": length,
        "player_white": match.players[0],
        "player_black": match.players[1],
        "white_score": score[0],
        "black_score": score[1],
        "result": _result(score, length),
        "source": 0,
        "crawford": _has_crawford(match),
        "jacoby": match.jacoby,
        "beaver": has_beavers,
        "raccoon": has_beavers,
        "cube_limit": 0 if match.limit == USUAL_LIMIT else 1 << match.limit,
        **headers,
        "annotations": [*_headers_note(match, headers), *_prose(match.comments)],
        "games": [
            {
                **_game(match, game, at),
                "plies": _plies(match, game, levels, _notes(notes, at)),
                "annotations": [*scores[at], *_prose(game.comments)],
            }
            for at, game in enumerate(annotated.games)
        ],
    }
    if match.games and any(match.games[0].score):
        document["score_start"] = list(match.games[0].score)
        if _is_one_away(match, match.games[0]) and not match.games[0].crawford:
            document["crawford_before_start"] = True
    if variation := ogxm.variation_of(match.start):
        document["variant"] = variation
    if levels.is_analysed:
        document["analysis_info"] = {
            "ply": levels.plies,
            "eval_level": levels.usual,
            "model_id": levels.engine.model,
            "timestamp": 0,
        }
    return document


def _prose(comments: Iterable[str]) -> list[dict[str, str]]:
    return [{"value": comment} for comment in comments]


def _headers_note(match: Match, fields: Mapping[str, Any]) -> list[dict[str, str]]:
    """A note with all headers if the fields of the format do not hold them."""
    if match.headers == tuple(ogxm.read_headers(fields)):
        return []
    lines = [f"{tag}: {' '.join(text.split())}" for tag, text in match.headers]
    return [{"key": ogxm.HEADERS, "value": "\n".join(lines)}]


def _stated_scores(match: Match) -> list[list[dict[str, str]]]:
    """A note for each game whose score is not the sum of the games before it."""
    notes: list[list[dict[str, str]]] = []
    expected = match.games[0].score if match.games else (0, 0)
    for game in match.games:
        text = "{},{}".format(*game.score)
        notes.append([] if game.score == expected else [{"key": ogxm.SCORE, "value": text}])
        expected = ogxm.score_after(game.score, match.length, game.winner, game.points)
    return notes


def _result(score: tuple[int, int], length: int) -> int:
    return next((at for at, points in enumerate(score, 1) if length and points >= length), 0)


def _is_one_away(match: Match, game: Game) -> bool:
    return match.length > 1 and match.length - 1 in game.score


def _has_crawford(match: Match) -> bool:
    """Whether the match has the Crawford rule, as far as its games show."""
    last = [game.crawford for game in match.games if _is_one_away(match, game)]
    return match.length > 1 and (any(last) or not last or any(match.games[0].score))


def _header_fields(match: Match) -> dict[str, Any]:
    headers = dict(match.headers)
    fields: dict[str, Any] = {"event": headers.get("Event"), "site": headers.get("Site")}
    fields["timestamp"] = 0
    if day := _DAY.match(headers.get("EventDate", "")):
        year, month, number = map(int, day.groups())
        with suppress(ValueError):  # no such day
            moment = datetime(year, month, number, tzinfo=timezone.utc)
            if year >= _FIRST_YEAR:
                fields |= {"timestamp": int(moment.timestamp()), "date_precision": 0}
    if round_ := headers.get("Round", ""):
        fields |= {"round": int(round_)} if _ROUND.fullmatch(round_) else {"stage": round_}
    return fields


def _notes(lines: Mapping[tuple[int, int], str], game: int) -> dict[int, str]:
    return {turn: line for (at, turn), line in lines.items() if at == game}


def _game(match: Match, game: AnnotatedGame, at: int) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "game_index": at,
        "winner": _NO_WINNER if game.winner is None else int(game.winner),
        "points_won": game.points,
        "is_lastgame": at == len(match.games) - 1,
        "auto_doubles": game.cube.bit_length() - 1,
    }
    last = game.actions[-1] if game.actions else None
    if game.resigned:
        fields["termination"] = ogxm.RESIGNED
    elif isinstance(last, Drop):
        fields["termination"] = ogxm.DROPPED
    return fields


# Levels


class _Levels(NamedTuple):
    """The engine that most analyses are from, and the level of most of them."""

    engine: ogxm.Engine
    usual: str
    plies: int
    is_analysed: bool

    def label(self, method: str) -> str:
        return self.engine.label(method)


def _levels(annotated: AnnotatedMatch) -> _Levels:
    methods = Counter(
        method for game in annotated.games for turn in game.turns for method in _methods(turn)
    )
    most = methods.most_common(1)[0][0] if methods else ""
    engine = ogxm.engine_of(most)
    usual = engine.label(most)
    plies = re.match("[0-9]+", usual)
    return _Levels(engine, usual, int(plies[0]) if plies else 0, bool(methods))


def _methods(turn: AnnotatedTurn) -> Iterator[str]:
    action = turn.action
    analysis = getattr(action, "analysis", None)
    if isinstance(analysis, CubeAnalysis):
        yield analysis.method
    elif isinstance(analysis, MoveAnalysis):
        if analysis.play and analysis.play.best:
            yield analysis.play.best.method
        if analysis.cube:
            yield analysis.cube.method


# Plies


def _plies(
    match: Match, game: AnnotatedGame, levels: _Levels, notes: Mapping[int, str]
) -> list[dict[str, Any]]:
    plies: list[dict[str, Any]] = []
    if match.start != STANDARD and not ogxm.variation_of(match.start):
        first = next((turn.action.player for turn in game.turns), Player.FIRST)
        start = match.start if first is Player.FIRST else match.start.switch_sides()
        plies.append(_set_position(first, start))
    raised = 0
    for at, turn in enumerate(game.turns):
        action = turn.action
        comment = _prose(filter(None, [own_comment(action.comment)]))
        if isinstance(action, Take) and raised > 1:
            # A beaver has taken the cube.
            plies[-1].setdefault("annotations", []).extend(comment)
            continue
        if turn.raised or isinstance(action, Move):
            raised = turn.raised
        ply = _ply(turn, levels)
        texts = [*_play_note(ply, action), *comment]
        if at in notes:
            texts.append({"value": notes[at], "author": ogxm.AUTHOR})
        if texts:
            ply["annotations"] = texts
        plies.append(ply)
    return plies


def _play_note(ply: Mapping[str, Any], action: Action) -> list[dict[str, str]]:
    """A note with a play that the steps of the format cannot show."""
    if not isinstance(action, Move) or (ply.get("moves") and action.hops):
        return []
    text = format_hops(action.hops) or action.text
    return [{"key": ogxm.PLAY, "value": text}] if text else []


def _ply(turn: AnnotatedTurn, levels: _Levels) -> dict[str, Any]:
    action = turn.action
    ply: dict[str, Any] = {"color": int(action.player is Player.FIRST)}
    match action:
        case Move():
            return _rolled(turn, action, levels)
        case Double():
            ply["action_id"] = (ogxm.DOUBLE, ogxm.BEAVER, ogxm.RACCOON)[min(turn.raised, 3) - 1]
        case Take() | Drop():
            ply["action_id"] = ogxm.TAKE if isinstance(action, Take) else ogxm.DROP
        case Resign():
            return ply | {"action_id": ogxm.RESIGN}
        case SetPosition():
            return _set_position(action.player, action.position)
        case SetCube():
            owner = {} if action.owner is None else {"cube_owner": int(action.owner)}
            return ply | {"action_id": ogxm.SET_CUBE, "cube_value": action.value, **owner}
    if action.analysis and turn.raised < 2:
        answers = {"double": "double", "take": "take", "drop": "pass"}
        cube = _rounded_cube(action.analysis)
        if equities := _equities(cube, levels):
            ply["analysis"] = {
                **equities,
                "played_action": answers[cube.act.value],
                "correct_action": _right(cube),
                "equity_loss": _rounded(cube.error),
                "decision": True,
            }
    return ply


def _set_position(player: Player, position: Position) -> dict[str, Any]:
    return {
        "color": int(player is Player.FIRST),
        "action_id": ogxm.SET_POSITION,
        "set_position": _board(player, position),
    }


def _board(player: Player, position: Position) -> list[int]:
    points = position.points
    return list(reversed(points)) if player is Player.FIRST else [-count for count in points]


def _rolled(turn: AnnotatedTurn, action: Move, levels: _Levels) -> dict[str, Any]:
    player = action.player
    low, high = sorted(action.roll)
    ply: dict[str, Any] = {
        "color": int(player is Player.FIRST),
        "action_id": ogxm.DICE.index((low, high)),
        "d1": low,
        "d2": high,
        "moves": [],
    }
    if turn.play:
        ply["moves"] = [
            _step(player, portion.source, portion.die) for portion in turn.play.portions
        ]
    elif action.hops and turn.state:
        if (steps := _illegal_steps(player, action)) is not None:
            ply["moves"] = steps
        else:
            try:
                reached = force_hops(action.hops, turn.state.position)
            except IllegalError:
                pass  # nobody knows what was played
            else:
                ply["action_id"] = ogxm.SET_POSITION
                ply["set_position"] = _board(player, reached)
    if action.analysis and (analysis := _analysis(turn, action.analysis, levels)):
        ply["analysis"] = analysis
    return ply


def _step(player: Player, source: int, pips: int) -> dict[str, int]:
    return {"from": BAR - source if player is Player.FIRST else source, "pips": pips}


def _steps(player: Player, hops: Iterable[Hop], dice: tuple[int, ...]) -> list[dict[str, int]]:
    """The steps of a play, each by the pips of one die."""
    steps = []
    for source, target, _ in hops:
        at, pips = source, source - target
        for die in _split(pips, target, dice):
            steps.append(_step(player, at, die))
            at -= die
    return steps


def _split(pips: int, target: int, dice: tuple[int, ...]) -> tuple[int, ...]:
    """How one checker goes this far: with one die, or with several."""
    high, low = dice
    if pips in dice:
        return (pips,)
    if high == low and pips % low == 0:
        return (low,) * (pips // low)
    if pips == high + low:
        return (high, low)
    if not target:  # off, by a larger die than needed
        die = next((die for die in (low, high) if die > pips), 0)
        if die:
            return (die,)
        if high == low:
            return (low,) * -(-pips // low)
        return (high, low) if pips > high else (pips,)
    return (pips,)


_MAX_STEP = 6


def _illegal_steps(player: Player, action: Move) -> list[dict[str, int]] | None:
    """The steps of an illegal play; None if OGXM has no room for them."""
    room = 4 if action.roll.is_doublet else 2
    hops = action.hops
    if len(hops) > room or not all(0 < hop.source - hop.target <= _MAX_STEP for hop in hops):
        return None
    return [_step(player, hop.source, hop.source - hop.target) for hop in hops]


# Analyses


def _rounded(number: float | None) -> float:
    return round(number or 0.0, _DIGITS)


def _analysis(turn: AnnotatedTurn, analysis: MoveAnalysis, levels: _Levels) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    play = analysis.play
    if play and play.best:
        player, dice = turn.action.player, tuple(turn.action.roll)  # type: ignore[union-attr]
        fields = {
            "best_equity": _rounded(play.best.equity),
            "equity_loss": _loss(play),
            "decision": counted_play_of(turn) is not None,
            "alternatives": [
                {
                    "move": _steps(player, candidate.hops, dice),
                    "equity": _rounded(candidate.equity),
                    "is_played": rank == play.rank,
                    "eval_level": levels.label(candidate.method),
                    **_chances(candidate),
                    **(
                        {}
                        if candidate.standard_error is None
                        else {"rollout_se": _rounded(candidate.standard_error)}
                    ),
                }
                for rank, candidate in enumerate(play.candidates)
            ],
        }
        fields |= _chances(play.best)
    if analysis.luck is not None:
        fields["luck"] = _rounded(analysis.luck)
    cube = analysis.cube and _rounded_cube(analysis.cube)
    if cube and (equities := _equities(cube, levels)):
        if _rounded(cube.error):
            fields["missed_double"] = {
                **equities,
                "equity_loss": _rounded(cube.error),
                "correct_action": "double",
            }
        else:
            is_counted = is_close_cube(cube, NEAR_DOUBLE)
            fields["cube_decision"] = {**equities, "should_double": False, "decision": is_counted}
    if fields:
        fields.setdefault("decision", False)
        fields.setdefault("equity_loss", 0.0)
    return fields


def _loss(play: PlayAnalysis) -> float:
    """The error of a play by the rounded equities, so that writing it again changes nothing."""
    if play.best is None or play.made is None:
        return 0.0
    return max(_rounded(_rounded(play.best.equity) - _rounded(play.made.equity)), 0.0)


def _rounded_cube(cube: CubeAnalysis) -> CubeAnalysis:
    if cube.no_double is None or cube.double_take is None:
        return cube
    return replace(cube, no_double=_rounded(cube.no_double), double_take=_rounded(cube.double_take))


def _chances(candidate: Candidate) -> dict[str, Any]:
    chances = candidate.chances
    if chances is None:
        return {}
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return {"eval": dict(zip(names, map(_rounded, chances), strict=True))}


def _equities(cube: CubeAnalysis, levels: _Levels) -> dict[str, Any]:
    if cube.no_double is None or cube.double_take is None:
        return {}
    return {
        "no_double_equity": _rounded(cube.no_double),
        "double_take_equity": _rounded(cube.double_take),
        "double_pass_equity": cube.double_pass,
        "eval_level": levels.label(cube.method),
    }


def _right(cube: CubeAnalysis) -> str:
    """The right action of the player who acted."""
    offer, _, answer = cube.best.partition(", ")
    return offer.replace(" ", "_") if cube.act.value == "double" else answer
