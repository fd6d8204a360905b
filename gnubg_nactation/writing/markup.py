"""Text as it is pasted from forums, mails and web pages: its characters and how each looks.

HTML, BBCode, Markdown and typographic Unicode are understood, also mixed. Only what really is a
tag, an entity or a pair of signs counts as markup, for `<`, `&`, `[` and `_` are Nactation too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from gnubg_nactation.writing.colours import colour_number
from gnubg_nactation.writing.markdown import code_spans, pair_emphasis
from gnubg_nactation.writing.typography import typed

__all__ = ["Glyph", "read_markup"]


class Glyph(NamedTuple):
    """One character with its look.

    `dot` is a dot or ring set below the character; a `.` after it is a glyph of its own, as is
    a `_`. `colour` is 0 for none, else the number of the colour. `at` is the offset in the text.
    """

    character: str
    italic: bool = False
    bold: bool = False
    underline: bool = False
    dot: bool = False
    colour: int = 0
    at: int = 0


class _Chars(NamedTuple):
    """Characters of the text, one after the other; those of an entity stand at one place."""

    text: str
    at: int
    step: int = 1


class _Tag(NamedTuple):
    """A tag of HTML or BBCode; `key` tells which tags belong together."""

    key: str
    closes: bool
    look: dict[str, int]
    space: str
    source: _Chars


class _Signs(NamedTuple):
    """A run of `*` or `_`."""

    start: int
    end: int


class _Paragraph(NamedTuple):
    """A blank line, which no emphasis passes."""

    at: int


_Piece = _Chars | _Tag | _Signs | _Paragraph

_ITALIC, _BOLD, _UNDERLINE, _COLOUR = "italic", "bold", "underline", "colour"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LOOKS: dict[str, dict[str, int]] = {
    "i": {_ITALIC: True},
    "em": {_ITALIC: True},
    "b": {_BOLD: True},
    "strong": {_BOLD: True},
    "u": {_UNDERLINE: True},
    "ins": {_UNDERLINE: True},
}
_LINES = _words(
    "address article aside blockquote body br caption center dd details div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre "
    "section summary table tbody tfoot thead title tr ul"
)
_CELLS = _words("td th")
_VOID = _words("br col hr img input link meta wbr")
_HTML = _LINES.union(_CELLS, _VOID, _LOOKS) | _words(
    "a abbr acronym big bdi bdo button cite code colgroup data del dfn font kbd label mark nobr "
    "o:p q s samp small span strike sub sup time tt var"
)
_BBCODE_LINES = _words("center hr br left li list quote right table tr *")
_BBCODE_VOID = _words("hr br *")
_BBCODE = _BBCODE_LINES.union(_CELLS) | _words(
    "b i u s em strong color colour font size url code c spoiler sub sup"
)

_TOKEN = re.compile(
    r"""
    (?P<paragraph> \r?\n (?= [ \t]*\r?\n ) )
  | (?P<newline> \r\n )
  | (?P<hidden> <!--(?:(?!-->).){0,500}--> | <![a-z][^<>]*>
              | <(?P<raw>script|style)\b[^<>]*>[^<]*</(?P=raw)\s*> )
  | <(?P<slash>/?)(?P<name>[a-z][a-z0-9:]*)(?P<attributes>\s[^<>]*|/)?>
  | (?P<entity> & (?: \#[0-9]{1,7} | \#x[0-9a-f]{1,6} | [a-z][a-z0-9]{1,31} ) ; )
  | \[(?P<bbslash>/?)(?P<bbname>[a-z]+|\*)(?:=(?P<value>[^\[\]]*))?\]
  | \\(?P<escaped>[!-/:-@\[-`{-~])
  | (?P<signs> \*+ | _+ )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)
# The trials behind a nacbrac: in ]"<8*3*1 the signs are no emphasis.
_TRIALS = re.compile(
    r"""\]\s*(?:[~/|\\'"\u2019\u201d]|&quot;|&\#39;){0,2}(?:[<^>=+&\u2264]|&lt;|&gt;|&amp;)*"""
    r"""[0-9.]+(?:[*\s]+[0-9.]+)+"""
)
_STYLE = re.compile(r"""\bstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", re.IGNORECASE)
_FONT = re.compile(r"""\bcolor\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", re.IGNORECASE)


def read_markup(text: str) -> tuple[Glyph, ...]:
    """The characters of a text without its markup, each with its look; never raises.

    White space becomes blanks and line breaks, dashes become hyphens, arrows become `->`.
    """
    pieces = list(_pieces(text))
    emphasis = pair_emphasis(
        text,
        (
            (piece.start, piece.end) if isinstance(piece, _Signs) else None
            for piece in pieces
            if isinstance(piece, (_Signs, _Paragraph))
        ),
    )
    unpaired = _unpaired(pieces)
    glyphs: list[Glyph] = []
    tags, italic, bold = _OpenTags(), 0, 0
    for at, piece in enumerate(pieces):
        chars: _Chars | None = None
        if isinstance(piece, _Chars):
            chars = piece
        elif isinstance(piece, _Paragraph):
            chars = _Chars("\n", piece.at)
        elif isinstance(piece, _Tag):
            if at in unpaired:
                chars = piece.source
            else:
                tags.read(piece)
                chars = _Chars(piece.space, piece.source.at)
        else:
            signs = emphasis[piece.start]
            italic -= signs.closes_italic
            bold -= signs.closes_bold
            chars = _Chars(text[piece.start] * signs.plain, piece.start)
        _write(glyphs, chars, tags.look(italic > 0, bold > 0))
        if isinstance(piece, _Signs):
            italic += signs.opens_italic
            bold += signs.opens_bold
    return tuple(glyphs)


def _write(glyphs: list[Glyph], chars: _Chars, look: Glyph) -> None:
    at = chars.at
    for character in chars.text:
        plain = typed(character)
        italic, bold = look.italic or plain.italic, look.bold or plain.bold
        underline = look.underline or plain.underline
        glyphs += [
            Glyph(found, italic, bold, underline, plain.dot, look.colour, at)
            for found in plain.characters
        ]
        if not plain.characters and (plain.underline or plain.dot) and glyphs:
            last = glyphs[-1]
            glyphs[-1] = last._replace(
                underline=last.underline or plain.underline, dot=last.dot or plain.dot
            )
        at += chars.step


def _pieces(text: str) -> Iterator[_Piece]:
    """The text cut into characters, tags, emphasis signs and blank lines."""
    at = 0
    for span in code_spans(text):
        yield from _running(text, at, span.start)
        yield _Chars(text[span.first : span.last], span.first)
        at = span.end
    yield from _running(text, at, len(text))


def _running(text: str, at: int, end: int) -> Iterator[_Piece]:
    trials = {
        place
        for match in _TRIALS.finditer(text, at, end)
        for place in range(*match.span())
        if text[place] == "*"
    }
    while match := _TOKEN.search(text, at, end):
        start = match.start()
        if start > at:
            yield _Chars(text[at:start], at)
        piece = None if start in trials else _piece(match)
        if piece is None:  # only looks like markup
            yield _Chars(text[start], start)
            at = start + 1
        else:
            yield piece
            at = match.end()
    if at < end:
        yield _Chars(text[at:end], at)


def _piece(match: re.Match[str]) -> _Piece | None:
    start, found = match.start(), match.groupdict()
    if found["signs"]:
        return _Signs(*match.span())
    if found["paragraph"]:
        return _Paragraph(start)
    if found["newline"]:
        return _Chars("\n", start)
    if found["hidden"]:
        return _Chars("", start)
    if found["escaped"]:
        # Behind a nacbrac a backslash names the bot.
        nacbrac = match.string[max(start - 2, 0) : start]
        level = nacbrac.endswith("]") and nacbrac != "\\]"
        return None if level else _Chars(found["escaped"], start + 1)
    if found["entity"]:
        meaning = html.unescape(found["entity"])
        return None if meaning == found["entity"] else _Chars(meaning, start, 0)
    return _html_tag(match) if found["name"] else _bbcode_tag(match)


def _html_tag(match: re.Match[str]) -> _Tag | None:
    name, attributes = match["name"].lower(), match["attributes"] or ""
    if name not in _HTML or ("=" not in attributes and attributes.strip(" \t\r\n/")):
        return None
    look = dict(_LOOKS.get(name, {}))
    if font := _FONT.search(attributes) if name == "font" else None:
        look[_COLOUR] = colour_number(_value(font))
    if style := _STYLE.search(attributes):
        look |= _style(_value(style))
    if name in _VOID or attributes.endswith("/"):
        look = {}
    space = "\n" if name in _LINES else " " if name in _CELLS else ""
    return _Tag("<" + name, bool(match["slash"]), look, space, _Chars(match[0], match.start()))


def _bbcode_tag(match: re.Match[str]) -> _Tag | None:
    name, value = match["bbname"].lower(), match["value"]
    if name not in _BBCODE or (value is not None and len(name) < 3):
        return None
    look = dict(_LOOKS.get(name, {}))
    if name in {"color", "colour"} and value is not None:
        look[_COLOUR] = colour_number(value.strip("\"'"))
    space = "\n" if name in _BBCODE_LINES else " " if name in _CELLS else ""
    return _Tag("[" + name, bool(match["bbslash"]), look, space, _Chars(match[0], match.start()))


def _value(attribute: re.Match[str]) -> str:
    return html.unescape(next((group for group in attribute.groups() if group), "")[:1000])


def _style(text: str) -> dict[str, int]:
    """What the declarations of a style attribute say about the look."""
    look: dict[str, int] = {}
    for declaration in text.lower().split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        value = value.removesuffix("!important").strip()
        if name == "font-style":
            look[_ITALIC] = value.startswith(("italic", "oblique"))
        elif name == "font-weight":
            heavy = value.isdecimal() and len(value) <= 4 and int(value) >= 600
            look[_BOLD] = heavy or value in {"bold", "bolder"}
        elif name in {"text-decoration", "text-decoration-line"}:
            look[_UNDERLINE] = "underline" in value
        elif name == "color":
            look[_COLOUR] = colour_number(value)
    return look


def _unpaired(pieces: list[_Piece]) -> set[int]:
    """The places of BBCode tags without a partner: [B] may be a nacbrac."""
    unpaired: set[int] = set()
    waiting: dict[str, list[int]] = {}
    for at, piece in enumerate(pieces):
        if not isinstance(piece, _Tag) or piece.key[0] == "<" or piece.key[1:] in _BBCODE_VOID:
            continue
        opened = waiting.setdefault(piece.key, [])
        if not piece.closes:
            opened.append(at)
            unpaired.add(at)
        elif opened:
            unpaired.discard(opened.pop())
        else:
            unpaired.add(at)
    return unpaired


class _OpenTags:
    """The tags that are open; each part of the look is as the innermost of them says."""

    def __init__(self) -> None:
        self._serial = 0
        self._open: dict[str, list[int]] = {}
        self._closed: set[int] = set()
        self._says: dict[str, list[tuple[int, int]]] = {
            part: [] for part in (_ITALIC, _BOLD, _UNDERLINE, _COLOUR)
        }

    def read(self, tag: _Tag) -> None:
        opened = self._open.setdefault(tag.key, [])
        if not tag.closes:
            self._serial += 1
            opened.append(self._serial)
            for part, value in tag.look.items():
                self._says[part].append((self._serial, value))
        elif opened:
            self._closed.add(opened.pop())

    def look(self, italic: bool, bold: bool) -> Glyph:
        """A blank that looks like what follows, within emphasis or not."""
        return Glyph(
            " ",
            italic or bool(self._innermost(_ITALIC)),
            bold or bool(self._innermost(_BOLD)),
            bool(self._innermost(_UNDERLINE)),
            colour=self._innermost(_COLOUR),
        )

    def _innermost(self, part: str) -> int:
        says = self._says[part]
        while says and says[-1][0] in self._closed:
            says.pop()
        return says[-1][1] if says else 0
