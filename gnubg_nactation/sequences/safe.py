"""Nactations in characters that every file system accepts, in any case (sections 7 and 14).

A lower-case letter is doubled (`41hh`, the tutorial's scheme). A formatted member has its number
after a plus sign (`P+3`), a dot is `~`, an underline `_`, and symbols are words (`21slot`).
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
"""Matches a safe spelling in any case; `read_safe` reads the match."""


def spell_safe(name: Nactation) -> str:
    """Spell a Nactation in safe characters."""
    family = name.family
    mark: str = family.suffix.replace(".", "~")
    if family.character.isalpha() and not name.is_formatted:
        letter = name.look.character  # only case differs: P pp, U V uu vv
        return f"{letter if letter.isupper() else 2 * letter}{mark}"
    first = SAFE_WORDS.get(family.character, family.character)
    return f"{first}{mark}+{name.member}" if name.member > 1 else first + mark


def read_safe(match: re.Match[str]) -> Nactation:
    """Read a match of SAFE_NAME; raises MalformedError for a mark its letter cannot have."""
    letter, name = match["letter"], match["name"].lower()
    if letter:
        glyph = letter.lower() if len(name) > 1 else letter.upper()
    else:
        glyph = _SYMBOLS.get(name, name)
    nactation = parse_nactation(glyph + match["mark"].replace("~", "."))
    return Nactation(nactation.family, int(match["member"] or nactation.member))


def is_plain(match: re.Match[str]) -> bool:
    """Whether a match may also be a Nactation in its usual spelling."""
    return len(match["name"]) == 1 and match["mark"] != "~" and not match["member"]
