"""`nactate board`: draw a position as text, SVG or PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.arguments import add_sequence_options, read_play
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import TURN_HELP, Subject, read_turn
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board.rendering import board_png, board_svg, board_text
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import Any

DESCRIPTION = (
    "Draw a position, the one that a sequence leads to, or one of a match, as text (the default), "
    "SVG or PNG. The side at the bottom has X in text; the first player's checkers are white."
)
EXAMPLES = """\
  nactate board start 31 8/5 6/5
  nactate board start 31 P
  nactate board 54S-63R-31P                      the position reached
  nactate board --play 54S-63R-31P               the last play with its arrows
  nactate board 4HPwATDgc/ABMA:cAkAAAAAAAAA
  nactate board --play match.sgf#2.13b
  nactate board --svg --theme dark 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10'
  nactate board -o board.png --home left nackgammon 53
"""
_VIEWS = {"first": Player.FIRST, "second": Player.SECOND, "mover": None}
_WIDEST = 8000  # pixels; a larger image takes more memory than it is worth


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.usage = "%(prog)s [options] SUBJECT [ROLL [PLAY]]"
    parser.add_argument("words", metavar="SUBJECT ROLL PLAY", nargs="+", help=TURN_HELP)
    add_sequence_options(parser)
    parser.add_argument(
        "--play",
        action="store_true",
        help="the last play of the sequence, or the one made in the match, with arrows",
    )
    _add_drawing_options(parser.add_argument_group("drawing"))


def _add_drawing_options(group: argparse._ArgumentGroup) -> None:
    form = group.add_mutually_exclusive_group()
    for name in ("text", "svg", "png"):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name)
    group.add_argument("-o", "--output", type=Path, metavar="FILE", help="instead of the terminal")
    group.add_argument(
        "--theme", choices=("light", "dark", "auto"), default="auto", help="auto: as the reader's"
    )
    group.add_argument(
        "--home", choices=("right", "left"), default="right", help="home boards (not of text)"
    )
    group.add_argument(
        "--view", choices=_VIEWS, default="mover", help="the side at the bottom (default: mover)"
    )
    group.add_argument("--players", nargs=2, metavar=("FIRST", "SECOND"), help="their names")
    group.add_argument("--width", type=_width, metavar="N", help="of the image, in pixels")


def _width(text: str) -> int:
    width = int(text)  # argparse tells of a ValueError
    if not 50 <= width <= _WIDEST:
        raise argparse.ArgumentTypeError(f"{width} is not between 50 and {_WIDEST}")
    return width


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    suffix = options.output.suffix.lower() if options.output else ""
    form = options.form or (suffix[1:] if suffix in {".svg", ".png"} else "text")
    if form == "png" and options.output is None and streams.stdout.isatty():
        streams.report("board: a PNG is not for a terminal; name a file with -o")
        return Status.USAGE
    subject, play = _read(options, streams)
    data = _draw(form, subject, play, options)
    if options.output is None:
        streams.write(data)
    else:
        write_atomically(options.output, data)
    return Status.OK


def _draw(form: str, subject: Subject, play: Play | None, options: argparse.Namespace) -> bytes:
    state, players = subject.state, options.players or subject.players
    style: dict[str, Any] = {"players": players and tuple(players), "view": _VIEWS[options.view]}
    if form == "text":
        return f"{board_text(state, play, **style)}\n".encode()
    style |= {"theme": options.theme, "home": options.home}
    if options.width:
        style["width"] = options.width
    if form == "png":
        return board_png(state, play, **style)
    return f"{board_svg(state, play, **style)}\n".encode()


def _read(options: argparse.Namespace, streams: Streams) -> tuple[Subject, Play | None]:
    """The moment to draw, and the play if one is to be shown."""
    subject, text = read_turn(options.words, options, streams)
    state = subject.state
    if options.play:
        turns = subject.decoded.turns if subject.decoded else filter(None, [subject.turn])
        played = [turn for turn in turns if turn.play]
        if text or not played:
            raise IllegalError("there is no last play to show: name a sequence or a play")
        last = played[-1]
        return subject._replace(state=last.state or state), last.play
    if not text or state.roll is None:
        return subject, None
    return subject, read_play(text, state.position, state.roll, options.dialect)[0]
