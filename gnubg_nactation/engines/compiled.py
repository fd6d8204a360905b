"""GNU Backgammon's evaluation, compiled by `scripts/engine.sh`, as an engine.

It has gnubg's nets and tables and gnubg's code around them. So its equities are gnubg's, except
that Debian's gnubg is built with inexact arithmetic, which changes the fourth decimal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from gnubg_nactation.decisions.rating import candidate_of
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
from gnubg_nactation.engines.questions import about_position, read_cube, read_evaluation
from gnubg_nactation.engines.shortlist import deepen
from gnubg_nactation.errors import EngineError

Numbers = Sequence[float]

Ask = Callable[..., Numbers]
"""Calls a function of `scripts/engine/entry.c`: its name, a question, and further arguments.

Raises EngineError if the engine fails.
"""

_MAX_CUBE = 64  # gnubg knows no larger cubes; in the longest match it decides the match
_BEGINNINGS = {STANDARD, NACKGAMMON}
_ROW = 7  # numbers for a play: five chances, the cubeless equity, the equity


class CompiledGnubg:
    """An engine that asks the compiled gnubg; `close` frees its memory.

    A question is about one play or about plays at 0-ply, so that an interrupt takes effect soon.
    """

    bot = GNUBG
    name = "GNU Backgammon 1.07, built in"

    def __init__(self, ask: Ask, fingerprint: str, close: Callable[[], None]) -> None:
        self._ask = ask
        self.fingerprint = fingerprint
        self.close = close

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002 (it does no rollouts)
        """See Engine; there are no rollouts."""
        _check(state, depth)
        return self._ranked(state, depth, {})

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
        for index, state in enumerate(states):
            yield index, self._analysis(state, depth)

    def _analysis(self, state: GameState, depth: Depth) -> MoveAnalysis:
        cube = None
        if state.may_double and state.position not in _BEGINNINGS:
            cube = self.judge_cube(state, depth)
        if not state.roll:
            return MoveAnalysis(cube=cube)
        rows: dict[Play, Numbers] = {}
        rated = self._ranked(state, depth, rows)
        candidates = tuple([candidate_of(play, _odds(rows[play.play])) for play in rated])
        luck = self._luck(state)
        play = PlayAnalysis(candidates, None) if candidates else None
        return MoveAnalysis(play, cube, luck, luck_mark_of(luck))

    def _ranked(self, state: GameState, depth: Depth, rows: dict[Play, Numbers]) -> Ranking:
        """All plays, best first; `rows` receives the numbers of each, from its deepest search."""

        def rate(shortlist: Sequence[Play], plies: int) -> list[RatedPlay]:
            size = 1 if plies else len(shortlist)
            for start in range(0, len(shortlist), size):
                part = shortlist[start : start + size]
                question = _question(state, plies, *[play.reached for play in part])
                numbers = self._ask("rate", question, len(part))
                for at, play in enumerate(part):
                    rows[play] = numbers[at * _ROW : (at + 1) * _ROW]
            return [RatedPlay(play, rows[play][-1], f"{plies}-ply") for play in shortlist]

        plays = plays_of(state)
        return deepen(plays, depth, (*range(0, depth.plies, 2), depth.plies), rate) if plays else ()

    def _luck(self, state: GameState) -> float:
        assert state.roll  # the caller checks it
        high, low = state.roll
        opens = high != low and state.position in _BEGINNINGS
        question = _question(state, 0, state.position)
        return self._ask("luck", question, high, low, int(opens))[0]


def _question(state: GameState, plies: int, *positions: Position) -> list[int]:
    """The stake, the plies and the positions, all from the side of the state's player."""
    about = about_position(state, plies)
    cube, owner, mover, length, score, crawford, _ = about["cube"]
    question = [min(cube, _MAX_CUBE), owner, mover, length, *score, crawford]
    question += [about["rules"]["jacoby"], plies]
    for position in positions:
        question += position.points
    return question


def _odds(row: Numbers) -> bytes:
    return b" ".join([b"%.6f" % chance for chance in row[:5]])


def _check(state: GameState, depth: Depth) -> None:
    check_playable(state)
    if depth.trials:
        raise EngineError(
            "The built-in engine does no rollouts: leave out --rollout or install GNU Backgammon"
        )
    if depth.plies > MAX_BUILTIN_PLIES:
        raise EngineError(
            f"The built-in engine looks at most {MAX_BUILTIN_PLIES} plies ahead, "
            f"not {depth.plies}: choose fewer or install GNU Backgammon"
        )
