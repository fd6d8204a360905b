"""The sequences and positions that a text returns to: `(same as #4)`, or by the roll to play."""

from __future__ import annotations

import re
from collections import deque

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.prose.page import Page
from gnubg_nactation.prose.spans import Span
from gnubg_nactation.prose.starts import MAX_DISTANCE, Context, changes_subject
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded

_LABEL = (
    r"(?:\#|\b(?i:diagram|position|pos\.|problem|example)\s\#?)"
    r"(?P<label>[0-9]{1,4}[a-z]?|[A-Z])(?![\w-])"
)
_SAME = re.compile(rf"\b(?i:same(?: position)? as)\s(?:the )?{_LABEL}")
# Words right before a play or nacbrac: `in diagram 1, 31P`.
_NEARBY = re.compile(rf"\b(?i:in|for|back to)\s(?:the )?{_LABEL}[^\n.;]{{0,15}}\Z")
_MAX_LABEL = 40  # characters
_NAMED = re.compile(rf"(?<!as )(?<!in )(?<!In )(?<!for )(?<!For )(?<!to ){_LABEL}[:.,)\]*]*\s*\Z")

# The number of a question, and of its answer: `a) 43D-55`, and later `a) 55A`.
_ITEM = re.compile(r"(?:\A|[\s,;(])(?P<label>[0-9]{1,3}|[A-Za-z])(?:[):]|\.(?=\s))\s{0,2}\Z")


class Memory:
    """The sequences and positions of a text so far, by their numbers and by the roll to play."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._labelled: dict[str, Context] = {}
        self._items: dict[str, Context] = {}
        self._questions: dict[Roll, Context] = {}
        self._plays: dict[str, Finding] = {}
        self._replies: dict[Roll, Context] = {}
        self._references = deque(
            (match.end(), match["label"]) for match in _SAME.finditer(page.bare)
        )

    def add(self, span: Span, context: Context) -> None:
        """Remember a sequence or position, with the number before it."""
        before = self._page.bare[max(span.start - _MAX_LABEL, 0) : span.start]
        if label := _NAMED.search(before):
            self._labelled[label["label"]] = context
        if context.roll_to_play:
            self._questions[context.roll_to_play] = context
            if item := _ITEM.search(before):
                self._items[item["label"]] = context

    def explained(self, span: Span, new: list[Finding]) -> list[Finding]:
        """The findings of a single play; if there are none, as the play of this name before it."""
        for finding in new:
            if finding.decoded and finding.sure is not Confidence.DOUBTFUL:
                self._plays[finding.text] = finding
                self._remember_reply(span, finding.decoded, finding.line)
        page = self._page
        before = self._plays.get(page.bare[span.start : span.end])
        blank = page.finding(Kind.PLAY, span.start, span.end, Confidence.LIKELY)
        is_near = before and blank.start - before.end < MAX_DISTANCE
        if new or not (before and before.decoded and is_near):
            return new
        decoded = page.decode(span, before.decoded.start)
        return [blank._replace(decoded=decoded, note=f"as {before.text} of line {before.line}")]

    def _remember_reply(self, span: Span, decoded: Decoded, line: int) -> None:
        """Remember a play that is no opening, so that other plays of its roll may follow."""
        roll = self._page.roll(span)
        if roll and to_state(decoded.start).position != to_state(STANDARD).position:
            self._replies[roll] = Context(decoded, line, span.end)

    def referred(self, at: int, context: Context | None) -> Context | None:
        """The position that `same as #4` before an offset means, or else the `context`.

        Offsets must not decrease.
        """
        while self._references and self._references[0][0] <= at:
            context = self._labelled.get(self._references.popleft()[1], context)
        return context

    def nearby(self, span: Span, context: Context | None) -> Context | None:
        """The position that the words right before a span number, or else the `context`."""
        before = self._page.bare[max(span.start - _MAX_LABEL, 0) : span.start]
        label = _NEARBY.search(before)
        return self._labelled.get(label["label"], context) if label else context

    def asked(self, span: Span, context: Context | None) -> Context | None:
        """The sequence that a play is about by its number or roll, or else the `context`.

        A sequence of the paragraph that ends with the roll asks how to play it.
        """
        nearby = self.nearby(span, None)
        if nearby:
            return nearby
        if numbered := self._numbered(span):
            return numbered
        roll = self._page.roll(span)
        question = self._questions.get(roll) if roll else None
        if question is None or span.start - question.end >= MAX_DISTANCE:
            return (roll and self._replied(span, roll, context)) or context
        is_apart = "\n\n" in self._page.bare[question.end : span.start]
        return context if is_apart else question

    def _replied(self, span: Span, roll: Roll, context: Context | None) -> Context | None:
        """The earlier reply of the paragraph with the same roll, unless the subject changes."""
        reply = self._replies.get(roll)
        if reply is None or (context and context.end > reply.end):
            return None
        return None if changes_subject(self._page, reply.end, span.start) else reply

    def are_answers(self, span: Span) -> bool:
        """Whether all rows of a table are numbered as sequences that ask how to play their roll."""
        return all(piece.named and self._numbered(piece.alone) for piece in span.pieces)

    def _numbered(self, span: Span) -> Context | None:
        """The sequence with the number before a play, if it ends with the roll of the play."""
        item = _ITEM.search(self._page.bare, max(span.start - _MAX_LABEL, 0), span.start)
        question = self._items.get(item["label"]) if item else None
        return question if question and question.roll_to_play == self._page.roll(span) else None
