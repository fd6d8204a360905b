"""Characters as people type and word processors set them, brought back to plain ones."""

# ruff: noqa: RUF001 - characters that look alike are what this is about

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Typed", "typed"]


class Typed(NamedTuple):
    """What a typed character stands for: usually one character, but `->` for an arrow.

    Without `characters` it is a mark on the character before it, or nothing at all.
    """

    characters: str
    italic: bool = False
    bold: bool = False
    underline: bool = False
    dot: bool = False


_UNDERLINES = {"\u0332", "\u0331"}  # low line, macron below
_DOTS = {"\u0323", "\u0325"}  # dot below, ring below
_LOOK_ALIKE = (
    dict.fromkeys("→⇒⟶⟹➔➙➛➜➝➞➡➤", "->")
    | dict.fromkeys("−⁃‑", "-")
    | dict.fromkeys("‘’‚‛′", "'")
    | dict.fromkeys("“”„‟″", '"')
    | dict.fromkeys("ˆ∧", "^")
    | dict.fromkeys("˜∼", "~")
    | dict.fromkeys("⁄∕", "/")
    | dict.fromkeys("∗⁎", "*")
    | {"…": "...", "∣": "|", "‹": "<", "›": ">", "〈": "<", "〉": ">"}
)
_BREAKS = "\n\x85\u2028\u2029"
# Letters like the italic h stand outside the mathematical block under names of their own.
_STYLED = ("MATHEMATICAL ", "FULLWIDTH ", "SMALL ", "PLANCK CONSTANT", "SCRIPT ", "BLACK-LETTER ")


@lru_cache(maxsize=4096)
def typed(character: str) -> Typed:
    """The plain reading of one character: spaces, dashes, quotes, styled letters, marks."""
    if character in _BREAKS:
        return Typed("\n")
    if character.isspace():
        return Typed(" ")
    if character.isascii():
        return Typed(character)
    if character in _UNDERLINES or character in _DOTS:
        return Typed("", underline=character in _UNDERLINES, dot=character in _DOTS)
    if character in _LOOK_ALIKE:
        return Typed(_LOOK_ALIKE[character])
    return _from_database(character)


def _from_database(character: str) -> Typed:
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category == "Cf" or name.startswith(("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")):
        return Typed("")
    if category == "Pd":
        return Typed("-")
    if name.startswith(_STYLED):
        base = unicodedata.normalize("NFKD", character)
        if len(base) == 1 and base.isascii():
            italic = "ITALIC" in name or name == "PLANCK CONSTANT"
            return Typed(base, italic=italic, bold="BOLD" in name)
    decomposed = unicodedata.normalize("NFD", character)
    marks = set(decomposed[1:])
    if marks and decomposed[0].isascii() and marks <= _UNDERLINES | _DOTS:
        underline, dot = bool(_UNDERLINES & marks), bool(_DOTS & marks)
        return Typed(decomposed[0], underline=underline, dot=dot)
    return Typed(character)
