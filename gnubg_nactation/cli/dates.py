"""Days in options and headers."""

from __future__ import annotations

import argparse
from datetime import date, datetime, timezone

from gnubg_nactation.showing import quoted


def date_type(text: str) -> str:
    """Return the day of an option's text, as in 2026-11-23; argparse reports its errors."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        reason = f"{quoted(text)} is not a day, as in 2026-11-23"
        raise argparse.ArgumentTypeError(reason) from None
    return day.isoformat()


def today() -> str:
    """Return the day by universal time."""
    return datetime.now(timezone.utc).date().isoformat()
