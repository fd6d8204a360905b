"""`nactate nacbrac`: the best plays of a roll with their errors, as in [P @87 H94]."""

from __future__ import annotations

import argparse
import io

from gnubg_nactation import IllegalError, Roll, format_play
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.cli.arguments import (
    add_sequence_options,
    between,
    file_named,
    read_sequence,
    score_named,
)
from gnubg_nactation.cli.engine import add_plies_option, goes_with_analyse
from gnubg_nactation.cli.inputs import STANDARD_INPUT, read_at_most
from gnubg_nactation.cli.judged import nacbrac_object, play_objects
from gnubg_nactation.cli.progress import trial_progress, waiting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.decisions.decision import NEAR, Decision, Listing, standard_errors, suffix_of
from gnubg_nactation.decisions.nacbrac import nacbrac_of
from gnubg_nactation.engines.engine import MOST_PLIES, Bot, Depth, check_cube, check_playable
from gnubg_nactation.engines.nacbracs import judge, judge_cube, plays_to_judge, suffix_by
from gnubg_nactation.engines.shortlist import MOST_PLAYS
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS, Target
from gnubg_nactation.language.preference import CHARACTERS
from gnubg_nactation.nacbracs.resolving import cube_state
from gnubg_nactation.nacbracs.score import at_score, describe_score, score_of
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.notation import begins
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_text, shown
from gnubg_nactation.values import replace

