"""Looking deep only at the plays that matter: those that are good, or those that are asked for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Engine

__all__ = ["MOST_PLAYS", "rank_best", "rank_named"]

_QUICK = Depth(0)
_DOUBT = 0.16  # points by which a deep look changes the difference of two plays, nearly always
_SPARE = 4  # plays more than wanted that are looked at
_STEP = 4  # the number looked at is rounded up, so that answers serve again
MOST_PLAYS = 32  # plays looked at in depth, for the sake of doublets with hundreds


def rank_best(
    engine: Engine,
    state: GameState,
    depth: Depth,
    *,
    limit: int | None = None,
    within: float | None = None,
) -> tuple[RatedPlay, ...]:
    """The best plays, all looked at to the depth, best first; `within` in points.

    More come than `limit` and `within` let through: they are what the choice was made from.
    Raises IllegalError and EngineError as `Engine.rank` does.
    """
    quick = engine.rank(state, _QUICK)
    if depth == _QUICK:
        return quick
    count = len(quick)
    if within is not None:
        count = sum(quick[0].equity - one.equity <= within + _DOUBT for one in quick)
    if limit is not None:
        count = min(count, limit + _SPARE)
    return _rank(engine, state, depth, min(count, MOST_PLAYS))


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
