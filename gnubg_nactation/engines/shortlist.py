"""Looking deep only at the plays that matter: those that are good, or those that are asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Engine, Watch
from gnubg_nactation.values import replace

__all__ = ["MOST_PLAYS", "rank_best", "rank_named"]

_QUICK, _BEFORE_ROLLOUT = Depth(0), Depth(2)
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
