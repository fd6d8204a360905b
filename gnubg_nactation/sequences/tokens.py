"""Sequences as text: what their tokens say, before any position is looked at (section 11).

`54S-63R-31P` in all the ways that people write it: other separators, pairs run together, words
(`54-split`), bare rolls, fans, single digits, cube letters, and looks pasted from a forum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, family
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.markup import Glyph
from gnubg_nactation.writing.scan import CHARACTERS, Scan

__all__ = ["Parsed", "Token", "TokenKind", "parse_sequence"]


class TokenKind(Enum):
    """What a token is about."""

    PLAY = "play"  # a roll and a name for the play
    ROLL = "roll"  # a roll alone
    FAN = "fan"  # nothing enters, whatever the roll
    ENTER = "enter"  # one checker enters with `die`
    DOUBLE = "double"
    REDOUBLE = "redouble"
    TAKE = "take"
    PASS = "pass"


class Token(NamedTuple):
    """One turn as written: `text` at place `at` of the whole.

    `names` are the Nactations that may be meant, the likelier first (a period behind a letter
    may be a dot or part the tokens).
    """

    kind: TokenKind
    text: str
    at: int
    roll: Roll | None = None
    names: tuple[Nactation, ...] = ()
    die: int = 0


class Parsed(NamedTuple):
    """A whole sequence; `start` is the position before its first token, `starts` who plays it.

    `dialect` is the usage by which its characters are to be read.
    """

    text: str
    start: Position
    starts: Player
    tokens: tuple[Token, ...]
    dialect: Dialect = CURRENT


# The words of the alphabet, but of the letters that are advanced knowledge.
_WORDS = {
    word: row
    for row in FAMILIES
    if not row.suffix and row.key not in "QFGMY"
    for word in row.word.split(", ")
} | {"zsplit": family("Z")}
_ACTIONS = {
    word: kind
    for kind, words in {
        TokenKind.DOUBLE: "c cub cube double",
        TokenKind.REDOUBLE: "r rcb redouble",
        TokenKind.TAKE: "t tak take",
        TokenKind.PASS: "p pas pass drop",
        TokenKind.FAN: "f fan ^",
    }.items()
    for word in words.split()
}
_START = re.compile(
    r"\s*(?P<nackgammon>N(?:ack(?:gammon)?)?[\s:]+(?=\S))?\s*(?:\+|(?P<second>-+>?))?\s*",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"(?:[\s/,;:|.-]|(?<![^\s])\d{1,3}[.)](?=\s))*")
_ACTION = re.compile(r"[A-Za-z]+|\^")
_WORD = re.compile(r"[\s-]?([A-Za-z]{2,})(?![A-Za-z0-9])")
_DIGITS = re.compile(r"\d+")


def parse_sequence(
    text: str, glyphs: Sequence[Glyph] | None = None, *, dialect: Dialect = CURRENT
) -> Parsed:
    """The tokens of a sequence; MalformedError with the place of what cannot be read.

    With `glyphs` only these characters of the text are read, as `read_markup` gives them.
    """
    scan = Scan(text, glyphs, dialect=dialect)
    at, start, starts = 0, STANDARD, Player.FIRST
    if match := _START.match(scan.bare):
        at = match.end()
        start = NACKGAMMON if match["nackgammon"] else STANDARD
        starts = Player.SECOND if match["second"] else Player.FIRST
    tokens: list[Token] = []
    while (at := scan.skip(_SEPARATORS, at)) < len(scan.bare):
        found, at = _read(scan, at)
        tokens += found
    return Parsed(text, start, starts, tuple(tokens), dialect)


def _read(scan: Scan, at: int) -> tuple[list[Token], int]:
    """The token at a place, or several that are run together, and where the next may begin."""
    if match := _DIGITS.match(scan.bare, at):
        return _read_digits(scan, at, match.end())
    match = _ACTION.match(scan.bare, at)
    found = match[0] if match else scan.bare[at]
    kind = _ACTIONS.get(found.lower())
    if kind is None:
        raise scan.error(
            f"found {quoted(found)}, expected a roll (31), a digit, F, or a cube letter (C R P)", at
        )
    return [Token(kind, found, scan.glyphs[at].at)], at + len(found)


def _read_digits(scan: Scan, at: int, end: int) -> tuple[list[Token], int]:
    """Digits are rolls, numerals behind rolls (`654`), or single dice that enter."""
    tokens = []
    named = 2 * (scan.bare[end : end + 1] in CHARACTERS)  # a name needs the last two for its roll
    while at < end:
        left, digit, place = end - at - named, scan.bare[at], scan.glyphs[at].at
        if left == 1:
            if digit not in "123456":
                raise scan.error(f"found {quoted(digit)}, expected a die from 1 to 6", at)
            tokens.append(Token(TokenKind.ENTER, digit, place, die=int(digit)))
            at += 1
        elif (left > 3 and left % 3) or (left == 2 and named):
            roll = _roll(scan, at)
            tokens.append(Token(TokenKind.ROLL, str(roll), place, roll))
            at += 2
        else:
            token, at = _read_roll(scan, at)
            tokens.append(token)
    return tokens, at


def _roll(scan: Scan, at: int) -> Roll:
    try:
        return Roll.parse(scan.bare[at : at + 2])
    except MalformedError as error:
        raise scan.error(str(error), at) from None


def _read_roll(scan: Scan, at: int) -> tuple[Token, int]:
    """A roll and the Nactation or word behind it, if there is one."""
    roll, bare, end = _roll(scan, at), scan.bare, at + 2
    names: tuple[Nactation, ...] = ()
    if (word := _WORD.match(bare, end)) and word[1].lower() in _WORDS:
        names, end = (Nactation(_WORDS[word[1].lower()]),), word.end()
    elif bare[end : end + 1] in CHARACTERS:
        dots: tuple[str, ...] = ()
        if roll.is_doublet:  # between digits a period parts tokens, unless hyphens do
            parts = bare[end + 2 : end + 3].isdigit() and "-" not in bare
            dots = ("", ".") if parts else (".", "")
        # A look that the roll has too is emphasis or style of the text, not of the character.
        names, end = scan.names(end, scan.glyphs[end - 1], dots)
        if not roll.is_doublet:  # no family has a mark
            names = tuple([name for name in names if name.mark is Diacritic.NONE]) or names
    elif end < len(bare) and scan.skip(_SEPARATORS, end) == end:
        raise scan.error(f"found {quoted(bare[end])}, expected a Nactation or a hyphen", end)
    kind = TokenKind.PLAY if names else TokenKind.ROLL
    return Token(kind, bare[at:end], scan.glyphs[at].at, roll, names), end
