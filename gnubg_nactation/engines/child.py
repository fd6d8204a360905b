"""GNU Backgammon as a child process: started once, asked often, never left behind."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.rating import rate_plays
from gnubg_nactation.engines.engine import (
    GNUBG,
    Depth,
    Evaluation,
    Report,
    Watch,
    check_cube,
    check_playable,
)
from gnubg_nactation.engines.process import EndedError, Process, find_gnubg
from gnubg_nactation.engines.questions import (
    NODES_BEFORE,
    about_position,
    commands_for,
    format_questions,
    read_answers,
    read_cube,
    read_evaluation,
)
from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import counted
from gnubg_nactation.values import Any, NamedTuple

# States in one question, which then takes half a second at most. What is read of the last answer
# when gnubg has nothing more to do is time lost.
_AT_ONCE = {0: 25, 1: 50, 2: 10}
_TIMEOUT = 60.0  # seconds to wait for any answer, on a busy machine
_SECONDS = {0: 1.0, 1: 4.0, 2: 20.0, 3: 300.0, 4: 1800.0}  # that a state may take, at most
_SECONDS_OF_TRIAL = 0.5  # the same for one game of the rollout of a play


class _Asked(NamedTuple):
    """A question about states, with what it takes to read the answer; see `read_answers`."""

    states: Sequence[GameState]
    places: Sequence[int]
    question: dict[str, Any]
    seconds: float


class Gnubg:
    """An engine that is a gnubg of its own, started when it is first needed.

    If gnubg ends before it has answered, it is started and asked once more; a program that proves
    not to be gnubg is not started again. Use it in a `with` statement, or `close` it. `threads`
    is how many processors one question may use. `process` is one of the program that was started
    before, and is the engine's from now on. `report` is as in `Process`.
    """

    bot = GNUBG

    def __init__(
        self,
        path: str | None = None,
        *,
        threads: int = 1,
        process: Process | None = None,
        report: Report | None = None,
    ) -> None:
        self._path = path or find_gnubg()
        self._threads = threads
        self._process = process
        self._report = report
        self._useless: EngineError | None = None

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start gnubg without waiting for it, so that it gets ready while other work is done."""
        if self._process is None:
            self._process = Process(self._path, self._report)

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
        return self._running().version()

    def rank(
        self, state: GameState, depth: Depth, watch: Watch | None = None
    ) -> tuple[RatedPlay, ...]:
        """See Engine; ValueError for a rollout that does not say of how many plays."""
        if depth.trials and not depth.plays:
            raise ValueError(f"of how many plays is a {depth} wanted?")
        check_playable(state)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        if not plays:
            return ()
        asked = self._about([state], depth, whole=False)
        found = self._read(asked, self._answer(asked, watch=watch))[0].play
        if found is None or not found.candidates:
            raise EngineError(f"gnubg did not analyse {state.roll}")
        return rate_plays(found.candidates, plays)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        check_playable(state)
        return read_evaluation(self._evaluate(state, depth))

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        check_cube(state)
        return read_cube(self._evaluate(state, depth), depth)

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
        parts = (states[start : start + size] for start in range(0, len(states), size))
        questions = (self._about(part, depth, whole=True) for part in parts)
        asked = next(questions, None)
        process = asked and self._send(asked)
        done = 0
        while asked:  # gnubg works on the next question while the answer to the last is read
            following = next(questions, None)
            data = self._answer(asked, process)
            process = following and self._send(following)
            yield from enumerate(self._read(asked, data), done)
            done += len(asked.states)
            asked = following

    def _evaluate(self, state: GameState, depth: Depth) -> Any:
        question = about_position(state, depth.plies) | {"topic": str(depth)}
        return self._ask(question, _TIMEOUT + _SECONDS[depth.plies])[1].get("evaluation")

    def _about(self, states: Sequence[GameState], depth: Depth, *, whole: bool) -> _Asked:
        """A question about states: with the cube and luck if `whole`, else of plays alone."""
        sgf, places = format_questions(states)
        seconds = _TIMEOUT + len(states) * _SECONDS[depth.plies]
        if depth.trials:
            seconds += depth.plays * depth.trials * _SECONDS_OF_TRIAL * 4**depth.plies
        what = counted(len(states), "position") if len(states) > 1 else states[0].roll or "cube"
        question = {
            "topic": f"{what}, {depth}",
            "commands": commands_for(depth, whole=whole, threads=self._threads),
            "plies": depth.plies,
            "sgf": sgf,
            "rollout": depth.plays if depth.trials else 0,
            "trials": depth.trials,
            "nodes_before": NODES_BEFORE if depth.trials else 0,
        }
        return _Asked(states, places, question, seconds)

    def _send(self, asked: _Asked) -> Process:
        """Ask without waiting; the process that is to answer."""
        process = self._running()
        process.send(asked.question)
        return process

    def _answer(
        self, asked: _Asked, sent_to: Process | None = None, watch: Watch | None = None
    ) -> bytes:
        """What gnubg made of a question, which it may have got before."""
        process, _ = self._ask(asked.question, asked.seconds, sent_to, watch)
        with self._closed_at_nonsense():
            return process.saved()

    def _read(self, asked: _Asked, data: bytes) -> list[MoveAnalysis]:
        with self._closed_at_nonsense():
            return read_answers(data, asked.states, asked.places)

    @contextmanager
    def _closed_at_nonsense(self) -> Iterator[None]:
        try:
            yield
        except EngineError:  # a program that talks nonsense is not asked any more
            self.close()
            raise

    def _ask(
        self,
        question: dict[str, Any],
        seconds: float,
        sent_to: Process | None = None,
        watch: Watch | None = None,
        *,
        again: bool = True,
    ) -> tuple[Process, dict[str, Any]]:
        """The answer, and who gave it: the process that has got the question before, if any."""
        waiting = sent_to is not None and sent_to is self._process  # else it was ended since
        process = sent_to if waiting and sent_to else self._running()
        try:
            answer = process.answer(seconds) if waiting else process.ask(question, seconds, watch)
        except BaseException as error:  # an answer that comes later would be taken for another
            self.close()
            if again and isinstance(error, EndedError):
                return self._ask(question, seconds, watch=watch, again=False)
            raise
        if "error" in answer:
            raise EngineError(f"gnubg could not answer: {answer['error']}")
        return process, answer

    def _running(self) -> Process:
        """The process, once it has said that it is gnubg; the same EngineError if it never does."""
        if self._useless:
            raise self._useless
        if self._process is not None and (self._process.ended or self._process.busy):
            self.close()  # its answer would be taken for another
        self.start()
        assert self._process is not None  # just started
        try:
            self._process.version()
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                self._useless = error
            raise
        return self._process
