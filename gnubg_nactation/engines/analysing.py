"""A whole match analysed: every play, every cube decision and the luck of every roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAct, MoveAnalysis
from gnubg_nactation.backgammon.match import Action, Double, Drop, Match, Move, Take, Turn, replay
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.rating import rank_of
from gnubg_nactation.engines.engine import Analyser, Depth, check_playable
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.values import replace


def analyse_match(
    match: Match,
    analyser: Analyser,
    depth: Depth,
    watch: Callable[[int, int], None] | None = None,
    games: Sequence[Sequence[Turn]] | None = None,
) -> Match:
    """The match with the engine's analysis in place of any that it had.

    Turns on an unknown board, in a game that is over or with more points to go than gnubg knows,
    and illegal plays, get none. `watch` is told how many turns of how many are done. `games` is
    the match replayed, where that was done before. Raises EngineError.
    """
    games = games or [list(replay(match, game)) for game in match.games]
    asked = {
        (number, at): state
        for number, turns in enumerate(games)
        for at, state in enumerate(_decisions(turns))
        if state is not None
    }
    places = list(asked)
    found: dict[tuple[int, int], MoveAnalysis] = {}
    for place, analysis in analyser.analyse(list(asked.values()), depth):
        found[places[place]] = analysis
        if watch:
            watch(len(found), len(asked))
    analysed = []
    for number, (game, turns) in enumerate(zip(match.games, games, strict=True)):
        actions = [_with_analysis(turn, found.get((number, at))) for at, turn in enumerate(turns)]
        analysed.append(replace(game, actions=tuple(actions)))
    return replace(match, games=tuple(analysed))


def analyse_beginnings(
    match: Match,
    games: Sequence[Sequence[Turn]],
    analyser: Analyser,
    depth: Depth,
    most: int,
) -> Match:
    """The match with the engine's analysis of the first turns of each game, `most` at most.

    `games` is the match replayed. Raises EngineError.
    """
    cut = analyse_match(match, analyser, depth, games=[turns[:most] for turns in games])
    whole = [
        replace(game, actions=beginning.actions + game.actions[len(beginning.actions) :])
        for game, beginning in zip(match.games, cut.games, strict=True)
    ]
    return replace(match, games=tuple(whole))


def _decisions(turns: Sequence[Turn]) -> Iterator[GameState | None]:
    """For each turn the state that shows what was right; None where there is none to judge."""
    offered: GameState | None = None  # the cube, by the player of this state
    for turn in turns:
        state = turn.state
        match turn.action:
            case Move():
                offered = None
                if turn.play is None and turn.plays:  # not recorded, or against the rules
                    state = None
            case Double() if state is not None and not state.doubled:
                offered = state
            case Take() | Drop():
                state, offered = offered, None
            case _:  # a beaver is not judged, nor is what was doubled before it
                state = offered = None
        if state is not None:
            try:
                check_playable(state)
            except IllegalError:
                state = None
        yield state


def _with_analysis(turn: Turn, found: MoveAnalysis | None) -> Action:
    action, cube = turn.action, found.cube if found else None
    match action:
        case Move():
            play = found.play if found else None
            if found and play and turn.play:
                rank = rank_of(turn.play, play.candidates, turn.plays)
                found = replace(found, play=replace(play, rank=rank))
            return replace(action, analysis=found)
        case Double() | Take() | Drop():
            act = _ACTS[type(action)]
            return replace(action, analysis=cube and replace(cube, act=act))
    return action


_ACTS = {Double: CubeAct.DOUBLE, Take: CubeAct.TAKE, Drop: CubeAct.DROP}
