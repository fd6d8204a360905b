"""The engine of the page, asked in steps that are short enough not to delay a key.

Python in the page cannot be interrupted, except by starting it again. So a question that takes
longer than a step raises UnfinishedError, and the page asks it again, unless something else was
typed. What the engine has answered is remembered, so each step goes on where the last one ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from time import monotonic

from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.javascript import ask, open_in_page
from gnubg_nactation.values import Any

_STEP = 0.03  # seconds
_MAX_ANSWERS = 3000  # more than one question of the page needs


class UnfinishedError(Exception):
    """A step is over before the answer is complete."""


class _Steps:
    """Asks the engine until a step is over; answers given before take no time."""

    def __init__(self) -> None:
        self._answers: dict[Any, Sequence[float]] = {}
        self._is_new = False  # whether this step has had a new answer
        self._end = 0.0

    def begin(self, seconds: float) -> None:
        """Begin a step."""
        if len(self._answers) > _MAX_ANSWERS:
            self._answers.clear()
        self._is_new, self._end = False, monotonic() + seconds

    def ask(self, function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        """See compiled.Ask. Raises UnfinishedError; each step has one new answer at least."""
        key = function, tuple(question), arguments
        if key not in self._answers:
            if self._is_new and monotonic() > self._end:
                raise UnfinishedError
            self._answers[key] = ask(function, question, *arguments)
            self._is_new = True
        return self._answers[key]


@lru_cache(maxsize=1)
def _opened() -> tuple[_Steps, CompiledGnubg]:
    steps = _Steps()
    return steps, open_in_page(steps.ask)


def engine_for_a_step() -> CompiledGnubg:
    """The engine of the page, for a step that begins now; EngineError if there is none."""
    steps, engine = _opened()
    steps.begin(_STEP)
    return engine


def engine_without_end() -> CompiledGnubg:
    """The engine of the page, for as long as it takes."""
    steps, engine = _opened()
    steps.begin(inf)
    return engine
