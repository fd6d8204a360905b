"""Nacbracs of the cube as they stand in a text."""

from __future__ import annotations

import re
from decimal import Decimal

from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.numbers import points_of
from gnubg_nactation.writing.scan import Scan

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,9})?"
_DOUBLED = r"(?:RD?|D)/[TP](?![A-Za-z])"
_SHORT = re.compile(
    rf"\[\s*(?P<letter>[NDRX])\s+(?P<sign>[+-]?)(?P<equity>{_NUMBER})\s?-\s?(?P<error>{_NUMBER})\s*\]"
)
_OPENING = re.compile(rf"\[[\s,]*(?:(?:N[DR]?|X)(?:\s*=\s*|[\s,]+))?{_DOUBLED}")
_OUTCOME = re.compile(
    r"(?P<no>N[DR]?|X)(?![A-Za-z/])|(?P<double>RD?|D)(?:/(?P<answer>[TP]))?(?![A-Za-z/])"
)
_ERROR = re.compile(rf"\s*-?(?P<error>{_NUMBER})")
_JOINT = re.compile(r"\s*=\s*")
_SPACE = re.compile(r"[\s,]*")
_EXPECTED = "expected the cube's outcomes, as in [N D/T 45 D/P 690]"


def is_cube(bare: str, opens: int) -> bool:
    """Whether the bracket that opens at a place of a text is about the cube."""
    return bool(_OPENING.match(bare, opens) or _SHORT.match(bare, opens))


def parse_cube(scan: Scan, opens: int, close: int) -> CubeNacbrac:
    """The nacbrac of the cube between two places; MalformedError with the place.

    Also read are ND and NR for no double, RD for R, and `[D 603-14]`: it is right to double, which
    is worth .603, and the other thing loses .014. Score and suffix are not looked for.
    """
    if short := _SHORT.match(scan.bare, opens):
        return _by_equity(short, scan.text)
    found: dict[str, float | None] = {}  # what each outcome loses: N, or the answer
    redouble, at, joined = False, scan.skip(_SPACE, opens + 1), False
    while at < close:
        outcome = _OUTCOME.match(scan.bare, at, close)
        key = (outcome["answer"] or "D" if outcome["double"] else "N") if outcome else ""
        if outcome is None or key in found:
            raise scan.error(_EXPECTED, at)
        redouble = redouble or outcome[0] in {"X", "NR"} or outcome[0].startswith("R")
        error = _ERROR.match(scan.bare, outcome.end(), close)
        found[key] = 0.0 if joined or not found else None
        if error:
            found[key] = points_of(error["error"])
        end = error.end() if error else outcome.end()
        joint = _JOINT.match(scan.bare, end, close)
        joined, at = bool(joint), joint.end() if joint else scan.skip(_SPACE, end)
    if joined or "D" in found or not {"T", "P"} & found.keys():
        raise scan.error(_EXPECTED, close)
    double = next(iter(found)) != "N"
    right, *wrong = (key for key in found if key != "N")
    return CubeNacbrac(
        double,
        right == "T",
        found.get("N") if double else found[right],
        found[wrong[0]] if wrong else None,
        redouble,
        text=scan.text,
    )


def _by_equity(short: re.Match[str], text: str) -> CubeNacbrac:
    letter, equity = short["letter"], Decimal(short["sign"] + short["equity"]).scaleb(-3)
    error = Decimal(short["error"]).scaleb(-3)
    double = letter in "DR"
    answer = 1 - (equity if double else equity - error)  # what passing would lose
    take = answer > 0
    return CubeNacbrac(
        double,
        take,
        float(error),
        float(answer) if take else None,
        letter in "RX",
        text=text,
    )
