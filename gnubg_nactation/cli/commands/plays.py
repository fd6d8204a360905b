"""`nactate plays`: list all legal plays of a roll with their Nactations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from gnubg_nactation import IllegalError, NactationError, Play, Plays, Position, Roll, format_play
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.arguments import add_sequence_options
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import SUBJECT_HELP, read_turn
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.cli.writing_options import add_characters_option
from gnubg_nactation.language.nactation import Naming
from gnubg_nactation.language.plays import fan_naming
from gnubg_nactation.sequences.habits import choose
from gnubg_nactation.showing import json_text, quoted
from gnubg_nactation.values import Any

DESCRIPTION = "List all legal plays of a roll with their Nactations, family by family."
EXAMPLES = """\
  nactate plays start 31
  nactate plays 4HPwATDgc/ABMA 43
  nactate plays 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10'
  nactate plays 54S-63R-31
  nactate plays match.sgf#2.13b
  echo 'nackgammon 53' | nactate plays --json -
"""
_NO_ROLL = "a roll is missing, as in `nactate plays start 31`"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.usage = "%(prog)s [options] SUBJECT [ROLL]"
    parser.add_argument(
        "words",
        metavar="SUBJECT ROLL",
        nargs="+",
        help=f"{SUBJECT_HELP}, which reads lines of SUBJECT ROLL; then a roll, unless the subject "
        "has one",
    )
    add_sequence_options(parser)
    add_characters_option(parser, "all")
    parser.add_argument("--json", action="store_true", help="print a JSON object per line")
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    write = _format_json if options.json else _format_text
    if options.words[0] != "-":
        state = _read(options.words, options, streams)
        if state.roll is None:
            streams.report(f"plays: {_NO_ROLL}")
            return Status.USAGE
        streams.print(write(state.position, state.roll, options.characters))
        return Status.OK
    if options.words != ["-"]:
        streams.report("plays: with `-` the rolls come from standard input")
        return Status.USAGE
    status = Status.OK
    for number, line in enumerate(streams.stdin, 1):
        words = line.decode("utf-8", "replace").split()
        if not words:
            continue
        try:
            state = _read(words, options, streams)
            if state.roll is None:
                raise IllegalError(_NO_ROLL)
            streams.print(write(state.position, state.roll, options.characters))
        except NactationError as error:
            streams.report(f"standard input, line {number}: {error}")
            status = Status.FAILED
    return status


def _read(words: Sequence[str], options: argparse.Namespace, streams: Streams) -> GameState:
    subject, play = read_turn(words, options, streams)
    if play:
        raise IllegalError(f"nothing may follow the roll: {quoted(play)}")
    return subject.state


def _named_plays(
    position: Position, roll: Roll, characters: str
) -> Iterator[tuple[Play, tuple[Naming, ...]]]:
    """All legal plays, each once, by areal families in the order of the alphabet and of rank."""
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
    count = f"{len(rows)} legal play{'' if len(rows) == 1 else 's'}"
    head = f"{format_position_id(position)} {roll}: {count}\n"
    if not rows and (fan := fan_naming(position, rows)):
        rows = [(str(fan.nactation), "no checker enters")]
        width = 3
    return head + "".join(f"{names:{width}}{play}\n" for names, play in rows)


def _format_json(position: Position, roll: Roll, characters: str) -> str:
    """One object; where no checker enters it has no plays, and the fan's own `nactations`."""
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
    return json_text(value, close=True) + "\n"


def _naming(naming: Naming) -> dict[str, Any]:
    nactation, right = naming
    return {
        "text": str(nactation),
        "character": nactation.character,
        "mark": nactation.mark.value,
        "member": nactation.member,
        "kind": right.value,
    }
