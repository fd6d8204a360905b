"""`nactate post`: write a sequence or a position for a forum."""

from __future__ import annotations

import argparse

from gnubg_nactation import MalformedError
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.cli.annotate_options import add_style_options
from gnubg_nactation.cli.arguments import add_sequence_options, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.post.posts import TARGETS, PostStyle, format_position, format_sequence

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

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
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        metavar="SEQUENCE-or-POSITION",
        nargs="+",
        help="a sequence, in one word or several, a Position ID (with a Match ID behind a colon), "
        "an XGID, `start`, `nackgammon`, or `-`",
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
    add_sequence_options(parser)
    add_style_options(parser.add_argument_group("style"))


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(" ".join(options.what))
    target = TARGETS[options.to]
    state = parse_state(text)
    if state is not None:
        streams.print(format_position(state, target))
        return Status.OK
    if not text:
        raise MalformedError("nothing to post: neither a sequence nor a position")
    decoded = read_sequence(text, options, streams)
    style = PostStyle(options.layout, options.fans, options.forced, options.start_mark)
    streams.print(format_sequence(decoded, target, style))
    return Status.OK
