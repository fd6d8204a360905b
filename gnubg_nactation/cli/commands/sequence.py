"""`nactate sequence`: print the sequence that leads to a turn of a match."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import SetPosition, places_in
from gnubg_nactation.cli.results import encoding_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.sequences.notation import PLAIN, SequenceLayout, in_words
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.styles import characters_setting, spoken_setting
from gnubg_nactation.tasks.subjects import read_matches

DESCRIPTION = """\
Print the sequence of each game of a match, or the one that leads to a turn.
Reads a match file; `nactate decode` reads the sequences back."""
EXAMPLES = """\
  nactate sequence match.mat                       one line per game
  nactate sequence match.mat --game 2 --turn 13    up to that turn, with its roll
  nactate sequence match.mat --spoken              54-split, 63-run, 31-point
"""
USAGE = "FILE"


class Options(Settings):
    """The match, which of its turns, and how they are written."""

    file: str = setting("", "a match file, or `-`", "FILE", words="one")
    game: int | None = setting(None, "print only this game", "N")
    turn: int | None = setting(None, "stop at this turn of the game", "N")
    characters: str = characters_setting()
    spoken: bool = spoken_setting()
    encoding: str | None = encoding_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if settings.turn is not None and settings.game is None:
        raise SettingsError("--turn needs --game")
    style = in_words(PLAIN) if settings.spoken else PLAIN
    for match in read_matches(settings.file, streams, settings.encoding):
        games = annotate(match, settings.characters).games
        chosen = [game for game in games if settings.game in {None, game.number}]
        if settings.game is not None and not chosen:
            raise IllegalError(f"there is no game {settings.game}; the match has {len(games)}")
        for game in chosen if settings.game is None else chosen[:1]:
            streams.print(f"{_leading_to(game, settings.turn, style)}\n")
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
