"""The gnubg in which Python runs, as an engine.

It evaluates one position after the other, which leaves the user's match and settings alone.
`gnubg.hint` would answer for all plays at once, but with the user's settings, and it writes its
answer into the user's match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import (
    GNUBG,
    Depth,
    Evaluation,
    Ranking,
    Watch,
    check_cube,
    check_playable,
    plays_of,
)
from gnubg_nactation.engines.questions import about_position, read_cube, read_evaluation
from gnubg_nactation.engines.server import FORGET, cubeful_equities, evaluation
from gnubg_nactation.engines.shortlist import deepen
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import Any


class InsideGnubg:
    """The gnubg that runs this Python; `gnubg` is its built-in module.

    Equities are those of `child.Gnubg`, with the match equity table that the user has chosen. A
    play that a deeper search leaves out keeps its 0-ply equity. `watch` is called with the number
    of positions done and the least number in all. Raises KeyboardInterrupt if the user stops gnubg.
    """

    bot = GNUBG

    def __init__(self, gnubg: Any, watch: Callable[[int, int], None] | None = None) -> None:
        self._gnubg = gnubg
        self._watch = watch
        # Each question takes gnubg at least ten milliseconds.
        self._equities: dict[tuple[GameState, Play, int], float] = {}

    @property
    def name(self) -> str:
        """`GNU Backgammon`; Python cannot look up its version here."""
        return "GNU Backgammon"

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002 (there are no rollouts)
        """See Engine; there are no rollouts."""
        _check(state, depth)
        done = 0

        def rate(shortlist: Sequence[Play], plies: int) -> list[RatedPlay]:
            nonlocal done
            self._forget(plies)
            rated = []
            for play in shortlist:
                rated.append(RatedPlay(play, self._equity(state, play, plies), f"{plies}-ply"))
                done += 1
                if self._watch:
                    self._watch(done, done + len(shortlist) - len(rated))
            return rated

        return deepen(plays_of(state), depth, (*range(0, depth.plies, 2), depth.plies), rate)

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
        if key not in self._equities:
            answer = self._ask(cubeful_equities, about_position(state, plies, play))
            self._equities[key] = -answer[0]
        return self._equities[key]

    def _forget(self, plies: int) -> None:
        """Clear gnubg's cache before a search of `plies`; a 0-ply search does not use it."""
        if plies:
            self._gnubg.command(FORGET)

    def _ask(
        self, function: Callable[[Any, dict[str, Any]], list[float]], question: dict[str, Any]
    ) -> list[float]:
        try:
            return function(self._gnubg, question)
        except Exception as error:
            if type(error) is Exception:  # gnubg was interrupted
                raise KeyboardInterrupt from None
            raise EngineError(f"gnubg could not answer: {error}") from None


def _check(state: GameState, depth: Depth) -> None:
    check_playable(state)
    if depth.trials:
        raise EngineError("no rollouts here: use gnubg's own rollout command")
