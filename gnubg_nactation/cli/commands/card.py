"""`nactate card`: draw a decision as a picture for links and phones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from gnubg_nactation.backgammon.match import Move, Turn
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.arguments import Joined, add_sequence_options
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import (
    CUBE_MISUSE,
    SUBJECT_HELP,
    Subject,
    add_cube_option,
    decision_of,
    read_subject,
)
from gnubg_nactation.decisions.decision import Decision
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.board.card import card_svg, spell_svg
from gnubg_nactation.exports.board.rendering import png_of
from gnubg_nactation.exports.post.posts import token_read
from gnubg_nactation.sequences.notation import SequenceLayout, start_prefix, token
from gnubg_nactation.system.atomic import write_atomically

DESCRIPTION = (
    "Draw a decision as a picture: the board with the roll, what is to be decided, score and "
    "cube, the sequence that led there, and with --answer what is right. 1,200 by 630 pixels, as "
    "links are previewed, or square."
)
EXAMPLES = """\
  nactate card 54S-63R-31 -o card.png
  nactate card --answer '54S-63R-31 [P @87 H94]' -o card.svg
  nactate card --square match.sgf#2.13b -o card.png
  nactate card 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10' -o -
"""
_FORMS = ("png", "svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        metavar="SUBJECT",
        nargs="+",
        action=Joined,
        help=f"{SUBJECT_HELP}; a nacbrac may follow the sequence",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the picture, SVG where it ends in .svg, else PNG (with the extra `png`); `-` for "
        "standard output",
    )
    parser.add_argument("--form", choices=_FORMS, help="the form, whatever the name of the file")
    parser.add_argument(
        "--answer",
        action="store_true",
        help="with the answer: that of the nacbrac or the match, or else an engine's",
    )
    add_cube_option(parser)
    parser.add_argument("--square", action="store_true", help="1,080 by 1,080 pixels, for phones")
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="the colours (default: light)"
    )
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = options.form or ("svg" if options.output.lower().endswith(".svg") else "png")
    if options.output == "-" and form == "png" and streams.stdout.isatty():
        streams.report("card: a PNG is not for a terminal; name a file with -o")
        return Status.USAGE
    text = streams.text_of(options.what)
    if not text:
        raise MalformedError("nothing to draw: neither a sequence nor a position")
    subject = read_subject(text, options, streams)
    if options.cube and not subject.where:
        streams.report(f"card: {CUBE_MISUSE}")
        return Status.USAGE
    decision = decision_of(subject, options, streams) if options.answer else Decision(subject.state)
    data = _draw(subject, decision, form, options)
    if options.output == "-":
        streams.write(data)
    else:
        write_atomically(Path(options.output), data)
    return Status.OK


def _draw(subject: Subject, decision: Decision, form: str, options: argparse.Namespace) -> bytes:
    plain, svg = (_tokens(subject, SequenceLayout(spell=spell)) for spell in (str, spell_svg))
    picture = card_svg(
        decision,
        players=subject.players,
        tokens=tuple(zip(plain, svg, strict=True)),
        where=subject.where,
        square=options.square,
        theme=options.theme,
    )
    return f"{picture}\n".encode() if form == "svg" else png_of(picture)


def _tokens(subject: Subject, style: SequenceLayout) -> list[str]:
    """The tokens of what led to a decision, the first with the marks that begin a sequence."""
    if subject.decoded:
        turns: Sequence[Turn] = subject.decoded.turns
        texts = [token_read(turn, style) for turn in subject.decoded.turns]
    else:
        turns = subject.turns
        names = (turn.namings[0].nactation if turn.namings else None for turn in subject.turns)
        tokens = (token(turn, name, style) for turn, name in zip(turns, names, strict=True))
        texts = [text for text in tokens if text]
    if not texts:
        return []
    first = next((turn for turn in turns if isinstance(turn.action, Move)), turns[0])
    start = start_prefix(first.state.position if first.state else None)
    start += style.start * (first.action.player is Player.SECOND)
    return [start + texts[0], *texts[1:]]
