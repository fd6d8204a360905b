"""`nactate card`: draw a decision as a picture for links and phones."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.results import chosen_form, paste_setting, write_result
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.decision import Decision
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.board import Theme, png_of
from gnubg_nactation.exports.card import Frame, animated_png, card_svg, spell_svg
from gnubg_nactation.exports.post import token_read
from gnubg_nactation.exports.scores import scores_svg
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.notation import SequenceLayout, start_prefix, token
from gnubg_nactation.tasks.scores import added_scores, added_scores_setting
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import (
    CUBE_MISUSE,
    SUBJECT_HELP,
    SequenceSettings,
    Subject,
    cube_setting,
    decision_of,
    read_subject,
    text_of,
)

DESCRIPTION = """\
Draw a decision as a picture to share: board, roll, score, cube and sequence.
Writes a PNG or SVG of 1,200 by 630 pixels, the size of a link preview."""
EXAMPLES = """\
  nactate card 54S-63R-31 -o card.png
  nactate card --answer '54S-63R-31 [P @87 H94]' -o card.svg
  nactate card --square match.sgf#2.13b -o card.png
  nactate card --animate 54S-63R-31P -o game.png
"""
_FORMS = ("png", "svg")
USAGE = "-o FILE SUBJECT"


class Options(
    SequenceSettings, first="what paste output form answer scores cube square animate theme"
):
    """What is drawn, and how."""

    what: str = setting(
        "", f"{SUBJECT_HELP}; a nacbrac may follow the sequence", "SUBJECT", words="joined"
    )
    paste: bool = paste_setting()
    output: str = setting(
        "",
        "picture to write, SVG for .svg, else PNG (`-`: standard output)",
        "FILE",
        flags="-o --output",
        required=True,
    )
    form: str | None = setting(None, "format of the picture (default: by its name)", choices=_FORMS)
    answer: bool = setting(False, "show the answer: from the nacbrac, the match or an engine")
    scores: int | None = added_scores_setting("show")
    cube: bool = cube_setting()
    square: bool = setting(False, "draw 1,080 by 1,080 pixels, for phones")
    animate: bool = setting(
        False, "draw the turns that lead there one after the other, as an animated PNG"
    )
    theme: Theme = setting("light", "colours (default: light)", choices=("light", "dark"))


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = chosen_form(settings.form, settings.output, _FORMS, streams)
    if settings.animate and (form == "svg" or settings.answer or settings.square or settings.cube):
        raise SettingsError("--animate draws a PNG, without --answer, --square and --cube")
    if settings.scores is not None and (settings.animate or settings.answer or settings.square):
        raise SettingsError("--scores goes without --answer, --square and --animate")
    text = text_of(settings.what, streams)
    if not text:
        raise MalformedError("nothing to draw: name a sequence or a position")
    subject = read_subject(text, settings, streams, about_cube=settings.cube)
    if settings.cube and not (subject.where or subject.copied):
        raise SettingsError(CUBE_MISUSE)
    if settings.animate:
        write_result(_animation(subject, settings), settings.output, streams)
        return Status.OK
    if settings.scores is not None:
        table = added_scores(subject.state, settings.scores, settings, streams)
        picture = _written(scores_svg(table, theme=settings.theme), form)
        write_result(picture, settings.output, streams)
        return Status.OK
    decision = (
        decision_of(subject, settings, streams) if settings.answer else Decision(subject.state)
    )
    write_result(_draw(subject, decision, form, settings), settings.output, streams)
    return Status.OK


def _animation(subject: Subject, settings: Options) -> bytes:
    """Draw a frame for each turn that led to a decision, and one for the board after them."""
    tokens, frames, reached = _spelled_tokens(subject), [], 0
    for turn in _turns(subject):
        reached += bool(_token(turn, SequenceLayout()))
        if turn.state and (turn.play or not isinstance(turn.action, Move)):
            frames.append(Frame(turn.state, turn.play, tokens[:reached]))
    if not frames:
        raise MalformedError("nothing to animate: name a sequence, or a decision of a match")
    last = Frame(subject.state, None, tokens)
    return animated_png([*frames, last], players=subject.players, theme=settings.theme)


def _spelled_tokens(subject: Subject) -> tuple[tuple[str, str], ...]:
    """Return the tokens that lead to a decision, plain and as SVG."""
    plain, svg = (_tokens(subject, SequenceLayout(spell=spell)) for spell in (str, spell_svg))
    return tuple(zip(plain, svg, strict=True))


def _draw(subject: Subject, decision: Decision, form: str, settings: Options) -> bytes:
    picture = card_svg(
        decision,
        players=subject.players,
        tokens=_spelled_tokens(subject),
        where=subject.where,
        square=settings.square,
        theme=settings.theme,
    )
    return _written(picture, form)


def _written(picture: str, form: str) -> bytes:
    return f"{picture}\n".encode() if form == "svg" else png_of(picture)


def _tokens(subject: Subject, style: SequenceLayout) -> list[str]:
    """Return the tokens that lead to a decision, the first with the marks that begin a sequence."""
    turns = _turns(subject)
    texts = [text for turn in turns if (text := _token(turn, style))]
    if not texts:
        return []
    first = next((turn for turn in turns if isinstance(turn.action, Move)), turns[0])
    start = start_prefix(first.state.position if first.state else None)
    start += style.start * (first.action.player is Player.SECOND)
    return [start + texts[0], *texts[1:]]


def _turns(subject: Subject) -> Sequence[DecodedTurn | AnnotatedTurn]:
    return subject.decoded.turns if subject.decoded else subject.turns


def _token(turn: DecodedTurn | AnnotatedTurn, style: SequenceLayout) -> str:
    if isinstance(turn, DecodedTurn):
        return token_read(turn, style)
    return token(turn, turn.name, style)
