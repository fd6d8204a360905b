"""eXtreme Gammon's files (.xg) with their analysis and comments; needs the extra `xg`."""

from __future__ import annotations

from gnubg_nactation.files.xg.binary import read

__all__ = ["read"]
