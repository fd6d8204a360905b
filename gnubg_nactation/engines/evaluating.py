"""The evaluator of plays that an engine gives to readings of a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Engine
from gnubg_nactation.engines.registry import open_engine
from gnubg_nactation.sequences.assumption import Evaluator, NamedEquities


def evaluate(engine: Engine, state: GameState) -> NamedEquities:
    """The equities of all plays of a state's roll, with the name of the engine and its depth."""
    depth = engine.bot.depth()
    rated = engine.rank(state, depth)
    return NamedEquities({play.play: play.equity for play in rated}, engine.bot.label(depth))


@contextmanager
def evaluator() -> Iterator[Evaluator]:
    """Open the engine that is installed, for the readings of a sequence. Raises EngineError."""
    with closing(open_engine(threads=1)) as engine:
        yield lambda state: evaluate(engine, state)
