"""Whether a sequence follows the usage of an earlier time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.dialects import DIALECTS, Dialect
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.decode import read_strictly
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.writing.typography import Glyph


def sound_in(
    text: str,
    *,
    start: Position | GameState | None = None,
    glyphs: Sequence[Glyph] | None = None,
    budget: Budget | None = None,
) -> Dialect | None:
    """The newest older usage in which a sequence can be read strictly.

    None if it can be read strictly today, or in no usage. `glyphs` and `budget`: see `decode`.
    """
    for dialect in reversed(DIALECTS.values()):
        with suppress(IllegalError, MalformedError):
            parsed = parse_sequence(text, glyphs, dialect=dialect)
            read_strictly(parsed, start, budget)
            return dialect if dialect.usages else None
    return None
