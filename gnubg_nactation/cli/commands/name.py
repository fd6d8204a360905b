"""`nactate name`: turn sequences into file names, and back."""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Iterator

from gnubg_nactation import IllegalError, Match
from gnubg_nactation.backgammon.match import Game
from gnubg_nactation.cli.arguments import between, file_argument
from gnubg_nactation.cli.inputs import add_encoding_option
from gnubg_nactation.cli.match_places import read_matches
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.sequences.filename import (
    LONGEST,
    file_name,
    read_file_name,
    safe_name,
    shortened,
)

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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] SEQUENCE-or-FILE"
    parser.add_argument("what", metavar="SEQUENCE-or-FILE", help="a sequence, a match file, or `-`")
    parser.add_argument("--decode", action="store_true", help="print the sequence of a name")
    parser.add_argument("--game", type=int, metavar="N", help="only this game of the match")
    parser.add_argument("--turn", type=int, metavar="N", help="add this turn to the name")
    parser.add_argument(
        "--longest",
        type=between(int, 20, 250),
        default=LONGEST,
        metavar="N",
        help=f"cut names of more than N characters (20-250, default: {LONGEST})",
    )
    add_encoding_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(options.what)
    if options.decode:
        names: list[str] = [read_file_name(text)]
    elif path := file_argument(options.what):
        matches = read_matches(str(path), streams, options.encoding)
        names = [name for match in matches for name in _games(match, options)]
        if not names:
            raise IllegalError(f"there is no game {options.game}")
        names = list(_unique(names))
    else:
        names = [file_name(text, options.longest)]
    for name in names:
        streams.print(name + "\n")
    return Status.OK


def _games(match: Match, options: argparse.Namespace) -> Iterator[str]:
    for game in match.games:
        if options.game is None or options.game == game.number:
            turn = f"-t{options.turn}" if options.turn is not None else ""
            yield shortened(safe_name(_game_name(match, game) + turn), options.longest)


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
