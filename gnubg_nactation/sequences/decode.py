"""Sequences replayed: from the tokens of a sequence to plays and positions.

A sequence is read as a whole. Strict readings come first; where one leads nowhere, doubtful
readings are tried, the best first: a lost underline or dot, lost italics, a looser letter after
entering, and at last assumption.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Match,
    Move,
    Take,
    Turn,
    one_game,
    turn_cube,
)
from gnubg_nactation.backgammon.notation import Hop, format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError, UnreadError
from gnubg_nactation.language.dialects import CURRENT, DIALECTS, Dialect, plays_in
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence, Evaluator, more_natural
from gnubg_nactation.sequences.budget import USED_UP, Budget
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.sequences.tiers import (
    SLIGHT,
    TIERS,
    EngineQuestions,
    ReadingKind,
    Tier,
    TokenInPosition,
    TokenReading,
    fans,
)
from gnubg_nactation.sequences.tokens import Parsed, Token, TokenKind, parse_sequence
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, dataclass, replace
from gnubg_nactation.writing.typography import Glyph

_MOST_READINGS = 3000  # tried before a sequence is given up
_ALONE = 10**9  # characters, for a sequence by itself, which has only that limit
_CUBE: dict[TokenKind, type[Double | Take | Drop]] = {
    TokenKind.DOUBLE: Double,
    TokenKind.REDOUBLE: Double,
    TokenKind.TAKE: Take,
    TokenKind.PASS: Drop,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedTurn(Turn):
    """A turn with the token that says it, and how that was read.

    `number` counts the tokens. `state` has no roll where the token is a fan without one; the
    action then has one that fans. `after` is the state behind the turn, numbered from the player
    who is then to act. The other fields are those of TokenReading.
    """

    state: GameState
    plays: Plays  # pyright: ignore[reportGeneralTypeIssues] (it must be named, and may)
    token: Token
    after: GameState
    cost: int
    how: ReadingKind
    nactation: Nactation | None
    note: str
    others: tuple[Play, ...]
    sure: Confidence
    gap: float | None


class Decoded(NamedTuple):
    """A sequence with the readings of its tokens, and the state before the first."""

    parsed: Parsed
    start: GameState
    turns: tuple[DecodedTurn, ...] = ()

    @property
    def state(self) -> GameState:
        """The state that the turns lead to."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def start_name(self) -> str:
        """The XGID of the start; empty if the sequence itself says where it begins."""
        implied = GameState(self.parsed.start, self.parsed.starts)
        return "" if self.start == implied else self.start.xgid

    @property
    def sequence(self) -> str:
        """The sequence as the program writes it; with its own tokens if one has no roll."""
        turns = self.turns
        if any(turn.token.roll is None and isinstance(turn.action, Move) for turn in turns):
            mark = "-" if self.parsed.starts else ""
            text = mark + "-".join(turn.token.text for turn in turns)
        else:
            text = sequence((turn, turn.nactation) for turn in turns)
        return start_prefix(self.parsed.start) + text

    @property
    def is_over(self) -> bool:
        """Whether the last turn ends the game."""
        passed = bool(self.turns) and isinstance(self.turns[-1].action, Drop)
        return passed or not self.state.position.opponent_pips

    @property
    def to_roll(self) -> GameState:
        """The state in which the next roll is played: a take goes without saying."""
        state = self.state
        return _after(state, Take(state.player)) if state.doubled else state

    @property
    def match(self) -> Match:
        """The turns as a match of one game, between players without names."""
        return one_game(self.start, [turn.action for turn in self.turns])


