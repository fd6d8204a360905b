"""The best plays and cube actions on gnubg's board, according to gnubg."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation.backgammon.match import Double
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Listing
from gnubg_nactation.decisions.nacbrac import nacbrac_text
from gnubg_nactation.engines.engine import MAX_PLIES, Depth
from gnubg_nactation.engines.inside import InsideGnubg
from gnubg_nactation.engines.nacbracs import judge, judge_cube, plays_to_judge
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.board import shown_state
from gnubg_nactation.plugin.program import gnubg_module
from gnubg_nactation.plugin.saved import Loaded
from gnubg_nactation.plugin.window import find_window, show_status
from gnubg_nactation.values import Any, replace

_NO_ROLL = "no dice on the board; roll them, or choose a move with a roll"
_QUIET = 0.5  # seconds before progress is shown


def nacbrac(
    plies: int | None = None,
    *,
    limit: int | None = None,
    within: float | None = None,
    cube: bool = False,
    all: bool = False,  # noqa: A002 (a word for users)
) -> str:
    """Print the best plays of the roll on the board, with their errors."""
    if (limit is not None and limit < 1) or (within is not None and within < 0):
        raise NactationError("limit must be at least 1, and within at least 0")
    gnubg = gnubg_module()
    state, loaded = shown_state(gnubg)
    depth = _depth(gnubg, plies)
    if state.doubled and _is_beaver(loaded):
        raise NactationError("beavers cannot be judged")
    if not all and (cube or state.doubled or (state.roll is None and state.may_double)):
        return _judge_cube(gnubg, state, depth)
    if state.doubled:
        raise NactationError("answer the double first")
    if state.roll is None and not all:
        raise NactationError(_NO_ROLL)

    def line(state: GameState, label: str) -> str:
        with _progress(gnubg, label) as watch:
            decision = judge(InsideGnubg(gnubg, watch), state, depth, Listing(limit, within))
        return f"{state.roll} {nacbrac_text(decision)}"

    if not all:
        return line(state, "play")
    return "\n".join(
        line(replace(state, roll=roll), f"{roll}, play")
        if legal_plays(state.position, roll)
        else f"{roll}^"
        for roll in ROLLS
    )


def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity."""
    gnubg = gnubg_module()
    state, _ = shown_state(gnubg)
    depth = _depth(gnubg, plies)
    if state.doubled:
        raise NactationError("answer the double first")
    if state.roll is None:
        raise NactationError(_NO_ROLL)
    plays = plays_to_judge(state)
    with _progress(gnubg, "play") as watch:
        first = rank_best(InsideGnubg(gnubg, watch), state, depth, limit=1)[0]
    nactation = plays.name(first.play).naming.nactation
    return (
        f"{state.roll}{nactation}  {format_play(first.play)}  {first.equity:+.3f}"
        f"  (gnubg {first.method})"
    )


def _is_beaver(loaded: Loaded) -> bool:
    """Whether the double on offer answers a double."""
    game, passed = loaded.place
    earlier = loaded.record.match.games[game].actions[max(passed - 2, 0) : passed]
    return len(earlier) > 1 and all(isinstance(action, Double) for action in earlier)


def _judge_cube(gnubg: Any, state: GameState, depth: Depth) -> str:
    """The nacbrac of the cube, for the player on roll or the doubler."""
    return f"cube {nacbrac_text(judge_cube(InsideGnubg(gnubg), state, depth))}"


def _depth(gnubg: Any, plies: int | None) -> Depth:
    if plies is None:
        own: int = gnubg.evalcontext()["plies"]  # the user's setting
        plies = min(own, MAX_PLIES)
    if plies not in range(MAX_PLIES + 1):
        raise NactationError(f"plies must be 0 to {MAX_PLIES}")
    return Depth(plies)


@contextmanager
def _progress(gnubg: Any, label: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress if the work takes a while, and keep gnubg's window responsive."""
    start, width = time.monotonic(), 0
    window = find_window()

    def watch(done: int, total: int) -> None:
        nonlocal width
        if time.monotonic() > start + _QUIET:
            text = f"Considering {label} {done} of {total}"
            if window:
                show_status(window, text)
            elif sys.stdout and sys.stdout.isatty():
                width = max(width, len(text))
                sys.stdout.write(f"\r{text:{width}}")
                sys.stdout.flush()
            gnubg.updateui()

    try:
        yield watch
    finally:
        if width:
            sys.stdout.write(f"\r{'':{width}}\r")
            sys.stdout.flush()
