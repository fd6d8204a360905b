"""Codes, addresses and prices in a text, which only look like plays."""

from __future__ import annotations

import re

from gnubg_nactation.sequences.openings import OPENINGS

_MAX_BEFORE, _MAX_AFTER = 40, 40  # characters
_CODES = (
    r"rooms?|flats?|apartments?|suites?|units?|stands?|flights?|gates?|seats?|models?|bus|routes?"
    r"|bays?|tickets?|lessons?|lockers?|plates?|platforms?|SKU|ASIN|barcodes?|passwords?"
    r"|postcodes?|fax|tel\.?|(?:part|serial|account|ticket|order|item|phone) (?:no\.?|numbers?)"
)
_BEFORE = re.compile(
    rf"\b(?i:{_CODES})(?: is| was| ends in)?[ :#]{{0,3}}\Z"
    r"|\b(?!XG)[A-Z]{1,5}[0-9]{1,4} \Z"  # a model: `MG62 52D`
)
_STREET = re.compile(
    r" (?:[A-Z][a-z]{1,15} ){1,2}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square)\b"
)
_NUMBER = re.compile(r" [0-9]{3,}(?![\w-])")  # a number plate: `43D 652`
_PRICE = re.compile(r"\b(?:costs?|paid|pays?)(?: me| him| her| us| you)?(?: only)? \Z")
_NEIGHBOUR = r"([1-6]{2}[A-Z])"
_PREVIOUS = re.compile(rf"(?<!\w){_NEIGHBOUR}(?:,? (?:and |or )?|/)\Z")
_NEXT = re.compile(rf"(?:,? (?:and |or )?|/){_NEIGHBOUR}(?!\w)")
_USUAL = set("DPSZ")


def is_look_alike(bare: str, start: int, end: int) -> bool:
    """Whether the words around a possible play or sequence show that it is something else."""
    before = bare[max(start - _MAX_BEFORE, 0) : start]
    after = bare[end : end + _MAX_AFTER]
    is_price = bare[end - 1] == "$" and _PRICE.search(before) is not None
    is_address = _STREET.match(after) or _NUMBER.match(after)
    return is_price or is_address is not None or _BEFORE.search(before) is not None


def has_odd_neighbour(bare: str, start: int, end: int) -> bool:
    """Whether a possible opening is in a list with a token that nobody would open with.

    That token may be the size of a resistor or a seat, `21A, 21B and 31D`.
    """
    previous = _PREVIOUS.search(bare[max(start - _MAX_BEFORE, 0) : start])
    following = _NEXT.match(bare[end : end + _MAX_AFTER])
    return any(match and _is_odd(match[1]) for match in (previous, following))


def _is_odd(token: str) -> bool:
    return token[0] != token[1] and token not in OPENINGS and token[2] not in _USUAL
