"""Match text as fifteen programs write it (.mat, .txt): read and written."""

from __future__ import annotations

from gnubg_nactation.files.mat.match_text import read
from gnubg_nactation.files.mat.writing import write

__all__ = ["read", "write"]
