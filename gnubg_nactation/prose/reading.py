"""What the Nactation in prose says: the sequences, plays and nacbracs of a text, each replayed.

Positions are found, too, as what comes behind an XGID may be about it.

Precision comes first. What only looks like Nactation, be it a date, a score or a model number, is
left out; what may be meant otherwise is doubtful, and says why.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import count, zip_longest

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import (
    AmbiguousError,
    IllegalError,
    MalformedError,
    NactationError,
    UnreadError,
)
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.layout import lay_out
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.reading import nacbracs_at
from gnubg_nactation.nacbracs.resolving import CubeRead, NacbracRead, read_cubes, read_nacbracs
from gnubg_nactation.prose.scanning import Piece, Shape, Span, position_name, scan_prose
from gnubg_nactation.sequences.assumption import Confidence, Equities, Evaluator
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.decode import Decoded, decode, sound_in, usage_words
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import Glyph, read_markup
from gnubg_nactation.writing.scan import Scan

__all__ = ["LONGEST", "Finding", "Kind", "read_prose"]


class Kind(Enum):
    """What is found."""

    SEQUENCE = "sequence"
    NACBRAC = "nacbrac"
    PLAY = "play"
    POSITION = "position"


class Finding(NamedTuple):
    """Nactation in a text, from offset `start` up to `end`; lines and columns count from 1.

    `text` is what stands there, without markup. A sequence, and a play as a sequence of one turn
    from the position that it is about, is `decoded`; a nacbrac is `nacbrac`, and one of the cube
    `cube`, with the `state` before the roll that it is about, None where the text does not tell.
    A position is `state` alone.
    Where none of them can be read there is an `error`, and the older `usage` by which a sequence
    can, if there is one. `note` says what was assumed. `tokens` are those of a move list, each with
    its offset.
    """

    kind: Kind
    start: int
    end: int
    line: int
    column: int
    text: str
    sure: Confidence
    decoded: Decoded | None = None
    nacbrac: NacbracRead | None = None
    cube: CubeNacbrac | None = None
    state: GameState | None = None
    error: NactationError | None = None
    usage: Dialect | None = None
    note: str = ""
    tokens: tuple[tuple[int, str], ...] = ()

    @property
    def trouble(self) -> str:
        """Why it cannot be read, in words; empty if it can."""
        usage = f"; it {usage_words(self.usage)}" if self.usage else ""
        return f"{self.error}{usage}" if self.error else ""


LONGEST = 1_000_000  # characters, a thick book; some seconds of work
# What "the opening move is almost always", and reverse splits (section 1). Others with $ may be
# prices.
_USUAL = set("DPRSZ")
_SLOTS = {"21$", "41$", "51$", "62$"}
_LONG = 3  # tokens of a chain that looks like nothing else
_NO_ACCIDENT = 15  # tokens that are right throughout from a position, and so about it
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,31};")
_BOT = re.compile(r"[^\n\[]{1,60}")
# Words between a play and the reply to it.
_OTHER_SIDE = re.compile(
    r"\b(?:white|black|opponent|repl(?:y|ied|ies)|answer(?:s|ed)?|respond(?:s|ed)?)\b",
    re.IGNORECASE,
)
_BESIDE = 40  # characters between a sequence and a nacbrac that is about it
_FAR = 1000  # characters behind a sequence, where nothing goes on from it any more
_MOST_QUESTIONS = 600  # to an engine, about one text
_REMEMBERED = 100  # turns of a sequence that a play by itself may be about
_NO_ROLL = "there is no roll that the nacbrac could be about"
_UNREADABLE = (AmbiguousError, IllegalError, MalformedError)


class _Page(NamedTuple):
    """A text, its glyphs, where its lines begin, and how it is to be read.

    `known` is what has been decoded, from where, with its first offset: posts repeat themselves.
    `usages` say of what could not be which older one makes sense of it.
    """

    text: str
    glyphs: tuple[Glyph, ...]
    bare: str
    lines: list[int]
    start: Position | GameState | None
    equities: Evaluator | None
    strict: bool
    dialect: Dialect
    budget: Budget
    known: dict[object, tuple[int, Decoded | NactationError]]
    usages: dict[object, Dialect | None]

    def finding(self, kind: Kind, start: int, end: int, sure: Confidence) -> Finding:
        """A finding of some glyphs, without what it says."""
        first, last = self.glyphs[start].at, self.glyphs[end - 1].at
        entity = _ENTITY.match(self.text, last)
        behind = entity.end() if entity else last + 1
        line = bisect(self.lines, first)
        column = first - self.lines[line - 1] + 1
        text = " ".join(self.bare[start:end].split())
        return Finding(kind, first, behind, line, column, text, sure)

    def tokens(self, span: Span) -> tuple[tuple[int, str], ...]:
        """The tokens of a span, each with its offset."""
        return tuple(
            [(self.glyphs[one.start].at, self.bare[one.start : one.end]) for one in span.pieces]
        )

    def slice(self, span: Span) -> tuple[Glyph, ...]:
        """The glyphs of a span to be read as a sequence: its tokens, one sign between them."""
        if span.broken:
            return self.glyphs[span.start : span.end]
        found = list(self.glyphs[span.start : span.pieces[0].start])
        end = span.pieces[0].start
        for piece in span.pieces:
            between = self.glyphs[end : piece.start]
            if span.shape is not Shape.CHAIN and found:
                between = (Glyph(",", at=self.glyphs[end].at),)
            elif len(between) > 1:
                between = (between[0]._replace(character="-"),)
            found += (*between, *self.glyphs[piece.start : piece.end])
            end = piece.end
        return tuple(found)


class _Begin(NamedTuple):
    """Where something may begin, how sure that is, and why; `only` is the one play to be found."""

    start: Position | GameState | None
    sure: Confidence = Confidence.SURE
    note: str = ""
    only: Play | None = None


class _Context(NamedTuple):
    """The last sequence that could be read; it ends at place `end` of the bare text.

    A position is one, too, of its roll or of nothing.
    """

    decoded: Decoded
    line: int
    end: int
    is_position: bool = False

    @property
    def where(self) -> str:
        """What it is called."""
        return f"the {'position' if self.is_position else 'sequence'} of line {self.line}"

    @property
    def begin(self) -> _Begin:
        """The position itself, before its roll."""
        return _Begin(_before(self.decoded.state), Confidence.SURE, f"from {self.where}")

    @property
    def is_doubled(self) -> bool:
        """Whether the cube was the last that was touched, and no roll is discussed."""
        turns = self.decoded.turns
        return bool(turns) and turns[-1].state.roll is None

    def is_about(self, roll: Roll | None, place: int) -> bool:
        """Whether it is a position that what begins at a place with a roll is about."""
        if self.decoded.turns:
            return self.is_position and self.ends_with(roll)
        return self.is_position and place - self.end < _BESIDE

    def ends_with(self, roll: Roll | None) -> bool:
        """Whether a roll is its last, and so the one that is discussed."""
        turns = self.decoded.turns
        return bool(turns) and turns[-1].state.roll == roll is not None


class _Played(NamedTuple):
    """A play by itself, that ends at place `end` of the bare text, and the `words` before it."""

    decoded: Decoded
    line: int
    end: int
    words: str


def read_prose(
    text: str,
    *,
    start: Position | GameState | None = None,
    equities: Evaluator | None = None,
    strict: bool = False,
    dialect: Dialect = CURRENT,
    budget: Budget | None = None,
) -> tuple[Finding, ...]:
    """All Nactation in a text, in order; `start` is where its sequences begin.

    `equities`, `strict`, `dialect` and `budget` are as for `decode`; the first may raise. What the
    budget leaves unread has an UnreadError. Raises MalformedError for a text that is too long, and
    nothing else.
    """
    glyphs = read_markup(text, longest=LONGEST)
    bare = "".join(glyph.character for glyph in glyphs)
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    equities = equities and _sparing(equities)
    budget = budget or Budget(len(text))
    page = _Page(text, glyphs, bare, lines, start, equities, strict, dialect, budget, {}, {})
    found: list[Finding] = []
    context: _Context | None = None
    played: _Played | None = None
    roll: Span | None = None  # before a nacbrac
    behind = 0  # the last nacbrac with its bot
    spans = scan_prose(bare)
    for span, following in zip_longest(spans, spans[1:]):
        if span.start < behind:
            continue
        before = len(found)
        if span.shape in {Shape.NACBRAC, Shape.CUBE}:
            last = found[-1] if found else None
            behind = _behind_bot(bare, span.end, following)
            whole = span._replace(end=behind)
            context = None if span.move else context
            if span.shape is Shape.CUBE or (context and context.is_doubled and not roll):
                found += _cube(page, whole, context, last)
            else:
                found += _nacbrac(page, whole, roll, context, last)
        elif span.shape is Shape.POSITION:
            if named := _position(page, span):
                found += [named]
                context = _context_of(named, span.end)
        elif span.shape is Shape.PLAY:
            found += _play(page, span, context, played)
        elif span.shape is not Shape.ROLL:
            found += _sequence(page, span, context)
        roll = span if span.shape is Shape.ROLL else None
        last = found[-1] if found else None
        if last and last.kind is Kind.SEQUENCE and last.decoded:
            context = _Context(last.decoded, last.line, span.end)
        played = _played(page, span, found[before:], played)
    return tuple(found)


def _sparing(equities: Evaluator) -> Evaluator:
    """The same, asked only so often about a text; then it does not answer any more."""
    questions = count()

    def evaluate(state: GameState) -> Equities | None:
        return equities(state) if next(questions) < _MOST_QUESTIONS else None

    return evaluate


def _tried(page: _Page, begins: Iterable[_Begin]) -> Iterator[_Begin]:
    """The beginnings to try: the likeliest, and a second that is likely, if the budget is used up.

    Each further one counts as a reading.
    """
    for number, begin in enumerate(begins):
        further = number > 1 or (number and begin.sure is Confidence.DOUBTFUL)
        if further and page.budget.is_used_up:
            return
        page.budget.spend(number > 1)
        yield begin


# Positions


def _position(page: _Page, span: Span) -> Finding | None:
    """A position that is named, or why the name is none; None for what only looks like a name."""
    blank = page.finding(Kind.POSITION, span.start, span.end, Confidence.SURE)
    try:
        state = parse_state(position_name(page.bare[span.start : span.end]))
    except MalformedError as error:
        if not blank.text.upper().startswith(("XGID", "GNU")):
            return None
        told = MalformedError(str(error), text=page.text, at=blank.start)
        return blank._replace(sure=Confidence.DOUBTFUL, error=told)
    return blank._replace(state=state) if state else None


def _context_of(position: Finding, end: int) -> _Context | None:
    """A position as what comes later may be about it; None where a double is to be answered."""
    state = position.state
    if state is None or state.doubled:
        return None
    mark = "-" if state.player is Player.SECOND else ""
    decoded = decode(f"{mark}{state.roll or ''}", start=_before(state))
    return _Context(decoded, position.line, end, is_position=True)


# Sequences


def _sequence(page: _Page, span: Span, context: _Context | None) -> Iterable[Finding]:
    """A sequence, or the plays of a list that is none."""
    if span.shape is not Shape.CHAIN and _are_openings(page, span):
        return _plays(page, span, context)
    blank = page.finding(Kind.SEQUENCE, span.start, span.end, Confidence.DOUBTFUL)
    if span.shape is Shape.TABLE:
        tokens = page.tokens(span)
        blank = blank._replace(text="-".join(text for _, text in tokens), tokens=tokens)
    problem: NactationError | None = None
    best: Finding | None = None
    for begin in _tried(page, _beginnings(page, span, context)):
        if best and begin.sure is Confidence.DOUBTFUL:
            break
        try:
            decoded = _decode(page, span, begin)
        except _UNREADABLE as error:
            problem = problem or error
            continue
        sure, note = _surety(page, span, decoded, begin)
        # From a position that is only tried a sequence is not read with doubts.
        strict = not any(turn.cost for turn in decoded.turns)
        own = begin.start is page.start or (
            begin.sure is Confidence.LIKELY and begin.start is not NACKGAMMON
        )
        found = own or strict
        if found and (best is None or sure > best.sure):
            best = blank._replace(decoded=decoded, sure=sure, note=note)
        if begin.start is page.start and strict:
            break
    if span.shape is Shape.LIST and not (best and best.sure >= Confidence.LIKELY):
        return _plays(page, span, context)
    unread = isinstance(problem, UnreadError)
    if best and not (unread and best.sure is Confidence.DOUBTFUL):
        return [best]
    if not (unread or span.broken or sum(piece.clear for piece in span.pieces) > 1):
        return []
    usage = _usage(page, span) if problem and not unread else None
    return [blank._replace(error=problem, usage=usage)]


def _usage(page: _Page, span: Span) -> Dialect | None:
    """Which older usage makes sense of what cannot be read."""
    if page.dialect is not CURRENT:
        return None
    glyphs = page.slice(span)
    key = _placeless(glyphs)
    if key not in page.usages:
        page.usages[key] = sound_in(page.text, start=page.start, glyphs=glyphs, budget=page.budget)
    return page.usages[key]


def _placeless(glyphs: Sequence[Glyph]) -> tuple[object, ...]:
    """What tells glyphs from others wherever they stand; few objects, as it is asked often."""
    first = glyphs[0].at
    text = "".join([glyph.character for glyph in glyphs])
    places = [at for at, glyph in enumerate(glyphs) if glyph.at - first != at]
    looks = [(at, *glyph[1:-1]) for at, glyph in enumerate(glyphs) if any(glyph[1:-1])]
    return text, tuple([(at, glyphs[at].at - first) for at in places]), tuple(looks)


def _decode(page: _Page, span: Span, begin: _Begin) -> Decoded:
    """What a span says from there; IllegalError, MalformedError."""
    glyphs = page.slice(span)
    first = glyphs[0].at
    key = begin.start, _placeless(glyphs)
    if key not in page.known:
        try:
            found: Decoded | NactationError = decode(
                page.text,
                start=begin.start,
                strict=page.strict,
                equities=page.equities,
                dialect=page.dialect,
                glyphs=glyphs,
                budget=page.budget,
            )
        except _UNREADABLE as error:
            found = error.with_traceback(None)
        page.known[key] = first, found
    before, found = page.known[key]
    if isinstance(found, NactationError):
        raise type(found)(str(found), text=page.text, at=found.at + first - before)
    return found if first == before else _moved(found, first - before)


def _moved(decoded: Decoded, by: int) -> Decoded:
    """The same as it stands elsewhere in the text."""
    tokens = tuple([token._replace(at=token.at + by) for token in decoded.parsed.tokens])
    turns = [replace(turn, token=tokens[at]) for at, turn in enumerate(decoded.turns)]
    return decoded._replace(parsed=decoded.parsed._replace(tokens=tokens), turns=tuple(turns))


def _beginnings(page: _Page, span: Span, context: _Context | None) -> Iterator[_Begin]:
    """Where a sequence may begin, the likeliest first; what is doubtful only if no other is."""
    said = page.bare[span.pieces[0].start :][:2]
    roll = Roll.parse(said) if said.isdecimal() else None  # else an action with the cube, or a fan
    further = list(_further(context, roll))
    if context and context.is_about(roll, span.start):
        yield context.begin
    if span.goes_on or not roll or roll.is_doublet:
        yield from further
    yield _Begin(page.start)
    marked = span.start < span.pieces[0].start
    if context and marked and not page.bare[context.end : span.start].strip():
        yield from (one._replace(sure=Confidence.LIKELY) for one in further[-1:])
    sure = Confidence.LIKELY if len(span.pieces) >= _NO_ACCIDENT else Confidence.DOUBTFUL
    nackgammon = _Begin(NACKGAMMON, sure, "as a sequence of Nackgammon")
    yield from [nackgammon] if page.start is None and not marked else []
    yield from further
    yield from [nackgammon] if page.start is None and marked else []
    yield from [_Begin(None, note="from the opening")] if page.start else []


def _further(context: _Context | None, roll: Roll | None) -> Iterator[_Begin]:
    """The positions of a sequence that what comes later may go on from."""
    if context is None:
        return
    if context.is_position:
        yield context.begin._replace(sure=Confidence.DOUBTFUL)
        return
    if context.ends_with(roll):
        state = _before(context.decoded.turns[-1].state)
        yield _Begin(state, Confidence.LIKELY, f"instead of the last roll of {context.where}")
    yield _Begin(_before(context.decoded.state), Confidence.DOUBTFUL, f"behind {context.where}")


def _before(state: GameState) -> GameState:
    return replace(state, roll=None)


def _surety(page: _Page, span: Span, decoded: Decoded, begin: _Begin) -> tuple[Confidence, str]:
    """How sure a sequence is, by its weakest token and by how much it looks like one."""
    sure, note = begin.sure, begin.note
    if len(span.pieces) < _LONG and sum(piece.clear for piece in span.pieces) < 2:
        odd = [why for piece in span.pieces if (why := _oddity(page.bare[piece.start : piece.end]))]
        sure, note = (Confidence.DOUBTFUL, odd[0]) if odd else (sure, note)
    return min([sure, *(turn.sure for turn in decoded.turns)]), note


def _oddity(token: str) -> str:
    """Why a token may be a number with a unit, say; empty if it hardly is."""
    if len(token) != 3:
        return ""
    if token[0] < token[1]:
        return "the lower number stands first: it may be something else"
    usual = token in _SLOTS or token[2] in _USUAL
    return "" if usual else "it may be something else"


# Plays


def _plays(page: _Page, span: Span, context: _Context | None) -> list[Finding]:
    """The tokens of a list, each for itself."""
    alone = (
        Span(Shape.PLAY, piece.start, piece.end, (piece,)) for piece in span.pieces if piece.named
    )
    return [found for one in alone for found in _play(page, one, context)]


def _play(
    page: _Page, span: Span, context: _Context | None, played: _Played | None = None
) -> Iterable[Finding]:
    """A play by itself: of a sequence before it, a reply to that, an opening, or a reply to one."""
    piece = span.pieces[0]
    token = page.bare[piece.start : piece.end]
    roll = Roll.parse(token[:2])
    blank = page.finding(Kind.PLAY, span.start, span.end, Confidence.DOUBTFUL)
    problem: NactationError | None = None
    assumed: Finding | None = None
    for begin in _tried(page, _occasions(page, span, roll, context, played)):
        try:
            decoded = _decode(page, span, begin)
        except _UNREADABLE as error:
            problem = problem or error
            continue
        (turn,) = decoded.turns
        fans = turn.nactation is not None and turn.play is None
        if not (turn.play or fans) or (begin.only or turn.play) != turn.play:
            continue
        sure = min(begin.sure, turn.sure)
        found = blank._replace(decoded=decoded, sure=sure, note=begin.note)
        if turn.how is not ReadingKind.ASSUMED:
            return [found]
        assumed = assumed or found
    if isinstance(problem, UnreadError) and not assumed:
        return [blank._replace(error=problem)] if piece.clear else []
    if context is None or not (piece.clear and context.ends_with(roll)):
        return []
    return [assumed or blank._replace(error=problem)]


def _played(
    page: _Page, span: Span, found: Sequence[Finding], before: _Played | None
) -> _Played | None:
    """What a reply may follow: the play by itself that was found last, if it was one."""
    if span.shape is not Shape.PLAY or not found or found[0].decoded is None:
        return None
    first = max(before.end if before else 0, span.start - _BESIDE)
    return _Played(found[0].decoded, found[0].line, span.end, page.bare[first : span.start])


def _reply(page: _Page, span: Span, played: _Played | None) -> Iterator[_Begin]:
    """The position behind the play right before, where the words say that the other side plays."""
    if played is None or span.start - played.end > _BESIDE:
        return
    between = page.bare[played.end : span.start]
    side = _OTHER_SIDE.search(between)
    if side and "\n\n" not in between and side[0].lower() not in played.words.lower():
        note = f"a reply to {played.decoded.turns[0].token.text} of line {played.line}"
        yield _Begin(_before(played.decoded.state), Confidence.LIKELY, note)


def _occasions(
    page: _Page, span: Span, roll: Roll, context: _Context | None, played: _Played | None
) -> Iterator[_Begin]:
    """The positions that a play by itself may be about, the likeliest first."""
    clear = span.pieces[0].clear
    reply = list(_reply(page, span, played)) if clear else []
    openings = list(_opening(page, span, roll)) if clear else []
    if context is None:  # then what may be something else is
        yield from reply
        yield from (one for one in openings if one.sure is Confidence.LIKELY)
        return
    if context.is_about(roll, span.start):
        yield context.begin._replace(sure=Confidence.LIKELY)
    same = [
        _Begin(
            _before(turn.state),
            Confidence.LIKELY,
            f"as {turn.token.text} of {context.where}",
            turn.play,
        )
        for turn in reversed(context.decoded.turns[-_REMEMBERED:])
        if turn.state.roll == roll
    ]
    if context.ends_with(roll):
        yield same.pop(0)._replace(only=None)
    yield from (*reply, *same)
    yield from (one for one in openings if one.sure is Confidence.LIKELY)
    yield from (one._replace(only=None, sure=Confidence.DOUBTFUL) for one in same)
    between = page.bare[context.end : context.end + _FAR]
    if (
        clear
        and span.start < context.end + _FAR
        and "\n\n" not in between[: span.start - context.end]
    ):
        yield _Begin(_before(context.decoded.state), Confidence.DOUBTFUL, f"behind {context.where}")
    yield from openings


def _opening(page: _Page, span: Span, roll: Roll) -> Iterator[_Begin]:
    if page.start is not None:
        yield _Begin(page.start, Confidence.LIKELY)
    elif not roll.is_doublet:
        odd = _oddity(page.bare[span.start : span.end])
        sure = Confidence.DOUBTFUL if odd else Confidence.LIKELY
        yield _Begin(None, sure, odd or "taken for an opening")


def _are_openings(page: _Page, span: Span) -> bool:
    """Whether each token of a list is an opening, so that they need not be a sequence.

    What only blanks part is one, and so are two columns: lists have commas, or lines of their own.
    """
    places = zip(span.pieces, span.pieces[1:], strict=False)
    between = [page.bare[one.end : other.start] for one, other in places]
    if not any("," in gap or "\n" in gap for gap in between):
        return False
    if span.shape is Shape.TABLE and not all("\n" in gap for gap in between):
        return False
    return all(piece.named and _is_opening(page, piece) for piece in span.pieces)


def _is_opening(page: _Page, piece: Piece) -> bool:
    span = Span(Shape.PLAY, piece.start, piece.end, (piece,))
    begins = _opening(page, span, Roll.parse(page.bare[piece.start :][:2]))
    try:
        return any(
            _decode(page, span, one).turns[0].how is not ReadingKind.ASSUMED for one in begins
        )
    except _UNREADABLE:
        return False


# Nacbracs


def _nacbrac(
    page: _Page, span: Span, before: Span | None, context: _Context | None, last: Finding | None
) -> Iterable[Finding]:
    """A nacbrac: about the roll or the sequence before it."""
    start = (before or span).start
    blank = page.finding(Kind.NACBRAC, start, span.end, Confidence.DOUBTFUL)
    told = span.pieces[0].clear  # by errors
    problem: NactationError | None = None
    best: Finding | None = None
    if span.move:
        unknown = f"the text does not have the position of {span.move}"
        return [blank._replace(error=IllegalError(unknown, text=page.text, at=blank.start))]
    for begin in _tried(page, _subjects(page, before, context, beside=_is_beside(blank, last))):
        try:
            read = _resolve(page, span, begin)
        except _UNREADABLE as error:
            problem = problem or error
            continue
        sure = min([begin.sure, *(one.sure for one in read.entries)])
        sound = told or not any(one.how is ReadingKind.ASSUMED for one in read.entries)
        if sound and (best is None or sure > best.sure):
            best = blank._replace(nacbrac=read, sure=sure, note=begin.note)
    if best:
        return [best]
    problem = problem or IllegalError(_NO_ROLL, text=page.text, at=blank.start)
    return [blank._replace(error=problem)] if told else []


def _cube(
    page: _Page, span: Span, context: _Context | None, last: Finding | None
) -> Iterable[Finding]:
    """A nacbrac of the cube: about the end of the sequence before it, if there the cube is free."""
    blank = page.finding(Kind.NACBRAC, span.start, span.end, Confidence.SURE)
    beside = _is_beside(blank, last)
    if not (span.pieces[0].clear or beside):
        return []
    about, sure = context.decoded if context else None, Confidence.SURE
    note = f"of {span.move}" if span.move else ""
    if context and not beside:
        sure, note = Confidence.LIKELY, f"taken to be about {context.where}"
    elif page.start and not (context or span.move):
        about = decode("", start=page.start, dialect=page.dialect)
    problem: NactationError = IllegalError(_NO_ROLL)
    read: Nacbrac | CubeNacbrac | CubeRead | None = None
    try:
        nacbrac = _written(page, span)
        read = read_cubes(about, [nacbrac])[0] if about else nacbrac
    except MalformedError as error:
        return [blank._replace(error=error)]
    except IllegalError as error:
        problem = error
        if context and not beside:  # then it may be about something else
            read, note = nacbrac, ""
    if isinstance(read, CubeRead):
        return [blank._replace(cube=read.nacbrac, state=read.state, sure=sure, note=note)]
    if isinstance(read, CubeNacbrac):
        return [blank._replace(cube=read, note=note)]
    problem = IllegalError(str(problem), text=page.text, at=blank.start)
    return [blank._replace(error=problem)] if span.pieces[0].clear else []


def _is_beside(blank: Finding, last: Finding | None) -> bool:
    """Whether a nacbrac stands beside what was found before it, but a play by itself."""
    return last is not None and blank.start - last.end < _BESIDE and last.kind is not Kind.PLAY


def _written(page: _Page, span: Span) -> Nacbrac | CubeNacbrac:
    """The nacbrac of a span as it stands there; MalformedError."""
    scan = Scan(page.text, page.glyphs[span.start : span.end])
    return nacbracs_at(scan, lay_out(scan)[0])[0]


def _behind_bot(bare: str, end: int, following: Span | None) -> int:
    """Where the bot that is named behind a nacbrac ends, if one is; a roll of the next is none."""
    until = following.start if following and following.shape is Shape.ROLL else len(bare)
    rest = _BOT.match(bare, end, until)
    return end + len(rest[0].rstrip()) if rest and describe_bot(rest[0]) else end


def _resolve(page: _Page, span: Span, begin: _Begin) -> NacbracRead:
    nacbrac = _written(page, span)
    if isinstance(nacbrac, CubeNacbrac):
        raise IllegalError(_NO_ROLL, text=page.text)
    decoded = decode("", start=begin.start, dialect=page.dialect)
    roll = begin.start.roll if isinstance(begin.start, GameState) else None
    (read,) = read_nacbracs(
        decoded,
        [nacbrac],
        roll=roll,
        strict=page.strict,
        equities=page.equities,
        budget=page.budget,
    )
    return read


def _subjects(
    page: _Page, before: Span | None, context: _Context | None, *, beside: bool
) -> Iterator[_Begin]:
    """The states, each with its roll, that a nacbrac may be about, the likeliest first."""
    last = context.decoded.turns[-1].state if context and context.decoded.turns else None
    if before is None:
        if last and last.roll and context:
            sure = Confidence.SURE if beside else Confidence.LIKELY
            yield _Begin(last, sure, "" if beside else f"taken to be about {context.where}")
        return
    roll = Roll.parse(page.bare[before.pieces[0].start :][:2])
    if last and context and last.roll == roll:
        yield _Begin(last, Confidence.SURE, f"about {context.where}")
    if context and context.is_about(roll, before.start):
        state = replace(context.decoded.state, roll=roll)
        yield _Begin(state, Confidence.SURE, f"about {context.where}")
    if page.start or not roll.is_doublet:
        yield _Begin(replace(to_state(page.start or STANDARD), roll=roll), Confidence.SURE)
    if last and context:
        note = f"instead of the last roll of {context.where}"
        yield _Begin(replace(last, roll=roll), Confidence.LIKELY, note)
        after = replace(context.decoded.state, roll=roll)
        yield _Begin(after, Confidence.LIKELY, f"behind {context.where}")