def decode(  # noqa: PLR0913 - options by keyword
    text: str,
    *,
    start: Position | GameState | str | None = None,
    strict: bool = False,
    equities: Evaluator | None = None,
    weigh: bool = False,
    dialect: Dialect = CURRENT,
    glyphs: Sequence[Glyph] | None = None,
    budget: Budget | None = None,
) -> Decoded:
    """Read a sequence and replay it, from `start` or the position that the sequence implies.

    The score, the cube and the rules of a state go with it; its player begins, in the seat that
    the sequence says. The name of a position, a Position ID or an XGID, will do.

    `equities` is asked only where a part of a play has to be assumed; without it a rule of thumb
    stands in. A doublet whose letter is more likely to mean another play is read to the letter,
    with the other plays beside it. With `weigh` `equities` is asked about every character, and a
    strict reading that is far worse than what the character would mean by assumption comes after
    it. With `strict` no doubtful reading is tried. `dialect` is the usage by which characters are
    read. `glyphs` are as for parse_sequence. `budget` is shared by all sequences of a text: once it
    is used up, only what reads to the letter at first attempt is read.

    Raises MalformedError; IllegalError with the place of the token that names no play; UnreadError,
    which is one, if the `budget` is used up before all doubtful readings were tried; AmbiguousError
    with the plays that it might mean if only `strict` refuses it; and what `equities` raises.
    """
    parsed = parse_sequence(text, glyphs, dialect=dialect)
    unread = Decoded(parsed, _first_state(start, parsed))
    budget = budget or Budget(_ALONE)
    if not strict:
        found = _search(unread, TIERS, EngineQuestions(equities, weighs=weigh), budget)
        return found if weigh else _with_natural(found, budget)
    try:
        return _search(unread, TIERS[:1], EngineQuestions(None), budget)
    except IllegalError as error:
        raise _refusal(unread, budget) or error from None


def sound_in(
    text: str,
    *,
    start: Position | GameState | None = None,
    glyphs: Sequence[Glyph] | None = None,
    budget: Budget | None = None,
) -> Dialect | None:
    """The newest older usage by which a sequence can be read to the letter.

    None if it can be read so today, too, or by no usage. `glyphs` and `budget` are as for decode.
    """
    for dialect in reversed(DIALECTS.values()):
        with suppress(IllegalError, MalformedError):
            parsed = parse_sequence(text, glyphs, dialect=dialect)
            _search(
                Decoded(parsed, _first_state(start, parsed)),
                TIERS[:1],
                EngineQuestions(None),
                budget,
            )
            return dialect if dialect.usages else None
    return None


def usage_words(usage: Dialect) -> str:
    """What to say of a sequence that an older usage makes sense of."""
    return f"reads through in the usage of {usage.name}"


def _first_state(start: Position | GameState | str | None, parsed: Parsed) -> GameState:
    start = to_state(start) if isinstance(start, str) else start
    if not isinstance(start, GameState):
        return GameState(position=start or parsed.start, player=parsed.starts)
    state = replace(start, roll=None)
    if state.player is parsed.starts:
        return state
    owner = None if state.owner is None else state.owner.other
    return replace(state, player=parsed.starts, owner=owner, score=state.score[::-1])


def _with_natural(decoded: Decoded, budget: Budget) -> Decoded:
    """With what the letters of doublets are more likely to mean (#36 to #39)."""
    note = "to the letter, but others are more natural by rule of thumb"
    turns = list(decoded.turns)
    for at, turn in enumerate(turns):
        if _is_plain(turn) and not budget.is_used_up:
            budget.spend(_work(turn.plays))
            if others := _natural(turn, turn.plays):
                turns[at] = replace(turn, note=note, others=others[:_MOST_OTHERS])
    return decoded._replace(turns=tuple(turns))


def _work(plays: Plays) -> int:
    """How many readings it costs to look through the parts of plays."""
    return len(plays) // 8 if plays.is_doublet else 0


def _natural(read: TokenReading | DecodedTurn, plays: Plays) -> tuple[Play, ...]:
    """What the letter of a doublet is more likely to mean than what it says."""
    if _is_plain(read) and read.nactation and read.play:
        return more_natural(read.nactation.family, read.play, plays)
    return ()


def _is_plain(read: TokenReading | DecodedTurn) -> bool:
    """Whether it is a doublet whose simple letter was read to the letter."""
    name, play = read.nactation, read.play
    plain = read.how is ReadingKind.STRICT and not read.note
    return bool(name and play and plain and play.roll.is_doublet and name.is_simple)


def _refusal(unread: Decoded, budget: Budget | None) -> AmbiguousError | None:
    """Where a sequence that can only be read leniently is doubtful first; None if it cannot be."""
    try:
        turns = _search(unread, TIERS, EngineQuestions(None), budget).turns
    except IllegalError:
        return None
    for turn in turns:
        if turn.play and turn.cost:
            plays = [turn.play, *turn.others]
            names = _some([format_play(play) for play in plays], _SHOWN_CANDIDATES, "; ")
            message = f"{_where(turn.token, turn.state)}: not by the rules ({turn.note}); it might"
            text = unread.parsed.text
            return AmbiguousError(f"{message} mean {names}", plays, text=text, at=turn.token.at)
    return None


