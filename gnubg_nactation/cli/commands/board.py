"""`nactate board`: draw a position as text, SVG or PNG."""

from __future__ import annotations

import argparse

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.arguments import add_sequence_options, between, read_play
from gnubg_nactation.cli.paste import add_paste_option
from gnubg_nactation.cli.results import goes_to_terminal, write_result
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import TURN_HELP, Subject, read_turn
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board.rendering import board_png, board_svg, board_text
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any

DESCRIPTION = """\
Draw a position, the end of a sequence, or a play with its arrows.
Prints text, where X is the player at the bottom, or writes an SVG or PNG picture."""
EXAMPLES = """\
  nactate board 54S-63R-31P                      the position reached
  nactate board --play 54S-63R-31P               the last play, with arrows
  nactate board start 31 P
  nactate board -o board.png match.sgf#2.13b
"""
_VIEWS = {"first": Player.FIRST, "second": Player.SECOND, "mover": None}
_FORMS = ("svg", "png")
_MAX_WIDTH = 8000  # pixels; a larger picture takes more memory than it is worth


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] SUBJECT [ROLL [PLAY]]"
    parser.add_argument("words", metavar="SUBJECT ROLL PLAY", nargs="+", help=TURN_HELP)
    add_paste_option(parser)
    parser.add_argument(
        "--play",
        action="store_true",
        help="draw the last play, the play made in the match, or the best play that XG lists",
    )
    _add_drawing_options(parser.add_argument_group("drawing"))
    add_sequence_options(parser)


def _add_drawing_options(group: argparse._ArgumentGroup) -> None:
    form = group.add_mutually_exclusive_group()
    for name in _FORMS:
        form.add_argument(
            f"--{name}", dest="form", action="store_const", const=name, help=f"draw {name.upper()}"
        )
    form.add_argument(
        "--text", dest="form", action="store_const", const="text", help="draw text (default)"
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file (.svg, .png, else text)"
    )
    group.add_argument(
        "--theme",
        choices=("light", "dark", "auto"),
        default="auto",
        help="colours of a picture (default: auto, which follows the reader's system)",
    )
    group.add_argument(
        "--home",
        choices=("right", "left"),
        default="right",
        help="side of the home boards in a picture (default: right)",
    )
    group.add_argument(
        "--view",
        choices=_VIEWS,
        default="mover",
        help="player at the bottom (default: mover, the player on roll)",
    )
    group.add_argument(
        "--players", nargs=2, metavar=("FIRST", "SECOND"), help="names of the players"
    )
    group.add_argument(
        "--width",
        type=between(int, 50, _MAX_WIDTH, " pixels"),
        metavar="N",
        help=f"width of a picture in pixels (50 to {_MAX_WIDTH})",
    )


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    suffix = (options.output or "").lower().rpartition(".")[2]
    form = options.form or (suffix if suffix in _FORMS else "text")
    if form == "png" and goes_to_terminal(options.output, streams):
        raise SettingsError("a terminal cannot show a PNG; name a file with -o")
    subject, play = _read(options, streams)
    write_result(_draw(form, subject, play, options), options.output, streams)
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
    """Return the position to draw, and the play to draw in it, if any."""
    subject, text = read_turn(options.words, options, streams)
    state = subject.state
    if options.play and subject.copied and not text:
        choices = subject.decision.choices if subject.decision else ()
        if choices and choices[0].play:
            return subject, choices[0].play
    if options.play:
        turns = subject.decoded.turns if subject.decoded else filter(None, [subject.turn])
        played = [turn for turn in turns if turn.play]
        if text or not played:
            raise IllegalError("no last play to draw; give a sequence or a decision")
        last = played[-1]
        return subject._replace(state=last.state or state), last.play
    if not text or state.roll is None:
        return subject, None
    return subject, read_play(text, state.position, state.roll, options.dialect)[0]
