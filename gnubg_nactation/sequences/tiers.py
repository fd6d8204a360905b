"""What a token may mean where it stands: strict readings first, then doubtful ones, tier by tier.

A lost underline or dot, lost italics, a looser letter after entering, and at last assumption.
Where an engine is asked, what has to be assumed goes by its equities, else by a rule of thumb.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, Right, family
from gnubg_nactation.language.dialects import usage_note
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.numerals import numeral_landings
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import (
    BAD,
    FAR_WORSE,
    Assumed,
    Confidence,
    Equities,
    Evaluator,
    Ranked,
    assumed_plays,
    judged_by,
    rank,
)
from gnubg_nactation.sequences.tokens import Token, TokenKind
from gnubg_nactation.values import NamedTuple, replace

# What a reading costs: of all ways to read a sequence the cheapest is taken.
SLIGHT = 1  # up to this nothing that was written is doubted
_LOST_MARK, _LOOSE, _LOST_ITALICS, _ASSUMPTION = 2, 3, 4, 6
_MOST_CANDIDATES = 6  # of an assumption
_MOST_QUESTIONS = 60  # to an engine, about one sequence


class ReadingKind(Enum):
    """How a token is read; the last three are rights of letters, as in Right."""

    STRICT = "strict"
    FORCED = "forced"  # the only play of a roll, or none
    FAN = "fan"
    ENTER = "enter"
    ASSUMED = "assumed"
    TO_PLAY = "to be played"
    NUMERAL = "numeral"
    CONVENIENCE = "convenience"
    WAIVED = "waived"


class EngineQuestions:
    """An engine that is asked at most once a position, 60 times a sequence.

    With `weighs` strict readings are held against it too.
    """

    __slots__ = ("_equities", "_known", "weighs")

    def __init__(self, equities: Evaluator | None, *, weighs: bool = False) -> None:
        self._equities = equities
        self._known: dict[GameState, Equities | None] = {}
        self.weighs = weighs and equities is not None

    def __call__(self, state: GameState) -> Equities | None:
        """The equity of each legal play, None if there is no engine (any more)."""
        if state not in self._known:
            if self._equities is None or len(self._known) >= _MOST_QUESTIONS:
                return None
            self._known[state] = self._equities(state)
        return self._known[state]


class TokenReading(NamedTuple):
    """One way to read a token.

    `cost` is 0 for what the rules say; of all ways to read a sequence the cheapest is taken.
    `play` is None for what is no play, or not played yet; `nactation` where there is no character.
    `note` says what was doubtful; `others` are plays that the token might also mean, best first.
    `sure` says how sure the reading is, and `gap` by how much the play is better than the best
    other candidate by an engine, None if none was asked.
    """

    cost: int
    play: Play | None
    how: ReadingKind
    nactation: Nactation | None = None
    note: str = ""
    others: tuple[Play, ...] = ()
    sure: Confidence = Confidence.SURE
    gap: float | None = None


class TokenInPosition(NamedTuple):
    """A token in its position, with what the tiers of readings look at."""

    token: Token
    state: GameState
    last: bool
    plays: Plays
    judge: EngineQuestions

    def values(self) -> Equities | None:
        """What the engine says of the plays, None without one."""
        return self.judge(replace(self.state, roll=self.token.roll))


def _strict(spot: TokenInPosition) -> Iterator[TokenReading]:
    token, state, plays = spot.token, spot.state, spot.plays
    match token.kind:
        case TokenKind.ROLL if not plays:
            yield TokenReading(
                0, None, ReadingKind.FAN if state.position.bar else ReadingKind.FORCED
            )
        case TokenKind.ROLL if len(plays) == 1:
            yield TokenReading(0, plays[0], ReadingKind.FORCED)
        case TokenKind.ROLL if spot.last:
            yield TokenReading(0, None, ReadingKind.TO_PLAY)
        case TokenKind.FAN if fans(state.position):
            yield TokenReading(0, None, ReadingKind.FAN, _FAN)
        case TokenKind.ENTER:
            yield from _entering(spot)
        case TokenKind.OFF:
            yield from _bearing_off(spot)
        case TokenKind.PLAY if not (token.natural or token.die):
            for name in token.names:
                for reading in _named(name, spot):
                    weighed = _weighed(reading, spot) if spot.judge.weighs else (reading,)
                    yield from (_with_loose(one, spot) for one in weighed)
        case TokenKind.DOUBLE if not state.doubled and state.owner is None:
            yield TokenReading(0, None, ReadingKind.STRICT)
        case TokenKind.REDOUBLE if not state.doubled and state.owner is state.player:
            yield TokenReading(0, None, ReadingKind.STRICT)
        case TokenKind.TAKE | TokenKind.PASS if state.doubled:
            yield TokenReading(0, None, ReadingKind.STRICT)


def fans(position: Position) -> list[Roll]:
    """The doublets with which no checker enters, the lowest last; none if none is on the bar."""
    doublets = [roll for roll in ROLLS if roll.is_doublet and position.bar]
    return [roll for roll in doublets if not legal_plays(position, roll)]


def _entering(spot: TokenInPosition) -> Iterator[TokenReading]:
    """One checker enters with a die, and the other die, which is not told, cannot be played."""
    position, die = spot.state.position, spot.token.die
    for other in range(1, 7):
        for play in legal_plays(position, Roll(die, other)):
            portion = play.portions[0]
            if len(play.portions) == 1 and (portion.source, portion.die) == (BAR, die):
                yield TokenReading(0, play, ReadingKind.ENTER)
                return


def _bearing_off(spot: TokenInPosition) -> Iterator[TokenReading]:
    """Checkers are borne off from the highest points by `=` or `+`, with a roll that can do it."""
    for name in spot.token.names:
        for roll in ROLLS:
            members = Plays(spot.state.position, roll).reading(name.family).members
            if members:
                yield TokenReading(0, members[0], ReadingKind.NUMERAL, name)
                return


def _named(name: Nactation, spot: TokenInPosition) -> Iterator[TokenReading]:
    """The reading of a name to the letter; a digit may leave the rest open (section 9)."""
    plays = spot.plays
    if name.family.key in {"^", "F"} and not plays:
        if spot.state.position.bar:
            yield TokenReading(0, None, ReadingKind.FAN, _FAN)
        return
    try:
        play = plays.play(name)
    except IllegalError:
        return
    right = plays.reading(name.family).right
    kind = ReadingKind.STRICT if right in _STRICT else ReadingKind(right.value)
    reading = TokenReading(0, play, kind, name, usage_note(plays, name))
    if name.family.right is Right.NUMERAL and name.member == 1:
        landing, is_open = _landing(name, spot)
        if is_open and len(landing) > 1:
            ranked = rank(landing, spot.values())
            # The convention counts, by which it was written, unless an engine is to weigh it.
            at = 0 if ranked.values and spot.judge.weighs else ranked.plays.index(play)
            reading = _ranked(reading, ranked, at, "the rest assumed")
    yield reading


def _landing(name: Nactation, spot: TokenInPosition) -> tuple[list[Assumed], bool]:
    """The plays that a digit may name, and whether it leaves the rest open."""
    plays, is_open = numeral_landings(name.family.key, spot.plays, spot.plays.forced)
    return [Assumed(play) for play in plays], is_open


def _ranked(reading: TokenReading, ranked: Ranked, at: int, what: str) -> TokenReading:
    """A reading of which a candidate is taken, with the reason and the other candidates."""
    play = ranked.plays[at]
    reason, sure, gap = ranked.judge(play)
    others, note = _others(ranked, play), f"{what}, {reason}"
    return reading._replace(play=play, note=note, others=others, sure=sure, gap=gap)


def _others(ranked: Ranked, play: Play) -> tuple[Play, ...]:
    return tuple([one for one in ranked.plays if one != play][: _MOST_CANDIDATES - 1])


def _weighed(reading: TokenReading, spot: TokenInPosition) -> tuple[TokenReading, ...]:
    """A strict reading, and before it what is meant if it is far worse than a natural one.

    "The weaker the strict-usage move would be, the more confidently one can implement assumption"
    (section 8, #38 and #39). The plays assumed there are good ones, and all of doublets, where the
    letters of most plays are advanced knowledge; elsewhere only digits and letters after entering
    are loose, and other strict readings stand, with a note. So do names that are not basic.
    """
    name, play = reading.nactation, reading.play
    sure = reading.sure is Confidence.SURE
    ask = name and name.is_simple and sure and len(spot.plays) > 1
    values = spot.values() if ask else None
    if values is None or name is None or play is None:
        return (reading,)
    # What a reader would think of first who does not know the rules.
    if name.family.right is Right.NUMERAL:
        found = _landing(name, spot)[0]
    else:
        found = [one for one in assumed_plays(name.family, spot.plays) if one.order == 0]
    ranked = rank(found, values)
    best = ranked.plays[0] if found else play
    gap = values[best] - values[play]
    if gap < FAR_WORSE or max(values.values()) - values[best] > BAD:
        return (reading,)
    others = _others(ranked, best)
    note = f"strict, but {gap:.3f} worse than {format_play(best)}{judged_by(values)}"
    strict = reading._replace(note=note, others=others, gap=-gap)
    if not (play.roll.is_doublet or reading.how in _LOOSELY_USED):
        return (strict,)
    rivals = Ranked((*dict.fromkeys((best, play, *others)),), len(others) + 1, values)
    natural = _ranked(reading, rivals, 0, "a part of the play assumed")
    note = f"{natural.note}; strictly {format_play(play)}, {gap:.3f} worse"
    return natural._replace(how=ReadingKind.ASSUMED, note=note), strict._replace(cost=SLIGHT)


_LOOSELY_USED = {ReadingKind.WAIVED, ReadingKind.NUMERAL}
_STRICT = {Right.AREAL, Right.STYLE, Right.SYMBOL}


def _accepted(spot: TokenInPosition) -> Iterator[TokenReading]:
    """What later usage has beside the rules: emphasis, R_ for U_, and a dot or die that tells.

    Bold and colour are emphasis for the author, too (section 14).
    """
    if spot.token.names and (spot.token.natural or spot.token.die):
        yield from _told(spot)
        return
    for name in spot.token.names:
        step = len(name.family.glyphs)
        plain = Nactation(name.family, (name.member - 1) % (2 * step) + 1)
        found = [(plain, "bold or colour as emphasis")] * (plain != name)
        for other, note in (*found, *_upwards(name, spot)):
            for reading in _named(other, spot):
                yield reading._replace(cost=SLIGHT, note=note, sure=Confidence.LIKELY)


def _upwards(name: Nactation, spot: TokenInPosition) -> list[tuple[Nactation, str]]:
    """U_ for an R_ where no play is one: both were in use."""
    if name.family is not _RUN_MARKED or spot.plays.reading(name.family).members:
        return []
    return [(Nactation(_UP_MARKED, name.member), f"no play is an R_: {name} read as U_")]


def _told(spot: TokenInPosition) -> Iterator[TokenReading]:
    """A play that comes down with a die, or the natural one of those that a letter names (`43D.`).

    A doublet may mean another by assumption, too. Without an engine the highest in rank is the
    most natural of the others, as "the capital-letter move is stronger most of the time".
    """
    token, plays = spot.token, spot.plays
    if token.die:
        found = [Assumed(play) for play in plays if _comes_down(play, token.die)]
    else:
        named = [play for name in token.names for play in plays.reading(name.family).members]
        found = [one for name in token.names for one in assumed_plays(name.family, plays)]
        if named and not plays.is_doublet:
            others = 0 if len(named) > 1 and spot.values() else 1
            found = [Assumed(play, min(at, others)) for at, play in enumerate(named)]
    what = f"the {token.die} down" if token.die else "a dot for the natural play"
    reading = TokenReading(SLIGHT, None, ReadingKind.ASSUMED, token.names[0])
    yield from _each(reading, found, spot, what)


def _comes_down(play: Play, die: int) -> bool:
    """Whether a checker comes down from the far outer board with this die."""
    return any(one.die == die and one.target <= 12 < one.source < BAR for one in play.portions)


def _lost_marks(spot: TokenInPosition) -> Iterator[TokenReading]:
    for name in spot.token.names if spot.plays.is_doublet else ():
        for row in FAMILIES if name.mark is Diacritic.NONE else ():
            if row.character == name.character and row.mark is not Diacritic.NONE:
                marked = Nactation(row, name.member)
                for other in (marked, *(one for one, _ in _upwards(marked, spot))):
                    yield from _as_if(other, spot, _LOST_MARK)


def _lost_italics(spot: TokenInPosition) -> Iterator[TokenReading]:
    for name in spot.token.names:
        for level in range(3):
            other = name._replace(member=name.member + (level + 1) * len(name.family.glyphs))
            yield from _as_if(other, spot, _LOST_ITALICS + level)


def _as_if(name: Nactation, spot: TokenInPosition, cost: int) -> Iterator[TokenReading]:
    """The readings of a token as if it had been written otherwise, if no dot or die tells."""
    for reading in () if spot.token.natural or spot.token.die else _named(name, spot):
        note = f"read as {name}"
        yield reading._replace(
            cost=cost, how=ReadingKind.ASSUMED, note=note, sure=Confidence.DOUBTFUL
        )


def _loose(spot: TokenInPosition) -> Iterator[TokenReading]:
    """D for any entry with the other number from the far outer board, as the author uses it."""
    reading = TokenReading(_LOOSE, None, ReadingKind.WAIVED, _DOWN)
    yield from _each(reading, _from_afar(spot), spot, "down from the far outer board")


def _from_afar(spot: TokenInPosition) -> list[Assumed]:
    """The plays that a D means so."""
    plays = spot.plays if _DOWN in spot.token.names and spot.state.position.bar else ()
    found = [play for play in plays if len(play.portions) == 2 and not play.roll.is_doublet]
    return [Assumed(play) for play in found if any(_comes_down(play, die) for die in play.roll)]


def _with_loose(reading: TokenReading, spot: TokenInPosition) -> TokenReading:
    """A D after entering, with what else people mean by it (51D of #73)."""
    if reading.how is not ReadingKind.WAIVED or reading.nactation != _DOWN or reading.note:
        return reading
    ranked = rank(_from_afar(spot), None)
    if not ranked.plays or reading.play in ranked.plays:
        return reading
    note = "to the letter; others come down from the far outer board"
    others = ranked.plays[: _MOST_CANDIDATES - 1]
    return reading._replace(note=note, others=others, sure=Confidence.DOUBTFUL)


def _assumed(spot: TokenInPosition) -> Iterator[TokenReading]:
    names, plays = spot.token.names, spot.plays
    found = [one for name in names for one in assumed_plays(name.family, plays)]
    if not found:
        digits = [name for name in names if name.family.key.isdigit()]
        found = [one for name in digits for one in _landing(name, spot)[0]]
    if not found and (not names or len(plays) == 1):
        found = [Assumed(play) for play in plays]
    reading = TokenReading(_ASSUMPTION, None, ReadingKind.ASSUMED, names[0] if names else None)
    what = "a part of the play assumed" if names else "no character: what is most natural"
    yield from _each(reading, found, spot, what)


def _each(
    reading: TokenReading, found: Sequence[Assumed], spot: TokenInPosition, what: str
) -> Iterator[TokenReading]:
    """All candidates as readings, each costing a little more than the one before.

    The engine is asked only if there is a choice.
    """
    ranked = rank(found, spot.values() if len(found) > 1 else None)
    for at in range(min(len(found), _MOST_CANDIDATES)):
        yield _ranked(reading._replace(cost=reading.cost + at), ranked, at, what)


class Tier(NamedTuple):
    """A way to read tokens, and the least that its readings cost.

    `bends` says whether a token that can be read to the letter may mean something else so.
    """

    cost: int
    readings: Callable[[TokenInPosition], Iterator[TokenReading]]
    bends: bool = True


TIERS = (
    Tier(0, _strict),
    Tier(SLIGHT, _accepted),
    Tier(_LOST_MARK, _lost_marks),
    Tier(_LOOSE, _loose, bends=False),
    Tier(_LOST_ITALICS, _lost_italics),
    Tier(_ASSUMPTION, _assumed, bends=False),
)

_FAN = Nactation(family("^"))
_DOWN = Nactation(family("D"))
_RUN_MARKED, _UP_MARKED = family("R_"), family("U_")
