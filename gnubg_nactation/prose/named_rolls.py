"""The rolls that a text names in words: `with 62`, `an opening 54`, `the roll is 31`."""

from __future__ import annotations

import re

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.prose.page import Page
from gnubg_nactation.values import NamedTuple

_MAX_DISTANCE, _MAX_PARAGRAPH = 400, 4000  # characters
_END = r"(?=[:,.;!?)]?(?:\s|\Z))"
_ROLL = re.compile(
    r"(?:\A|\n|\b(?:with|for|opening|roll(?:s|ed)?|is|an?|the|my|his|her)\s"
    r"|[,;] (?=[1-6]{2} (?:is|was)\b))"
    rf"(?P<roll>[1-6]{{2}}){_END}",
    re.IGNORECASE,
)
_ROLL_AFTER = re.compile(
    rf"\b(?:with|for|at|roll(?:s|ed)?|opening)\s(?:an? |the |is )?(?P<roll>[1-6]{{2}}){_END}"
)


class NamedRoll(NamedTuple):
    """A roll, and its offset in the bare text."""

    roll: Roll
    start: int


def paragraph_of(page: Page, at: int) -> tuple[int, int]:
    """The start and the end of the paragraph around an offset, or of the part near it."""
    first, last = max(at - _MAX_PARAGRAPH, 0), min(at + _MAX_PARAGRAPH, len(page.bare))
    end = page.bare.find("\n\n", at, last)
    return max(page.bare.rfind("\n\n", first, at) + 1, first), last if end < 0 else end


def roll_before(page: Page, at: int) -> NamedRoll | None:
    """The last roll named in the paragraph before an offset; None if there is none."""
    first = max(at - _MAX_DISTANCE, paragraph_of(page, at)[0])
    rolls = list(_ROLL.finditer(page.bare, first, at))
    return NamedRoll(Roll.parse(rolls[-1]["roll"]), rolls[-1].start("roll")) if rolls else None


def roll_after(page: Page, at: int) -> NamedRoll | None:
    """The first roll named in the paragraph after an offset; None if there is none."""
    last = min(at + _MAX_DISTANCE, paragraph_of(page, at)[1])
    match = _ROLL_AFTER.search(page.bare, at, last)
    return NamedRoll(Roll.parse(match["roll"]), match.start("roll")) if match else None
