"""The options for an engine, and the equities that it gives to readings of a sequence."""

from __future__ import annotations

from itertools import count

from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.engine import GNUBG, MAX_BUILTIN_PLIES, MAX_PLIES, SAGE
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from gnubg_nactation.backgammon.state import GameState
    from gnubg_nactation.cli.streams import Streams
    from gnubg_nactation.sequences.assumption import Equities, Evaluator

AUTO, BOOK, NONE = "auto", registry.BOOK, "none"


def add_plies_option(group: argparse._ActionsContainer) -> None:
    """Declare --plies, the search depth."""
    group.add_argument(
        "--plies",
        type=int,
        choices=range(MAX_PLIES + 1),
        metavar="N",
        help=f"search depth in plies (gnubg 0-{MAX_PLIES}, builtin 0-{MAX_BUILTIN_PLIES}, "
        f"default {GNUBG.usual}; sage 1-{MAX_PLIES}, default {SAGE.usual})",
    )


def add_assume_options(group: argparse._ActionsContainer, *, book: bool = False) -> None:
    """Declare --assume and its engine, which chooses the play that a character leaves open.

    With `book`, the engine also rates plays.
    """
    group.add_argument(
        "--assume",
        action="store_true",
        help="let the engine choose plays that are not named in full (default: read to the letter)",
    )
    _add_engine(
        group,
        "engine for equities and --assume; naming one implies --assume "
        "(auto: gnubg, builtin or sage)",
        book=book,
    )


def add_engine_option(group: argparse._ActionsContainer) -> None:
    """Declare the engine that rates plays."""
    _add_engine(group, "engine for equities (auto: gnubg, builtin or sage)", book=True)


def add_analyst_options(group: argparse._ActionsContainer) -> None:
    """Declare the engine of --analyse, and its depth."""
    _add_engine(
        group,
        "engine of --analyse (auto: gnubg, builtin or sage; none: do not analyse)",
    )
    add_plies_option(group)


def _add_engine(group: argparse._ActionsContainer, words: str, *, book: bool = False) -> None:
    names = [entry.name for entry in registry.ENGINES]
    if book:
        names.append(BOOK)
        words += "; book: the opening book of this program"
        group.set_defaults(falls_back_on_book=True)
    group.add_argument("--engine", choices=(AUTO, *names, NONE), default=AUTO, help=words)


def analyse_conflict(options: Any, defaults: Sequence[tuple[str, object]]) -> str:
    """Return an error if an option does nothing without --analyse; empty if there is none.

    `defaults` are such options with their defaults.
    """
    if options.analyse or options.engine == NONE:
        return ""
    names = (name for name, default in defaults if getattr(options, name) != default)
    return next((f"--{name} goes with --analyse" for name in names), "")


def names_engine(options: argparse.Namespace) -> bool:
    """Whether the options name an engine. One other than the book implies --assume."""
    return options.engine not in {AUTO, NONE}


def equities_of(options: argparse.Namespace, streams: Streams) -> Evaluator | None:
    """Return the evaluator of --assume; None if sequences are read to the letter.

    A terminal shows each question. Raises EngineError, now or at a question.
    """
    names_evaluator = names_engine(options) and options.engine != BOOK
    if options.strict or not (options.assume or names_evaluator):
        return None
    from gnubg_nactation.engines.evaluating import evaluate

    engine = options.open_engine()
    questions = count(1)

    def equities(state: GameState) -> Equities:
        with waiting(streams, f"asking {engine.bot.name}, question {next(questions)}"):
            return evaluate(engine, state)

    return equities
