"""Plays as people paste them, in a forum post or a mail."""

from __future__ import annotations

from gnubg_nactation.files.pasted.games import Pasted, read_pasted
from gnubg_nactation.files.pasted.lexer import TextPosition

__all__ = ["Pasted", "TextPosition", "read_pasted"]
