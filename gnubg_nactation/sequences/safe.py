"""Nactations in letters that every file system takes, whatever the case (sections 7 and 14).

A lower-case letter is doubled (`41hh`, the scheme of the tutorial), a member that needs italics or
more has its number behind a plus sign (`P+3`), a dot is `~` and an underline `_`, symbols are
words (`21slot`).
"""

from __future__ import annotations

import re

from gnubg_nactation.language.nactation import Nactation, parse_nactation

SAFE_WORDS = {
    "^": "fan",
    "<": "in",
    ">": "all",
    "=": "two",
    "+": "four",
    "&": "and",
    "$": "slot",
    "@": "anchor",
}
_SYMBOLS = {word: symbol for symbol, word in SAFE_WORDS.items()}
SAFE_NAME = (
    rf"(?P<name>{'|'.join(sorted(_SYMBOLS, key=len, reverse=True))}"
    r"|(?P<letter>[a-z])(?P=letter)?|\d)"
    r"(?P<mark>[_~]?)(?:\+(?P<member>[1-9]\d{0,5}))?"
)
"""The pattern of a Nactation so spelled, for any case; `read_safe` takes its match."""


def spell_safe(name: Nactation) -> str:
    """A Nactation so spelled."""
    family = name.family
    mark: str = family.suffix.replace(".", "~")
    if family.character.isalpha() and not name.is_formatted:
        letter = name.look.character  # by case alone: P pp, U V uu vv
        return f"{letter if letter.isupper() else 2 * letter}{mark}"
    first = SAFE_WORDS.get(family.character, family.character)
    return f"{first}{mark}+{name.member}" if name.member > 1 else first + mark


def read_safe(match: re.Match[str]) -> Nactation:
    """The Nactation that a match of the pattern spells; MalformedError for what cannot be."""
    letter, name = match["letter"], match["name"].lower()
    if letter:
        glyph = letter.lower() if len(name) > 1 else letter.upper()
    else:
        glyph = _SYMBOLS.get(name, name)
    found = parse_nactation(glyph + match["mark"].replace("~", "."))
    return Nactation(found.family, int(match["member"] or found.member))


def is_plain(match: re.Match[str]) -> bool:
    """Whether what is matched may as well be a Nactation in its usual spelling."""
    return len(match["name"]) == 1 and match["mark"] != "~" and not match["member"]
