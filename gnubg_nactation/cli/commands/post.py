"""`nactate post`: write a sequence or a position for a forum."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from gnubg_nactation import IllegalError, MalformedError
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, read_sequence, report_doubts
from gnubg_nactation.cli.paste import add_paste_option
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import (
    CUBE_MISUSE,
    SUBJECT_HELP,
    add_cube_option,
    copied_in_text,
    decision_of,
    read_named,
    read_subject,
    text_of,
)
from gnubg_nactation.cli.writing_options import add_style_options
from gnubg_nactation.decisions.decision import Decision
from gnubg_nactation.exports.post.posts import (
    PostStyle,
    format_position,
    format_question,
    format_sequence,
    sequence_row,
)
from gnubg_nactation.exports.post.targets import TARGETS, Target
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.files.copied import Copied

DESCRIPTION = """\
Write a sequence, a position or a decision for a forum, with its board.
Prints the markup of the site, ready to paste."""
EXAMPLES = """\
  nactate post 43Z-32H-54
  nactate post --to bbcode 4HPwATDgc/ABMA
  nactate post --to reddit --spoiler '54S-63R-31 [P @87 H94 X101]'
  nactate post --to discord --spoiler match.sgf#2.13b
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] SUBJECT"
    parser.add_argument(
        "what",
        metavar="SUBJECT",
        nargs="+",
        action=Joined,
        help=f"{SUBJECT_HELP}; nacbracs may follow a sequence",
    )
    add_paste_option(parser)
    parser.add_argument(
        "--to", choices=TARGETS, default="markdown", help="markup of the site (default: markdown)"
    )
    parser.add_argument(
        "--spoiler",
        action="store_true",
        help="ask what to do, and hide the answer (from the nacbrac, the match or an engine)",
    )
    add_cube_option(parser)
    style = parser.add_argument_group("style")
    style.add_argument(
        "--layout",
        choices=("row", "paired"),
        default="row",
        help="write tokens singly (default) or in pairs",
    )
    style.add_argument(
        "--bold-best", action="store_true", help="write the best play of a nacbrac in bold"
    )
    add_style_options(style)
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = text_of(options.what, streams)
    target = TARGETS[options.to]
    if options.bold_best and options.to == "plain":
        raise SettingsError("--bold-best does nothing for --to plain")
    if options.bold_best and "[" not in text:
        raise SettingsError("--bold-best needs a nacbrac, such as [P @87 H94]")
    if positions := copied_in_text(text):
        return _print_copied(positions, target, options, streams)
    subject = read_named(text, options, streams)
    if subject is None and (options.spoiler or "[" not in text):
        subject = read_subject(text, options, streams)
    if options.cube and not (subject and subject.where):
        raise SettingsError(CUBE_MISUSE)
    layout = options.layout, options.fans, options.forced, options.start_mark
    style = PostStyle(*layout, spoken=options.spoken)
    if not subject:
        post = _nacbracs(text, target, style, options, streams)
    elif options.spoiler or subject.where:
        decision = subject.decision or Decision(subject.state)
        if options.spoiler:
            decision = decision_of(subject, options, streams)
        decoded, players = subject.decoded, subject.players
        row = sequence_row(decoded, target, style) if decoded and decoded.turns else ""
        post = format_question(decision, target, hidden=options.spoiler, row=row, players=players)
    elif not text:
        raise MalformedError("nothing to post: name a sequence or a position")
    elif subject.decoded:
        post = format_sequence(subject.decoded, target, style)
    else:
        post = format_position(subject.state, target)
    streams.print(post)
    return Status.OK


def _print_copied(
    positions: Sequence[Copied], target: Target, options: argparse.Namespace, streams: Streams
) -> int:
    """Print the decisions of what XG or gnubg copies; return the exit status."""
    from gnubg_nactation.cli.copied import report_problems
    from gnubg_nactation.decisions.copied import decisions_of

    failed = [report_problems(copied, streams) for copied in positions]
    decisions = [decision for copied in positions for decision in decisions_of(copied)]
    decisions = [decision for decision in decisions if decision.cube or not options.cube]
    posts = [format_question(decision, target, hidden=options.spoiler) for decision in decisions]
    streams.print("\n".join(posts))
    if not posts and not any(failed):
        raise IllegalError("the text has no cube decision")
    return Status.FAILED if any(failed) else Status.OK


def _nacbracs(
    text: str, target: Target, style: PostStyle, options: argparse.Namespace, streams: Streams
) -> str:
    """Write a post of the sequences in a text, each with its nacbracs."""
    from gnubg_nactation.cli.decode_nacbrac import resolve
    from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
    from gnubg_nactation.nacbracs.parts import split

    posts = []
    for sequence, nacbracs in split(text):
        decoded = read_sequence(sequence, options, streams)
        report_doubts(decoded, streams)
        resolved = resolve(decoded, nacbracs, options, streams) if nacbracs else ()
        roll = resolved[0].state.roll if resolved and not decoded.turns else None
        if roll:  # the nacbracs are about the roll of the start
            decoded = read_sequence(str(roll), options, streams)
        bold = options.bold_best
        lines = [spell_nacbrac(nacbrac.named, target, bold_best=bold) for nacbrac in resolved]
        posts.append(format_sequence(decoded, target, style, lines or [""]))
    return "\n".join(posts)
