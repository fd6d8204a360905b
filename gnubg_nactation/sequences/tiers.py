"""The possible readings of a token in its position, in tiers: strict ones, then doubtful ones.

The doubtful ones: a lost underline or dot, a looser letter after entering, lost italics, and
assumption, which goes by the equities of an engine, or else by a rule of thumb.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from gnubg_nactation.backgammon.notation import Hop, false_star, format_hops, format_play
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
    NO_ENGINE,
    Assumed,
    Confidence,
    EngineQuestions,
    Equities,
    Ranked,
    assumed_plays,
    judged_by,
    rank,
)
from gnubg_nactation.sequences.tokens import Token, TokenKind, other_play, plays_of
from gnubg_nactation.values import NamedTuple, replace

# Costs of readings: of all ways to read a sequence, the cheapest is taken.
SLIGHT = 1  # up to this cost, no character is doubted
_LOST_MARK, _LOOSE, _LOST_ITALICS, _ASSUMPTION = 2, 3, 4, 6
_MAX_CANDIDATES = 6  # of an assumption


class ReadingKind(Enum):
    """How a token is read; the last three are also values of Right."""

    STRICT = "strict"
    FORCED = "forced"  # the only play of a roll, or none
    FAN = "fan"
    LONGHAND = "longhand"  # in traditional notation
    ENTER = "enter"
    ASSUMED = "assumed"
    TO_PLAY = "to be played"
    NUMERAL = "numeral"
    CONVENIENCE = "convenience"
    WAIVED = "waived"


class TokenReading(NamedTuple):
    """One way to read a token.

    `cost` is 0 if the reading is strict. `play` is None for other actions and for a roll still to
    be played, `nactation` for a token without a character. `note` gives the reason for doubt,
    `others` the plays that the token may also mean, best first, and `sure` the confidence. `gap` is
    the play's lead over the best other candidate in points; None without an engine.
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
    """A token in its position: what every tier of readings needs."""

    token: Token
    state: GameState
    last: bool
    plays: Plays
    judge: EngineQuestions

    def values(self) -> Equities | None:
        """The engine's equities of the plays; None without an engine."""
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
        case TokenKind.PLAY if token.longhand:
            yield from _from_longhand(spot)
        case TokenKind.PLAY if not (token.natural or token.die):
            for name in token.names:
                for strict in _named(name, spot):
                    readings = _weighed(strict, spot) if spot.judge.weighs else (strict,)
                    yield from (_without_dot(_with_loose(it, spot), spot) for it in readings)
        case kind if kind in CUBE_KINDS and _is_legal(kind, state):
            yield TokenReading(0, None, ReadingKind.STRICT)


CUBE_KINDS = (
    *(TokenKind.OFFER, TokenKind.DOUBLE, TokenKind.REDOUBLE),
    *(TokenKind.BEAVER, TokenKind.TAKE, TokenKind.PASS),
)


def _is_legal(kind: TokenKind, state: GameState) -> bool:
    """Whether an action with the cube is legal."""
    if kind in {TokenKind.BEAVER, TokenKind.TAKE, TokenKind.PASS}:
        return state.doubled and (kind is not TokenKind.BEAVER or not state.length)
    if state.doubled or state.crawford:
        return False
    may_double = kind is not TokenKind.REDOUBLE and state.owner is None
    return may_double or (kind is not TokenKind.DOUBLE and state.owner is state.player)


def _without_dot(reading: TokenReading, spot: TokenInPosition) -> TokenReading:
    """The reading; only likely if it takes the dot of its letter for a full stop (`11O.`)."""
    name, dotted = reading.nactation, spot.token.names[0]
    if name is None or dotted.mark is not Diacritic.DOT or name.mark is not Diacritic.NONE:
        return reading
    is_none = not spot.plays.reading(dotted.family).members
    note = f"no play is an {dotted}: the dot is read as a full stop" if is_none else ""
    note = note or "the dot is read as a full stop"
    return reading._replace(note=note, sure=min(reading.sure, Confidence.LIKELY))


def fans(position: Position) -> list[Roll]:
    """The doublets that no checker enters with, the lowest last; empty if the bar is empty."""
    doublets = [roll for roll in ROLLS if roll.is_doublet and position.bar]
    return [roll for roll in doublets if not legal_plays(position, roll)]


