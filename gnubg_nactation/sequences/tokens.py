"""Sequences as text: what their tokens say, before any position is looked at (section 11).

`54S-63R-31P` in all the ways that people write it: other separators, pairs run together, words
(`54-split`), bare rolls, fans, single digits, cube letters, and looks pasted from a forum.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, family
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.writing.markup import Glyph, read_markup

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
    """A whole sequence; `start` is the position before its first token, `starts` who plays it."""

    text: str
    start: Position
    starts: Player
    tokens: tuple[Token, ...]


_WORDS = {
    "split": "S",
    "zsplit": "Z",
    "zplit": "Z",
    "run": "R",
    "point": "P",
    "down": "D",
    "up": "U",
    "slot": "$",
    "hit": "H",
    "kill": "K",
    "both": "B",
    "each": "E",
    "attack": "A",
    "cross": "C",
    "outer": "O",
    "near": "N",
    "jump": "J",
    "inside": "I",
    "stack": "T",
    "tower": "T",
    "lift": "L",
    "wild": "W",
    "anchor": "@",
    "fan": "^",
}
_ACTIONS = {
    "c": TokenKind.DOUBLE,
    "cub": TokenKind.DOUBLE,
    "cube": TokenKind.DOUBLE,
    "double": TokenKind.DOUBLE,
    "r": TokenKind.REDOUBLE,
    "rcb": TokenKind.REDOUBLE,
    "redouble": TokenKind.REDOUBLE,
    "t": TokenKind.TAKE,
    "tak": TokenKind.TAKE,
    "take": TokenKind.TAKE,
    "p": TokenKind.PASS,
    "pas": TokenKind.PASS,
    "pass": TokenKind.PASS,
    "drop": TokenKind.PASS,
    "f": TokenKind.FAN,
    "fan": TokenKind.FAN,
    "^": TokenKind.FAN,
}
_NACKGAMMON = re.compile(r"\s*N(?:ack(?:gammon)?)?[\s:]+(?=\S)", re.IGNORECASE)
_STARTS = re.compile(r"\s*(\+|-+>?)?\s*")
_SEPARATORS = re.compile(r"(?:[\s/,;:|.-]|(?<![^\s])\d{1,3}[.)](?=\s))*")
_ACTION = re.compile(r"[A-Za-z]+|\^")
_WORD = re.compile(r"[\s-]?([A-Za-z]{2,})(?![A-Za-z0-9])")
_DIGITS = re.compile(r"\d+")
_MEMBER = re.compile(r"\{([1-9]\d{0,5})\}")
_GLYPHS = {glyph for row in FAMILIES for glyph in row.characters + row.characters.lower()}
_DOTTED = {row.character for row in FAMILIES if row.suffix == "."} | {"B"}  # B. is read as Z


class _Source(NamedTuple):
    """The text with its markup taken away, and how each character of it looked."""

    text: str
    glyphs: tuple[Glyph, ...]
    bare: str

    def error(self, message: str, at: int) -> MalformedError:
        place = self.glyphs[at].at if at < len(self.glyphs) else len(self.text)
        return MalformedError(message, text=self.text, at=place)


def parse_sequence(text: str) -> Parsed:
    """The tokens of a sequence; MalformedError with the place of what cannot be read."""
    glyphs = read_markup(text)
    source = _Source(text, glyphs, "".join(glyph.character for glyph in glyphs))
    at, start, starts = 0, STANDARD, Player.FIRST
    if match := _NACKGAMMON.match(source.bare):
        at, start = match.end(), NACKGAMMON
    if match := _STARTS.match(source.bare, at):
        at = match.end()
        if (match[1] or "").startswith("-"):
            starts = Player.SECOND
    tokens: list[Token] = []
    while True:
        at = _skip(source.bare, at)
        if at >= len(source.bare):
            break
        found, at = _read(source, at)
        tokens += found
    return Parsed(text, start, starts, tuple(tokens))


def _skip(bare: str, at: int) -> int:
    match = _SEPARATORS.match(bare, at)
    return match.end() if match else at


def _read(source: _Source, at: int) -> tuple[list[Token], int]:
    """The token at a place, or several that are run together, and where the next may begin."""
    if match := _DIGITS.match(source.bare, at):
        return _read_digits(source, at, match.end())
    match = _ACTION.match(source.bare, at)
    says = _ACTIONS.get(match[0].lower()) if match else None
    if match is None or says is None:
        found = match[0] if match else source.bare[at]
        raise source.error(
            f"found {found!r}, expected a roll (31), a digit, F, or a cube letter (C R P)", at
        )
    return [Token(says, match[0], source.glyphs[at].at)], match.end()


def _read_digits(source: _Source, at: int, end: int) -> tuple[list[Token], int]:
    """Digits are rolls, numerals behind rolls (`654`), or single dice that enter."""
    tokens = []
    named = end < len(source.bare) and source.bare[end] in _GLYPHS
    while at < end:
        left = end - at - 2 if named else end - at
        if left <= 0:
            token, after = _read_roll(source, at)
            tokens.append(token)
            return tokens, after
        if left == 1:
            die = source.bare[at]
            if die not in "123456":
                raise source.error(f"found {die!r}, expected a die from 1 to 6", at)
            tokens.append(Token(TokenKind.ENTER, die, source.glyphs[at].at, die=int(die)))
            at += 1
        elif left % 3 == 0:
            roll = _roll(source, at)
            names, after = _read_name(source, at + 2, roll)
            text = source.bare[at:after]
            tokens.append(Token(TokenKind.PLAY, text, source.glyphs[at].at, roll, names))
            if after > at + 3:  # a member number in braces ends the digits
                return tokens, after
            at = after
        elif left == 2:
            token, after = _read_roll(source, at)
            tokens.append(token)
            return tokens, after
        else:
            roll = _roll(source, at)
            tokens.append(Token(TokenKind.ROLL, str(roll), source.glyphs[at].at, roll))
            at += 2
    return tokens, end


def _roll(source: _Source, at: int) -> Roll:
    try:
        return Roll.parse(source.bare[at : at + 2])
    except MalformedError as error:
        raise source.error(str(error), at) from None


def _read_roll(source: _Source, at: int) -> tuple[Token, int]:
    """A roll and the name behind it, if there is one."""
    roll = _roll(source, at)
    end = at + 2
    if (word := _WORD.match(source.bare, end)) and word[1].lower() in _WORDS:
        names: tuple[Nactation, ...] = (Nactation(family(_WORDS[word[1].lower()])),)
        end = word.end()
    else:
        names, end = _read_name(source, end, roll)
    says = TokenKind.PLAY if names else TokenKind.ROLL
    return Token(says, source.bare[at:end], source.glyphs[at].at, roll, names), end


def _read_name(source: _Source, at: int, roll: Roll) -> tuple[tuple[Nactation, ...], int]:
    """The Nactation behind a roll in its possible readings, none if the roll stands alone."""
    if at >= len(source.bare) or source.bare[at] not in _GLYPHS:
        if at < len(source.bare) and _skip(source.bare, at) == at:
            raise source.error(f"found {source.bare[at]!r}, expected a Nactation or a hyphen", at)
        return (), at
    suffixes, end = _read_suffix(source, at, roll)
    member = _MEMBER.match(source.bare, end)
    number = int(member[1]) if member else 0
    try:
        names = tuple(_name(source, at, suffix, number) for suffix in suffixes)
    except MalformedError as error:
        raise source.error(str(error), at) from None
    return names, member.end() if member else end


def _read_suffix(source: _Source, at: int, roll: Roll) -> tuple[list[str], int]:
    """What marks the character may carry, the likelier first, and where its spelling goes on."""
    glyph, end = source.glyphs[at], at + 1
    if source.bare.startswith("_", end):
        return ["_"], end + 1
    if glyph.underline or glyph.dot:
        return ["_" if glyph.underline else "."], end
    dotted = roll.is_doublet and glyph.character.upper() in _DOTTED
    if dotted and source.bare.startswith(".", end):
        parts = source.bare[end + 1 : end + 2].isdigit() and "-" not in source.bare
        return (["", "."] if parts else [".", ""]), end + 1
    return [""], end


def _name(source: _Source, at: int, suffix: str, number: int) -> Nactation:
    glyph = source.glyphs[at]
    if number:
        return parse_nactation(f"{glyph.character}{suffix}{{{number}}}")
    # A look that the roll has too is emphasis or style of the text, not of the character.
    roll = source.glyphs[at - 1]
    return from_look(
        glyph.character,
        suffix,
        glyph.italic and not roll.italic,
        glyph.bold and not roll.bold,
        0 if glyph.colour == roll.colour else glyph.colour,
    )
