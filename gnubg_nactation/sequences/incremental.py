"""Sequences read as they are typed: from the last state that is certain, one token more at a time.

A text grows by a key; all but its last token was read at the key before. What is read so equals
`decode` of the whole text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gnubg_nactation.backgammon.ids import find_state
from gnubg_nactation.backgammon.match import Drop, Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import Decoded, decode
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace

_MAX_TOKENS = 200  # that are read one by one
# A token of a sequence that means the same whatever comes before it.
_TOKEN = r"[1-6]{2}(?:[A-Za-z0-9$%@#&^<>=+]_?(?:\{[1-9]\d*\})?)?|[CRTF]"
_HEAD = re.compile(rf"(?:N )?-?(?:{_TOKEN})(?:-(?:{_TOKEN}))*")
_TAIL = re.compile(rf"{_TOKEN}|P|[1-6]")
_NAMED = re.compile(r"[1-6]{2}[^-]")
_CHOICE = re.compile(r"(?:^|-)[1-6]{2}-[A-Z]")  # of the roll, and no action with the cube
_ROLL = re.compile("[1-6]{2}")
_DIE = re.compile(r"\s*[1-6]\s*")
_AFTER_POSITION = " \t\r\n\"'`\u201d\u2019)],;."
_WORD = re.compile("[A-Za-z0-9]{2}")  # `N ` alone is no token


class NextToken(NamedTuple):
    """What may come next: one of the `plays` of `state.roll`, or the answer to a double.

    The token belongs after `keep`; None if it cannot be put into the text.
    """

    state: GameState
    plays: Plays
    keep: str | None

    @classmethod
    def of(cls, state: GameState, keep: str) -> NextToken | None:
        """What may come next in a state; None if it has neither a roll nor a double."""
        if state.roll is None and not state.doubled:
            return None
        plays = Plays(state.position, state.roll) if state.roll else Plays.of(())
        return cls(state, plays, keep)


class Progress(NamedTuple):
    """A typed text as far as it can be read: a position, a sequence, or one after the other.

    The name of the position, which is `start`, ends at place `front`; the sequence begins at place
    `begin`. `decoded` are the turns that can be read, None if nothing can, or if there is no
    sequence. `error` is why the rest cannot be read, from place `at`.
    """

    text: str
    start: GameState | None
    front: int
    begin: int
    decoded: Decoded | None = None
    error: IllegalError | MalformedError | None = None
    at: int = 0

    @property
    def name(self) -> str:
        """The position as it is named, and what is around its name."""
        return self.text[: self.begin].strip()

    @property
    def sequence(self) -> str:
        """The text after the position."""
        return self.text[self.begin :]

    @property
    def is_unfinished(self) -> bool:
        """Whether nothing is wrong but that the second die is missing."""
        return self.error is not None and bool(_DIE.fullmatch(self.text, self.at))

    @property
    def wrong_roll(self) -> Roll | None:
        """The roll at the place of the error; None if what is wrong there is no play."""
        match = _ROLL.match(self.text, self.at) if isinstance(self.error, IllegalError) else None
        return Roll.parse(match[0]) if match else None

    @property
    def next_token(self) -> NextToken | None:
        """What may come next, or instead of what is wrong; None if it is not known."""
        decoded, text = self.decoded, self.text.rstrip()
        if self.error:
            if decoded is None or decoded.is_over or self.wrong_roll is None:
                return None
            return NextToken.of(replace(decoded.to_roll, roll=self.wrong_roll), text[: self.at + 2])
        if decoded is None:
            state = self.start or GameState()
            mark = "-" if state.player is Player.SECOND else ""  # who is on roll stays the same
            return NextToken.of(state, f"{self.name} {mark}{state.roll or ''}")
        last = decoded.turns[-1] if decoded.turns else None
        if last and last.state.roll and isinstance(last.action, Move) and last.plays:
            token = last.token.text
            keep = text.removesuffix(token) + token[:2] if text.endswith(token) else None
            return NextToken(last.state, last.plays, keep)
        if last and decoded.state.doubled and not decoded.is_over:
            return NextToken.of(decoded.state, text.rstrip(" -,;") + "-")
        return None


def read_progress(text: str) -> Progress:
    """Read a text as far as possible; it may break off or be wrong anywhere.

    Raises MalformedError for what looks like the ID of a position, and is not.
    """
    start, front = find_state(text)
    rest = text[front:]
    begin = front + len(rest) - len(rest.lstrip(_AFTER_POSITION)) if front else 0
    progress = Progress(text, start, front, begin)
    rest = text[begin:]
    if start is None and rest.strip() in {"N", "n"}:  # what follows it is to be typed or rolled
        return progress._replace(start=GameState(NACKGAMMON), begin=len(text))
    return _advance(progress, rest) if rest.strip() else progress


def _advance(progress: Progress, rest: str) -> Progress:
    start = progress.start
    try:
        return progress._replace(decoded=read(rest, start))
    except (IllegalError, MalformedError) as error:
        at = error.at if error.text else 0
        progress = progress._replace(error=error, at=progress.begin + at)
    before = rest[:at].rstrip(" -,;")
    if not _WORD.search(before):  # at most who begins, and from where
        mark = rest.lstrip()[:1]
        start = start or (GameState(NACKGAMMON) if mark in {"N", "n"} else None)
        before = "-" if mark == "-" else ""
    try:
        return progress._replace(decoded=read(before, start))
    except (IllegalError, MalformedError):  # what is wrong may show only later
        return progress


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
