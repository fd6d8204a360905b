"""A text with its glyphs, its parts decoded from a position, and the findings."""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property, lru_cache
from itertools import count

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError, NactationError
from gnubg_nactation.files.copied import Copied
from gnubg_nactation.language.days import post_at, posts_in
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac
from gnubg_nactation.nacbracs.reading import NacbracRead
from gnubg_nactation.prose.chains import Piece, Shape, Span, Subject, flowing
from gnubg_nactation.sequences.assumption import Confidence, Equities, Evaluator
from gnubg_nactation.sequences.decode import Budget, Decoded, DecodedTurn, decode, sound_in
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import Glyph, read_markup


class Kind(Enum):
    """The kinds of findings."""

    SEQUENCE = "sequence"
    NACBRAC = "nacbrac"
    PLAY = "play"
    POSITION = "position"
    CLAIM = "claim"
    PATTERN = "pattern"
    ANALYSIS = "analysis"


class Claim(NamedTuple):
    """A letter with the play that the text says it names.

    The claim is about `state`, which has a roll. If the claim is not `right`, `instead` is the
    preferred name of the play; empty if the play is not legal. `state` and `right` are None if the
    text gives no such position.
    """

    letter: str
    play: str
    state: GameState | None = None
    right: bool | None = None
    instead: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.right is None:
            return "of an unknown position"
        if self.state and not (self.right or self.instead):
            return f"wrong: {self.play} is not a legal play of {self.state.roll}"
        return "right" if self.right else f"wrong: {self.play} is {self.instead}"


class Finding(NamedTuple):
    """Nactation in a text, from offset `start` up to `end`; lines and columns count from 1.

    `text` is the passage without markup. A sequence has `decoded`; so has a play, as a sequence of
    one turn. A nacbrac of plays has `nacbrac`. A nacbrac of the cube has `cube` and the `state`
    before the roll, None if the text does not give it. A position has `state`, a claim `claim`, a
    pattern its `meaning` in words. An analysis of XG or gnubg is a position that is `copied`.
    A finding that cannot be read has an `error`, and a sequence also the older `usage` in which it
    can be read. `note` names assumptions. `tokens` are those of a move list, each with its offset.
    `date` is the day of its post if the text has it, and `dialect` the usage by which it is read.
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
    claim: Claim | None = None
    meaning: str = ""
    copied: Copied | None = None
    date: str = ""
    dialect: Dialect = CURRENT

    @property
    def words(self) -> str:
        """The verdict of a claim, or the meaning of a pattern; else empty."""
        return self.claim.verdict if self.claim else self.meaning

    def place_of(self, turn: DecodedTurn) -> int:
        """The offset of a turn's token; in a reply chart, that of its letter."""
        return max(turn.token.at, self.start)

    @property
    def trouble(self) -> str:
        """The reason why it cannot be read; empty if it can."""
        usage = f"; it {self.usage.hint}" if self.usage else ""
        return f"{self.error}{usage}" if self.error else ""


LONGEST = 1_000_000  # characters: a thick book, some seconds of work
UNREADABLE = (AmbiguousError, IllegalError, MalformedError)
_MAX_QUESTIONS = 600  # to an engine, about one text
_NACKGAMMON = re.compile(r"\bnack(?:gammon)?\b(?! ballard)", re.IGNORECASE)
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,31};")


