"""`nactate encode`: turn pasted plays, such as `31: 8/5 6/5` and `63R`, into a sequence."""

from __future__ import annotations

import argparse
from contextlib import suppress

from gnubg_nactation.annotation import AnnotatedGame, annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.cli.arguments import Joined, add_start_option, file_argument, start_of
from gnubg_nactation.cli.forms import FORMS, AnnotateOptions
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.writing_options import add_characters_option, add_spoken_option
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.exports.views import pasted_turn_view
from gnubg_nactation.files.formats import is_sgf, is_xg
from gnubg_nactation.files.pasted import Pasted, as_matches, read_pasted
from gnubg_nactation.sequences.alternatives import list_doubts
from gnubg_nactation.sequences.notation import PLAIN, in_words
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any

DESCRIPTION = """\
Turn plays in traditional notation, as people post them, into a sequence.
Some of them may be Nactation: `54S 63: 24/15 31P`.
Reads plays, a text file, or standard input; prints one sequence per game."""
EXAMPLES = """\
  nactate encode '31: 8/5 6/5, 63: 24/15'       prints 31P-63R
  nactate encode post.txt
  nactate encode - < moves.txt
  nactate encode --to mat post.txt > match.mat
  nactate encode --from sGfwATDgc/ABMA '63: 24/15'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] FILE-or-PLAYS"
    words = "plays, a text file with plays, or `-`"
    parser.add_argument("text", metavar="FILE-or-PLAYS", nargs="+", action=Joined, help=words)
    add_start_option(parser)
    add_characters_option(parser)
    add_spoken_option(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object per game")
    form.add_argument("--to", choices=("mat",), help="print match text instead of sequences")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = file_argument(options.text)
    name = str(path) if path else "standard input" if options.text == STANDARD_INPUT else ""
    if name:
        source = Input(str(path), path.name) if path else Input(STANDARD_INPUT, "")
        data = read_input(source, streams.stdin)
        if is_sgf(data) or is_xg(data):
            raise MalformedError(f"{name} is a match file; `nactate sequence` prints its sequences")
        text = data.decode("utf-8-sig", "replace")
    else:
        text = options.text
    if not text.strip():
        raise SettingsError("plays are missing, as in `nactate encode '31: 8/5 6/5'`")
    try:
        games = read_pasted(text, start_of(options))
    except NactationError as error:
        streams.report(f"{name}: {error}" if name else str(error), error.excerpt())
        return Status.FAILED
    if options.to:
        matches = [annotate(match) for match in as_matches(games)]
        streams.write(FORMS[options.to].render(matches, [None] * len(matches), AnnotateOptions()))
        return Status.OK
    style = in_words(PLAIN) if options.spoken else PLAIN
    for game in games:
        annotated = annotate(game.match, options.characters).games[0]
        row = game_sequence(annotated, style)
        line = json_line(_game_view(row, game, annotated)) if options.json else f"{row}\n"
        streams.print(line)
    if len(games) == 1 and not options.start:
        with suppress(MalformedError):  # not Nactation alone
            for doubt in list_doubts(parse_sequence(text)).values():
                streams.report(doubt)
    return Status.OK


def _game_view(row: str, game: Pasted, annotated: AnnotatedGame) -> dict[str, Any]:
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
