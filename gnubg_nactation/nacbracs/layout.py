"""Locate the nacbracs of a text, and the sequences before them (tutorial section 17).

The tutorial's table has several nacbracs after a sequence, for other scores and by other bots. Then
comes a roll instead of the last one (`-42`), or a new sequence on its own line. Posts write all
this in one line, too, and add headings (`#3 White's opening 61`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.sequences.tokens import OPENING
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.scan import Scan

_MAX_NACBRACS = 1000  # of a text; a doubtful one takes half a millisecond, or an engine
_OPENING = re.compile(r"\[")
_SCORE = re.compile(r"(?:(?<=[\s\]])|^)(?:[dgsjn]|\([dgsjn]\) ?|-[0-9]{1,3}-[0-9]{1,3}C?)$")
_LONGEST_SCORE = 10
_LABEL = r"\#[0-9]{1,3}(?:\.[0-9])?[a-z]?[.:]?(?=\s)"
_WHOSE = rf"(?i:{OPENING})(?=\s)"
_HEADING = re.compile(rf"(?:{_LABEL}(?:\s*{_WHOSE})?|{_WHOSE})\s*")
_FRESH = re.compile(
    rf"""(?<=\n)[^\S\n]*(?P<roll>(?:N\s+)?(?:(?:\+|-+>?)[^\S\n]*)?[1-6]{{2}})
       | (?<![^\s\]])(?:{_LABEL}|{_WHOSE})
       | (?<![^\s\]])(?P<inline>
             (?: -+>?[1-6]{{2}}(?![0-9.]) | [1-6]{{2}}[^-\s\[\]0-9.,*]+- ) [^\s\[\]]* \s* \Z)""",
    re.VERBOSE,
)
_TRIALS = re.compile(r"(?:[0-9k*.,\t ]|(?<=[0-9]k)[^\s0-9\[\]k*.,](?!\S))*(?:\n|\Z)")
_ELSEWHERE = r"\((?i:same\s+as)[^()]{0,40}\)"
_STOP = re.compile(rf"(?P<note>{_ELSEWHERE})|(?<!\S){_LABEL}")
_REMARK = re.compile(r"\s*(\([^()]*\))\s*")


class Bracket(NamedTuple):
    """The offsets of a nacbrac: of its score, of its bracket, and of the end of the text on it."""

    score: int
    opens: int
    end: int


class Section(NamedTuple):
    """A piece of a text: a sequence, from glyph `start` up to `end`, and the nacbracs after it.

    `note` is a comment instead of nacbracs: `(same as #4)`.
    """

    start: int
    end: int
    brackets: tuple[Bracket, ...] = ()
    note: str = ""


def lay_out(scan: Scan) -> tuple[Section, ...]:
    """Split a text into its pieces, at least one, without their headings.

    Text between two brackets belongs to the first, unless a sequence begins there: with a roll at
    the start of a line that is no number of trials, with a heading, or as the last word before
    the next bracket. Raises MalformedError if there are too many pieces.
    """
    bare, limit = scan.bare, _MAX_NACBRACS
    openings = [match.start() for match in _OPENING.finditer(bare)]
    if len(openings) > limit:
        raise scan.error(f"{len(openings):,} nacbracs; {limit:,} are read at once", openings[limit])
    scores = [*(score_start(bare, at) for at in openings), len(bare)]
    pieces = [*_pieces(scan, 0, scores[0])]
    for score, opens, until in zip(scores, openings, scores[1:], strict=False):
        fresh = _fresh(bare, max(opens, bare.find("]", opens, until)) + 1, until)
        bracket = Bracket(score, opens, until if fresh is None else fresh)
        pieces[-1] = pieces[-1]._replace(brackets=(*pieces[-1].brackets, bracket))
        if fresh is not None:
            pieces += _pieces(scan, fresh, until)
    if len(pieces) > limit:
        message = f"{len(pieces):,} sequences; {limit:,} are read at once"
        raise scan.error(message, pieces[limit].start)
    return (*pieces,)


def score_start(bare: str, opens: int) -> int:
    """The offset of the score before a bracket, or of the bracket if there is none."""
    match = _SCORE.search(bare, max(opens - _LONGEST_SCORE, 0), opens)
    return match.start() if match else opens


def _pieces(scan: Scan, at: int | None, until: int) -> Iterator[Section]:
    """The pieces from an offset up to the next bracket or the end of the text."""
    while at is not None:
        start = scan.skip(_HEADING, at)
        stop = _STOP.search(scan.bare, start, until)
        end = stop.start() if stop else until
        remark = _REMARK.fullmatch(scan.bare, start, end)
        if remark:
            yield Section(start, start, note=remark[1])
        else:
            yield Section(start, end, note=(stop["note"] or "") if stop else "")
        at = _fresh(scan.bare, stop.end() if stop["note"] else end, until) if stop else None


def _fresh(bare: str, at: int, until: int) -> int | None:
    """The offset of a sequence, or of a note instead, after a nacbrac; None without one."""
    for match in _FRESH.finditer(bare, at, until):
        if match["inline"] and until == len(bare):  # no bracket follows
            continue
        if not match["roll"]:
            return match.start()
        if not _TRIALS.match(bare, match.start("roll")):
            return match.start("roll")
    return None
