"""`nactate same`: tell whether two sequences reach the same position."""

from __future__ import annotations

import argparse

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.cli.arguments import add_sequence_options, read_sequence
from gnubg_nactation.cli.streams import Status, Streams

DESCRIPTION = (
    "Tell whether two sequences reach the same position with the same side to "
    "play. The exit status is 0 if they do and 1 if they do not."
)
EXAMPLES = """\
  nactate same 43P-52P 52P-43P
  nactate same 65R-52S-41T 65R-52S-32T      the same play with another roll
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("one", metavar="SEQUENCE")
    parser.add_argument("other", metavar="SEQUENCE")
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    texts = [streams.text_of(word) for word in (options.one, options.other)]
    one, other = (read_sequence(text, options, streams) for text in texts)
    ids = [format_position_id(decoded.state.position) for decoded in (one, other)]
    if ids[0] == ids[1]:
        streams.print(f"same: {ids[0]}\n")
        return Status.OK
    streams.print(f"different: {ids[0]} and {ids[1]}\n")
    return Status.FAILED
