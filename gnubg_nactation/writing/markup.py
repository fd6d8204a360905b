"""Read text pasted from forums, mails and web pages: its characters, each with its style.

Reads HTML, BBCode, Markdown and typographic Unicode, also mixed, and Discord's underlines
(`33__M__`) after a roll. Only real tags, entities and pairs of signs count as markup, because `<`,
`&`, `[` and `_` are Nactation, too.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import Any, NamedTuple
from gnubg_nactation.writing.colours import colour_number

_BACKTICKS = re.compile(r"`+")
_OPENING = re.compile(r"\\[!-/:-@\[-`{-~]|(?P<line>^ {0,3})?(?P<sign>`+)", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n(?=[ \t\r]*\n)")
_INFO = re.compile(r"[^`\n]*\n")


def code_spans(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each code span or fenced code of a text: its start, its contents' start and end, its end."""
    closings: dict[int, list[int]] = {}  # length of a run: where such runs start
    for match in _BACKTICKS.finditer(text):
        closings.setdefault(len(match[0]), []).append(match.start())
    blanks = [match.start() for match in _BLANK_LINE.finditer(text)] if closings else []
    end = 0
    while closings and (opening := _OPENING.search(text, end)):
        first = end = opening.end()
        length = len(opening["sign"] or "")
        same = closings.get(length, [])
        closing = bisect_left(same, first)
        if closing == len(same):
            continue
        start, last = first - length, same[closing]
        fenced = length >= 3 and opening["line"] is not None
        if info := _INFO.match(text, first) if fenced else None:
            first = info.end()
        elif bisect_left(blanks, start) != bisect_left(blanks, last):
            continue  # a blank line lies between
        end = last + length
        yield start, first, last, end


@dataclass(slots=True)
class Delimiters:
    """A run of `*` or `_`, and the emphasis it ends and begins, once paired with others.

    `ends` and `begins` count emphasis by its number of signs: 1 for italics, 2 for bold; the `left`
    signs remain text. A blank line, which ends all emphasis, is a run of one line feed.
    """

    at: int
    sign: str
    length: int
    can_open: bool
    can_close: bool
    left: int
    ends: list[int] = field(default_factory=lambda: [0, 0, 0])
    begins: list[int] = field(default_factory=lambda: [0, 0, 0])

    def fits(self, closer: Delimiters) -> bool:
        """Whether the closer may end the emphasis of this run (CommonMark's rules 9 and 10)."""
        both_ways = self.can_close or closer.can_open
        threes = (self.length + closer.length) % 3 == 0 and self.length % 3 != 0
        return self.sign == closer.sign and not (both_ways and threes)


