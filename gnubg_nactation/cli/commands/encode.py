"""`nactate encode`: turn pasted plays, such as `31: 8/5 6/5` and `63R`, into a sequence."""

from __future__ import annotations

from contextlib import suppress

from gnubg_nactation.annotation import AnnotatedGame, annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.exports.views import pasted_turn_view
from gnubg_nactation.files.formats import is_match_file
from gnubg_nactation.files.pasted import Pasted, as_matches, read_pasted
from gnubg_nactation.sequences.decode import list_doubts
from gnubg_nactation.sequences.notation import PLAIN, in_words
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.annotating import FORMS, Rendering
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.tasks.styles import characters_setting, spoken_setting
from gnubg_nactation.tasks.subjects import StartSettings, start_of
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
USAGE = "FILE-or-PLAYS"


class Options(StartSettings, group="", first="text start"):
    """The plays, and how their sequence is written."""

    text: str = setting(
        "", "plays, a text file with plays, or `-`", "FILE-or-PLAYS", words="joined"
    )
    characters: str = characters_setting()
    spoken: bool = spoken_setting()
    json: bool = setting(False, "print a JSON object per game", only_one="form")
    to: str | None = setting(
        None, "print match text instead of sequences", choices=("mat",), only_one="form"
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    is_input = settings.text == STANDARD_INPUT
    name = "standard input" if is_input else settings.text * streams.is_file(settings.text)
    if name:
        data = streams.read(settings.text)
        if is_match_file(data):
            raise MalformedError(f"{name} is a match file; `nactate sequence` prints its sequences")
        text = data.decode("utf-8-sig", "replace")
    else:
        text = settings.text
    if not text.strip():
        raise SettingsError("plays are missing, as in `nactate encode '31: 8/5 6/5'`")
    try:
        games = read_pasted(text, start_of(settings))
    except NactationError as error:
        streams.report(f"{name}: {error}" if name else str(error), error.excerpt())
        return Status.FAILED
    if settings.to:
        matches = [annotate(match) for match in as_matches(games)]
        streams.write(
            FORMS[settings.to].render(matches, [None] * len(matches), Rendering(to=settings.to))
        )
        return Status.OK
    style = in_words(PLAIN) if settings.spoken else PLAIN
    for game in games:
        annotated = annotate(game.match, settings.characters).games[0]
        row = game_sequence(annotated, style)
        line = json_line(_game_view(row, game, annotated)) if settings.json else f"{row}\n"
        streams.print(line)
    if len(games) == 1 and not settings.start:
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
