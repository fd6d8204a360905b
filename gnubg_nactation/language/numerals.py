"""Numerals: a checker goes to the point with this last digit (tutorial section 9).

The tutorial leaves them to common sense; the author later gave them a fixed reading. Entering and
forced portions are played first, and as many checkers are borne off as can be. Where the fixed
reading is clearly not what anybody would play, the most natural play goes before it (#40, #42,
#44).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.language.conventions import fewer_blots, rank
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.styles import Die, ways, without

__all__ = ["numeral_members"]


def numeral_members(numeral: str, plays: Sequence[Play], forced: Sequence[Die]) -> list[Play]:
    """The plays of a roll that a numeral may mean, the most likely first."""
    if numeral in _OFF:
        return _borne_off(_OFF[numeral], plays)
    plays = _bearing_off_first(plays)
    rests = [(_to_account_for(play, forced), play) for play in plays]
    found: list[Play] = []
    for point in range(int(numeral), BAR, 10):
        going = _going_to(point, rests)
        if not found and going:
            going = _natural_first(point, rests, going)
        found += [play for play in going if play not in found]
    return found


# How many checkers `=` and `+` bear off.
_OFF = {"=": (2,), "+": (4, 3)}


def _borne_off(counts: tuple[int, ...], plays: Sequence[Play]) -> list[Play]:
    """The plays that bear off this many checkers and nothing else, from the highest points."""
    off = [play for play in plays if _off(play) == len(play.portions) in counts]
    return sorted(off, key=lambda play: [p.source for p in play.portions], reverse=True)


_Rests = Sequence[tuple[list[Portion], Play]]


def _going_to(point: int, rests: _Rests) -> list[Play]:
    """The plays that send checkers to one point: one with everything, several, one with part."""
    dedicated = [_dedicated(point, count, rests) for count in (1, 2, 3, 4)]
    partly = [play for rest, play in rests if point in _ends(rest)]
    return rank(next(filter(None, dedicated), partly))


def _dedicated(point: int, checkers: int, rests: _Rests) -> list[Play]:
    return [play for rest, play in rests if _ends(rest) == [point] * checkers]


def _ends(rest: list[Portion]) -> list[int]:
    return [way[-1].target for way in ways(rest)]


def _natural_first(point: int, rests: _Rests, going: list[Play]) -> list[Play]:
    """Put the most natural play to the point first if the fixed reading is clearly not meant."""
    doublet = going[0].roll.is_doublet
    landing = [
        play for rest, play in rests if point in (map(_target, rest) if doublet else _ends(rest))
    ]
    natural = max(landing, key=plausibility)
    wanted = plausibility(going[0])
    if any(_dedicated(point, count, rests) for count in (1, 2, 3, 4)):
        wanted += _CLEARLY
    if plausibility(natural) <= wanted:
        return going
    return [natural, *(play for play in going if play != natural)]


_target = attrgetter("target")
_CLEARLY = 25


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


def _to_account_for(play: Play, forced: Sequence[Die]) -> list[Portion]:
    """The portions that neither enter nor are forced."""
    return [portion for portion in without(play.portions, forced) if portion.source != BAR]
