"""GNU Backgammon's evaluation, compiled by `scripts/engine.sh`, as an engine.

It has gnubg's nets and tables and gnubg's code around them. So its equities are gnubg's, except
that Debian's gnubg is built with inexact arithmetic, which changes the fourth decimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from gnubg_nactation.backgammon.analysis import (
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
    luck_mark_of,
)
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import candidate_of
from gnubg_nactation.engines.engine import (
    GNUBG,
    MAX_BUILTIN_PLIES,
    Analyses,
    Depth,
    Evaluation,
    Ranking,
    Watch,
    check_cube,
    check_playable,
    plays_of,
)
from gnubg_nactation.engines.questions import read_cube, read_evaluation, stake_of
from gnubg_nactation.engines.rollouts import ROW, Games, Numbers, Sums, roll_out
from gnubg_nactation.engines.shortlist import BEFORE_ROLLOUT, deepen
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import Any

T = TypeVar("T")
R = TypeVar("R")

PlayWithChances = tuple[RatedPlay, Numbers]

Ask = Callable[..., Numbers]
"""Calls a function of `scripts/engine/entry.c`: its name, a question, and further arguments.

Raises EngineError if the engine fails.
"""

Each = Callable[[Callable[[T], R], Iterable[T]], Iterator[R]]
"""The results of a function for several values, in their order; like `map`, or at the same time."""

_MAX_CUBE = 64  # gnubg knows no larger cubes; in the longest match it decides the match
_BEGINNINGS = {STANDARD, NACKGAMMON}


class CompiledGnubg:
    """An engine that asks the compiled gnubg; `close` frees its memory.

    `each` searches several plays, or analyses several states.
    A question is about one play or about plays at 0-ply, so that an interrupt takes effect soon.
    """

    bot = GNUBG
    name = "GNU Backgammon 1.07, built in"

    def __init__(
        self, ask: Ask, fingerprint: str, close: Callable[[], None], each: Each[Any, Any] = map
    ) -> None:
        self._ask = ask
        self.fingerprint = fingerprint
        self.close = close
        self._each = each

    def rank(
        self,
        state: GameState,
        depth: Depth,
        watch: Watch | None = None,
        begun: Sums | None = None,
        keep: Callable[[Sums], None] | None = None,
    ) -> Ranking:
        """See Engine; ValueError for a rollout without a number of plays.

        A rollout is gnubg's own, with its settings; it goes on where `begun` ends. See `roll_out`.
        """
        if depth.trials and not depth.plays:
            raise ValueError(f"a {depth} needs a number of plays")
        _check(state, depth, rollouts=True)
        if not depth.trials:
            return self._ranked(state, depth, {}, self._each)
        ranked = self._ranked(state, BEFORE_ROLLOUT, {}, self._each)
        best, others = ranked[: depth.plays], ranked[depth.plays :]

        def play_games(games: Iterable[Games]) -> Iterator[Numbers]:
            return self._each(partial(self._play_games, state, depth), games)

        plays = [play.play for play in best]
        return (*roll_out(plays, depth, play_games, watch, begun, keep), *others)

    def _play_games(self, state: GameState, depth: Depth, games: Games) -> Numbers:
        play, first, count = games
        question = self.question_after(state, play, depth)
        settings = depth.seed, depth.truncate, depth.ends
        return self._ask("roll_out", question, first, count, *settings)

    @staticmethod
    def question_after(state: GameState, play: Play, depth: Depth) -> list[int]:
        """What `roll_out` is asked about a play."""
        return _question(state, depth.plies, play.reached)

    def rank_with_chances(self, state: GameState, depth: Depth) -> Sequence[PlayWithChances]:
        """As `rank`, each play with its chances, as in Evaluation."""
        _check(state, depth)
        rows: dict[Play, Numbers] = {}
        return [(play, rows[play.play][:5]) for play in self._ranked(state, depth, rows, map)]

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        _check(state, depth)
        question = _question(state, depth.plies, state.position)
        return read_evaluation([*self._ask("evaluate", question), *self._ask("judge", question)])

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        _check(state, depth)
        check_cube(state)
        answer = self._ask("judge", _question(state, depth.plies, state.position))
        return read_cube(answer, depth)

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser. A state without a roll gets the cube decision alone.

        As in gnubg, a game begins without a cube decision.
        """
        for state in states:
            _check(state, depth)
        each = self._each if depth.plies else map  # 0-ply gains nothing
        yield from enumerate(each(partial(self._analysis, depth), states))

    def _analysis(self, depth: Depth, state: GameState) -> MoveAnalysis:
        cube = None
        if state.may_double and state.position not in _BEGINNINGS:
            cube = self.judge_cube(state, depth)
        if not state.roll:
            return MoveAnalysis(cube=cube)
        rows: dict[Play, Numbers] = {}
        rated = self._ranked(state, depth, rows, map)
        candidates = tuple([candidate_of(play, _odds(rows[play.play])) for play in rated])
        luck = self._luck(state)
        play = PlayAnalysis(candidates, None) if candidates else None
        return MoveAnalysis(play, cube, luck, luck_mark_of(luck))

    def _ranked(
        self, state: GameState, depth: Depth, rows: dict[Play, Numbers], each: Each[Any, Any]
    ) -> Ranking:
        """All plays, best first; `rows` receives the numbers of each, from its deepest search."""

        def rate(shortlist: Sequence[Play], plies: int) -> list[RatedPlay]:
            parts = [[play] for play in shortlist] if plies else [shortlist]
            run = each if len(parts) > 1 else map
            answers = run(partial(self._rate, state, plies), parts)
            for part, numbers in zip(parts, answers, strict=True):
                for at, play in enumerate(part):
                    rows[play] = numbers[at * ROW : (at + 1) * ROW]
            return [RatedPlay(play, rows[play][-1], f"{plies}-ply") for play in shortlist]

        def cubeless(play: Play) -> float:
            return rows[play][-2]

        plays, steps = plays_of(state), (*range(0, depth.plies, 2), depth.plies)
        return deepen(plays, depth, steps, rate, cubeless) if plays else ()

    def _rate(self, state: GameState, plies: int, plays: Sequence[Play]) -> Numbers:
        question = _question(state, plies, *[play.reached for play in plays])
        return self._ask("rate", question, len(plays))

    def _luck(self, state: GameState) -> float:
        assert state.roll  # the caller checks it
        high, low = state.roll
        opens = high != low and state.position in _BEGINNINGS
        question = _question(state, 0, state.position)
        return self._ask("luck", question, high, low, int(opens))[0]


