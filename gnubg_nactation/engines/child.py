"""GNU Backgammon as a child process: started once, asked often, never left behind."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from gnubg_nactation.backgammon.analysis import MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Evaluation, check_playable
from gnubg_nactation.engines.process import EndedError, Process, find_gnubg
from gnubg_nactation.engines.questions import (
    NODES_BEFORE,
    board_for_gnubg,
    commands_for,
    cube_for_gnubg,
    format_questions,
    read_answers,
)
from gnubg_nactation.engines.rating import rate_plays
from gnubg_nactation.errors import EngineError

__all__ = ["Gnubg"]

_AT_ONCE = {0: 200, 1: 50, 2: 10}  # states in one question, which then takes half a second or so
_TIMEOUT = 60.0  # seconds to wait for any answer, on a busy machine
_SECONDS = {0: 1.0, 1: 4.0, 2: 20.0, 3: 300.0, 4: 1800.0}  # that a state may take, at most
_SECONDS_OF_TRIAL = 0.5  # the same for one game of the rollout of a play


class Gnubg:
    """An engine that is a gnubg of its own, started when it is first needed.

    If gnubg ends before it has answered, it is started and asked once more; a program that proves
    not to be gnubg is not started again. Use it in a `with` statement, or `close` it. `threads`
    is how many processors one question may use.
    """

    def __init__(self, path: str | None = None, *, threads: int = 1) -> None:
        self._path = path or find_gnubg()
        self._threads = threads
        self._process: Process | None = None
        self._useless: EngineError | None = None

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start gnubg without waiting for it, so that it gets ready while other work is done."""
        if self._process is None:
            self._process = Process(self._path)

    def close(self) -> None:
        """End gnubg; a later question starts it again."""
        if self._process is not None:
            self._process.end()
            self._process = None

    @property
    def fingerprint(self) -> str:
        """What tells this program from others, an older version of itself included."""
        found = os.stat(self._path)
        return f"{os.path.realpath(self._path)}:{found.st_size}:{found.st_mtime_ns}"

    @property
    def name(self) -> str:
        """`GNU Backgammon` and its version."""
        return self._version(self._running())

    def rank(self, state: GameState, depth: Depth) -> tuple[RatedPlay, ...]:
        """See Engine; ValueError for a rollout that does not say of how many plays."""
        if depth.trials and not depth.plays:
            raise ValueError(f"of how many plays is a {depth} wanted?")
        check_playable(state)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        if not plays:
            return ()
        question = _analysis([state], depth, self._threads, whole=False)
        found = self._analyse(question)[0].play
        if found is None or not found.candidates:
            raise EngineError(f"gnubg did not analyse {state.roll}")
        return rate_plays(found.candidates, plays)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        check_playable(state)
        _, answer = self._ask(_evaluation(state, depth))
        try:
            *chances, cubeless = map(float, answer["cubeless"])
            win, gammon, backgammon, lose_gammon, lose_backgammon = chances
            cubeful = float(answer["cubeful"][0])
        except (KeyError, IndexError, TypeError, ValueError):
            raise EngineError("gnubg's answer cannot be read") from None
        return Evaluation(
            (win, gammon, backgammon, lose_gammon, lose_backgammon), cubeless, cubeful
        )

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        """What gnubg's `analyse match` says: the place of each state and its analysis.

        A state without a roll gets the cube alone. Plays have no rank. Nothing is rolled out:
        ValueError. Raises EngineError, or IllegalError if a game is over.
        """
        if depth.trials:
            raise ValueError("an analysis of many states is no rollout")
        for state in states:
            check_playable(state)
        size = _AT_ONCE.get(depth.plies, 1)
        for start in range(0, len(states), size):
            asked = states[start : start + size]
            question = _analysis(asked, depth, self._threads, whole=True)
            yield from enumerate(self._analyse(question), start)

    def _running(self) -> Process:
        if self._useless:
            raise self._useless
        if self._process is not None and self._process.ended:
            self.close()
        self.start()
        assert self._process is not None  # just started
        return self._process

    def _version(self, process: Process) -> str:
        """What the program says that it is; the same EngineError ever after if it does not."""
        try:
            return process.version()
        except EngineError as error:
            self.close()
            self._useless = error
            raise

    def _analyse(self, question: _Question) -> list[MoveAnalysis]:
        """What gnubg says of the states of a question."""
        process, answer = self._ask(question)
        try:
            saved = process.saved(str(answer.get("file")))
            return read_answers(saved, question.states, question.places)
        except EngineError:  # a program that talks nonsense is not asked any more
            self.close()
            raise

    def _ask(self, question: _Question) -> tuple[Process, dict[str, Any]]:
        """The answer, and who gave it."""
        try:
            process, answer = self._try(question)
        except EndedError:
            process, answer = self._try(question)
        if "error" in answer:
            raise EngineError(f"gnubg could not answer: {answer['error']}")
        return process, answer

    def _try(self, question: _Question) -> tuple[Process, dict[str, Any]]:
        process = self._running()
        self._version(process)
        try:
            process.send(question.text)
            return process, process.receive(question.seconds)
        except BaseException:  # an answer that comes later would be taken for another
            self.close()
            raise


class _Question(NamedTuple):
    text: str
    seconds: float  # to wait for the answer
    states: Sequence[GameState] = ()
    places: Sequence[int] = ()  # of the states in the answer


def _analysis(states: Sequence[GameState], depth: Depth, threads: int, *, whole: bool) -> _Question:
    """The question for an analysis: with the cube and luck if `whole`, else of plays alone."""
    sgf, places = format_questions(states)
    seconds = _TIMEOUT + len(states) * _SECONDS[depth.plies]
    if depth.trials:
        seconds += depth.plays * depth.trials * _SECONDS_OF_TRIAL * 4**depth.plies
    value = {
        "commands": commands_for(depth, whole=whole, threads=threads),
        "sgf": sgf,
        "rollout": depth.plays if depth.trials else 0,
        "nodes_before": NODES_BEFORE if depth.trials else 0,
    }
    return _Question(json.dumps(value), seconds, states, places)


def _evaluation(state: GameState, depth: Depth) -> _Question:
    cube, rules = cube_for_gnubg(state, state.player)
    value = {
        "board": board_for_gnubg(state.position),
        "cube": cube,
        "rules": rules,
        "plies": depth.plies,
    }
    return _Question(json.dumps(value), _TIMEOUT + _SECONDS[depth.plies])
