"""`nactate board`: draw a position as text, SVG or PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.cli.arguments import add_sequence_options, read_play, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board.rendering import board_png, board_svg, board_text
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import Any, replace

DESCRIPTION = (
    "Draw a position, or the one that a sequence leads to, as text (the default), "
    "SVG or PNG. The side at the bottom has X in text; the first player's checkers are white."
)
EXAMPLES = """\
  nactate board start 31 8/5 6/5
  nactate board start 31 P
  nactate board 54S-63R-31P                      the position reached
  nactate board --play 54S-63R-31P               the last play with its arrows
  nactate board 4HPwATDgc/ABMA:cAkAAAAAAAAA
  nactate board --svg --theme dark 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10'
  nactate board -o board.png --home left nackgammon 53
"""
_VIEWS = {"first": Player.FIRST, "second": Player.SECOND, "mover": None}
_WIDEST = 8000  # pixels; a larger image takes more memory than it is worth


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.usage = "%(prog)s [options] SEQUENCE\n       %(prog)s [options] POSITION [ROLL [PLAY]]"
    parser.add_argument(
        "words",
        metavar="SEQUENCE | POSITION ROLL PLAY",
        nargs="+",
        help="a sequence, or `-`; or a Position ID (with a Match ID behind a colon), an XGID, "
        "`start` or `nackgammon`; a roll; and a play in traditional notation or a Nactation",
    )
    add_sequence_options(parser)
    parser.add_argument(
        "--play", action="store_true", help="the sequence's last play, with arrows, on its board"
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
        streams.complain("board: a PNG is not for a terminal; name a file with -o")
        return Status.USAGE
    data = _draw(form, *_read(options, streams), options)
    if options.output is None:
        streams.write(data)
    else:
        write_atomically(options.output, data)
    return Status.OK


def _draw(form: str, state: GameState, play: Play | None, options: argparse.Namespace) -> bytes:
    players = tuple(options.players) if options.players else None
    style: dict[str, Any] = {"players": players, "view": _VIEWS[options.view]}
    if form == "text":
        return f"{board_text(state, play, **style)}\n".encode()
    style |= {"theme": options.theme, "home": options.home}
    if options.width:
        style["width"] = options.width
    if form == "png":
        return board_png(state, play, **style)
    return f"{board_svg(state, play, **style)}\n".encode()


def _read(options: argparse.Namespace, streams: Streams) -> tuple[GameState, Play | None]:
    """The moment to draw, and the play if one is to be shown."""
    text, *rest = options.words
    text = streams.text_of(text)
    state = parse_state(text)
    if state is None:
        if rest and not rest[0].isdecimal():  # no roll, and so a sequence in several words
            text, rest = " ".join(options.words), []
        decoded = read_sequence(text, options, streams)
        state = decoded.state
        if options.play:
            played = [turn for turn in decoded.turns if turn.play]
            if rest or not played:
                raise IllegalError("there is no last play of a sequence to show")
            return played[-1].state, played[-1].play
    elif options.play:
        raise IllegalError("a position has no last play; give a roll and a play behind it")
    if not rest:
        return state, None
    roll, words = Roll.parse(rest[0]), " ".join(rest[1:])
    play = read_play(words, state.position, roll, options.dialect)[0] if rest[1:] else None
    return replace(state, roll=roll, doubled=False), play
