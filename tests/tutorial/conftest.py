"""What the tests of assumption share: real equities."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.process import find_gnubg
from gnubg_nactation.engines.sage import Sage
from gnubg_nactation.errors import EngineError
from gnubg_nactation.sequences.assumption import Equities, Evaluator


@pytest.fixture(scope="session")
def equities() -> Iterator[Evaluator]:
    """gnubg at 2 plies; skips where it is not installed, but not in CI, where it must be."""
    try:
        find_gnubg()
    except EngineError as error:
        pytest.fail(str(error)) if os.environ.get("CI") else pytest.skip(str(error))
    cache: dict[GameState, Equities] = {}
    with Gnubg() as gnubg:

        def ask(state: GameState) -> Equities:
            if state not in cache:
                rated = gnubg.rank(state, Depth(plies=2))
                cache[state] = {choice.play: choice.equity for choice in rated}
            return cache[state]

        yield ask


@pytest.fixture(scope="session")
def by_sage() -> Evaluator:
    """Open Sage as commands ask it; skips without the extra."""
    pytest.importorskip("bgsage", reason="the extra sage is not installed")
    sage, cache = Sage(), dict[GameState, Equities]()

    def ask(state: GameState) -> Equities:
        if state not in cache:
            rated = sage.rank(state, Depth(sage.bot.usual))
            cache[state] = {choice.play: choice.equity for choice in rated}
        return cache[state]

    return ask
