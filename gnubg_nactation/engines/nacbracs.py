"""The nacbrac of a roll, by an engine: the best plays and what the others lose."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from math import hypot

from gnubg_nactation.backgammon.analysis import CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.conversion import to_roll, to_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import GNUBG, Bot, Depth, Engine, Watch
from gnubg_nactation.engines.shortlist import MOST_PLAYS, rank_best
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import analysis_suffix, gnubg_suffix
from gnubg_nactation.nacbracs.cube import CubeNacbrac, cube_nacbrac_of
from gnubg_nactation.nacbracs.nacbrac import USUAL_LEAST, USUAL_WITHIN, Nacbrac, nacbrac_of
from gnubg_nactation.nacbracs.score import at_score, score_of
from gnubg_nactation.values import NamedTuple, replace

__all__ = [
    "Judged",
    "JudgedCube",
    "error_of_loss",
    "judge",
    "judge_cube",
    "nacbrac",
    "plays_to_judge",
    "suffix_by",
]


class Judged(NamedTuple):
    """A nacbrac, and the plays that it was made from, those of its entries first."""

    nacbrac: Nacbrac
    rated: Sequence[RatedPlay]

    @property
    def standard_errors(self) -> list[float]:
        """Of what each entry behind the best loses, as far as they are known."""
        best, *others = self.rated[: len(self.nacbrac.entries)]
        errors = (error_of_loss(one, best) for one in others)
        return [error for error in errors if error is not None]


class JudgedCube(NamedTuple):
    """A nacbrac of the cube, the equities that it was made from, and the state of the doubler."""

    nacbrac: CubeNacbrac
    analysis: CubeAnalysis
    state: GameState

    @classmethod
    def of(cls, analysis: CubeAnalysis, state: GameState) -> JudgedCube | None:
        """What an analysis says of the cube in a state; None where equities are not known."""
        before = replace(state.before_double, roll=None)
        nacbrac = cube_nacbrac_of(
            analysis,
            redouble=before.owner is not None,
            score=score_of(before),
            suffix=analysis_suffix([analysis.method]),
        )
        return cls(nacbrac, analysis, before) if nacbrac else None


def error_of_loss(one: RatedPlay, best: RatedPlay) -> float | None:
    """The standard error of what a play loses against the best, of which both are unsure."""
    if one.standard_error is None or best.standard_error is None:
        return None
    return hypot(one.standard_error, best.standard_error)


def nacbrac(  # noqa: PLR0913 - options by keyword
    board: GameState | Position | str,
    roll: Roll | str | None = None,
    *,
    plies: int | None = None,
    score: str | None = None,
    limit: int | None = None,
    within: float | None = None,
    engine: str = "auto",
) -> Nacbrac:
    """The nacbrac of a roll, as an engine sees it, which is started for it.

    `board` is a state with its roll, or a position with the roll beside it, or the name of one: a
    Position ID or an XGID. `score` is one of
    `score.py` instead of the state's; `limit` and `within` as in `judge`; `engine` is `gnubg`,
    `sage` or `auto`: gnubg where it is found, else Open Sage; `plies` are counted as it counts
    them, 2 of gnubg's and 3 of Sage's if none are said. Raises EngineError without one, and
    IllegalError where nothing is to be played.
    """
    from gnubg_nactation.engines.registry import new_engine  # noqa: PLC0415 (slow to import)

    state = to_state(board)
    if roll is not None:
        state = replace(state, roll=to_roll(roll))
    if score is not None:
        state = at_score(state, score)
    with closing(new_engine(engine)) as program:
        depth = program.bot.depth(plies)
        return judge(program, state, depth, limit=limit, within=within).nacbrac


def plays_to_judge(state: GameState) -> Plays:
    """The plays of a state's roll; IllegalError where it has none, or nothing can be played."""
    if state.roll is None:
        raise IllegalError("there is no roll to be played: write it behind the sequence")
    plays = Plays(state.position, state.roll)
    if not plays:
        raise IllegalError(f"nothing can be played with {state.roll}")
    return plays


def judge(  # noqa: PLR0913 - options by keyword
    engine: Engine,
    state: GameState,
    depth: Depth,
    *,
    limit: int | None = None,
    within: float | None = None,
    characters: str = "preferred",
    watch: Watch | None = None,
) -> Judged:
    """The nacbrac of a state's roll, its score told as the state has it.

    It shows the best `limit` plays, or those that lose no more than `within` points; without
    either, those within USUAL_WITHIN and USUAL_LEAST plays at least. `watch` sees how far a rollout
    is. Raises IllegalError where nothing is to be played, and EngineError.
    """
    plays = plays_to_judge(state)
    usual = limit is None and within is None
    reach = USUAL_WITHIN if usual else within
    rated = rank_best(engine, state, depth, limit=limit, within=reach, watch=watch)
    least = USUAL_LEAST if usual else 0
    found = nacbrac_of(rated, plays, limit=limit, within=reach, least=least, characters=characters)
    # Nothing is known to the depth of plays behind the last that was looked at.
    cut = reach is not None and len(found.entries) == MOST_PLAYS < len(plays)
    suffix = suffix_by(engine.bot, depth)
    return Judged(replace(found, score=score_of(state), suffix=suffix, more=cut), rated)


def judge_cube(engine: Engine, state: GameState, depth: Depth) -> JudgedCube:
    """The nacbrac of the cube in a state, before the roll or the double.

    Raises IllegalError where the player may not double, and EngineError.
    """
    before = replace(state.before_double, roll=None)
    judged = JudgedCube.of(engine.judge_cube(before, depth), before)
    if judged is None:
        raise EngineError("the engine does not know what the cube is worth")
    return judged


def suffix_by(
    bot: Bot, depth: Depth, *, errors: Sequence[float] = (), symbols: bool = False
) -> str:
    """The suffix of what a bot says; `errors` and `symbols` as in gnubg_suffix."""
    if bot is not GNUBG:
        return bot.told(depth)
    return gnubg_suffix(
        depth.plies, depth.trials, truncate=depth.truncate, errors=errors, symbols=symbols
    )
