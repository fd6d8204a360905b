"""`nactate plays`: list all legal plays of a roll with their Nactations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gnubg_nactation import MalformedError, NactationError, Play, Plays, Position, Roll, format_play
from gnubg_nactation.backgammon.ids import format_position_id, parse_position, parse_state
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.language.nactation import Naming
from gnubg_nactation.language.plays import fan_naming
from gnubg_nactation.sequences.habits import CHARACTERS, choose
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any

DESCRIPTION = "List all legal plays of a roll with their Nactations, family by family."
EXAMPLES = """\
  nactate plays start 31
  nactate plays 4HPwATDgc/ABMA 43
  nactate plays 'XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10'
  echo 'nackgammon 53' | nactate plays --json -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="a Position ID, an XGID, `start` or `nackgammon`; "
        "`-` reads lines of POSITION ROLL from standard input",
    )
    parser.add_argument(
        "roll", metavar="ROLL", nargs="?", help="two dice, as in 31 (default: those of the XGID)"
    )
    parser.add_argument(
        "--characters",
        choices=CHARACTERS,
        default="all",
        help="which Nactations to list: all, the preferred first (default), or one of a kind",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    write = _format_json if options.json else _format_text
    if options.position != "-":
        roll = options.roll
        if roll is None and (state := parse_state(options.position)) and state.roll:
            roll = str(state.roll)
        if roll is None:
            streams.complain("plays: a roll is missing, as in `nactate plays start 31`")
            return Status.USAGE
        streams.print(write(*_read(options.position, roll), options.characters))
        return Status.OK
    if options.roll is not None:
        streams.complain("plays: with `-` the rolls come from standard input")
        return Status.USAGE
    status = Status.OK
    for number, line in enumerate(streams.stdin, 1):
        words = line.decode("utf-8", "replace").split()
        if not words:
            continue
        try:
            if len(words) != 2:
                raise MalformedError(f"expected POSITION ROLL, found {len(words)} word(s)")
            streams.print(write(*_read(*words), options.characters))
        except NactationError as error:
            streams.complain(f"standard input, line {number}: {error}")
            status = Status.FAILED
    return status


def _read(position: str, roll: str) -> tuple[Position, Roll]:
    return parse_position(position), Roll.parse(roll)


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
