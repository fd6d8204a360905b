"""Open Sage, an engine that pip brings: no other program is needed, on any system.

It is asked through the bindings of the package `bgsage`, as the functions above them leave the
bear-off table out or read the nets anew for each question. One play is asked about at a time where
that takes long, so that an interrupt is heard after a second or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from itertools import groupby

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.position import OFF, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import (
    SAGE,
    Depth,
    Evaluation,
    Watch,
    check_cube,
    check_playable,
)
from gnubg_nactation.engines.shortlist import deepen
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.values import Any

_NEEDED = "Open Sage needs the extra of the name sage: pip install 'gnubg-nactation[sage]'"
_NO_ROLLOUTS = (
    "Open Sage is asked for no rollouts, as it takes a quarter of a minute for 216 games of a "
    "play: leave --rollout out, or take --engine gnubg"
)
_MOST_POINTS = 25  # to go, as far as its match equity table reaches
_AT_ONCE = 100  # states in one question
_QUICK = 1  # plies, which cost next to nothing


class Sage:
    """The engine of the package `bgsage`; raises EngineError if that is not installed.

    It counts plies as XG does: its 1-ply, the least, is gnubg's 0-ply. `threads` is how many
    processors one question may use. There are no rollouts, and luck is not told.
    """

    bot = SAGE

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads
        try:
            weights: Any = import_module("bgsage.weights")
            self._cpp: Any = import_module("bgbot_cpp")
        except ImportError:
            raise EngineError(_NEEDED) from None
        with _answering():
            found = weights.default_weights()
            self._model = found.strategy_type, found.weight_paths_list, found.hidden_sizes_list
            self._nets = self._cpp.create_strategy(*self._model)
            self._table = None  # of bear-offs, which the nets know less well
            if path := weights.bearoff_db_path():
                self._table = self._cpp.BearoffDB()
                self._table.load(path)
                self._nets = self._cpp.BearoffStrategy(self._nets, self._table)
            self.fingerprint = f"{self.name}:{weights.PRODUCTION_MODEL}:{self._table is not None}"

    def close(self) -> None:
        """Nothing: it is in this process."""

    @property
    def name(self) -> str:
        """`Open Sage` and its version."""
        return f"Open Sage {version('bgsage')}"

    def rank(
        self,
        state: GameState,
        depth: Depth,
        watch: Watch | None = None,  # noqa: ARG002 (nothing is rolled out)
    ) -> tuple[RatedPlay, ...]:
        """See Engine; there are no rollouts."""
        _check(state, depth)
        plays = legal_plays(state.position, state.roll) if state.roll else ()
        if not plays:
            return ()
        return self._deepened(state, plays, self._quick([(state, plays)])[0], depth)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        _check(state, depth)
        plies = SAGE.plies(depth)
        with _answering():
            if plies == _QUICK:
                (found,) = self._before_the_roll([state])
                cubeful = found["equity_nd"]
                if state.may_double:
                    cubeful = max(cubeful, min(found["equity_dt"], found["equity_dp"]))
            else:
                found = self._cpp.cubeful_probs_and_equity_nply(
                    _board(state.position),
                    self._owner(state),
                    self._nets,
                    plies,
                    cube_value=state.cube,
                    **self._rules(state, _away(state)),
                )
                cubeful = found["equity"]
            win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, found["probs"])
            chances = win, gammon, backgammon, lose_gammon, lose_backgammon
            if state.length:
                stake = *_away(state), state.cube, state.crawford
                chance = self._cpp.cubeless_mwc(chances, *stake)
                cubeless = self._cpp.mwc2eq(chance, *stake)
            else:
                cubeless = self._cpp.cubeless_equity(chances)
        return Evaluation(chances, cubeless, cubeful)

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        _check(state, depth)
        check_cube(state)
        return next(self._cubes([state], depth))

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        """See Analyser; a state without a roll gets the cube alone, and nothing has luck."""
        for state in states:
            _check(state, depth)
        for start in range(0, len(states), _AT_ONCE):
            part = states[start : start + _AT_ONCE]
            yield from enumerate(self._analyse(part, depth), start)

    def _analyse(self, states: Sequence[GameState], depth: Depth) -> Iterator[MoveAnalysis]:
        legal = [legal_plays(one.position, one.roll) if one.roll else () for one in states]
        quick = iter(self._quick([pair for pair in zip(states, legal, strict=True) if pair[1]]))
        cubes = self._cubes([one for one in states if one.may_double], depth)
        for state, plays in zip(states, legal, strict=True):
            play = None
            if plays:
                rated = self._deepened(state, plays, next(quick), depth)
                play = PlayAnalysis(tuple(map(_candidate, rated)), None)
            yield MoveAnalysis(play, next(cubes) if state.may_double else None)

    def _deepened(
        self, state: GameState, plays: Sequence[Play], quick: Sequence[RatedPlay], depth: Depth
    ) -> tuple[RatedPlay, ...]:
        """The plays in order, `quick` as they were looked at first."""

        def rate(kept: Sequence[Play], plies: int) -> Sequence[RatedPlay]:
            if plies == _QUICK:
                return quick
            method = _method(plies)
            return [RatedPlay(play, self._equity(state, play, plies), method) for play in kept]

        return deepen(plays, depth, range(_QUICK, SAGE.plies(depth) + 1), rate)

    def _quick(
        self, asked: Sequence[tuple[GameState, Sequence[Play]]]
    ) -> list[tuple[RatedPlay, ...]]:
        """All plays of each state, in the order of the states."""
        rated: list[tuple[RatedPlay, ...]] = []
        # Jacoby is said for all that is asked at once.
        for jacoby, group in groupby(asked, lambda one: _jacoby(one[0])):
            part = list(group)
            rules = {"n_threads": self._threads, "jacoby": jacoby, "beaver": False}
            with _answering():
                boards = [self._with_roll(state) for state, _ in part]
                answers = self._cpp.batch_checker_play(boards, self._nets, **rules)
                for answer, (_, plays) in zip(answers, part, strict=True):
                    rated.append(_rated(answer["moves"], plays))
        return rated

    def _cubes(self, states: Sequence[GameState], depth: Depth) -> Iterator[CubeAnalysis]:
        """The cube decision before each state, nobody having done anything yet."""
        plies = SAGE.plies(depth)
        if plies == _QUICK:
            found = iter(self._before_the_roll(states))
        else:
            found = (self._decision(state, plies) for state in states)
        for one in found:
            act, method = CubeAct.NO_DOUBLE, _method(plies)
            yield CubeAnalysis(act, one["equity_nd"], one["equity_dt"], method)

    def _before_the_roll(self, states: Sequence[GameState]) -> list[Any]:
        """What the nets say of the states, in their order."""
        found: list[Any] = []
        for jacoby, part in groupby(states, _jacoby):
            rules = {"n_threads": self._threads, "jacoby": jacoby, "beaver": False}
            with _answering():
                asked = [self._turn(state) for state in part]
                found += self._cpp.batch_evaluate_positions(asked, self._nets, **rules)
        return found

    def _decision(self, state: GameState, plies: int) -> Any:
        board, owner = _board(state.position), self._owner(state)
        with _answering():
            return self._cpp.cube_decision_nply_unified(
                board, state.cube, owner, plies, *self._model, **self._rules(state, _away(state))
            )

    def _equity(self, state: GameState, play: Play, plies: int) -> float:
        """What a play is worth, by the opponent's side of it."""
        own, other = _away(state)
        with _answering():
            worth: float = self._cpp.cubeful_equity_nply(
                _board(play.after),
                self._owner(state, other=True),
                self._nets,
                plies,
                cube_value=state.cube,
                **self._rules(state, (other, own)),
            )
        return -worth

    def _owner(self, state: GameState, *, other: bool = False) -> Any:
        """Who owns the cube, as the player of the state sees it, or the `other`."""
        owners = self._cpp.CubeOwner
        if state.owner is None:
            return owners.CENTERED
        return owners.PLAYER if (state.owner is state.player) is not other else owners.OPPONENT

    def _rules(self, state: GameState, away: tuple[int, int]) -> dict[str, Any]:
        """What is told of the rules and the score in a question about one position."""
        return {
            "n_threads": self._threads,
            "jacoby": _jacoby(state),
            "beaver": False,
            "bearoff_db": self._table,
            **_score(state, away),
        }

    def _turn(self, state: GameState) -> tuple[Any, ...]:
        """A state before the roll, as one of several."""
        score = tuple(_score(state, _away(state)).values())
        return _board(state.position), state.cube, self._owner(state), *score

    def _with_roll(self, state: GameState) -> dict[str, Any]:
        """A state with a roll, as one of several."""
        assert state.roll  # or it has no plays
        return {
            "board": _board(state.position),
            "die1": state.roll.high,
            "die2": state.roll.low,
            "cube_value": state.cube,
            "cube_owner": self._owner(state),
            **_score(state, _away(state)),
        }


