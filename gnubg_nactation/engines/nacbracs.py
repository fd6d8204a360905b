"""The nacbrac of a roll, by an engine: the best plays and what the others lose."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from gnubg_nactation.backgammon.conversion import to_roll, to_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import USUAL, Decision, Listing, decide_cube, decide_near
from gnubg_nactation.decisions.nacbrac import play_nacbrac
from gnubg_nactation.engines.engine import GNUBG, Bot, Depth, Engine, Watch
from gnubg_nactation.engines.registry import new_engine
from gnubg_nactation.engines.shortlist import MOST_PLAYS, rank_best
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import gnubg_suffix
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.score import at_score
from gnubg_nactation.values import replace


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
    `score.py` instead of the state's; `limit` and `within` as in Listing; `engine` is `gnubg`,
    `sage` or `auto`: gnubg where it is found, else Open Sage; `plies` are counted as it counts
    them, 2 of gnubg's and 3 of Sage's if none are said. Raises EngineError without one, and
    IllegalError where nothing is to be played.
    """
    state = to_state(board)
    if roll is not None:
        state = replace(state, roll=to_roll(roll))
    if score is not None:
        state = at_score(state, score)
    with closing(new_engine(engine)) as program:
        depth = program.bot.depth(plies)
        return play_nacbrac(judge(program, state, depth, Listing(limit, within)))


def plays_to_judge(state: GameState) -> Plays:
    """The plays of a state's roll; IllegalError where it has none, or nothing can be played."""
    if state.roll is None:
        raise IllegalError("there is no roll to be played: write it behind the sequence")
    plays = Plays(state.position, state.roll)
    if not plays:
        raise IllegalError(f"nothing can be played with {state.roll}")
    return plays


def judge(
    engine: Engine,
    state: GameState,
    depth: Depth,
    listing: Listing = USUAL,
    watch: Watch | None = None,
) -> Decision:
    """The best plays of a state's roll, as a nacbrac lists them; its suffix is the source.

    `watch` sees how far a rollout is. Raises IllegalError where nothing is to be played, and
    EngineError.
    """
    plays, reach = plays_to_judge(state), listing.reach
    rated = rank_best(engine, state, depth, limit=listing.limit, within=reach, watch=watch)
    decision = decide_near(state, rated, plays, listing)
    # Nothing is known to the depth of plays behind the last that was looked at.
    more = reach is not None and len(decision.choices) == MOST_PLAYS < len(plays)
    return decision._replace(source=suffix_by(engine.bot, depth), more=more)


def judge_cube(engine: Engine, state: GameState, depth: Depth) -> Decision:
    """The cube decision in a state, before the roll or after the double; nobody has acted yet.

    Raises IllegalError where the player may not double, and EngineError.
    """
    before = replace(state.before_double, roll=None)
    decision = decide_cube(engine.judge_cube(before, depth), state)
    if decision is None:
        raise EngineError("the engine does not know what the cube is worth")
    return decision._replace(made=None)


def suffix_by(
    bot: Bot, depth: Depth, *, errors: Sequence[float] = (), symbols: bool = False
) -> str:
    """The suffix of what a bot says; `errors` and `symbols` as in gnubg_suffix."""
    if bot is not GNUBG:
        return bot.label(depth)
    return gnubg_suffix(
        depth.plies, depth.trials, truncate=depth.truncate, errors=errors, symbols=symbols
    )
