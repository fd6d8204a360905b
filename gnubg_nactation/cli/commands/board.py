"""`nactate board`: draw a position as text, SVG or PNG."""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.results import chosen_form, paste_setting, write_result
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board import board_png, board_svg, board_text
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import (
    TURN_HELP,
    SequenceSettings,
    Subject,
    read_play,
    read_turn,
)
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
USAGE = "SUBJECT [ROLL [PLAY]]"


class Options(SequenceSettings, first="words paste play form output theme home view players width"):
    """What is drawn, and how."""

    words: tuple[str, ...] = setting((), TURN_HELP, "SUBJECT ROLL PLAY", words="some")
    paste: bool = paste_setting()
    play: bool = setting(
        False,
        "draw the last play, the play made in the match, or the best play that XG lists",
    )
    form: str | None = setting(
        None,
        "",
        shortcuts={f"--{name}": (name, f"draw {name.upper()}") for name in _FORMS}
        | {"--text": ("text", "draw text (default)")},
        group="drawing",
    )
    output: str | None = setting(
        None,
        "write to this file (.svg, .png, else text)",
        "FILE",
        flags="-o --output",
        group="drawing",
    )
    theme: str = setting(
        "auto",
        "colours of a picture (default: auto, which follows the reader's system)",
        choices=("light", "dark", "auto"),
        group="drawing",
    )
    home: str = setting(
        "right",
        "side of the home boards in a picture (default: right)",
        choices=("right", "left"),
        group="drawing",
    )
    view: str = setting(
        "mover",
        "player at the bottom (default: mover, the player on roll)",
        choices=_VIEWS,
        group="drawing",
    )
    players: tuple[str, str] | None = setting(
        None, "names of the players", ("FIRST", "SECOND"), group="drawing"
    )
    width: int | None = setting(
        None,
        f"width of a picture in pixels (50 to {_MAX_WIDTH})",
        "N",
        least=50,
        most=_MAX_WIDTH,
        measure=" pixels",
        group="drawing",
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = chosen_form(settings.form, settings.output, ("text", *_FORMS), streams)
    subject, play = _read(settings, streams)
    write_result(_draw(form, subject, play, settings), settings.output, streams)
    return Status.OK


def _draw(form: str, subject: Subject, play: Play | None, settings: Options) -> bytes:
    state, players = subject.state, settings.players or subject.players
    style: dict[str, Any] = {"players": players, "view": _VIEWS[settings.view]}
    if form == "text":
        return f"{board_text(state, play, **style)}\n".encode()
    style |= {"theme": settings.theme, "home": settings.home}
    if settings.width:
        style["width"] = settings.width
    if form == "png":
        return board_png(state, play, **style)
    return f"{board_svg(state, play, **style)}\n".encode()


def _read(settings: Options, streams: Streams) -> tuple[Subject, Play | None]:
    """Return the position to draw, and the play to draw in it, if any."""
    subject, text = read_turn(settings.words, settings, streams)
    state = subject.state
    if settings.play and subject.copied and not text:
        choices = subject.decision.choices if subject.decision else ()
        if choices and choices[0].play:
            return subject, choices[0].play
    if settings.play:
        turns = subject.decoded.turns if subject.decoded else filter(None, [subject.turn])
        played = [turn for turn in turns if turn.play]
        if text or not played:
            raise IllegalError("no last play to draw; give a sequence or a decision")
        last = played[-1]
        return subject._replace(state=last.state or state), last.play
    if not text or state.roll is None:
        return subject, None
    return subject, read_play(text, state.position, state.roll, settings.dialect)[0]
