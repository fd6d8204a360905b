"""Turn the characters of keyboards and word processors into plain ones."""

# ruff: noqa: RUF001 - characters that look alike are the subject of this module

from __future__ import annotations

import unicodedata
from functools import lru_cache

from gnubg_nactation.values import NamedTuple


class Glyph(NamedTuple):
    """One character with its look.

    `dot` is a dot or ring below the character; a `.` or `_` after it is a separate glyph. `colour`
    is 0 for none, else the number of the colour. `at` is the offset in the text. Without a
    `character` it is a mark on the glyph before it.
    """

    character: str
    italic: bool = False
    bold: bool = False
    underline: bool = False
    dot: bool = False
    colour: int = 0
    at: int = 0

    @property
    def marks(self) -> str:
        """The marks below the character, in plain text: `_` and `.`."""
        return "_" * self.underline + "." * self.dot


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
    | dict.fromkeys("\n\x85\u2028\u2029", "\n")
    | {"…": "...", "∣": "|", "‹": "<", "›": ">", "〈": "<", "〉": ">"}
)
# Some letters, such as the italic h, are outside the mathematical block.
_STYLED = ("MATHEMATICAL ", "FULLWIDTH ", "SMALL ", "PLANCK CONSTANT", "SCRIPT ", "BLACK-LETTER ")


@lru_cache(maxsize=4096)
def typed(character: str) -> tuple[Glyph, ...]:
    """The plain glyphs of a character: of a space, dash, quote, arrow, styled letter or mark."""
    if character in _LOOK_ALIKE:
        return tuple(map(Glyph, _LOOK_ALIKE[character]))
    if character.isspace() or character.isascii():
        return (Glyph(" " if character.isspace() else character),)
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category == "Cf" or name.startswith(("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")):
        return ()
    if category == "Pd":
        return (Glyph("-"),)
    if name.startswith(_STYLED):
        base = unicodedata.normalize("NFKD", character)
        if len(base) == 1 and base.isascii():
            italic = "ITALIC" in name or name == "PLANCK CONSTANT"
            return (Glyph(base, italic=italic, bold="BOLD" in name),)
    parts = unicodedata.normalize("NFD", character)
    base = "".join(part for part in parts if part not in _UNDERLINES | _DOTS)
    if base != parts and len(base) <= 1 and base.isascii():
        underline, dot = not _UNDERLINES.isdisjoint(parts), not _DOTS.isdisjoint(parts)
        return (Glyph(base, underline=underline, dot=dot),)
    return (Glyph(character),)
