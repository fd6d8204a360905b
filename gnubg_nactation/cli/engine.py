"""GNU Backgammon for the commands: which depth is wanted, and one gnubg for each process."""

from __future__ import annotations

import argparse
import atexit
import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.engines.cache import Cached

__all__ = ["DEFAULT_PLIES", "add_plies_option", "engine_of_process"]

DEFAULT_PLIES = 2  # as gnubg analyses
_MOST_PLIES = 4


def add_plies_option(group: argparse._ActionsContainer) -> None:
    """Declare how deep gnubg is to look."""
    group.add_argument(
        "--plies",
        type=int,
        choices=range(_MOST_PLIES + 1),
        metavar="N",
        help=f"how many plies gnubg looks ahead, 0 to {_MOST_PLIES} (default: {DEFAULT_PLIES})",
    )


@cache
def engine_of_process() -> Cached:
    """The gnubg of this process, which is started at its first question and ends with us.

    A worker of several leaves the other processors to them. Raises EngineError.
    """
    import multiprocessing

    from gnubg_nactation.engines.cache import Cached, open_store
    from gnubg_nactation.engines.child import Gnubg

    worker = multiprocessing.parent_process() is not None
    gnubg = Gnubg(threads=1 if worker else os.cpu_count() or 1)
    atexit.register(gnubg.close)
    store = open_store()
    atexit.register(store.close)
    return Cached(gnubg, store)
