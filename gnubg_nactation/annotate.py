"""The main job: a match with the Nactation of every play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gnubg_nactation.backgammon.match import Game, Match, Turn, replay
from gnubg_nactation.language.nactate import Naming, nactate

__all__ = ["AnnotatedGame", "AnnotatedMatch", "AnnotatedTurn", "annotate"]


@dataclass(frozen=True, slots=True)
class AnnotatedTurn:
    """A turn with all Nactations of its play, the one to print first; none if it has no play."""

    turn: Turn
    namings: tuple[Naming, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotatedGame:
    """A game and its annotated turns."""

    game: Game
    turns: tuple[AnnotatedTurn, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedMatch:
    """A match and its annotated games."""

    match: Match
    games: tuple[AnnotatedGame, ...]


def annotate(match: Match) -> AnnotatedMatch:
    """Nactate every play of the match; a play with a problem keeps it and gets no Nactation."""
    return AnnotatedMatch(
        match, tuple(AnnotatedGame(game, tuple(_turns(match, game))) for game in match.games)
    )


def _turns(match: Match, game: Game) -> Iterator[AnnotatedTurn]:
    for turn in replay(match, game):
        yield AnnotatedTurn(turn, nactate(turn.play, turn.plays) if turn.play else ())
