"""Read a sequence while it is typed: only the last token is new at each key.

The result equals `decode` of the whole text.
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

_MAX_TOKENS = 200  # read one by one
# A token that means the same whatever comes before it.
_TOKEN = r"[1-6]{2}(?:[A-Za-z0-9$%@#&^<>=+]_?(?:\{[1-9]\d*\})?)?|[CRTF]"
_HEAD = re.compile(rf"(?:N )?-?(?:{_TOKEN})(?:-(?:{_TOKEN}))*")
_TAIL = re.compile(rf"{_TOKEN}|P|[1-6]")
_JOINED_NAME = re.compile(r"[1-6]{2}[^-]")
_HYPHENATED_NAME = re.compile(r"(?:^|-)[1-6]{2}-[A-Z]")  # `63-R`: no action with the cube
_ROLL = re.compile("[1-6]{2}")
_DIE = re.compile(r"\s*[1-6]\s*")
_AFTER_POSITION = " \t\r\n\"'`\u201d\u2019)],;."
_WORD = re.compile("[A-Za-z0-9]{2}")  # `N ` alone is no token


class NextToken(NamedTuple):
    """The possible next tokens: one of the `plays` of `state.roll`, or the answer to a double.

    The token belongs after `keep`; None if it cannot be put into the text.
    """

    state: GameState
    plays: Plays
    keep: str | None

    @classmethod
    def of(cls, state: GameState, keep: str) -> NextToken | None:
        """The possible next tokens in a state; None if it has neither a roll nor a double."""
        if state.roll is None and not state.doubled:
            return None
        plays = Plays(state.position, state.roll) if state.roll else Plays.of(())
        return cls(state, plays, keep)


class Progress(NamedTuple):
    """The readable part of a typed text: a position, a sequence, or one after the other.

    The name of the position, which is `start`, ends at offset `front`; the sequence begins at
    `begin`. `decoded` has the turns that can be read; None without a sequence, or if no turn can
    be read. `error` explains why the text from offset `at` cannot be read.
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
        """The name of the position, with the characters around it."""
        return self.text[: self.begin].strip()

    @property
    def sequence(self) -> str:
        """The text after the position."""
        return self.text[self.begin :]

    @property
    def is_unfinished(self) -> bool:
        """Whether only the second die is missing."""
        return self.error is not None and bool(_DIE.fullmatch(self.text, self.at))

    @property
    def wrong_roll(self) -> Roll | None:
        """The roll at the error; None if the error is not about a play."""
        match = _ROLL.match(self.text, self.at) if isinstance(self.error, IllegalError) else None
        return Roll.parse(match[0]) if match else None

    @property
    def next_token(self) -> NextToken | None:
        """The possible next tokens, or replacements for a wrong token; None if unknown."""
        decoded, text = self.decoded, self.text.rstrip()
        if self.error:
            if decoded is None or decoded.is_over or self.wrong_roll is None:
                return None
            return NextToken.of(replace(decoded.to_roll, roll=self.wrong_roll), text[: self.at + 2])
        if decoded is None:
            state = self.start or GameState()
            mark = "-" if state.player is Player.SECOND else ""  # the player on roll stays the same
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

    Raises MalformedError for an invalid position ID.
    """
    start, front = find_state(text)
    after = text[front:]
    begin = front + len(after) - len(after.lstrip(_AFTER_POSITION)) if front else 0
    progress = Progress(text, start, front, begin)
    tokens = progress.sequence.strip()
    if start is None and tokens in {"N", "n"}:  # the first token is still to be typed or rolled
        return progress._replace(start=GameState(NACKGAMMON), begin=len(text))
    return _advance(progress) if tokens else progress


def _advance(progress: Progress) -> Progress:
    start, sequence = progress.start, progress.sequence
    try:
        return progress._replace(decoded=_read_typed(sequence.rstrip(), start))
    except (IllegalError, MalformedError) as error:
        at = error.at if error.text else 0
        progress = progress._replace(error=error, at=progress.begin + at)
    head = sequence[:at].rstrip(" -,;")
    if not _WORD.search(head):  # only a start mark
        mark = sequence.lstrip()[:1]
        start = start or (GameState(NACKGAMMON) if mark in {"N", "n"} else None)
        head = "-" if mark == "-" else ""
    try:
        return progress._replace(decoded=read(head, start))
    except (IllegalError, MalformedError):  # an early mistake may show only later
        return progress


def _read_typed(text: str, start: GameState | None) -> Decoded:
    """Read a text; after a doubtful one, a die at the end does not change the reading before it.

    It is rather the first die of a roll, so no search for another reading is worth its time.
    """
    head, _, tail = text.rpartition("-")
    if head and _DIE.fullmatch(tail):
        decoded = read(head, start)
        is_played = decoded.turns and decoded.turns[-1].how is not ReadingKind.TO_PLAY
        if is_played and not decoded.is_over and (longer := _extend(decoded, text, tail)):
            return longer
    return read(text, start)


def read(text: str, start: GameState | None) -> Decoded:
    """Read a text like `decode`, but only its last token if the others are certain."""
    head, _, tail = text.rpartition("-")
    decoded = None
    plain = _TAIL.fullmatch(tail) and len(head) < 4 * _MAX_TOKENS and _HEAD.fullmatch(head)
    if plain and _JOINED_NAME.search(head) and not _HYPHENATED_NAME.search(text):
        decoded = _certain(head, start)
    return (decoded and _extend(decoded, text, tail)) or decode(text, start=start)


@lru_cache(maxsize=256)
def _certain(text: str, start: GameState | None) -> Decoded | None:
    """The reading of a text; None if it has a doubt, or ends the game."""
    head = text.rpartition("-")[0]
    if _JOINED_NAME.search(head) and _certain(head, start) is None:
        return None
    try:
        decoded = read(text, start)
    except (IllegalError, MalformedError):
        return None
    doubt = any(turn.cost or turn.how is ReadingKind.TO_PLAY for turn in decoded.turns)
    over = any(isinstance(turn.action, Drop) for turn in decoded.turns)
    return None if doubt or over else decoded


def _extend(decoded: Decoded, text: str, tail: str) -> Decoded | None:
    """The reading of the whole text: `decoded` and its last token; None if that has a doubt."""
    mark = "-" if decoded.state.player is Player.SECOND else ""
    try:
        last = decode(mark + tail, start=decoded.state)
    except IllegalError as error:
        at = len(text) - len(tail)
        raise IllegalError(str(error), text=text, at=at, reason=error.reason) from None
    if any(turn.cost for turn in last.turns):
        return None
    shift, count = len(text) - len(mark + tail), len(decoded.turns)
    tokens = [token._replace(at=token.at + shift) for token in last.parsed.tokens]
    turns = [
        replace(turn, number=count + turn.number, token=token)
        for turn, token in zip(last.turns, tokens, strict=True)
    ]
    parsed = decoded.parsed._replace(text=text, tokens=(*decoded.parsed.tokens, *tokens))
    return Decoded(parsed, decoded.start, (*decoded.turns, *turns))
