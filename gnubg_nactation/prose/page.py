"""A text with its glyphs, and its parts decoded from a position."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from itertools import count

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError, NactationError
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.prose.spans import Piece, Shape, Span
from gnubg_nactation.prose.subject import Subject
from gnubg_nactation.sequences.assumption import Confidence, Equities, Evaluator
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.decode import Decoded, decode
from gnubg_nactation.sequences.usage import sound_in
from gnubg_nactation.values import replace
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.typography import Glyph

LONGEST = 1_000_000  # characters: a thick book, some seconds of work
UNREADABLE = (AmbiguousError, IllegalError, MalformedError)
_MAX_QUESTIONS = 600  # to an engine, about one text
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,31};")


class Page:
    """A text with its options; `bare` is the text without its markup.

    Posts repeat themselves, so it caches what it has decoded.
    """

    def __init__(
        self,
        text: str,
        *,
        start: Position | GameState | None,
        equities: Evaluator | None,
        strict: bool,
        dialect: Dialect,
        budget: Budget | None,
    ) -> None:
        """Raise MalformedError if the text is too long."""
        self.text = text
        self.glyphs = read_markup(text, longest=LONGEST)
        self.bare = "".join(glyph.character for glyph in self.glyphs)
        self.start = start
        self.equities = equities and _sparing(equities)
        self.strict = strict
        self.dialect = dialect
        self.budget = budget or Budget(len(text))
        self.subject = Subject(self.bare)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        # Key: the start and the glyphs. Value: the offset of the first glyph, and the result.
        self._decoded: dict[object, tuple[int, Decoded | NactationError]] = {}
        self._usages: dict[object, Dialect | None] = {}

    def finding(
        self, kind: Kind, start: int, end: int, sure: Confidence = Confidence.DOUBTFUL
    ) -> Finding:
        """A finding of some glyphs, without its reading."""
        first, last = self.glyphs[start].at, self.glyphs[end - 1].at
        entity = _ENTITY.match(self.text, last)
        line = bisect(self._lines, first)
        column = first - self._lines[line - 1] + 1
        text = " ".join(self.bare[start:end].split())
        return Finding(kind, first, entity.end() if entity else last + 1, line, column, text, sure)

    def tokens(self, span: Span) -> tuple[tuple[int, str], ...]:
        """The tokens of a span, each with its offset."""
        return tuple([(self.glyphs[piece.start].at, self.token(piece)) for piece in span.pieces])

    def token(self, piece: Piece) -> str:
        """The characters of a token."""
        roll = "" if piece.roll < 0 else self.bare[piece.roll : piece.roll + 2]
        return roll + self.bare[piece.start : piece.end]

    def roll(self, span: Span) -> Roll | None:
        """The roll that a span begins with; None for a cube action or a fan."""
        at = span.pieces[0].roll_start
        dice = self.bare[at : at + 2]
        return Roll.parse(dice) if dice.isdecimal() else None

    def decode(self, span: Span, start: Position | GameState | None) -> Decoded:
        """Decode a span from a position; raises one of UNREADABLE."""
        glyphs = self._sequence_glyphs(span)
        first = glyphs[0].at
        key = start, _without_offsets(glyphs)
        if key not in self._decoded:
            try:
                result: Decoded | NactationError = decode(
                    self.text,
                    start=start,
                    strict=self.strict,
                    assume=self.equities,
                    dialect=self.dialect,
                    glyphs=glyphs,
                    budget=self.budget,
                )
            except UNREADABLE as error:
                result = error.with_traceback(None)
            self._decoded[key] = first, result
        cached_first, result = self._decoded[key]
        shift = first - cached_first
        if isinstance(result, NactationError):
            raise type(result)(str(result), text=self.text, at=result.at + shift)
        return _shifted(result, shift) if shift else result

    def older_usage(self, span: Span) -> Dialect | None:
        """The older usage in which a span can be read; None if there is none."""
        if self.dialect is not CURRENT:
            return None
        glyphs = self._sequence_glyphs(span)
        key = _without_offsets(glyphs)
        if key not in self._usages:
            self._usages[key] = sound_in(
                self.text, start=self.start, glyphs=glyphs, budget=self.budget
            )
        return self._usages[key]

    def _sequence_glyphs(self, span: Span) -> tuple[Glyph, ...]:
        """The glyphs of a span to read as a sequence: its tokens, one separator between them."""
        if span.broken:
            return self.glyphs[span.start : span.end]
        end = span.pieces[0].start
        glyphs = list(self.glyphs[span.start : end])
        for piece in span.pieces:
            between = self.glyphs[end : piece.start]
            if span.shape is not Shape.CHAIN and glyphs:
                between = (Glyph(",", at=self.glyphs[end].at),)
            elif len(between) > 1:
                between = (between[0]._replace(character="-"),)
            glyphs += (*between, *self._token_glyphs(piece))
            end = piece.end
        return tuple(glyphs)

    def _token_glyphs(self, piece: Piece) -> Sequence[Glyph]:
        """The glyphs of a token, without a blank or dash before its letter, `63 R` or `63 - R`."""
        glyphs = self.glyphs[piece.start : piece.end]
        if piece.roll >= 0:
            return (*self.glyphs[piece.roll : piece.roll + 2], *glyphs)
        if len(glyphs) in {4, 6} and glyphs[2].character == " ":
            return (*glyphs[:2], glyphs[-1])
        return glyphs


def _sparing(equities: Evaluator) -> Evaluator:
    """The engine, limited in the number of questions about a text."""
    questions = count()

    def evaluate(state: GameState) -> Equities | None:
        return equities(state) if next(questions) < _MAX_QUESTIONS else None

    return evaluate


def _without_offsets(glyphs: Sequence[Glyph]) -> tuple[object, ...]:
    """A key for glyphs wherever they are in a text; of few objects, as it is called often."""
    first = glyphs[0].at
    text = "".join([glyph.character for glyph in glyphs])
    gaps = [(at, glyph.at - first) for at, glyph in enumerate(glyphs) if glyph.at - first != at]
    looks = [(at, *glyph[1:-1]) for at, glyph in enumerate(glyphs) if any(glyph[1:-1])]
    return text, tuple(gaps), tuple(looks)


def _shifted(decoded: Decoded, shift: int) -> Decoded:
    tokens = tuple([token._replace(at=token.at + shift) for token in decoded.parsed.tokens])
    turns = [replace(turn, token=tokens[at]) for at, turn in enumerate(decoded.turns)]
    return decoded._replace(parsed=decoded.parsed._replace(tokens=tokens), turns=tuple(turns))
