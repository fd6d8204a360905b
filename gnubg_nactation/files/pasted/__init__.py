"""Reads plays that people paste from a forum post or an email."""

from __future__ import annotations

from gnubg_nactation.files.pasted.games import Pasted, read_pasted
from gnubg_nactation.files.pasted.lexer import TextPosition

__all__ = ["Pasted", "TextPosition", "read_pasted"]
