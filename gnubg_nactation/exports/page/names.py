"""The Nactations that a page mentions: how they look, what they mean, how they may be typed."""

from __future__ import annotations

from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.writing.spelling import FORMS, spell


def spellings(name: str) -> list[str]:
    """All that may be typed for a Nactation: in each form, with its number, or as a word."""
    nactation = parse_nactation(name)
    row, look = nactation.family, nactation.look
    written = [spell(nactation, form) for form in FORMS]
    written.append(f"{look.character}{row.suffix}{{{nactation.member}}}")
    if nactation.member == 1 and not row.suffix and row.word.isalpha():
        written.append(row.word)
    return list(dict.fromkeys(written))


def alphabetical(name: str) -> tuple[str, int]:
    """By which Nactations are sorted, in plain spelling."""
    nactation = parse_nactation(name)
    return nactation.family.key, nactation.member
