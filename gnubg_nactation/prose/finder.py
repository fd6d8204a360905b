"""Find and replay the sequences, plays, nacbracs and positions in prose.

Precision comes first. Look-alikes such as dates, scores and model numbers are left out; an
ambiguous finding is doubtful, and its note gives the reason.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise, zip_longest
from operator import attrgetter

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError, UnreadError
from gnubg_nactation.files.copied import Copied, read_copied
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.prose.chains import MIN_CHAIN_TOKENS, Shape, Span
from gnubg_nactation.prose.claims import read_row_claim, with_claims
from gnubg_nactation.prose.page import UNREADABLE, Finding, Kind, Page, weakest
from gnubg_nactation.prose.reading import (
    MAX_DISTANCE,
    Attempt,
    Context,
    PlayAlone,
    StartCandidate,
    Topic,
    Unbound,
    are_alternatives,
    before_roll,
    bind,
    changes_subject,
    end_of_bot,
    play_alone,
    read_cell,
    read_cube,
    read_nacbrac,
    read_play,
    read_plays,
    reason_to_doubt,
    reply_starts,
    sequence_starts,
    surest,
    topic_of,
)
from gnubg_nactation.prose.scanning import scan_prose
from gnubg_nactation.sequences.assumption import Confidence, Evaluator, evaluator_of
from gnubg_nactation.sequences.decode import Budget, Decoded, decode
from gnubg_nactation.sequences.openings import OPENINGS

_EQUITY = re.compile(r"[.,]\d\d")  # every analysis has one


def with_analyses(text: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with each copied analysis in the place of its position."""
    copied = read_copied(text) if _EQUITY.search(text) else ()
    positions = [each for each in copied if each.has_analysis or each.problems]
    if not positions:
        return tuple(findings)
    parts = [each.overlaps for each in positions]
    kept = [each for each in findings if not any(part(each.start, each.end) for part in parts)]
    kept += [_finding(text, copied) for copied in positions]
    return tuple(sorted(kept, key=attrgetter("start")))


def _finding(text: str, copied: Copied) -> Finding:
    start, end = copied.id_start, copied.id_end
    name = " ".join(text[start:end].split())
    column = start - text.rfind("\n", 0, start)
    place = start, end, copied.line, column
    if not copied.has_analysis:
        error = MalformedError(copied.problems[0], text=text, at=start)
        return Finding(Kind.ANALYSIS, *place, name, Confidence.DOUBTFUL, error=error)
    note = "; ".join(f"left out: {problem}" for problem in copied.problems)
    sure = Confidence.LIKELY if note else Confidence.SURE
    return Finding(Kind.ANALYSIS, *place, name, sure, state=copied.state, note=note, copied=copied)


_LABEL = (
    r"(?:\#|\b(?i:diagram|position|pos\.|problem|example)\s\#?)"
    r"(?P<label>[0-9]{1,4}[a-z]?|[A-Z])(?![\w-])"
)
_SAME = re.compile(rf"\b(?i:same(?: position)? as)\s(?:the )?{_LABEL}")
# Words right before a play or nacbrac: `in diagram 1, 31P`.
_NEARBY = re.compile(rf"\b(?i:in|for|back to)\s(?:the )?{_LABEL}[^\n.;]{{0,15}}\Z")
_MAX_LABEL = 40  # characters
_NAMED = re.compile(rf"(?<!as )(?<!in )(?<!In )(?<!for )(?<!For )(?<!to ){_LABEL}[:.,)\]*]*\s*\Z")


