"""Finds the note that a user of eXtreme Gammon has written below an analysis."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FOOTER = re.compile(r"eXtreme\s?Gammon\s+Version", re.IGNORECASE)
_MARKS = "\xb9\xb2\xb3\u2070\u2074-\u2079"
_FOOTNOTE = re.compile(rf"[{_MARKS}]|\d{{1,2}}\s{{1,4}}\d{{2,7}}\s")
_AROUND = " \t\r\xa0|>"
# Lines of an analysis in any language: chances, margins, the board, or digits after a colon.
_NUMBERS = re.compile(
    r"""\d% .{0,5} \( \s? G | \xb1\s?\d | [+-]\d\d?-\d\d?- | \d[.,]\d+ \s+ \d[.,]\d+ \s+ \d[.,]\d
      | ^[\s|v^]*\|.*\|""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = re.compile(
    r"""Games\srolled | Dice\sSeed | Variance\sReduction | ^Duration\b | ^Conf(?:idence|\.)
      | ^Best\sCube\saction | ^Percentage\sof\swrong | ^(?:Player|Opponent)\b.{0,20}:\s*$
      | ^Moves?:.*(?:ply|Roller|Book) | cube\sdecisions: | ^Rollout:?$ | Decision\sconfidence
      | ^Search\sinterval | ^Truncat | ^Score\sis\b | ^Pip\scount | ^Cube:\s*\d
      | ^X:.*\bO: | ^\S{1,30}\sto\splay\s[1-6]{2}$ | on\sroll,\scube\saction$
      | ^(?:score|pip):\s*\d+$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = re.compile(r"^[^:\uff1a]{1,160}[:\uff1a]\s*[\xb1+\-\u2212]?\s?\d")
_RULE = re.compile(r"^[\W_]*$|^(?:position|problem|no\.?|#)?\s*\d{1,3}\s*[.):]?$", re.IGNORECASE)


def note_after(text: str, start: int, end: int, answers: Sequence[str] = ()) -> str:
    """The note after an analysis that ends at offset `start`; empty if there is none.

    It ends before the version of XG, or at `end`. `answers` are the words for take and pass, with
    which the line of the best cube action ends.
    """
    footer = _FOOTER.search(text, start, end)
    lines = text[start : footer.start() if footer else end].split("\n")
    rest_of_line, *following = lines
    kept: list[str] = [] if _is_analysis(rest_of_line.strip(_AROUND)) else [rest_of_line]
    below_numbers, in_footnote = True, False
    for raw in following:
        line = raw.strip(_AROUND)
        if not line:
            below_numbers = in_footnote = False
            kept.append("")
            continue
        goes_on = raw[:1].isspace() or _VALUE.match(line)
        in_footnote = bool(_FOOTNOTE.match(line) or (in_footnote and goes_on))
        below_numbers = below_numbers and bool(_VALUE.match(line))
        if in_footnote or below_numbers or _is_analysis(line) or _is_best(line, answers):
            below_numbers = below_numbers or not in_footnote
            kept.append("")
        else:
            below_numbers = False
            kept.append(line)
    return "\n".join(_tidy(kept))


def _is_analysis(line: str) -> bool:
    return bool(_NUMBERS.search(line) or _WORDS.search(line))


def _is_best(line: str, answers: Sequence[str]) -> bool:
    """Whether a line is the best cube action: `Best Cube action: No double / Take`."""
    before, slash, last = line.lower().rpartition("/")
    return bool(slash and before and last.strip(" .|") in answers)


def _tidy(lines: Sequence[str]) -> list[str]:
    """The lines without rules, and with one blank line between paragraphs."""
    tidy: list[str] = []
    for line in lines:
        if not _RULE.match(line) or (not line and tidy and tidy[-1]):
            tidy.append(line.strip(_AROUND))
    while tidy and not tidy[-1]:
        tidy.pop()
    return tidy
