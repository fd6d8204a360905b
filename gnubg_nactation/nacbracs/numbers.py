"""Equities and errors in thousandths of a point, exactly."""

from __future__ import annotations

from decimal import Decimal


def thousandths(points: float) -> str:
    """Format points as thousandths: `87`, `12.5`."""
    return f"{Decimal(repr(points)).scaleb(3).normalize():f}"


def points_of(thousandths: str) -> float:
    """Read thousandths as points."""
    return float(Decimal(thousandths).scaleb(-3))
