"""Markdown's marks in running text: code spans and emphasis, as CommonMark defines them."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["CodeSpan", "Delimiters", "code_spans", "pair_emphasis"]


class CodeSpan(NamedTuple):
    """Text from `start` to `end` that is code, its contents from `first` to `last`."""

    start: int
    first: int
    last: int
    end: int


_BACKTICKS = re.compile(r"`+")
_OPENING = re.compile(r"\\[!-/:-@\[-`{-~]|(?P<sign>`+)")
_BLANK_LINE = re.compile(r"\n(?=[ \t\r]*\n)")
_INFO = re.compile(r"[^`\n]*\n")


def code_spans(text: str) -> list[CodeSpan]:
    """The code spans and fenced code of a text, in order."""
    closings: dict[int, list[int]] = {}  # length of a run: where such runs start
    for match in _BACKTICKS.finditer(text):
        closings.setdefault(len(match[0]), []).append(match.start())
    blanks = [match.start() for match in _BLANK_LINE.finditer(text)] if closings else []
    spans = []
    end = 0
    while closings and (opening := _OPENING.search(text, end)):
        start, first = opening.span()
        end, length = first, first - start
        last = _first_from(closings.get(length, []), first) if opening["sign"] else None
        if last is None:
            continue
        info = _INFO.match(text, first) if length >= 3 and _starts_line(text, start) else None
        if info:
            first = info.end()
        elif bisect_left(blanks, start) != bisect_left(blanks, last):
            continue  # a blank line lies between
        end = last + length
        spans.append(CodeSpan(start, first, last, end))
    return spans


def _first_from(places: list[int], at: int) -> int | None:
    found = bisect_left(places, at)
    return places[found] if found < len(places) else None


def _starts_line(text: str, at: int) -> bool:
    before = text[max(at - 4, 0) : at].rstrip(" ")
    return before[-1:] == "\n" or (not before and at <= 3)


class Delimiters(NamedTuple):
    """What a run of `*` or `_` does: emphasis that ends, signs left over, emphasis that begins."""

    closes_italic: int
    closes_bold: int
    plain: int
    opens_italic: int
    opens_bold: int


@dataclass
class _Run:
    """A run of signs while it is paired with others."""

    serial: int
    sign: str
    length: int
    can_open: bool
    can_close: bool
    left: int  # signs not used yet
    closes_italic: int = 0
    closes_bold: int = 0
    opens_italic: int = 0
    opens_bold: int = 0

    def fits(self, closer: _Run) -> bool:
        """Whether the closer may end what this run begins (CommonMark's rules 9 and 10)."""
        if self.sign != closer.sign:
            return False
        if self.can_close or closer.can_open:
            sum_fits = (self.length + closer.length) % 3 != 0
            return sum_fits or (self.length % 3 == 0 and closer.length % 3 == 0)
        return True


def pair_emphasis(text: str, spans: Iterable[tuple[int, int] | None]) -> dict[int, Delimiters]:
    """For the start of each run of `*` or `_` what it does; None among the runs parts paragraphs.

    The time is proportional to the number of signs.
    """
    runs: dict[int, _Run] = {}
    openers: list[_Run] = []
    searched: dict[tuple[str, bool, int], int] = {}  # openers before these serials do not fit
    for serial, span in enumerate(spans):
        if span is None:
            openers.clear()
            continue
        run = runs[span[0]] = _run(text, *span, serial)
        if run.can_close:
            _close(run, openers, searched)
        if run.can_open and run.left:
            openers.append(run)
    return {
        at: Delimiters(
            run.closes_italic, run.closes_bold, run.left, run.opens_italic, run.opens_bold
        )
        for at, run in runs.items()
    }


def _close(closer: _Run, openers: list[_Run], searched: dict[tuple[str, bool, int], int]) -> None:
    """End what earlier runs began, the nearest first."""
    key = (closer.sign, closer.can_open, closer.length % 3)
    while closer.left:
        at = len(openers) - 1
        while at >= 0 and openers[at].serial >= searched.get(key, 0):
            if openers[at].fits(closer):
                break
            at -= 1
        else:
            searched[key] = closer.serial
            return
        del openers[at + 1 :]
        opener = openers[at]
        if min(opener.left, closer.left) >= 2:
            used = 2
            opener.opens_bold += 1
            closer.closes_bold += 1
        else:
            used = 1
            opener.opens_italic += 1
            closer.closes_italic += 1
        opener.left -= used
        closer.left -= used
        if not opener.left:
            openers.pop()


def _run(text: str, start: int, end: int, serial: int) -> _Run:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens = _flanks(after, before)
    closes = _flanks(before, after)
    if text[start] == "_":  # within a word it is no emphasis; E_ is an underlined E
        opens, closes = (
            opens and (not closes or _is_punctuation(before)),
            closes and (not opens or _is_punctuation(after)),
        )
    return _Run(serial, text[start], end - start, opens, closes, end - start)


def _flanks(inner: str, outer: str) -> bool:
    if inner.isspace():
        return False
    return not _is_punctuation(inner) or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
