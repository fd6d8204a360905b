"""The main job: a match with the Nactation of every play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gnubg_nactation.backgammon.match import Game, Match, Move, Turn, replay
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactate import Naming
from gnubg_nactation.language.preference import preferred
from gnubg_nactation.language.sequence import FAN

__all__ = ["AnnotatedGame", "AnnotatedMatch", "AnnotatedTurn", "annotate"]


@dataclass(frozen=True, slots=True)
class AnnotatedTurn:
    """A turn with the Nactation to print; None if it has no play."""

    turn: Turn
    naming: Naming | None = None

    @property
    def nactation(self) -> str:
        """The Nactation to print, `^` for a fan; empty where there is none."""
        if self.naming:
            return str(self.naming.nactation)
        state = self.turn.state
        danced = state is not None and state.roll and state.position.bar and not self.turn.plays
        return FAN if danced else ""

    @property
    def trouble(self) -> str:
        """Why a roll has no Nactation, in two words; empty if all is well."""
        action = self.turn.action
        if not isinstance(action, Move):
            return ""
        if self.turn.state is None:
            return "board unknown"
        if not self.turn.problem:
            return ""
        return "illegal play" if action.hops else "play missing"


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
        yield AnnotatedTurn(turn, _name(turn))


def _name(turn: Turn) -> Naming | None:
    return preferred(turn.play, Families(turn.plays)).naming if turn.play else None
