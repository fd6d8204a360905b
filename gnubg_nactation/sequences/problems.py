"""Words for the tokens of a sequence that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_hops
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, UnreadError
from gnubg_nactation.sequences.budget import USED_UP
from gnubg_nactation.sequences.tiers import TokenInPosition
from gnubg_nactation.sequences.tokens import Token, TokenKind
from gnubg_nactation.showing import quoted

MAX_NAMES = 12  # of plays, listed in an error


def dead_end(  # noqa: PLR0913 - facts by keyword
    spot: TokenInPosition,
    text: str,
    before: Token | None,
    *,
    is_over: bool,
    doubted: str,
    names: bool,
    tried: int,
) -> IllegalError:
    """The error about a token that no reading of a sequence gets past.

    `before` is the token before it, which ends the game if `is_over`; `doubted` is the first one
    read with a doubt. With `names`, it lists the legal plays. `tried` counts the readings tried,
    0 for all.
    """
    token = spot.token
    reason = "the game is over with the pass before it"
    if not is_over:
        reason = impossible(spot) + _naming_hint(token, before)
    legal = legal_names(spot) if names and not is_over else ""
    message = f"{where(token, spot.state)}: {reason}"
    message += f" (first doubtful token: {quoted(doubted)})" if doubted else ""
    message += f". Legal: {legal}" if legal else ""
    message += f" (gave up after {tried} readings)" if tried else ""
    return IllegalError(message, text=text, at=token.at, reason=reason)


def impossible(spot: TokenInPosition) -> str:
    """Why no strict reading of a token is legal."""
    token, state, plays = spot.token, spot.state, spot.plays
    if token.roll is None:
        return _MISPLACED[token.kind] + _cube_reason(token, state)
    if not plays:
        return f"nothing can be played with {token.roll}"
    if token.longhand:
        return f"{format_hops(token.longhand)} is not a legal play of {token.roll}"
    if token.names[:1] and token.names[0].family.key in "^<>" and not state.position.bar:
        return "no checker is on the bar"
    return f"no such play of {token.roll}"


def legal_names(spot: TokenInPosition) -> str:
    """The names of the legal plays of a token's roll; empty without a roll or play."""
    plays = spot.plays if spot.token.roll else ()
    names = [str(spot.plays.name(play).naming.nactation) for play in plays[: MAX_NAMES + 1]]
    return some(names, MAX_NAMES, " ")


def _naming_hint(token: Token, before: Token | None) -> str:
    """How to write the play that a letter without a roll may mean; empty for other tokens."""
    if token.kind not in _CUBE_ACTIONS or len(token.text) > 1:
        return ""
    roll = before.text if before and before.kind is TokenKind.ROLL else "31"
    return f"; to name a play, write its roll too: {roll}{token.text}"


def budget_error(spot: TokenInPosition, text: str) -> UnreadError:
    """The error about a token without a strict reading, if the budget of a text is used up."""
    reason = f"not strict Nactation, and {USED_UP}"
    message = f"{where(spot.token, spot.state)}: {reason}; check this sequence on its own"
    return UnreadError(message, text=text, at=spot.token.at, reason=reason)


def _cube_reason(token: Token, state: GameState) -> str:
    """Why the cube cannot be turned here; empty if nothing is to be added."""
    if token.kind is TokenKind.BEAVER and state.length:
        return ": beavers are for money games"
    if token.kind not in _OFFERS:
        return ""
    if state.doubled:
        return ": the double before it has no answer"
    if state.crawford:
        return ": the cube is not used in the Crawford game"
    if state.owner is state.player.other:
        return ": the opponent owns the cube"
    return ": the player owns the cube, so this is a redouble" if state.owner is not None else ""


_OFFERS = {TokenKind.OFFER, TokenKind.DOUBLE, TokenKind.REDOUBLE}
_CUBE_ACTIONS = {*_OFFERS, TokenKind.TAKE, TokenKind.PASS}
_MISPLACED = {
    TokenKind.FAN: "no fan is possible, as every roll can be played",
    TokenKind.ENTER: "no checker can enter with this die",
    TokenKind.OFF: "no checker can be borne off here",
    TokenKind.OFFER: "no double is legal here",
    TokenKind.DOUBLE: "no double is legal here",
    TokenKind.REDOUBLE: "no redouble is legal here",
    TokenKind.BEAVER: "no beaver is legal here",
    TokenKind.TAKE: "there is no double to take",
    TokenKind.PASS: "there is no double to pass",
}


def where(token: Token, state: GameState) -> str:
    """The token with the Position ID that it is played in."""
    return f"{quoted(token.text)} in {format_position_id(state.position)}"


def some(names: Sequence[str], limit: int, between: str) -> str:
    """The first names, with an ellipsis if there are more than `limit`."""
    return between.join([*names[:limit], *["..."] * (len(names) > limit)])
