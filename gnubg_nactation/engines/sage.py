"""Open Sage, an engine that pip installs on any system.

It is called through the bindings of the package `bgsage`: the functions above them leave out the
bear-off table or read the nets again for each question. Slow questions are about one play each, so
that an interrupt takes effect within a second or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from itertools import groupby

from gnubg_nactation.backgammon.analysis import (
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
)
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import OFF, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import candidate_of
from gnubg_nactation.engines.engine import (
    SAGE,
    Analyses,
    Depth,
    Evaluation,
    Ranking,
    Watch,
    check_cube,
    check_playable,
    plays_of,
)
from gnubg_nactation.engines.shortlist import deepen
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any

_NO_ROLLOUTS = "Open Sage does no rollouts here: leave out --rollout or add --engine gnubg"
_MAX_AWAY = 25  # points, the end of its match equity table
_BATCH = 100  # states in one question
_QUICK = 1  # plies, which take next to no time


class Sage:
    """The engine of the package `bgsage`. Raises EngineError if that is not installed.

    It counts plies like XG: its lowest level, 1-ply, is gnubg's 0-ply. `threads` is the number of
    processors for one question. It does no rollouts and knows no luck.
    """

    bot = SAGE

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads
        weights = import_extra("bgsage.weights", "Open Sage", "sage", EngineError)
        self._cpp = import_extra("bgbot_cpp", "Open Sage", "sage", EngineError)
        with _answering():
            model = weights.default_weights()
            self._model = model.strategy_type, model.weight_paths_list, model.hidden_sizes_list
            self._nets = self._cpp.create_strategy(*self._model)
            self._table = None  # of bear-offs, more exact than the nets
            if path := weights.bearoff_db_path():
                self._table = self._cpp.BearoffDB()
                self._table.load(path)
                self._nets = self._cpp.BearoffStrategy(self._nets, self._table)
            self.fingerprint = f"{self.name}:{weights.PRODUCTION_MODEL}:{self._table is not None}"

    def close(self) -> None:
        """No-op: the engine runs in this process."""

    @property
    def name(self) -> str:
        """`Open Sage` and its version."""
        return f"Open Sage {version('bgsage')}"

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002 (it does no rollouts)
        """See Engine; there are no rollouts."""
        _check(state, depth)
        if not (plays := plays_of(state)):
            return ()
        return self._deepened(state, plays, self._quick([(state, plays)])[0], depth)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        _check(state, depth)
        plies = SAGE.plies(depth)
        with _answering():
            if plies == _QUICK:
                (answer,) = self._before_roll([state])
                cubeful = answer["equity_nd"]
                if state.may_double:
                    cubeful = max(cubeful, min(answer["equity_dt"], answer["equity_dp"]))
            else:
                answer = self._cpp.cubeful_probs_and_equity_nply(
                    _board(state.position),
                    self._owner(state),
                    self._nets,
                    plies,
                    cube_value=state.cube,
                    **self._rules(state, _away(state)),
                )
                cubeful = answer["equity"]
            win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, answer["probs"])
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

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser. A state without a roll gets the cube decision alone; there is no luck."""
        for state in states:
            _check(state, depth)
        for start in range(0, len(states), _BATCH):
            part = states[start : start + _BATCH]
            yield from enumerate(self._analyse(part, depth), start)

    def _analyse(self, states: Sequence[GameState], depth: Depth) -> Iterator[MoveAnalysis]:
        legal = list(map(plays_of, states))
        quick = iter(self._quick([pair for pair in zip(states, legal, strict=True) if pair[1]]))
        cubes = self._cubes([state for state in states if state.may_double], depth)
        for state, plays in zip(states, legal, strict=True):
            play = None
            if plays:
                rated = self._deepened(state, plays, next(quick), depth)
                play = PlayAnalysis(tuple(map(candidate_of, rated)), None)
            yield MoveAnalysis(play, next(cubes) if state.may_double else None)

    def _deepened(
        self, state: GameState, plays: Sequence[Play], quick: Sequence[RatedPlay], depth: Depth
    ) -> Ranking:
        """All plays, best first; `quick` are the results of the first search."""

        def rate(shortlist: Sequence[Play], plies: int) -> Sequence[RatedPlay]:
            if plies == _QUICK:
                return quick
            method = _method(plies)
            return [RatedPlay(play, self._equity(state, play, plies), method) for play in shortlist]

        return deepen(plays, depth, range(_QUICK, SAGE.plies(depth) + 1), rate)

    def _quick(self, pairs: Sequence[tuple[GameState, Sequence[Play]]]) -> list[Ranking]:
        """All plays of each state, without looking ahead."""
        answers = self._batch("batch_checker_play", [state for state, _ in pairs], self._with_roll)
        with _answering():
            return [
                _rated(answer["moves"], plays)
                for answer, (_, plays) in zip(answers, pairs, strict=True)
            ]

    def _cubes(self, states: Sequence[GameState], depth: Depth) -> Iterator[CubeAnalysis]:
        """The cube decision of each state before any action."""
        plies = SAGE.plies(depth)
        if plies == _QUICK:
            answers = iter(self._before_roll(states))
        else:
            answers = (self._decision(state, plies) for state in states)
        for answer in answers:
            act, method = CubeAct.NO_DOUBLE, _method(plies)
            yield CubeAnalysis(act, answer["equity_nd"], answer["equity_dt"], method)

    def _before_roll(self, states: Sequence[GameState]) -> list[Any]:
        return self._batch("batch_evaluate_positions", states, self._turn)

    def _batch(
        self, function: str, states: Sequence[GameState], describe: Callable[[GameState], Any]
    ) -> list[Any]:
        """The answers of a function of `bgbot_cpp` for all states."""
        answers: list[Any] = []
        for jacoby, part in groupby(states, _jacoby):  # one setting for a whole question
            rules = {"n_threads": self._threads, "jacoby": jacoby, "beaver": False}
            with _answering():
                boards = list(map(describe, part))
                answers += getattr(self._cpp, function)(boards, self._nets, **rules)
        return answers

    def _decision(self, state: GameState, plies: int) -> Any:
        board, owner = _board(state.position), self._owner(state)
        with _answering():
            return self._cpp.cube_decision_nply_unified(
                board, state.cube, owner, plies, *self._model, **self._rules(state, _away(state))
            )

    def _equity(self, state: GameState, play: Play, plies: int) -> float:
        """The equity of a play, evaluated from the opponent's side after it."""
        own, other = _away(state)
        with _answering():
            equity: float = self._cpp.cubeful_equity_nply(
                _board(play.after),
                self._owner(state, opponent=True),
                self._nets,
                plies,
                cube_value=state.cube,
                **self._rules(state, (other, own)),
            )
        return -equity

    def _owner(self, state: GameState, *, opponent: bool = False) -> Any:
        """The cube's owner from the player's side, or from the opponent's."""
        owners = self._cpp.CubeOwner
        if state.owner is None:
            return owners.CENTERED
        return owners.PLAYER if (state.owner is state.player) is not opponent else owners.OPPONENT

    def _rules(self, state: GameState, away: tuple[int, int]) -> dict[str, Any]:
        """Rules and score, for a question about one position."""
        return {
            "n_threads": self._threads,
            "jacoby": _jacoby(state),
            "beaver": False,
            "bearoff_db": self._table,
            **_score(state, away),
        }

    def _turn(self, state: GameState) -> tuple[Any, ...]:
        """A state before the roll, for a batch."""
        score = tuple(_score(state, _away(state)).values())
        return _board(state.position), state.cube, self._owner(state), *score

    def _with_roll(self, state: GameState) -> dict[str, Any]:
        """A state with a roll, for a batch."""
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
    if (away := max(_away(state))) > _MAX_AWAY:
        raise EngineError(
            f"Open Sage supports at most {_MAX_AWAY} points to go, not {away}; try --engine gnubg"
        )


@contextmanager
def _answering() -> Iterator[None]:
    """Turn errors inside Open Sage into an EngineError."""
    try:
        yield
    except NactationError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        first = next(iter(str(e).splitlines()), "")
        raise EngineError(f"Open Sage could not answer: {first or type(e).__name__}") from None


def _board(position: Position) -> list[int]:
    """A position in bgsage's form: like ours, except for the sign of the opponent's bar."""
    points = list(position.points)
    points[OFF] = -points[OFF]
    return points


def _away(state: GameState) -> tuple[int, int]:
    """The points that the player and the opponent need; 0 for money."""
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


def _rated(moves: Sequence[Any], plays: Sequence[Play]) -> Ranking:
    """The plays with the equities of an answer, which identifies them by the resulting board."""
    equities: dict[tuple[int, ...], float] = {
        (-move["board"][OFF], *move["board"][1:]): move["equity"] for move in moves
    }
    method = _method(_QUICK)
    return tuple([RatedPlay(play, equities[play.reached.points], method) for play in plays])


def _method(plies: int) -> str:
    return f"{SAGE.name} {plies}-ply"
