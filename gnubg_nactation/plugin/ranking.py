"""The best plays of the roll on gnubg's board, as gnubg sees them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import MOST_PLIES, Depth
from gnubg_nactation.engines.inside import InsideGnubg
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.bots import gnubg_suffix
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nacbrac import USUAL_LEAST, USUAL_WITHIN, format_nacbrac, nacbrac_of
from gnubg_nactation.language.preference import preferred
from gnubg_nactation.language.score import score_of
from gnubg_nactation.plugin.board import state_on_board
from gnubg_nactation.plugin.program import gnubg_module, spoken

__all__ = ["best", "nacbrac"]

_PATIENCE = 0.5  # seconds before progress is shown


@spoken
def nacbrac(
    plies: int | None = None, *, limit: int | None = None, within: float | None = None
) -> str:
    """Print the best plays of the roll on the board, and what each other one loses.

    gnubg looks so many `plies` ahead, or as many as it is set to. Shown are the best `limit`
    plays, or those that lose no more than `within` points (else 0.1, and two plays at least).
    """
    if (limit is not None and limit < 1) or (within is not None and within < 0):
        raise NactationError("a nacbrac has one play at least")
    gnubg = gnubg_module()
    state, depth = _state_to_play(gnubg), _depth(gnubg, plies)
    usual = limit is None and within is None
    reach = USUAL_WITHIN if usual else within
    with _progress(gnubg) as watch:
        rated = rank_best(InsideGnubg(gnubg, watch), state, depth, limit=limit, within=reach)
    families = Families(legal_plays(state.position, rated[0].play.roll))
    least = USUAL_LEAST if usual else 0
    found = nacbrac_of(rated, families, limit=limit, within=reach, least=least)
    found = replace(found, score=score_of(state), suffix=gnubg_suffix(depth.plies))
    return f"{state.roll} {format_nacbrac(found)}"


@spoken
def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity.

    gnubg looks so many `plies` ahead, or as many as it is set to.
    """
    gnubg = gnubg_module()
    state, depth = _state_to_play(gnubg), _depth(gnubg, plies)
    with _progress(gnubg) as watch:
        first = rank_best(InsideGnubg(gnubg, watch), state, depth, limit=1)[0]
    families = Families(legal_plays(state.position, first.play.roll))
    nactation = preferred(first.play, families).naming.nactation
    return (
        f"{state.roll}{nactation}  {format_play(first.play)}  {first.equity:+.3f}"
        f"  (gnubg {first.method})"
    )


def _state_to_play(gnubg: Any) -> GameState:
    """What is on gnubg's board, where there is a roll that can be played; else NactationError."""
    state = state_on_board(gnubg)
    if state.doubled:
        raise NactationError("the cube is offered, which is to be answered first")
    if state.roll is None:
        raise NactationError("no dice are rolled; `set dice 31` sets them")
    if not legal_plays(state.position, state.roll):
        raise NactationError(f"nothing can be played with {state.roll}")
    return state


def _depth(gnubg: Any, plies: int | None) -> Depth:
    if plies is None:
        plies = min(gnubg.evalcontext()["plies"], MOST_PLIES)  # the user's own setting
    if plies not in range(MOST_PLIES + 1):
        raise NactationError(f"plies are 0 to {MOST_PLIES}")
    return Depth(plies)


@contextmanager
def _progress(gnubg: Any) -> Iterator[Callable[[int, int], None]]:
    """Show how far the work is, if it takes a while, and keep gnubg's window alive."""
    start, width = time.monotonic(), 0

    def watch(done: int, total: int) -> None:
        nonlocal width
        if time.monotonic() > start + _PATIENCE:
            gnubg.updateui()
            if sys.stdout.isatty():
                text = f"Considering play {done} of {total}"
                width = max(width, len(text))
                sys.stdout.write(f"\r{text:{width}}")
                sys.stdout.flush()

    try:
        yield watch
    finally:
        if width:
            sys.stdout.write(f"\r{'':{width}}\r")
            sys.stdout.flush()
