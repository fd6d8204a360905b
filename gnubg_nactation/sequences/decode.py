"""Replay a sequence: from its tokens to plays and positions.

A sequence is read as a whole: strictly if possible, else tier by tier (`tiers.py`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import lru_cache
from itertools import count, takewhile

from gnubg_nactation.backgammon.conversion import to_state
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
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import AmbiguousError, IllegalError
from gnubg_nactation.language.dialects import CURRENT, Dialect, plays_in
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.alternatives import list_doubts
from gnubg_nactation.sequences.assumption import (
    NO_ENGINE,
    Confidence,
    EngineQuestions,
    Evaluator,
    evaluator_of,
    more_natural,
)
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.doubt import Doubt
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.sequences.problems import (
    MAX_NAMES,
    budget_error,
    dead_end,
    some,
    where,
)
from gnubg_nactation.sequences.tiers import (
    SLIGHT,
    TIERS,
    ReadingKind,
    Tier,
    TokenInPosition,
    TokenReading,
    fans,
    readings_of,
)
from gnubg_nactation.sequences.tokens import Parsed, Token, TokenKind, parse_sequence
from gnubg_nactation.values import NamedTuple, dataclass, replace
from gnubg_nactation.writing.typography import Glyph

_MAX_READINGS = 3000  # tried before giving up on a sequence
_UNLIMITED = 10**9  # characters: a budget that a sequence alone cannot use up
_MAX_CANDIDATES = 4  # listed in an error
_MIN_SOUND = 10  # strict tokens after one that make it firm
_MAX_OTHERS, _MAX_SHOWN = 5, 3  # plays that a turn may also mean, and those shown
_CUBE: dict[TokenKind, type[Double | Take | Drop]] = {
    TokenKind.OFFER: Double,
    TokenKind.DOUBLE: Double,
    TokenKind.REDOUBLE: Double,
    TokenKind.BEAVER: Double,
    TokenKind.TAKE: Take,
    TokenKind.PASS: Drop,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedTurn(Turn):
    """A turn with its token, and how that was read.

    `number` counts the tokens. If the token is a fan without a roll, `state` has no roll, and the
    action has a roll that fans. `after` is the state after the turn, numbered from the next player
    to act. The other fields are those of TokenReading.
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

    @property
    def doubt(self) -> str:
        """What is not certain: `assumed, guess (REASON); or PLAY, PLAY`; empty for nothing."""
        words = [self.how.value] * (self.how is ReadingKind.ASSUMED)
        words += [self.sure.value] * (self.sure is not Confidence.SURE)
        doubt = ", ".join(words)
        if self.note:
            doubt += f" ({self.note})" if doubt else self.note
        if self.others:
            doubt += f"; or {', '.join(map(format_play, self.others[:_MAX_SHOWN]))}"
        return doubt


