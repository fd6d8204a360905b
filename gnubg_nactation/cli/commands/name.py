"""`nactate name`: name files by sequences, safe on every system."""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Iterator

from gnubg_nactation import IllegalError, Match
from gnubg_nactation.backgammon.match import Game
from gnubg_nactation.cli.arguments import file_argument
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
from gnubg_nactation.showing import quoted

DESCRIPTION = (
    "Print a file name, without an ending, for a sequence or for each game of a "
    "match file: initials, length, game, score and turn."
)
EXAMPLES = """\
  nactate name 32Z-41h-11                   32Z-41hh-11
  nactate name --decode 32Z-41hh-11.txt     32Z-41h-11
  nactate name -- -61P-63R                  top-61P-63R
  nactate name match.mat                    a name for each game
  nactate name match.mat --game 2 --turn 13

Upper and lower case are one in names, as on many systems: a lower-case letter is doubled, P+3 is
the third of its family (an italic P), ~ is the dot, symbols are words (slot, anchor, and, fan, in
for <, all for >, two for =, four for +). A name that is too long is cut and gets a hash.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("what", metavar="SEQUENCE-or-FILE", help="what the name is for, or `-`")
    parser.add_argument(
        "--decode", action="store_true", help="read a name back and print its sequence"
    )
    parser.add_argument("--game", type=int, metavar="N", help="only this game of the match")
    parser.add_argument("--turn", type=int, metavar="N", help="this turn of the game")
    parser.add_argument(
        "--longest",
        type=_length,
        default=LONGEST,
        metavar="N",
        help=f"cut names of more than N characters, 20 or more (default: {LONGEST})",
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


def _length(text: str) -> int:
    if not text.isdecimal() or not 20 <= int(text) <= 250:
        raise argparse.ArgumentTypeError(f"not a length from 20 to 250: {quoted(text)}")
    return int(text)


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
    """The first letters of a player's names, without accents; X if there is none of ASCII."""
    plain = unicodedata.normalize("NFKD", player)
    words = "".join(
        c if c.isalnum() else " " if not unicodedata.combining(c) else "" for c in plain
    )
    return "".join(word[0].upper() for word in words.split() if word[0].isascii()) or "X"


def _unique(names: list[str]) -> Iterator[str]:
    """The names, later ones numbered where an earlier one is the same but for case."""
    seen: set[str] = set()
    for name in names:
        found, number = name, 1
        while found.casefold() in seen:
            number += 1
            found = f"{name}-{number}"
        seen.add(found.casefold())
        yield found