class Page:
    """A text with its options; `bare` is the text without its markup.

    In `flowing`, of the same length, the lines of a sentence are joined.
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
        glyphs = _without_hyphens(_unquoted(read_markup(text, longest=LONGEST)))
        self.glyphs, self._raised = _with_capitals(glyphs)
        self.bare = "".join(glyph.character for glyph in self.glyphs)
        self.flowing = flowing(self.bare)
        self.start = start
        self.equities = equities and _sparing(equities)
        self.strict = strict
        self.dialect = dialect
        self.budget = budget or Budget(len(text))
        self.subject = Subject(self.bare)
        self.games: set[tuple[str, ...]] = set()  # the beginnings of its sequences, as tokens
        self._posts = posts_in(self.bare)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        # Key: the start and the glyphs. Value: the offset of the first glyph, and the result.
        self._decoded: dict[object, tuple[int, Decoded | NactationError]] = {}
        self._usages: dict[object, Dialect | None] = {}

    @cached_property
    def names_nackgammon(self) -> bool:
        """Whether its words name Nackgammon."""
        return _NACKGAMMON.search(self.bare) is not None

    def finding(
        self, kind: Kind, start: int, end: int, sure: Confidence = Confidence.DOUBTFUL
    ) -> Finding:
        """A finding of some glyphs, without its reading."""
        first, last = self.glyphs[start].at, self.glyphs[end - 1].at
        entity = _ENTITY.match(self.text, last)
        line = bisect(self._lines, first)
        column = first - self._lines[line - 1] + 1
        text = " ".join(self.bare[start:end].split())
        blank = Finding(kind, first, entity.end() if entity else last + 1, line, column, text, sure)
        post = post_at(self._posts, start)
        return blank._replace(date=post.day if post else "", dialect=self.dialect_at(start))

    def dialect_at(self, start: int) -> Dialect:
        """The usage at an offset: the one that the user names, or else that of the post's day."""
        post = post_at(self._posts, start)
        return post.dialect if post and self.dialect is CURRENT else self.dialect

    def is_hyphened(self, piece: Piece) -> bool:
        """Whether a token is a usual opening with a hyphen between its dice: `6-5R`."""
        places = [glyph.at for glyph in self.glyphs[piece.start : piece.start + 2]]
        is_apart = len(places) > 1 and places[1] == places[0] + 2
        return is_apart and self.token(piece) in OPENINGS

    def is_raised(self, finding: Finding) -> bool:
        """Whether small letters of a finding are taken for capitals."""
        at = bisect_left(self._raised, finding.start)
        return at < len(self._raised) and self._raised[at] < finding.end

    def tokens(self, span: Span) -> tuple[tuple[int, str], ...]:
        """The tokens of a span, each with its offset."""
        return tuple([(self.glyphs[piece.start].at, self.token(piece)) for piece in span.pieces])

    def repeats_game(self, span: Span) -> bool:
        """Whether a list begins as a sequence of the text, except perhaps its last play."""
        tokens = tuple([self.token(piece) for piece in span.pieces])
        return tokens[: max(len(tokens) - 1, 2)] in self.games

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
        dialect = self.dialect_at(span.start)
        key = start, dialect.name, _without_offsets(glyphs)
        if key not in self._decoded:
            try:
                result: Decoded | NactationError = decode(
                    self.text,
                    start=start,
                    strict=self.strict,
                    assume=self.equities,
                    dialect=dialect,
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
        if self.dialect_at(span.start) is not CURRENT:
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


# The marks of quoted lines, as in mails; `>!` begins a spoiler.
_QUOTE = re.compile(r"^[ \t]*(?:>(?!!)[ \t]?){1,20}", re.MULTILINE)


def _unquoted(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs without the marks of quoted lines."""
    kept: list[Glyph] = []
    at = 0
    for match in _QUOTE.finditer("".join([glyph.character for glyph in glyphs])):
        kept += glyphs[at : match.start()]
        at = match.end()
    return (*kept, *glyphs[at:])


# An opening with a hyphen between its dice, `6-5R`, but not `won 6-5`.
_HYPHENED = re.compile(r"(?<![\w.,:/+-])([1-6])(-)([1-6][A-Z$@&])(?![\w'\u2019-])")
_SCORE = re.compile(
    r"\b(?i:w[io]ns?|los[te]|beat|scored?|leads?|led|results?|finished)\b[^.\n]{0,20}\Z"
)
_SCORED = re.compile(r"[^.\n]{0,12}\b(?:retired|pen(?:s|alties))\b")


def _without_hyphens(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The glyphs without the hyphens between dice, if the text writes openings so: `6-5R`."""
    bare = "".join([glyph.character for glyph in glyphs])
    matches = [
        match
        for match in _HYPHENED.finditer(bare)
        if not _SCORE.search(bare, max(match.start() - 40, 0), match.start())
        if not _SCORED.match(bare, match.end())
    ]
    if not any(match[1] + match[3] in OPENINGS for match in matches):
        return glyphs
    hyphens = {match.start(2) for match in matches}
    return [glyph for at, glyph in enumerate(glyphs) if at not in hyphens]


_CAPITAL = re.compile(r"(?<!\w)[1-6]{2}[A-Z](?!\w)")
_SMALL = re.compile(r"(?<![\w./:,-])([1-6]{2})([a-z])(?!\w|-\w*\s)")
# A sequence in small letters, as on a phone: `54s-63r-31`.
_SMALL_CHAIN = re.compile(
    r"(?<![\w./:,-])(?P<first>[1-6]{2}[a-z])(?:(?:-[1-6]{2}[a-z]?){1,30}|(?: [1-6]{2}[a-z]?){2,30})"
    r"(?![\w-])"
)


def _with_capitals(glyphs: Sequence[Glyph]) -> tuple[tuple[Glyph, ...], list[int]]:
    """The glyphs with capitals for the small letters of a phone, and the offsets of these in order.

    A text without capitals writes so if a sequence begins with an opening whose small letter names
    no play. Later plays of its rolls are written so, too.
    """
    bare = "".join([glyph.character for glyph in glyphs])
    raised: set[int] = set()
    rolls: set[str] = set()
    for chain in () if _CAPITAL.search(bare) else _SMALL_CHAIN.finditer(bare):
        if _is_small_game(chain, is_known=bool(rolls)):
            raised.update(at for at in range(*chain.span()) if bare[at].isalpha())
            rolls.update(re.findall("[1-6]{2}", chain[0]))
    if rolls:
        first = min(raised)
        singles = _SMALL.finditer(bare, first)
        raised.update(match.start(2) for match in singles if match[1] in rolls)
    kept = [
        glyph._replace(character=glyph.character.upper()) if at in raised else glyph
        for at, glyph in enumerate(glyphs)
    ]
    return tuple(kept), [glyphs[at].at for at in sorted(raised)]


def _is_small_game(chain: re.Match[str], *, is_known: bool) -> bool:
    """Whether a chain is a game but for its small letters, unlike `51s-52s-53s` of a stopwatch."""
    is_mixed = chain[0][-1].isdecimal() or len(set(re.findall("[a-z]", chain[0]))) > 1
    if (
        not (is_mixed or is_known)
        or chain["first"].upper() not in OPENINGS
        or _is_strict(chain["first"])
    ):
        return False
    return _is_strict(chain[0].upper())


@lru_cache(maxsize=64)
def _is_strict(text: str) -> bool:
    with suppress(*UNREADABLE):
        return decode(text).is_strict
    return False


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


_MAX_DISTANCE, _MAX_PARAGRAPH = 400, 4000  # characters
_ANSWER = re.compile(r"[1-6]{2} (?:after|against|facing|vs\.?) (?=[1-6]{2})")
_END = r"(?=[:,.;!?)]?(?:\s|\Z))"
_ROLL = re.compile(
    r"(?:\A|\n|\b(?!(?-i:A) [1-6]{2},)(?:with|for|(?-i:On)|on(?=\s[1-6]-)|opening"
    r"|roll(?:s|ed|:)?|to play|reply|is|ha(?:ve|s|d)|an?|the|my|his|her)\s"
    r"|[,;] (?=[1-6]{2} (?:is|was)\b)"
    rf"|(?<![\w./:-])(?={_ANSWER.pattern}))"
    rf"(?P<roll>[1-6]-?[1-6]){_END}"
    # right before a letter: `65: R`, or in the cell before it; but S in `P 17  R 13  S 11`
    r"|(?<![\w./:,-])(?<!(?-i:[A-Z@$&]) )(?P<label>[1-6]-?[1-6])"
    r"(?:[ \t]*[:=|][ \t]*|[ \t]{2,8}| is )\Z",
    re.IGNORECASE,
)
_ROLL_AFTER = re.compile(
    rf"\b(?:with|for|at|roll(?:s|ed)?|opening)\s(?:an? |the |is )?(?P<roll>[1-6]{{2}}){_END}"
)


class NamedRoll(NamedTuple):
    """A roll, and the offsets of it and of the play that it answers, `64 after 21S`, or else 0.

    `is_label` means that it is right before the letter: `65: R`.
    """

    roll: Roll
    start: int
    answered: int = 0
    is_label: bool = False


def paragraph_of(page: Page, at: int) -> tuple[int, int]:
    """The start and the end of the paragraph around an offset, or of the part near it."""
    first, last = max(at - _MAX_PARAGRAPH, 0), min(at + _MAX_PARAGRAPH, len(page.bare))
    end = page.bare.find("\n\n", at, last)
    return max(page.bare.rfind("\n\n", first, at) + 1, first), last if end < 0 else end


def roll_before(page: Page, at: int) -> NamedRoll | None:
    """The last roll named in the paragraph before an offset; None if there is none."""
    first = max(at - _MAX_DISTANCE, paragraph_of(page, at)[0])
    rolls = list(_ROLL.finditer(page.bare, first, at))
    if not rolls:
        return None
    group = rolls[-1].lastgroup or ""
    roll, place = rolls[-1][group].replace("-", ""), rolls[-1].start(group)
    answer = _ANSWER.match(page.bare, place)
    return NamedRoll(Roll.parse(roll), place, answer.end() if answer else 0, group == "label")


def roll_after(page: Page, at: int) -> NamedRoll | None:
    """The first roll named in the paragraph after an offset; None if there is none."""
    last = min(at + _MAX_DISTANCE, paragraph_of(page, at)[1])
    match = _ROLL_AFTER.search(page.bare, at, last)
    return NamedRoll(Roll.parse(match["roll"]), match.start("roll")) if match else None
