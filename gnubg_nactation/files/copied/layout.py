"""What all copied analyses have in common: their numbers, their levels, and their characters."""

from __future__ import annotations

import html
import re

# A number with a decimal point or comma. The digits end before other numbers if the cells of a
# table run together: the next play in `+0.2182. 4-ply`, a footnote in `+0.21811296 Games`.
_DIGITS = r"[.,](?:\d{3,4}(?=\d\.\s?(?:\d-|[^\W\d_]))|\d{3}(?=\d\d)|\d{1,4})"
SIGNS = "+\\-\u2212\u2014\u2013\u2012\u2010\u2011"
NUMBER = rf"[{SIGNS}]?\s?\d{{0,2}}{_DIGITS}"
SIGNED = rf"[{SIGNS}]\s?\d{{0,2}}{_DIGITS}"

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,1000}>|\[/?[a-zA-Z]{1,12}(?:=[^\[\]\n]{0,200})?\]")
_LINE_TAG = re.compile(r"</?(?:br|tr|p|div|li|h\d|table|pre)\b", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,12});")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_ROLLER = re.compile(r"Roller\s?(\+\s?\+?)?", re.IGNORECASE)
_PLIES = re.compile(r"(?<![\d.,])(\d)\s?-?\s?[^\W\d_]{2,}(?P<red>\s?red\b)?(\+)?", re.IGNORECASE)
_ROLLOUT = re.compile("rollout|rolled out", re.IGNORECASE)
_BOOK = re.compile(
    "book|buch|libro|livre|manuale|kirja|\u043a\u043d\u0438\u0433\u0430|\u672c", re.IGNORECASE
)
_GNUBG = re.compile("cubeful|cubeless", re.IGNORECASE)
# Any level, in a text where other words are next to it.
LEVEL = re.compile(
    r"(?:XG\s?)?Roller\s?(?:\+\s?\+?)?|Rollout|(?<![\d.,])\d\s?-\s?[^\W\d_]{2,9}(?:\s?red\b)?",
    re.IGNORECASE,
)


def plain_text(text: str) -> str:
    """The text with blanks instead of the markup of HTML, BBCode and Markdown, of equal length."""
    if "<" in text or "[" in text:
        text = _TAG.sub(_blank_tag, text)
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    return _ESCAPE.sub(r"\1 ", text) if "\\" in text else text


def _blank_tag(match: re.Match[str]) -> str:
    tag = match[0]
    if tag.startswith("[") and len(tag) == 3:  # a nacbrac such as [P]
        return tag if tag[1].isupper() else "   "
    filling = "\n" if _LINE_TAG.match(tag) else " "
    return filling + " " * (len(tag) - 1)


def _character(match: re.Match[str]) -> str:
    return html.unescape(match[0])[:1].rjust(len(match[0]))


def to_number(text: str) -> float:
    """The value of a NUMBER."""
    digits = "".join(character for character in text if character.isdigit() or character in ".,")
    return float(digits.replace(",", ".")) * (-1 if text[0] in SIGNS[1:] else 1)


def level_of(text: str, *, is_gnubg: bool = False, is_rollout: bool = False) -> str:
    """The level in a text, as in `Candidate.method`: `XG Roller++`, `XG 3-ply red`, `2-ply`.

    `is_rollout` means that a margin of error is given. Only the bot if the level is unknown.
    """
    bot = "" if is_gnubg or _GNUBG.search(text) else "XG "
    if roller := _ROLLER.search(text):
        return f"XG Roller{'+' * (roller[1] or '').count('+')}"
    if _ROLLOUT.search(text):
        return f"{bot}rollout"
    if plies := _PLIES.search(text):
        return f"{bot}{plies[1]}-ply{' red' * bool(plies['red'])}{plies[3] or ''}"
    if _BOOK.search(text):
        return f"{bot}book"
    if is_rollout:
        return f"{bot}rollout"
    return bot.strip() or "gnubg"
