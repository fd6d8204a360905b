"""Analyse a whole match: every play, every cube decision and the luck of every roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
)
from gnubg_nactation.backgammon.match import Action, Double, Drop, Match, Move, Take, Turn, replay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import candidate_of, rank_of
from gnubg_nactation.engines.engine import (
    Analyser,
    Depth,
    Engine,
    Program,
    UnknownAnswerError,
    check_playable,
    plays_of,
)
from gnubg_nactation.engines.registry import open_engine
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.sequences.assumption import Evaluator, NamedEquities
from gnubg_nactation.values import replace


def analyse_match(
    match: Match,
    analyser: Analyser,
    depth: Depth,
    watch: Callable[[int, int], None] | None = None,
    games: Sequence[Sequence[Turn]] | None = None,
    engine: Engine | None = None,
) -> Match:
    """The match with an engine's analysis, which replaces any that it had.

    There is none of illegal plays and of turns on an unknown board, in a finished game or with more
    points to go than gnubg supports. The `engine` judges plays made that the search has left out
    as deeply as the best ones. `watch` is called with the numbers of turns done and of all.
    `games` are the turns of each game if the match was replayed before; if only its first turns,
    the others keep their analysis. Raises EngineError.
    """
    games = games or [list(replay(match, game)) for game in match.games]
    states = {
        (number, at): state
        for number, turns in enumerate(games)
        for at, state in enumerate(decisions(turns))
        if state is not None
    }
    places = list(states)
    analyses: dict[tuple[int, int], MoveAnalysis] = {}
    for index, analysis in analyser.analyse(list(states.values()), depth):
        analyses[places[index]] = analysis
        if watch:
            watch(len(analyses), len(states))
    analysed = []
    for number, (game, turns) in enumerate(zip(match.games, games, strict=True)):
        actions = [
            _with_analysis(turn, analyses.get((number, at)), engine, depth)
            for at, turn in enumerate(turns)
        ]
        analysed.append(replace(game, actions=(*actions, *game.actions[len(turns) :])))
    return replace(match, games=tuple(analysed))


def analyse_beginnings(
    match: Match,
    games: Sequence[Sequence[Turn]],
    engine: Program,
    depth: Depth,
    count: int,
) -> Match:
    """The match with an engine's analysis of the first `count` turns of each game.

    `games` are the turns of each game. Raises EngineError.
    """
    beginnings = [turns[:count] for turns in games]
    return analyse_match(match, engine, depth, games=beginnings, engine=engine)


def decisions(turns: Sequence[Turn]) -> Iterator[GameState | None]:
    """The state of each turn's decision; None if there is nothing to judge."""
    offered: GameState | None = None  # the state of the player who doubled
    for turn in turns:
        state = turn.state
        match turn.action:
            case Move():
                offered = None
                if turn.play is None and turn.plays:  # not recorded, or illegal
                    state = None
            case Double() if state is not None and not state.doubled:
                offered = state
            case Take() | Drop():
                state, offered = offered, None
            case _:  # neither a beaver nor the double before it is judged
                state = offered = None
        if state is not None:
            try:
                check_playable(state)
            except IllegalError:
                state = None
        yield state


def _with_analysis(
    turn: Turn, analysis: MoveAnalysis | None, engine: Engine | None, depth: Depth
) -> Action:
    action, cube = turn.action, analysis.cube if analysis else None
    match action:
        case Move():
            if analysis and turn.state and turn.play and engine:
                analysis = judge_made(turn.state, turn.play, analysis, engine, depth)
            play = analysis.play if analysis else None
            if analysis and play and turn.play:
                rank = rank_of(turn.play, play.candidates, turn.plays)
                analysis = replace(analysis, play=replace(play, rank=rank))
            return replace(action, analysis=analysis)
        case Double() | Take() | Drop():
            act = _ACTS[type(action)]
            return replace(action, analysis=cube and replace(cube, act=act))
    return action


def judge_made(
    state: GameState, made: Play, analysis: MoveAnalysis, engine: Engine, depth: Depth
) -> MoveAnalysis:
    """The analysis with the play made judged as deeply as the best play, as in gnubg.

    Else its loss would be the difference of two depths, often nothing. Both are judged to the depth
    if the search ended earlier, because only the best play was left, and another one was made.
    Raises EngineError.
    """
    candidates = [*analysis.play.candidates] if analysis.play else []
    found = _PLIES.search(candidates[0].method) if candidates else None
    if found is None:
        return analysis
    best, plies, wanted = candidates[0], int(found[1]), engine.bot.plies(depth)
    if plies >= wanted and candidates[-1].method == best.method:  # all are judged to the depth
        return analysis
    plays = plays_of(state)
    if not (rank := rank_of(made, candidates, plays)):
        return analysis
    wrong = candidates.pop(rank)
    judged = [made]
    if plies < wanted and best.equity - wrong.equity > _ERROR:
        judged += [play for play in plays if rank_of(play, candidates[:1], plays) == 0]
        del candidates[0]
        plies = wanted
    elif best.method == wrong.method:
        return analysis
    method = _PLIES.sub(f"{plies}-ply", best.method)
    try:
        for play in judged:
            deep = _judged(state, play, method, engine, Depth(plies))
            better = (
                other.method == method and other.equity >= deep.equity for other in candidates
            )
            candidates.insert(sum(better), deep)
    except (UnknownAnswerError, IllegalError):  # a play that ends the game is worth what it seems
        return analysis
    return replace(analysis, play=PlayAnalysis((*candidates,), None))


def _judged(state: GameState, play: Play, method: str, engine: Engine, depth: Depth) -> Candidate:
    """A play judged by the position after it."""
    after = replace(state, position=play.after, player=state.player.other, roll=None)
    chances, _, equity = engine.evaluate(after, depth)
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances  # the opponent's
    own = 1 - win, lost_gammon, lost_backgammon, gammon, backgammon
    odds = b" ".join([b"%.6f" % chance for chance in own])
    return candidate_of(RatedPlay(play, -equity, method), odds)


_ERROR = 0.03  # points: gnubg's limit of a doubtful play
_PLIES = re.compile(r"([0-9])-ply$")
_ACTS = {Double: CubeAct.DOUBLE, Take: CubeAct.TAKE, Drop: CubeAct.DROP}


def evaluate(engine: Engine, state: GameState) -> NamedEquities:
    """The equities of all plays of a state's roll, with the name of the engine and its depth."""
    depth = engine.bot.depth()
    rated = engine.rank(state, depth)
    return NamedEquities({play.play: play.equity for play in rated}, engine.bot.label(depth))


@contextmanager
def evaluator() -> Iterator[Evaluator]:
    """Open the engine that is installed, for the readings of a sequence. Raises EngineError."""
    with closing(open_engine(threads=1)) as engine:
        yield lambda state: evaluate(engine, state)
