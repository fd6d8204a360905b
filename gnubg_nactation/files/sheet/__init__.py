"""Reads score sheets: matches that people write down in Nactation, and our own annotated text."""

from __future__ import annotations

from gnubg_nactation.files.sheet.lines import is_sheet
from gnubg_nactation.files.sheet.reading import Sheet, read, read_sheets
from gnubg_nactation.files.sheet.text import Fault

__all__ = ["Fault", "Sheet", "is_sheet", "read", "read_sheets"]