def _entering(spot: TokenInPosition) -> Iterator[TokenReading]:
    """One checker enters with a die; the token omits the other die, which cannot be played."""
    position, die = spot.state.position, spot.token.die
    for second_die in range(1, 7):
        for play in legal_plays(position, Roll(die, second_die)):
            portion = play.portions[0]
            if len(play.portions) == 1 and (portion.source, portion.die) == (BAR, die):
                yield TokenReading(0, play, ReadingKind.ENTER)
                return


def _bearing_off(spot: TokenInPosition) -> Iterator[TokenReading]:
    """`=` or `+` bears checkers off from the highest points, with any roll that allows it."""
    for name in spot.token.names:
        for roll in ROLLS:
            members = Plays(spot.state.position, roll).reading(name.family).members
            if members:
                yield TokenReading(0, members[0], ReadingKind.NUMERAL, name)
                return


def _named(name: Nactation, spot: TokenInPosition) -> Iterator[TokenReading]:
    """The strict reading of a name; a digit may leave the rest open (section 9)."""
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
            # The fixed reading counts, unless an engine weighs it.
            at = 0 if ranked.values and spot.judge.weighs else ranked.plays.index(play)
            reading = _ranked(reading, ranked, at, "the rest assumed")
    yield reading


def _landing(name: Nactation, spot: TokenInPosition) -> tuple[list[Assumed], bool]:
    """The plays that a digit may name, and whether it leaves the rest open."""
    plays, is_open = numeral_landings(name.family.key, spot.plays, spot.plays.forced)
    return [Assumed(play) for play in plays], is_open


def _ranked(reading: TokenReading, ranked: Ranked, at: int, assumption: str) -> TokenReading:
    """The reading with one of the candidates, why it was chosen, and the other candidates."""
    play = ranked.plays[at]
    reason, sure, gap = ranked.judge(play)
    others, note = _others(ranked, play), f"{assumption}, {reason}"
    return reading._replace(play=play, note=note, others=others, sure=sure, gap=gap)


def _others(ranked: Ranked, play: Play) -> tuple[Play, ...]:
    return tuple([other for other in ranked.plays if other != play][: _MAX_CANDIDATES - 1])


def _weighed(reading: TokenReading, spot: TokenInPosition) -> tuple[TokenReading, ...]:
    """A strict reading; if it is far worse than the natural one, that comes first.

    The worse the strict play is, the safer it is to assume another (section 8, #38 and #39). The
    plays assumed there are good ones and doublets, where the letters
    of most plays are advanced knowledge. Of other rolls, only digits and letters after entering are
    used loosely; other strict readings remain, with a note, and so do names that are not simple.
    """
    name, play = reading.nactation, reading.play
    is_sure = reading.sure is Confidence.SURE
    is_weighed = name and name.is_simple and is_sure and len(spot.plays) > 1
    values = spot.values() if is_weighed else None
    if values is None or name is None or play is None:
        return (reading,)
    # The plays that a reader without the rules would think of first.
    if name.family.right is Right.NUMERAL:
        candidates = _landing(name, spot)[0]
    else:
        candidates = [it for it in assumed_plays(name.family, spot.plays) if it.order == 0]
    ranked = rank(candidates, values)
    best = ranked.plays[0] if candidates else play
    gap = values[best] - values[play]
    if gap < FAR_WORSE or max(values.values()) - values[best] > BAD:
        return (reading,)
    others = _others(ranked, best)
    note = f"strict, but {gap:.3f} worse than {format_play(best)}{judged_by(values)}"
    strict = reading._replace(note=note, others=others, sure=Confidence.LIKELY, gap=-gap)
    if not (play.roll.is_doublet or reading.how in _LOOSELY_USED):
        return (strict,)
    rivals = Ranked((*dict.fromkeys((best, play, *others)),), len(others) + 1, values)
    natural = _ranked(reading, rivals, 0, "a part of the play assumed")
    note = f"{natural.note}; strictly {format_play(play)}, {gap:.3f} worse"
    return natural._replace(how=ReadingKind.ASSUMED, note=note), strict._replace(cost=SLIGHT)


_LOOSELY_USED = {ReadingKind.WAIVED, ReadingKind.NUMERAL}
_STRICT = {Right.AREAL, Right.STYLE, Right.SYMBOL}


