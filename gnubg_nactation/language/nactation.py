"""The value that a Nactation is: a family of plays and a place in it."""

from __future__ import annotations

import re
from functools import lru_cache

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, Family, Right
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, interpreted


class Look(NamedTuple):
    """How a member of a family is set apart from the others that share its character."""

    character: str
    italic: bool
    bold: bool
    colour: int


class _Member(NamedTuple):
    family: Family
    member: int = 1


@interpreted
class Nactation(_Member):
    """The member of a family that ranks at `member` (1 is the first).

    Raises MalformedError for a number below 1.
    """

    __slots__ = ()

    def __new__(cls, family: Family, member: int = 1) -> Nactation:
        """Refuse what no member is."""
        if member < 1:
            raise MalformedError(f"no member {member} of {family}: the first is 1")
        return tuple.__new__(cls, (family, member))

    def __repr__(self) -> str:
        return f"Nactation({self.family!r}, {self.member})"

    @property
    def character(self) -> str:
        """The character without case or format; of a pair (U V, $ %, @ #) the one printed."""
        names = self.family.characters
        return names[(self.member - 1) % len(names)]

    @property
    def mark(self) -> Diacritic:
        """The mark that the character carries."""
        return self.family.mark

    @property
    def look(self) -> Look:
        """Case, then italics, bold and any number of colours, each doubling (section 14)."""
        level, at = divmod(self.member - 1, len(self.family.glyphs))
        return Look(self.family.glyphs[at], bool(level & 1), bool(level & 2), level >> 2)

    @property
    def is_formatted(self) -> bool:
        """Whether italics, bold or colour distinguish it from other members (section 14)."""
        return self.member > len(self.family.glyphs)

    @property
    def is_simple(self) -> bool:
        """Whether it is the first member of a family that is no advanced knowledge.

        People also use such names loosely. Writers of other names follow the rules.
        """
        return self.member == 1 and not self.family.is_advanced

    def __str__(self) -> str:
        """The plain spelling, typable and one-to-one: `P p P{3}`, `E_ e_`, `U V u v U{5}`."""
        family, member = self
        level, at = divmod(member - 1, len(family.glyphs))
        return family.glyphs[at] + family.suffix + (f"{{{member}}}" if level else "")


class Naming(NamedTuple):
    """A Nactation of a play, and by which right it names it."""

    nactation: Nactation
    right: Right

    def __str__(self) -> str:
        """The Nactation in plain spelling."""
        return str(self.nactation)


_SPELLING = re.compile(r"(\S)([_.]?)(?:\{([1-9][0-9]{0,5})\})?")
_FIRSTS = {
    glyph + family.suffix: Nactation(family, member)
    for family in FAMILIES
    for member, glyph in enumerate(family.glyphs, 1)
}
_ALSO = {"B_": "S", "b_": "s", "B.": "Z", "b.": "z"}


def parse_nactation(text: str) -> Nactation:
    """The Nactation of a plain spelling; MalformedError if there is none.

    A number in braces may repeat what case alone shows (`p{2}`), if they agree.
    """
    match = _SPELLING.fullmatch(text)
    first = _FIRSTS.get(match[1] + match[2]) if match else None
    if match is None or first is None:
        raise MalformedError(f"not a Nactation: {quoted(text)}")
    member = int(match[3] or first.member)
    if (member - first.member) % len(first.family.glyphs):
        raise MalformedError(
            f"not a Nactation: {quoted(text)} (member {member} is not a {quoted(match[1])})"
        )
    return Nactation(first.family, member)


@lru_cache(maxsize=1 << 10)  # a search sees the same names in thousands of games
def family_key(name: str) -> str:
    """The key of the family of a plain spelling; empty if it is no Nactation."""
    try:
        return parse_nactation(name).family.key
    except MalformedError:
        return ""


def from_look(glyph: str, suffix: str, italic: bool, bold: bool, colour: int) -> Nactation:
    """The Nactation that looks like this: the inverse of `look`, for a character as printed.

    `suffix` is the mark, `_` or `.` or none. B_ and B. are read as S and Z (section 15).
    Raises MalformedError if there is no such character.
    """
    spelling = glyph + suffix
    first = _FIRSTS.get(_ALSO.get(spelling, spelling))
    if first is None:
        raise MalformedError(f"not a Nactation: {quoted(spelling)}")
    level = italic + 2 * bold + 4 * colour
    return Nactation(first.family, first.member + len(first.family.glyphs) * level)
