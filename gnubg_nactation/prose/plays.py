"""Single plays in a text: alternatives to a sequence's last play, replies to it, or openings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.errors import UnreadError
from gnubg_nactation.prose.page import UNREADABLE, Finding, Kind, Page, weakest
from gnubg_nactation.prose.spans import Shape, Span
from gnubg_nactation.prose.starts import (
    MAX_GAP,
    MAX_WORDS,
    Attempt,
    Context,
    PlayAlone,
    StartCandidate,
    Topic,
    before_roll,
    play_starts,
    surest,
    topic_of,
)
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.sequences.tiers import ReadingKind


def read_play(
    page: Page,
    span: Span,
    context: Context | None,
    played: PlayAlone | None = None,
    topic: Topic | None = None,
) -> list[Finding]:
    """The finding of a single play; empty if it is more likely something else.

    `context` is the last sequence and `played` the last single play before it, `topic` the turn
    that the plays of its paragraph answer.
    """
    blank = page.finding(Kind.PLAY, span.start, span.end)

    def read(candidate: StartCandidate) -> Attempt | None:
        decoded = page.decode(span, candidate.start)
        (turn,) = decoded.turns
        fans = turn.nactation is not None and turn.play is None
        if not (turn.play or fans) or (candidate.only or turn.play) != turn.play:
            return None
        sure, note = weakest(candidate.sure, candidate.note, decoded)
        finding = blank._replace(decoded=decoded, sure=sure, note=note)
        is_assumption = turn.how is ReadingKind.ASSUMED
        return Attempt(finding, settles=not is_assumption, is_last_resort=is_assumption)

    best, problem = surest(play_starts(page, span, context, played, topic), read, page.budget)
    if best and best.settles:
        return [best.finding]
    is_clear = span.pieces[0].clear
    if isinstance(problem, UnreadError) and not best:
        return [blank._replace(error=problem)] if is_clear else []
    is_discussed = context is not None and context.ends_with(page.roll(span))
    is_discussed_game = context or played or topic or page.subject.is_backgammon(span.start)
    is_likely = problem and is_discussed_game and not _follows_move(page, span)
    if not (is_clear and (is_discussed or (is_likely and not span.pieces[0].longhand))):
        return []
    return [best.finding if best else blank._replace(error=problem)]


def read_cell(page: Page, span: Span) -> list[Finding]:
    """The finding of a letter in a reply chart, or of the opening that it answers."""
    opening = span.answered
    if opening is None:
        return read_play(page, span, None)
    try:
        answered = page.decode(opening, page.start)
    except UNREADABLE:
        return []
    line = page.finding(Kind.PLAY, opening.start, opening.end).line
    note = f"a reply to {answered.sequence} of line {line}"
    blank = page.finding(Kind.PLAY, span.start, span.end)
    try:
        decoded = page.decode(span, before_roll(answered.state))
    except UNREADABLE as error:
        return [blank._replace(error=type(error)(str(error), text=page.text, at=blank.start))]
    sure, note = weakest(Confidence.LIKELY, note, decoded)
    return [blank._replace(decoded=decoded, sure=sure, note=note)]


def _follows_move(page: Page, span: Span) -> bool:
    """Whether a play is that of a numbered move, as in `1.23b, Bob: 64^`."""
    line = page.bare.rfind("\n", 0, span.start) + 1
    return _MOVE.search(page.bare, max(line, span.start - _MAX_MOVE), span.start) is not None


_MOVE = re.compile(
    r"\b(?:move [0-9]{1,4}|[0-9]{1,4}\.[0-9]{1,4}[ab]), [^\n]{1,100}: \Z", re.IGNORECASE
)
_MAX_MOVE = 120


def play_alone(
    page: Page, span: Span, new: Sequence[Finding], previous: PlayAlone | None
) -> PlayAlone | None:
    """The play of a span if it is alone, so that a reply may follow it."""
    if span.shape is not Shape.PLAY or not new or new[0].decoded is None:
        return None
    first = max(previous.end if previous else 0, span.start - MAX_WORDS)
    decoded = new[0].decoded
    in_game = decoded.start.position != to_state(page.start or STANDARD).position
    words = page.bare[first : span.start]
    return PlayAlone(decoded, new[0].line, span.end, words, in_game)


def read_plays(
    page: Page, span: Span, context: Context | None, topic: Topic | None = None
) -> list[Finding]:
    """The findings of a list of plays; after `against 31P, 42P`, later ones answer 31P."""
    findings: list[Finding] = []
    played: PlayAlone | None = None
    for play in (piece.alone for piece in span.pieces if piece.named):
        new = read_play(page, play, context, played, topic)
        played = play_alone(page, play, new, played)
        if not findings and new:
            topic = topic_of(page, play, new[0]) or topic
        findings += new
    return findings


def are_alternatives(page: Page, span: Span) -> bool:
    """Whether the tokens of a span are alternatives rather than the turns of a game.

    In a chain, slashes mean alternatives between plays of the same roll, or if the words after it
    speak of several plays: `42P/31P are the point makers`. A list is a game if the words before or
    between its plays describe one, if it repeats a sequence of the text, if it ends with a roll
    still to play, if it contains longhand, if one of its plays is not legal in the first position,
    or if a doublet, which cannot open, follows another play without a comma. The cells of a table
    are alternatives only if each has its own line.
    """
    plays = [piece.alone for piece in span.pieces]
    gaps = [page.bare[piece.end : following.start] for piece, following in pairwise(span.pieces)]
    if not all(piece.named and not piece.longhand for piece in span.pieces) or not gaps:
        return False
    if any(piece.roll >= 0 for piece in span.pieces):
        return True
    if span.shape is Shape.CHAIN:
        is_one_roll = len({page.roll(play) for play in plays}) == 1
        return set(gaps) == {"/"} and (is_one_roll or bool(_SEVERAL.match(page.bare, span.end)))
    if span.shape is Shape.TABLE and not all("\n" in gap for gap in gaps):
        return False
    if span.shape is Shape.LIST:
        intro = page.bare[max(span.start - MAX_GAP, 0) : span.start]
        has_commas = any("," in gap for gap in gaps)
        if (
            span.is_game
            or page.repeats_game(span)
            or _GAME.search(intro)
            or (not has_commas and _AFTER.search(intro))
        ):
            return False
        if not has_commas and page.start is None and _has_later_doublet(page, plays):
            return False
    return all(_is_legal_first(page, play) for play in plays)


# Words before a list that is a game, the second only if no commas separate its plays.
_GAME = re.compile(
    r"\b(?:games?(?: \d+)?|sequence|position|went|starts?|started)\b[^\w\n]*\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:after|from|following)\s\Z", re.IGNORECASE)
# Words after plays of which the text speaks one by one, not as a game.
_SEVERAL = re.compile(
    r",? (?:are|were|all|both) (?!(?:how|the (?:first|opening|start)|played|in)\b)", re.IGNORECASE
)


def _has_later_doublet(page: Page, plays: Sequence[Span]) -> bool:
    """Whether an opening is first, and a doublet is not; many openings are a list all the same."""
    first, *others = [page.roll(play) for play in plays]
    if sum(page.token(play.pieces[0]) in OPENINGS for play in plays) >= _MIN_OPENINGS:
        return False
    opens = first is not None and not first.is_doublet
    return opens and any(roll is not None and roll.is_doublet for roll in others)


_MIN_OPENINGS = 4  # in one breath


def _is_legal_first(page: Page, play: Span) -> bool:
    """Whether a letter names a play in the first position of the page, without an assumption."""
    try:
        (turn,) = page.decode(play, page.start).turns
    except UNREADABLE:
        return False
    return turn.how is not ReadingKind.ASSUMED
