"""Read nacbracs of the cube."""

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
    """Whether the bracket at an offset is about the cube."""
    return bool(_OPENING.match(bare, opens) or _SHORT.match(bare, opens))


def parse_cube(scan: Scan, opens: int, close: int) -> CubeNacbrac:
    """Read the nacbrac of the cube between two offsets, without score and suffix.

    Accepts ND and NR for no double, RD for R, and `[D 603-14]`: double is right and worth .603, no
    double loses .014. Raises MalformedError with the offset.
    """
    if short := _SHORT.match(scan.bare, opens):
        return _by_equity(short, scan.text)
    losses: dict[str, float | None] = {}  # by outcome: N, T or P
    redouble, at, joined = False, scan.skip(_SPACE, opens + 1), False
    while at < close:
        outcome = _OUTCOME.match(scan.bare, at, close)
        key = (outcome["answer"] or "D" if outcome["double"] else "N") if outcome else ""
        if outcome is None or key in losses:
            raise scan.error(_EXPECTED, at)
        redouble = redouble or outcome[0] in {"X", "NR"} or outcome[0].startswith("R")
        error = _ERROR.match(scan.bare, outcome.end(), close)
        losses[key] = 0.0 if joined or not losses else None
        if error:
            losses[key] = points_of(error["error"])
        end = error.end() if error else outcome.end()
        joint = _JOINT.match(scan.bare, end, close)
        joined, at = bool(joint), joint.end() if joint else scan.skip(_SPACE, end)
    if joined or "D" in losses or not {"T", "P"} & losses.keys():
        raise scan.error(_EXPECTED, close)
    double = next(iter(losses)) != "N"
    right, *wrong = (key for key in losses if key != "N")
    return CubeNacbrac(
        double,
        right == "T",
        losses.get("N") if double else losses[right],
        losses[wrong[0]] if wrong else None,
        redouble,
        text=scan.text,
    )


def _by_equity(short: re.Match[str], text: str) -> CubeNacbrac:
    letter, equity = short["letter"], Decimal(short["sign"] + short["equity"]).scaleb(-3)
    error = Decimal(short["error"]).scaleb(-3)
    double = letter in "DR"
    answer = 1 - (equity if double else equity - error)  # the loss by passing
    take = answer > 0
    return CubeNacbrac(
        double,
        take,
        float(error),
        float(answer) if take else None,
        letter in "RX",
        text=text,
    )
