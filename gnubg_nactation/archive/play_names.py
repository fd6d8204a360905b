"""Whether a stored play has a Nactation that a pattern names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.notation import Hop, parse_hops, resolve
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Portion, Roll, pack
from gnubg_nactation.backgammon.position import BAR, OFF, Position, sound
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.alphabet import FAMILIES, Family, Right, family
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays, may_be_member
from gnubg_nactation.language.styles import HIT, HIT_AND_SPLIT, KILL
from gnubg_nactation.sequences.pattern import Step

_HITTING = {row.key for row in FAMILIES if row.style in {KILL, HIT, HIT_AND_SPLIT}}
_MAX_HOPS = 4


@lru_cache(maxsize=1 << 12)  # openings repeat
def is_named(step: Step, position: bytes, roll: int, text: str) -> bool:
    """Whether a step of a pattern names a play, given in traditional notation."""
    names, families = _names_of(step)
    if "*" not in text and all(row.key in _HITTING for row in families):
        return False  # without looking at the board
    try:
        if not _may_have_letter(families, roll, text):
            return False
        board, dice, hops = unpack_position(position), Roll(*divmod(roll, 10)), parse_hops(text)
        if not _may_be_member(board, dice, hops, families):
            return False  # without the other plays
        plays = Plays(board, dice)
        play = resolve(hops, board, dice, plays)
    except NactationError:  # no such play, so no such name
        return False
    return any(plays.place(play, family(key)) for key in step.families) or any(
        plays.place(play, name.family) == name.member for name in names
    )


@lru_cache(maxsize=1 << 8)
def _names_of(step: Step) -> tuple[tuple[Nactation, ...], tuple[Family, ...]]:
    """The Nactations of a step and all families that it names."""
    names = tuple(map(parse_nactation, step.names))
    return names, (*map(family, step.families), *(name.family for name in names))


@lru_cache(maxsize=1 << 14)  # the same plays are made on many boards
def _may_have_letter(families: tuple[Family, ...], roll: int, text: str) -> bool:
    """Whether a play may be in one of the families on any board; areas do not depend on it."""
    if not all(row.right is Right.AREAL and row.style is None for row in families):
        return True
    hops = parse_hops(text)
    counts = Counter(hop.source for hop in hops)
    board = sound(tuple([counts[point] for point in range(BAR + 1)]))
    return _may_be_member(board, Roll(*divmod(roll, 10)), hops, families)


def _may_be_member(
    board: Position, roll: Roll, hops: tuple[Hop, ...], families: tuple[Family, ...]
) -> bool:
    """Whether a play may be in one of the families; True if its portions are not clear."""
    checkers = pack((0, *(count for count in board.points[1:])))
    hits = 0
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
        hits |= (target != OFF and board.points[target] == -1) << target
    plays = [Play(board, roll, way, hits, checkers) for way in _ways(board, roll, hops)]
    return not plays or any(may_be_member(row, play) for play in plays for row in families)


def _ways(board: Position, roll: Roll, hops: tuple[Hop, ...]) -> Iterator[tuple[Portion, ...]]:
    """Yield the portions that these hops may consist of."""
    if roll.is_doublet:
        portions = [
            Portion(at, max(at - roll.high, OFF), roll.high, False)
            for source, target, _ in hops
            for at in range(source, target, -roll.high)
        ]
        if len(portions) <= _MAX_HOPS:
            yield tuple(portions)
        return
    for high, low in (roll, roll[::-1]):
        if len(hops) == 1:
            [(source, target, _)] = hops
            stop = source - high
            if _plays(source, target, high):
                yield (Portion(source, target, high, False),)
            if stop > OFF and board.points[stop] >= 0 and _plays(stop, target, low):
                yield Portion(source, stop, high, False), Portion(stop, target, low, False)
        elif len(hops) == 2:
            (source, target, _), (other, end, _) = hops
            if _plays(source, target, high) and _plays(other, end, low):
                yield Portion(source, target, high, False), Portion(other, end, low, False)


def _plays(source: int, target: int, die: int) -> bool:
    return max(source - die, OFF) == target
