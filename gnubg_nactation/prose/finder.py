"""Find and replay the sequences, plays, nacbracs and positions in prose.

Precision comes first. Look-alikes such as dates, scores and model numbers are left out; an
ambiguous finding is doubtful, and its note gives the reason. A single play is an alternative to a
sequence's last play, a reply to it, or an opening. A nacbrac is about the roll or the sequence
before it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise, zip_longest
from operator import attrgetter

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError, UnreadError
from gnubg_nactation.files.copied import Copied, read_copied
from gnubg_nactation.language.dialects import CURRENT, Dialect
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
from gnubg_nactation.prose.chains import (
    ANY_WORD,
    LONE_ROLL,
    MIN_CHAIN_TOKENS,
    Shape,
    Span,
    has_odd_neighbour,
)
from gnubg_nactation.prose.claims import read_row_claim, with_claims
from gnubg_nactation.prose.page import UNREADABLE, Finding, Kind, Page, paragraph_of, roll_before
from gnubg_nactation.prose.scanning import scan_prose
from gnubg_nactation.sequences.assumption import Confidence, Evaluator, evaluator_of
from gnubg_nactation.sequences.decode import Budget, Decoded, decode
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.scan import Scan

_MAX_GAP = 40  # characters between a sequence or a play and a finding about it
_MAX_WORDS = 200  # characters between a play and the reply to it
_MAX_DISTANCE = 1000  # characters between a sequence and a play that goes on from it
_MAX_TURNS = 100  # last turns of a sequence that a single play may be about
_MIN_TOKENS_TO_IMPLY = 15  # legal tokens that imply their position
# Letters of usual openings, and reverse splits (section 1). Other tokens with $ may be prices.
_USUAL = set("DPRSZ")
_SLOTS = {"21$", "41$", "51$", "62$"}


class StartCandidate(NamedTuple):
    """A possible start, how sure it is, and a `note` on its reason.

    If `only` is a play, the start is right only if the text names this play.
    """

    start: Position | GameState | None
    sure: Confidence = Confidence.SURE
    note: str = ""
    only: Play | None = None


class Attempt(NamedTuple):
    """A finding read from a start candidate.

    If it `settles`, no other candidate is tried. A last resort ranks below all others.
    """

    finding: Finding
    settles: bool = False
    is_last_resort: bool = False

    @property
    def rank(self) -> tuple[bool, Confidence]:
        """A sort key, higher is better; all last resorts are equal."""
        sure = Confidence.DOUBTFUL if self.is_last_resort else self.finding.sure
        return not self.is_last_resort, sure


def _surest(
    candidates: Iterable[StartCandidate],
    read: Callable[[StartCandidate], Attempt | None],
    budget: Budget,
) -> tuple[Attempt | None, NactationError | None]:
    """The surest attempt, None if nothing could be read, and the first error.

    After an attempt that is no last resort, no doubtful start is tried. Each candidate after the
    second costs one reading of the budget. If the budget is used up, only the first candidate is
    tried, and the second if it is not doubtful.
    """
    best: Attempt | None = None
    problem: NactationError | None = None
    for number, candidate in enumerate(candidates):
        is_doubtful = candidate.sure is Confidence.DOUBTFUL
        if budget.is_used_up and number > (0 if is_doubtful else 1):
            break
        budget.spend(number > 1)
        if is_doubtful and best and not best.is_last_resort:
            break
        try:
            attempt = read(candidate)
        except UNREADABLE as error:
            problem = problem or error
            continue
        if attempt and (best is None or attempt.rank > best.rank):
            best = attempt
        if attempt and attempt.settles:
            break
    return best, problem


def _weakest(sure: Confidence, note: str, decoded: Decoded) -> tuple[Confidence, str]:
    """The confidence of a sequence and its note, or those of the first of its weakest turns."""
    turn = min(decoded.turns, key=attrgetter("sure"), default=None)
    if turn is None or turn.sure >= sure:
        return sure, note
    return turn.sure, "; ".join(filter(None, (note, f"{turn.token.text}: {turn.doubt}")))


# Words around a sequence or a play that the later plays of the paragraph answer.
_AFTER = (
    r"after|following|against|facing|(?:repl(?:y|ies)|responses?|answers?) to"
    r"|nach|gegen|auf|apr\u00e8s|contre|dopo|contro|despu\u00e9s de|tras|contra|efter|mod|na"
)
_WHOSE = (
    r"(?: an?| the| une?| die| das| la| el| opening| my| your| his| her| their"
    r"| [a-z]{1,16}['\u2019]s)*"
)
_ANSWERED = re.compile(
    rf"\b(?:{_AFTER}"
    r"|(?:if|when|had|suppose|should) (?:I|you|he|she|they|white|black|(?:my|your|the) opponent)"
    rf"(?: [a-z]{{1,12}}){{1,3}}){_WHOSE}\s*\Z"
    rf"|\b(?:{_AFTER}){_WHOSE} (?:{ANY_WORD})s? \(\Z"  # `against the slot (41$)`
    rf"|(?:\A|[\n.,;:(])[ \t]*(?:versus|vs\.?){_WHOSE}[ ]\Z",  # `Replies: vs 43Z: 11N`
    re.IGNORECASE,
)
_REPLY_TO = re.compile(
    r"\b(?:repl(?:y|ies)|responses?|answers?) to(?: an?| the)?\s*\Z", re.IGNORECASE
)
_SENTENCE_INTRO = re.compile(
    r"(?:(?:\A|[.;:!?\n>)\"] {0,2})(?P<word>After|Against|Following|Facing|(?i:versus|vs\.?))"
    r"|; (?:and |but )?(?P<clause>after|against|following|facing)) "
    r"(?:an? |the )?"
    rf"(?:(?i:{ANY_WORD})s? \()?\Z"
)
_PREPOSITION = re.compile(r"\b(after|against|following|facing)\s\Z", re.IGNORECASE)
_IS_ANSWERED = re.compile(r",? (?:is|was|can be|gets) (?:answered|met|followed) (?:by|with)\b")
# Text between a turn and the replies to it: `On 43D, the best replies are 64R and 62H`.
_REPLIES_NEXT = re.compile(
    r"[^\n0-9]{0,80}?\b(?:repl(?:y|ies)|responses?|answers?)(?: (?!to\b)[a-z]{1,12}){0,4}"
    r"(?: are| is| include|:) ?(?=[1-6]{2}[-A-Z$@&])"
    r"|: (?=[1-6]{2}[A-Z$@&], [1-6]{2}[A-Z$@&])"
)
# Words before an opening, and before a token that is no opening but a reply.
_OPENS = re.compile(r"\b(?:opens?|opened|opening) (?:with )?(?:an? |the )?\Z")
_NO_OPENING = re.compile(r"\b(?:white|black|opponent)['\u2019]s\s*\Z", re.IGNORECASE)
# Between a topic and another: `after 63R or 52S`.
_EITHER = re.compile(r",? (?:or|vs\.?) |/")
# Text after which a roll may be that of an opening again.
_OTHER_SUBJECT = re.compile(r"\n[ \t>]*\n|\bopen(?:ing|ed|s)?\b", re.IGNORECASE)
# Words before an alternative to the play made.
_INSTEAD = re.compile(
    r"\b(?:(?:should|could|might|would) have (?:played |made |been )?|instead of |rather than )\Z",
    re.IGNORECASE,
)


def _changes_subject(page: Page, start: int, end: int) -> bool:
    """Whether a paragraph or an opening begins between two offsets not far apart."""
    return end - start > _MAX_DISTANCE or _OTHER_SUBJECT.search(page.bare, start, end) is not None


class Topic(NamedTuple):
    """The turn that the plays of a paragraph answer: 61P in `after 61P, 63R or 63S?`.

    It is the last of `decoded`, at offset `start`; `end` is where the paragraph ends.
    `intro` is the first word of its sentence if the turn is next: `After`. If it `announces`
    replies, `43D, the best replies are`, they answer it even with its own roll.
    """

    decoded: Decoded
    line: int
    start: int
    end: int
    intro: str = ""
    announces: bool = False

    def is_parallel(self, page: Page, span: Span) -> bool:
        """Whether a sentence begins again as that of the topic: `After 54S ... After 65R`."""
        return bool(self.intro) and _sentence_intro(page, span).lower() == self.intro.lower()

    def after(self) -> StartCandidate:
        """The position after its last turn."""
        token = self.decoded.turns[-1].token.text
        note = f"a reply to {token} of line {self.line}"
        return StartCandidate(_before_roll(self.decoded.state), Confidence.LIKELY, note)


# Text between a sequence and a play that goes on from it, or is in a list of such plays.
_RIGHT_AFTER = re.compile(
    r"(?:[,:;]? ?[(\"]?|[,.;]? (?:and )?(?:[Nn]ow|[Tt]hen) "
    r"|[.,;] (?:I|he|she|we|they|you) (?:rolled|played) (?:an? )?)"
    r"(?:[1-6]{2}[A-Z@$&](?:, (?:and |or )?| (?:and|or) )){0,9}"
)


# The rest of a sentence, without another sequence, or an opening.
_SENTENCE_REST = re.compile(r"(?:(?![.!?]\s|\n\n|\b[Oo]pen|[1-6]{2}[A-Z@$&]).)*", re.DOTALL)

_LAST_ROLL = re.compile(rf"{LONE_ROLL.pattern}(?=\)?[.,;:!?]|\)?\s*\Z)")


def _is_named(roll: Roll | None, words: re.Match[str] | None) -> bool:
    """Whether words name a roll at the end of a clause."""
    rolls = _LAST_ROLL.findall(words[0]) if words and roll else ()
    return any(Roll.parse(each) == roll for each in rolls)


def _right_after(page: Page, span: Span, context: Context | None) -> Topic | None:
    """The sequence as a topic if a play of another roll is right after it: `54S-63R: 31P`.

    Or if its sentence names that roll: `I had 54S-63R and then 31. I played 31P`.
    """
    if context is None or context.is_position or span.start - context.end > _MAX_WORDS:
        return None
    turns, roll = context.decoded.turns, page.roll(span)
    is_next = turns and turns[-1].play and turns[-1].state.roll != roll
    at = span.pieces[0].roll_start
    if not is_next:
        return None
    is_rolled = not _changes_subject(page, context.end, at) and _is_named(
        roll, _SENTENCE_REST.match(page.flowing, context.end, at)
    )
    if not (is_rolled or _RIGHT_AFTER.fullmatch(page.bare, context.end, at)):
        return None
    return Topic(context.decoded, context.line, context.end, span.end)


# The end of a title, whose replies are in the next paragraph: `Replies to 31P:`.
_TITLE_END = re.compile(r"[):.*_ \t]{0,5}\n\n+")


def _topic_of(page: Page, span: Span, finding: Finding) -> Topic | None:
    """The topic that a sequence or a play sets by the words before it; None if it sets none."""
    words = page.flowing[max(span.start - _MAX_GAP, 0) : span.start]
    decoded = finding.decoded
    if not (decoded and decoded.turns and decoded.turns[-1].play):
        return None
    announces = _REPLIES_NEXT.match(page.flowing, span.end) is not None
    is_answered = announces or _IS_ANSWERED.match(page.flowing, span.end)
    if not (is_answered or _ANSWERED.search(words)):
        return None
    title = _TITLE_END.match(page.bare, span.end)
    end = page.bare.find("\n\n", title.end() if title else span.end)
    end = len(page.bare) if end < 0 else end
    word = _PREPOSITION.search(words)
    intro = _sentence_intro(page, span) or (word[1].lower() if word else "")
    return Topic(decoded, finding.line, span.start, end, intro, announces)


def _topic_after(
    page: Page, span: Span, new: Sequence[Finding], topic: Topic | None
) -> Topic | None:
    """The topic after a span: that which it sets; another sequence ends the one before."""
    if not new:
        return topic
    next_topic = _topic_of(page, span, new[-1])
    return next_topic or (None if new[-1].kind is Kind.SEQUENCE else topic)


def _sentence_intro(page: Page, span: Span) -> str:
    """The word before a play that begins a sentence or clause, `After`; empty if there is none."""
    first = max(span.start - _MAX_GAP, 0)
    intro = _SENTENCE_INTRO.search(page.flowing, first, span.start)
    return (intro["word"] or intro["clause"]) if intro else ""


class Context(NamedTuple):
    """The last readable sequence, which ends at offset `end` of the bare text.

    A position counts as a sequence of its roll, or as an empty one.
    """

    decoded: Decoded
    line: int
    end: int
    is_position: bool = False

    @property
    def where(self) -> str:
        """Its name in notes."""
        return f"the {'position' if self.is_position else 'sequence'} of line {self.line}"

    @property
    def last(self) -> GameState | None:
        """The state of its last turn, with the roll if there is one; None if it has no turns."""
        turns = self.decoded.turns
        return turns[-1].state if turns else None

    @property
    def is_doubled(self) -> bool:
        """Whether the cube was turned or answered last, and no roll is discussed."""
        return self.last is not None and self.last.roll is None

    def start(self, sure: Confidence = Confidence.SURE) -> StartCandidate:
        """The position itself, before its roll."""
        return StartCandidate(_before_roll(self.decoded.state), sure, f"from {self.where}")

    def after(self) -> StartCandidate:
        """The position after its last turn."""
        state = _before_roll(self.decoded.state)
        return StartCandidate(state, Confidence.DOUBTFUL, f"after {self.where}")

    def is_about(self, roll: Roll | None, place: int) -> bool:
        """Whether it is a position, and a finding with this roll at this offset is about it."""
        if self.decoded.turns:
            return self.is_position and self.ends_with(roll)
        return self.is_position and place - self.end < _MAX_GAP

    @property
    def roll_to_play(self) -> Roll | None:
        """The roll that it ends with if no play follows it."""
        turns = self.decoded.turns
        return turns[-1].state.roll if turns and turns[-1].how is ReadingKind.TO_PLAY else None

    def ends_with(self, roll: Roll | None) -> bool:
        """Whether this roll is its last, which the text discusses."""
        return self.last is not None and self.last.roll == roll is not None


class PlayAlone(NamedTuple):
    """A single play, which ends at offset `end` of the bare text, and the `words` before it.

    `in_game` means that it answers another play.
    """

    decoded: Decoded
    line: int
    end: int
    words: str
    in_game: bool = False


def _before_roll(state: GameState) -> GameState:
    """A copy of the state without its roll."""
    return replace(state, roll=None)


def _reason_to_doubt(token: str) -> str:
    """Why a token may be no play but, say, a number with a unit; empty if that is unlikely."""
    if len(token) != 3:
        return ""
    if token[0] < token[1]:
        return "the lower number comes first: it may be something else"
    usual = token in _SLOTS or token[2] in _USUAL
    return "" if usual else "it may be something else"


# Sequences


def _sequence_starts(page: Page, span: Span, context: Context | None) -> Iterator[StartCandidate]:
    """The positions in which a sequence may start, the likeliest first."""
    roll = page.roll(span)  # None for a cube action or a fan
    further = list(_further_starts(context, roll))
    if context and context.is_about(roll, span.start) and not _leads_to(page, span):
        yield context.start()
    if span.goes_on or not roll or roll.is_doublet:
        yield from further
    yield from _own_starts(page, span)
    marked = span.start < span.pieces[0].start
    if context and marked and not page.bare[context.end : span.start].strip():
        yield from (start._replace(sure=Confidence.LIKELY) for start in further[-1:])
    if page.start is not None:
        yield from further
        yield StartCandidate(None, note="from the opening")
        return
    is_long = len(span.pieces) >= _MIN_TOKENS_TO_IMPLY
    if not (is_long or page.names_nackgammon):
        yield from further  # a wrong letter is likelier than a game that nobody names
        return
    sure = Confidence.LIKELY if is_long else Confidence.DOUBTFUL
    nackgammon = StartCandidate(NACKGAMMON, sure, _AS_NACKGAMMON)
    yield from (*further, nackgammon) if marked else (nackgammon, *further)


# Words that name the game of the sequence after them: `Nackgammon. After 53P-62?`
_NACKGAMMON_NEXT = re.compile(
    r"(?<!like )(?<!not )\bnackgammon"
    r"(?:[\s:.,;(]{1,3}(?:after|from|game|in|position|the)){0,3}[\s:.,;(]{1,3}\Z",
    re.IGNORECASE,
)
_AS_NACKGAMMON = "as a sequence of Nackgammon"


def _own_starts(page: Page, span: Span) -> Iterator[StartCandidate]:
    """The start of the page; that of Nackgammon may be meant if the words before name it."""
    is_marked = page.bare.startswith(("N", "n"), span.start)
    before = page.bare[max(span.start - _MAX_WORDS, 0) : span.start].rpartition("\n\n")[2]
    if page.start is not None or is_marked or "nackgammon" not in before.lower():
        yield StartCandidate(page.start)
        return
    if _NACKGAMMON_NEXT.search(before, max(len(before) - _MAX_GAP, 0)):
        yield StartCandidate(NACKGAMMON, Confidence.LIKELY, _AS_NACKGAMMON)
    yield StartCandidate(None, Confidence.LIKELY, "not as a sequence of Nackgammon")


def _leads_to(page: Page, span: Span) -> bool:
    """Whether the position before a span is the one after it: `sGfwATDgc/ABMA after 31P`."""
    return page.bare.endswith(("after ", "After ", "from "), 0, span.start)


def _further_starts(context: Context | None, roll: Roll | None) -> Iterator[StartCandidate]:
    """The positions from which a later sequence may continue the context."""
    if context and context.is_position:
        yield context.start(Confidence.DOUBTFUL)
    elif context:
        if context.last and context.ends_with(roll):
            note = f"instead of the last roll of {context.where}"
            yield StartCandidate(_before_roll(context.last), Confidence.LIKELY, note)
        yield context.after()


def _read_sequence(
    page: Page,
    span: Span,
    context: Context | None = None,
    played: PlayAlone | None = None,
    topic: Topic | None = None,
) -> list[Finding]:
    """A sequence, or the separate plays of a list."""
    if _are_alternatives(page, span):
        return _read_plays(page, span, context, topic)
    blank = page.finding(Kind.SEQUENCE, span.start, span.end)
    if span.shape is Shape.TABLE:
        tokens = page.tokens(span)
        blank = blank._replace(text="-".join(text for _, text in tokens), tokens=tokens)

    replies = list(_reply_starts(page, span, played)) if span.shape is Shape.LIST else []

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

    starts = chain(replies, _sequence_starts(page, span, context))
    attempt, problem = _surest(starts, read, page.budget)
    best = attempt and attempt.finding
    if span.shape is Shape.LIST and not (best and best.sure >= Confidence.LIKELY):
        return _read_plays(page, span, context, topic)
    is_unread = isinstance(problem, UnreadError)
    if best and not (is_unread and best.sure is Confidence.DOUBTFUL):
        return [best]
    if not (is_unread or span.broken or sum(piece.clear for piece in span.pieces) > 1):
        return []
    usage = page.older_usage(span) if problem and not is_unread else None
    return [blank._replace(error=problem, usage=usage)]


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
    elif span.goes_on and span.start < span.pieces[0].start and candidate.start is page.start:
        sure, note = Confidence.DOUBTFUL, "its first turns are not in the text"  # `...-65R-44`
    elif is_short and sum(piece.clear for piece in span.pieces) < 2:
        reasons = (_reason_to_doubt(page.token(piece)) for piece in span.pieces)
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
    return _weakest(sure, note, decoded)


# Plays


def _opening_starts(page: Page, span: Span) -> Iterator[StartCandidate]:
    """The start of a single play if it is an opening."""
    roll = page.roll(span)
    if page.start is not None:
        yield StartCandidate(page.start, Confidence.LIKELY)
    elif roll and not roll.is_doublet:
        token = page.token(span.pieces[0])
        doubt = _reason_to_doubt(token)
        is_price = token[2] == "$" and token not in OPENINGS
        if token[0] > token[1] and not is_price and page.subject.is_backgammon(span.start):
            doubt = ""
        sure = Confidence.DOUBTFUL if doubt else Confidence.LIKELY
        yield StartCandidate(None, sure, doubt or "taken for an opening")


def _play_starts(
    page: Page,
    span: Span,
    context: Context | None,
    played: PlayAlone | None,
    topic: Topic | None,
) -> Iterator[StartCandidate]:
    """The positions that a single play may be about, the likeliest first."""
    roll, is_clear = page.roll(span), span.pieces[0].clear
    before = page.flowing[max(span.start - _MAX_GAP, 0) : span.pieces[0].start]
    may_reply = is_clear and not _OPENS.search(before)
    replies = list(_reply_starts(page, span, played)) if may_reply else []
    if topic and may_reply and span.start < topic.end and not topic.is_parallel(page, span):
        is_after_topic = played is not None and played.decoded is topic.decoded
        gap = page.flowing[played.end : span.start] if played and is_after_topic else ""
        is_other = not is_after_topic and _is_other_opening(page, span, played)
        if not (is_other or _EITHER.fullmatch(gap)):
            replies = [topic.after(), *replies]
    is_opening = is_clear and not _NO_OPENING.search(before)
    openings = list(_opening_starts(page, span)) if is_opening else []
    if page.start is None and not page.subject.is_backgammon(span.start):
        openings = []
    likely = [start for start in openings if start.sure is Confidence.LIKELY]
    if context is None:  # without the doubtful openings
        if has_odd_neighbour(page.bare, span.start, span.end):
            likely = []
        yield from (*likely, *replies) if _REPLY_TO.search(before) else (*replies, *likely)
        return
    if context.is_about(roll, span.start) and not _leads_to(page, span):
        yield context.start(Confidence.LIKELY)
    if topic and replies and (topic.start >= context.end or topic.announces):
        yield replies.pop(0)
    same = [
        StartCandidate(
            _before_roll(turn.state),
            Confidence.LIKELY,
            f"as {turn.token.text} of {context.where}",
            turn.play,
        )
        for turn in reversed(context.decoded.turns[-_MAX_TURNS:])
        if turn.state.roll == roll
    ]
    is_near = span.start < context.end + _MAX_DISTANCE
    is_discussed = (
        is_near and context.ends_with(roll) and not _changes_subject(page, context.end, span.start)
    )
    if is_near and page.bare.startswith("-?", context.end):  # the text asks for what follows
        yield context.after()._replace(sure=Confidence.LIKELY)
    if _INSTEAD.search(before):
        yield from (start._replace(only=None) for start in same)
    elif context.ends_with(roll):
        yield same.pop(0)._replace(only=None)  # any play of the roll that the text discusses
    yield from (*replies, *same)
    if not is_discussed:
        yield from likely
    yield from (start._replace(only=None, sure=Confidence.DOUBTFUL) for start in same)
    if is_clear and is_near and "\n\n" not in page.bare[context.end : span.start]:
        yield context.after()
    if not is_discussed:
        yield from openings


_WITH_PREPOSITION = re.compile(rf"\b(?:{_AFTER}){_WHOSE} \Z", re.IGNORECASE)


def _is_other_opening(page: Page, span: Span, played: PlayAlone | None) -> bool:
    """Whether a play is another opening to answer: 21$ in `after 43Z I play 62S, against 21$`."""
    before = page.flowing[max(span.start - _MAX_GAP, 0) : span.start]
    is_same = played and played.decoded.turns[-1].state.roll == page.roll(span)
    is_opening = page.token(span.pieces[0]) in OPENINGS and not is_same
    return is_opening and _WITH_PREPOSITION.search(before) is not None


_REPLIES = re.compile(
    r"\b(?:white|black|opp(?:onent)?|other side"
    r"|repl(?:y|ied|ies)|answer(?:s|ed)?|respond\w*"
    r"|antworte\w*|r\u00e9pond\w*|rispo(?:nd|st)\w+|svare\w*"
    r"|gegner|adversaire|avversari[oa]|rival|modstander|tegenstander)\b",
    re.IGNORECASE,
)
_SELF, _OPPONENT = "I", "opponent"
# The same in German, French, Italian, Spanish, Danish and Dutch.
_FOREIGN_SELF = "ich", "je", "io", "yo", "jeg"
_FOREIGN_OTHERS = (
    *("sie", "il", "elle", "lui", "lei", "ella", "han", "hun"),
    *("gegner", "adversaire", "avversario", "rival", "modstander", "tegenstander"),
)
_PERSONS = {
    **dict.fromkeys(("i", "me", "we", "my", *_FOREIGN_SELF), _SELF),
    **dict.fromkeys(("he", "him", "she", "her", "they", "opp", "opponent"), _OPPONENT),
    **dict.fromkeys(_FOREIGN_OTHERS, _OPPONENT),
    **dict.fromkeys(("you", "white", "black", "red", "box", "captain", "villain", "hero"), ""),
}
_PERSON = "|".join(
    (
        "i|we|he|she|they|you|opp|opponent|white|black|red|box|captain|villain|hero",
        *_FOREIGN_SELF,
        *_FOREIGN_OTHERS,
    )
)
_TURN = (
    r"(?:wins|won|opens|opened|starts|started|begins|began|rolls|rolled|throws|threw|plays|played"
    r"|hits|hit|misses|missed|covers|covered|splits|split|runs|ran|makes|made|slots|slotted|anchors"
    r"|anchored|replies|replied|answers|answered|responds|responded)"
)
# The players that the words name, by pronoun or side, or by name: `Then Mochy rolled`.
_SUBJECT = re.compile(
    rf"\b(?:(?P<person>(?i:{_PERSON}))|(?P<name>[A-Z][a-z]+)(?= {_TURN}\b))(?!\w|'s)"
)
_BEGINS = re.compile(
    r"\b(?:opens?|opened|starts?|started|begins?|began|(?:wins?|won) the"
    r"|er\u00f6ffne\w*|ouvert|ouvre|aperto|apro|abr[i\u00ed]\w*|\u00e5bne\w*)(?!\w)"
)
_PLAYER_LABEL = re.compile(rf"(?:\A|[\s.,;])(?P<person>(?i:{'|'.join(_PERSONS)})):? \Z")
_OTHER_PLAY = re.compile(r"\b(?:instead|rather|should|would|could|prefers?|better|used to)\b")
_MAX_TO_REPLY = 60  # characters between two plays
_PRONOUNS = {"he", "him", "she", "her", "they"}

# Words between alternatives for a roll.
_OR = re.compile(r"[,;!?\"]{0,3} ?(?:[ />]|(?:or|and|vs\.?|versus|but|not|over)? ?(?:never )?)")


def _is_reply(played: PlayAlone, between: str, roll: Roll | None) -> bool:
    """Whether a play of a roll answers the play before it, by the words before and between them.

    Words such as `Black` or `replied` suffice close to it; else two players take turns: `I opened
    51$. He missed with 31P`.
    """
    if "\n\n" in between:
        return False
    side = _REPLIES.search(between)
    if side and len(between) <= _MAX_TO_REPLY and side[0].lower() not in played.words.lower():
        return True
    if played.decoded.turns[0].state.roll == roll or _OTHER_PLAY.search(between):
        return False
    first_label, label = _PLAYER_LABEL.search(played.words), _PLAYER_LABEL.search(between)
    if first_label and label:
        return _differ(first_label["person"], label["person"])
    first, second = _subject(played.words), _subject(between)
    is_game = played.in_game or (roll and roll.is_doublet) or _BEGINS.search(played.words)
    return bool(first and second and is_game and _differ(first, second))


def _answers_named(page: Page, span: Span, played: PlayAlone, roll: Roll | None) -> bool:
    """Whether a doublet is named after another play: `32Z, and he had 55. He played 55A`."""
    until = span.pieces[0].roll_start
    words = _SENTENCE_REST.match(page.flowing, played.end, max(until, played.end))
    return bool(roll and roll.is_doublet) and _is_named(roll, words)


def _subject(words: str) -> str:
    """The player named last; empty if there is none."""
    subjects = [match[0] for match in _SUBJECT.finditer(words)]
    return subjects[-1] if subjects else ""


def _differ(first: str, second: str) -> bool:
    """Whether two words are certainly different players; a pronoun may mean any named player."""
    sides = {(_PERSONS.get(word.lower(), "") or word).lower() for word in (first, second)}
    has_pronoun = {first.lower(), second.lower()} & _PRONOUNS
    is_clear = _SELF.lower() in sides or not has_pronoun
    return len(sides) == 2 and is_clear


def _reply_starts(page: Page, span: Span, played: PlayAlone | None) -> Iterator[StartCandidate]:
    """The position of or after the previous play, if the words between are about it."""
    if played is None or span.start - played.end > _MAX_WORDS:
        return
    between, roll = page.flowing[played.end : span.start], page.roll(span)
    turn = played.decoded.turns[0]
    if turn.state.roll == roll and _OR.fullmatch(between):
        note = f"as {turn.token.text} of line {played.line}"
        yield StartCandidate(_before_roll(turn.state), Confidence.LIKELY, note)
    elif _is_reply(played, between, roll) or _answers_named(page, span, played, roll):
        note = f"a reply to {turn.token.text} of line {played.line}"
        yield StartCandidate(_before_roll(played.decoded.state), Confidence.LIKELY, note)


def _read_play(
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
    topic = _right_after(page, span, context) or topic

    def read(candidate: StartCandidate) -> Attempt | None:
        decoded = page.decode(span, candidate.start)
        (turn,) = decoded.turns
        fans = turn.nactation is not None and turn.play is None
        if not (turn.play or fans) or (candidate.only or turn.play) != turn.play:
            return None
        sure, note = _weakest(candidate.sure, candidate.note, decoded)
        finding = blank._replace(decoded=decoded, sure=sure, note=note)
        is_assumption = turn.how is ReadingKind.ASSUMED
        return Attempt(finding, settles=not is_assumption, is_last_resort=is_assumption)

    best, problem = _surest(_play_starts(page, span, context, played, topic), read, page.budget)
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


def _read_cell(page: Page, span: Span) -> list[Finding]:
    """The finding of a letter in a reply chart, or of the opening that it answers."""
    opening = span.answered
    if opening is None:
        return _read_play(page, span, None)
    try:
        answered = page.decode(opening, page.start)
    except UNREADABLE:
        return []
    line = page.finding(Kind.PLAY, opening.start, opening.end).line
    note = f"a reply to {answered.sequence} of line {line}"
    blank = page.finding(Kind.PLAY, span.start, span.end)
    try:
        decoded = page.decode(span, _before_roll(answered.state))
    except UNREADABLE as error:
        return [blank._replace(error=type(error)(str(error), text=page.text, at=blank.start))]
    sure, note = _weakest(Confidence.LIKELY, note, decoded)
    return [blank._replace(decoded=decoded, sure=sure, note=note)]


def _follows_move(page: Page, span: Span) -> bool:
    """Whether a play is that of a numbered move, as in `1.23b, Bob: 64^`."""
    line = page.bare.rfind("\n", 0, span.start) + 1
    return _MOVE.search(page.bare, max(line, span.start - _MAX_MOVE), span.start) is not None


_MOVE = re.compile(
    r"\b(?:move [0-9]{1,4}|[0-9]{1,4}\.[0-9]{1,4}[ab]), [^\n]{1,100}: \Z", re.IGNORECASE
)
_MAX_MOVE = 120


def _play_alone(
    page: Page, span: Span, new: Sequence[Finding], previous: PlayAlone | None
) -> PlayAlone | None:
    """The play of a span if it is alone, so that a reply may follow it."""
    if span.shape is not Shape.PLAY or not new or new[0].decoded is None:
        return None
    first = max(previous.end if previous else 0, span.start - _MAX_WORDS)
    decoded = new[0].decoded
    in_game = decoded.start.position != to_state(page.start or STANDARD).position
    words = page.flowing[first : span.start]
    return PlayAlone(decoded, new[0].line, span.end, words, in_game)


def _read_plays(
    page: Page, span: Span, context: Context | None, topic: Topic | None = None
) -> list[Finding]:
    """The findings of a list of plays; after `against 31P, 42P`, later ones answer 31P."""
    findings: list[Finding] = []
    played: PlayAlone | None = None
    for play in (piece.alone for piece in span.pieces if piece.named):
        new = _read_play(page, play, context, played, topic)
        played = _play_alone(page, play, new, played)
        if not findings and new:
            topic = _topic_of(page, play, new[0]) or topic
        findings += new
    return findings


def _are_alternatives(page: Page, span: Span) -> bool:
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
        intro = page.flowing[max(span.start - _MAX_GAP, 0) : span.start]
        has_commas = any("," in gap for gap in gaps)
        if (
            span.is_game
            or page.repeats_game(span)
            or _GAME.search(intro)
            or (not has_commas and _FOLLOWS.search(intro))
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
_FOLLOWS = re.compile(r"\b(?:after|from|following)\s\Z", re.IGNORECASE)
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
    with suppress(*UNREADABLE):
        (turn,) = page.decode(play, page.start).turns
        return turn.how is not ReadingKind.ASSUMED
    return False


# Nacbracs


def _nacbrac_starts(
    page: Page, roll_span: Span | None, context: Context | None, *, adjacent: bool
) -> Iterator[StartCandidate]:
    """The states, each with its roll, that a nacbrac may be about, the likeliest first.

    Without a roll before it, it is about the last roll of the context: surely if it is `adjacent`.
    """
    last = context.last if context else None
    if roll_span is None:
        if last and last.roll and context:
            sure = Confidence.SURE if adjacent else Confidence.LIKELY
            note = "" if adjacent else f"taken to be about {context.where}"
            yield StartCandidate(last, sure, note)
        return
    roll = page.roll(roll_span)
    if last and context and last.roll == roll:
        yield StartCandidate(last, note=f"about {context.where}")
    if context and context.is_about(roll, roll_span.start):
        state = replace(context.decoded.state, roll=roll)
        yield StartCandidate(state, note=f"about {context.where}")
    if page.start or not (roll and roll.is_doublet):
        is_nackgammon = page.bare.startswith("N", roll_span.start)
        opening = to_state(page.start or (NACKGAMMON if is_nackgammon else STANDARD))
        yield StartCandidate(replace(opening, roll=roll))
    if last and context:
        note = f"instead of the last roll of {context.where}"
        yield StartCandidate(replace(last, roll=roll), Confidence.LIKELY, note)
        after = replace(context.decoded.state, roll=roll)
        yield StartCandidate(after, Confidence.LIKELY, f"after {context.where}")


_BOT = re.compile(r"[^\n\[]{1,60}")
_MAX_TO_SEQUENCE = 400  # characters between a nacbrac and a sequence after it
_NO_ROLL = "found no roll for this nacbrac"


def _read_nacbrac(
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
    starts = _nacbrac_starts(page, roll, context, adjacent=adjacent)
    named = [] if roll else list(_named_starts(page, span, last))
    about_play = [] if roll else _start_of_play(blank, last)
    same = [] if roll or not last else _as_nacbrac(page, span, last)
    best, problem = _surest([*named, *about_play, *starts, *same], read, page.budget)
    if best:
        return [best.finding]
    problem = problem or IllegalError(_NO_ROLL, text=page.text, at=blank.start)
    return [blank._replace(error=problem)] if by_errors else []


class Unbound(NamedTuple):
    """A nacbrac that fits nothing before it, and the place of its finding."""

    span: Span
    place: int


def _bind(page: Page, unbound: Unbound, context: Context) -> Finding | None:
    """The finding of a nacbrac about a sequence after it, in its paragraph; None if it is not."""
    span = unbound.span
    is_near = 0 < context.end - span.end < _MAX_TO_SEQUENCE
    if not is_near or "\n\n" in page.bare[span.end : context.end]:
        return None
    (finding,) = _read_nacbrac(page, span, None, context, None)
    return None if finding.error else finding


def _read_cube(
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
    if last is None or last.kind is not Kind.PLAY or blank.start - last.end >= _MAX_WORDS:
        return []
    turns = last.decoded.turns if last.decoded else ()
    note = f"about {last.text} of line {last.line}"
    return [StartCandidate(turn.state, Confidence.LIKELY, note) for turn in turns]


def _as_nacbrac(page: Page, span: Span, last: Finding) -> list[StartCandidate]:
    """The roll of the nacbrac before another one in its line: `21: money [S $3], DMP d[$ S9]`."""
    at = page.glyphs[span.start].at
    if not last.nacbrac or at - last.end >= 2 * _MAX_GAP or "\n" in page.text[last.end : at]:
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
    before_roll = page.bare[max(named.start - _MAX_GAP, 0) : named.start]
    is_opening = is_later and _OPENING.search(before_roll)
    if last is None or is_opening or last.start < page.glyphs[first].at:
        if page.start or not named.roll.is_doublet:
            state = replace(to_state(page.start or STANDARD), roll=named.roll)
            yield StartCandidate(state, Confidence.LIKELY, f"about an opening {named.roll}")
    elif last.decoded and last.decoded.turns and last.decoded.turns[-1].play:
        before = page.text[max(last.start - _MAX_GAP, 0) : last.start]
        if is_later or _ANSWERS.search(before):
            state = replace(last.decoded.state, roll=named.roll)
            note = f"about {named.roll} after {last.text} of line {last.line}"
            yield StartCandidate(state, Confidence.LIKELY, note)


def _is_adjacent(blank: Finding, last: Finding | None) -> bool:
    """Whether a nacbrac is next to the finding before it, unless that is a single play."""
    return last is not None and blank.start - last.end < _MAX_GAP and last.kind is not Kind.PLAY


def _as_written(page: Page, span: Span) -> Nacbrac | CubeNacbrac:
    """The nacbrac of a span, without a position; raises MalformedError."""
    scan = Scan(page.text, page.glyphs[span.start : span.end])
    return nacbracs_at(scan, lay_out(scan)[0])[0]


# A bot before other words: its signs right after the bracket, or its name and level.
_SIGNS_OF_BOT = re.compile(r"[^\s\[\].,;:!?()]{1,20}(?=[\s.,;:!?)])")
_NAME_OF_BOT = re.compile(
    r" [A-Za-z]{2,12},?(?: [0-9]-ply| Roller\+{0,2})"
    r"(?: rollout(?: [0-9]{1,9} trials)?| evaluation)?(?![\w+-])"
    r"| XG rollout\b"
)
# Quotes that are no signs of XG.
_QUOTE = re.compile(r"(?<![\]'])\"")


def _end_of_bot(bare: str, start: int, end: int, following: Span | None) -> int:
    """The end of the bot's name after a nacbrac; `end` without a bot.

    The roll of the next nacbrac is not part of the name, nor is a quote that ends one.
    """
    until = following.start if following and following.shape is Shape.ROLL else len(bare)
    line = bare[max(start - _MAX_TO_SEQUENCE, 0) : start].rpartition("\n")[2]
    if bare.startswith('"', end) and len(_QUOTE.findall(line)) % 2:
        return end
    for form in (_BOT, _SIGNS_OF_BOT, _NAME_OF_BOT):
        bot = form.match(bare, end, until)
        is_quote = bot and form is not _BOT and bot[0] in {"'", '"'}
        if bot and describe_bot(bot[0]) and not is_quote:
            return end + len(bot[0].rstrip())
    return end


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


# Positions and patterns


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
    decoded = decode(f"{mark}{state.roll or ''}", start=_before_roll(state))
    return Context(decoded, new[0].line, span.end, is_position=True)


_WILDCARDS = {"*": "any turns", "xx": "any turn", "xxx": "any turn"}


def _read_pattern(page: Page, span: Span) -> Finding:
    """A pattern, with its meaning in words."""
    finding = page.finding(Kind.PATTERN, span.start, span.end, Confidence.LIKELY)
    parts = finding.text.split("-")
    words = (_WILDCARDS.get(part, f"any {part}" if part.isdigit() else part) for part in parts)
    return finding._replace(meaning=", ".join(words))


# The whole text


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
        if question is None or span.start - question.end >= _MAX_DISTANCE:
            return (roll and self._replied(span, roll, context)) or context
        is_apart = "\n\n" in self._page.bare[question.end : span.start]
        return context if is_apart else question

    def _replied(self, span: Span, roll: Roll, context: Context | None) -> Context | None:
        """The earlier reply of the paragraph with the same roll, unless the subject changes."""
        reply = self._replies.get(roll)
        if reply is None or (context and context.end > reply.end):
            return None
        return None if _changes_subject(self._page, reply.end, span.start) else reply

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
        found = (_with_usage(_with_doubt(page, each)) for each in _find(page))
        return _with_analyses(text, tuple(found))


def _with_doubt(page: Page, finding: Finding) -> Finding:
    """The finding, likely at most if its small letters are taken for capitals."""
    if not page.is_raised(finding):
        return finding
    note = "; ".join(filter(None, (finding.note, "small letters taken for capitals")))
    return finding._replace(sure=min(finding.sure, Confidence.LIKELY), note=note)


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
    listed = [span for span in scanned if span.shape not in _ALONE]
    for span, following in zip_longest(listed, listed[1:]):
        if span.start < nacbrac_end:
            continue
        context = memory.referred(span.start, context)
        last = findings[-1] if findings else None
        new: Sequence[Finding] = ()
        if span.shape in {Shape.NACBRAC, Shape.CUBE}:
            nacbrac_end = _end_of_bot(page.bare, span.start, span.end, following)
            whole = span._replace(end=nacbrac_end)
            context = None if span.move else context
            if span.shape is Shape.CUBE or (context and context.is_doubled and not roll):
                new = _read_cube(page, whole, context, last)
            else:
                new = _read_nacbrac(page, whole, roll, memory.nearby(span, context), last)
                is_unbound = new and new[0].error and not (roll or span.move)
                unbound = Unbound(whole, len(findings)) if is_unbound else unbound
        elif span.shape is Shape.POSITION:
            new = _read_position(page, span)
            context = _context_after(span, new, context)
        elif span.shape is Shape.PLAY:
            new = _read_play(page, span, memory.asked(span, context), played, topic)
            memory.add_reply(span, new)
        elif span.shape is Shape.TABLE and memory.are_answers(span):
            new = _read_answers(page, span, memory)
        elif span.shape is not Shape.ROLL:
            new = _read_sequence(page, span, context, played, topic)
        findings += new
        topic = _topic_after(page, span, new, topic)
        last = findings[-1] if findings else None
        is_sequence = last and last.kind is Kind.SEQUENCE and not _is_out_of_place(page, span)
        if new and last and last.decoded and is_sequence:
            context = Context(last.decoded, last.line, span.end)
            if unbound:
                findings[unbound.place] = _bind(page, unbound, context) or findings[unbound.place]
            alone += read_row_claim(page, span, last)
        if new and context and context.end == span.end:
            memory.add(span, context)
            unbound = None
        roll = span if span.shape is Shape.ROLL else None
        played = _play_alone(page, span, new, played)
    return tuple(with_claims(page, sorted([*findings, *alone], key=attrgetter("start"))))


def _scan(page: Page) -> list[Span]:
    """The spans of a text; the page learns where it is about backgammon, and its sequences."""
    scanned = list(_joined(page, scan_prose(page.bare)))
    for span in filter(attrgetter("is_distinct"), scanned):
        page.subject.add(span.start)
    pieces = [piece for span in scanned for piece in span.pieces if page.is_hyphened(piece)]
    if len({page.token(piece) for piece in pieces}) > 1:  # `6-5R` and `3-1P`
        for piece in pieces:
            page.subject.add(piece.start)
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
    return [each for row in rows for each in _read_play(page, row, memory.question(row))]


def _read_alone(page: Page, span: Span) -> Sequence[Finding]:
    """The findings of a pattern, or of a part of a reply chart; nothing if it needs context."""
    if span.shape not in _ALONE:
        return []
    if span.shape is Shape.PATTERN:
        return [_read_pattern(page, span)]
    if span.answered or len(span.pieces) == 1:
        return _read_cell(page, span)
    return _read_sequence(page, span._replace(shape=Shape.CHAIN))


_EQUITY = re.compile(r"[.,]\d\d")  # every analysis has one


def _with_analyses(text: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
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
