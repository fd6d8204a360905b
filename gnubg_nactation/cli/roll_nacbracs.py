"""The nacbrac of a roll or the cube, for `nactate nacbrac`, from an engine or a match file."""

from __future__ import annotations

import argparse
import os

from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.cli.engine import names_engine
from gnubg_nactation.cli.judged import nacbrac_object, play_objects, with_suffix
from gnubg_nactation.cli.progress import trial_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import read_named, read_subject, text_of
from gnubg_nactation.decisions.decision import (
    Decision,
    Listing,
    near_decision,
    standard_errors,
)
from gnubg_nactation.decisions.nacbrac import nacbrac_of
from gnubg_nactation.engines.engine import Bot, Depth, check_cube, check_playable
from gnubg_nactation.engines.nacbracs import judge, judge_cube, plays_to_judge, suffix_by
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS, Target
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.nacbracs.resolving import cube_state
from gnubg_nactation.nacbracs.score import at_score, describe_score, score_of
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_line, shown
from gnubg_nactation.values import Any, replace


def print_roll_nacbracs(options: argparse.Namespace, streams: Streams) -> int:
    """Print the nacbrac of a roll or of the cube at each score; return the exit status."""
    decision, head = _read(options, streams, TARGETS[options.to])
    if decision.choices:
        bot_name, level = bot_of(decision.choices[0].level)
        by: dict[str, Any] = {"engine": bot_name, "level": level}
        _print(decision, score_of(decision.state), head, by, options, streams)
        return Status.OK
    state = decision.state
    about_cube = state.roll is None
    for name in ("rollout", "limit", "within") if about_cube else ():
        if getattr(options, name) is not None:
            streams.report(f"nacbrac: --{name} does nothing for the cube")
            return Status.USAGE
    states = [(score, at_score(state, score)) for score in options.score or [score_of(state)]]
    for _, at in states:
        check_cube(at) if about_cube else check_playable(at)
    if not about_cube:
        plays_to_judge(state)
    engine = options.open_engine()
    bot: Bot = engine.bot
    depth = bot.depth(options.plies)
    if options.rollout:
        depth = Depth(options.rollout_plies or 0, options.rollout, truncate=options.truncate or 0)
    by = {"engine": bot.name, "plies": bot.plies(depth), "trials": depth.trials}
    by |= {"truncated_at": depth.truncate} if depth.truncate else {}
    by["fingerprint"] = os.path.basename(engine.fingerprint)  # gnubg's begins with its folder
    listing = Listing(options.limit, options.within, options.characters)
    for score, at in states:
        subject = "the cube" if about_cube else head
        about = f"{subject}, {describe_score(score)}: {bot.level(depth)} by {bot.name}"
        with trial_progress(streams, about, depth.trials) as watch:
            if about_cube:
                decision = judge_cube(engine, at, depth)
            else:
                decision = judge(engine, at, depth, listing, watch)
        errors, symbols = standard_errors(decision), options.suffix == "symbols"
        source = suffix_by(bot, depth, errors=errors, symbols=symbols) * (options.suffix != "none")
        _print(decision._replace(source=source), score, head, by, options, streams)
    return Status.OK


def _print(
    decision: Decision,
    score: str,
    head: str,
    by: dict[str, Any],
    options: argparse.Namespace,
    streams: Streams,
) -> None:
    """Print the nacbrac of a decision, with the score as typed."""
    nacbrac = replace(nacbrac_of(decision), score=score)
    if options.json:
        value = nacbrac_object(decision, nacbrac) | by
        if decision.cube is None:
            value["plays"] = play_objects(decision)
        streams.print(json_line(value))
    else:
        target = TARGETS[options.to]
        line = spell_nacbrac(nacbrac, target, bold_best=options.bold_best)
        streams.print(target.paragraph(f"{head} {line}".lstrip()))


def _read(options: argparse.Namespace, streams: Streams, target: Target) -> tuple[Decision, str]:
    """Return the decision, and the text before its nacbrac, in markup.

    It has choices if it comes from an analysed match and no option needs an engine. A decision
    about the cube has no roll in its state.
    """
    text, *rest = options.words
    text = text_of(text, streams)
    subject = read_named(text, options, streams)
    if subject is None:
        subject = read_subject(" ".join([text, *rest]), options, streams)
    if subject.decoded:
        state, head = _last_roll(subject.decoded, options, target)
        return Decision(state), head
    state, turn = subject.state, subject.turn
    if len(rest) > 1:
        raise IllegalError(f"after {shown(text, 60)} comes a roll and nothing else")
    if state.doubled and rest:
        raise IllegalError("the double must be answered before the roll")
    needs_engine = (
        names_engine(options) or options.score or options.rollout or options.plies is not None
    )
    if turn and not rest and not needs_engine:
        listing = Listing(options.limit, options.within, options.characters)
        decision = near_decision(turn, listing) if state.roll else subject.decision
        if decision:
            return with_suffix(decision, options.suffix), str(state.roll or "")
    roll = Roll.parse(rest[0]) if rest else state.roll
    if roll is None or options.cube:
        return Decision(replace(state.before_double, roll=None)), ""
    return Decision(replace(state, roll=roll)), str(roll)


def _last_roll(
    decoded: Decoded, options: argparse.Namespace, target: Target
) -> tuple[GameState, str]:
    """Return the state before the last play of a sequence, and the sequence in markup.

    The state has no roll if it is about the cube.
    """
    if not decoded.turns:
        if options.cube or (options.start and decoded.state.roll is None):
            return cube_state(decoded), ""
        plays_to_judge(decoded.state)  # an empty sequence is not about the cube
        return decoded.state, ""
    *earlier, last = decoded.turns
    about_cube = options.cube or not isinstance(last.action, Move)
    if about_cube and last.how is not ReadingKind.TO_PLAY:
        earlier = [*decoded.turns]
    start = "" if options.start else start_prefix(decoded.parsed.start)
    start += target.escape("-" * (decoded.parsed.starts is Player.SECOND))
    tokens = [_token(turn, target) for turn in earlier]
    if about_cube:
        return cube_state(decoded), start + "-".join(tokens)
    return last.state, start + "-".join([*tokens, str(last.state.roll)])


def _token(turn: DecodedTurn, target: Target) -> str:
    roll, name = turn.state.roll, turn.nactation
    return f"{roll}{target.spell(name)}" if name and roll else target.escape(turn.token.text)
