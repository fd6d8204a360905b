"""Numerals: a checker goes to the point with this last digit (tutorial section 9).

The tutorial leaves them to common sense; the author later gave them a fixed reading. Entering and
forced portions are played first, and as many checkers as possible are borne off. If another play is
clearly more natural than the fixed reading, it goes before it (#40, #42, #44).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.language.conventions import fewer_blots, rank
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.styles import Die, checker_paths, without
from gnubg_nactation.values import NamedTuple


class Going(NamedTuple):
    """The plays that a numeral may mean with one of its points, by hit-more-6.

    The `natural` play, if any, goes before them; it may be one of them.
    """

    point: int
    natural: Play | None
    plays: list[Play]


def numeral_members(numeral: str, plays: Sequence[Play], forced: Sequence[Die]) -> list[Play]:
    """The plays of a roll that a numeral may mean, the most likely first."""
    if numeral in _OFF:
        return _borne_off(_OFF[numeral], plays)
    members: dict[tuple[Portion, ...], Play] = {}
    for going in numeral_points(numeral, plays, forced):
        for play in [going.natural, *going.plays] if going.natural else going.plays:
            members.setdefault(play.portions, play)
    return list(members.values())


def numeral_points(numeral: str, plays: Sequence[Play], forced: Sequence[Die]) -> list[Going]:
    """The points that a digit may mean in this position, the lowest first."""
    return [
        Going(point, None if at else _natural_first(point, rests, going), going)
        for at, (point, rests, going) in enumerate(_goings(numeral, plays, forced))
    ]


def is_named_first(play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]) -> bool:
    """Whether a play is the first of `numeral_members`, found faster."""
    first = _first_going(play, digit, plays, forced)
    if first is None:
        return False
    point, rests, going = first
    if play != going[0] and plausibility(play) <= _wanted(point, rests, going):
        return False
    return (_natural_first(point, rests, going) or going[0]) == play


def is_named_alike(play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]) -> bool:
    """Whether both the fixed and the natural reading of a digit name a play first.

    Only such digits are written, for readers who know the fixed reading.
    """
    first = _first_going(play, digit, plays, forced)
    if first is None:
        return False
    point, rests, going = first
    return going[0] == play and _natural_first(point, rests, going) in (None, play)


def _first_going(
    play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]
) -> tuple[int, list[_Rest], list[Play]] | None:
    """The first of `_goings` if the play lands there; else None."""
    for point, landing in _landings(digit, plays):
        if play not in landing:
            if any(point in _rest(other, forced).ends for other in landing):
                return None
            continue
        rests = [_rest(other, forced) for other in landing]
        going = _going_to(point, rests)
        if going:
            return point, rests, going
    return None


def numeral_landings(
    numeral: str, plays: Sequence[Play], forced: Sequence[Die]
) -> tuple[list[Play], bool]:
    """The plays that go to the first point of a digit by the fixed reading; empty for `=` and `+`.

    Also whether that reading is open: a part of the roll is left, or the rule of thumb puts another
    play before it.
    """
    for point, rests, going in () if numeral in _OFF else _goings(numeral, plays, forced):
        natural = _natural_first(point, rests, going)
        settled = _settled(point, rests) and (natural is None or natural == going[0])
        landing = [rest.play for rest in _landing(point, rests)]
        return [*dict.fromkeys([*going, *landing])], not settled
    return [], False


# How many checkers `=` and `+` bear off.
_OFF = {"=": (2,), "+": (4, 3)}


def _borne_off(counts: tuple[int, ...], plays: Sequence[Play]) -> list[Play]:
    """The play that only bears off this many checkers, from the highest points; empty if none."""
    return [play for play in plays if _off(play) == len(play.portions) in counts]


class _Rest(NamedTuple):
    """A play with the portions that neither enter nor are forced, and the ends of their paths."""

    play: Play
    portions: list[Portion]
    ends: list[int]


def _rest(play: Play, forced: Sequence[Die]) -> _Rest:
    portions = [portion for portion in without(play.portions, forced) if portion.source != BAR]
    return _Rest(play, portions, [way[-1].target for way in checker_paths(portions)])


def _goings(
    digit: str, plays: Sequence[Play], forced: Sequence[Die]
) -> Iterator[tuple[int, list[_Rest], list[Play]]]:
    """The points that a digit may mean, the plays that land there, and those that go there."""
    for point, landing in _landings(digit, plays):
        rests = [_rest(play, forced) for play in landing]
        going = _going_to(point, rests)
        if going:
            yield point, rests, going


def _landings(digit: str, plays: Sequence[Play]) -> Iterator[tuple[int, list[Play]]]:
    """The points with a last digit, and the plays with a portion that lands there."""
    plays = _bearing_off_first(plays)
    for point in range(int(digit), BAR, 10):
        yield point, [play for play in plays if point in map(_target, play.portions)]


def _going_to(point: int, rests: Sequence[_Rest]) -> list[Play]:
    """The plays to a point: one checker with the whole roll, else several, else one with a part."""
    dedicated = [_dedicated(point, count, rests) for count in (1, 2, 3, 4)]
    partly = [rest.play for rest in rests if point in rest.ends]
    return rank(next(filter(None, dedicated), partly))


def _dedicated(point: int, checkers: int, rests: Sequence[_Rest]) -> list[Play]:
    return [rest.play for rest in rests if rest.ends == [point] * checkers]


def _natural_first(point: int, rests: Sequence[_Rest], going: Sequence[Play]) -> Play | None:
    """The most natural play to the point, if the fixed reading is clearly not meant."""
    natural = max((rest.play for rest in _landing(point, rests)), key=plausibility)
    return natural if plausibility(natural) > _wanted(point, rests, going) else None


def _wanted(point: int, rests: Sequence[_Rest], going: Sequence[Play]) -> int:
    """The plausibility that a play must exceed to go before the fixed reading."""
    return plausibility(going[0]) + (_CLEARLY if _settled(point, rests) else 0)


def _landing(point: int, rests: Sequence[_Rest]) -> list[_Rest]:
    """The plays with a checker that stops at the point, or of a doublet, that lands there."""
    return [
        rest
        for rest in rests
        if point in (map(_target, rest.portions) if rest.play.roll.is_doublet else rest.ends)
    ]


def _settled(point: int, rests: Sequence[_Rest]) -> bool:
    """Whether the fixed reading names whole plays: one checker's or several to the same point."""
    return any(_dedicated(point, count, rests) for count in (1, 2, 3, 4))


_target = attrgetter("target")
_CLEARLY = 25  # units of plausibility, pinned by plays in tests/language/test_numerals.py


def _bearing_off_first(plays: Sequence[Play]) -> Sequence[Play]:
    """Only the plays that bear off the most checkers, and of these with contact the safest."""
    if not plays:
        return plays
    most = max(map(_off, plays))
    if not most:
        return plays
    plays = [play for play in plays if _off(play) == most]
    before = plays[0].before.points
    last = max(point for point, count in enumerate(before) if count > 0)
    if any(count < 0 for count in before[:last]):
        safest = max(map(fewer_blots, plays))
        plays = [play for play in plays if fewer_blots(play) == safest]
    return plays


def _off(play: Play) -> int:
    return sum(portion.target == OFF for portion in play.portions)
