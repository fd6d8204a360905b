"""eXtreme Gammon's files (.xg) with their analysis and comments."""

from __future__ import annotations

from gnubg_nactation.files.xg.binary import read

__all__ = ["read"]
