"""`nactate nacbrac`: the best plays of a roll with their errors, as in [P @87 H94]."""

from __future__ import annotations

import argparse
import io

from gnubg_nactation.cli.arguments import (
    add_sequence_options,
    between,
    file_argument,
    score_type,
)
from gnubg_nactation.cli.engine import add_plies_option, analyse_conflict
from gnubg_nactation.cli.inputs import STANDARD_INPUT, add_encoding_option, read_at_most
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import SUBJECT_HELP
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.decisions.decision import NEAR
from gnubg_nactation.engines.engine import MAX_PLIES
from gnubg_nactation.engines.shortlist import MAX_PLAYS
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.language.preference import CHARACTERS

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
  nactate nacbrac match.sgf#2.7b                    of a decision; an engine's if need be
  nactate nacbrac --cube 54S-63R-31P-42             whether to double before the 42, and to take

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points that the player on
roll and the opponent need: -3-5, or -2-1C in the Crawford game.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "words",
        metavar="SUBJECT-or-FILE",
        nargs="+",
        help=f"{SUBJECT_HELP}; then a roll, unless the subject has one; or match files or folders, "
        "for what the analysis in them says",
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
        choices=range(MAX_PLIES + 1),
        metavar="N",
        help=f"how many plies gnubg looks ahead in the games of a rollout, 0 to {MAX_PLIES} "
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
        "--limit", type=between(int, 1, MAX_PLAYS), metavar="K", help="show the best K plays"
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
        type=score_type,
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
        "--characters",
        choices=CHARACTERS,
        default="preferred",
        help="which Nactation to write (default: preferred)",
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
    add_encoding_option(group)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    data = read_at_most(streams.stdin) if options.words == [STANDARD_INPUT] else None
    is_file = _is_file(options.words[0], data)
    if conflict := _option_conflict(options) or (
        _conflict_with_file(options) if is_file else _conflict_with_roll(options)
    ):
        streams.report(f"nacbrac: {conflict}")
        return Status.USAGE
    if is_file:
        from gnubg_nactation.cli.file_nacbracs import print_file_nacbracs

        return print_file_nacbracs(options.words, options, streams, data)
    if data is not None:
        streams = streams._replace(stdin=io.BytesIO(data))
    from gnubg_nactation.cli.roll_nacbracs import print_roll_nacbracs

    return print_roll_nacbracs(options, streams)


def _is_file(word: str, data: bytes | None) -> bool:
    """Whether the first word names match files, or standard input holds one."""
    if file_argument(word) or data is None:
        return file_argument(word) is not None
    from gnubg_nactation.cli.file_nacbracs import is_match

    return is_match(data)


def _option_conflict(options: argparse.Namespace) -> str:
    """Which option does nothing next to the others; empty if none."""
    for name in ("rollout_plies", "truncate"):
        if getattr(options, name) is not None and not options.rollout:
            return f"--{name.replace('_', '-')} goes with --rollout"
    if options.json and options.to != "plain":
        return f"--to {options.to} does nothing for --json"
    if options.bold_best and (options.json or options.to == "plain"):
        return f"--bold-best does nothing for {'--json' if options.json else '--to plain'}"
    return ""


def _conflict_with_file(options: argparse.Namespace) -> str:
    """Which option does nothing for a match file; empty if none."""
    idle = {"score": options.score, "rollout": options.rollout, "from": options.start}
    conflict = next((f"--{name} does nothing" for name, value in idle.items() if value), "")
    conflict = conflict or analyse_conflict(options, (("plies", None),))
    if options.move is not None and options.game is None:
        conflict = conflict or "--move needs --game"
    return conflict and f"{conflict} for a match file"


def _conflict_with_roll(options: argparse.Namespace) -> str:
    """Which option only match files have; empty if none."""
    names = ("game", "move", "errors", "encoding")
    idle = [name for name in names if getattr(options, name) is not None]
    idle += ["analyse"] * options.analyse
    return f"--{idle[0]} goes with a match file" if idle else ""
