"""An engine that judges by the rule of thumb, at once and always the same, and counts questions."""

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
    """What the play is worth by the rule of thumb, in points; lower for those listed later."""
    return plausibility(play) / 1000


class Thumb:
    """See Program; it ends with an error after so many answers, if it is told to."""

    bot: Bot = GNUBG
    fingerprint = "a rule of thumb"

    def __init__(self, most: int | None = None) -> None:
        self.asked: list[GameState] = []
        self._most = most

    def close(self) -> None: ...

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        for place, state in enumerate(states):
            if self._most is not None and len(self.asked) >= self._most:
                raise EngineError("the engine has ended")
            self.asked.append(state)
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
