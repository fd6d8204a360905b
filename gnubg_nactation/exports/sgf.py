"""Annotated matches as gnubg's SGF, the Nactation in the comment of each move."""

from __future__ import annotations

from gnubg_nactation.annotate import AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take
from gnubg_nactation.exports.mistakes import remark
from gnubg_nactation.files import sgf

__all__ = ["PREFIX", "comment_lines", "format_sgf"]

PREFIX = "Nactation: "


def comment_lines(annotated: AnnotatedMatch, *, errors: bool = False) -> dict[tuple[int, int], str]:
    """The line for each move that gets one, by the places of its game and action (from 0).

    With `errors` analysed turns say what they lost, in thousandths of a point, cube actions too:
    `Nactation: R x28 best S`.
    """
    texts = {
        (game_at, turn_at): _text(turn, errors=errors)
        for game_at, game in enumerate(annotated.games)
        for turn_at, turn in enumerate(game.turns)
    }
    return {place: f"{PREFIX}{text}" for place, text in texts.items() if text}


def _text(turn: AnnotatedTurn, *, errors: bool) -> str:
    name = turn.nactations or turn.trouble if isinstance(turn.turn.action, Move) else ""
    return " ".join(filter(None, (name, remark(turn) if errors else "")))


def format_sgf(
    annotated: AnnotatedMatch, record: sgf.SgfRecord | None = None, *, errors: bool = False
) -> bytes:
    """The match with its Nactations, in the bytes of `record` if it was read from SGF.

    Everything else that the record holds stays; a second run changes nothing. `errors` as in
    comment_lines; without them the errors that an earlier run has written go away.
    """
    if record is None:
        record = sgf.from_match(annotated.match)
    lines: dict[tuple[int, int], str | None] = {
        (game_at, turn_at): None
        for game_at, game in enumerate(annotated.games)
        for turn_at, turn in enumerate(game.turns)
        if isinstance(turn.turn.action, Double | Take | Drop)
    }
    return sgf.with_comment_lines(record, PREFIX, lines | comment_lines(annotated, errors=errors))
