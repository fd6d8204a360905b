"""Find and replay the sequences, plays, nacbracs and positions in prose.

Precision comes first. Look-alikes such as dates, scores and model numbers are left out; an
ambiguous finding is doubtful, and its note gives the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from operator import attrgetter

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError, UnreadError
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.prose.analyses import with_analyses
from gnubg_nactation.prose.claims import read_claims, read_row_claim
from gnubg_nactation.prose.findings import Finding, Kind, weakest
from gnubg_nactation.prose.memory import Memory
from gnubg_nactation.prose.nacbracs import (
    Unbound,
    bind,
    end_of_bot,
    read_cube,
    read_nacbrac,
)
from gnubg_nactation.prose.page import Page
from gnubg_nactation.prose.plays import (
    are_alternatives,
    play_alone,
    read_cell,
    read_play,
    read_plays,
)
from gnubg_nactation.prose.scanning import scan_prose
from gnubg_nactation.prose.spans import MIN_CHAIN_TOKENS, Shape, Span
from gnubg_nactation.prose.starts import (
    Attempt,
    Context,
    PlayAlone,
    StartCandidate,
    Topic,
    before_roll,
    reason_to_doubt,
    sequence_starts,
    surest,
    topic_of,
)
from gnubg_nactation.sequences.assumption import Confidence, Evaluator, evaluator_of
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.decode import Decoded, decode


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

    `assume`, `strict`, `dialect` and `budget`: see `decode`. Findings that the budget leaves unread
    have an UnreadError. Raises MalformedError if the text is too long, and any error of the engine.
    """
    with evaluator_of(assume) as equities:
        page = Page(
            text, start=start, equities=equities, strict=strict, dialect=dialect, budget=budget
        )
        return with_analyses(text, _find(page))


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
    scanned = scan_prose(page.bare)
    for span in filter(attrgetter("is_distinct"), scanned):
        page.subject.add(span.start)
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
            new = memory.explained(span, new)
        elif span.shape is Shape.TABLE and memory.are_answers(span):
            new = _read_answers(page, span, memory)
        elif span.shape is not Shape.ROLL:
            new = _read_sequence(page, span, context, topic)
        findings += new
        topic = _topic_after(page, span, new, topic)
        last = findings[-1] if findings else None
        if new and last and _is_context(page, span, last) and last.decoded:
            context = Context(last.decoded, last.line, span.end)
            if unbound:
                findings[unbound.place] = bind(page, unbound, context) or findings[unbound.place]
            alone += read_row_claim(page, span, last)
        if new and context and context.end == span.end:
            memory.add(span, context)
            unbound = None
        roll = span if span.shape is Shape.ROLL else None
        played = play_alone(page, span, new, played)
    findings = sorted([*findings, *alone], key=attrgetter("start"))
    return tuple(sorted([*findings, *read_claims(page, findings)], key=attrgetter("start")))


def _with_next(spans: Iterable[Span]) -> Iterable[tuple[Span, Span | None]]:
    """Each span with the next one."""
    listed = list(spans)
    return zip_longest(listed, listed[1:])


def _read_answers(page: Page, span: Span, memory: Memory) -> list[Finding]:
    """The plays of a table whose rows answer the sequences with their numbers."""
    plays = [piece.alone for piece in span.pieces]
    return [
        finding for play in plays for finding in read_play(page, play, memory.asked(play, None))
    ]


def _read_alone(page: Page, span: Span) -> Sequence[Finding]:
    """The findings of a pattern, or of a part of a reply chart; nothing if it needs context."""
    if span.shape not in _ALONE:
        return []
    if span.shape is Shape.PATTERN:
        return [_read_pattern(page, span)]
    if span.answered or len(span.pieces) == 1:
        return read_cell(page, span)
    return _read_sequence(page, span._replace(shape=Shape.CHAIN), None, None)


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

    An ID without a label is the context only if there is no other.
    """
    if not new or span.is_result or (span.is_bare and context):
        return context
    return _context_of(new[0], span.end)


def _context_of(position: Finding, end: int) -> Context | None:
    """A position as the context of later findings; None if a double is to be answered."""
    state = position.state
    if state is None or state.doubled:
        return None
    mark = "-" if state.player is Player.SECOND else ""
    decoded = decode(f"{mark}{state.roll or ''}", start=before_roll(state))
    return Context(decoded, position.line, end, is_position=True)


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
    page: Page, span: Span, context: Context | None, topic: Topic | None
) -> list[Finding]:
    """A sequence, or the separate plays of a list."""
    if _is_list_of_replies(page, span, topic) or are_alternatives(page, span):
        return read_plays(page, span, context, topic)
    blank = page.finding(Kind.SEQUENCE, span.start, span.end)
    if span.shape is Shape.TABLE:
        tokens = page.tokens(span)
        blank = blank._replace(text="-".join(text for _, text in tokens), tokens=tokens)

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
        return Attempt(finding, settles=is_own and is_strict)

    attempt, problem = surest(sequence_starts(page, span, context), read, page.budget)
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


_REPLIES = re.compile(
    r"[^\s:]{3,20}(?P<replies>[^\n.;:]{0,60}\b(?:replies|responses|answers)\b[^\n.;:]{0,40})?:\s{1,2}"
)


def _is_list_of_replies(page: Page, span: Span, topic: Topic | None) -> bool:
    """Whether a list follows the turn that its plays answer: `against 43Z: 11N, 22B`."""
    is_next = topic is not None and _REPLIES.fullmatch(page.bare, topic.start, span.start)
    is_clear = is_next and (is_next["replies"] or "," in page.bare[span.start : span.end])
    is_list = span.shape is Shape.LIST and all(piece.named for piece in span.pieces)
    return bool(is_clear and is_list)


def _is_context(page: Page, span: Span, finding: Finding) -> bool:
    """Whether later findings may be about a finding: a sequence that is hardly a code."""
    return finding.kind is Kind.SEQUENCE and not _is_out_of_place(page, span)


def _is_out_of_place(page: Page, span: Span) -> bool:
    """Whether nothing near a short chain is about backgammon, so that it may be a code."""
    is_short = len(span.pieces) < MIN_CHAIN_TOKENS
    return is_short and page.start is None and not page.subject.is_backgammon(span.start)


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
    return weakest(sure, note, decoded)
