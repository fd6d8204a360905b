"""`nactate nacbrac`: the best plays of a roll with their errors, as in [P @87 H94]."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import hypot

from gnubg_nactation import NACKGAMMON, IllegalError, MalformedError, Roll, format_play
from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid, parse_state
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.cli.arguments import add_sequence_options, between, read_sequence
from gnubg_nactation.cli.engine import DEFAULT_PLIES, add_plies_option
from gnubg_nactation.cli.progress import trial_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.engines.engine import MOST_PLIES, Depth, check_playable
from gnubg_nactation.engines.nacbracs import judge, plays_to_judge
from gnubg_nactation.engines.shortlist import MOST_PLAYS
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS, Target
from gnubg_nactation.language.preference import CHARACTERS
from gnubg_nactation.nacbracs.bots import gnubg_suffix
from gnubg_nactation.nacbracs.nacbrac import USUAL_WITHIN, Entry, Nacbrac, format_nacbrac
from gnubg_nactation.nacbracs.score import at_score, describe_score, parse_score, score_of
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.showing import json_text, shown
from gnubg_nactation.values import Any, replace

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = (
    "Have GNU Backgammon rank the plays of the last roll of a sequence, and write "
    "the nacbrac: the best play first, then what each other one loses, in thousandths of a "
    "point, the cube counted in; for money (without Jacoby) unless a score is given."
)
EXAMPLES = """\
  nactate nacbrac 54S-63R-31
  nactate nacbrac --plies 0 --limit 4 43Z-43X-62
  nactate nacbrac --score dmp --score gg --score=-3-5 65R-43Z-66
  nactate nacbrac --rollout 216 --limit 2 21S-64
  nactate nacbrac --rollout 1296 --rollout-plies 1 --truncate 10 54S-63R-31
  nactate nacbrac 4HPwCSDg8+ABIQ 31
  nactate nacbrac --to markdown --bold-best 54S-63R-31
  nactate nacbrac 54S-63R-31 | nactate decode -

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points that the player on
roll and the opponent need: -3-5, or -2-1C in the Crawford game.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "words",
        metavar="SEQUENCE",
        nargs="+",
        help="a sequence that ends with a roll, or an XGID; a Position ID and a roll; or `-`",
    )
    depth = parser.add_mutually_exclusive_group()
    add_plies_option(depth)
    depth.add_argument(
        "--rollout",
        type=between(int, 1, 10**6),
        metavar="TRIALS",
        help="play each of the best plays (by 2 plies) out so many times",
    )
    parser.add_argument(
        "--rollout-plies",
        type=int,
        choices=range(MOST_PLIES + 1),
        metavar="N",
        help=f"how many plies gnubg looks ahead in the games of a rollout, 0 to {MOST_PLIES} "
        "(default: 0)",
    )
    parser.add_argument(
        "--truncate",
        type=between(int, 1, 1000),
        metavar="ROLLS",
        help="end the games of a rollout after so many rolls and judge where they stand "
        "(default: play them to the end)",
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--limit", type=between(int, 1, MOST_PLAYS), metavar="K", help="show the best K plays"
    )
    shown.add_argument(
        "--within",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help=f"show the plays that lose no more (default: {USUAL_WITHIN}, and two plays at least)",
    )
    parser.add_argument(
        "--score",
        action="append",
        type=_score,
        metavar="SCORE",
        help="at this score instead of money; may be given several times",
    )
    parser.add_argument(
        "--suffix",
        choices=("words", "symbols", "none"),
        default="words",
        help="how to name gnubg and the depth behind the bracket (default: words)",
    )
    parser.add_argument(
        "--characters", choices=CHARACTERS, default="preferred", help="which Nactation to write"
    )
    parser.add_argument(
        "--to",
        choices=TARGETS,
        default="plain",
        help="the markup of a forum, ready to be pasted (default: plain)",
    )
    parser.add_argument("--bold-best", action="store_true", help="the best play in bold")
    parser.add_argument("--json", action="store_true", help="one JSON object for each score")
    add_sequence_options(parser)
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    if idle := _idle(options):
        streams.complain(f"nacbrac: {idle}")
        return Status.USAGE
    target = TARGETS[options.to]
    state, head = _read(options, streams, target)
    check_playable(state)
    plays_to_judge(state)
    depth = Depth(DEFAULT_PLIES if options.plies is None else options.plies)
    if options.rollout:
        depth = Depth(options.rollout_plies or 0, options.rollout, truncate=options.truncate or 0)
    engine = options.open_engine()
    for score in options.score or [score_of(state)]:
        at = at_score(state, score)
        about = f"{head}, {describe_score(score)}: {depth} by gnubg"
        with trial_progress(streams, about, depth.trials) as watch:
            found, rated = judge(
                engine,
                at,
                depth,
                limit=options.limit,
                within=options.within,
                characters=options.characters,
                watch=watch,
            )
        found = replace(found, score=score, suffix=_suffix(found, rated, depth, options))
        if options.json:
            streams.print(_json(at, found, rated, depth))
        else:
            line = spell_nacbrac(found, target, bold_best=options.bold_best)
            streams.print(target.paragraph(f"{head} {line}"))
    return Status.OK


