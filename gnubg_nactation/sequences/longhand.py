"""Traditional notation inside a sequence: `54S 63: 24/15 31P`, `54S-63(24/15)-31P`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.backgammon.notation import Hop, hops_at, resolve
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import OFF
from gnubg_nactation.errors import AmbiguousError, IllegalError

_AFTER_ROLL = re.compile(r"(?:\s*[:,]|-{1,3}>?)?\s*")
_BETWEEN = re.compile(r"\s*,?\s*")
_AROUND = " .,:;=!?"  # of a play in a comment: `(= 8/5 6/5!)`
_MAX_WORDS = 4


def longhand_after(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The hops of the play after a roll that ends at an offset, and where the play ends.

    Without a play there are no hops. Only hops that fit the dice count: in `54 21/11` no checker
    can move ten pips, so 21 and 11 are rolls. After a colon all hops count: those that do not fit
    are an illegal play.
    """
    gap = _AFTER_ROLL.match(bare, at)
    start = gap.end() if gap else at
    hops, end = longhand_at(bare, start, roll)
    if not hops and ":" in bare[at:start]:
        for word, stop in play_words(bare, start):
            hops, end = (*hops, *word), stop
    return hops, end


def longhand_at(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The hops at an offset that fit the dice, and where they end; no hops without a play."""
    pips = 4 * roll.high if roll.is_doublet else roll.high + roll.low
    hops: list[Hop] = []
    end = at
    for word, stop in play_words(bare, at):
        pips -= sum(hop.source - hop.target for hop in word)
        if pips < 0 or not all(_fits(hop, roll) for hop in word):
            break
        hops += word
        end = stop
    return tuple(hops), end


def longhand_alone(text: str) -> tuple[Hop, ...]:
    """The hops of a text that is a play and nothing else, legal or not; else none."""
    text = text.strip(_AROUND)
    words = list(play_words(text, 0))
    hops = [hop for word, _ in words for hop in word]
    if not words or words[-1][1] < len(text) or any(hop.source <= hop.target for hop in hops):
        return ()  # `(1/2)` is a fraction
    return tuple(hops)


def plays_of(hops: Sequence[Hop], plays: Sequence[Play], roll: Roll) -> tuple[Play, ...]:
    """The legal plays that hops may be: one, none, or several if they leave a choice."""
    if not plays:
        return ()
    try:
        return (resolve(hops, plays[0].before, roll, plays),)
    except AmbiguousError as error:
        return tuple([play for play in error.candidates if isinstance(play, Play)])
    except IllegalError:
        return ()


def other_play(
    glosses: Iterable[tuple[Hop, ...]], play: Play | None, plays: Sequence[Play]
) -> tuple[tuple[Hop, ...], tuple[Play, ...]]:
    """The first of the plays in comments that is not `play`: its hops and the plays it may be.

    `play` is None for a fan. Without another play there are no hops; one that is not legal counts.
    """
    for hops in glosses:
        meant = plays_of(hops, plays, play.roll) if play else ()
        if play not in meant:
            return hops, meant
    return (), ()


def play_words(
    bare: str, at: int, between: re.Pattern[str] = _BETWEEN
) -> Iterator[tuple[tuple[Hop, ...], int]]:
    """The hops of each word of a play from an offset on, with its end; at most four words.

    `between` matches what separates two words.
    """
    for _ in range(_MAX_WORDS):
        hops, end = hops_at(bare, at)
        if not hops:
            return
        yield hops, end
        gap = between.match(bare, end)
        at = gap.end() if gap else end


def _fits(hop: Hop, roll: Roll) -> bool:
    """Whether one checker can make this hop with one or more of the dice."""
    pips = hop.source - hop.target
    dice = {roll.high, roll.low, roll.high + roll.low}
    if roll.is_doublet:
        dice |= {3 * roll.high, 4 * roll.high}
    return pips in dice or (hop.target == OFF and 0 < pips < max(dice))
