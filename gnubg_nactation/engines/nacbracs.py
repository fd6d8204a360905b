"""The nacbrac of a roll by an engine: the best plays, and how much the others lose."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from gnubg_nactation.backgammon.conversion import to_roll, to_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import (
    USUAL,
    Decision,
    Listing,
    decide_cube,
    decide_near,
    play_nacbrac,
    suffix_of,
)
from gnubg_nactation.engines.engine import GNUBG, MAX_PLIES, Bot, Depth, Engine, Ranking, Watch
from gnubg_nactation.engines.registry import new_engine
from gnubg_nactation.engines.shortlist import MAX_PLAYS, rank_best
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import gnubg_suffix
from gnubg_nactation.nacbracs.nacbrac import MONEY, Nacbrac, at_score, parse_score
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
    """Return the nacbrac of a roll: the best plays, and what the others lose in points.

    `board` is a state, a position, a Position ID or an XGID; `roll` replaces its roll. `score`
    replaces its score: away scores such as `3-5`, `money`, `jacoby`, `dmp`, `gg` or `gs`, or the
    score of another nacbrac. `limit` is the number of plays to list, `within` the points that they
    may lose; by default it lists the plays within 0.1, at least two. `plies` is the search depth
    (gnubg 0-4, built-in engine 0-3, default 2; Sage 1-4, default 3). `engine` is `gnubg`,
    `builtin`, `sage` or `auto`, the first of these that is installed; it is started for this
    question alone.

    Raises EngineError if the engine is missing or fails, MalformedError for a text that cannot be
    read or a number out of range, and IllegalError if there is no roll or no legal play.
    """
    if plies is not None and not 0 <= plies <= MAX_PLIES:
        raise MalformedError(f"plies: found {plies}, expected 0 to {MAX_PLIES}")
    if limit is not None and limit < 1:
        raise MalformedError(f"limit: found {limit}, expected at least 1")
    if within is not None and not within >= 0:
        raise MalformedError(f"within: found {within}, expected at least 0")
    state = to_state(board)
    if roll is not None:
        state = replace(state, roll=to_roll(roll))
    if score is not None:
        state = at_score(state, parse_score(score) if score else MONEY)
    with closing(new_engine(engine)) as program:
        depth = program.bot.depth(plies)
        return play_nacbrac(judge(program, state, depth, Listing(limit, within)))


def plays_to_judge(state: GameState) -> Plays:
    """The plays of a state's roll. Raises IllegalError without a roll or a legal play."""
    if state.roll is None:
        raise IllegalError("there is no roll to play: add it after the sequence")
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
    """The best plays of a state's roll, as a nacbrac lists them, with its suffix as the source.

    `watch` follows a rollout. Raises IllegalError if there is nothing to play, and EngineError.
    """
    plays, reach = plays_to_judge(state), listing.reach
    rated = rank_best(engine, state, depth, limit=listing.limit, within=reach, watch=watch)
    decision = decide_ranked(state, rated, plays, "", listing)
    return decision._replace(source=source_of(decision, engine.bot, depth))


def decide_ranked(
    state: GameState, rated: Ranking, plays: Plays, source: str, listing: Listing = USUAL
) -> Decision:
    """The decision of `judge` from the ranking by `rank_best`, with its suffix as the source."""
    decision = decide_near(state, rated, plays, listing)
    # Plays after the last one searched may be as good.
    more = listing.reach is not None and len(decision.choices) == MAX_PLAYS < len(plays)
    return decision._replace(source=source, more=more)


def judge_cube(engine: Engine, state: GameState, depth: Depth) -> Decision:
    """The cube decision in a state, before the roll or after the double, without an action made.

    Raises IllegalError if the player may not double, and EngineError.
    """
    before_roll = replace(state.before_double, roll=None)
    decision = decide_cube(engine.judge_cube(before_roll, depth), state)
    if decision is None:
        raise EngineError(f"{engine.bot.name} gave no equities of the cube")
    return decision._replace(made=None)


def source_of(
    decision: Decision,
    bot: Bot,
    depth: Depth,
    *,
    errors: Sequence[float] = (),
    symbols: bool = False,
) -> str:
    """The suffix of a decision by a bot, as `suffix_by`; a book may have rolled its plays out."""
    if not depth.trials and decision.choices and decision.choices[0].standard_error is not None:
        return f"{bot.name} {suffix_of(decision).partition(' ')[2]}"
    return suffix_by(bot, depth, errors=errors, symbols=symbols)


def suffix_by(
    bot: Bot, depth: Depth, *, errors: Sequence[float] = (), symbols: bool = False
) -> str:
    """The suffix of a bot's nacbracs; `errors` and `symbols` as in gnubg_suffix."""
    if bot is not GNUBG:
        return bot.label(depth)
    return gnubg_suffix(
        depth.plies,
        depth.trials,
        stops=depth.stops,
        errors=errors,
        symbols=symbols,
    )