class _Doubt(NamedTuple):
    """How much of a text a reading doubts: the less, the better, the first field first.

    `tokens` are doubted at `cost`; the earlier they stand, the greater is `early`. `bent` counts
    those of them that can be read to the letter where they stand.
    """

    tokens: int = 0
    cost: int = 0
    early: int = 0
    bent: int = 0

    def add(self, cost: int, left: int, *, bends: bool = False) -> _Doubt:
        """With a reading that costs so much of a token behind which so many are left."""
        if cost <= SLIGHT:
            return self._replace(cost=self.cost + cost)
        return _Doubt(self.tokens + 1, self.cost + cost, self.early + left, self.bent + bends)


class _Waiting(NamedTuple):
    """What has been read, and a tier of readings that waits to be tried on the next token.

    `sound` are the readings of the token to the letter, once they are known.
    """

    read: Decoded
    doubt: _Doubt
    tier: int = 0
    spot: TokenInPosition | None = None
    sound: Sequence[TokenReading] = ()

    @property
    def at(self) -> int:
        """Which token is next."""
        return len(self.read.turns)


def _search(
    unread: Decoded, tiers: Sequence[Tier], judge: EngineQuestions, budget: Budget | None
) -> Decoded:
    """The reading of all tokens that doubts the fewest, deeper ones first among equals.

    For the sake of the last token that says something no sound one before it is bent: that it is
    wrong itself is as likely, and nothing behind it tells.
    """
    tokens, serial = unread.parsed.tokens, count()
    budget = budget or Budget(_ALONE)
    most = min(_MOST_READINGS, len(tokens) + 1 + budget.share)
    only_sound = budget.is_used_up and len(tiers) > 1
    tiers = tiers[:1] if only_sound else tiers
    last = len(tokens) - 1 - (bool(tokens) and tokens[-1].kind is TokenKind.ROLL)
    heap: list[tuple[_Doubt, int, int, int, _Waiting]] = []

    def wait(one: _Waiting) -> None:
        least = one.doubt.add(tiers[one.tier].cost, len(tokens) - one.at)
        heapq.heappush(heap, (least, -one.at, one.tier, next(serial), one))

    wait(_Waiting(unread, _Doubt()))
    furthest = heap[0][-1]
    tried: set[tuple[int, GameState, int]] = set()
    most_bent: int | None = None  # once the last token is reached
    while heap and len(tried) < most:
        one = heapq.heappop(heap)[-1]
        read, at, doubt = one.read, one.at, one.doubt
        if at == len(tokens):
            return read
        if at == last and most_bent is None:
            most_bent = doubt.bent
        if most_bent is not None and at <= last and doubt.bent > most_bent:
            continue
        here = at, read.state, one.tier
        if here in tried:  # what led here before was no dearer
            continue
        tried.add(here)
        furthest = max(furthest, one, key=lambda one: (-one.doubt.bent, one.at))
        budget.spend(len(tried) > len(tokens))
        if read.turns and isinstance(read.turns[-1].action, Drop):
            continue
        spot = one.spot or _spot(read, judge)
        budget.spend(_work(spot.plays) * bool(one.tier))
        readings = list(tiers[one.tier].readings(spot))
        sound = one.sound if one.tier else readings
        for reading in readings:
            bends = bool(one.tier) and _bends(reading, sound, spot)
            if bends and not tiers[one.tier].bends:
                continue
            turns = (*read.turns, _turn(at + 1, spot, reading))
            more = doubt.add(reading.cost, len(tokens) - at, bends=bends)
            wait(_Waiting(read._replace(turns=turns), more))
        if one.tier + 1 < len(tiers):
            wait(one._replace(tier=one.tier + 1, spot=spot, sound=sound))
    given_up = bool(heap) and len(tried) >= _MOST_READINGS
    if only_sound or (heap and not given_up):
        raise _unread(furthest.read)
    budget.spend(_SHOWN)  # their names take about as long
    raise _dead_end(furthest.read, given_up=given_up, names=not budget.is_used_up)


def _bends(reading: TokenReading, sound: Sequence[TokenReading], spot: TokenInPosition) -> bool:
    """Whether a reading is none of those that a token, if it is sound, leaves open itself."""
    return bool(sound) and all(
        reading.play not in (one.play, *one.others, *_natural(one, spot.plays)) for one in sound
    )


