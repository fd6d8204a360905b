"""Reads the comments of .xg files: lines, most of them RTF.

RTF is read as eXtreme Gammon and the text fields of Windows write it. Each character is read once
and groups are kept on a list, so that time and memory are linear in the length of any text.
"""

from __future__ import annotations

import codecs
import re

from gnubg_nactation.values import NamedTuple

_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])"
    r"|[\r\n]+|([^\\{}\r\n]+|\\)"
)
_WORDS = {
    "par": "\n",
    "line": "\n",
    "row": "\n",
    "sect": "\n\n",
    "page": "\n\n",
    "tab": "\t",
    "cell": "|",
    "nestcell": "|",
    "bullet": "\u2022",
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
}
_SYMBOLS = {
    "\\": "\\",
    "{": "{",
    "}": "}",
    "\n": "\n",
    "\r": "\r",
    "~": "\xa0",
    "-": "\xad",
    "_": "\u2011",
}
_FONTS = "fonttbl"
_HIDDEN = {  # groups without text of the document; those that begin with \* have none either
    *("colortbl", "fldinst", "fonttbl", "footer", "footnote", "generator", "header", "info"),
    *("nonesttables", "object", "pict", "pntext", "shp", "stylesheet", "tc", "upr", "xe"),
}
_CHARSETS = {  # of fonts; any other uses the code page of the document
    0: "cp1252",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "cp936",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}


_LINE_END = b"\r\n"
_NEW_LINE = b"\x01\x02"  # within a comment
_MAX_COMMENT_BYTES = 100_000
_MAX_BYTES = 2_000_000
_MAX_COMMENTS = 20_000  # a record has one or two, and a file at most 6,500 records


def read_comments(part: bytes, problems: list[str]) -> tuple[str, ...]:
    """Return the comments as plain text, in the order in which the records number them.

    Adds a problem if the file has more than are read.
    """
    lines = part[:_MAX_BYTES].split(_LINE_END, _MAX_COMMENTS)
    if len(part) > _MAX_BYTES or any(lines[_MAX_COMMENTS:]):
        lines = lines[:_MAX_COMMENTS]
        problems.append(f"too many or too long comments: only the first {len(lines):,} are read")
    return tuple(map(_read_comment, lines))


def _read_comment(line: bytes) -> str:
    raw = line[:_MAX_COMMENT_BYTES].replace(_NEW_LINE, b"\n")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    return (read_rtf(text) if text.startswith("{\\rtf") else text).strip()


def read_rtf(text: str) -> str:
    """Return the text of an RTF document; damaged RTF is read as far as possible."""
    reader = _Reader()
    for token in _TOKEN.finditer(text):
        if reader.read(token):
            break
    return join_surrogates(reader.finish())


def join_surrogates(text: str) -> str:
    """Replace each pair of surrogates by its character, and any lone one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Group(NamedTuple):
    """The settings that a group inherits."""

    hidden: str = ""  # the destination that hides its text
    repeats: int = 1  # characters that repeat a Unicode character for older programs
    encoding: str = ""  # of its font; empty for that of the document


class _Reader:
    """The text so far, and the settings for the next token."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._bytes = bytearray()  # decoded together, as a character may have two
        self._outer: list[_Group] = []
        self._group = _Group()
        self._skip = 0  # characters to come that repeat the last one
        self._encoding = "cp1252"
        self._font = 0  # the last in the table of fonts
        self._fonts: dict[int, str] = {}  # their encodings

    def read(self, token: re.Match[str]) -> bool:
        """Read a token; True if it ends the document."""
        word, number, code, symbol, brace, plain = token.groups()
        if code:
            self._read_byte(int(code, 16))
        elif token.lastindex:  # not a line end
            skip = self._skip
            self._end_character()
            if plain:
                self._write(plain[skip:])
                self._skip = max(skip - len(plain), 0)
            elif word:
                self._read_word(word, int(number) if number else None)
            elif symbol == "*":
                self._hide(symbol)
            elif symbol:
                self._write(_SYMBOLS.get(symbol, ""))
            elif brace == "{":
                self._outer.append(self._group)
            elif self._outer:
                self._group = self._outer.pop()
        return brace == "}" and not self._outer

    def finish(self) -> str:
        """Return the text."""
        self._end_character()
        return "".join(self._pieces)

    def _end_character(self) -> None:
        if self._bytes:
            encoding = self._group.encoding or self._encoding
            self._pieces.append(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()
        self._skip = 0

    def _read_byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        elif not self._group.hidden:
            self._bytes.append(byte)

    def _read_word(self, word: str, number: int | None) -> None:
        group = self._group
        if word in _HIDDEN:
            self._hide(word)
        elif word == "ansicpg":
            self._encoding = _code_page(number)
        elif group.hidden == _FONTS:
            if word == "f":
                self._font = number or 0
            elif word == "fcharset":
                self._fonts[self._font] = _CHARSETS.get(number or 0, "")
        elif word == "f":
            self._group = group._replace(encoding=self._fonts.get(number or 0, ""))
        elif word == "uc":
            self._group = group._replace(repeats=1 if number is None else max(number, 0))
        elif word == "u":
            self._write("" if number is None else _character(number))
            self._skip = group.repeats
        else:
            self._write(_WORDS.get(word, ""))

    def _write(self, text: str) -> None:
        if text and not self._group.hidden:
            self._pieces.append(text)

    def _hide(self, destination: str) -> None:
        if not self._group.hidden:
            self._group = self._group._replace(hidden=destination)


def _code_page(number: int | None) -> str:
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "utf-8"


def _character(number: int) -> str:
    """Return the character with this number; negative numbers are wrapped 16-bit numbers."""
    number += 0x10000 if number < 0 else 0
    return chr(number) if 0 <= number <= 0x10FFFF else "\ufffd"
