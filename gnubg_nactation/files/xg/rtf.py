"""Reads the text of RTF as eXtreme Gammon and the text fields of Windows write it.

Each character is read once and groups are kept on a list, so time and memory grow with the
length alone, whatever the text holds.
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
_HIDDEN = {  # groups that hold no text of the document, as do all that begin with \*
    *("colortbl", "fldinst", "fonttbl", "footer", "footnote", "generator", "header", "info"),
    *("nonesttables", "object", "pict", "pntext", "shp", "stylesheet", "tc", "upr", "xe"),
}
_CHARSETS = {  # of fonts; any other has the code page of the document
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


def read_rtf(text: str) -> str:
    """The text of an RTF document: of links what they show, of damaged RTF what can be read."""
    reader = _Reader()
    for token in _TOKEN.finditer(text):
        word, number, code, symbol, brace, plain = token.groups()
        if code:
            reader.read_byte(int(code, 16))
        elif plain:
            reader.read_plain(plain)
        elif word:
            reader.read_word(word, int(number) if number else None)
        elif symbol:
            reader.read_symbol(symbol)
        elif brace == "{":
            reader.open_group()
        elif brace and reader.close_group():
            break
    return join_surrogates(reader.finish())


def join_surrogates(text: str) -> str:
    """The text with one character for each pair of surrogates; a lone one is replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Group(NamedTuple):
    """What a group inherits: `hidden` names the destination that hides it, if any.

    `repeats` is the number of characters that follow a Unicode character for older programs.
    """

    hidden: str = ""
    repeats: int = 1
    encoding: str = ""  # of its font; empty for that of the document


class _Reader:
    """The text so far, and what decides how the next token is read."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._bytes = bytearray()  # decoded together: a character may have two
        self._outer: list[_Group] = []
        self._group = _Group()
        self._skip = 0  # characters to come that repeat the last one
        self._encoding = "cp1252"
        self._font = 0  # the last in the table of fonts
        self._fonts: dict[int, str] = {}  # their encodings

    def open_group(self) -> None:
        self._end_character()
        self._outer.append(self._group)

    def close_group(self) -> bool:
        """Return to the group around this one; True if it was the document."""
        self._end_character()
        if self._outer:
            self._group = self._outer.pop()
        return not self._outer

    def read_plain(self, text: str) -> None:
        skip = self._skip
        self._end_character()
        self._write(text[skip:])
        self._skip = max(skip - len(text), 0)

    def read_byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        elif not self._group.hidden:
            self._bytes.append(byte)

    def read_symbol(self, symbol: str) -> None:
        self._end_character()
        if symbol == "*":
            self._hide(symbol)
        else:
            self._write(_SYMBOLS.get(symbol, ""))

    def read_word(self, word: str, number: int | None) -> None:
        self._end_character()
        if word in _HIDDEN:
            self._hide(word)
        elif word == "ansicpg":
            self._encoding = _code_page(number)
        elif self._group.hidden == _FONTS:
            self._read_font(word, number or 0)
        elif word == "f":
            self._group = self._group._replace(encoding=self._fonts.get(number or 0, ""))
        elif word == "uc":
            self._group = self._group._replace(repeats=1 if number is None else max(number, 0))
        elif word == "u":
            self._write("" if number is None else _character(number))
            self._skip = self._group.repeats
        else:
            self._write(_WORDS.get(word, ""))

    def finish(self) -> str:
        self._end_character()
        return "".join(self._pieces)

    def _end_character(self) -> None:
        """Decode the bytes so far; what comes next repeats no character."""
        if self._bytes:
            encoding = self._group.encoding or self._encoding
            self._pieces.append(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()
        self._skip = 0

    def _write(self, text: str) -> None:
        if text and not self._group.hidden:
            self._pieces.append(text)

    def _hide(self, destination: str) -> None:
        if not self._group.hidden:
            self._group = self._group._replace(hidden=destination)

    def _read_font(self, word: str, number: int) -> None:
        if word == "f":
            self._font = number
        elif word == "fcharset":
            self._fonts[self._font] = _CHARSETS.get(number, "")


def _code_page(number: int | None) -> str:
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "utf-8"


def _character(number: int) -> str:
    """The character of a number, which is negative if it did not fit into 16 bits."""
    number += 0x10000 if number < 0 else 0
    return chr(number) if 0 <= number <= 0x10FFFF else "\ufffd"
