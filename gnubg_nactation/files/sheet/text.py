"""Places in the text of a score sheet, and what is wrong there."""

from __future__ import annotations

import re
from bisect import bisect

from gnubg_nactation.showing import shown
from gnubg_nactation.values import NamedTuple


class Fault(NamedTuple):
    """A problem with its place in the sheet; line and column count from 1."""

    line: int
    column: int
    message: str

    @property
    def place(self) -> str:
        """Line and column, as in `3:14`."""
        return f"{self.line}:{self.column}"

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class Line(NamedTuple):
    """A line of the sheet without its line end; `at` is its offset in the text."""

    number: int
    at: int
    text: str

    def shift(self, count: int) -> Line:
        """The line without its first characters."""
        return Line(self.number, self.at + count, self.text[count:])


class SheetText:
    """The text of a file, with plain hyphens and quotes, and blanks for what cannot be shown."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TYPOGRAPHY)
        text = _SPECIAL.sub(lambda match: match[0] if shown(match[0]) == match[0] else " ", text)
        self.text = _BLOCK_TAG.sub(lambda match: " " * len(match[0]), text)
        self._starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def lines(self) -> list[Line]:
        """All lines."""
        texts = self.text.split("\n")
        return [
            Line(number, at, text)
            for number, (at, text) in enumerate(zip(self._starts, texts, strict=True), 1)
        ]

    def line_of(self, at: int) -> int:
        """The number of the line at an offset."""
        return bisect(self._starts, at)

    def column_of(self, at: int) -> int:
        """How many characters precede the offset on its line, with tabs expanded."""
        return len(self.text[self._starts[self.line_of(at) - 1] : at].expandtabs())

    def fault(self, at: int, message: str) -> Fault:
        """A fault at an offset."""
        line = self.line_of(at)
        return Fault(line, at - self._starts[line - 1] + 1, message)


# Tags of posts around lines; those around single letters show their style.
_BLOCK_TAG = re.compile(
    r"</?(?:pre|code|p|div|blockquote|h[1-6]|table|thead|tbody|t[rdh])(?:\s[^<>\n]{0,300})?>"
    r"|\[/?(?:code|pre|quote|spoiler|b)\](?![\w$%@&^]\[/b\])|`{3}\w*",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r"[^\n\t -~]")
_TYPOGRAPHY = str.maketrans(  # dashes, quotes, blanks
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u201c\u201d\xa0\u2007\u202f",
    "------''\"\"   ",
)
