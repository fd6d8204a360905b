"""`--engine`: whose judgement is asked where the rules leave something to assume."""

from __future__ import annotations

import argparse

from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.assumption import Equities

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

    Nothing is started before it is asked. Raises NactationError if gnubg is required and missing.
    """
    if options.engine == GNUBG:
        raise NactationError("--engine gnubg: no GNU Backgammon was found")
    return None
