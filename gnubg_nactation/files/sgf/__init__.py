"""gnubg's dialect of SGF, FF[4] with GM[6]: reading, writing and adding comments.

Each game is one tree; White is Player.FIRST. The letters a ... x are the 1pt ... 24pt of White and
the 24pt ... 1pt of Black, y is the bar, z is off.
"""

from __future__ import annotations

from gnubg_nactation.files.sgf.comments import with_comment_lines
from gnubg_nactation.files.sgf.records import SgfRecord, read, read_all
from gnubg_nactation.files.sgf.writing import from_match

__all__ = ["SgfRecord", "from_match", "read", "read_all", "with_comment_lines"]
