"""Explain the Nactations of a play: definitions, families in rank order, and their decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.language.alphabet import Family, Right
from gnubg_nactation.language.areas import area, area_counts
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import Decision, Ranking, decide, ranking_of
from gnubg_nactation.values import NamedTuple

_FIRST = 3  # members of a large family that are always listed
_AROUND = 2  # and how many on each side of the play
_SMALL = 9


class Member(NamedTuple):
    """A member of a family; its `decision` ranks it above the next one.

    None for the last member, and if the next one is left out.
    """

    nactation: Nactation
    play: Play
    decision: Decision | None


class Explained(NamedTuple):
    """A Nactation of the play with its family of `size` members, some of them listed.

    `rule` ranks the family, and `note` gives the right of a Nactation that is not strict. `loops`
    has the first and the last place of each logic loop.
    """

    naming: Naming
    rule: str
    note: str
    size: int
    members: tuple[Member, ...]
    loops: tuple[tuple[int, int], ...]

    @property
    def family(self) -> Family:
        """The family of the Nactation, as in the alphabet."""
        return self.naming.nactation.family


class Explanation(NamedTuple):
    """A play, the area of each portion, the Nactation to write and why, and all Nactations.

    `code` counts the runs, downs, jumps and insides.
    """

    play: Play
    areas: tuple[tuple[Portion, str], ...]
    code: tuple[int, int, int, int]
    preferred: Nactation
    reason: str
    nactations: tuple[Explained, ...]


def explain(play: Play, plays: Plays, *, everything: bool = False) -> Explanation:
    """Explain all Nactations of a play among those of its roll, the preferred one first.

    Large families list only their first members and those around the play, unless `everything`.
    """
    choice = plays.name(play)
    return Explanation(
        play,
        tuple((portion, area(portion)) for portion in play.portions),
        area_counts(play),
        choice.naming.nactation,
        choice.rule,
        tuple(_explained(naming, plays, everything) for naming in plays.names(play)),
    )


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
    )


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