class Memory:
    """The sequences and positions of a text so far, by their numbers and by the roll to play."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._labelled: dict[str, Context] = {}
        self._questions: dict[Roll, Context] = {}
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

    def add_reply(self, span: Span, new: Sequence[Finding]) -> None:
        """Remember a play that is no opening, so that other plays of its roll may follow."""
        roll = self._page.roll(span)
        decoded = new[0].decoded if new and new[0].sure is not Confidence.DOUBTFUL else None
        if roll and decoded and to_state(decoded.start).position != to_state(STANDARD).position:
            self._replies[roll] = Context(decoded, new[0].line, span.end)

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
        if named := self.nearby(span, None):
            return named
        roll, question = self._page.roll(span), self.question(span)
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

    def question(self, span: Span) -> Context | None:
        """The last sequence that asks how to play the roll of a play."""
        roll = self._page.roll(span)
        return self._questions.get(roll) if roll else None

    def are_answers(self, span: Span) -> bool:
        """Whether all rows of a table are plays of rolls that sequences ask how to play."""
        return all(piece.named and self.question(piece.alone) for piece in span.pieces)


def read_prose(
    text: str,
    *,
    start: Position | GameState | None = None,
    assume: Evaluator | bool | None = False,
    strict: bool = False,
    dialect: Dialect = CURRENT,
    budget: Budget | None = None,
) -> tuple[Finding, ...]:
    """Find all Nactation in a text, in order; its sequences begin from `start`.

    `assume`, `strict` and `budget`: see `decode`. Without a `dialect`, a post whose day the text
    has is read by the usage of that day. Findings that the budget leaves unread
    have an UnreadError. Raises MalformedError if the text is too long, and any error of the engine.
    """
    with evaluator_of(assume) as equities:
        page = Page(
            text, start=start, equities=equities, strict=strict, dialect=dialect, budget=budget
        )
        return tuple(map(_with_usage, with_analyses(text, _find(page))))


def _with_usage(finding: Finding) -> Finding:
    usage = finding.decoded.usage_note if finding.decoded else ""
    return finding._replace(note="; ".join(filter(None, (finding.note, usage))))


_ALONE = {Shape.PATTERN, Shape.CELL}


def _find(page: Page) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    context: Context | None = None
    played: PlayAlone | None = None
    topic: Topic | None = None
    roll: Span | None = None  # before a nacbrac
    nacbrac_end = 0  # of the last nacbrac, with its bot
    unbound: Unbound | None = None  # a nacbrac about a sequence after it
    memory = Memory(page)
    scanned = _scan(page)
    alone = [finding for span in scanned for finding in _read_alone(page, span)]
    for span, following in _with_next(span for span in scanned if span.shape not in _ALONE):
        if span.start < nacbrac_end:
            continue
        context = memory.referred(span.start, context)
        last = findings[-1] if findings else None
        new: Sequence[Finding] = ()
        if span.shape in {Shape.NACBRAC, Shape.CUBE}:
            nacbrac_end = end_of_bot(page.bare, span.end, following)
            whole = span._replace(end=nacbrac_end)
            context = None if span.move else context
            if span.shape is Shape.CUBE or (context and context.is_doubled and not roll):
                new = read_cube(page, whole, context, last)
            else:
                new = read_nacbrac(page, whole, roll, memory.nearby(span, context), last)
                is_unbound = new and new[0].error and not (roll or span.move)
                unbound = Unbound(whole, len(findings)) if is_unbound else unbound
        elif span.shape is Shape.POSITION:
            new = _read_position(page, span)
            context = _context_after(span, new, context)
        elif span.shape is Shape.PLAY:
            new = read_play(page, span, memory.asked(span, context), played, topic)
            memory.add_reply(span, new)
        elif span.shape is Shape.TABLE and memory.are_answers(span):
            new = _read_answers(page, span, memory)
        elif span.shape is not Shape.ROLL:
            new = _read_sequence(page, span, context, played, topic)
        findings += new
        topic = _topic_after(page, span, new, topic)
        last = findings[-1] if findings else None
        if new and last and last.decoded and _may_continue(page, span, last):
            context = Context(last.decoded, last.line, span.end)
            if unbound:
                findings[unbound.place] = bind(page, unbound, context) or findings[unbound.place]
            alone += read_row_claim(page, span, last)
        if new and context and context.end == span.end:
            memory.add(span, context)
            unbound = None
        roll = span if span.shape is Shape.ROLL else None
        played = play_alone(page, span, new, played)
    return tuple(with_claims(page, sorted([*findings, *alone], key=attrgetter("start"))))


def _with_next(spans: Iterable[Span]) -> Iterable[tuple[Span, Span | None]]:
    """Each span with the next one."""
    listed = list(spans)
    return zip_longest(listed, listed[1:])


def _scan(page: Page) -> list[Span]:
    """The spans of a text; the page learns where it is about backgammon, and its sequences."""
    scanned = list(_joined(page, scan_prose(page.bare)))
    for span in filter(attrgetter("is_distinct"), scanned):
        page.subject.add(span.start)
    page.games.update(_beginnings(page, scanned))
    return scanned


_BELOW = re.compile(r"[ \t]*\n[ \t]*")


def _joined(page: Page, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans; chains in lines below each other are one game unless each can begin one."""
    blocks: list[list[Span]] = []
    for span in spans:
        last = blocks[-1][-1] if blocks else span
        are_chains = last.shape is span.shape is Shape.CHAIN and not (last.broken or span.broken)
        is_below = are_chains and _BELOW.fullmatch(page.bare, last.end, span.start)
        if is_below and len(blocks[-1]) < _MAX_BEGINNING:
            blocks[-1].append(span)
        else:
            blocks.append([span])
    for block in blocks:
        pieces = tuple([piece for span in block for piece in span.pieces])
        whole = block[0]._replace(end=block[-1].end, pieces=pieces)
        is_game = len(block) > 1 and not all(_can_begin(page, span) for span in block)
        yield from [whole] if is_game and _can_begin(page, whole) else block


