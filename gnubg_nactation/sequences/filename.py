"""Sequences as file names: safe on every system, readable, and read back (sections 7 and 14).

    54S-63R-31P -> 54S-63R-31P        32Z-41h-11 -> 32Z-41hh-11

Names are one-to-one even where case does not count: a lower-case letter is doubled (the scheme of
the tutorial), a member that needs italics or more has its number behind a plus sign (`P+3`), a dot
is `~` and an underline `_`, symbols are words. `top-` in front says that the second player starts,
`nack-` that the game is Nackgammon. A name that would be too long is cut at a hyphen and ends with
`_` and eight digits of a hash; it is unique but cannot be read back.
"""

from __future__ import annotations

import hashlib
import re

from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.sequences.tokens import Token, TokenKind, parse_sequence
from gnubg_nactation.showing import quoted

__all__ = ["LONGEST", "file_name", "read_file_name", "safe_name", "shortened"]

LONGEST = 80  # characters: long enough for 20 rolls, and paths stay short
_HASH = 8
_WORDS = {
    "^": "fan",
    "<": "in",
    ">": "all",
    "=": "two",
    "+": "four",
    "&": "and",
    "$": "slot",
    "@": "anchor",
}
_SYMBOLS = {word: symbol for symbol, word in _WORDS.items()}
_ACTIONS = {
    TokenKind.DOUBLE: "C",
    TokenKind.REDOUBLE: "R",
    TokenKind.TAKE: "T",
    TokenKind.PASS: "P",
    TokenKind.FAN: "F",
}
_SYMBOL = "|".join(sorted(_SYMBOLS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<action>[crtpf])|(?P<die>[1-6])|(?P<roll>[1-6]{{2}})"
    rf"(?:(?P<name>{_SYMBOL}|(?P<letter>[a-z])(?P=letter)?|\d)"
    r"(?P<mark>[_~]?)(?:\+(?P<member>[1-9]\d{0,5}))?)?"
)
_SHORTENED = re.compile(rf"_[0-9a-f]{{{_HASH}}}", re.IGNORECASE)
# Windows takes these for devices, whatever their ending.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}


def file_name(text: str, longest: int = LONGEST) -> str:
    """The name, without an ending, of a file on a sequence; MalformedError."""
    parsed = parse_sequence(text)
    if not parsed.tokens:
        raise MalformedError("no name for an empty sequence", text=text)
    words = ["nack"] if parsed.start == NACKGAMMON else []
    words += ["top"] if parsed.starts is Player.SECOND else []
    words += map(_word, parsed.tokens)
    return shortened("-".join(words), longest)


def read_file_name(name: str) -> str:
    """The sequence that a file is named by, in plain spelling; upper and lower case are one.

    An ending (`.txt`) is passed over. MalformedError for a name that was shortened or is no
    sequence.
    """
    stem = name.partition(".")[0].lower()
    if _SHORTENED.search(stem):
        raise MalformedError(f"{quoted(name)} was shortened and cannot be read back", text=name)
    words, at = stem.split("-"), 0
    front = ""
    for prefix, mark in (("nack", "N "), ("top", "-")):
        if words[:1] == [prefix]:
            front += mark
            at += len(words.pop(0)) + 1
    tokens = []
    for word in words:
        tokens.append(_read(word, name, at))
        at += len(word) + 1
    return front + "-".join(tokens)


def shortened(name: str, longest: int = LONGEST) -> str:
    """The name, or its beginning and a hash of all of it."""
    if len(name) <= longest:
        return name
    digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:_HASH]
    kept = name[: max(longest - _HASH - 1, 1)]
    return f"{kept.rpartition('-')[0] or kept}_{digest}"


def safe_name(text: str) -> str:
    """Any text as a name that every system takes, letters of ASCII and digits alone."""
    name = re.sub(r"[^A-Za-z0-9_+~-]+", "-", text).strip("-") or "x"
    return f"{name}_" if name.casefold() in _RESERVED else name


def _word(token: Token) -> str:
    if token.kind in _ACTIONS:
        return _ACTIONS[token.kind]
    if token.kind is TokenKind.ENTER:
        return str(token.die)
    return f"{token.roll}{_spelled(token.names[0]) if token.names else ''}"


def _spelled(name: Nactation) -> str:
    row = name.family
    mark: str = row.suffix.replace(".", "~")
    if row.character.isalpha():
        # The members by case alone: P pp, U V uu vv.
        letters = [*row.characters, *(2 * letter.lower() for letter in row.characters)]
        if name.member <= len(letters):
            return f"{letters[name.member - 1]}{mark}"
    first = _WORDS.get(row.character, row.character)
    return f"{first}{mark}+{name.member}" if name.member > 1 else first + mark


def _read(word: str, name: str, at: int) -> str:
    """The token that a word of a name stands for."""
    match = _TOKEN.fullmatch(word)
    if match is None:
        raise MalformedError(f"not a name of a sequence: {quoted(word)}", text=name, at=at)
    if not match["name"]:
        return word.upper()
    letter, mark = match["letter"], match["mark"].replace("~", ".")
    if letter:
        glyph = letter if len(match["name"]) > 1 else letter.upper()
    else:
        glyph = _SYMBOLS.get(match["name"], match["name"])
    try:
        found = parse_nactation(glyph + mark)
    except MalformedError as error:
        raise MalformedError(str(error), text=name, at=at) from None
    return f"{match['roll']}{Nactation(found.family, int(match['member'] or found.member))}"