def _spot(read: Decoded, judge: EngineQuestions) -> TokenInPosition:
    """The next token in its position."""
    tokens, at, state = read.parsed.tokens, len(read.turns), read.state
    token = tokens[at]
    state = state if token.kind in _CUBE else read.to_roll
    plays = Plays(state.position, token.roll) if token.roll else Plays.of(())
    plays = plays_in(plays, read.parsed.dialect)
    return TokenInPosition(token, state, at == len(tokens) - 1, plays, judge)


def _turn(number: int, spot: TokenInPosition, reading: TokenReading) -> DecodedTurn:
    """The turn that a token says, read so."""
    token, state, plays, play = spot.token, spot.state, spot.plays, reading.play
    if token.kind in _CUBE:
        action: Action = _CUBE[token.kind](state.player)
    else:
        if play and not token.roll:
            plays = Plays(state.position, play.roll)
        portions = play.portions if play else ()
        hops = tuple([Hop(portion.source, portion.target, portion.hits) for portion in portions])
        state = replace(state, roll=play.roll if play else token.roll)
        action = Move(state.player, state.roll or fans(state.position)[-1], hops)
    after = state if reading.how is ReadingKind.TO_PLAY else _after(state, action, play)
    read = reading._asdict()
    return DecodedTurn(number, action, state=state, plays=plays, token=token, after=after, **read)


def _after(state: GameState, action: Action, play: Play | None = None) -> GameState:
    """The state behind an action, numbered from the player who is then to act."""
    if isinstance(action, Drop):
        return state
    if not isinstance(action, Move):
        state = turn_cube(state, action, state.player.other)
    position = play.after if play else state.position.switch_sides()
    return replace(state, position=position, player=state.player.other, roll=None)


def _dead_end(read: Decoded, *, given_up: bool, names: bool) -> IllegalError:
    """Why the first token that no reading gets past cannot be read, and what could stand there."""
    token, state, _, plays, _ = _spot(read, EngineQuestions(None))
    possible = ""
    if read.turns and isinstance(read.turns[-1].action, Drop):
        reason = "the game is over with the pass before it"
    elif token.roll is None:
        reason = _misplaced(token, read.turns[-1].token if read.turns else None)
    elif not plays:
        reason = f"nothing can be played with {token.roll}"
    else:
        reason = f"no such play of {token.roll}"
    if plays and names and token.roll and not reason.startswith("the game"):
        shown = [str(plays.name(play).naming.nactation) for play in plays[: _SHOWN + 1]]
        possible = f"; possible are {_some(shown, _SHOWN, ' ')}"
    message = f"{_where(token, state)}: {reason}{possible}"
    message += f" (given up after {_MOST_READINGS} readings)" if given_up else ""
    return IllegalError(message, text=read.parsed.text, at=token.at, reason=reason)


def _misplaced(token: Token, before: Token | None) -> str:
    """Why a token without a roll is not legal, and how to write the play that may be meant."""
    reason = _MISPLACED[token.kind]
    if token.kind not in _CUBE or len(token.text) > 1:
        return reason
    roll = before.text if before and before.kind is TokenKind.ROLL else "31"
    return f"{reason}; to name a play write its roll, too: {roll}{token.text}"


_MISPLACED = {
    TokenKind.FAN: "no roll fans here",
    TokenKind.ENTER: "no checker can enter with this die",
    TokenKind.OFF: "no checker can be borne off here",
    TokenKind.DOUBLE: "no double is legal here",
    TokenKind.REDOUBLE: "no redouble is legal here",
    TokenKind.TAKE: "there is no double to take",
    TokenKind.PASS: "there is no double to pass",
}


def _unread(read: Decoded) -> UnreadError:
    """That the first token which does not read as it is written was not looked into."""
    token, text = read.parsed.tokens[len(read.turns)], read.parsed.text
    reason = f"not by the rules, and {USED_UP}"
    message = f"{_where(token, read.state)}: {reason}; check this sequence alone"
    return UnreadError(message, text=text, at=token.at, reason=reason)


def _where(token: Token, state: GameState) -> str:
    return f"{quoted(token.text)} in {format_position_id(state.position)}"


def _some(names: Sequence[str], most: int, between: str) -> str:
    return between.join([*names[:most], *["..."] * (len(names) > most)])


_SHOWN, _SHOWN_CANDIDATES = 12, 4
_MOST_OTHERS = 5