def _can_begin(page: Page, span: Span) -> bool:
    """Whether a chain can be read strictly from the start of the page."""
    with suppress(*UNREADABLE):
        return page.decode(span, page.start).is_strict
    return False


def _beginnings(page: Page, spans: Iterable[Span]) -> Iterator[tuple[str, ...]]:
    """The first turns, at least two, of each chain and of each list that ends with a roll."""
    for span in spans:
        is_list = span.shape is Shape.LIST and not span.pieces[-1].named
        if is_list or span.shape is Shape.CHAIN:
            tokens = tuple([page.token(piece) for piece in span.pieces[:_MAX_BEGINNING]])
            yield from (tokens[:count] for count in range(2, len(tokens) + 1))


_MAX_BEGINNING = 30  # tokens


def _read_answers(page: Page, span: Span, memory: Memory) -> list[Finding]:
    """The plays of a table whose rows answer the sequences that end with their rolls."""
    rows = [piece.alone for piece in span.pieces]
    return [each for row in rows for each in read_play(page, row, memory.question(row))]


def _read_alone(page: Page, span: Span) -> Sequence[Finding]:
    """The findings of a pattern, or of a part of a reply chart; nothing if it needs context."""
    if span.shape not in _ALONE:
        return []
    if span.shape is Shape.PATTERN:
        return [_read_pattern(page, span)]
    if span.answered or len(span.pieces) == 1:
        return read_cell(page, span)
    return _read_sequence(page, span._replace(shape=Shape.CHAIN))


# Positions


def _read_position(page: Page, span: Span) -> list[Finding]:
    """A position by its ID, or the error of an ID; empty if the text only looks like an ID."""
    sure = Confidence.LIKELY if span.is_bare else Confidence.SURE
    blank = page.finding(Kind.POSITION, span.start, span.end, sure)
    try:
        state = parse_state(span.name)
    except MalformedError as error:
        if not blank.text.upper().startswith(("XGID", "GNU")):
            return []
        problem = MalformedError(str(error), text=page.text, at=blank.start)
        return [blank._replace(sure=Confidence.DOUBTFUL, error=problem)]
    return [blank._replace(state=state)] if state else []


def _context_after(span: Span, new: Sequence[Finding], context: Context | None) -> Context | None:
    """A position as the context of later findings, or the context before it.

    An ID without a label is the context only if there is no other; none is if a double is offered.
    """
    if not new or span.is_result or (span.is_bare and context):
        return context
    state = new[0].state
    if state is None or state.doubled:
        return None
    mark = "-" if state.player is Player.SECOND else ""
    decoded = decode(f"{mark}{state.roll or ''}", start=before_roll(state))
    return Context(decoded, new[0].line, span.end, is_position=True)


# Patterns

_WILDCARDS = {"*": "any turns", "xx": "any turn", "xxx": "any turn"}


def _read_pattern(page: Page, span: Span) -> Finding:
    """A pattern, with its meaning in words."""
    finding = page.finding(Kind.PATTERN, span.start, span.end, Confidence.LIKELY)
    parts = finding.text.split("-")
    words = (_WILDCARDS.get(part, f"any {part}" if part.isdigit() else part) for part in parts)
    return finding._replace(meaning=", ".join(words))


# Sequences


