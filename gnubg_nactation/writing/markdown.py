"""Markdown's marks in running text: code spans and emphasis, as CommonMark defines them."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
