"""`nactate sequence`: print the sequence that leads to a turn of a match."""

from __future__ import annotations

import argparse

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import SetPosition, places_in
from gnubg_nactation.cli.inputs import add_encoding_option
from gnubg_nactation.cli.match_places import read_matches
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.writing_options import add_characters_option, add_spoken_option
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.sequences.notation import PLAIN, SequenceLayout, in_words
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Print the sequence of each game of a match, or the one that leads to a turn.
Reads a match file; `nactate decode` reads the sequences back."""
EXAMPLES = """\
  nactate sequence match.mat                       one line per game
  nactate sequence match.mat --game 2 --turn 13    up to that turn, with its roll
  nactate sequence match.mat --spoken              54-split, 63-run, 31-point
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] FILE"
    parser.add_argument("file", metavar="FILE", help="a match file, or `-`")
    parser.add_argument("--game", type=int, metavar="N", help="print only this game")
    parser.add_argument("--turn", type=int, metavar="N", help="stop at this turn of the game")
    add_characters_option(parser)
    add_spoken_option(parser)
    add_encoding_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if options.turn is not None and options.game is None:
        raise SettingsError("--turn needs --game")
    style = in_words(PLAIN) if options.spoken else PLAIN
    for match in read_matches(options.file, streams, options.encoding):
        games = annotate(match, options.characters).games
        chosen = [game for game in games if options.game in {None, game.number}]
        if options.game is not None and not chosen:
            raise IllegalError(f"there is no game {options.game}; the match has {len(games)}")
        for game in chosen if options.game is None else chosen[:1]:
            streams.print(f"{_leading_to(game, options.turn, style)}\n")
    return Status.OK


def _leading_to(game: AnnotatedGame, turn: int | None, style: SequenceLayout) -> str:
    """Return the sequence up to a turn, with its roll if it leaves a choice."""
    if turn is None:
        return game_sequence(game, style)
    if not 1 <= turn <= len(game.turns):
        raise IllegalError(f"there is no turn {turn}; the game has {len(game.turns)}")
    before, at = game.turns[: turn - 1], game.turns[turn - 1]
    for turn_before, place in zip(before, places_in(game.number, before), strict=True):
        if turn_before.trouble or isinstance(turn_before.action, SetPosition):
            reason = turn_before.trouble or "the position is set up there"
            raise IllegalError(f"no sequence leads past {place}: {reason}")
    ahead = (AnnotatedTurn.of(at),) if len(at.plays) > 1 else ()
    return game_sequence(AnnotatedGame.of(game, (*before, *ahead)), style)
