"""`nactate plays`: list the legal plays of a roll with their Nactations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation import IllegalError, NactationError, Play, Plays, Position, Roll, format_play
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.cli.results import Coloured, on_terminal
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.language.nactation import Naming
from gnubg_nactation.language.plays import fan_naming
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.habits import choose
from gnubg_nactation.sequences.tokens import TokenKind
from gnubg_nactation.showing import counted, json_line, quoted
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.styles import characters_setting
from gnubg_nactation.tasks.subjects import SUBJECT_HELP, SequenceSettings, read_turn
from gnubg_nactation.values import Any

DESCRIPTION = """\
List all legal plays of a roll with their Nactations, family by family.
Takes a position and a roll, or reads many from standard input; prints text or JSON."""
EXAMPLES = """\
  nactate plays start 31
  nactate plays 54S-63R-31
  nactate plays match.sgf#2.13b
  echo 'nackgammon 53' | nactate plays --json -
"""
USAGE = "SUBJECT [ROLL]"


class Options(SequenceSettings, Coloured, first="words characters json color"):
    """A position and a roll, and how their plays are printed."""

    words: tuple[str, ...] = setting(
        (),
        f"{SUBJECT_HELP} for lines of SUBJECT ROLL; then a roll, unless the subject has one",
        "SUBJECT ROLL",
        words="some",
    )
    characters: str = characters_setting("all")
    json: bool = setting(False, "print a JSON object per line")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, settings)
    if settings.words[0] != "-":
        _print(settings.words, settings, streams)
        return Status.OK
    if settings.words != ("-",):
        raise SettingsError("with `-` the rolls come from standard input")
    status = Status.OK
    for number, line in enumerate(streams.stdin, 1):
        words = line.decode("utf-8", "replace").split()
        try:
            if words:
                _print(words, settings, streams)
        except NactationError as error:
            streams.report(f"standard input, line {number}: {error}")
            status = Status.FAILED
    return status


def _print(words: Sequence[str], settings: Options, streams: Streams) -> None:
    """Print the plays of a position and a roll. Raises SettingsError without a roll."""
    subject, play = read_turn(words, settings, streams)
    state, last = subject.state, subject.last
    if isinstance(last, DecodedTurn) and last.token.kind is TokenKind.ROLL:
        state = last.state  # its only play, or a fan, is made already
    position, roll = state.position, state.roll
    if play:
        raise IllegalError(f"unexpected text after the roll: {quoted(play)}")
    if roll is None:
        raise SettingsError("a roll is missing, as in `nactate plays start 31`")
    write = _format_json if settings.json else _format_text
    streams.print(write(position, roll, settings.characters))


def _named_plays(
    position: Position, roll: Roll, characters: str
) -> Iterator[tuple[Play, tuple[Naming, ...]]]:
    """Yield every legal play once, by areal family in the alphabet's order, and by rank."""
    plays = Plays(position, roll)
    for family in plays.areal_families():
        for play in plays.reading(family).members:
            yield play, choose(play, plays, characters)


def _format_text(position: Position, roll: Roll, characters: str) -> str:
    rows = [
        (" ".join(str(naming.nactation) for naming in namings), format_play(play))
        for play, namings in _named_plays(position, roll, characters)
    ]
    width = max((len(names) for names, _ in rows), default=0) + 2
    head = f"{format_position_id(position)} {roll}: {counted(len(rows), 'legal play')}\n"
    if not rows and (fan := fan_naming(position, rows)):
        rows = [(str(fan.nactation), "no checker enters")]
        width = 3
    return head + "".join(f"{names:{width}}{play}\n" for names, play in rows)


def _format_json(position: Position, roll: Roll, characters: str) -> str:
    """Return one object; for a fan it has no plays, but `nactations` of its own."""
    value: dict[str, Any] = {
        "position_id": format_position_id(position),
        "roll": str(roll),
        "plays": [
            {
                "play": format_play(play),
                "after": format_position_id(play.after),
                "nactations": [_naming(naming) for naming in namings],
            }
            for play, namings in _named_plays(position, roll, characters)
        ],
    }
    if fan := fan_naming(position, value["plays"]):
        value["nactations"] = [_naming(fan)]
    return json_line(value, close=True)


def _naming(naming: Naming) -> dict[str, Any]:
    nactation, right = naming
    return {
        "text": str(nactation),
        "character": nactation.character,
        "mark": nactation.mark.value,
        "member": nactation.member,
        "kind": right.value,
    }