def failure(reason: str) -> EngineError:
    """The error of an engine that fails; `ask` starts it again at the next question."""
    return EngineError(f"The built-in engine failed and starts again: {reason}")


def _question(state: GameState, plies: int, *positions: Position) -> list[int]:
    """The stake, the plies and the positions, which are from the side of the state's player.

    Both players of a game have the same stake, so that the engine remembers positions of both.
    """
    stake = stake_of(state)
    mover, owner = int(state.player), -1 if state.owner is None else int(state.owner)
    score = stake.score[::-1] if mover else stake.score
    question = [min(state.cube, _MAX_CUBE), owner, mover, stake.length, *score]
    question += [int(stake.crawford), int(stake.jacoby), plies]
    for position in positions:
        question += position.points
    return question


def _odds(row: Numbers) -> bytes:
    return b" ".join([b"%.6f" % chance for chance in row[:5]])


def _check(state: GameState, depth: Depth, *, rollouts: bool = False) -> None:
    check_playable(state)
    if depth.trials and not rollouts:
        raise ValueError(f"only plays are rolled out: {depth}")
    if (plies := max(depth.plies, depth.ends)) > MAX_BUILTIN_PLIES:
        raise EngineError(
            f"The built-in engine looks at most {MAX_BUILTIN_PLIES} plies ahead, "
            f"not {plies}: choose fewer or install GNU Backgammon"
        )
