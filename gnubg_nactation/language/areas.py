"""Areas of the board, and the areal family of a play (tutorial sections 5, 12, 15, 16)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from operator import attrgetter

from gnubg_nactation.backgammon.plays import Play, Portion, Roll
from gnubg_nactation.backgammon.position import BAR, FAR, OUTER
from gnubg_nactation.language.alphabet import FAMILIES, Family, family

AREAS = ("run", "down", "jump", "inside")

_FAR_BAR_POINT = 18

# The four areas, two of them halved for some families: a run that stays on the 18pt or higher, and
# a down that starts in the near outer board.
_RUN_UP, _RUN, _DOWN, _DOWN_NEAR, _JUMP, _INSIDE = range(6)
_AREA = {_RUN_UP: 0, _RUN: 0, _DOWN: 1, _DOWN_NEAR: 1, _JUMP: 2, _INSIDE: 3}


def _part(source: int, target: int) -> int:
    if target >= _FAR_BAR_POINT:
        return _RUN_UP
    if target >= FAR:
        return _RUN
    if target >= OUTER:
        return _DOWN if source >= FAR else _DOWN_NEAR
    return _JUMP if source >= OUTER else _INSIDE


# One integer counts all parts, an octal digit for each.
_WEIGHT = tuple(
    tuple(8 ** _part(source, target) for target in range(BAR + 1)) for source in range(BAR + 1)
)


def area(portion: Portion) -> str:
    """The area of a portion: one of AREAS."""
    return AREAS[_AREA[_part(portion.source, portion.target)]]


def area_counts(play: Play) -> tuple[int, int, int, int]:
    """How many portions of the play are runs, downs, jumps and insides."""
    counts = [0, 0, 0, 0]
    for portion in play.portions:
        counts[_AREA[_part(portion.source, portion.target)]] += 1
    return counts[0], counts[1], counts[2], counts[3]


def _families_by_parts(*, doublet: bool) -> dict[int, Family]:
    by_code: dict[str, Family] = {}
    for areal in FAMILIES:
        for code in areal.doublet if doublet else areal.dice:
            by_code[code] = areal  # R follows U, and B follows S and Z
    table: dict[int, Family] = {}
    for count in range(1, 5 if doublet else 3):
        for parts in combinations_with_replacement(range(6), count):
            counts = [0, 0, 0, 0]
            for part in parts:
                counts[_AREA[part]] += 1
            code = "".join(map(str, counts))
            if code not in by_code:
                continue
            areal = by_code[code]
            if areal.character == "R" and _RUN not in parts:
                areal = family("U_" if areal.key == "R_" else "U")
            if areal.key == "B" and not doublet and _DOWN in parts:
                areal = family("S")  # or Z: the dice decide
            table[sum(8**part for part in parts)] = areal
    return table


_DOUBLETS = _families_by_parts(doublet=True)
_DICE = _families_by_parts(doublet=False)
_CODES = {
    doublet: {
        areal: {code for code, family in table.items() if family is areal}
        for areal in set(table.values())
    }
    for doublet, table in ((True, _DOUBLETS), (False, _DICE))
}
_SPLIT, _ZPLIT = family("S"), family("Z")


def areal_family(play: Play) -> Family:
    """The areal family of a play of at least one portion: every play has exactly one."""
    return family_of_portions(play.portions, play.roll)


def family_of_portions(portions: Sequence[Portion], roll: Roll) -> Family:
    """The areal family of these portions, a play or a part of it."""
    areal = (_DOUBLETS if roll.is_doublet else _DICE)[_code(portions)]
    return _ZPLIT if areal is _SPLIT and _runs_with_low(portions, roll) else areal


def families(plays: Sequence[Play]) -> set[Family]:
    """The areal families of the plays of a roll."""
    if not plays:
        return set()
    is_doublet = plays[0].roll.is_doublet
    table = _DOUBLETS if is_doublet else _DICE
    areal = {table[code] for code in {_code(play.portions) for play in plays}}
    if _SPLIT in areal and not is_doublet:
        areal.remove(_SPLIT)
        areal.update(split for split in (_SPLIT, _ZPLIT) if members(split, plays))
    return areal


def members(family: Family, plays: Sequence[Play]) -> list[Play]:
    """The plays of a roll that belong to an areal family."""
    if not plays:
        return []
    roll, weight = plays[0].roll, _WEIGHT
    split = family in {_SPLIT, _ZPLIT} and not roll.is_doublet
    codes = _CODES[roll.is_doublet].get(_SPLIT if split else family, ())
    if len(plays[0].portions) == 2:  # and so have all plays
        matches = [
            play
            for play in plays
            for (source, target, _, _), (source_2, target_2, _, _) in (play.portions,)
            if weight[source][target] + weight[source_2][target_2] in codes
        ]
    else:
        matches = [play for play in plays if _code(play.portions) in codes]
    if split:
        low = family is _ZPLIT
        matches = [play for play in matches if _runs_with_low(play.portions, roll) is low]
    return matches


def _code(portions: Sequence[Portion]) -> int:
    code = 0
    for source, target, _, _ in portions:
        code += _WEIGHT[source][target]
    return code


def _runs_with_low(portions: Sequence[Portion], roll: Roll) -> bool:
    """Whether the smaller die runs, which makes it Z instead of S; never for doublets."""
    return roll.low < roll.high and max(portions, key=_target).die == roll.low


_target = attrgetter("target")
