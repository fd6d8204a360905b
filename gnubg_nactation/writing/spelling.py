"""How a Nactation is written: plain, in Unicode, HTML, Markdown or BBCode, and read back."""

from __future__ import annotations

import html
import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Look, Nactation, from_look, parse_nactation
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import read_markup

__all__ = ["FORMS", "read_spelling", "spell"]

FORMS = ("plain", "unicode", "html", "markdown", "bbcode")

_LOW_LINE = "\u0332"
_MOST_MEMBER = 999_999  # six digits, as in the plain spelling
_SPELLING = re.compile(r"\s*(\S)([_.]?)(?:\{([1-9][0-9]{0,5})\})?\s*")
_SHOWN = 40
# Unescaped these could begin mathematics, a heading, a list, a mention or a superscript.
_BACKSLASHED = frozenset("$#@^=+")


def spell(nactation: Nactation, form: str) -> str:
    """The spelling in one of FORMS; ValueError for any other form.

    In each form different Nactations have different spellings. Raises MalformedError for a
    member number of more than six digits, which no form has room for.
    """
    if form not in FORMS:
        raise ValueError(f"not a form of spelling: {form!r}, expected one of {', '.join(FORMS)}")
    if not 1 <= nactation.member <= _MOST_MEMBER:
        raise MalformedError(f"no spelling for member {nactation.member}")
    underlined = nactation.mark is Diacritic.UNDERLINE
    if form == "plain":
        return str(nactation)
    if form == "unicode":
        return str(nactation).replace("_", _LOW_LINE)
    write = {"html": _html, "markdown": _markdown, "bbcode": _bbcode}[form]
    # The dot stays outside: in Markdown emphasis would not end between a dot and a digit.
    return write(nactation.look, underlined) + ("." if nactation.mark is Diacritic.DOT else "")


def _html(look: Look, underlined: bool) -> str:
    return _decorated(_emphasized(html.escape(look.character), look), look, underlined)


def _markdown(look: Look, underlined: bool) -> str:
    text = html.escape(look.character)
    text = "\\" + text if text in _BACKSLASHED else text
    if look.character.isalnum():
        stars = "*" * (look.italic + 2 * look.bold)
        return _decorated(stars + text + stars, look, underlined)
    # No emphasis begins between a digit and a sign: in 21*$* the stars would be shown.
    return _decorated(_emphasized(text, look), look, underlined)


def _emphasized(text: str, look: Look) -> str:
    text = f"<i>{text}</i>" if look.italic else text
    return f"<b>{text}</b>" if look.bold else text


def _decorated(text: str, look: Look, underlined: bool) -> str:
    text = f"<u>{text}</u>" if underlined else text
    if look.colour:
        text = f'<span style="color:{colour_text(look.colour)}">{text}</span>'
    return text


def _bbcode(look: Look, underlined: bool) -> str:
    text = look.character
    text = f"[i]{text}[/i]" if look.italic else text
    text = f"[b]{text}[/b]" if look.bold else text
    text = f"[u]{text}[/u]" if underlined else text
    return f"[color={colour_text(look.colour)}]{text}[/color]" if look.colour else text


def read_spelling(text: str) -> Nactation:
    """The Nactation that a text spells in any of FORMS; MalformedError if it spells none.

    A number in braces may stand behind a character that is also formatted, if they agree.
    """
    glyphs = read_markup(text)
    match = _SPELLING.fullmatch("".join(glyph.character for glyph in glyphs))
    if match is None:
        raise _malformed(text)
    glyph = glyphs[match.start(1)]
    marks = {"_"} if glyph.underline else set()
    marks |= {"."} if glyph.dot else set()
    marks |= {match[2]} if match[2] else set()
    if len(marks) > 1:
        raise _malformed(text, " (underlined and dotted)")
    mark = "".join(marks)
    found = from_look(glyph.character, mark, glyph.italic, glyph.bold, glyph.colour)
    if match[3] is None:
        return found
    first = from_look(glyph.character, mark, italic=False, bold=False, colour=0)
    numbered = parse_nactation(f"{first}{{{match[3]}}}")
    if found not in (first, numbered):
        raise _malformed(text, f" (it looks like member {found.member})")
    return numbered


def _malformed(text: str, reason: str = "") -> MalformedError:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return MalformedError(f"not a Nactation: {shown!r}{reason}", text=text)
