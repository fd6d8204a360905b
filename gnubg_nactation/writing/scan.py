"""Characters and the Nactations among them: what sequences, nacbracs and names are read from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.typography import Glyph

# What a Nactation begins with, and what of it may carry a dot (B. is read as Z).
CHARACTERS = frozenset("".join(family.glyphs for family in FAMILIES))
_DOTTED = {family.character for family in FAMILIES if family.suffix == "."} | {"B"}
_MEMBER = re.compile(r"\{([1-9]\d{0,5})\}")
PLAIN = Glyph(" ")


class Scan:
    """A text without its markup: its characters (`bare`), and how and where each stood.

    `glyphs` are those of `read_markup`, if they are known. What looks mean `dialect` says.
    """

    __slots__ = ("bare", "dialect", "glyphs", "text")

    def __init__(
        self, text: str, glyphs: Sequence[Glyph] | None = None, dialect: Dialect = CURRENT
    ) -> None:
        self.text, self.dialect = text, dialect
        self.glyphs = read_markup(text) if glyphs is None else glyphs
        self.bare = "".join(glyph.character for glyph in self.glyphs)

    def error(self, message: str, at: int) -> MalformedError:
        """An error about the character at a place, with its place in the text."""
        place = self.glyphs[at].at if at < len(self.glyphs) else len(self.text)
        return MalformedError(message, text=self.text, at=place)

    def skip(self, what: re.Pattern[str], at: int) -> int:
        """The place behind what stands at a place, if it stands there."""
        match = what.match(self.bare, at)
        return match.end() if match else at

    def names(
        self, at: int, around: Glyph = PLAIN, dots: Sequence[str] = ()
    ) -> tuple[tuple[Nactation, ...], int]:
        """The Nactations that the character at a place may mean, and where its spelling ends.

        Bold, italics and colour that `around` has too are style of the text. `dots` are the marks
        that a period stands for (`.` or none) behind a letter that may be dotted, the likelier
        first; none if it is not part of the name. Raises MalformedError with the place.
        """
        glyph, end = self.glyphs[at], at + 1
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
                found = [parse_nactation(glyph.character + mark + number) for mark in marks]
            else:
                found = [
                    name
                    for mark in marks
                    for name in self.dialect.names(glyph.character, mark, italic, bold, colour)
                ]
        except MalformedError as problem:
            raise self.error(str(problem), at) from None
        return (*found,), end