def _accepted(spot: TokenInPosition) -> Iterator[TokenReading]:
    """Later usage: bold or colour for emphasis (section 14), R_ for U_, and a dot or die."""
    if spot.token.names and (spot.token.natural or spot.token.die):
        yield from _pointed_out(spot)
        return
    for name in spot.token.names:
        step = len(name.family.glyphs)
        plain = Nactation(name.family, (name.member - 1) % (2 * step) + 1)
        emphasis = [(plain, "bold or colour as emphasis")] * (plain != name)
        for accepted, note in (*emphasis, *_upwards(name, spot)):
            for reading in _named(accepted, spot):
                yield reading._replace(cost=SLIGHT, note=note, sure=Confidence.LIKELY)


def _upwards(name: Nactation, spot: TokenInPosition) -> list[tuple[Nactation, str]]:
    """U_ for an R_ if no play is an R_: both were in use."""
    if name.family is not _RUN_MARKED or spot.plays.reading(name.family).members:
        return []
    return [(Nactation(_UP_MARKED, name.member), f"no play is an R_: {name} read as U_")]


def _pointed_out(spot: TokenInPosition) -> Iterator[TokenReading]:
    """The plays that come down with the token's die, or the natural ones of its letter (`43D.`).

    A doublet may mean others by assumption, too. Without an engine, the first in rank counts as
    natural, because capitals name the better play more often than not.
    """
    token, plays = spot.token, spot.plays
    if token.die:
        candidates = [Assumed(play) for play in plays if _comes_down(play, token.die)]
    else:
        members = [play for name in token.names for play in plays.reading(name.family).members]
        candidates = [it for name in token.names for it in assumed_plays(name.family, plays)]
        if members and not plays.is_doublet:
            lowest = 0 if len(members) > 1 and spot.values() else 1
            candidates = [Assumed(play, min(at, lowest)) for at, play in enumerate(members)]
    assumption = f"the {token.die} down" if token.die else "a dot for the natural play"
    reading = TokenReading(SLIGHT, None, ReadingKind.ASSUMED, token.names[0])
    yield from _each(reading, candidates, spot, assumption)


def _comes_down(play: Play, die: int) -> bool:
    """Whether a checker comes down from the far outer board with this die."""
    return any(p.die == die and p.target <= 12 < p.source < BAR for p in play.portions)


def _lost_marks(spot: TokenInPosition) -> Iterator[TokenReading]:
    for name in spot.token.names if spot.plays.is_doublet else ():
        for marked in FAMILIES if name.mark is Diacritic.NONE else ():
            if marked.character == name.character and marked.mark is not Diacritic.NONE:
                original = Nactation(marked, name.member)
                yield from _as_if(original, spot, _LOST_MARK)
                for upwards, _ in _upwards(original, spot):
                    yield from _as_if(upwards, spot, _LOST_MARK)


def _lost_italics(spot: TokenInPosition) -> Iterator[TokenReading]:
    for name in spot.token.names:
        for level in range(3):
            original = name._replace(member=name.member + (level + 1) * len(name.family.glyphs))
            yield from _as_if(original, spot, _LOST_ITALICS + level)


def _as_if(name: Nactation, spot: TokenInPosition, cost: int) -> Iterator[TokenReading]:
    """The readings of a token as if it had another name, unless it has a dot or die."""
    for reading in () if spot.token.natural or spot.token.die else _named(name, spot):
        note = f"read as {name}"
        yield reading._replace(
            cost=cost, how=ReadingKind.ASSUMED, note=note, sure=Confidence.DOUBTFUL
        )


def _loose(spot: TokenInPosition) -> Iterator[TokenReading]:
    """The author's loose D: enter, and come down from the far outer board with the other die."""
    reading = TokenReading(_LOOSE, None, ReadingKind.WAIVED, _DOWN)
    yield from _each(reading, _loose_downs(spot), spot, "down from the far outer board")


def _loose_downs(spot: TokenInPosition) -> list[Assumed]:
    plays = spot.plays if _DOWN in spot.token.names and spot.state.position.bar else ()
    return [
        Assumed(play)
        for play in plays
        if len(play.portions) == 2
        and not play.roll.is_doublet
        and any(_comes_down(play, die) for die in play.roll)
    ]


def _with_loose(reading: TokenReading, spot: TokenInPosition) -> TokenReading:
    """The reading; for a strict D after entering, with the loose D's plays (51D of #73)."""
    if reading.how is not ReadingKind.WAIVED or reading.nactation != _DOWN or reading.note:
        return reading
    ranked = rank(_loose_downs(spot), None)
    if not ranked.plays or reading.play in ranked.plays:
        return reading
    note = "to the letter; others come down from the far outer board"
    others = ranked.plays[: _MAX_CANDIDATES - 1]
    return reading._replace(note=note, others=others, sure=Confidence.DOUBTFUL)


