"""The characters of a text, and the Nactations among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.writing.markup import Glyph, read_markup

# The first characters of Nactations, and those that may have a dot (B. is read as Z).
CHARACTERS = frozenset("".join(family.glyphs for family in FAMILIES))
_DOTTED = {family.character for family in FAMILIES if family.suffix == "."} | {"B"}
_MEMBER = re.compile(r"\{([1-9]\d{0,5})\}")
PLAIN = Glyph(" ")


class Scan:
    """A text without its markup: its characters (`bare`), and their `glyphs` from `read_markup`."""

    __slots__ = ("bare", "glyphs", "text")

    def __init__(self, text: str, glyphs: Sequence[Glyph] | None = None) -> None:
        self.text = text
        self.glyphs = read_markup(text) if glyphs is None else glyphs
        self.bare = "".join(glyph.character for glyph in self.glyphs)

    def error(self, message: str, at: int) -> MalformedError:
        """An error about the character at an index, with its offset in the text."""
        place = self.glyphs[at].at if at < len(self.glyphs) else len(self.text)
        return MalformedError(message, text=self.text, at=place)

    def skip(self, pattern: re.Pattern[str], at: int) -> int:
        """The index after a match of the pattern; `at` without a match."""
        match = pattern.match(self.bare, at)
        return match.end() if match else at

    def names(
        self, at: int, around: Glyph = PLAIN, dots: Sequence[str] = ()
    ) -> tuple[tuple[Nactation, ...], int]:
        """The possible Nactations at an index, and the end of their spelling.

        The style that `around` also has belongs to the text. `dots` are the meanings of a period
        after a letter that may be dotted (`.` or nothing), the likeliest first; none if it is not
        part of the name. Raises MalformedError with the offset.
        """
        glyph, end = self.glyphs[at], at + 1
        glyph = glyph._replace(underline=glyph.underline and not around.underline)
        marks: Sequence[str] = (glyph.marks[:1],)
        sign = self.bare[end : end + 1]
        if sign == "_":
            marks, end = sign, end + 1
        elif sign == "." and dots and not glyph.marks and glyph.character.upper() in _DOTTED:
            marks, end = dots, end + 1
        member = _MEMBER.match(self.bare, end)
        italic, bold = glyph.italic and not around.italic, glyph.bold and not around.bold
        colour = 0 if glyph.colour == around.colour else glyph.colour
        try:
            if member:
                end, number = member.end(), f"{{{int(member[1])}}}"
                names = [parse_nactation(glyph.character + mark + number) for mark in marks]
            else:
                names = [from_look(glyph.character, mark, italic, bold, colour) for mark in marks]
        except MalformedError as problem:
            raise self.error(str(problem), at) from None
        return (*names,), end
