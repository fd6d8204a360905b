"""The gnubg that Python runs in, as an engine.

It is asked for one position after the other: that leaves the user's match and settings alone.
`gnubg.hint` would answer for all plays at once, but as the user has set it, and writes its answer
into the user's match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import (
    GNUBG,
    Depth,
    Evaluation,
    Watch,
    check_cube,
    check_playable,
)
from gnubg_nactation.engines.questions import about_position, read_cube, read_evaluation
from gnubg_nactation.engines.server import FORGET, cubeful_equities, evaluation
from gnubg_nactation.engines.shortlist import deepen
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import Any


class InsideGnubg:
    """An engine that is the gnubg around us; `gnubg` is its built-in module.

    Equities are those that `child.Gnubg` has, for the match equity table that the user has
    chosen; those of plays that a deeper look leaves out are those of a look without plies. `watch`
    is told how many positions of how many at least are done. It raises KeyboardInterrupt where the
    user stops gnubg's work.
    """

    bot = GNUBG

    def __init__(self, gnubg: Any, watch: Callable[[int, int], None] | None = None) -> None:
        self._gnubg = gnubg
        self._watch = watch
        # It is kept how plays look, as each question takes gnubg ten milliseconds at least.
        self._known: dict[tuple[GameState, Play, int], float] = {}

    @property
    def name(self) -> str:
        """`GNU Backgammon`; it does not tell Python its version."""
        return "GNU Backgammon"

    def rank(
        self,
        state: GameState,
        depth: Depth,
        watch: Watch | None = None,  # noqa: ARG002 (nothing is rolled out)
    ) -> tuple[RatedPlay, ...]:
        """See Engine; there are no rollouts."""
        _check(state, depth)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        done = 0

        def rate(kept: Sequence[Play], plies: int) -> list[RatedPlay]:
            nonlocal done
            self._forget(plies)
            rated = []
            for play in kept:
                rated.append(RatedPlay(play, self._equity(state, play, plies), f"{plies}-ply"))
                done += 1
                if self._watch:
                    self._watch(done, done + len(kept) - len(rated))
            return rated

        return deepen(plays, depth, (*range(0, depth.plies, 2), depth.plies), rate)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        _check(state, depth)
        self._forget(depth.plies)
        return read_evaluation(self._ask(evaluation, about_position(state, depth.plies)))

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        _check(state, depth)
        check_cube(state)
        self._forget(depth.plies)
        return read_cube(self._ask(cubeful_equities, about_position(state, depth.plies)), depth)

    def _equity(self, state: GameState, play: Play, plies: int) -> float:
        key = state, play, plies
        if key not in self._known:
            answer = self._ask(cubeful_equities, about_position(state, plies, play))
            self._known[key] = -answer[0]
        return self._known[key]

    def _forget(self, plies: int) -> None:
        """Have gnubg forget what it has worked out for others, before a look so deep."""
        if plies:  # without any it looks nothing up
            self._gnubg.command(FORGET)

    def _ask(
        self, what: Callable[[Any, dict[str, Any]], list[float]], question: dict[str, Any]
    ) -> list[float]:
        try:
            return what(self._gnubg, question)
        except Exception as error:
            if type(error) is Exception:  # so gnubg says that it was interrupted
                raise KeyboardInterrupt from None
            raise EngineError(f"gnubg could not answer: {error}") from None


def _check(state: GameState, depth: Depth) -> None:
    check_playable(state)
    if depth.trials:
        raise EngineError("rollouts are for gnubg's own rollout command")
