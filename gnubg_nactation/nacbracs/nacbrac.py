"""Nacbracs, or Nactation brackets: the plays of a roll with their errors (tutorial section 17).

`[P @87 H94 X101]` says that P is best and that @ loses 87 thousandths of a point. Before the
bracket may stand a score, behind it the bot that says so (`bots.py`). Nacbracs about the cube are
not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Right
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.preference import choose
from gnubg_nactation.nacbracs.score import MONEY, parse_score
from gnubg_nactation.writing.markup import Glyph, read_markup

__all__ = [
    "USUAL_LEAST",
    "USUAL_WITHIN",
    "Entry",
    "Nacbrac",
    "Piece",
    "find_nacbracs",
    "format_nacbrac",
    "nacbrac_of",
    "parse_nacbrac",
]

# What a nacbrac shows if nothing is said: in points, as most that are published, and in plays.
USUAL_WITHIN, USUAL_LEAST = 0.1, 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A play of a nacbrac: its name and what it loses against the best, in points.

    `error` is None where it is not told. `skipped` says that plays before it are left out (an
    ellipsis). `text` is the name as written, at place `at` of the whole text.
    """

    name: Nactation
    error: float | None = None
    skipped: bool = False
    text: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Nacbrac:
    """Plays of one roll, the best first, with errors that do not decrease.

    `score` is empty for money, else as `score.py` has it: `d`, `g`, `-3-5`. `equity` is that of the
    best play, if it is told. `more` says that plays behind the last entry are left out. `suffix`
    names the bot, as written.
    """

    entries: tuple[Entry, ...]
    score: str = MONEY
    equity: float | None = None
    more: bool = False
    suffix: str = ""
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The nacbrac in plain spelling."""
        return format_nacbrac(self)


_SCORE_BEFORE = re.compile(r"(?:(?<=[\s\]])|^)(?:[dgsjn]|-[0-9]{1,3}-[0-9]{1,3}C?)$")
_FRESH = re.compile(r"(?<=\n)[^\S\n]*((?:N\s+)?(?:(?:\+|-+>?)[^\S\n]*)?[1-6]{2})")
_TRIALS = re.compile(r"[0-9k*.,\t ]*(?:\n|\Z)")
_LONGEST_SCORE = 10  # with what stands before it
_EQUITY = re.compile(r"([+-][0-9]{1,6}(?:\.[0-9]{1,9})?|[0-9]{2,6}(?:\.[0-9]{1,9})?)(?=[\s,])")
_ERROR = re.compile(r"-?([0-9]{1,6}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})")
_MEMBER = re.compile(r"\{([1-9][0-9]{0,5})\}")
_SPACE = re.compile(r"[\s,]+")
_ELLIPSIS = "..."
_GLYPHS = {glyph for row in FAMILIES for glyph in row.characters + row.characters.lower()}
_DOTTED = {row.character for row in FAMILIES if row.suffix == "."} | {"B"}  # B. is read as Z
_NUMERALS = {row for row in FAMILIES if row.right is Right.NUMERAL}


def parse_nacbrac(text: str) -> Nacbrac:
    """The nacbrac of a text that holds nothing else; MalformedError with the place.

    Looks are read from HTML, BBCode and Markdown. `A=B7` and `A7=B7` both say that A and B lose
    the same. Errors that decrease are refused: numerals and numbers must have been confused.
    """
    glyphs = read_markup(text)
    pieces = find_nacbracs(text, glyphs)
    found = [nacbrac for piece in pieces for nacbrac in piece.nacbracs]
    if not found:
        raise MalformedError("no nacbrac: expected [", text=text, at=len(text))
    if len(found) > 1:
        raise MalformedError("expected one nacbrac, found several", text=text)
    if pieces[1:] or _bare(glyphs[: pieces[0].end]).strip():
        raise MalformedError("expected a nacbrac, as in [P @87 H94]", text=text)
    return found[0]


class Piece(NamedTuple):
    """A part of a text: a sequence, from glyph `start` up to `end`, and the nacbracs behind it."""

    start: int
    end: int
    nacbracs: tuple[Nacbrac, ...] = ()


def find_nacbracs(text: str, glyphs: Sequence[Glyph]) -> tuple[Piece, ...]:
    """The pieces of a text, one at least; `glyphs` are those of its markup.

    What stands behind a bracket and before the next is its suffix, but that a line which begins
    with a roll begins a new piece. Raises MalformedError with the place.
    """
    reader = _Reader(text, glyphs, _bare(glyphs))
    opened = [at for at, character in enumerate(reader.bare) if character == "["]
    scores = [reader.score(at) for at in opened]
    starts = [at - len(score) for at, score in zip(opened, scores, strict=True)]
    pieces = [Piece(0, starts[0] if starts else len(glyphs))]
    for at, score, end in zip(opened, scores, [*starts[1:], len(glyphs)], strict=False):
        fresh = _next_piece(reader.bare, at, end)
        nacbrac = reader.nacbrac(at, score, fresh)
        pieces[-1] = pieces[-1]._replace(nacbracs=(*pieces[-1].nacbracs, nacbrac))
        if fresh < end:
            pieces.append(Piece(fresh, end))
    return tuple(pieces)


def _next_piece(bare: str, at: int, end: int) -> int:
    """Where a line begins with a roll that is no number of trials; `end` if none does."""
    found = (match.start(1) for match in _FRESH.finditer(bare, at, end))
    return next((start for start in found if not _TRIALS.match(bare, start)), end)


def _bare(glyphs: Sequence[Glyph]) -> str:
    return "".join(glyph.character for glyph in glyphs)


class _Read(NamedTuple):
    """An entry as it stands in the text, before it is known what its neighbours say."""

    entry: Entry
    joined: bool  # by `=` to the one before
    end: int


class _Reader(NamedTuple):
    """A text with its markup taken away, and how each character of it looked."""

    text: str
    glyphs: Sequence[Glyph]
    bare: str

    def error(self, message: str, at: int) -> MalformedError:
        place = self.glyphs[at].at if at < len(self.glyphs) else len(self.text)
        return MalformedError(message, text=self.text, at=place)

    def score(self, at: int) -> str:
        """The score that stands before a bracket, empty for none."""
        match = _SCORE_BEFORE.search(self.bare[max(at - _LONGEST_SCORE, 0) : at])
        if match is None:
            return MONEY
        try:
            return parse_score(match[0])
        except MalformedError as problem:
            raise self.error(str(problem), at - len(match[0])) from None

    def nacbrac(self, at: int, score: str, end: int) -> Nacbrac:
        """The nacbrac whose bracket opens at a place."""
        close = self.bare.find("]", at, end)
        if close < 0:
            raise self.error("the bracket is not closed: expected ]", end)
        inner = at + 1
        equity = _EQUITY.match(self.bare, _skip(self.bare, inner))
        if equity:
            inner = equity.end()
        shared = self._shared_look(at, close)
        read: list[_Read] = []
        skipped = joined = False
        inner = _skip(self.bare, inner)
        while inner < close:
            if self.bare.startswith(_ELLIPSIS, inner):
                skipped, inner = True, inner + len(_ELLIPSIS)
            else:
                read.append(self._entry(inner, shared, skipped or bool(read), joined))
                read[-1] = read[-1]._replace(entry=replace(read[-1].entry, skipped=skipped))
                skipped, inner = False, read[-1].end
                joined = self.bare[inner] == "=" and self.bare[inner + 1] in _GLYPHS
                if joined:
                    inner += 1
                    continue
            inner = _skip(self.bare, inner)
        if not read:
            raise self.error("a nacbrac without a play", close)
        return Nacbrac(
            self._with_errors(read),
            score,
            _points(equity[1]) if equity else None,
            skipped,
            " ".join(self.bare[close + 1 : end].split()),
            self.text,
        )

    def _shared_look(self, at: int, close: int) -> Glyph:
        """The look of all names, which is emphasis of the whole; of `[` if there is one name."""
        names = [
            glyph
            for glyph in self.glyphs[at + 1 : close]
            if glyph.character in _GLYPHS and not "0" <= glyph.character <= "9"
        ]
        names = names if len(names) > 1 else [self.glyphs[at]]
        return Glyph(
            " ",
            all(glyph.italic for glyph in names),
            all(glyph.bold for glyph in names),
            colour=names[0].colour if len({glyph.colour for glyph in names}) == 1 else 0,
        )

    def _entry(self, at: int, shared: Glyph, not_best: bool, joined: bool) -> _Read:
        """The entry at a place; digits alone are a numeral and, if it is not best, its error."""
        glyph = self.glyphs[at]
        if glyph.character not in _GLYPHS:
            raise self.error(f"found {glyph.character!r}, expected a Nactation", at)
        suffix, end = self._mark(at)
        member = _MEMBER.match(self.bare, end)
        end = member.end() if member else end
        try:
            if member:
                name = parse_nactation(f"{glyph.character}{suffix}{member[0]}")
            else:
                name = from_look(
                    glyph.character,
                    suffix,
                    glyph.italic and not shared.italic,
                    glyph.bold and not shared.bold,
                    0 if glyph.colour == shared.colour else glyph.colour,
                )
        except MalformedError as problem:
            raise self.error(str(problem), at) from None
        text = self.bare[at:end]
        number = None if self.bare.startswith(_ELLIPSIS, end) else _ERROR.match(self.bare, end)
        if number and name.family in _NUMERALS and not not_best and number[0][0] != "-":
            raise self.error("expected a Nactation, then a blank", at)
        error = _points(number[1]) if number else None
        end = number.end() if number else end
        return _Read(Entry(name, error, text=text, at=glyph.at), joined, end)

    def _mark(self, at: int) -> tuple[str, int]:
        """The mark of the character at a place, and where its spelling goes on."""
        glyph, end = self.glyphs[at], at + 1
        if self.bare.startswith("_", end):
            return "_", end + 1
        if glyph.underline or glyph.dot:
            return ("_" if glyph.underline else "."), end
        dots = len(self.bare) - end - len(self.bare[end:].lstrip("."))
        if glyph.character.upper() in _DOTTED and dots not in {0, len(_ELLIPSIS)}:
            return ".", end + 1
        return "", end

    def _with_errors(self, read: Sequence[_Read]) -> tuple[Entry, ...]:
        """The entries, those that are joined with the error of one of them."""
        entries: list[Entry] = []
        last = 0.0
        for group in _groups(read):
            told = [one.entry for one in group if one.entry.error is not None]
            for one in told:
                if one.error != told[0].error:
                    raise MalformedError("equal plays with two errors", text=self.text, at=one.at)
            error = told[0].error if told else None
            if error is None and not entries and not group[0].entry.skipped:
                error = 0.0
            if error is not None and error < last:
                at = group[0].entry.at
                raise MalformedError("errors must not decrease", text=self.text, at=at)
            last = last if error is None else error
            entries += [replace(one.entry, error=error) for one in group]
        return tuple(entries)


def _groups(read: Sequence[_Read]) -> Iterator[Sequence[_Read]]:
    starts = [at for at, one in enumerate(read) if not one.joined]
    for start, end in zip(starts, [*starts[1:], len(read)], strict=True):
        yield read[start:end]


def _skip(bare: str, at: int) -> int:
    match = _SPACE.match(bare, at)
    return match.end() if match else at


def _points(thousandths: str) -> float:
    return float(Decimal(thousandths).scaleb(-3))


def format_nacbrac(nacbrac: Nacbrac) -> str:
    """The nacbrac in plain spelling, in the form of the tutorial: the inverse of parse_nacbrac.

    Plays that are as good as the best are joined to it with `=` (#31); others that lose the same
    both have the number, as in `R41 Q41` (#51). Between a numeral and its error is a hyphen.
    """
    parts = [] if nacbrac.equity is None else [_signed(nacbrac.equity)]
    written = " ".join(parts)
    previous: Entry | None = None
    for entry in nacbrac.entries:
        equal = previous is not None and previous.error == entry.error == 0
        if entry.skipped:
            written += f" {_ELLIPSIS}" if previous is None and written else _ELLIPSIS
        elif previous is not None or written:
            written += "=" if equal else " "
        best = not entry.skipped and entry.error == 0 and (previous is None or equal)
        written += str(entry.name)
        if entry.error is not None and not best:
            written += "-" * (entry.name.family in _NUMERALS) + _thousandths(entry.error)
        previous = entry
    written += _ELLIPSIS * nacbrac.more
    return f"{nacbrac.score}[{written}] {nacbrac.suffix}".rstrip()


def _thousandths(points: float) -> str:
    text = f"{Decimal(repr(points)).scaleb(3):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(points: float) -> str:
    return ("" if points < 0 else "+") + _thousandths(points or 0.0)


def nacbrac_of(
    rated: Sequence[RatedPlay],
    plays: Plays,
    *,
    limit: int | None = None,
    within: float | None = None,
    least: int = 0,
    characters: str = "preferred",
) -> Nacbrac:
    """The nacbrac of plays that an engine has rated, the one that it holds best first.

    Each play has the first Nactation of a preset of `preference.CHARACTERS` (KeyError for
    another). Errors are rounded to thousandths of a point. There are at most `limit` plays, and
    none that loses more than `within` points, but `least` plays if there are as many.
    """
    entries = [
        Entry(
            choose(one.play, plays, characters)[0].nactation,
            round(max(0.0, rated[0].equity - one.equity), 3),
        )
        for one in rated
    ]
    entries.sort(key=lambda entry: entry.error or 0.0)
    count = len(entries)
    if within is not None:
        count = max(least, sum((entry.error or 0.0) <= within for entry in entries))
    return Nacbrac(tuple(entries[:count][:limit]))
