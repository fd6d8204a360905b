"""`nactate name`: turn sequences into file names, and back."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from gnubg_nactation import IllegalError, Match
from gnubg_nactation.backgammon.match import Game
from gnubg_nactation.cli.results import encoding_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.sequences.filename import (
    LONGEST,
    file_name,
    read_file_name,
    safe_name,
    shortened,
)
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.tasks.subjects import read_matches

DESCRIPTION = """\
Turn a sequence into a file name that is safe on every system, and back.
Prints one name, or for a match file one per game: initials, length, game and score."""
EXAMPLES = """\
  nactate name 32Z-41h-11                   prints 32Z-41hh-11
  nactate name --decode 32Z-41hh-11.txt     prints 32Z-41h-11
  nactate name match.mat --game 2

Many systems ignore case in names, so a lower-case letter is doubled. P+3 is the third of its family
(an italic P), and ~ is the dot. Symbols are words: slot, anchor, and, fan, in for <, all for >, two
for =, four for +. A name that is too long is cut and gets a hash.
"""
USAGE = "SEQUENCE-or-FILE"


class Options(Settings):
    """A sequence or a match, and what its names have."""

    what: str = setting("", "a sequence, a match file, or `-`", "SEQUENCE-or-FILE", words="one")
    decode: bool = setting(False, "print the sequence of a name")
    game: int | None = setting(None, "only this game of the match", "N")
    turn: int | None = setting(None, "add this turn to the name", "N")
    longest: int = setting(
        LONGEST,
        f"cut names of more than N characters (20-250, default: {LONGEST})",
        "N",
        least=20,
        most=250,
    )
    encoding: str | None = encoding_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(settings.what)
    if settings.decode:
        names: list[str] = [read_file_name(text)]
    elif streams.is_file(settings.what):
        matches = read_matches(settings.what, streams, settings.encoding)
        names = [name for match in matches for name in _games(match, settings)]
        if not names:
            raise IllegalError(f"there is no game {settings.game}")
        names = list(_unique(names))
    else:
        names = [file_name(text, settings.longest)]
    for name in names:
        streams.print(name + "\n")
    return Status.OK


def _games(match: Match, settings: Options) -> Iterator[str]:
    for game in match.games:
        if settings.game is None or settings.game == game.number:
            turn = f"-t{settings.turn}" if settings.turn is not None else ""
            yield shortened(safe_name(_game_name(match, game) + turn), settings.longest)


def _game_name(match: Match, game: Game) -> str:
    first, second = map(_initials, match.players)
    length = f"{match.length}pt" if match.length else "money"
    return f"{first}-{second}-{length}-g{game.number}-{game.score[0]}to{game.score[1]}"


def _initials(player: str) -> str:
    """Return the first letters of a player's names, without accents; X if none is ASCII."""
    plain = unicodedata.normalize("NFKD", player)
    words = "".join(
        c if c.isalnum() else " " if not unicodedata.combining(c) else "" for c in plain
    )
    return "".join(word[0].upper() for word in words.split() if word[0].isascii()) or "X"


def _unique(names: list[str]) -> Iterator[str]:
    """Yield the names, with a number after those that appeared before, in any case."""
    seen: set[str] = set()
    for name in names:
        unique, number = name, 1
        while unique.casefold() in seen:
            number += 1
            unique = f"{name}-{number}"
        seen.add(unique.casefold())
        yield unique
