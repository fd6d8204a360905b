"""Replay a sequence: from its tokens to plays and positions.

A sequence is read as a whole: strictly if possible, else tier by tier (`tiers.py`).
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count, pairwise

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
    state_after,
)
from gnubg_nactation.backgammon.notation import Hop, format_hops, format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError, UnreadError
from gnubg_nactation.language.dialects import CURRENT, DIALECTS, Dialect, plays_in
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import (
    NO_ENGINE,
    Confidence,
    EngineQuestions,
    Evaluator,
    evaluator_of,
    more_natural,
)
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.sequences.openings import OPENINGS
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
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, dataclass, replace
from gnubg_nactation.writing.markup import Glyph


class Doubt(NamedTuple):
    """How much of a sequence a reading doubts, compared field by field: less is better.

    `firm` counts the firm tokens that it bends: those with a mark, or with a strict reading that
    ten more follow. `tokens` counts the doubted tokens, `cost` sums their costs, and `early` grows
    the earlier they come. `bent` counts those that have a strict reading there.
    """

    firm: int = 0
    tokens: int = 0
    cost: int = 0
    early: int = 0
    bent: int = 0

    def add(
        self, cost: int, remaining: int, *, bends: bool = False, is_firm: bool = False
    ) -> Doubt:
        """Add a reading of a token, which is the first of those `remaining`."""
        if cost <= SLIGHT:
            return self._replace(cost=self.cost + cost)
        return Doubt(
            self.firm + (bends and is_firm),
            self.tokens + 1,
            self.cost + cost,
            self.early + remaining,
            self.bent + bends,
        )


USED_UP = "this text has too many doubtful tokens to try them all"
_READINGS, _CHARS_PER_READING = 4_000, 8  # readings of any text, and one more per 8 characters


class Budget:
    """The readings allowed for a text of this length, beyond one for each of its tokens.

    A strict reading needs only that one, so a used-up budget does not stop it.
    """

    __slots__ = ("left",)

    def __init__(self, chars: int) -> None:
        self.left = _READINGS + chars // _CHARS_PER_READING

    @property
    def is_used_up(self) -> bool:
        """Whether no readings are left."""
        return self.left <= 0

    @property
    def share(self) -> int:
        """The readings for one sequence: half of those left, to spare some for later sequences."""
        return max(self.left, 0) // 2

    def spend(self, readings: int = 1) -> None:
        """Use up readings, or other work that takes about as long."""
        self.left -= readings


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


def alternatives(parsed: Parsed) -> tuple[str, ...]:
    """The plays of a list, such as `21S 41S 51S` or `43D/43Z`; none of a game.

    They are plays of one roll, or openings with the same letter.
    """
    tokens = list(map(_text, parsed.tokens))
    return tuple(tokens) if _is_apart(parsed) and is_list(tokens, _gaps(parsed)) else ()


def is_list(tokens: Sequence[str], gaps: Sequence[str]) -> bool:
    """Whether tokens with these characters between them are a list of plays."""
    if len(set(tokens)) < max(len(tokens), 2):
        return False
    if len({token[:2] for token in tokens}) == 1:
        return all(_is_blank(gap) or _is_slash(gap) for gap in gaps)
    is_family = len({token[2:] for token in tokens}) == 1
    return is_family and _are_openings(tokens) and all(map(_is_blank, gaps))


def list_doubts(parsed: Parsed) -> dict[int, str]:
    """Why tokens may be no turns of a game, by their index."""
    text, tokens = parsed.text, parsed.tokens
    if not tokens or ("-" in text and "/" not in text):
        return {}
    gaps = _gaps(parsed)
    if gaps == [""] and _is_low_roll(tokens[1]):  # `65R15` is a size of tyres
        return {1: "it may be no roll: no hyphen is before it"}
    if gaps and _is_apart(parsed) and all(map(_is_blank, gaps)):
        plays = [_text(token) for token in tokens if not (token.roll and token.roll.is_doublet)]
        if plays[:1] == [_text(tokens[0])] and _are_openings(plays):
            return {1: "or a list of openings: hyphens join the turns of a game"}
    doubt = "or another play of the same roll: hyphens join the turns of a game"
    return {
        at: doubt
        for at, ((before, token), gap) in enumerate(zip(pairwise(tokens), gaps, strict=True), 1)
        if before.roll == token.roll is not None and before.text != token.text and _is_slash(gap)
    }


def _is_blank(gap: str) -> bool:
    """Whether this is blanks, perhaps after a comma or semicolon; a line break is not."""
    blanks = gap[1:] if gap[:1] in {",", ";"} else gap
    return bool(blanks) and not blanks.strip(" \t")


def _is_slash(gap: str) -> bool:
    return gap.strip(" \t") == "/"


def _is_low_roll(token: Token) -> bool:
    """Whether this is a roll alone with its lower die first."""
    return token.kind is TokenKind.ROLL and token.text[0] < token.text[1]


def _is_apart(parsed: Parsed) -> bool:
    """Whether all tokens are plays with letters, from the opening and without a mark."""
    return (
        parsed.start == STANDARD
        and bool(parsed.tokens)
        and not parsed.text[: parsed.tokens[0].at].strip("\"' \t")
        and all(map(_is_letter, parsed.tokens))
    )


def _is_letter(token: Token) -> bool:
    return token.kind is TokenKind.PLAY and bool(token.names) and not token.remark


def _text(token: Token) -> str:
    """The token without the period that ends a sentence."""
    return token.text[:-1] if token.natural else token.text


def _are_openings(tokens: Iterable[str]) -> bool:
    return all(token in OPENINGS for token in tokens)


def _gaps(parsed: Parsed) -> list[str]:
    """The characters between tokens."""
    return [
        parsed.text[before.at + len(before.text) : token.at]
        for before, token in pairwise(parsed.tokens)
    ]


_USAGE = re.compile(r"\b(?:as until|usage of) [0-9]{4}")  # in the notes of `usage_note`
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
    def meaning(self) -> str:
        """The play in traditional notation, or how a token without a play is read."""
        return format_play(self.play) if self.play else self.how.value

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

    @property
    def usage_note(self) -> str:
        """The first token that an older usage reads otherwise than today, and how; or empty."""
        turns = self.turns if self.parsed.dialect.usages else ()
        notes = [f"{each.token.text}: {each.note}" for each in turns if _USAGE.search(each.note)]
        return notes[0] if notes else ""

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
        return state_after(state, Take(state.player)) if state.doubled else state

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
    the usage that characters follow. With `glyphs`, only these characters of the text are read, as
    when it has markup. `budget` is shared by all sequences of a text: once it is used up, only
    strict readings are tried.

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
    turn = _turn(len(read.turns) + 1, spot, reading)
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


def _turn(number: int, spot: TokenInPosition, reading: TokenReading) -> DecodedTurn:
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
    after = state if reading.how is ReadingKind.TO_PLAY else state_after(state, action, play)
    fields = reading._asdict()
    return DecodedTurn(number, action, state=state, plays=plays, token=token, after=after, **fields)


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


def sound_in(
    text: str,
    *,
    start: Position | GameState | None = None,
    glyphs: Sequence[Glyph] | None = None,
    budget: Budget | None = None,
) -> Dialect | None:
    """The newest older usage in which a sequence can be read strictly.

    None if it can be read strictly today, or in no usage. `glyphs` and `budget`: see `decode`.
    """
    for dialect in reversed(DIALECTS.values()):
        with suppress(IllegalError, MalformedError):
            parsed = parse_sequence(text, glyphs, dialect=dialect)
            read_strictly(parsed, start, budget)
            return dialect if dialect.usages else None
    return None
