"""GNU Backgammon for the commands: how deep it looks, and when it is asked."""

from __future__ import annotations

from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from gnubg_nactation.backgammon.state import GameState
    from gnubg_nactation.cli.streams import Streams
    from gnubg_nactation.sequences.assumption import Equities, Evaluator

__all__ = [
    "AUTO",
    "DEFAULT_PLIES",
    "GNUBG",
    "NONE",
    "add_engine_option",
    "add_plies_option",
    "equities_of",
]

AUTO, GNUBG, NONE = "auto", "gnubg", "none"
DEFAULT_PLIES = 2  # as gnubg analyses


def add_plies_option(group: argparse._ActionsContainer) -> None:
    """Declare how deep gnubg is to look."""
    from gnubg_nactation.engines.engine import MOST_PLIES

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


def equities_of(options: argparse.Namespace, streams: Streams) -> Evaluator | None:
    """What shows equities by the options, None for the rule of thumb.

    gnubg is started when it is first asked, and a terminal shows each question. If it is
    required, EngineError says what is wrong with it, at once or later; else it is done without.
    """
    from itertools import count

    from gnubg_nactation.cli.progress import waiting
    from gnubg_nactation.engines.engine import Depth

    if options.strict or options.engine == NONE:
        return None
    if options.engine == GNUBG:
        options.open_engine()

    questions = count(1)

    def equities(state: GameState) -> Equities | None:
        try:
            with waiting(streams, f"asking gnubg, question {next(questions)}"):
                rated = options.open_engine().rank(state, Depth(DEFAULT_PLIES))
        except EngineError:
            if options.engine == GNUBG:
                raise
            return None
        return {one.play: one.equity for one in rated}

    return equities
