"""Reads and writes match text (.mat, .txt), in the dialects of fifteen programs."""

from __future__ import annotations

from gnubg_nactation.files.mat.match_text import read
from gnubg_nactation.files.mat.writing import write

__all__ = ["read", "write"]
