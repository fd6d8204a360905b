"""`nactate explain`: explain why a play has its character."""

from __future__ import annotations

from contextlib import suppress

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.cli.results import Coloured, on_terminal, paste_setting, width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.exports.explanation import explanation_lines, explanation_view
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_line, quoted
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import (
    TURN_HELP,
    SequenceSettings,
    Subject,
    read_play,
    read_turn,
)
from gnubg_nactation.writing.spelling import read_spelling

DESCRIPTION = """\
Explain why a play has its character, and which other Nactations it has.
Takes the last play of a sequence, the play of a match, or a play in a position."""
EXAMPLES = """\
  nactate explain 54S-63R-31P
  nactate explain 54S-63R "31: 8/5 6/5"      a play after a sequence
  nactate explain start 43 Z                 the play with this character
  nactate explain match.sgf#2.13b            the play of a match
  nactate explain 54S-63R "31: 8/5 6/5" --as H     why not H?
"""
_WIDTH, _MAX_WIDTH = 80, 120  # columns, without a terminal and on one
USAGE = "SUBJECT [ROLL PLAY]"

_WITHOUT_PLAY = {
    ReadingKind.TO_PLAY: "name one, as in 31P, or let `nactate nacbrac` rank its plays",
    ReadingKind.FAN: "it is a fan",
}


class Options(SequenceSettings, Coloured, first="words paste letter all json color"):
    """A play, and what is explained."""

    words: tuple[str, ...] = setting((), TURN_HELP, "SUBJECT ROLL PLAY", words="some")
    paste: bool = paste_setting()
    letter: str | None = setting(
        None, "explain why this letter does not name the play", "LETTER", flags="--as"
    )
    all: bool = setting(False, "explain all names of the play, with every member of their families")
    json: bool = setting(False, "print one JSON object")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, settings)
    _check_character(settings)
    subject, text = read_turn(settings.words, settings, streams)
    state, turn = subject.state, subject.last
    name, reading = None, "strict"
    if turn and not text:
        if turn.play is None:
            place, reason = subject.where, "no play was made there"
            if isinstance(turn, DecodedTurn):
                place = quoted(turn.token.text)
                reason = _WITHOUT_PLAY.get(turn.how, "it is a cube action")
            raise IllegalError(f"{place} has no play to explain: {reason}")
        play, plays = turn.play, turn.plays
        if isinstance(turn, DecodedTurn):
            name = turn.nactation
            reading = f"{turn.how.value}: {turn.note}" if turn.note else turn.how.value
    elif subject.copied and not text:
        play, plays = _best_play(subject)
    elif subject.decoded and not text:
        raise MalformedError("the sequence has no play to explain")
    elif text and state.roll:
        play, plays, name = read_play(text, state.position, state.roll, settings.dialect)
    else:
        raise SettingsError("a play is missing, as in `nactate explain start 31 8/5 6/5`")
    if settings.letter:
        _explain_why_not(play, settings.letter, plays, settings, streams)
        return Status.OK
    explanation = plays.explain(play, everything=settings.all)
    written = {"written": str(name), "reading": reading} if name else {}
    if settings.json:
        streams.print(json_line(explanation_view(explanation) | written))
    else:
        width = min(width_of(streams) or _WIDTH, _MAX_WIDTH)
        lines = explanation_lines(explanation, width, settings.all, **written)
        streams.print("\n".join(lines) + "\n")
    return Status.OK


def _best_play(subject: Subject) -> tuple[Play, Plays]:
    """Return the best play of a copied analysis, and all plays of its roll."""
    choices = subject.decision.choices if subject.decision else ()
    if not choices or choices[0].play is None:
        raise IllegalError("the text has no ranked plays to explain")
    play = choices[0].play
    return play, Plays(play.before, play.roll)


def _explain_why_not(
    play: Play, letter: str, plays: Plays, settings: Options, streams: Streams
) -> None:
    """Print the first clause by which a letter does not name a play, and what it names."""
    name = read_spelling(letter)
    reason = why_not(play, name, plays)
    members = plays.reading(name.family).members
    named = members[name.member - 1] if name.member <= len(members) else None
    preferred = str(plays.name(play).naming.nactation)
    if settings.json:
        value = {
            "position_id": format_position_id(play.before),
            "roll": str(play.roll),
            "play": format_play(play),
            "as": str(name),
            "right": not reason,
            "reason": reason,
            "names": format_play(named) if named else None,
            "preferred": preferred,
        }
        streams.print(json_line(value))
        return
    lines = [f"{format_play(play)} is {f'not {name}: {reason}' if reason else name}"]
    if reason:
        lines.append(f"{name} is {format_play(named)}" if named else f"no play here is {name}")
        lines.append(f"{format_play(play)} is {preferred}")
    streams.print("\n".join(lines) + "\n")


def _check_character(settings: Options) -> None:
    """Raise IllegalError for a character without a roll, which may look like a cube action."""
    text = " ".join(settings.words)
    if settings.start is None:
        with suppress(MalformedError):
            name = parse_nactation(text)
            raise IllegalError(
                f"{name} names a play only after its roll, as in 31{name}; "
                f"`nactate alphabet {name.family}` explains the character"
            )