DESCRIPTION = (
    "Have GNU Backgammon, or another engine, rank the plays of the last roll of a sequence, and "
    "write the nacbrac: the best play first, then what each other one loses, in thousandths of a "
    "point, the cube counted in; for money (without Jacoby) unless a score is given. Of a match "
    "file (.xg, or gnubg's SGF) write the nacbrac of each move from the analysis that it holds, "
    "without asking an engine."
)
EXAMPLES = """\
  nactate nacbrac 54S-63R-31
  nactate nacbrac --plies 0 --limit 4 43Z-43X-62
  nactate nacbrac --engine sage 54S-63R-31          without gnubg, by the extra sage
  nactate nacbrac --score dmp --score gg --score=-3-5 65R-43Z-66
  nactate nacbrac --rollout 216 --limit 2 21S-64
  nactate nacbrac --rollout 1296 --rollout-plies 1 --truncate 10 54S-63R-31
  nactate nacbrac 4HPwCSDg8+ABIQ 31
  nactate nacbrac --to markdown --bold-best 54S-63R-31
  nactate nacbrac 54S-63R-31 | nactate decode -
  nactate nacbrac match.xg                          what the analysis in a file says
  nactate nacbrac --errors .050 match.sgf           of the plays that lost so much
  nactate nacbrac --game 2 --move 7 match.sgf
  nactate nacbrac --cube 54S-63R-31P-42             whether to double before the 42, and to take

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points that the player on
roll and the opponent need: -3-5, or -2-1C in the Crawford game.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "words",
        metavar="SEQUENCE-or-FILE",
        nargs="+",
        help="a sequence that ends with a roll, or an XGID; a Position ID and a roll; match files "
        "or folders, for what the analysis in them says; or `-`",
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
        help=f"show the plays that lose no more (default: {NEAR}, and two plays at least)",
    )
    parser.add_argument(
        "--cube",
        action="store_true",
        help="the cube before the roll, at the end of the sequence; of a file only its cube "
        "decisions",
    )
    parser.add_argument(
        "--score",
        action="append",
        type=score_named,
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
    parser.add_argument("--json", action="store_true", help="one JSON object for each nacbrac")
    _add_file_options(parser.add_argument_group("match files"))
    add_sequence_options(parser)
    add_color_option(parser)


def _add_file_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--game", type=int, metavar="N", help="only this game")
    group.add_argument(
        "--move", type=int, metavar="N", help="only this move, by the number in the move list"
    )
    group.add_argument(
        "--errors",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help="only where so many points were lost at least: .050",
    )
    group.add_argument(
        "--analyse", action="store_true", help="have an engine analyse the files anew"
    )
    group.add_argument("--encoding", help="the encoding of the files, where guessing fails")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    if idle := _idle(options):
        streams.complain(f"nacbrac: {idle}")
        return Status.USAGE
    data = read_at_most(streams.stdin) if options.words == [STANDARD_INPUT] else None
    if _is_file(options.words[0], data):
        if idle := _idle_for_files(options):
            streams.complain(f"nacbrac: {idle} a match file")
            return Status.USAGE
        from gnubg_nactation.cli.file_nacbracs import print_file_nacbracs

        return print_file_nacbracs(options.words, options, streams, data)
    if idle := _idle_for_sequences(options):
        streams.complain(f"nacbrac: {idle} goes with a match file")
        return Status.USAGE
    if data is not None:
        streams = streams._replace(stdin=io.BytesIO(data))
    state, head = _read(options, streams, TARGETS[options.to])
    if state.roll is None:
        return _about_cube(state, head, options, streams)
    check_playable(state)
    plays_to_judge(state)
    engine = options.open_engine()
    bot: Bot = engine.bot
    depth = bot.depth(options.plies)
    if options.rollout:
        depth = Depth(options.rollout_plies or 0, options.rollout, truncate=options.truncate or 0)
    for score in options.score or [score_of(state)]:
        at = at_score(state, score)
        about = f"{head}, {describe_score(score)}: {bot.level(depth)} by {bot.name}"
        with trial_progress(streams, about, depth.trials) as watch:
            listing = Listing(options.limit, options.within, options.characters)
            decision = judge(engine, at, depth, listing, watch)
        decision = decision._replace(source=_suffix(bot, decision, depth, options))
        _print(decision, score, head, bot, depth, options, streams)
    return Status.OK


def _print(  # noqa: PLR0913, PLR0917 - what a nacbrac is of
    decision: Decision,
    score: str,
    head: str,
    bot: Bot,
    depth: Depth,
    options: argparse.Namespace,
    streams: Streams,
) -> None:
    """Write the nacbrac of a decision, at the score as it was typed."""
    nacbrac = replace(nacbrac_of(decision), score=score)
    if options.json:
        value = nacbrac_object(decision, nacbrac)
        value |= {"engine": bot.name, "plies": bot.plies(depth), "trials": depth.trials}
        if depth.truncate:
            value["truncated_at"] = depth.truncate
        if decision.cube is None:
            value["plays"] = play_objects(decision)
        streams.print(json_text(value) + "\n")
    else:
        target = TARGETS[options.to]
        line = spell_nacbrac(nacbrac, target, bold_best=options.bold_best)
        streams.print(target.paragraph(f"{head} {line}".lstrip()))


def _about_cube(state: GameState, head: str, options: argparse.Namespace, streams: Streams) -> int:
    """Write the nacbrac of the cube, for each score that is asked for."""
    for name in ("rollout", "limit", "within"):
        if getattr(options, name) is not None:
            streams.complain(f"nacbrac: --{name} does nothing for the cube")
            return Status.USAGE
    states = [(score, at_score(state, score)) for score in options.score or [score_of(state)]]
    for _, at in states:
        check_cube(at)
    engine = options.open_engine()
    bot: Bot = engine.bot
    depth = bot.depth(options.plies)
    for score, at in states:
        about = f"the cube, {describe_score(score)}: {bot.level(depth)} by {bot.name}"
        with waiting(streams, about):
            decision = judge_cube(engine, at, depth)
        suffix = suffix_of(decision, symbols=options.suffix == "symbols")
        suffix *= options.suffix != "none"
        _print(decision._replace(source=suffix), score, head, bot, depth, options, streams)
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


def _is_file(word: str, data: bytes | None) -> bool:
    """Whether the first word names match files, or what came from standard input is one."""
    if file_named(word):
        return True
    if data is None:
        return False
    from gnubg_nactation.cli.file_nacbracs import is_match

    return is_match(data)


def _idle_for_files(options: argparse.Namespace) -> str:
    """That an option does nothing for match files; empty if none is idle."""
    for name in ("score", "rollout", "start"):
        if getattr(options, name):
            return f"--{'from' if name == 'start' else name} does nothing for"
    if idle := goes_with_analyse(options, (("plies", None),)):
        return f"{idle} for"
    return "--move needs --game for" if options.move is not None and options.game is None else ""


def _idle_for_sequences(options: argparse.Namespace) -> str:
    """An option that only match files have; empty if none is given."""
    names = ("game", "move", "errors", "analyse", "encoding")
    given = (name for name in names if getattr(options, name) is not None)
    return next((f"--{name}" for name in given if getattr(options, name) is not False), "")


def _read(options: argparse.Namespace, streams: Streams, target: Target) -> tuple[GameState, str]:
    """The state whose roll is to be played, and what stands before its nacbrac, in markup.

    Without a roll if it is about the cube, by `--cube` or since none is thrown yet.
    """
    text, *rest = options.words
    text = streams.text_of(text)
    given = parse_state(text)
    if given is not None:
        if len(rest) > 1 or options.start:
            raise IllegalError(
                f"what is to be played from {shown(text, 60)} is a roll and nothing else"
            )
        if given.doubled and rest:
            raise IllegalError("a double is to be answered before the roll")
        roll = Roll.parse(rest[0]) if rest else given.roll
        if roll is None or options.cube:
            return replace(given.before_double, roll=None), ""
        return replace(given, roll=roll), str(roll)
    decoded = read_sequence(" ".join([text, *rest]), options, streams)
    if not decoded.turns:
        if options.cube or (options.start and decoded.state.roll is None):
            return cube_state(decoded), ""
        plays_to_judge(decoded.state)  # nothing was written, which is about no cube
        return decoded.state, ""
    *earlier, last = decoded.turns
    about_cube = options.cube or not isinstance(last.action, Move)
    if about_cube and last.how is not ReadingKind.TO_PLAY:
        earlier = [*decoded.turns]
    for turn in earlier:
        if turn.sure is not Confidence.SURE:
            play = format_play(turn.play) if turn.play else turn.how.value
            streams.complain(f"{turn.token.text} is taken for {play} ({turn.note})")
    start = "" if options.start else begins(decoded.parsed.start)
    start += target.escape("-" * (decoded.parsed.starts is Player.SECOND))
    tokens = [_token(turn, target) for turn in earlier]
    if about_cube:
        return cube_state(decoded), start + "-".join(tokens)
    return last.state, start + "-".join([*tokens, str(last.state.roll)])


def _token(turn: DecodedTurn, target: Target) -> str:
    roll, name = turn.state.roll, turn.nactation
    return f"{roll}{target.spell(name)}" if name and roll else target.escape(turn.token.text)


def _suffix(bot: Bot, decision: Decision, depth: Depth, options: argparse.Namespace) -> str:
    if options.suffix == "none":
        return ""
    symbols = options.suffix == "symbols"
    return suffix_by(bot, depth, errors=standard_errors(decision), symbols=symbols)
