"""`nactate encode`: turn plays, such as `31: 8/5 6/5` and `63R`, and matches into sequences."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

from gnubg_nactation.annotation import AnnotatedGame, annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.text import game_sequence, sequence_to
from gnubg_nactation.exports.views import pasted_turn_view
from gnubg_nactation.files.formats import is_match_file
from gnubg_nactation.files.pasted import Pasted, as_matches, read_pasted
from gnubg_nactation.sequences.decode import list_doubts
from gnubg_nactation.sequences.filename import LONGEST, file_name, game_names, read_file_name
from gnubg_nactation.sequences.notation import PLAIN, SequenceLayout, in_words
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.annotating import FORMS, Rendering
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT, encoding_setting
from gnubg_nactation.tasks.styles import characters_setting, spoken_setting
from gnubg_nactation.tasks.subjects import StartSettings, read_matches, start_of
from gnubg_nactation.values import Any
from gnubg_nactation.writing.codepage import decode_any

DESCRIPTION = """\
Turn plays in traditional notation, as people post them, into a sequence.
Reads plays, some of them perhaps Nactation (`54S 63: 24/15 31P`), a text file, a match file, or
standard input; prints a sequence or, with --name, the name of a file for each game."""
EXAMPLES = """\
  nactate encode '31: 8/5 6/5, 63: 24/15'       prints 31P-63R
  nactate encode post.txt
  nactate encode --to mat post.txt > match.mat
  nactate encode --from sGfwATDgc/ABMA '63: 24/15'
  nactate encode match.mat --game 2 --turn 13   up to that turn, with its roll
  nactate encode match.mat --spoken             54-split, 63-run, 31-point
  nactate encode --name 32Z-41h-11              prints 32Z-41hh-11
  nactate encode --from-name 32Z-41hh-11.txt    prints 32Z-41h-11
  nactate encode --name match.mat --game 2

A file name is safe on every system. Many systems ignore case in names, so a lower-case letter is
doubled. P+3 is the third of its family (an italic P), and ~ is the dot. Symbols are words: slot,
anchor, and, fan, in for <, all for >, two for =, four for +. A name that is too long is cut and
gets a hash. The name of a game of a match has initials, length, game and score.
"""
USAGE = "FILE-or-PLAYS"


class Selection(Settings):
    """Which games of a match file."""

    game: int | None = setting(None, "only this game of a match file", "N")
    turn: int | None = setting(
        None, "stop at this turn of the game; with --name, add it to the name", "N"
    )
    encoding: str | None = encoding_setting()


def longest_setting() -> Any:
    """Declare the length of file names."""
    line = f"cut names of more than N characters (20-250, default: {LONGEST})"
    return setting(LONGEST, line, "N", least=20, most=250)


class Options(
    StartSettings,
    Selection,
    group="",
    first="text start characters spoken json to name from_name longest",
):
    """The plays, and how their sequence is written."""

    text: str = setting(
        "", "plays, a file with plays or matches, or `-`", "FILE-or-PLAYS", words="joined"
    )
    characters: str = characters_setting()
    spoken: bool = spoken_setting()
    json: bool = setting(False, "print a JSON object per game", only_one="form")
    to: str | None = setting(
        None, "print match text instead of sequences", choices=("mat",), only_one="form"
    )
    name: bool = setting(False, "print names of files instead of sequences", only_one="form")
    from_name: bool = setting(False, "print the sequence of a file name", only_one="form")
    longest: int = longest_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if settings.name or settings.from_name:
        longest = 0 if settings.from_name else settings.longest
        return print_names(settings.text, settings, longest, streams)
    style = in_words(PLAIN) if settings.spoken else PLAIN
    is_input = settings.text == STANDARD_INPUT
    name = "standard input" if is_input else settings.text * streams.is_file(settings.text)
    if name:
        data = streams.read(settings.text)
        if is_match_file(data) or settings.game is not None or settings.turn is not None:
            if settings.json or settings.to or settings.start:
                raise SettingsError(f"{name} is a match file; use `nactate annotate --to FORM`")
            streams = streams._replace(stdin=BytesIO(data))
            return print_sequences(settings.text, settings, settings.characters, style, streams)
        text = decode_any(data)
    elif settings.game is not None or settings.turn is not None:
        raise SettingsError("--game and --turn go with a match file")
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


def print_sequences(
    file: str, settings: Selection, characters: str, style: SequenceLayout, streams: Streams
) -> int:
    """Print the sequence of each game of a match file, or of one up to a turn."""
    if settings.turn is not None and settings.game is None:
        raise SettingsError("--turn needs --game")
    for match in read_matches(file, streams, settings.encoding):
        games = annotate(match, characters).games
        chosen = [game for game in games if settings.game in {None, game.number}]
        if settings.game is not None and not chosen:
            raise IllegalError(f"there is no game {settings.game}; the match has {len(games)}")
        for game in chosen if settings.game is None else chosen[:1]:
            streams.print(f"{sequence_to(game, settings.turn, style)}\n")
    return Status.OK


def print_names(what: str, settings: Selection, longest: int, streams: Streams) -> int:
    """Print the name of a sequence or of each game of a match file; with 0, a name's sequence."""
    text = streams.text_of(what)
    if not longest:
        names: list[str] = [read_file_name(text)]
    elif streams.is_file(what):
        matches = read_matches(what, streams, settings.encoding)
        names = game_names(matches, settings.game, settings.turn, longest)
    else:
        names = [file_name(text, longest)]
    for name in names:
        streams.print(name + "\n")
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
