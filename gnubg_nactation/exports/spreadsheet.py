"""Rows as comma-separated values that spreadsheets never read as formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # the first characters of formulas


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows in the format of RFC 4180, ending in CR LF; None is an empty cell.

    Text that a spreadsheet would read as a formula gets an apostrophe before it. Numbers stay
    numbers.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([list(map(_cell, row)) for row in rows])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULAS):
        return f"'{value}"
    return value
