"""Open Sage, an engine that pip brings: no other program is needed, on any system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from itertools import groupby

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.position import OFF
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Evaluation, check_cube, check_playable
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import Any, replace

__all__ = ["Sage"]

_NEEDED = "Open Sage needs the extra of the name sage: pip install 'gnubg-nactation[sage]'"
_MOST_PLIES = 3
_AT_ONCE = (200, 20, 2, 1)  # states in one question, by plies


class Sage:
    """The engine of the package `bgsage`; raises EngineError if that is not installed.

    Depth.plies count as gnubg counts them: 0 is what Sage and XG call 1-ply. `threads` is how
    many processors one question may use. It is asked for no rollouts, and luck is not told.
    """

    def __init__(self, *, threads: int = 1) -> None:
        try:
            self._sage: Any = import_module("bgsage")
        except ImportError:
            raise EngineError(_NEEDED) from None
        self._threads = threads
        self._analysers: dict[str, Any] = {}

    def start(self) -> None:
        """Nothing: it is in this process."""

    def close(self) -> None:
        """Nothing, as above."""

    @property
    def name(self) -> str:
        """`Open Sage` and its version."""
        return f"Open Sage {version('bgsage')}"

    @property
    def fingerprint(self) -> str:
        """What tells its answers from those of other engines and versions."""
        return f"{self.name}:{self._sage.PRODUCTION_MODEL}"

    def rank(self, state: GameState, depth: Depth) -> tuple[RatedPlay, ...]:
        """See Engine."""
        check_playable(state)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        if not plays:
            return ()
        told, level = _told(state), self._level(depth)
        if level not in self._analysers:  # which take as long to make as ten rolls to judge
            make = self._sage.BgBotAnalyzer
            self._analysers[level] = make(eval_level=level, parallel_threads=self._threads)
        found = self._analysers[level].checker_play(**told, jacoby=state.jacoby)
        return _rated(found, plays)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        check_playable(state)
        (found,) = self._ask("batch_evaluate", [state], depth, beaver=False)
        chances = tuple(found.probs.to_list())
        cubeful = found.equity_nd
        if state.may_double:
            cubeful = max(cubeful, min(found.equity_dt, found.equity_dp))
        return Evaluation(chances, found.cubeless_equity, cubeful)

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        check_cube(state)
        ((_, found),) = self.analyse([replace(state, roll=None)], depth)
        assert found.cube  # as it may be turned
        return found.cube

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        """See Analyser; a state without a roll gets the cube alone, and nothing has luck."""
        for state in states:
            check_playable(state)
        size = _AT_ONCE[min(depth.plies, _MOST_PLIES)]
        for start in range(0, len(states), size):
            part = states[start : start + size]
            yield from enumerate(self._analyse(part, depth), start)

    def _analyse(self, states: Sequence[GameState], depth: Depth) -> Iterator[MoveAnalysis]:
        legal = [legal_plays(one.position, one.roll) if one.roll else () for one in states]
        rolled = [state for state, plays in zip(states, legal, strict=True) if plays]
        doubling = [state for state in states if state.may_double]
        played = iter(self._ask("batch_checker_play", rolled, depth))
        cubes = iter(self._ask("batch_evaluate", doubling, depth, beaver=False))
        for state, plays in zip(states, legal, strict=True):
            play = cube = None
            if plays:
                rated = _rated(next(played), plays)
                play = PlayAnalysis(tuple(map(_candidate, rated)), None)
            if state.may_double:
                said = next(cubes)
                method = _method(depth.plies + 1)
                cube = CubeAnalysis(CubeAct.NO_DOUBLE, said.equity_nd, said.equity_dt, method)
            yield MoveAnalysis(play, cube)

    @staticmethod
    def _level(depth: Depth) -> str:
        if depth.trials or depth.plies > _MOST_PLIES:
            raise EngineError(f"Open Sage looks {_MOST_PLIES} plies ahead at most, and not {depth}")
        return f"{depth.plies + 1}ply"

    def _ask(
        self, question: str, states: Sequence[GameState], depth: Depth, **more: bool
    ) -> list[Any]:
        """The answers of bgsage, in the order of the states."""
        ask, level, threads = getattr(self._sage, question), self._level(depth), self._threads
        answers: list[Any] = []
        # Jacoby is said for all that is asked at once, and holds of no match.
        for (jacoby, _), part in groupby(states, lambda one: (one.jacoby, not one.length)):
            told = [_told(state) for state in part]
            answers += ask(told, level, n_threads=threads, jacoby=jacoby, **more)
        return answers


def _told(state: GameState) -> dict[str, Any]:
    """A state as bgsage takes it: the board as ours, but for the sign of the opponent's bar."""
    points = list(state.position.points)
    points[OFF] = -points[OFF]
    sides = {None: "centered", state.player: "player", state.player.other: "opponent"}
    told = {"board": points, "cube_value": state.cube, "cube_owner": sides[state.owner]}
    if state.roll:
        told |= {"die1": state.roll.high, "die2": state.roll.low}
    if state.length:
        own, other = state.score[state.player], state.score[state.player.other]
        told |= {"away1": state.length - own, "away2": state.length - other}
        told["is_crawford"] = state.crawford
    return told


def _rated(answer: Any, plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The plays in the order of an answer, which names them by the boards that they reach."""
    reached = {play.reached.points: play for play in plays}
    rated = []
    for one in answer.moves:
        board = (-one.board[OFF], *one.board[1:])
        if board in reached:
            method = _method(int(one.eval_level[0]))
            rated.append(RatedPlay(reached.pop(board), one.equity, method))
    if reached:
        raise EngineError(f"Open Sage left out {len(reached)} of {len(plays)} plays")
    return tuple(rated)


def _candidate(rated: RatedPlay) -> Candidate:
    hops = tuple([Hop(one.source, one.target, one.hits) for one in rated.play.portions])
    return Candidate(hops, rated.equity, rated.method)


def _method(plies: int) -> str:
    return f"Sage {plies}-ply"
