"""`nactate decode`: replay a sequence such as 54S-63R-31P."""

from __future__ import annotations

import argparse
import re
from contextlib import suppress

from gnubg_nactation.backgammon.ids import (
    format_match_id,
    format_position_id,
    format_xgid,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, read_sequences, start_of
from gnubg_nactation.cli.engine import add_plies_option
from gnubg_nactation.cli.results import on_terminal
from gnubg_nactation.cli.results_old import add_color_option
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, NactationError
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, decode
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Replay a sequence: print each play, the position reached, and how sure the reading is.
Reads plain text, HTML, BBCode or Markdown, including nacbracs after a sequence."""
EXAMPLES = """\
  nactate decode 54S-63R-31P
  nactate decode -- -61P-63R                the second player starts
  nactate decode --from 4HPwATDgc/ABMA 43Z-43X
  nactate decode '54S-63R-31 [P @87 H94]'   with the plays of a nacbrac
  nactate decode - < sequence.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] SEQUENCE"
    parser.add_argument(
        "sequence",
        metavar="SEQUENCE",
        nargs="+",
        action=Joined,
        help="a sequence, with or without nacbracs, or `-`",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object per turn or play")
    add_color_option(parser)
    nacbracs = parser.add_argument_group("nacbracs")
    nacbracs.add_argument(
        "--looks-lost",
        action="store_true",
        help="italics and underlines were lost in copying: prefer natural plays",
    )
    nacbracs.add_argument(
        "--check", action="store_true", help="compare their errors with an engine's"
    )
    add_plies_option(nacbracs)
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    text = streams.text_of(options.sequence)
    if not text:
        raise SettingsError("a sequence is missing, as in `nactate decode 54S-63R-31P`")
    if options.plies is not None and not options.check:
        raise SettingsError("--plies goes with --check")
    if options.check and "[" not in text:
        raise SettingsError("--check needs a nacbrac, such as [P @87 H94]")
    try:
        if _LISTED.search(text):
            from gnubg_nactation.cli.decode_nacbrac import decode_parts

            return decode_parts(text, options, streams, _print)
        for number, decoded in enumerate(read_sequences(text, options, streams)):
            streams.print("\n" * (number > 0 and not options.json))
            _print(decoded, options, streams)
    except IllegalError as error:
        with suppress(NactationError):  # the turns before the break
            if before := error.text[: error.at].strip():
                _print(decode(before, start=start_of(options)), options, streams)
                streams.flush()  # before the error
        raise
    return Status.OK


# A text that may have nacbracs, headings, or a remark in place of nacbracs.
_LISTED = re.compile(r"\[|#[0-9]|[Oo]pening|\([Ss]ame")


def _print(decoded: Decoded, options: argparse.Namespace, streams: Streams) -> None:
    if options.json:
        from gnubg_nactation.exports.views import turn_view

        for turn in decoded.turns:
            streams.print(json_line(turn_view(turn)))
        return
    rows = [_row(turn) for turn in decoded.turns]
    widths = [max([0, *(len(row[column]) for row in rows)]) for column in range(3)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=False))
        streams.print("  ".join([*cells, row[3]]).rstrip() + "\n")
    state = decoded.state
    streams.print(
        f"\n{state.position}\n\n"
        f"{'X to play ' + str(state.roll) if state.roll else 'X to roll'}\n"
        f"Position ID: {format_position_id(state.position)}  "
        f"Match ID: {format_match_id(state)}\n{format_xgid(state)}\n"
    )


def _row(turn: DecodedTurn) -> tuple[str, str, str, str]:
    """Return token, play, Position ID, and what is not certain about the reading."""
    play = format_play(turn.play) if turn.play else _WORDS.get(turn.how, turn.token.kind.value)
    doubt = f"{turn.token.remark}  {turn.doubt}".strip()
    return turn.token.text, play, format_position_id(turn.after.position), doubt


_WORDS = {
    ReadingKind.FAN: "fan",
    ReadingKind.FORCED: "no play",
    ReadingKind.TO_PLAY: "to be played",
}
