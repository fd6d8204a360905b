"""Nacbracs in a text, about the roll or the sequence before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, Nacbrac
from gnubg_nactation.nacbracs.reading import (
    CubeRead,
    NacbracRead,
    lay_out,
    nacbracs_at,
    read_cubes,
    read_nacbracs,
)
from gnubg_nactation.prose.page import Finding, Kind, Page, paragraph_of, roll_before
from gnubg_nactation.prose.spans import Shape, Span
from gnubg_nactation.prose.starts import (
    MAX_GAP,
    MAX_WORDS,
    Attempt,
    Context,
    StartCandidate,
    nacbrac_starts,
    surest,
)
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.scan import Scan

_BOT = re.compile(r"[^\n\[]{1,60}")
_MAX_DISTANCE = 400  # characters between a nacbrac and a sequence after it
_NO_ROLL = "found no roll for this nacbrac"


def read_nacbrac(
    page: Page, span: Span, roll: Span | None, context: Context | None, last: Finding | None
) -> list[Finding]:
    """A nacbrac of plays; `last` is the finding before it."""
    blank = page.finding(Kind.NACBRAC, (roll or span).start, span.end)
    by_errors = span.pieces[0].clear
    if span.move:
        unknown = f"the position of {span.move} is not in the text"
        return [blank._replace(error=IllegalError(unknown, text=page.text, at=blank.start))]

    def read(candidate: StartCandidate) -> Attempt | None:
        nacbrac = _resolve(page, span, candidate)
        sure = min([candidate.sure, *(entry.sure for entry in nacbrac.entries)])
        is_assumed = any(entry.how is ReadingKind.ASSUMED for entry in nacbrac.entries)
        if is_assumed and not by_errors:
            return None
        return Attempt(blank._replace(nacbrac=nacbrac, sure=sure, note=candidate.note))

    is_other = last and context and last.kind is Kind.SEQUENCE and last.line != context.line
    adjacent = _is_adjacent(blank, last) and not is_other  # not after `same as #4`
    starts = nacbrac_starts(page, roll, context, adjacent=adjacent)
    named = [] if roll else list(_named_starts(page, span, last))
    about_play = [] if roll else _start_of_play(blank, last)
    same = [] if roll or not last else _as_nacbrac(page, span, last)
    best, problem = surest([*named, *about_play, *starts, *same], read, page.budget)
    if best:
        return [best.finding]
    problem = problem or IllegalError(_NO_ROLL, text=page.text, at=blank.start)
    return [blank._replace(error=problem)] if by_errors else []


class Unbound(NamedTuple):
    """A nacbrac that fits nothing before it, and the place of its finding."""

    span: Span
    place: int


def bind(page: Page, unbound: Unbound, context: Context) -> Finding | None:
    """The finding of a nacbrac about a sequence after it, in its paragraph; None if it is not."""
    span = unbound.span
    is_near = 0 < context.end - span.end < _MAX_DISTANCE
    if not is_near or "\n\n" in page.bare[span.end : context.end]:
        return None
    (finding,) = read_nacbrac(page, span, None, context, None)
    return None if finding.error else finding


def read_cube(
    page: Page, span: Span, context: Context | None, last: Finding | None
) -> list[Finding]:
    """A nacbrac of the cube, about the end of the sequence before it if that is possible."""
    blank = page.finding(Kind.NACBRAC, span.start, span.end, Confidence.SURE)
    by_errors, adjacent = span.pieces[0].clear, _is_adjacent(blank, last)
    if not (by_errors or adjacent):
        return []
    about, sure = context.decoded if context else None, Confidence.SURE
    note = f"of {span.move}" if span.move else ""
    if context and not adjacent:
        sure, note = Confidence.LIKELY, f"taken to be about {context.where}"
    elif page.start and not (context or span.move):
        about = decode("", start=page.start, dialect=page.dialect_at(span.start))
    problem: NactationError = IllegalError(_NO_ROLL)
    read: Nacbrac | CubeNacbrac | CubeRead | None = None
    try:
        nacbrac = _as_written(page, span)
        read = read_cubes(about, [nacbrac])[0] if about else nacbrac
    except MalformedError as error:
        return [blank._replace(error=error)]
    except IllegalError as error:
        problem = error
        if context and not adjacent:  # it may be about something else
            read, note = nacbrac, ""
    if isinstance(read, CubeRead):
        return [blank._replace(cube=read.nacbrac, state=read.state, sure=sure, note=note)]
    if isinstance(read, CubeNacbrac):
        return [blank._replace(cube=read, note=note)]
    problem = IllegalError(str(problem), text=page.text, at=blank.start)
    return [blank._replace(error=problem)] if by_errors else []


def _start_of_play(blank: Finding, last: Finding | None) -> list[StartCandidate]:
    """The roll of the single play before a nacbrac: `31P [P @87]`."""
    if last is None or last.kind is not Kind.PLAY or blank.start - last.end >= MAX_WORDS:
        return []
    turns = last.decoded.turns if last.decoded else ()
    note = f"about {last.text} of line {last.line}"
    return [StartCandidate(turn.state, Confidence.LIKELY, note) for turn in turns]


def _as_nacbrac(page: Page, span: Span, last: Finding) -> list[StartCandidate]:
    """The roll of the nacbrac before another one in its line: `21: money [S $3], DMP d[$ S9]`."""
    at = page.glyphs[span.start].at
    is_near = last.nacbrac is not None and at - last.end < 2 * MAX_GAP
    if not (is_near and last.nacbrac) or "\n" in page.text[last.end : at]:
        return []
    note = f"about the roll of {last.text}"
    return [StartCandidate(last.nacbrac.state, Confidence.LIKELY, note)]


# Words between a roll and the play that it answers: `I rolled 31 against 43S`.
_ANSWERS = re.compile(
    r"\b(?:after|against|facing|following|from|to|vs\.?|versus)\s*\Z", re.IGNORECASE
)


_OPENING = re.compile(r"\b[Oo]pening \Z")


def _named_starts(page: Page, span: Span, last: Finding | None) -> Iterator[StartCandidate]:
    """The state of a roll that the paragraph names, after the last play or sequence in it.

    Nothing if the nacbrac is rather about the roll of that play or sequence.
    """
    named = roll_before(page, span.start)
    if named is None:
        return
    first, _ = paragraph_of(page, span.start)
    is_later = last is None or page.glyphs[named.start].at >= last.end
    is_opening = is_later and _OPENING.search(page.bare, max(named.start - MAX_GAP, 0), named.start)
    if last is None or is_opening or last.start < page.glyphs[first].at:
        if page.start or not named.roll.is_doublet:
            state = replace(to_state(page.start or STANDARD), roll=named.roll)
            yield StartCandidate(state, Confidence.LIKELY, f"about an opening {named.roll}")
    elif last.decoded and last.decoded.turns and last.decoded.turns[-1].play:
        before = page.text[max(last.start - MAX_GAP, 0) : last.start]
        if is_later or _ANSWERS.search(before):
            state = replace(last.decoded.state, roll=named.roll)
            note = f"about {named.roll} after {last.text} of line {last.line}"
            yield StartCandidate(state, Confidence.LIKELY, note)


def _is_adjacent(blank: Finding, last: Finding | None) -> bool:
    """Whether a nacbrac is next to the finding before it, unless that is a single play."""
    return last is not None and blank.start - last.end < MAX_GAP and last.kind is not Kind.PLAY


def _as_written(page: Page, span: Span) -> Nacbrac | CubeNacbrac:
    """The nacbrac of a span, without a position; raises MalformedError."""
    scan = Scan(page.text, page.glyphs[span.start : span.end])
    return nacbracs_at(scan, lay_out(scan)[0])[0]


def end_of_bot(bare: str, end: int, following: Span | None) -> int:
    """The end of the bot's name after a nacbrac; `end` without a bot.

    The roll of the next nacbrac is not part of the name.
    """
    until = following.start if following and following.shape is Shape.ROLL else len(bare)
    bot = _BOT.match(bare, end, until)
    return end + len(bot[0].rstrip()) if bot and describe_bot(bot[0]) else end


def _resolve(page: Page, span: Span, candidate: StartCandidate) -> NacbracRead:
    nacbrac = _as_written(page, span)
    if isinstance(nacbrac, CubeNacbrac):
        raise IllegalError(_NO_ROLL, text=page.text)
    start = candidate.start
    (read,) = read_nacbracs(
        decode("", start=start, dialect=page.dialect_at(span.start)),
        [nacbrac],
        roll=start.roll if isinstance(start, GameState) else None,
        strict=page.strict,
        equities=page.equities,
        budget=page.budget,
    )
    return read
