"""`nactate encode`: turn pasted plays, such as `31: 8/5 6/5`, into a sequence."""

from __future__ import annotations

import argparse

from gnubg_nactation.annotation import AnnotatedGame, annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.cli.arguments import Joined, add_start_option, file_argument, start_of
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.writing_options import add_characters_option, add_spoken_option
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.exports.views import pasted_turn_view
from gnubg_nactation.files.formats import is_sgf, is_xg
from gnubg_nactation.files.pasted import Pasted, read_pasted
from gnubg_nactation.sequences.notation import PLAIN, in_words
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any

DESCRIPTION = (
    "Print the sequence of plays in traditional notation, as people post them: rows with numbers "
    "or names or without, in one column or two, with cube actions, from the opening, an ID or "
    "Nackgammon. What is not legal is refused, with its place."
)
EXAMPLES = """\
  nactate encode '31: 8/5 6/5, 63: 24/15'       31P-63R
  nactate encode post.txt                       a line for each game
  nactate encode - < moves.txt
  nactate encode 'Black 3-1: 8/5 6/5. White 6-3: 24/15'     -31P-63R
  nactate encode 'Nackgammon (41) 24/23 13/9'
  nactate encode --json '31: 8/5 6/5, 63: 24/15, double, take'
  nactate encode --from sGfwATDgc/ABMA '63: 24/15'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    words = "the plays, in one word or several, a file that holds them, or `-`"
    parser.add_argument("text", metavar="FILE-or-PLAYS", nargs="+", action=Joined, help=words)
    add_start_option(parser)
    add_characters_option(parser)
    add_spoken_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object for each game")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = file_argument(options.text)
    name = str(path) if path else "standard input" if options.text == STANDARD_INPUT else ""
    if name:
        source = Input(str(path), path.name) if path else Input(STANDARD_INPUT, "")
        data = read_input(source, streams.stdin)
        if is_sgf(data) or is_xg(data):
            streams.report(f"{name}: a match file; `nactate sequence` prints its sequences")
            return Status.FAILED
        text = data.decode("utf-8-sig", "replace")
    else:
        text = options.text
    if not text.strip():
        streams.report("encode: plays are missing, as in `nactate encode '31: 8/5 6/5'`")
        return Status.USAGE
    try:
        games = read_pasted(text, start_of(options))
    except NactationError as error:
        streams.report(f"{name}: {error}" if name else str(error), error.excerpt())
        return Status.FAILED
    style = in_words(PLAIN) if options.spoken else PLAIN
    for game in games:
        annotated = annotate(game.match, options.characters).games[0]
        row = game_sequence(annotated, style)
        told = json_text(_object(row, game, annotated)) if options.json else row
        streams.print(f"{told}\n")
    return Status.OK


def _object(row: str, game: Pasted, annotated: AnnotatedGame) -> dict[str, Any]:
    """A game as JSON has it."""
    turns = annotated.turns[len(annotated.turns) - len(game.places) :]
    return {
        "sequence": row,
        "position_id": format_position_id(game.start.position),
        "xgid": format_xgid(game.start),
        "turns": [
            pasted_turn_view(number, turn, place)
            for number, (turn, place) in enumerate(zip(turns, game.places, strict=True), 1)
        ],
    }
