"""Single plays in a text: of the sequence before them, replies to it, or openings."""

from __future__ import annotations

from itertools import pairwise

from gnubg_nactation.errors import UnreadError
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.prose.page import UNREADABLE, Page
from gnubg_nactation.prose.scanning import Piece, Shape, Span
from gnubg_nactation.prose.starts import (
    Attempt,
    Context,
    PlayAlone,
    StartCandidate,
    opening_starts,
    play_starts,
    surest,
)
from gnubg_nactation.sequences.tiers import ReadingKind


def read_play(
    page: Page, span: Span, context: Context | None, played: PlayAlone | None = None
) -> list[Finding]:
    """A single play; empty if it is more likely something else."""
    blank = page.finding(Kind.PLAY, span.start, span.end)

    def read(candidate: StartCandidate) -> Attempt | None:
        decoded = page.decode(span, candidate.start)
        (turn,) = decoded.turns
        fans = turn.nactation is not None and turn.play is None
        if not (turn.play or fans) or (candidate.only or turn.play) != turn.play:
            return None
        sure = min(candidate.sure, turn.sure)
        finding = blank._replace(decoded=decoded, sure=sure, note=candidate.note)
        is_assumed = turn.how is ReadingKind.ASSUMED
        return Attempt(finding, settles=not is_assumed, is_last_resort=is_assumed)

    best, problem = surest(play_starts(page, span, context, played), read, page.budget)
    if best and best.settles:
        return [best.finding]
    is_clear = span.pieces[0].clear
    if isinstance(problem, UnreadError) and not best:
        return [blank._replace(error=problem)] if is_clear else []
    if context is None or not (is_clear and context.ends_with(page.roll(span))):
        return []
    return [best.finding if best else blank._replace(error=problem)]


def read_plays(page: Page, span: Span, context: Context | None) -> list[Finding]:
    """The tokens of a list, read as single plays."""
    plays = [_alone(piece) for piece in span.pieces if piece.named]
    return [finding for play in plays for finding in read_play(page, play, context)]


def are_openings(page: Page, span: Span) -> bool:
    """Whether each token of a list is an opening, so that they need not be a sequence.

    Tokens separated by blanks only are a sequence, and so are two columns: a list has commas or
    line ends.
    """
    gaps = [page.bare[piece.end : following.start] for piece, following in pairwise(span.pieces)]
    if not any("," in gap or "\n" in gap for gap in gaps):
        return False
    if span.shape is Shape.TABLE and not all("\n" in gap for gap in gaps):
        return False
    return all(piece.named and _is_opening(page, _alone(piece)) for piece in span.pieces)


def _is_opening(page: Page, span: Span) -> bool:
    try:
        starts = opening_starts(page, span)
        decodeds = [page.decode(span, candidate.start) for candidate in starts]
        return any(decoded.turns[0].how is not ReadingKind.ASSUMED for decoded in decodeds)
    except UNREADABLE:
        return False


def _alone(piece: Piece) -> Span:
    return Span(Shape.PLAY, piece.start, piece.end, (piece,))
