"""Sequences read as they are typed: from the last state that is certain, one token more at a time.

A text grows by a key; all but its last token was read at the key before. What is read so equals
`decode` of the whole text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gnubg_nactation.backgammon.match import Drop, Take
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.sequences.decode import Decoded, decode, state_after
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace

_MAX_TOKENS = 200  # that are read one by one
# A token of a sequence that means the same whatever comes before it.
_TOKEN = r"[1-6]{2}(?:[A-Za-z0-9$%@#&^<>=+]_?(?:\{[1-9]\d*\})?)?|[CRTF]"
_HEAD = re.compile(rf"(?:N )?-?(?:{_TOKEN})(?:-(?:{_TOKEN}))*")
_TAIL = re.compile(rf"{_TOKEN}|P|[1-6]")
_NAMED = re.compile(r"[1-6]{2}[^-]")
_CHOICE = re.compile(r"(?:^|-)[1-6]{2}-[A-Z]")  # of the roll, and no action with the cube
_WORD = re.compile("[A-Za-z0-9]{2}")  # `N ` alone is no token


class Progress(NamedTuple):
    """A text as far as it can be read.

    `error` is why the rest cannot be read, at place `at`. `decoded` are the turns before it, None
    if there are none or they cannot be read either. `state` is where a roll at that place is
    played, None if that is not known.
    """

    decoded: Decoded | None
    state: GameState | None
    error: IllegalError | MalformedError | None = None
    at: int = 0


def read_progress(text: str, start: GameState | None) -> Progress:
    """Read a text as far as possible; it may break off or be wrong anywhere."""
    try:
        decoded = read(text, start)
    except (IllegalError, MalformedError) as error:
        at = error.at if error.text else 0
        before = text[:at].rstrip(" -,;")
        if not _WORD.search(before):
            return Progress(None, _to_roll(_opening(text, start)), error, at)
        try:
            decoded = read(before, start)
        except (IllegalError, MalformedError):  # what is wrong may show only later
            return Progress(None, None, error, at)
        return Progress(decoded, _to_roll(decoded.state), error, at)
    return Progress(decoded, decoded.state)


def read(text: str, start: GameState | None) -> Decoded:
    """As `decode` reads the text, but only the last token where the others are certain."""
    head, _, tail = text.rpartition("-")
    before = None
    plain = _TAIL.fullmatch(tail) and len(head) < 4 * _MAX_TOKENS and _HEAD.fullmatch(head)
    if plain and _NAMED.search(head) and not _CHOICE.search(text):
        before = _certain(head, start)
    return (before and _extend(before, text, tail)) or decode(text, start=start)


@lru_cache(maxsize=256)
def _certain(text: str, start: GameState | None) -> Decoded | None:
    """The reading of a text that leaves no doubt and no end of the game; else None."""
    head = text.rpartition("-")[0]
    if _NAMED.search(head) and _certain(head, start) is None:
        return None  # what follows a doubt does not end it
    try:
        decoded = read(text, start)
    except (IllegalError, MalformedError):
        return None
    doubt = any(turn.cost or turn.how is ReadingKind.TO_PLAY for turn in decoded.turns)
    over = any(isinstance(turn.action, Drop) for turn in decoded.turns)
    return None if doubt or over else decoded


def _extend(before: Decoded, text: str, tail: str) -> Decoded | None:
    """The whole text, of which all `before` the last token is read; None if that is in doubt."""
    mark = "-" if before.state.player is Player.SECOND else ""
    try:
        after = decode(mark + tail, start=before.state)
    except IllegalError as error:
        at = len(text) - len(tail)
        raise IllegalError(str(error), text=text, at=at, reason=error.reason) from None
    if any(turn.cost for turn in after.turns):
        return None
    shift, count = len(text) - len(mark + tail), len(before.turns)
    tokens = [token._replace(at=token.at + shift) for token in after.parsed.tokens]
    turns = [
        replace(turn, number=count + turn.number, token=token)
        for turn, token in zip(after.turns, tokens, strict=True)
    ]
    parsed = before.parsed._replace(text=text, tokens=(*before.parsed.tokens, *tokens))
    return Decoded(parsed, before.start, (*before.turns, *turns))


def _to_roll(state: GameState) -> GameState:
    """Where the next roll is played: a double that is offered is taken."""
    return state_after(state, Take(state.player)) if state.doubled else state


def _opening(text: str, start: GameState | None) -> GameState:
    """Where a sequence begins whose first token cannot be read."""
    first = text.lstrip()[:1]
    nackgammon = NACKGAMMON if first in {"N", "n"} else None
    return decode("-" if first == "-" else "", start=start or nackgammon).state
