"""`nactate nacbrac`: rank the best plays of a roll, as in [P @87 H94]."""

from __future__ import annotations

import argparse
import io

from gnubg_nactation.cli.arguments import (
    add_sequence_options,
    between,
    file_argument,
    score_type,
)
from gnubg_nactation.cli.engine import add_plies_option, analyse_conflict, names_engine
from gnubg_nactation.cli.inputs import STANDARD_INPUT, add_encoding_option, read_at_most
from gnubg_nactation.cli.paste import add_paste_option
from gnubg_nactation.cli.results import on_terminal
from gnubg_nactation.cli.results_old import add_color_option
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.subject import SUBJECT_HELP, copied_in_text, text_of
from gnubg_nactation.decisions.decision import NEAR
from gnubg_nactation.engines.engine import MAX_PLIES
from gnubg_nactation.engines.shortlist import MAX_PLAYS
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.language.plays import CHARACTERS
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.files.copied import Copied

DESCRIPTION = """\
Rank the best plays of a roll with their errors, as a nacbrac such as [P @87 H94].
Asks an engine about a position, or reads the analysis of match files."""
EXAMPLES = """\
  nactate nacbrac 54S-63R-31
  nactate nacbrac --score dmp --score=-3-5 65R-43Z-66
  nactate nacbrac --rollout 216 --limit 2 21S-64
  nactate nacbrac --cube 54S-63R-31P-42     the cube decision before the 42
  nactate nacbrac --errors .050 match.xg    the errors of a match

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points needed by the player
on roll and by the opponent: -3-5, or -2-1C in the Crawford game. Errors are thousandths of a point.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] {SUBJECT [ROLL] | FILE ...}"
    parser.add_argument(
        "words",
        metavar="SUBJECT-or-FILE",
        nargs="+",
        help=f"{SUBJECT_HELP}; then a roll, unless the subject has one; or analysed match files",
    )
    add_paste_option(parser)
    parser.add_argument(
        "--cube", action="store_true", help="judge the cube decision before the roll, not the plays"
    )
    parser.add_argument(
        "--score",
        action="append",
        type=score_type,
        metavar="SCORE",
        help="rank plays at this score; repeatable (default: money)",
    )
    _add_engine_options(parser.add_argument_group("engine"))
    _add_writing_options(parser.add_argument_group("writing"))
    _add_file_options(parser.add_argument_group("match files"))
    add_sequence_options(parser, book=True)


def _add_engine_options(group: argparse._ArgumentGroup) -> None:
    depth = group.add_mutually_exclusive_group()
    add_plies_option(depth)
    depth.add_argument(
        "--rollout",
        type=between(int, 1, 10**6),
        metavar="TRIALS",
        help="roll out the best plays, with this many games each",
    )
    group.add_argument(
        "--rollout-plies",
        type=int,
        choices=range(MAX_PLIES + 1),
        metavar="N",
        help=f"search depth in a rollout (0-{MAX_PLIES}, default: 0)",
    )
    group.add_argument(
        "--truncate",
        type=between(int, 1, 1000),
        metavar="ROLLS",
        help="end games of a rollout after this many rolls (default: never)",
    )


def _add_writing_options(group: argparse._ArgumentGroup) -> None:
    plays = group.add_mutually_exclusive_group()
    plays.add_argument(
        "--limit", type=between(int, 1, MAX_PLAYS), metavar="K", help="show the K best plays"
    )
    plays.add_argument(
        "--within",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help=f"show plays that lose at most POINTS (default: {NEAR}, at least two plays)",
    )
    group.add_argument(
        "--suffix",
        choices=("words", "symbols", "none"),
        default="words",
        help="how to name engine and depth after the bracket (default: words)",
    )
    group.add_argument(
        "--characters",
        choices=CHARACTERS,
        default="preferred",
        help="which Nactation to write (default: preferred)",
    )
    group.add_argument(
        "--to", choices=TARGETS, default="plain", help="markup of a forum (default: plain)"
    )
    group.add_argument("--bold-best", action="store_true", help="write the best play in bold")
    group.add_argument("--json", action="store_true", help="print a JSON object per nacbrac")
    add_color_option(group)


def _add_file_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--game", type=int, metavar="N", help="only this game")
    group.add_argument(
        "--move", type=int, metavar="N", help="only this move, as numbered in the move list"
    )
    group.add_argument(
        "--errors",
        type=between(float, 0, 10, " points"),
        metavar="POINTS",
        help="only errors of at least this size",
    )
    group.add_argument("--analyse", action="store_true", help="analyse the files with an engine")
    add_encoding_option(group)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    data = read_at_most(streams.stdin) if options.words == [STANDARD_INPUT] else None
    if positions := _copied(options, data, streams):
        if conflict := _option_conflict(options):
            raise SettingsError(conflict)
        from gnubg_nactation.cli.copied_nacbracs import print_copied_nacbracs

        name = "standard input" if data is not None else options.words[0]
        return print_copied_nacbracs(name, positions, options, streams)
    is_file = _is_file(options.words[0], data)
    conflict = _conflict_with_file(options) if is_file else _conflict_with_roll(options)
    if conflict := _option_conflict(options) or conflict:
        raise SettingsError(conflict)
    if is_file:
        from gnubg_nactation.cli.file_nacbracs import print_file_nacbracs

        return print_file_nacbracs(options.words, options, streams, data)
    if data is not None:
        streams = streams._replace(stdin=io.BytesIO(data))
    from gnubg_nactation.cli.roll_nacbracs import print_roll_nacbracs

    return print_roll_nacbracs(options, streams)


def _copied(
    options: argparse.Namespace, data: bytes | None, streams: Streams
) -> tuple[Copied, ...]:
    """Return the positions of a copied text other than a file; none if an engine shall judge it."""
    word, *others = options.words
    engine_options = options.score, options.rollout, options.plies, options.start
    if others or names_engine(options) or any(value is not None for value in engine_options):
        return ()
    if data is not None:
        from gnubg_nactation.cli.copied import copied_in_file

        return copied_in_file(data, options.encoding)
    return () if file_argument(word) else copied_in_text(text_of(word, streams))


def _is_file(word: str, data: bytes | None) -> bool:
    """Whether the first word names match files, or standard input holds one."""
    if file_argument(word) or data is None:
        return file_argument(word) is not None
    from gnubg_nactation.cli.file_nacbracs import is_match

    return is_match(data)


def _option_conflict(options: argparse.Namespace) -> str:
    """Return which options do not go together; empty if all do."""
    for name in ("rollout_plies", "truncate"):
        if getattr(options, name) is not None and not options.rollout:
            return f"--{name.replace('_', '-')} goes with --rollout"
    if options.json and options.to != "plain":
        return f"--to {options.to} does nothing for --json"
    if options.bold_best and (options.json or options.to == "plain"):
        return f"--bold-best does nothing for {'--json' if options.json else '--to plain'}"
    return ""


def _conflict_with_file(options: argparse.Namespace) -> str:
    """Return which option does nothing for a match file; empty if none."""
    unused = {"score": options.score, "rollout": options.rollout, "from": options.start}
    conflict = next((f"--{name} does nothing" for name, value in unused.items() if value), "")
    conflict = conflict or analyse_conflict(options, (("plies", None),))
    if options.move is not None and options.game is None:
        conflict = conflict or "--move needs --game"
    return conflict and f"{conflict} for a match file"


def _conflict_with_roll(options: argparse.Namespace) -> str:
    """Return which option goes only with match files; empty if none."""
    names = ("game", "move", "errors", "encoding")
    unused = [name for name in names if getattr(options, name) is not None]
    unused += ["analyse"] * options.analyse
    return f"--{unused[0]} goes with a match file" if unused else ""
