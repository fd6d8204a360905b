"""How a Nactation is written: plain, in Unicode, HTML, Markdown or BBCode, and read back."""

from __future__ import annotations

import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.writing.colours import colour_text

FORMS = ("plain", "unicode", "html", "markdown", "bbcode")
# Markdown where HTML is off, shown or dropped: on any site, on Reddit, and on Discord.
SITES = ("commonmark", "reddit", "discord")
# Each form of a post, and the one that it differs little from: a page holds only the differences.
LIKE = {
    "html": "plain",
    "bbcode": "plain",
    "commonmark": "plain",
    "reddit": "commonmark",
    "discord": "commonmark",
}

_LOW_LINE = "\u0332"
_MOST_MEMBER = 999_999  # six digits, as in the plain spelling
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
    """The spelling in one of FORMS, or of SITES, also of a plain one; ValueError for other forms.

    In each form different Nactations have different spellings. That for Discord is for behind a
    roll: `__E__` alone is a bold E elsewhere. Raises MalformedError for a
    member number of more than six digits, which no form has room for.
    """
    if form not in (*FORMS, *SITES):
        raise ValueError(
            f"not a form of spelling: {quoted(form)}, expected one of {', '.join((*FORMS, *SITES))}"
        )
    if isinstance(nactation, str):
        nactation = parse_nactation(nactation)
    if not 1 <= nactation.member <= _MOST_MEMBER:
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
    """The spelling on a site; as it is typed (`E_`, `%{4}`) where the site has no sign for it.

    Italics and bold have stars, and Discord has a sign for underlines, too. Nobody has colours,
    and in 21*%* no emphasis begins, between a digit and a sign.
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