def _idle(options: argparse.Namespace) -> str:
    """That an option does nothing beside the others; empty if none is idle."""
    for name in ("rollout_plies", "truncate"):
        if getattr(options, name) is not None and not options.rollout:
            return f"--{name.replace('_', '-')} goes with --rollout"
    if options.json and options.to != "plain":
        return f"--to {options.to} does nothing for --json"
    if options.bold_best and (options.json or options.to == "plain"):
        return f"--bold-best does nothing for {'--json' if options.json else '--to plain'}"
    return ""


def _read(options: argparse.Namespace, streams: Streams, target: Target) -> tuple[GameState, str]:
    """The state whose roll is to be played, and what stands before its nacbrac, in markup."""
    text, *rest = options.words
    text = streams.text_of(text)
    given = parse_state(text)
    if given is not None:
        if len(rest) > 1 or options.start:
            raise IllegalError(
                f"what is to be played from {shown(text, 60)} is a roll and nothing else"
            )
        if given.doubled:
            raise IllegalError("a double is to be answered before the roll")
        roll = Roll.parse(rest[0]) if rest else given.roll
        return replace(given, roll=roll), str(roll)
    decoded = read_sequence(" ".join([text, *rest]), options, streams)
    if not decoded.turns:
        return decoded.state, ""
    *earlier, last = decoded.turns
    for turn in earlier:
        if turn.sure is not Confidence.SURE:
            play = format_play(turn.play) if turn.play else turn.reading
            streams.complain(f"{turn.token.text} is taken for {play} ({turn.note})")
    start = "N " * (decoded.parsed.start == NACKGAMMON and not options.start)
    start += target.escape("-" * (decoded.parsed.starts is Player.SECOND))
    tokens = [*(_token(turn, target) for turn in earlier), str(last.state.roll)]
    return last.state, start + "-".join(tokens)


def _token(turn: DecodedTurn, target: Target) -> str:
    roll, name = turn.state.roll, turn.nactation
    return f"{roll}{target.spell(name)}" if name and roll else target.escape(turn.token.text)


def _suffix(
    found: Nacbrac, rated: Sequence[RatedPlay], depth: Depth, options: argparse.Namespace
) -> str:
    if options.suffix == "none":
        return ""
    symbols = options.suffix == "symbols"
    errors = [_error_of_loss(one, rated[0]) for one in rated[1 : len(found.entries)]]
    return gnubg_suffix(
        depth.plies,
        depth.trials,
        truncate=depth.truncate,
        errors=[error for error in errors if error is not None],
        symbols=symbols,
    )


def _error_of_loss(one: RatedPlay, best: RatedPlay) -> float | None:
    """The standard error of what a play loses against the best, of which both are unsure."""
    if one.standard_error is None or best.standard_error is None:
        return None
    return hypot(one.standard_error, best.standard_error)


def _json(state: GameState, nacbrac: Nacbrac, rated: Sequence[RatedPlay], depth: Depth) -> str:
    value: dict[str, Any] = {
        "nacbrac": format_nacbrac(nacbrac),
        "score": nacbrac.score,
        "roll": str(state.roll),
        "position_id": format_position_id(state.position),
        "xgid": format_xgid(state),
        "engine": "gnubg",
        "plies": depth.plies,
        "trials": depth.trials,
    }
    if depth.truncate:
        value["truncated_at"] = depth.truncate
    value["plays"] = [
        _play(entry, one, rated[0]) for entry, one in zip(nacbrac.entries, rated, strict=False)
    ]
    return json_text(value) + "\n"


def _play(entry: Entry, one: RatedPlay, best: RatedPlay) -> dict[str, Any]:
    value = {
        "nactation": str(entry.name),
        "play": format_play(one.play),
        "equity": round(one.equity, 6),
        "error": entry.error,
        "after": format_position_id(one.play.after),
    }
    if one.standard_error is not None:
        value["standard_error"] = round(one.standard_error, 6)
        if one is not best and (error := _error_of_loss(one, best)) is not None:
            value["standard_error_of_error"] = round(error, 6)
    return value


def _score(text: str) -> str:
    try:
        return parse_score(text)
    except MalformedError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
