"""The best play of a roll, or the right cube actions, at every score."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import product

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import MIN_NEAR, Decision, decide_play
from gnubg_nactation.decisions.scores import Place, ScoreTable, is_close, place_of
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.engine import MAX_PLIES, Depth, Engine, check_playable
from gnubg_nactation.engines.nacbracs import judge_cube, plays_to_judge, suffix_by
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.nacbracs.nacbrac import MONEY, at_score
from gnubg_nactation.tasks.engines import jobs_setting, plies_setting
from gnubg_nactation.tasks.face import Face, Library, showing_progress
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import SequenceSettings
from gnubg_nactation.values import Any, replace

MAX_AWAY, _AWAY = 25, 9
DMP = "d"
FIRST_DECISIONS = 2  # those for money and DMP come before the cells


class ScoresSettings(SequenceSettings):
    """Which scores a table has, and how they are judged."""

    cube: bool = setting(False, "judge the cube decision before the roll, not the plays")
    away: int = setting(
        _AWAY,
        f"rows and columns up to N points away (2-{MAX_AWAY}, default: {_AWAY})",
        "N",
        least=2,
        most=MAX_AWAY,
    )
    plies: int | None = plies_setting("engine")
    jobs: int = jobs_setting("judge N scores", "engine")


def places(away: int, state: GameState) -> list[Place]:
    """Return the scores of a table, row by row.

    A turned cube leaves out the Crawford game, which has none.
    """
    crawford = (True, False) if state.cube == 1 else (False,)
    grid = product(range(1, away + 1), repeat=2)
    return [
        Place(own, other, is_crawford)
        for own, other in grid
        for is_crawford in crawford
        if not is_crawford or (own == 1) != (other == 1)
    ]


def outwards(cells: Iterable[Place], here: Place | None) -> list[Place]:
    """Return places by their distance from a score, the nearest first; for money from DMP."""
    own, other, _ = here or Place(1, 1)

    def distance(place: Place) -> tuple[int, int]:
        rows, columns = abs(place.away - own), abs(place.opponent_away - other)
        return max(rows, columns), rows + columns

    return sorted(cells, key=distance)


def subject_of(state: GameState, *, cube: bool = False) -> GameState:
    """Return the state that a table is about, without a roll if about the cube.

    Raises IllegalError if there is nothing to decide.
    """
    check_playable(state)
    if cube or state.roll is None:
        state = replace(state.before_double, roll=None)
        if state.owner not in {None, state.player}:
            raise IllegalError("the player on roll may not double: the opponent owns the cube")
        return state
    if len(plays := plays_to_judge(state)) == 1:
        name = plays.name(next(iter(plays))).naming.nactation
        raise IllegalError(f"{state.roll} has one legal play, {name}, at every score")
    return state


class GrowingScores:
    """A table that grows, from the score in force outwards, after the decisions for money and DMP.

    `grid` are its places row by row. `states` are judged in this order, and `decisions` are those
    of the first of them. Raises IllegalError if there is nothing to decide.
    """

    def __init__(self, state: GameState, settings: ScoresSettings) -> None:
        self.state = state = subject_of(state, cube=settings.cube)
        self.here = here = place_of(state)
        self.grid = places(settings.away, state)
        self.order = outwards(self.grid, here)
        money = state if here is None else at_score(state, MONEY)
        cells = [at_score(state, place.score) for place in self.order]
        self.states = [money, at_score(state, DMP), *cells]
        self.decisions: list[Decision] = []

    @property
    def total(self) -> int:
        """The number of decisions of the complete table."""
        return len(self.states)

    @property
    def is_complete(self) -> bool:
        """Whether all are judged."""
        return len(self.decisions) == self.total

    def grow(self, engine: Engine, depth: Depth) -> None:
        """Judge the next state. Raises EngineError."""
        self.decisions += judge_at_scores(engine, [self.states[len(self.decisions)]], depth)

    def table(self, level: str) -> ScoreTable:
        """Return the table of the decisions so far, at least two."""
        money, dmp, *others = self.decisions
        known = dict(zip(self.order, others, strict=False))
        cells = {place: known[place] for place in self.grid if place in known}
        return ScoreTable(self.state, cells, money, dmp, self.here, level)


def scores(
    state: GameState,
    settings: ScoresSettings = ScoresSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
) -> ScoreTable:
    """Judge the roll of a state, or the cube without one, at every score.

    The engine is that of the face; without a face, and in the processes of `settings.jobs`, it is
    that of the settings. Raises EngineError, and IllegalError if there is nothing to decide.
    """
    if face is None:
        with closing(registry.open_engine(settings.engine, threads=os.cpu_count() or 1)) as opened:
            return scores(state, settings, Library(opened))
    growing = GrowingScores(state, settings)
    engine = face.open_engine()
    depth = engine.bot.depth(settings.plies)
    about = f"scores: {engine.bot.level(depth)} by {engine.bot.name}"
    with showing_progress(face, about, growing.total):
        for decision in _judged(growing.states, engine, depth, settings):
            growing.decisions.append(decision)
            face.step(len(growing.decisions), growing.total)
    return growing.table(suffix_by(engine.bot, depth))


def added_scores_setting(what: str) -> Any:
    """The setting of a command that adds the table of a decision to its output."""
    return setting(
        None,
        f"{what} the best choice at every score, searched N plies deep",
        "N",
        choices=range(MAX_PLIES + 1),
    )


def added_scores(
    state: GameState, plies: int, settings: SequenceSettings, face: Face
) -> ScoreTable:
    """Return the table of a decision for a command with `added_scores_setting`; see `scores`."""
    return scores(state, ScoresSettings(engine=settings.engine, plies=plies), face)


def judge_at_scores(
    engine: Engine, states: Sequence[GameState], depth: Depth
) -> Iterator[Decision]:
    """Yield the decision in each state, about the cube without a roll.

    Scores at which the same wins decide the match are judged once. Raises EngineError.
    """
    known: dict[GameState, Decision] = {}
    for state in states:
        stake = _stake(state)
        if stake not in known:
            known[stake] = _judge(engine, stake, depth)
        yield known[stake]._replace(state=state)


def _stake(state: GameState) -> GameState:
    """Return double match point if any win with this cube ends the match for either player."""
    here = place_of(state)
    if here is None or state.cube < max(here.away, here.opponent_away):
        return state
    return replace(at_score(state, DMP), cube=1, owner=None)


def _judge(engine: Engine, state: GameState, depth: Depth) -> Decision:
    if state.roll is None:
        return judge_cube(engine, state, depth) if state.may_double else Decision(state)
    rated = rank_best(engine, state, depth, limit=MIN_NEAR, step=1)
    count = sum(is_close(rated[0].equity - play.equity) for play in rated)
    plays = plays_to_judge(state)
    decision = decide_play(state, rated[: max(count, MIN_NEAR)], plays)
    # A play has the same letter in every cell, whatever its neighbours are.
    choices = [
        choice._replace(name=listed([choice.play], plays)[0].nactation)
        for choice in decision.choices
        if choice.play
    ]
    return decision._replace(choices=(*choices,))


def _judged(
    states: Sequence[GameState], engine: Engine, depth: Depth, settings: ScoresSettings
) -> Iterator[Decision]:
    if settings.jobs < 2:
        yield from judge_at_scores(engine, states, depth)
        return
    from gnubg_nactation.tasks.processes import by_pool, task_size

    size = task_size(len(states), settings.jobs)
    parts = [states[at : at + size] for at in range(0, len(states), size)]
    work = partial(_judge_part, settings.engine, depth)
    with closing(by_pool(parts, work, None, settings.jobs)) as decisions:
        for decision in decisions:
            if decision is None:
                raise EngineError("a worker died; run the same command again to continue")
            yield decision


def _judge_part(
    engine: str, depth: Depth, states: Sequence[GameState]
) -> Sequence[Decision | None]:
    with closing(registry.open_engine(engine, threads=1)) as program:
        return list(judge_at_scores(program, states, depth))
