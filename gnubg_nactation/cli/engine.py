"""GNU Backgammon for the commands: how deep it looks, when it is asked, one for each process."""

from __future__ import annotations

import argparse
import atexit
import os
import threading
from typing import TYPE_CHECKING

from gnubg_nactation.engines.engine import MOST_PLIES, Depth
from gnubg_nactation.errors import EngineError

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.state import GameState
    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.sequences.assumption import Equities, Evaluator

__all__ = [
    "AUTO",
    "DEFAULT_PLIES",
    "GNUBG",
    "NONE",
    "add_engine_option",
    "add_plies_option",
    "equities_of",
    "own_engine",
]

AUTO, GNUBG, NONE = "auto", "gnubg", "none"
DEFAULT_PLIES = 2  # as gnubg analyses


def add_plies_option(group: argparse._ActionsContainer) -> None:
    """Declare how deep gnubg is to look."""
    group.add_argument(
        "--plies",
        type=int,
        choices=range(MOST_PLIES + 1),
        metavar="N",
        help=f"how many plies gnubg looks ahead, 0 to {MOST_PLIES} (default: {DEFAULT_PLIES})",
    )


def add_engine_option(parser: argparse.ArgumentParser) -> None:
    """Declare whose judgement is asked where the rules leave something to assume."""
    parser.add_argument(
        "--engine",
        choices=(AUTO, GNUBG, NONE),
        default=AUTO,
        help="what orders the plays that a character may mean where something has to be assumed: "
        "`auto` (GNU Backgammon if it is there, else a rule of thumb), `gnubg` (it must be there, "
        "and strict readings that are far worse than a natural one come second) or `none`",
    )


def equities_of(options: argparse.Namespace) -> Evaluator | None:
    """What tells equities by the option, None for the rule of thumb.

    gnubg is started when it is first asked. If it is required, EngineError says what is wrong
    with it, at once or later; else it is done without.
    """
    if options.engine == NONE:
        return None
    from gnubg_nactation.engines.process import find_gnubg

    try:
        find_gnubg()
    except EngineError:
        if options.engine == GNUBG:
            raise
        return None

    def equities(state: GameState) -> Equities | None:
        try:
            rated = own_engine().rank(state, Depth(DEFAULT_PLIES))
        except EngineError:
            if options.engine == GNUBG:
                raise
            return None
        return {one.play: one.equity for one in rated}

    return equities


def own_engine() -> Cached:
    """The gnubg of this thread, which is started at its first question and ends with us.

    Raises EngineError if there is no gnubg.
    """
    if not hasattr(_of_thread, "engine"):
        _of_thread.engine = _start()
    engine: Cached = _of_thread.engine
    return engine


_of_thread = threading.local()  # no two threads may ask one gnubg


def _start() -> Cached:
    import multiprocessing

    from gnubg_nactation.engines.cache import Cached, open_store
    from gnubg_nactation.engines.child import Gnubg

    worker = multiprocessing.parent_process() is not None  # of several, for the other processors
    gnubg = Gnubg(threads=1 if worker else os.cpu_count() or 1)
    atexit.register(gnubg.close)
    store = open_store()
    atexit.register(store.close)
    return Cached(gnubg, store)
