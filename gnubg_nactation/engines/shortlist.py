"""Deep searches of only the plays that matter: the best ones, or those that a caller names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Engine, MoveFilter, Ranking, Watch
from gnubg_nactation.values import replace

_QUICK, BEFORE_ROLLOUT = Depth(0), Depth(2)
_MARGIN = 0.16  # points; a deep search rarely changes the difference of two plays by more
_STEP = 4  # numbers of plays are rounded up, so that more cached answers match
MAX_PLAYS = 32  # plays to search deeply, as doublets may have hundreds


def rank_best(  # noqa: PLR0913 - options by keyword
    engine: Engine,
    state: GameState,
    depth: Depth,
    *,
    limit: int | None = None,
    within: float | None = None,
    watch: Watch | None = None,
    step: int = _STEP,
) -> Ranking:
    """The best plays, all searched to the depth, best first; `within` is in points.

    There are more than `limit` and `within` let through: all plays from which these were chosen,
    and others up to a multiple of `step`. `watch` follows a rollout. Raises IllegalError and
    EngineError like `Engine.rank`.
    """
    quick = engine.rank(state, _QUICK)
    if depth == _QUICK:
        return quick
    if depth.trials:  # a rollout takes minutes: only of the best plays at 2 plies
        count = len(plays_before_rollout(engine, state, limit=limit, within=within))
        return engine.rank(state, replace(depth, plays=count), watch)[:count]
    reach = None if within is None else within + _MARGIN
    if limit is not None and limit < len(quick):
        reach = quick[0].equity - quick[limit - 1].equity + _MARGIN
    return _rank(engine, state, depth, min(_count(quick, None, reach), MAX_PLAYS), step)


def plays_before_rollout(
    engine: Engine, state: GameState, *, limit: int | None = None, within: float | None = None
) -> Ranking:
    """The plays that a rollout compares, as a 2-ply search ranks them."""
    best = rank_best(engine, state, BEFORE_ROLLOUT, limit=limit, within=within)
    return best[: min(_count(best, limit, within), MAX_PLAYS)]


def _count(rated: Sequence[RatedPlay], limit: int | None, within: float | None) -> int:
    """How many plays the limits let through."""
    count = len(rated)
    if within is not None:
        count = sum(rated[0].equity - play.equity <= within for play in rated)
    return count if limit is None else min(count, limit)


def rank_named(engine: Engine, state: GameState, depth: Depth, plays: Collection[Play]) -> Ranking:
    """The best plays and all of `plays`, searched to the depth, best first."""
    quick = engine.rank(state, _QUICK)
    if depth == _QUICK:
        return quick
    ranks = [rank for rank, rated in enumerate(quick, 1) if rated.play in plays]
    best = _count(quick, None, _MARGIN)
    return _rank(engine, state, depth, max([min(best, MAX_PLAYS), *ranks]))


def _rank(engine: Engine, state: GameState, depth: Depth, count: int, step: int = _STEP) -> Ranking:
    rounded = -(-count // step) * step
    rated = engine.rank(state, replace(depth, plays=rounded))
    return rated[:rounded]


def deepen(
    plays: Sequence[Play],
    depth: Depth,
    steps: Sequence[int],
    rate: Callable[[Sequence[Play], int], Sequence[RatedPlay]],
    cubeless: Callable[[Play], float] = lambda _: 0.0,
) -> Ranking:
    """All plays, best first, from searches of increasing plies (`steps`, up to the depth's own).

    `rate` searches plays to a number of plies. After each step the depth's filter decides which
    plays the next one searches; the others come last. `cubeless` decides between
    plays with the same equity, as in gnubg: all plays after which the opponent cashes are equal.
    """
    pool = plays
    left_out: list[RatedPlay] = []
    rated: list[RatedPlay] = []
    for at, plies in enumerate(steps):
        rated = sorted(
            rate(pool, plies),
            key=lambda play: (-play.equity, -cubeless(play.play), -play.play.reached.off),
        )
        count = len(rated) if plies == steps[-1] else _let_through(rated, depth.filter(at))
        rated, left_out = rated[:count], rated[count:] + left_out
        pool = [play.play for play in rated]
        if count <= 1 and depth.plays != 1:  # nothing to compare; gnubg stops here as well
            break
    return (*rated, *left_out)


def _let_through(rated: Sequence[RatedPlay], move_filter: MoveFilter) -> int:
    limit = rated[0].equity - move_filter.within if rated else 0.0
    near = sum(play.equity >= limit for play in rated[: move_filter.always + move_filter.more])
    return max(near, min(move_filter.always, len(rated)))
