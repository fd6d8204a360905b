"""Looking deep only at the plays that matter: those that are good, or those that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Engine, MoveFilter, Watch
from gnubg_nactation.values import replace

_QUICK, _BEFORE_ROLLOUT = Depth(0), Depth(2)  # rollouts are gnubg's alone
_DOUBT = 0.16  # points by which a deep look changes the difference of two plays, nearly always
_STEP = 4  # the number looked at is rounded up, so that answers serve again
MOST_PLAYS = 32  # plays looked at in depth, for the sake of doublets with hundreds


def rank_best(
    engine: Engine,
    state: GameState,
    depth: Depth,
    *,
    limit: int | None = None,
    within: float | None = None,
    watch: Watch | None = None,
) -> tuple[RatedPlay, ...]:
    """The best plays, all looked at to the depth, best first; `within` in points.

    More come than `limit` and `within` let through: they are what the choice was made from.
    `watch` sees how far a rollout is. Raises IllegalError and EngineError as `Engine.rank` does.
    """
    quick = engine.rank(state, _QUICK)
    if depth == _QUICK:
        return quick
    if depth.trials:  # which takes minutes: no more than the plays that look best at 2 plies
        looked = rank_best(engine, state, _BEFORE_ROLLOUT, limit=limit, within=within)
        count = _count(looked, limit, within)
        return engine.rank(state, replace(depth, plays=min(count, MOST_PLAYS)), watch)[:count]
    doubtful = None if within is None else within + _DOUBT
    if limit is not None and limit < len(quick):
        doubtful = quick[0].equity - quick[limit - 1].equity + _DOUBT
    return _rank(engine, state, depth, min(_count(quick, None, doubtful), MOST_PLAYS))


def _count(rated: Sequence[RatedPlay], limit: int | None, within: float | None) -> int:
    """How many plays the limits let through."""
    count = len(rated)
    if within is not None:
        count = sum(rated[0].equity - one.equity <= within for one in rated)
    return count if limit is None else min(count, limit)


def rank_named(
    engine: Engine, state: GameState, depth: Depth, plays: Collection[Play]
) -> tuple[RatedPlay, ...]:
    """The best plays and all of `plays`, looked at to the depth, best first."""
    quick = engine.rank(state, _QUICK)
    if depth == _QUICK:
        return quick
    named = [rank for rank, one in enumerate(quick, 1) if one.play in plays]
    best = sum(quick[0].equity - one.equity <= _DOUBT for one in quick)
    return _rank(engine, state, depth, max([min(best, MOST_PLAYS), *named]))


def _rank(engine: Engine, state: GameState, depth: Depth, count: int) -> tuple[RatedPlay, ...]:
    rounded = -(-count // _STEP) * _STEP
    rated = engine.rank(state, replace(depth, plays=rounded))
    return rated[:rounded]


def deepen(
    plays: Sequence[Play],
    depth: Depth,
    steps: Sequence[int],
    rate: Callable[[Sequence[Play], int], Sequence[RatedPlay]],
) -> tuple[RatedPlay, ...]:
    """All plays, looked at in steps of so many plies, each with those that the last one kept.

    `rate` looks at plays with so many plies; the last of the `steps` is the depth itself, whose
    filter says how many are kept. Best first; what was left out stands behind.
    """
    kept = plays
    left_out: list[RatedPlay] = []
    rated: list[RatedPlay] = []
    for at, plies in enumerate(steps):
        rated = sorted(rate(kept, plies), key=lambda one: (-one.equity, -one.play.reached.off))
        count = len(rated) if plies == steps[-1] else _let_through(rated, depth.filter(at))
        rated, left_out = rated[:count], rated[count:] + left_out
        kept = [one.play for one in rated]
        if count <= 1 and depth.plays != 1:  # as gnubg does: there is nothing to compare
            break
    return (*rated, *left_out)


def _let_through(rated: Sequence[RatedPlay], kept: MoveFilter) -> int:
    """How many plays the filter lets through."""
    limit = rated[0].equity - kept.within if rated else 0.0
    near = sum(one.equity >= limit for one in rated[: kept.always + kept.more])
    return max(near, min(kept.always, len(rated)))
