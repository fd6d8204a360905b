"""Explain the Nactations of a play: definitions, families in rank order, and their decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.notation import format_hops
from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import OFF
from gnubg_nactation.language import conventions
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.areas import area, area_counts, areal_family, family_of_portions
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.numerals import numeral_points
from gnubg_nactation.language.plays import Plays, Reading
from gnubg_nactation.language.ranking_reasons import (
    LOOP,
    Explained,
    Explanation,
    Member,
    Overruled,
    Ranking,
    decide,
)
from gnubg_nactation.language.styles import orders

_FIRST = 3  # members of a large family that are always listed
_AROUND = 2  # and how many on each side of the play
_SMALL = 9


def explain(play: Play, plays: Plays, *, everything: bool = False) -> Explanation:
    """Explain all Nactations of a play among those of its roll, the preferred one first.

    Large families list only their first members and those around the play, unless `everything`.
    """
    choice = plays.name(play)
    return Explanation(
        play,
        tuple((portion, area(portion)) for portion in play.portions),
        area_counts(play),
        _order(play),
        choice.naming.nactation,
        choice.rule,
        tuple(_explained(naming, plays, everything) for naming in plays.names(play)),
    )


def ranking_of(reading: Reading) -> Ranking:
    """Return the order of the members of a reading."""
    key, legal = reading.family.key, reading.legal
    goings = (*numeral_points(key, legal.plays, legal.forced),) if key.isdigit() else ()
    groups: list[Sequence[Play]] = [going.plays for going in goings] or [reading.members]
    loops: dict[tuple[Portion, ...], Sequence[Play]] = {
        play.portions: loop
        for group in groups
        for loop in conventions.loops(group, reading.order)
        for play in loop
    }
    return Ranking(reading.order, loops, reading.point_made, goings)


def _explained(naming: Naming, plays: Plays, everything: bool) -> Explained:
    reading = plays.reading(naming.nactation.family, naming.right)
    members, ranking = reading.members, ranking_of(reading)
    listed = _listed(naming.nactation.member, len(members), everything)
    after = dict(pairwise(listed))
    entries = [
        Member(
            Nactation(naming.nactation.family, at),
            members[at - 1],
            decide(members[at - 1], members[at], ranking) if after.get(at) == at + 1 else None,
        )
        for at in listed
    ]
    return Explained(
        naming,
        "the lower point, then hit-more-6" if ranking.goings else ranking.order.name,
        _NOTES.get(naming.right, ""),
        len(members),
        tuple(entries),
        () if ranking.goings else tuple(_loops(members, ranking)),
        None if ranking.goings else _overruled(naming.nactation, members, ranking),
    )


def _order(play: Play) -> str:
    """Which number a checker plays first, if that decides the areal letter (#54 to #56, #60)."""
    both = [*orders(play)]
    if len(both) > 1:
        rule, other = "high number first", both[1]
    elif other := _blocked_order(play):
        rule = f"the high number cannot be first, because the {other[0].target}pt is blocked"
    else:
        return ""
    family = family_of_portions(other, play.roll)
    if family is areal_family(play):
        return ""
    return f"{rule}; as {format_hops(other)} it would be {family}"


def _blocked_order(play: Play) -> tuple[Portion, ...]:
    """The portions with the high number first, if only a block keeps a checker from that order."""
    first, *others = sorted(play.portions, key=lambda portion: -portion.source)
    if len(others) != 1:
        return ()
    [second] = others
    die, stop = play.roll.high, first.source - play.roll.high
    if first.target != second.source or first.hits or first.die == die or stop <= OFF:
        return ()
    if play.before.points[stop] > -2:
        return ()
    last = Portion(stop, second.target, first.die, False)
    return Portion(first.source, stop, die, False), last


def _overruled(name: Nactation, members: Sequence[Play], ranking: Ranking) -> Overruled | None:
    play = members[name.member - 1]
    loop = ranking.loops.get(play.portions, ())
    for at, other in enumerate(members, 1):
        if other in loop and other != play:
            first, last = sorted((at, name.member))
            above, below = members[first - 1], members[last - 1]
            decision = decide(above, below, ranking)
            if decision.convention == LOOP:
                upper, lower = (Nactation(name.family, at) for at in (first, last))
                return Overruled(Member(upper, above, None), Member(lower, below, None), decision)
    return None


def _loops(members: Sequence[Play], ranking: Ranking) -> Iterator[tuple[int, int]]:
    """The first and last place of each logic loop, whose plays are always adjacent."""
    at = 1
    while at <= len(members):
        loop = ranking.loops.get(members[at - 1].portions)
        if loop:
            yield at, at + len(loop) - 1
        at += len(loop) if loop else 1


def _listed(member: int, size: int, everything: bool) -> Sequence[int]:
    """The places of a family to list, from 1."""
    if everything or size <= _SMALL:
        return range(1, size + 1)
    around = range(member - _AROUND, member + _AROUND + 1)
    return [at for at in range(1, size + 1) if at <= _FIRST or at in around]


_NOTES = {
    Right.CONVENIENCE: "By the convenience clause S names the Z family, as no play is an S.",
    Right.WAIVED: "The entering portion is waived: the letter names the rest of the play.",
    Right.NUMERAL: "Numerals leave the rest to common sense, with a fixed reading.",
}
