"""`--engine`: whose judgement is asked where the rules leave something to assume."""

from __future__ import annotations

import argparse

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import EngineError
from gnubg_nactation.language.assumption import Equities, Values

__all__ = ["AUTO", "GNUBG", "NONE", "add_engine_option", "equities_of"]

AUTO, GNUBG, NONE = "auto", "gnubg", "none"


def add_engine_option(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--engine",
        choices=(AUTO, GNUBG, NONE),
        default=AUTO,
        help="what orders the plays that a character may mean where something has to be assumed: "
        "`auto` (GNU Backgammon if it is there, else a rule of thumb), `gnubg` (it must be there, "
        "and strict readings that are far worse than a natural one come second) or `none`",
    )


def equities_of(options: argparse.Namespace) -> Equities | None:
    """What tells equities by the option, None for the rule of thumb.

    gnubg is started when it is first asked. Raises EngineError if it is required and missing.
    """
    if options.engine == NONE:
        return None
    from gnubg_nactation.cli.engine import DEFAULT_PLIES, engine_of_process
    from gnubg_nactation.engines.process import find_gnubg

    try:
        find_gnubg()
    except EngineError:
        if options.engine == GNUBG:
            raise
        return None

    def equities(state: GameState) -> Values:
        from gnubg_nactation.engines.engine import Depth

        rated = engine_of_process().rank(state, Depth(plies=DEFAULT_PLIES))
        return {one.play: one.equity for one in rated}

    return equities
