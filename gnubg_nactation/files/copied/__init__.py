"""Reads the analyses that eXtreme Gammon and GNU Backgammon copy as text, and forums quote."""

from __future__ import annotations

from gnubg_nactation.files.copied.plays import Ranking
from gnubg_nactation.files.copied.positions import Copied, read_copied

__all__ = ["Copied", "Ranking", "read_copied"]
