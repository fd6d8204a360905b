"""Text as people paste it: bare characters with their looks."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Glyph", "read_markup"]


class Glyph(NamedTuple):
    """One character, how it looked, and where it stood in the text."""

    character: str
    italic: bool = False
    bold: bool = False
    underline: bool = False
    dot: bool = False
    colour: int = 0
    at: int = 0


def read_markup(text: str) -> tuple[Glyph, ...]:
    """The characters of a text, without its markup."""
    return tuple(Glyph(character, at=at) for at, character in enumerate(text))
