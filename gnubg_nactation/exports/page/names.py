"""The Nactations that a page mentions: how they look, what they mean, how they may be typed."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.exports.page.text import glyph
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.values import Any
from gnubg_nactation.writing.spelling import FORMS, escape, spell


def named(names: Iterable[str]) -> dict[str, Any]:
    """For the script: the families of Nactations in plain spelling, and the members they are."""
    nactations = {name: parse_nactation(name) for name in names}
    rows = {nactation.family for nactation in nactations.values()}
    return {
        "families": {
            row.key: [row.word, row.meaning] for row in sorted(rows, key=lambda row: row.key)
        },
        "names": {name: [one.family.key, one.member] for name, one in nactations.items()},
    }


def glyph_templates(names: Iterable[str]) -> str:
    """Each Nactation as it looks, for the script to copy."""
    return "".join(f'<i data-name="{escape(name)}">{glyph(name)}</i>' for name in names)


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