class Decoded(NamedTuple):
    """A sequence with its start and the turns that its tokens say."""

    parsed: Parsed
    start: GameState
    turns: tuple[DecodedTurn, ...] = ()

    @property
    def state(self) -> GameState:
        """The state after the last turn."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def start_name(self) -> str:
        """The XGID of the start; empty if the sequence implies it."""
        implied = GameState(self.parsed.start, self.parsed.starts)
        return "" if self.start == implied else self.start.xgid

    @property
    def is_strict(self) -> bool:
        """Whether each token is read to the letter."""
        return not any(turn.cost for turn in self.turns)

    def with_hint(self, hint: str) -> Decoded:
        """Add a hint to the note of the first turn that is not read to the letter."""
        at = next(at for at, turn in enumerate(self.turns) if turn.cost)
        turn = self.turns[at]
        noted = replace(turn, note="; ".join(filter(None, (turn.note, hint))))
        return self._replace(turns=(*self.turns[:at], noted, *self.turns[at + 1 :]))

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
        """The state of the next roll: a take need not be written."""
        state = self.state
        return _after(state, Take(state.player), self.doubler) if state.doubled else state

    @property
    def doubler(self) -> Player:
        """The first to offer the unanswered cube, before beavers; if there is one."""
        raised = len(
            [*takewhile(lambda turn: isinstance(turn.action, Double), reversed(self.turns))]
        )
        raised += self.start.doubled and raised == len(self.turns)
        return self.state.player if raised % 2 == 0 else self.state.player.other

    @property
    def match(self) -> Match:
        """The turns as a match of one game between players without names."""
        return one_game(self.start, [turn.action for turn in self.turns])


def decode(  # noqa: PLR0913 - options by keyword
    text: str,
    *,
    start: Position | GameState | str | None = None,
    strict: bool = False,
    assume: Evaluator | bool | None = False,
    dialect: Dialect = CURRENT,
    glyphs: Sequence[Glyph] | None = None,
    budget: Budget | None = None,
) -> Decoded:
    """Read a sequence and replay it from `start`, or from the position that it implies.

    `start` may also be a Position ID or an XGID. The player on roll there begins, in the seat that
    the sequence gives; score, cube and rules are kept.

    A character is read to the letter if a play has that name; otherwise, a rule of thumb chooses
    the play. A doublet whose letter more likely means another play is `likely`, and lists the other
    plays. With `assume`, an engine chooses, and judges strict readings as well: one that is far
    worse than the assumed play comes after it (tutorial, section 8). `assume` is an evaluator, or
    True for the engine that is installed. With `strict`, no doubtful reading is tried. `dialect` is
    the usage that characters follow; `glyphs` are as for `parse_sequence`. `budget` is
    shared by all sequences of a text: once it is used up, only strict readings are tried.

    Raises MalformedError; IllegalError with the offset of the first token that names no play; its
    subclass UnreadError if the `budget` is used up before all readings were tried; AmbiguousError
    with the possible plays if only `strict` rejects the sequence; and any error of the engine.
    """
    parsed = parse_sequence(text, glyphs, dialect=dialect)
    unread = Decoded(parsed, _first_state(start, parsed))
    budget = budget or Budget(_UNLIMITED)
    if assume and not strict:
        with evaluator_of(assume) as equities:
            judge = EngineQuestions(equities, weighs=True)
            return _with_doubts(_search(unread, TIERS, judge, budget))
    try:
        tiers = TIERS[:1] if strict else TIERS
        return _with_doubts(_search(unread, tiers, NO_ENGINE, budget), budget)
    except IllegalError as error:
        if not strict:
            raise
        raise _ambiguity(unread, budget) or error from None


def read_strictly(
    parsed: Parsed, start: Position | GameState | None = None, budget: Budget | None = None
) -> Decoded:
    """Replay tokens with no doubtful reading; `start` and `budget` are as for `decode`.

    Raises IllegalError about the first token without a strict reading.
    """
    unread = Decoded(parsed, _first_state(start, parsed))
    return _search(unread, TIERS[:1], NO_ENGINE, budget)


def _first_state(start: Position | GameState | str | None, parsed: Parsed) -> GameState:
    start = to_state(start) if isinstance(start, str) else start
    if not isinstance(start, GameState):
        return GameState(position=start or parsed.start, player=parsed.starts)
    state = replace(start, roll=None)
    if state.player is parsed.starts:
        return state
    owner = None if state.owner is None else state.owner.other
    return replace(state, player=parsed.starts, owner=owner, score=state.score[::-1])


def _with_doubts(decoded: Decoded, budget: Budget | None = None) -> Decoded:
    """Doubt lists, and with a `budget` doublets with a more natural play (#36 to #39)."""
    note = "to the letter, but others are more natural by rule of thumb"
    turns = list(decoded.turns)
    for at, turn in enumerate(turns):
        if budget and _is_plain(turn) and not budget.is_used_up:
            budget.spend(_work(turn.plays))
            if others := _natural(turn, turn.plays):
                others = others[:_MAX_OTHERS]
                turns[at] = replace(turn, note=note, others=others, sure=Confidence.LIKELY)
    for at, doubt in (
        list_doubts(decoded.parsed).items() if decoded.start.position == STANDARD else ()
    ):
        turns[at] = replace(turns[at], note=doubt, sure=Confidence.DOUBTFUL)
    return decoded._replace(turns=tuple(turns))


def _work(plays: Plays) -> int:
    """How many readings it costs to search the parts of plays."""
    return len(plays) // 8 if plays.is_doublet else 0


def _natural(reading: TokenReading | DecodedTurn, plays: Plays) -> tuple[Play, ...]:
    """The plays that the letter of a doublet more likely means than its strict one."""
    if _is_plain(reading) and reading.nactation and reading.play:
        return more_natural(reading.nactation.family, reading.play, plays)
    return ()


def _is_plain(reading: TokenReading | DecodedTurn) -> bool:
    """Whether this is a doublet with a simple letter, read strictly."""
    name, play = reading.nactation, reading.play
    plain = reading.how is ReadingKind.STRICT and not reading.note
    return bool(name and play and plain and play.roll.is_doublet and name.is_simple)


def _ambiguity(unread: Decoded, budget: Budget | None) -> AmbiguousError | None:
    """The error about the first token without a strict reading; None if it cannot be read."""
    try:
        turns = _search(unread, TIERS, NO_ENGINE, budget).turns
    except IllegalError:
        return None
    for turn in turns:
        if turn.play and turn.cost:
            plays = [turn.play, *turn.others]
            names = some([format_play(play) for play in plays], _MAX_CANDIDATES, "; ")
            message = f"{where(turn.token, turn.state)}: not strict Nactation ({turn.note})"
            message += f"; it might mean {names}"
            return AmbiguousError(message, plays, text=unread.parsed.text, at=turn.token.at)
    return None


class _Waiting(NamedTuple):
    """The turns read so far, and a tier that is still to be tried on the next token.

    `strict` are the strict readings of that token, once its first tier was tried.
    """

    read: Decoded
    doubt: Doubt
    tier: int = 0
    spot: TokenInPosition | None = None
    strict: Sequence[TokenReading] = ()

    @property
    def at(self) -> int:
        """Which token is next."""
        return len(self.read.turns)


def _search(
    unread: Decoded, tiers: Sequence[Tier], judge: EngineQuestions, budget: Budget | None
) -> Decoded:
    """The reading of all tokens with the least doubt; among equals, longer ones are tried first.

    No sound token is bent to make the last named one legal: that one is as likely to be wrong, and
    no token after it can tell.
    """
    tokens, serial = unread.parsed.tokens, count()
    budget = budget or Budget(_UNLIMITED)
    limit = min(_MAX_READINGS, len(tokens) + 1 + budget.share)
    only_sound = budget.is_used_up and len(tiers) > 1
    tiers = tiers[:1] if only_sound else tiers
    last = len(tokens) - 1 - (bool(tokens) and tokens[-1].kind is TokenKind.ROLL)
    heap: list[tuple[Doubt, int, int, int, _Waiting]] = []

    def push(waiting: _Waiting) -> None:
        doubt = waiting.doubt.add(tiers[waiting.tier].cost, len(tokens) - waiting.at)
        heapq.heappush(heap, (doubt, -waiting.at, waiting.tier, next(serial), waiting))

    push(_Waiting(unread, Doubt()))
    furthest = heap[0][-1]
    tried: set[tuple[int, GameState, int]] = set()
    max_bent: int | None = None  # known once the last token is reached
    sound = furthest  # as far as strict readings alone lead
    while heap and len(tried) < limit:
        waiting = heapq.heappop(heap)[-1]
        read, at, doubt, tier = waiting.read, waiting.at, waiting.doubt, waiting.tier
        if at == len(tokens):
            return read
        if at == last and max_bent is None:
            max_bent = doubt.bent
        if max_bent is not None and at <= last and doubt.bent > max_bent:
            continue
        if (at, read.state, tier) in tried:  # at no higher cost
            continue
        tried.add((at, read.state, tier))
        sound = sound if doubt.tokens or at <= sound.at else waiting
        furthest = max(furthest, waiting, key=lambda waiting: (-waiting.doubt.bent, waiting.at))
        budget.spend(len(tried) > len(tokens))
        if read.turns and isinstance(read.turns[-1].action, Drop):
            continue
        spot = waiting.spot or spot_of(read, judge)
        budget.spend(_work(spot.plays) * bool(tier))
        readings = readings_of(tiers[tier], spot)
        strict = waiting.strict if tier else readings
        for reading in readings:
            bends = bool(tier) and _bends(reading, strict, spot)
            if bends and not tiers[tier].bends:
                continue
            is_firm = at + _MIN_SOUND < sound.at or spot.token.is_marked
            more = doubt.add(reading.cost, len(tokens) - at, bends=bends, is_firm=is_firm)
            push(_Waiting(_with_turn(read, spot, reading), more))
        if tier + 1 < len(tiers):
            push(waiting._replace(tier=tier + 1, spot=spot, strict=strict))
    given_up = bool(heap) and len(tried) >= _MAX_READINGS
    if only_sound or (heap and not given_up):
        raise budget_error(spot_of(furthest.read, judge), unread.parsed.text)
    budget.spend(MAX_NAMES)  # naming them takes about as long
    reached = (sound if given_up else furthest).read
    raise _dead_end(reached, given_up=given_up, names=not budget.is_used_up)


_legal = lru_cache(maxsize=2048)(Plays)  # many readings reach the same position


def _with_turn(read: Decoded, spot: TokenInPosition, reading: TokenReading) -> Decoded:
    turn = _turn(len(read.turns) + 1, spot, reading, read.doubler)
    return read._replace(turns=(*read.turns, turn))


def _bends(reading: TokenReading, sound: Sequence[TokenReading], spot: TokenInPosition) -> bool:
    """Whether a sound token gets a play that no strict reading of it, or its others, means."""
    return bool(sound) and all(
        reading.play not in (strict.play, *strict.others, *_natural(strict, spot.plays))
        for strict in sound
    )


def spot_of(read: Decoded, judge: EngineQuestions) -> TokenInPosition:
    """The next token in its position."""
    tokens, at, state = read.parsed.tokens, len(read.turns), read.state
    token = tokens[at]
    state = state if token.kind in _CUBE else read.to_roll
    plays = _legal(state.position, token.roll) if token.roll else Plays.of(())
    plays = plays_in(plays, read.parsed.dialect)
    return TokenInPosition(token, state, at == len(tokens) - 1, plays, judge)


def _turn(
    number: int, spot: TokenInPosition, reading: TokenReading, doubler: Player
) -> DecodedTurn:
    """The turn of a token by one of its readings."""
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
    after = state if reading.how is ReadingKind.TO_PLAY else _after(state, action, doubler, play)
    fields = reading._asdict()
    return DecodedTurn(number, action, state=state, plays=plays, token=token, after=after, **fields)


def _after(
    state: GameState, action: Action, doubler: Player, play: Play | None = None
) -> GameState:
    """The state after an action, numbered from the next player to act."""
    if isinstance(action, Drop):
        return state
    if not isinstance(action, Move):
        state = turn_cube(state, action, doubler)
    if isinstance(action, Take) and state.player is doubler:  # of a beaver
        return state
    position = play.after if play else state.position.switch_sides()
    return replace(state, position=position, player=state.player.other, roll=None)


def _is_double(turn: Turn) -> bool:
    return isinstance(turn.action, Double)


def _dead_end(read: Decoded, *, given_up: bool, names: bool) -> IllegalError:
    """The error about the token that no reading gets past, with the possible names there."""
    spot, before = spot_of(read, NO_ENGINE), next(reversed(read.turns), None)
    return dead_end(
        spot,
        read.parsed.text,
        before.token if before else None,
        is_over=before is not None and isinstance(before.action, Drop),
        doubted=next((turn.token.text for turn in read.turns if turn.cost > SLIGHT), ""),
        names=names,
        tried=_MAX_READINGS if given_up else 0,
    )
