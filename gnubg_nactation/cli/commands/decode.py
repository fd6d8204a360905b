"""`nactate decode`: replay a sequence such as 54S-63R-31P."""

from __future__ import annotations

import argparse
import re

from gnubg_nactation.backgammon.ids import (
    format_match_id,
    format_position_id,
    format_xgid,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, read_sequence
from gnubg_nactation.cli.engine import add_plies_option
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.exports.views import turn_view
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_text

DESCRIPTION = (
    "Replay a sequence and print each play and the position reached. Forum text "
    "with HTML, BBCode or Markdown is read too. Readings that are not strict are marked."
)
EXAMPLES = """\
  nactate decode 54S-63R-31P
  nactate decode 54S 63R 31P!            emphasis and (comments) are kept as remarks
  nactate decode -- -61P-63R          the second player starts
  nactate decode 'N 41Q-21K'          Nackgammon
  nactate decode --from 4HPwATDgc/ABMA 43Z-43X
  nactate decode --engine gnubg 64S-44D     as an expert would read it: 24/16* 13/9(2)
  nactate decode --json 54-split,63-run,31-point
  nactate decode - < sequence.txt
  nactate decode '54S-63R-31 [P @87 H94 X101]'      the plays of a nacbrac, too
  nactate decode '54S-63R [N D/T 216 D/P 1002]'     and of the cube
  nactate decode --check '43D-33 d[C B2 E4 R7]'     its errors beside gnubg's
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "sequence",
        metavar="SEQUENCE",
        nargs="+",
        action=Joined,
        help="the sequence, with nacbracs behind it or not, in one word or several, or `-`",
    )
    add_sequence_options(parser)
    parser.add_argument(
        "--looks-lost",
        action="store_true",
        help="the nacbracs were copied without their italics and underlines: prefer natural plays",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare the errors of the nacbracs with those that GNU Backgammon finds",
    )
    add_plies_option(parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object for each turn and play of a nacbrac"
    )
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    text = streams.text_of(options.sequence)
    if not text:
        streams.report("decode: a sequence is missing, as in `nactate decode 54S-63R-31P`")
        return Status.USAGE
    if options.plies is not None and not options.check:
        streams.report("decode: --plies goes with --check")
        return Status.USAGE
    if options.check and "[" not in text:
        streams.report("decode: there is no nacbrac to check, such as [P @87 H94]")
        return Status.USAGE
    if _LISTED.search(text):
        from gnubg_nactation.cli.decode_nacbrac import decode_parts

        return decode_parts(text, options, streams, _print)
    _print(read_sequence(text, options, streams), options, streams)
    return Status.OK


# A text that may have nacbracs, headings, or a remark in place of nacbracs.
_LISTED = re.compile(r"\[|#[0-9]|[Oo]pening|\([Ss]ame")


def _print(decoded: Decoded, options: argparse.Namespace, streams: Streams) -> None:
    if options.json:
        for turn in decoded.turns:
            streams.print(json_text(turn_view(turn)) + "\n")
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
    play = format_play(turn.play) if turn.play else _WORDS.get(turn.how, turn.token.kind.value)
    words = turn.how.value if turn.how in _MARKED else "", _SURE.get(turn.sure, "")
    doubt = ", ".join(filter(None, words))
    if turn.note:
        doubt += f" ({turn.note})" if doubt else turn.note
    if turn.others:
        doubt += "; or " + ", ".join(format_play(play) for play in turn.others[:3])
    if turn.token.remark:
        doubt = f"{turn.token.remark}  {doubt}".rstrip()
    return turn.token.text, play, format_position_id(turn.after.position), doubt


_WORDS = {
    ReadingKind.FAN: "fan",
    ReadingKind.FORCED: "no play",
    ReadingKind.TO_PLAY: "to be played",
}
_MARKED = set(ReadingKind) - {*_WORDS, ReadingKind.STRICT, ReadingKind.ENTER}
# The note of a guess says why.
_SURE = {Confidence.LIKELY: "likely", Confidence.DOUBTFUL: "doubtful"}