def _check(state: GameState, depth: Depth) -> None:
    check_playable(state)
    if depth.trials:
        raise EngineError(_NO_ROLLOUTS)
    if max(_away(state)) > _MOST_POINTS:
        raise EngineError(
            f"Open Sage's match equity table ends at {_MOST_POINTS} points to go, "
            f"and here there are {max(_away(state))}"
        )


@contextmanager
def _answering() -> Iterator[None]:
    """Tell of trouble inside Open Sage as an EngineError."""
    try:
        yield
    except NactationError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        first = next(iter(str(e).splitlines()), "")
        raise EngineError(f"Open Sage could not answer: {first or type(e).__name__}") from None


def _board(position: Position) -> list[int]:
    """A position as bgsage takes it: as ours, but for the sign of the opponent's bar."""
    points = list(position.points)
    points[OFF] = -points[OFF]
    return points


def _away(state: GameState) -> tuple[int, int]:
    """The points that the player and the opponent need; none for money."""
    if not state.length:
        return 0, 0
    own, other = state.score[state.player], state.score[state.player.other]
    return state.length - own, state.length - other


def _score(state: GameState, away: tuple[int, int]) -> dict[str, Any]:
    if not state.length:
        return {}
    return {"away1": away[0], "away2": away[1], "is_crawford": state.crawford}


def _jacoby(state: GameState) -> bool:
    return state.jacoby and not state.length


def _rated(moves: Sequence[Any], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The plays with the equities of an answer, which names them by the boards they reach."""
    worth: dict[tuple[int, ...], float] = {
        (-one["board"][OFF], *one["board"][1:]): one["equity"] for one in moves
    }
    method = _method(_QUICK)
    return tuple([RatedPlay(play, worth[play.reached.points], method) for play in plays])


def _candidate(rated: RatedPlay) -> Candidate:
    hops = tuple([Hop(one.source, one.target, one.hits) for one in rated.play.portions])
    return Candidate(hops, rated.equity, rated.method)


def _method(plies: int) -> str:
    return f"{SAGE.name} {plies}-ply"
