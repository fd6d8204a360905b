"""How a Nactation is written: plain, in Unicode, HTML, Markdown or BBCode, and read back."""

from __future__ import annotations

import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.writing.colours import colour_text

__all__ = ["FORMS", "escape", "read_spelling", "spell"]

FORMS = ("plain", "unicode", "html", "markdown", "bbcode")

_LOW_LINE = "\u0332"
_MOST_MEMBER = 999_999  # six digits, as in the plain spelling
_SPELLING = re.compile(r"\s*(\S)([_.]?)(?:\{([1-9][0-9]{0,5})\})?\s*")
_HTML = ("<{0}>{1}</{0}>", '<span style="color:{0}">{1}</span>')
_BBCODE = ("[{0}]{1}[/{0}]", "[color={0}]{1}[/color]")
_TAGS = {"html": _HTML, "markdown": _HTML, "bbcode": _BBCODE}
# Unescaped these could begin mathematics, a heading, a list, a mention or a superscript.
_BACKSLASHED = frozenset("$#@^=+")


def spell(nactation: Nactation, form: str) -> str:
    """The spelling in one of FORMS; ValueError for any other form.

    In each form different Nactations have different spellings. Raises MalformedError for a
    member number of more than six digits, which no form has room for.
    """
    if form not in FORMS:
        raise ValueError(
            f"not a form of spelling: {quoted(form)}, expected one of {', '.join(FORMS)}"
        )
    if not 1 <= nactation.member <= _MOST_MEMBER:
        raise MalformedError(f"no spelling for member {nactation.member}")
    if form == "plain":
        return str(nactation)
    if form == "unicode":
        return str(nactation).replace("_", _LOW_LINE)
    character, italic, bold, colour = nactation.look
    tag, coloured = _TAGS[form]
    tags = "i" * italic + "b" * bold
    text = character if form == "bbcode" else escape(character)
    if form == "markdown" and character.isalnum():
        stars, tags = "*" * (italic + 2 * bold), ""
        text = stars + text + stars
    elif form == "markdown" and character in _BACKSLASHED:
        # No emphasis begins between a digit and a sign: in 21*$* the stars would be shown.
        text = "\\" + text
    for name in tags + "u" * (nactation.mark is Diacritic.UNDERLINE):
        text = tag.format(name, text)
    if colour:
        text = coloured.format(colour_text(colour), text)
    # The dot stays outside: in Markdown emphasis would not end between a dot and a digit.
    return text + "." * (nactation.mark is Diacritic.DOT)


def escape(text: str) -> str:
    """The text as HTML that shows it, as by `html.escape`, whose module is slow to import."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")


def read_spelling(text: str) -> Nactation:
    """The Nactation that a text spells in any of FORMS; MalformedError if it spells none.

    A number in braces may stand behind a character that is also formatted, if they agree.
    """
    # Whoever only writes characters need not wait for what reads all kinds of markup.
    from gnubg_nactation.writing.scan import Scan  # noqa: PLC0415

    scan = Scan(text)
    match = _SPELLING.fullmatch(scan.bare)
    if match is None:
        raise _malformed(text)
    glyph = scan.glyphs[match.start(1)]
    marks = {*glyph.marks, *match[2]}
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
    return MalformedError(f"not a Nactation: {quoted(text)}{reason}", text=text)