def delimiters(text: str, start: int, end: int) -> Delimiters:
    """The run of signs between two offsets, not paired yet."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens = _flanks(after, before)
    closes = _flanks(before, after)
    if text[start] == "_":  # within a word it is no emphasis; E_ is an underlined E
        opens, closes = (
            opens and (not closes or _is_punctuation(before)),
            closes and (not opens or _is_punctuation(after)),
        )
    return Delimiters(start, text[start], end - start, opens, closes, end - start)


def pair_emphasis(runs: Iterable[Delimiters]) -> None:
    """Pair the runs of a text, in time proportional to the number of signs."""
    openers: list[Delimiters] = []
    searched: dict[tuple[str, bool, int], int] = {}  # openers before these places do not fit
    for run in runs:
        if run.sign == "\n":
            openers.clear()
        if run.can_close:
            _close(run, openers, searched)
        if run.can_open and run.left:
            openers.append(run)


def _close(
    closer: Delimiters, openers: list[Delimiters], searched: dict[tuple[str, bool, int], int]
) -> None:
    """End the emphasis of earlier runs, the nearest first."""
    key = (closer.sign, closer.can_open, closer.length % 3)
    for at in range(len(openers) - 1, -1, -1):
        opener = openers[at]
        if opener.at < searched.get(key, 0):
            break
        if not opener.fits(closer):
            continue
        del openers[at + 1 :]
        while opener.left and closer.left:
            used = min(opener.left, closer.left, 2)
            opener.begins[used] += 1
            closer.ends[used] += 1
            opener.left -= used
            closer.left -= used
        if not opener.left:
            openers.pop()
        if not closer.left:
            return
    searched[key] = closer.at


def _flanks(inner: str, outer: str) -> bool:
    if inner.isspace():
        return False
    return not _is_punctuation(inner) or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


# ruff: noqa: RUF001 - characters that look alike are the subject of this module


class Glyph(NamedTuple):
    """One character with its look.

    `dot` is a dot or ring below the character; a `.` or `_` after it is a separate glyph. `colour`
    is 0 for none, else the number of the colour. `at` is the offset in the text. Without a
    `character` it is a mark on the glyph before it.
    """

    character: str
    italic: bool = False
    bold: bool = False
    underline: bool = False
    dot: bool = False
    colour: int = 0
    at: int = 0

    @property
    def marks(self) -> str:
        """The marks below the character, in plain text: `_` and `.`."""
        return "_" * self.underline + "." * self.dot


_UNDERLINES = {"\u0332", "\u0331"}  # low line, macron below
_DOTS = {"\u0323", "\u0325"}  # dot below, ring below
_LOOK_ALIKE = (
    dict.fromkeys("→⇒⟶⟹➔➙➛➜➝➞➡➤", "->")
    | dict.fromkeys("−⁃‑", "-")
    | dict.fromkeys("‘’‚‛′", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("ˆ∧", "^")
    | dict.fromkeys("˜∼", "~")
    | dict.fromkeys("⁄∕", "/")
    | dict.fromkeys("∗⁎", "*")
    | dict.fromkeys("\n\x85\u2028\u2029", "\n")
    | {"…": "...", "∣": "|", "‹": "<", "›": ">", "〈": "<", "〉": ">"}
)
# Some letters, such as the italic h, are outside the mathematical block.
_STYLED = ("MATHEMATICAL ", "FULLWIDTH ", "SMALL ", "PLANCK CONSTANT", "SCRIPT ", "BLACK-LETTER ")


@lru_cache(maxsize=4096)
def typed(character: str) -> tuple[Glyph, ...]:
    """The plain glyphs of a character: of a space, dash, quote, arrow, styled letter or mark."""
    if character in _LOOK_ALIKE:
        return tuple(map(Glyph, _LOOK_ALIKE[character]))
    if character.isspace() or character.isascii():
        return (Glyph(" " if character.isspace() else character),)
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category == "Cf" or name.startswith(("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")):
        return ()
    if category == "Pd":
        return (Glyph("-"),)
    if name.startswith(_STYLED):
        base = unicodedata.normalize("NFKD", character)
        if len(base) == 1 and base.isascii():
            italic = "ITALIC" in name or name == "PLANCK CONSTANT"
            return (Glyph(base, italic=italic, bold="BOLD" in name),)
    parts = unicodedata.normalize("NFD", character)
    base = "".join(part for part in parts if part not in _UNDERLINES | _DOTS)
    if base != parts and len(base) <= 1 and base.isascii():
        underline, dot = not _UNDERLINES.isdisjoint(parts), not _DOTS.isdisjoint(parts)
        return (Glyph(base, underline=underline, dot=dot),)
    return (Glyph(character),)


class _Chars(NamedTuple):
    """Successive characters of the text; those of an entity share an offset (`step` 0)."""

    text: str
    at: int
    step: int = 1


class _Tag(NamedTuple):
    """A tag of HTML or BBCode; tags with the same `key` can be a pair."""

    key: str
    closes: bool
    look: dict[str, Any]
    shown: _Chars
    source: _Chars


_Look = dict[str, Any]  # some parts of a glyph
_Piece = _Chars | _Tag | Delimiters

_ITALIC, _BOLD, _UNDERLINE, _COLOUR = "italic", "bold", "underline", "colour"
_PLAIN: _Look = {_ITALIC: False, _BOLD: False, _UNDERLINE: False, _COLOUR: 0}
_LOOKS: dict[str, _Look] = {
    name: {part: True}
    for part, names in ((_ITALIC, "i em"), (_BOLD, "b strong"), (_UNDERLINE, "u ins"))
    for name in names.split()
}
_SHOWN_HTML = {
    "": "a abbr acronym b big bdi bdo button cite code col colgroup data del dfn em font i img "
    "input ins kbd label link mark meta nobr o:p q s samp small span strike strong sub sup time "
    "tt u var wbr",
    "\n": "address article aside blockquote body br caption center dd details div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre "
    "section summary table tbody tfoot thead title tr ul",
    " ": "td th",
}
_SHOWN_BBCODE = {
    "": "b i u s em strong color colour font size url code c spoiler sub sup",
    "\n": "center hr br left li list quote right table tr *",
    " ": "td th",
}
# The tags, and the text shown instead.
_SHOWN = {
    bracket + name: shown
    for bracket, tags in (("<", _SHOWN_HTML), ("[", _SHOWN_BBCODE))
    for shown, names in tags.items()
    for name in names.split()
}
_ALONE = {"<br", "<col", "<hr", "<img", "<input", "<link", "<meta", "<wbr", "[hr", "[br", "[*"}

_TOKEN = re.compile(
    r"""
    (?P<paragraph> \r?\n (?= [ \t]*\r?\n ) )
  | (?P<newline> <br[ ]?/?>\r?\n (?! [ \t]*\r?\n ) | \r\n )
  | (?P<hidden> <!--(?:(?!-->).){0,500}--> | <![a-z][^<>]*>
              | <(?P<raw>script|style)\b[^<>]*>[^<]*</(?P=raw)\s*> )
  | (?P<html> </?(?P<name>[a-z][a-z0-9:]*)(?P<attributes>\s[^<>]*|/)?> )
  | (?P<entity> & (?: \#[0-9]{1,7} | \#x[0-9a-f]{1,6} | [a-z][a-z0-9]{1,31} ) ; )
  | (?P<bbcode> \[/?(?P<bbname>[a-z]+|\*)(?:=(?P<value>[^\[\]]*))?\] )
  | (?P<escaped> \\[!-/:-@\[-`{-~] )
  | (?P<under> (?<=[0-9]) __ (?= (?P<inner> (?P<stars>\*{0,3}) [a-z] (?P=stars) ) __ (?!_) ) )
  | (?P<signs> \*+ | _+ )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)
_LONGEST = 100_000  # characters: a thousand nacbracs, about a second of work
# The trials after a nacbrac: in ]"<8*3*1 the signs are no emphasis.
_TRIALS = re.compile(
    r"""\]\s*(?:[~/|\\'"\u2019\u201d]|&quot;|&\#39;){0,2}(?:[<^>=+&\u2264]|&lt;|&gt;|&amp;)*"""
    r"""[0-9.]+(?:[*\s]+[0-9.]+)+"""
)


def read_markup(text: str, *, longest: int = _LONGEST) -> tuple[Glyph, ...]:
    """The characters of a text without its markup, each with its style.

    White space becomes blanks and line breaks, dashes become hyphens, arrows become `->`. Raises
    MalformedError only for a text of more than `longest` characters.
    """
    if len(text) > longest:
        message = f"a text of {len(text):,} characters; {longest:,} are read at once"
        raise MalformedError(message)
    pieces = list(_pieces(text))
    pair_emphasis(piece for piece in pieces if isinstance(piece, Delimiters))
    ends = _pair_tags(pieces)
    glyphs: list[Glyph] = []
    # For each part of the style, the ends and values of the open tags, the innermost last.
    open_tags = {part: [(len(pieces), value)] for part, value in _PLAIN.items()}
    italic = bold = 0
    for at, piece in enumerate(pieces):
        if isinstance(piece, Delimiters):
            italic -= piece.ends[1]
            bold -= piece.ends[2]
            chars = _Chars(piece.sign * piece.left, piece.at)
        elif isinstance(piece, _Tag):
            chars = piece.shown
            for part, value in {} if piece.closes else piece.look.items():
                open_tags[part].append((ends.get(at, len(pieces)), value))
        else:
            chars = piece
        if chars.text:
            look = _innermost(open_tags, at)
            look |= {_ITALIC: italic > 0 or look[_ITALIC], _BOLD: bold > 0 or look[_BOLD]}
            _write(glyphs, chars, Glyph(" ", **look))
        if isinstance(piece, Delimiters):
            italic += piece.begins[1]
            bold += piece.begins[2]
    return tuple(glyphs)


def _pair_tags(pieces: list[_Piece]) -> dict[int, int]:
    """The closing piece of each opening tag, by index.

    BBCode tags without a partner become text again, because [B] may be a nacbrac.
    """
    ends: dict[int, int] = {}
    tags = [(at, piece) for at, piece in enumerate(pieces) if isinstance(piece, _Tag)]
    waiting: dict[str, list[int]] = {}
    for at, tag in tags:
        opened = waiting.setdefault(tag.key, [])
        if not tag.closes:
            opened.append(at)
        elif opened:
            ends[opened.pop()] = at
    paired = {*ends, *ends.values()}
    for at, tag in tags:
        if at not in paired and tag.key[0] == "[" and tag.key not in _ALONE:
            pieces[at] = tag.source
    return ends


def _innermost(open_tags: dict[str, list[tuple[int, Any]]], at: int) -> _Look:
    for stack in open_tags.values():
        while stack[-1][0] <= at:
            stack.pop()
    return {part: stack[-1][1] for part, stack in open_tags.items()}


def _write(glyphs: list[Glyph], chars: _Chars, look: Glyph) -> None:
    at = chars.at
    for character in chars.text:
        for plain in typed(character):
            italic, bold = look.italic or plain.italic, look.bold or plain.bold
            underline, dot = look.underline or plain.underline, plain.dot
            if plain.character:
                glyphs.append(Glyph(plain.character, italic, bold, underline, dot, look.colour, at))
            elif glyphs:
                last = glyphs[-1]
                underline, dot = last.underline or plain.underline, last.dot or dot
                glyphs[-1] = last._replace(underline=underline, dot=dot)
        at += chars.step


def _pieces(text: str) -> Iterator[_Piece]:
    """The text cut into characters, tags, emphasis signs and blank lines."""
    at = 0
    for start, first, last, end in code_spans(text):
        yield from _running(text, at, start)
        yield _Chars(text[first:last], first)
        at = end
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
        if match["under"]:  # Discord's; in CommonMark it means nothing within a word
            inner, last = match.span("inner")
            yield _Tag("__", False, _LOOKS["u"], _Chars("", start), _Chars("", start))
            yield from _running(text, inner, last)
            yield _Tag("__", True, {}, _Chars("", last), _Chars("", last))
            at = last + 2
            continue
        piece = None if start in trials else _piece(match)
        if piece is None:  # only looks like markup
            yield _Chars(text[start], start)
            at = start + 1
        else:
            yield piece
            at = match.end()
    if at < end:
        yield _Chars(text[at:end], at)


def _piece(token: re.Match[str]) -> _Piece | None:
    start, text = token.start(), token[0]
    match token.lastgroup:
        case "signs":
            return delimiters(token.string, *token.span())
        case "paragraph":
            return Delimiters(start, "\n", 1, False, False, 1)
        case "newline":
            return _Chars("\n", start)
        case "hidden":
            return _Chars("", start)
        case "escaped":
            # After a nacbrac, a backslash names the bot.
            before = token.string[max(start - 2, 0) : start]
            level = before.endswith("]") and before != "\\]"
            return None if level else _Chars(text[1], start + 1)
        case "entity":
            meaning = html.unescape(text)
            return None if meaning == text else _Chars(meaning, start, 0)
        case _:
            return _tag(token)


def _tag(match: re.Match[str]) -> _Tag | _Chars | None:
    text, at = match[0], match.start()
    name, attributes, value = match["name"], match["attributes"] or "", match["value"]
    name = (name or match["bbname"]).lower()
    key = text[0] + name
    likely = "=" in attributes or not attributes.strip(" \t\r\n/")
    if key not in _SHOWN or not likely or (value is not None and len(name) < 3):
        return None
    if attributes.endswith("/"):  # closes itself
        return _Chars(_SHOWN[key], at)
    look = {} if key in _ALONE else _look(name, attributes, value)
    return _Tag(key, text[1] == "/", look, _Chars(_SHOWN[key], at), _Chars(text, at))


def _look(name: str, attributes: str, value: str | None) -> _Look:
    """The style of a tag, by its name, its HTML attributes, or its BBCode value."""
    look = dict(_LOOKS.get(name, {}))
    colour = _attribute("color", attributes) if name == "font" else None
    if name in {"color", "colour"} and value is not None:
        colour = value.strip("\"'")
    if colour is not None:
        look[_COLOUR] = colour_number(colour)
    return look | _style(_attribute("style", attributes) or "")


def _attribute(name: str, attributes: str) -> str | None:
    match = re.search(
        rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", attributes, re.IGNORECASE
    )
    return html.unescape((match[1] or match[2] or match[3] or "")[:1000]) if match else None


def _style(text: str) -> _Look:
    """The style of a `style` attribute."""
    look: _Look = {}
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
