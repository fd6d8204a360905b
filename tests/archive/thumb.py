"""An engine that rates plays by the rule of thumb and notes the states it was called with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import GNUBG, Bot, Depth, Evaluation, Watch
from gnubg_nactation.errors import EngineError
from gnubg_nactation.language.plausibility import plausibility


def equity(play: Play) -> float:
    """The equity of the play by the rule of thumb, in points."""
    return plausibility(play) / 1000


class Thumb:
    """See Program; it fails after `max_answers` answers, if given."""

    bot: Bot = GNUBG
    name = fingerprint = "a rule of thumb"

    def __init__(self, max_answers: int | None = None) -> None:
        self.states: list[GameState] = []
        self._max_answers = max_answers

    def close(self) -> None: ...

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        for place, state in enumerate(states):
            if self._max_answers is not None and len(self.states) >= self._max_answers:
                raise EngineError("the engine has ended")
            self.states.append(state)
            assert state.roll
            plays = legal_plays(state.position, state.roll)
            rated = sorted(plays, key=equity, reverse=True)
            candidates = [
                Candidate(
                    tuple([Hop(part.source, part.target, part.hits) for part in play.portions]),
                    equity(play),
                    str(depth),
                )
                for play in rated
            ]
            yield place, MoveAnalysis(PlayAnalysis(tuple(candidates), None))

    def rank(
        self, state: GameState, depth: Depth, watch: Watch | None = None
    ) -> tuple[RatedPlay, ...]:
        raise NotImplementedError

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        raise NotImplementedError

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        raise NotImplementedError
