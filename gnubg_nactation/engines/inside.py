"""The gnubg that Python runs in, as an engine.

It is asked for one position after the other: that leaves the user's match and settings alone.
`gnubg.hint` would answer for all plays at once, but as the user has set it, and writes its answer
into the user's match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import Depth, Evaluation, check_playable
from gnubg_nactation.engines.questions import board_for_gnubg, cube_for_gnubg
from gnubg_nactation.errors import EngineError

__all__ = ["InsideGnubg"]


class InsideGnubg:
    """An engine that is the gnubg around us; `gnubg` is its built-in module.

    Equities are those that `child.Gnubg` has, for the match equity table that the user has
    chosen. `watch` is told how many positions of how many at least are done. It raises
    KeyboardInterrupt where the user stops gnubg's work.
    """

    def __init__(self, gnubg: Any, watch: Callable[[int, int], None] | None = None) -> None:
        self._gnubg = gnubg
        self._watch = watch
        # It is kept how plays look, as each question takes gnubg ten milliseconds at least.
        self._known: dict[tuple[GameState, Play, int], float] = {}

    @property
    def name(self) -> str:
        """`GNU Backgammon`; it does not tell Python its version."""
        return "GNU Backgammon"

    def rank(self, state: GameState, depth: Depth) -> tuple[RatedPlay, ...]:
        """See Engine; there are no rollouts."""
        _check(state, depth)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        done = 0
        kept: Sequence[Play] = plays
        left_out: list[RatedPlay] = []
        for plies in (*range(0, depth.plies, 2), depth.plies):
            rated = []
            for play in kept:
                rated.append(RatedPlay(play, self._equity(state, play, plies), f"{plies}-ply"))
                done += 1
                if self._watch:
                    self._watch(done, done + len(kept) - len(rated))
            rated.sort(key=lambda one: (-one.equity, -one.play.reached.off))
            count = len(rated) if plies == depth.plies else _filter(plies, depth).count(rated)
            left_out = rated[count:] + left_out
            rated = rated[:count]
            kept = [one.play for one in rated]
            if count <= 1 and depth.plays != 1:  # as gnubg does: there is nothing to compare
                break
        return (*rated, *left_out)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        _check(state, depth)
        board, cube = board_for_gnubg(state.position), self._cube(state, mover=state.player)
        answer = self._ask(self._gnubg.evaluate, board, cube, self._context(depth.plies, cubeful=0))
        win, gammon, backgammon, lose_gammon, lose_backgammon, cubeless = answer
        cubeful = self._ask(self._gnubg.cfevaluate, board, cube, self._context(depth.plies))[0]
        return Evaluation(
            (win, gammon, backgammon, lose_gammon, lose_backgammon), cubeless, cubeful
        )

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """The cube decision of the player of a state before he rolls."""
        _check(state, depth)
        board, cube = board_for_gnubg(state.position), self._cube(state, mover=state.player)
        answer = self._ask(self._gnubg.cfevaluate, board, cube, self._context(depth.plies))
        _, no_double, double_take = answer[:3]
        return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, str(depth))

    def _equity(self, state: GameState, play: Play, plies: int) -> float:
        key = state, play, plies
        if key not in self._known:
            board, cube = board_for_gnubg(play.after), self._cube(state, mover=state.player.other)
            answer = self._ask(self._gnubg.cfevaluate, board, cube, self._context(plies))
            self._known[key] = -answer[0]
        return self._known[key]

    def _context(self, plies: int, cubeful: int = 1) -> dict[str, Any]:
        context: dict[str, Any] = self._gnubg.evalcontext(cubeful, plies, 1, 1, 0.0)
        return context

    def _cube(self, state: GameState, mover: Player) -> dict[str, Any]:
        """The cube and the score, for gnubg; the player of the state is its player 0."""
        arguments, rules = cube_for_gnubg(state, mover)
        cube: dict[str, Any] = self._gnubg.cubeinfo(*arguments)
        return cube | rules

    def _ask(self, question: Callable[..., tuple[Any, ...]], *about: object) -> tuple[Any, ...]:
        try:
            return question(*about)
        except Exception as error:
            if type(error) is Exception:  # so gnubg says that it was interrupted
                raise KeyboardInterrupt from None
            raise EngineError(f"gnubg could not answer: {error}") from None


class _Filter(NamedTuple):
    """Which plays gnubg looks at deeper: the first few, and more that are nearly as good."""

    always: int
    more: int
    within: float

    def count(self, rated: Sequence[RatedPlay]) -> int:
        limit = rated[0].equity - self.within if rated else 0.0
        near = sum(one.equity >= limit for one in rated[: self.always + self.more])
        return max(near, min(self.always, len(rated)))


def _filter(plies: int, depth: Depth) -> _Filter:
    # As the child is told: so many plays, or gnubg's filter for analysis.
    if depth.plays:
        return _Filter(depth.plays, 0, 0.0)
    more, within = (4, 0.08) if plies else (16, 0.32)
    return _Filter(0, more, within)


def _check(state: GameState, depth: Depth) -> None:
    check_playable(state)
    if depth.trials:
        raise EngineError("rollouts are for gnubg's own rollout command")
