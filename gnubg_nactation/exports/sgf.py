"""Annotated matches as gnubg's SGF, the Nactation in the comment of each move."""

from __future__ import annotations

from gnubg_nactation.annotate import AnnotatedMatch
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.files import sgf

__all__ = ["PREFIX", "comment_lines", "format_sgf"]

PREFIX = "Nactation: "


def comment_lines(annotated: AnnotatedMatch) -> dict[tuple[int, int], str]:
    """The line for each move that gets one, by the places of its game and action (from 0)."""
    return {
        (game_at, turn_at): f"{PREFIX}{turn.nactations or turn.trouble}"
        for game_at, game in enumerate(annotated.games)
        for turn_at, turn in enumerate(game.turns)
        if isinstance(turn.turn.action, Move) and (turn.nactation or turn.trouble)
    }


def format_sgf(annotated: AnnotatedMatch, record: sgf.SgfRecord | None = None) -> bytes:
    """The match with its Nactations, in the bytes of `record` if it was read from SGF.

    Everything else that the record holds stays; a second run changes nothing.
    """
    if record is None:
        record = sgf.from_match(annotated.match)
    return sgf.with_comment_lines(record, PREFIX, comment_lines(annotated))
