"""Words for a token of a score sheet that cannot be read for certain."""

from __future__ import annotations

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.sequences.assumption import NO_ENGINE
from gnubg_nactation.sequences.decode import Decoded, spot_of
from gnubg_nactation.sequences.problems import impossible, legal_names, some
from gnubg_nactation.sequences.tiers import TIERS, TokenInPosition, readings_of
from gnubg_nactation.sequences.tokens import TokenKind
from gnubg_nactation.showing import quoted

_MAX_MEANINGS = 3  # plays that a letter may mean


def doubtful_token(read: Decoded) -> str:
    """Why the token after the turns of `read` has no certain reading, and what is possible."""
    spot = spot_of(read, NO_ENGINE)
    token, state = spot.token, spot.state
    if token.kind is TokenKind.ROLL:
        reason = f"expected the letter of a play, as {token.roll} can be played in several ways"
    else:
        reason = impossible(spot)
    if names := legal_names(spot):
        possible = f"possible: {names}"
    elif token.roll:
        possible = f"possible: {token.roll} alone" + (", or F for a fan" * bool(state.position.bar))
    elif state.doubled:
        possible = "possible: T or P" + (", or beaver" * (not state.length))
    else:
        possible = "possible: a roll" + ", or D" * _may_double(spot)
    meanings = _meanings(spot)
    meant = f"; perhaps it means {meanings}: write it like that" if meanings else ""
    return f"found {quoted(token.text)}: {reason}; {possible}{meant}"


def _may_double(spot: TokenInPosition) -> bool:
    state = spot.state
    return not state.crawford and state.owner in {None, state.player}


def _meanings(spot: TokenInPosition) -> str:
    """The plays of doubtful readings: by assumption, or with an underline that is missing."""
    if spot.token.kind is not TokenKind.PLAY or not spot.plays:
        return ""
    readings = [reading for tier in TIERS[1:] for reading in readings_of(tier, spot)]
    plays = dict.fromkeys(reading.play for reading in readings if reading.play)
    roll = spot.token.roll
    names = [f"{roll}({format_play(play)})" for play in plays]
    return some(names, _MAX_MEANINGS, " or ")