def _from_longhand(spot: TokenInPosition) -> Iterator[TokenReading]:
    """A token without a letter, with the name that its play would get."""
    plays = _written(spot.token.longhand, spot)
    if len(plays) != 1:
        return
    (play,) = plays
    name = spot.plays.name(play).naming.nactation
    reading = TokenReading(0, play, ReadingKind.LONGHAND, name)
    if wrong := false_star(spot.token.longhand, play):
        note = f"nothing is hit on the {wrong.target}pt"
        reading = reading._replace(note=note, sure=Confidence.LIKELY)
    yield reading


def _written(hops: Sequence[Hop], spot: TokenInPosition) -> tuple[Play, ...]:
    return plays_of(hops, spot.plays, spot.token.roll) if hops and spot.token.roll else ()


def _compared(reading: TokenReading, spot: TokenInPosition) -> TokenReading:
    """The reading; doubtful if a comment of its token gives another play."""
    play, plays = reading.play, spot.plays
    if play and not spot.token.roll:
        plays = Plays(spot.state.position, play.roll)
    hops, meant = other_play(spot.token.glosses, play, plays)
    if not hops:
        return reading
    illegal = ", not legal" if spot.token.kind not in CUBE_KINDS else ""
    ways = " or ".join(map(format_play, meant)) or format_hops(hops) + illegal
    note = f"the longhand is {ways}"
    return reading._replace(note=note, others=meant, sure=Confidence.DOUBTFUL)


def _assumed(spot: TokenInPosition) -> Iterator[TokenReading]:
    token, names, plays = spot.token, spot.token.names, spot.plays
    written = _written(token.longhand or next(iter(token.glosses), ()), spot)
    if written or token.longhand:
        name = names[0] if names else None
        reading = TokenReading(_ASSUMPTION, None, ReadingKind.ASSUMED, name)
        yield from _each(reading, list(map(Assumed, written)), spot, "the longhand counts")
        return
    candidates = [it for name in names for it in assumed_plays(name.family, plays)]
    if not candidates:
        digits = [name for name in names if name.family.key.isdigit()]
        candidates = [it for name in digits for it in _landing(name, spot)[0]]
    is_open = not names or (len(plays) == 1 and names[0].family.key not in _WHOLE)
    if not candidates and is_open:
        candidates = [Assumed(play) for play in plays]
    reading = TokenReading(_ASSUMPTION, None, ReadingKind.ASSUMED, names[0] if names else None)
    assumption = "a part of the play assumed" if names else "no character, so the most natural play"
    yield from _each(reading, candidates, spot, assumption)


def _each(
    reading: TokenReading, candidates: Sequence[Assumed], spot: TokenInPosition, assumption: str
) -> Iterator[TokenReading]:
    """All candidates as readings, each a little dearer than the one before.

    Asks the engine only if there is a choice.
    """
    ranked = rank(candidates, spot.values() if len(candidates) > 1 else None)
    for at in range(min(len(candidates), _MAX_CANDIDATES)):
        yield _ranked(reading._replace(cost=reading.cost + at), ranked, at, assumption)


def readings_of(tier: Tier, spot: TokenInPosition) -> Sequence[TokenReading]:
    """The readings of a token in a tier."""
    if spot.judge is NO_ENGINE and type(spot.plays) is Plays:  # not in a dialect
        return _without_engine(tier, spot._replace(token=spot.token._replace(at=0)))
    return _readings(tier, spot)


def _readings(tier: Tier, spot: TokenInPosition) -> tuple[TokenReading, ...]:
    readings = tuple(tier.readings(spot))
    if not spot.token.glosses:
        return readings
    return tuple([_compared(reading, spot) for reading in readings])


# While a sequence is typed, each key asks about the same tokens in the same positions.
_without_engine = lru_cache(maxsize=1 << 13)(_readings)


class Tier(NamedTuple):
    """A way to read tokens, and the lowest cost of its readings.

    `bends` tells whether it may give a token another meaning than its strict one.
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

_WHOLE = "^<>=+"  # these symbols tell how many checkers enter or are borne off, and no part
_FAN = Nactation(family("^"))
_DOWN = Nactation(family("D"))
_RUN_MARKED, _UP_MARKED = family("R_"), family("U_")
