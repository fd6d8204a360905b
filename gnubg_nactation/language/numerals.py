"""Numerals: a checker goes to the point with this last digit (tutorial section 9).

The tutorial leaves them to common sense; the author later gave them a fixed reading. Entering and
forced portions are played first, and as many checkers as possible are borne off. A play that is
clearly more natural than the fixed reading ranks before it (#40, #42, #44).
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

    The `natural` play, if any, ranks before them; it may be one of them.
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
        Going(point, None if at else _natural_first(point, remainders, going), going)
        for at, (point, remainders, going) in enumerate(_goings(numeral, plays, forced))
    ]


def is_named_first(play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]) -> bool:
    """Whether a play is the first of `numeral_members`; faster than ranking them."""
    first = _first_going(play, digit, plays, forced)
    if first is None:
        return False
    point, remainders, going = first
    if play != going[0] and plausibility(play) <= _threshold(point, remainders, going):
        return False
    return (_natural_first(point, remainders, going) or going[0]) == play


def is_named_alike(play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]) -> bool:
    """Whether both the fixed and the natural reading of a digit name a play first.

    Only such digits are written, for readers who know the fixed reading.
    """
    first = _first_going(play, digit, plays, forced)
    if first is None:
        return False
    point, remainders, going = first
    return going[0] == play and _natural_first(point, remainders, going) in (None, play)


def _first_going(
    play: Play, digit: str, plays: Sequence[Play], forced: Sequence[Die]
) -> tuple[int, list[_Remainder], list[Play]] | None:
    """The first of `_goings` if the play lands there; else None."""
    for point, landing in _landings(digit, plays):
        if play not in landing:
            if any(point in _remainder(neighbour, forced).ends for neighbour in landing):
                return None
            continue
        remainders = [_remainder(neighbour, forced) for neighbour in landing]
        going = _going_to(point, remainders)
        if going:
            return point, remainders, going
    return None


def numeral_landings(
    numeral: str, plays: Sequence[Play], forced: Sequence[Die]
) -> tuple[list[Play], bool]:
    """The plays to the first point of a digit by the fixed reading; empty for `=` and `+`.

    The second value is whether that reading is open: a part of the roll is not decided, or another
    play is more natural.
    """
    for point, remainders, going in () if numeral in _OFF else _goings(numeral, plays, forced):
        natural = _natural_first(point, remainders, going)
        settled = _settled(point, remainders) and (natural is None or natural == going[0])
        landing = [remainder.play for remainder in _landing(point, remainders)]
        return [*dict.fromkeys([*going, *landing])], not settled
    return [], False


# How many checkers `=` and `+` bear off.
_OFF = {"=": (2,), "+": (4, 3)}


def _borne_off(counts: tuple[int, ...], plays: Sequence[Play]) -> list[Play]:
    """The play that only bears off this many checkers, from the highest points; empty if none."""
    return [play for play in plays if _off(play) == len(play.portions) in counts]


class _Remainder(NamedTuple):
    """A play with the portions that neither enter nor are forced, and the ends of their paths."""

    play: Play
    portions: list[Portion]
    ends: list[int]


def _remainder(play: Play, forced: Sequence[Die]) -> _Remainder:
    portions = [portion for portion in without(play.portions, forced) if portion.source != BAR]
    return _Remainder(play, portions, [way[-1].target for way in checker_paths(portions)])


def _goings(
    digit: str, plays: Sequence[Play], forced: Sequence[Die]
) -> Iterator[tuple[int, list[_Remainder], list[Play]]]:
    """The points that a digit may mean, the plays that land there, and those that go there."""
    for point, landing in _landings(digit, plays):
        remainders = [_remainder(play, forced) for play in landing]
        going = _going_to(point, remainders)
        if going:
            yield point, remainders, going


def _landings(digit: str, plays: Sequence[Play]) -> Iterator[tuple[int, list[Play]]]:
    """The points with a last digit, and the plays with a portion that lands there."""
    plays = _bearing_off_first(plays)
    for point in range(int(digit), BAR, 10):
        yield point, [play for play in plays if point in map(_target, play.portions)]


def _going_to(point: int, remainders: Sequence[_Remainder]) -> list[Play]:
    """The plays to a point: one checker with the whole roll, else several, else one with a part."""
    dedicated = [_dedicated(point, count, remainders) for count in (1, 2, 3, 4)]
    partly = [remainder.play for remainder in remainders if point in remainder.ends]
    return rank(next(filter(None, dedicated), partly))


def _dedicated(point: int, checkers: int, remainders: Sequence[_Remainder]) -> list[Play]:
    return [remainder.play for remainder in remainders if remainder.ends == [point] * checkers]


def _natural_first(
    point: int, remainders: Sequence[_Remainder], going: Sequence[Play]
) -> Play | None:
    """The most natural play to the point, if the fixed reading is clearly not meant."""
    natural = max((remainder.play for remainder in _landing(point, remainders)), key=plausibility)
    return natural if plausibility(natural) > _threshold(point, remainders, going) else None


def _threshold(point: int, remainders: Sequence[_Remainder], going: Sequence[Play]) -> int:
    """The plausibility that a play must exceed to go before the fixed reading."""
    return plausibility(going[0]) + (_CLEARLY if _settled(point, remainders) else 0)


def _landing(point: int, remainders: Sequence[_Remainder]) -> list[_Remainder]:
    """The plays with a checker that stops at the point, or of a doublet, that lands there."""
    return [
        remainder
        for remainder in remainders
        if point
        in (map(_target, remainder.portions) if remainder.play.roll.is_doublet else remainder.ends)
    ]


def _settled(point: int, remainders: Sequence[_Remainder]) -> bool:
    """Whether the fixed reading names whole plays: one checker's or several to the same point."""
    return any(_dedicated(point, count, remainders) for count in (1, 2, 3, 4))


_target = attrgetter("target")
_CLEARLY = 25  # units of plausibility, pinned by plays in tests/language/test_numerals.py


def _bearing_off_first(plays: Sequence[Play]) -> Sequence[Play]:
    """Only the plays that bear off the most checkers, and of these with contact the safest."""
    if not plays:
        return plays
    most_off = max(map(_off, plays))
    if not most_off:
        return plays
    plays = [play for play in plays if _off(play) == most_off]
    start = plays[0].before.points
    last = max(point for point, count in enumerate(start) if count > 0)
    if any(count < 0 for count in start[:last]):
        safest = max(map(fewer_blots, plays))
        plays = [play for play in plays if fewer_blots(play) == safest]
    return plays


def _off(play: Play) -> int:
    return sum(portion.target == OFF for portion in play.portions)
