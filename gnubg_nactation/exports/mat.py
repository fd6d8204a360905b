"""Annotated matches as match text (.mat)."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.match import Action, Match, Move
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.files.mat import write
from gnubg_nactation.values import replace


def format_mat(annotated: AnnotatedMatch) -> str:
    """The match as gnubg exports it, with every legal play in full.

    Records shorten plays and leave out stars; this writes a hop for each die used, from the
    highest point down, with a star for each hit.
    """
    return write(in_full(annotated))


def in_full(annotated: AnnotatedMatch) -> Match:
    """The match with the hops of every legal play."""
    games = [
        replace(game, actions=tuple(map(_action, annotated_game.turns)))
        for game, annotated_game in zip(annotated.match.games, annotated.games, strict=True)
    ]
    return replace(annotated.match, games=tuple(games))


def _action(turn: AnnotatedTurn) -> Action:
    if turn.play is None or not isinstance(turn.action, Move):
        return turn.action
    hops = [Hop(portion.source, portion.target, portion.hits) for portion in turn.play.portions]
    hops.sort(key=lambda hop: (-hop.source, -hop.target))
    return replace(turn.action, hops=tuple(hops))
