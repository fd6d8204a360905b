"""Rows as comma-separated values that no spreadsheet takes for anything but text and numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for one begins so


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows by RFC 4180, each with CR LF behind it; None is an empty cell.

    Text that a spreadsheet would take for a formula has an apostrophe before it, so that no
    file or name makes it reckon or load anything. Numbers stay numbers.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([list(map(_cell, row)) for row in rows])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULAS):
        return f"'{value}"
    return value
