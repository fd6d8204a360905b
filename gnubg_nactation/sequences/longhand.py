"""Traditional notation inside a sequence: `54S 63: 24/15 31P`, `54S-63(24/15)-31P`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.backgammon.notation import Hop, hops_at
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import OFF

_BEFORE = re.compile(r"(?:\s*[:,]|-{1,3}>?)?\s*")
_BETWEEN = re.compile(r"\s*,?\s*")
_MAX_WORDS = 4


def longhand_after(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The play written after a roll that ends at an offset, and its end; no hops if none is.

    Only moves that fit the dice belong to it: in `54 21/11` no checker moves ten pips, so 21 and 11
    are rolls. A colon leaves no doubt: what does not fit then is a play that is not legal.
    """
    before = _BEFORE.match(bare, at)
    start = before.end() if before else at
    hops, end = longhand_at(bare, start, roll)
    if not hops and ":" in bare[at:start]:
        for word, stop in _words(bare, start):
            hops, end = (*hops, *word), stop
    return hops, end


def longhand_at(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The play written at an offset, and its end; no hops if none is."""
    left = 4 * roll.high if roll.is_doublet else roll.high + roll.low
    hops: list[Hop] = []
    end = at
    for word, stop in _words(bare, at):
        left -= sum(hop.source - hop.target for hop in word)
        if left < 0 or not all(_fits(hop, roll) for hop in word):
            break
        hops += word
        end = stop
    return tuple(hops), end


def _words(bare: str, at: int) -> Iterator[tuple[tuple[Hop, ...], int]]:
    """The words of a play from an offset on, each with its end, at most as many as a roll has."""
    for _ in range(_MAX_WORDS):
        hops, end = hops_at(bare, at)
        if not hops:
            return
        yield hops, end
        between = _BETWEEN.match(bare, end)
        at = between.end() if between else end


def _fits(hop: Hop, roll: Roll) -> bool:
    """Whether one checker can move so far with one die or more."""
    pips = hop.source - hop.target
    dice = {roll.high, roll.low, roll.high + roll.low}
    if roll.is_doublet:
        dice |= {3 * roll.high, 4 * roll.high}
    return pips in dice or (hop.target == OFF and 0 < pips < max(dice))
