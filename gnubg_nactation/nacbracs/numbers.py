"""Equities and errors as nacbracs have them: in thousandths of a point, without rounding."""

from __future__ import annotations

from decimal import Decimal


def thousandths(points: float) -> str:
    """So many points as a nacbrac writes them: `87`, `12.5`."""
    return f"{Decimal(repr(points)).scaleb(3).normalize():f}"


def points_of(written: str) -> float:
    """The points of a number of thousandths."""
    return float(Decimal(written).scaleb(-3))
