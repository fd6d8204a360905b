"""Spell a Nactation plainly, in Unicode, HTML, Markdown or BBCode, and read it back."""

from __future__ import annotations

import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.writing.colours import colour_text

FORMS = ("plain", "unicode", "html", "markdown", "bbcode")
# Markdown without HTML: on any site, on Reddit, and on Discord.
SITES = ("commonmark", "reddit", "discord")
# Each form of a post, and a similar one: a page stores only the differences.
LIKE = {
    "html": "plain",
    "bbcode": "plain",
    "commonmark": "plain",
    "reddit": "commonmark",
    "discord": "commonmark",
}

_LOW_LINE = "\u0332"
_MAX_MEMBER = 999_999  # six digits, as in the plain spelling
_SPELLING = re.compile(r"\s*(\S)([_.]?)(?:\{([1-9][0-9]{0,5})\})?\s*")
_HTML = ("<{0}>{1}</{0}>", '<span style="color:{0}">{1}</span>')
_BBCODE = ("[{0}]{1}[/{0}]", "[color={0}]{1}[/color]")
_TAGS = {"html": _HTML, "markdown": _HTML, "bbcode": _BBCODE}
# Unescaped these could begin mathematics, a heading, a list, a mention or a superscript.
_BACKSLASHED = frozenset("$#@^=+")
# Reddit would show the backslash of other signs, and Discord the names of entities.
_SITES = {
    "commonmark": _BACKSLASHED,
    "reddit": frozenset("#^+<>&"),
    "discord": frozenset("#@<>"),
}


def spell(nactation: Nactation | str, form: str) -> str:
    """Spell a Nactation, which may also be a plain spelling, in a form.

    The forms are `plain`, `unicode`, `html`, `markdown` (with some HTML), `bbcode`,
    `commonmark` (without HTML), `reddit` and `discord`. Each form spells different Nactations
    differently. The form for Discord needs the roll before it: `__E__` alone is a bold E elsewhere.
    Raises ValueError for other forms, and MalformedError for a member number of more than six
    digits.
    """
    if form not in (*FORMS, *SITES):
        expected = ", ".join((*FORMS, *SITES))
        raise ValueError(f"not a form of spelling: {quoted(form)}, expected one of {expected}")
    if isinstance(nactation, str):
        nactation = parse_nactation(nactation)
    if not 1 <= nactation.member <= _MAX_MEMBER:
        raise MalformedError(f"no spelling for member {nactation.member}")
    if form == "plain":
        return str(nactation)
    if form == "unicode":
        return str(nactation).replace("_", _LOW_LINE)
    if form in _SITES:
        return _without_tags(nactation, form)
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


def _without_tags(nactation: Nactation, site: str) -> str:
    """The spelling on a site, or the plain one (`E_`, `%{4}`) if the site has no sign for it.

    Italics and bold have stars, and Discord also marks underlines. No site has colours, and no
    emphasis begins between a digit and a sign, as in 21*%*.
    """
    character, italic, bold, colour = nactation.look
    text = escape(character) if site == "commonmark" else character
    text = f"\\{character}" if character in _SITES[site] else text
    mark = nactation.family.suffix.replace("_", "\\_")
    under = "__" if mark == "\\_" and site == "discord" else ""
    if colour or not character.isalnum() or (mark == "\\_" and not under):
        return text + mark + (f"{{{nactation.member}}}" if nactation.is_formatted else "")
    stars = "*" * (italic + 2 * bold)
    # A dot stays outside: emphasis would not end between it and a digit.
    return f"{under}{stars}{text}{stars}{under or mark}"


def escape(text: str) -> str:
    """Escape a text for HTML like `html.escape`, whose module is slow to import."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")


def read_spelling(text: str) -> Nactation:
    """Read a Nactation in any of FORMS; raises MalformedError.

    A formatted character may also have its number in braces, if they agree.
    """
    # Writing needs no markup reader.
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
    formatted = from_look(glyph.character, mark, glyph.italic, glyph.bold, glyph.colour)
    if match[3] is None:
        return formatted
    first = from_look(glyph.character, mark, italic=False, bold=False, colour=0)
    numbered = parse_nactation(f"{first}{{{match[3]}}}")
    if formatted not in (first, numbered):
        raise _malformed(text, f" (it is formatted like member {formatted.member})")
    return numbered


def _malformed(text: str, reason: str = "") -> MalformedError:
    return MalformedError(f"not a Nactation: {quoted(text)}{reason}", text=text)
