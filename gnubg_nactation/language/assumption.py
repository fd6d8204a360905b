"""Readings that leave a part of the play to the reader's judgement (tutorial section 8).

A character may name only the hard part of a play, the rest being obvious: a hit, above all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import family_of_portions
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.styles import STYLES, Account, lifts_a_blot, ways

__all__ = ["assumed_plays", "natural_plays"]

_HIT_ASSUMED = 150


def assumed_plays(row: Family, plays: Sequence[Play]) -> list[Play]:
    """The plays of which a part belongs to the family, the most natural first."""
    found: list[tuple[int, Play]] = []
    for play in plays:
        parts = list(_parts_named(row, play))
        if parts:
            bonus = _HIT_ASSUMED if any(_rest_hits(play, part) for part in parts) else 0
            found.append((plausibility(play) + bonus, play))
    found.sort(key=lambda pair: pair[0], reverse=True)
    return [play for _, play in found]


def natural_plays(plays: Sequence[Play]) -> list[Play]:
    """All plays, the most natural first."""
    return sorted(plays, key=plausibility, reverse=True)


def _parts_named(row: Family, play: Play) -> Iterator[tuple[Portion, ...]]:
    """The parts of a play that the family's letter names, portions that enter left out."""
    portions = [portion for portion in play.portions if portion.source != BAR]
    style = STYLES.get(row.key)
    definition = lifts_a_blot if row.key == "L" else style.definition if style else None
    for size in range(1, len(portions) + 1):
        for part in combinations(portions, size):
            areal = family_of_portions(part, play.roll).character == row.character
            if areal or (definition and definition(Account(play, play.portions, part))):
                yield part


def _rest_hits(play: Play, part: Sequence[Portion]) -> bool:
    """Whether what is left of a doublet is the way of a checker that hits, and no more."""
    if not play.roll.is_doublet:
        return False
    rest = list(play.portions)
    for portion in part:
        rest.remove(portion)
    chains = ways(rest)
    return len(chains) == 1 and chains[0][-1].hits
