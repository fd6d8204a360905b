"""Find a Nactation in a text; spell it plainly, in Unicode, HTML, Markdown, BBCode or colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import Glyph, read_markup

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
    """Spell a Nactation, which may also be a plain spelling, in one of FORMS or SITES.

    Each form spells different Nactations differently. The form for Discord needs the roll before
    it: `__E__` alone is a bold E elsewhere. Raises ValueError for other forms, and MalformedError
    for a member number of more than six digits.
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


_NUMBERED = r"[^\s{}][_.]?\{[1-9][0-9]{0,5}\}"
_UNDERLINED = r"(?:(?<=[1-6]{2})|(?<=[\s(\[=]))[A-Za-z]_(?![A-Za-z_])"
_ERROR = r"(?P<sign>\?\?|\?!|\?) -[0-9]{0,3}\.[0-9]{3}"
_STYLED = re.compile(f"(?P<name>{_NUMBERED}|{_UNDERLINED})|{_ERROR}")
_SEVERITIES = {"??": "1;31", "?": "31", "?!": "33"}  # bold red, red, yellow

_GAP = re.compile(r"(?<! ) {2,}(?=\S)")  # between the columns of a table
_BLANK = re.compile(r"(?<! ) +(?=\S)")
_TOKEN = re.compile(r"(?<=[^\s-])-(?=[1-6]{2}|[CFPR](?:-|$))")
_INDENT = 4  # columns, of continuation lines


def styled(text: str) -> str:
    """The text with escape codes for styles and colours."""
    return _STYLED.sub(_style, text)


def _style(match: re.Match[str]) -> str:
    if match["sign"]:
        return f"\x1b[{_SEVERITIES[match['sign']]}m{match[0]}\x1b[0m"
    try:
        name = parse_nactation(match[0])
    except MalformedError:
        return match[0]
    codes = _codes(name)
    return f"\x1b[{codes}m{match[0][0]}\x1b[0m{match[0][1:]}" if codes else match[0]


def _codes(name: Nactation) -> str:
    """The style of a Nactation, for `ESC [ ... m`."""
    _, italic, bold, colour = name.look
    codes = ["3"] * italic + ["1"] * bold + ["4"] * (name.mark is Diacritic.UNDERLINE)
    if colour:
        red, green, blue = bytes.fromhex(colour_text(colour)[1:])
        codes.append(f"38;2;{red};{green};{blue}")
    return ";".join(codes)


def fold(text: str, width: int) -> str:
    """The text in lines of at most this width, if they can be folded.

    Tables are folded between columns, sequences between tokens, other text at blanks.
    """
    if all(len(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(part for line in text.split("\n") for part in _folded(line, width))


def _folded(line: str, width: int) -> Iterator[str]:
    at = inset = len(line) - len(line.lstrip(" "))
    indent = " " * inset
    while len(indent) + len(line) - at > width:
        piece = indent + line[at : at + width + 2 - len(indent)]
        end = _fold_at(piece, len(indent), width)
        if not end:
            break
        yield piece[:end].rstrip(" ")
        at += end - len(indent)
        indent = " " * (inset + _INDENT * (" " in line.strip()))
    yield indent + line[at:]


def _fold_at(line: str, inset: int, width: int) -> int:
    """The index at which to continue a long line below; 0 if it cannot be folded."""
    half = width // 2
    for pattern, minimum in ((_GAP, half), (_TOKEN, half), (_BLANK, inset), (_TOKEN, inset)):
        hyphen = pattern is _TOKEN  # it stays after its token
        places = [
            match.end()
            for match in pattern.finditer(line, inset)
            if minimum < match.start() and match.start() + hyphen <= width
        ]
        if places:
            return places[-1]
    return 0


# The first characters of Nactations, and those that may have a dot (B. is read as Z).
CHARACTERS = frozenset("".join(family.glyphs for family in FAMILIES))
_DOTTED = {family.character for family in FAMILIES if family.suffix == "."} | {"B"}
_MEMBER = re.compile(r"\{([1-9]\d{0,5})\}")
PLAIN = Glyph(" ")


class Scan:
    """A text without its markup: its characters (`bare`), and their `glyphs` from `read_markup`."""

    __slots__ = ("bare", "glyphs", "text")

    def __init__(self, text: str, glyphs: Sequence[Glyph] | None = None) -> None:
        self.text = text
        self.glyphs = read_markup(text) if glyphs is None else glyphs
        self.bare = "".join(glyph.character for glyph in self.glyphs)

    def error(self, message: str, at: int) -> MalformedError:
        """An error about the character at an index, with its offset in the text."""
        place = self.glyphs[at].at if at < len(self.glyphs) else len(self.text)
        return MalformedError(message, text=self.text, at=place)

    def skip(self, pattern: re.Pattern[str], at: int) -> int:
        """The index after a match of the pattern; `at` without a match."""
        match = pattern.match(self.bare, at)
        return match.end() if match else at

    def names(
        self, at: int, around: Glyph = PLAIN, dots: Sequence[str] = ()
    ) -> tuple[tuple[Nactation, ...], int]:
        """The possible Nactations at an index, and the end of their spelling.

        Bold, italics and colour that `around` also has belong to the text. `dots` are the meanings
        of a period after a letter that may be dotted (`.` or nothing), the likeliest first; none if
        it is not part of the name. Raises MalformedError with the offset.
        """
        glyph, end = self.glyphs[at], at + 1
        marks: Sequence[str] = (glyph.marks[:1],)
        sign = self.bare[end : end + 1]
        if sign == "_":
            marks, end = sign, end + 1
        elif sign == "." and dots and not glyph.marks and glyph.character.upper() in _DOTTED:
            marks, end = dots, end + 1
        member = _MEMBER.match(self.bare, end)
        italic, bold = glyph.italic and not around.italic, glyph.bold and not around.bold
        colour = 0 if glyph.colour == around.colour else glyph.colour
        try:
            if member:
                end, number = member.end(), f"{{{int(member[1])}}}"
                names = [parse_nactation(glyph.character + mark + number) for mark in marks]
            else:
                names = [from_look(glyph.character, mark, italic, bold, colour) for mark in marks]
        except MalformedError as problem:
            raise self.error(str(problem), at) from None
        return (*names,), end