def _topic_after(
    page: Page, span: Span, new: Sequence[Finding], topic: Topic | None
) -> Topic | None:
    """The topic after a span: that which it sets; another sequence ends the one before."""
    if not new:
        return topic
    next_topic = topic_of(page, span, new[-1])
    return next_topic or (None if new[-1].kind is Kind.SEQUENCE else topic)


def _read_sequence(
    page: Page,
    span: Span,
    context: Context | None = None,
    played: PlayAlone | None = None,
    topic: Topic | None = None,
) -> list[Finding]:
    """A sequence, or the separate plays of a list."""
    if are_alternatives(page, span):
        return read_plays(page, span, context, topic)
    blank = page.finding(Kind.SEQUENCE, span.start, span.end)
    if span.shape is Shape.TABLE:
        tokens = page.tokens(span)
        blank = blank._replace(text="-".join(text for _, text in tokens), tokens=tokens)

    replies = list(reply_starts(page, span, played)) if span.shape is Shape.LIST else []

    def read(candidate: StartCandidate) -> Attempt | None:
        decoded = page.decode(span, candidate.start)
        is_own = candidate.start is page.start
        is_likely = candidate.sure is Confidence.LIKELY and candidate.start is not NACKGAMMON
        is_strict = decoded.is_strict
        if not (is_own or is_likely or is_strict):
            return None  # a mere guess of the position must read strictly
        if is_own and not is_strict and (usage := page.older_usage(span)):
            decoded = decoded.with_hint(usage.hint)
        sure, note = _confidence_of(page, span, decoded, candidate)
        finding = blank._replace(decoded=decoded, sure=sure, note=note)
        return Attempt(finding, settles=is_strict and (is_own or candidate in replies))

    starts = chain(replies, sequence_starts(page, span, context))
    attempt, problem = surest(starts, read, page.budget)
    best = attempt and attempt.finding
    if span.shape is Shape.LIST and not (best and best.sure >= Confidence.LIKELY):
        return read_plays(page, span, context, topic)
    is_unread = isinstance(problem, UnreadError)
    if best and not (is_unread and best.sure is Confidence.DOUBTFUL):
        return [best]
    if not (is_unread or span.broken or sum(piece.clear for piece in span.pieces) > 1):
        return []
    usage = page.older_usage(span) if problem and not is_unread else None
    return [blank._replace(error=problem, usage=usage)]


def _may_continue(page: Page, span: Span, finding: Finding) -> bool:
    return finding.kind is Kind.SEQUENCE and not _is_out_of_place(page, span)


def _is_out_of_place(page: Page, span: Span) -> bool:
    """Whether nothing near a short chain is about backgammon, so that it may be a code."""
    is_short = len(span.pieces) < MIN_CHAIN_TOKENS
    return is_short and page.start is None and not page.subject.is_backgammon(span.start)


_GOES_ON = re.compile(r"(?<=\W[1-6]{2}) [A-Za-z]")  # after a roll at the end of a list


def _confidence_of(
    page: Page, span: Span, decoded: Decoded, candidate: StartCandidate
) -> tuple[Confidence, str]:
    """How sure a sequence is, by its weakest token and by its looks, and why."""
    sure, note = candidate.sure, candidate.note
    is_short = len(span.pieces) < MIN_CHAIN_TOKENS
    if _is_out_of_place(page, span):
        sure, note = Confidence.DOUBTFUL, "nothing near it is about backgammon"
    elif is_short and sum(piece.clear for piece in span.pieces) < 2:
        reasons = (reason_to_doubt(page.token(piece)) for piece in span.pieces)
        if reason := next(filter(None, reasons), ""):
            sure, note = Confidence.DOUBTFUL, reason
    is_list = span.shape is Shape.LIST and not span.is_game
    is_copy = is_list and span.pieces[-1].named and page.repeats_game(span)
    pairs = pairwise(span.pieces) if span.is_game else ()
    gaps = {page.bare[piece.end : other.start] for piece, other in pairs}
    if gaps == {", then "} and {*map(page.token, span.pieces)}.issubset(OPENINGS):
        is_copy, note = True, "taken for a sequence"  # or for openings, the best one first
    if is_copy or (is_list and _GOES_ON.match(page.bare, span.end)):
        sure = min(sure, Confidence.LIKELY)
        note = note or ("begins as a sequence of the text" if is_copy else "taken for a sequence")
    return weakest(sure, note, decoded)
