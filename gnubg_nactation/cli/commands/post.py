"""`nactate post`: write a sequence or a position for a forum."""

from __future__ import annotations

import argparse

from gnubg_nactation import MalformedError
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import (
    CUBE_MISUSE,
    SUBJECT_HELP,
    add_cube_option,
    decision_of,
    read_named,
    read_subject,
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

DESCRIPTION = (
    "Write a sequence with the board that it leads to, or a position, in the "
    "markup of a forum. All that is markup there is escaped."
)
EXAMPLES = """\
  nactate post 43Z-32H-54
  nactate post --to bbcode --layout paired 43Z-32H-54
  nactate post --to html-forum -- -61P-63R
  nactate post --to plain 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10'
  nactate post 4HPwATDgc/ABMA
  nactate post --to reddit --spoiler '54S-63R-31 [P @87 H94 X101]'
  nactate post --to discord --spoiler match.sgf#2.13b
  nactate post --to bbcode --bold-best '54S-63R-31 [P @87 H94 X101]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        metavar="SUBJECT",
        nargs="+",
        action=Joined,
        help=f"{SUBJECT_HELP}; nacbracs may follow the sequence",
    )
    parser.add_argument(
        "--to", choices=TARGETS, default="markdown", help="the markup (default: markdown)"
    )
    parser.add_argument(
        "--layout",
        choices=("row", "paired"),
        default="row",
        help="the sequence as a row (default), or with two tokens between hyphens",
    )
    parser.add_argument(
        "--spoiler",
        action="store_true",
        help="ask what to do: score and cube in words, the board, and the answer hidden where the "
        "site can, else last; the answer is that of the nacbrac or the match, or else an engine's",
    )
    add_cube_option(parser)
    parser.add_argument(
        "--bold-best", action="store_true", help="the best play of each nacbrac in bold"
    )
    add_sequence_options(parser)
    add_style_options(parser.add_argument_group("style"))


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(options.what)
    target = TARGETS[options.to]
    if options.bold_best and options.to == "plain":
        streams.report("post: --bold-best does nothing for --to plain")
        return Status.USAGE
    if options.bold_best and "[" not in text:
        streams.report("post: there is no nacbrac for --bold-best, such as [P @87 H94]")
        return Status.USAGE
    subject = read_named(text, options, streams)
    if subject is None and (options.spoiler or "[" not in text):
        subject = read_subject(text, options, streams)
    if options.cube and not (subject and subject.where):
        streams.report(f"post: {CUBE_MISUSE}")
        return Status.USAGE
    layout = options.layout, options.fans, options.forced, options.start_mark
    style = PostStyle(*layout, spoken=options.spoken)
    if not subject:
        post = _nacbracs(text, target, style, options, streams)
    elif options.spoiler or subject.where:
        known = subject.decision or Decision(subject.state)
        decision = decision_of(subject, options, streams) if options.spoiler else known
        decoded, players = subject.decoded, subject.players
        row = sequence_row(decoded, target, style) if decoded and decoded.turns else ""
        post = format_question(decision, target, hidden=options.spoiler, row=row, players=players)
    elif not text:
        raise MalformedError("nothing to post: neither a sequence nor a position")
    elif subject.decoded:
        post = format_sequence(subject.decoded, target, style)
    else:
        post = format_position(subject.state, target)
    streams.print(post)
    return Status.OK


def _nacbracs(
    text: str, target: Target, style: PostStyle, options: argparse.Namespace, streams: Streams
) -> str:
    """The post of the sequences of a text with the nacbracs behind each, as they are read."""
    from gnubg_nactation.cli.decode_nacbrac import resolve
    from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
    from gnubg_nactation.nacbracs.parts import split

    posts = []
    for sequence, nacbracs in split(text):
        decoded = read_sequence(sequence, options, streams)
        found = resolve(decoded, nacbracs, options, streams) if nacbracs else ()
        roll = found[0].state.roll if found and not decoded.turns else None
        if roll:  # they are about the roll of the start
            decoded = read_sequence(str(roll), options, streams)
        lines = [spell_nacbrac(one.named, target, bold_best=options.bold_best) for one in found]
        posts.append(format_sequence(decoded, target, style, lines or [""]))
    return "\n".join(posts)
