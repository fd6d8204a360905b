"""GNU Backgammon as an engine in a child process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import rate_plays
from gnubg_nactation.engines.engine import (
    GNUBG,
    Analyses,
    Depth,
    Evaluation,
    Ranking,
    Report,
    Watch,
    check_cube,
    check_playable,
    plays_of,
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

# States in one question, by plies. It then takes at most half a second: gnubg is idle while the
# last answer is read.
_BATCHES = {0: 25, 1: 50, 2: 10}
_TIMEOUT = 60.0  # seconds to wait for any answer, on a busy machine
_STATE_SECONDS = {0: 1.0, 1: 4.0, 2: 20.0, 3: 300.0, 4: 1800.0}  # at most for a state, by plies
_TRIAL_SECONDS = 0.5  # at most for one game of the rollout of a play


class _Question(NamedTuple):
    """A question about states. `order` is theirs in the answer; see `read_answers`."""

    states: Sequence[GameState]
    order: Sequence[int]
    body: dict[str, Any]
    seconds: float


class Gnubg:
    """An engine that starts gnubg at the first question; `close` it, or use a `with` statement.

    If gnubg ends before it has answered, it is started and asked a second time; a program that is
    not gnubg is not started again. `threads` is the number of processors for one question.
    `process` is a running gnubg that the engine takes over. `report` is as in `Process`.
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
        """Start gnubg without waiting until it is ready."""
        if self._process is None:
            self._process = Process(self._path, self._report)

    def close(self) -> None:
        """End gnubg; a later question starts it again."""
        if self._process is not None:
            self._process.end()
            self._process = None

    @property
    def fingerprint(self) -> str:
        """The path, size and time of the program, which change with its version."""
        status = os.stat(self._path)
        return f"{os.path.realpath(self._path)}:{status.st_size}:{status.st_mtime_ns}"

    @property
    def name(self) -> str:
        """`GNU Backgammon` and its version."""
        return self._running().version()

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:
        """See Engine; ValueError for a rollout without a number of plays."""
        if depth.trials and not depth.plays:
            raise ValueError(f"a {depth} needs a number of plays")
        check_playable(state)
        if not (plays := plays_of(state)):
            return ()
        question = self._about([state], depth, whole=False)
        analysis = self._read(question, self._answer(question, watch=watch))[0].play
        if analysis is None or not analysis.candidates:
            raise EngineError(f"gnubg did not analyse {state.roll}")
        return rate_plays(analysis.candidates, plays)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        check_playable(state)
        return read_evaluation(self._evaluate(state, depth))

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        check_cube(state)
        return read_cube(self._evaluate(state, depth), depth)

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """The index of each state and its analysis by gnubg's `analyse match`.

        A state without a roll gets the cube decision alone. Plays have no rank. Raises EngineError,
        IllegalError if a game is over, and ValueError for a rollout.
        """
        if depth.trials:
            raise ValueError("an analysis of many states is no rollout")
        for state in states:
            check_playable(state)
        size = _BATCHES.get(depth.plies, 1)
        parts = (states[start : start + size] for start in range(0, len(states), size))
        questions = (self._about(part, depth, whole=True) for part in parts)
        question = next(questions, None)
        process = question and self._send(question)
        done = 0
        while question:  # gnubg works on the next question while the last answer is read
            following = next(questions, None)
            data = self._answer(question, process)
            process = following and self._send(following)
            yield from enumerate(self._read(question, data), done)
            done += len(question.states)
            question = following

    def _evaluate(self, state: GameState, depth: Depth) -> Any:
        question = about_position(state, depth.plies) | {"topic": str(depth)}
        return self._ask(question, _TIMEOUT + _STATE_SECONDS[depth.plies])[1].get("evaluation")

    def _about(self, states: Sequence[GameState], depth: Depth, *, whole: bool) -> _Question:
        """A question about the plays, and about the cube and luck if `whole`."""
        sgf, order = format_questions(states)
        seconds = _TIMEOUT + len(states) * _STATE_SECONDS[depth.plies]
        if depth.trials:
            seconds += depth.plays * depth.trials * _TRIAL_SECONDS * 4**depth.plies
        topic = counted(len(states), "position") if len(states) > 1 else states[0].roll or "cube"
        body = {
            "topic": f"{topic}, {depth}",
            "commands": commands_for(depth, whole=whole, threads=self._threads),
            "plies": depth.plies,
            "sgf": sgf,
            "rollout": depth.plays if depth.trials else 0,
            "trials": depth.trials,
            "nodes_before": NODES_BEFORE if depth.trials else 0,
        }
        return _Question(states, order, body, seconds)

    def _send(self, question: _Question) -> Process:
        """Ask without waiting, and return the process that will answer."""
        process = self._running()
        process.send(question.body)
        return process

    def _answer(
        self, question: _Question, sent_to: Process | None = None, watch: Watch | None = None
    ) -> bytes:
        """The SGF that answers a question, which gnubg may have received before."""
        process, _ = self._ask(question.body, question.seconds, sent_to, watch)
        with self._closing_on_error():
            return process.saved()

    def _read(self, question: _Question, data: bytes) -> list[MoveAnalysis]:
        with self._closing_on_error():
            return read_answers(data, question.states, question.order)

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """End a process whose answer cannot be read: its later answers are not reliable."""
        try:
            yield
        except EngineError:
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
        """The answer and its process: the one that received the question, if it still runs."""
        waiting = sent_to is not None and sent_to is self._process
        process = sent_to if waiting and sent_to else self._running()
        try:
            answer = process.answer(seconds) if waiting else process.ask(question, seconds, watch)
        except BaseException as error:  # a late answer would be taken for the next one
            self.close()
            if again and isinstance(error, EndedError):
                return self._ask(question, seconds, watch=watch, again=False)
            raise
        if "error" in answer:
            raise EngineError(f"gnubg could not answer: {answer['error']}")
        return process, answer

    def _running(self) -> Process:
        """The process, once it has reported its version; else raises the same error each time."""
        if self._useless:
            raise self._useless
        if self._process is not None and (self._process.ended or self._process.busy):
            self.close()  # its late answer would be taken for the next one
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
