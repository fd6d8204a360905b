"""Words for the tokens of a sequence that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.sequences.tokens import Token, TokenKind
from gnubg_nactation.showing import quoted


def misplaced(token: Token, before: Token | None) -> str:
    """Why a token without a roll is not legal, and how to write the play that may be meant."""
    reason = _MISPLACED[token.kind]
    if token.kind not in _CUBE_ACTIONS or len(token.text) > 1:
        return reason
    roll = before.text if before and before.kind is TokenKind.ROLL else "31"
    return f"{reason}; to name a play, write its roll too: {roll}{token.text}"


_CUBE_ACTIONS = {TokenKind.DOUBLE, TokenKind.REDOUBLE, TokenKind.TAKE, TokenKind.PASS}
_MISPLACED = {
    TokenKind.FAN: "no fan is possible, as every roll can be played",
    TokenKind.ENTER: "no checker can enter with this die",
    TokenKind.OFF: "no checker can be borne off here",
    TokenKind.DOUBLE: "no double is legal here",
    TokenKind.REDOUBLE: "no redouble is legal here",
    TokenKind.TAKE: "there is no double to take",
    TokenKind.PASS: "there is no double to pass",
}


def where(token: Token, state: GameState) -> str:
    """The token with the Position ID that it is played in."""
    return f"{quoted(token.text)} in {format_position_id(state.position)}"


def some(names: Sequence[str], limit: int, between: str) -> str:
    """The first names, with an ellipsis if there are more than `limit`."""
    return between.join([*names[:limit], *["..."] * (len(names) > limit)])
