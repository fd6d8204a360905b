"""Reads plays that people paste from a forum post or an email."""

from __future__ import annotations

from gnubg_nactation.files.pasted.games import Pasted, read_pasted
from gnubg_nactation.files.pasted.lexer import TextPosition
from gnubg_nactation.files.pasted.matches import as_matches

__all__ = ["Pasted", "TextPosition", "as_matches", "read_pasted"]
