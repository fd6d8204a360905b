"""Read nacbracs: find them in a text, take them apart, and say what they mean on a board."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from operator import itemgetter

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.plays import Play, Portion, Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, UnreadError
from gnubg_nactation.language.alphabet import Right, family
from gnubg_nactation.language.dialects import plays_in
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.nacbrac import (
    ELLIPSIS,
    MONEY,
    CubeNacbrac,
    Entry,
    Nacbrac,
    at_score,
    of_plays,
    parse_score,
    points_of,
)
from gnubg_nactation.sequences.assumption import Confidence, EngineQuestions, Equities, Evaluator
from gnubg_nactation.sequences.decode import USED_UP, Budget, Decoded
from gnubg_nactation.sequences.tiers import TIERS, ReadingKind, Tier, TokenInPosition
from gnubg_nactation.sequences.tokens import OPENING, Token, TokenKind, parse_sequence
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import Glyph, read_markup
from gnubg_nactation.writing.scan import CHARACTERS, PLAIN, Scan

_MAX_NACBRACS = 1000  # of a text; a doubtful one takes half a millisecond, or an engine
_OPENING = re.compile(r"\[")
_SCORE = re.compile(r"(?:(?<=[\s\]])|^)(?:[dgsjn]|\([dgsjn]\) ?|-[0-9]{1,3}-[0-9]{1,3}C?)$")
_LONGEST_SCORE = 10
_LABEL = r"\#[0-9]{1,3}(?:\.[0-9])?[a-z]?[.:]?(?=\s)"
_WHOSE = rf"(?i:{OPENING})(?=\s)"
_HEADING = re.compile(rf"(?:{_LABEL}(?:\s*{_WHOSE})?|{_WHOSE})\s*")
_FRESH = re.compile(
    rf"""(?<=\n)[^\S\n]*(?P<roll>(?:N\s+)?(?:(?:\+|-+>?)[^\S\n]*)?[1-6]{{2}})
       | (?<![^\s\]])(?:{_LABEL}|{_WHOSE})
       | (?<![^\s\]])(?P<inline>
             (?: -+>?[1-6]{{2}}(?![0-9.]) | [1-6]{{2}}[^-\s\[\]0-9.,*]+- ) [^\s\[\]]* \s* \Z)""",
    re.VERBOSE,
)
_TRIALS = re.compile(r"(?:[0-9k*.,\t ]|(?<=[0-9]k)[^\s0-9\[\]k*.,](?!\S))*(?:\n|\Z)")
_ELSEWHERE = r"\((?i:same\s+as)[^()]{0,40}\)"
_STOP = re.compile(rf"(?P<note>{_ELSEWHERE})|(?<!\S){_LABEL}")
_REMARK = re.compile(r"\s*(\([^()]*\))\s*")


class Bracket(NamedTuple):
    """The offsets of a nacbrac: of its score, of its bracket, and of the end of the text on it."""

    score: int
    opens: int
    end: int


class Section(NamedTuple):
    """A piece of a text: a sequence, from glyph `start` up to `end`, and the nacbracs after it.

    `note` is a comment instead of nacbracs: `(same as #4)`.
    """

    start: int
    end: int
    brackets: tuple[Bracket, ...] = ()
    note: str = ""


def lay_out(scan: Scan) -> tuple[Section, ...]:
    """Split a text into its pieces, at least one, without their headings.

    Text between two brackets belongs to the first, unless a sequence begins there: with a roll at
    the start of a line that is no number of trials, with a heading, or as the last word before
    the next bracket. Raises MalformedError if there are too many pieces.
    """
    bare, limit = scan.bare, _MAX_NACBRACS
    openings = [match.start() for match in _OPENING.finditer(bare)]
    if len(openings) > limit:
        raise scan.error(f"{len(openings):,} nacbracs; {limit:,} are read at once", openings[limit])
    scores = [*(score_start(bare, at) for at in openings), len(bare)]
    pieces = [*_pieces(scan, 0, scores[0])]
    for score, opens, until in zip(scores, openings, scores[1:], strict=False):
        fresh = _fresh(bare, max(opens, bare.find("]", opens, until)) + 1, until)
        bracket = Bracket(score, opens, until if fresh is None else fresh)
        pieces[-1] = pieces[-1]._replace(brackets=(*pieces[-1].brackets, bracket))
        if fresh is not None:
            pieces += _pieces(scan, fresh, until)
    if len(pieces) > limit:
        message = f"{len(pieces):,} sequences; {limit:,} are read at once"
        raise scan.error(message, pieces[limit].start)
    return (*pieces,)


def score_start(bare: str, opens: int) -> int:
    """The offset of the score before a bracket, or of the bracket if there is none."""
    match = _SCORE.search(bare, max(opens - _LONGEST_SCORE, 0), opens)
    return match.start() if match else opens


def _pieces(scan: Scan, at: int | None, until: int) -> Iterator[Section]:
    """The pieces from an offset up to the next bracket or the end of the text."""
    while at is not None:
        start = scan.skip(_HEADING, at)
        stop = _STOP.search(scan.bare, start, until)
        end = stop.start() if stop else until
        remark = _REMARK.fullmatch(scan.bare, start, end)
        if remark:
            yield Section(start, start, note=remark[1])
        else:
            yield Section(start, end, note=(stop["note"] or "") if stop else "")
        at = _fresh(scan.bare, stop.end() if stop["note"] else end, until) if stop else None


def _fresh(bare: str, at: int, until: int) -> int | None:
    """The offset of a sequence, or of a note instead, after a nacbrac; None without one."""
    for match in _FRESH.finditer(bare, at, until):
        if match["inline"] and until == len(bare):  # no bracket follows
            continue
        if not match["roll"]:
            return match.start()
        if not _TRIALS.match(bare, match.start("roll")):
            return match.start("roll")
    return None


_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,9})?"
_DOUBLED = r"(?:RD?|D)/[TP](?![A-Za-z])"
_SHORT = re.compile(
    rf"\[\s*(?P<letter>[NDRX])\s+(?P<sign>[+-]?)(?P<equity>{_NUMBER})\s?-\s?(?P<error>{_NUMBER})\s*\]"
)
_CUBE_OPENING = re.compile(rf"\[[\s,]*(?:(?:N[DR]?|X)(?:\s*=\s*|[\s,]+))?{_DOUBLED}")
_OUTCOME = re.compile(
    r"(?P<no>N[DR]?|X)(?![A-Za-z/])|(?P<double>RD?|D)(?:/(?P<answer>[TP]))?(?![A-Za-z/])"
)
_CUBE_ERROR = re.compile(rf"\s*-?(?P<error>{_NUMBER})")
_JOINT = re.compile(r"\s*=\s*")
_CUBE_SPACE = re.compile(r"[\s,]*")
_EXPECTED = "expected the cube's outcomes, as in [N D/T 45 D/P 690]"


def is_cube(bare: str, opens: int) -> bool:
    """Whether the bracket at an offset is about the cube."""
    return bool(_CUBE_OPENING.match(bare, opens) or _SHORT.match(bare, opens))


def parse_cube(scan: Scan, opens: int, close: int) -> CubeNacbrac:
    """Read the nacbrac of the cube between two offsets, without score and suffix.

    Accepts ND and NR for no double, RD for R, and `[D 603-14]`: double is right and worth .603, no
    double loses .014. Raises MalformedError with the offset.
    """
    if short := _SHORT.match(scan.bare, opens):
        return _by_equity(short, scan.text)
    losses: dict[str, float | None] = {}  # by outcome: N, T or P
    redouble, at, joined = False, scan.skip(_CUBE_SPACE, opens + 1), False
    while at < close:
        outcome = _OUTCOME.match(scan.bare, at, close)
        key = (outcome["answer"] or "D" if outcome["double"] else "N") if outcome else ""
        if outcome is None or key in losses:
            raise scan.error(_EXPECTED, at)
        redouble = redouble or outcome[0] in {"X", "NR"} or outcome[0].startswith("R")
        error = _CUBE_ERROR.match(scan.bare, outcome.end(), close)
        losses[key] = 0.0 if joined or not losses else None
        if error:
            losses[key] = points_of(error["error"])
        end = error.end() if error else outcome.end()
        joint = _JOINT.match(scan.bare, end, close)
        joined, at = bool(joint), joint.end() if joint else scan.skip(_CUBE_SPACE, end)
    if joined or "D" in losses or not {"T", "P"} & losses.keys():
        raise scan.error(_EXPECTED, close)
    double = next(iter(losses)) != "N"
    right, *wrong = (key for key in losses if key != "N")
    return CubeNacbrac(
        double,
        right == "T",
        losses.get("N") if double else losses[right],
        losses[wrong[0]] if wrong else None,
        redouble,
        text=scan.text,
    )


def _by_equity(short: re.Match[str], text: str) -> CubeNacbrac:
    letter, equity = short["letter"], Decimal(short["sign"] + short["equity"]).scaleb(-3)
    error = Decimal(short["error"]).scaleb(-3)
    double = letter in "DR"
    answer = 1 - (equity if double else equity - error)  # the loss by passing
    take = answer > 0
    return CubeNacbrac(
        double,
        take,
        float(error),
        float(answer) if take else None,
        letter in "RX",
        text=text,
    )


_EQUITY = re.compile(
    r"[\s,]*([+-][0-9]{1,6}(?:\.[0-9]{1,9})?|[0-9]{2,6}(?:\.[0-9]{1,9})?)(?=[\s,])"
)
_ERROR = re.compile(r"-?([0-9]{1,6}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})")
# If blanks separate the plays, and commas are only within numbers, they are decimal signs.
_ERROR_WITH_COMMA = re.compile(r"-?([0-9]{1,6}(?:[.,][0-9]{1,9})?|\.[0-9]{1,9})")
_LIST_COMMA = re.compile(r"(?<![0-9]),|,(?![0-9])")
_SPACE, _BLANK = re.compile(r"[\s,]+"), re.compile(r"[\s,]|\.\.\.")
_NAMES = CHARACTERS.difference("=")
_NO_DIGITS = CHARACTERS.difference("0123456789")
_DOT = re.compile(r"\.(?!\.\.(?!\.))")  # three are an ellipsis


def parse_nacbrac(text: str) -> Nacbrac:
    """Read a text that is one nacbrac.

    Styles are read from HTML, BBCode and Markdown. In `A=B7` and `A7=B7`, A and B lose the same.
    Raises MalformedError with the offset; also for errors that decrease, a sign that numerals and
    errors were confused.
    """
    glyphs = read_markup(text)
    pieces = find_nacbracs(text, glyphs)
    nacbracs = [nacbrac for piece in pieces for nacbrac in piece.nacbracs]
    if not nacbracs:
        raise MalformedError("no nacbrac: expected [", text=text, at=len(text))
    if len(nacbracs) > 1:
        raise MalformedError("expected one nacbrac, found several", text=text)
    head = glyphs[: pieces[0].end]
    if pieces[1:] or not all(glyph.character.isspace() for glyph in head):
        raise MalformedError("expected a nacbrac, as in [P @87 H94]", text=text)
    return nacbracs[0]


class Piece(NamedTuple):
    """A part of a text: a sequence, from glyph `start` up to `end`, and the nacbracs after it."""

    start: int
    end: int
    nacbracs: tuple[Nacbrac, ...] = ()


def find_nacbracs(text: str, glyphs: Sequence[Glyph]) -> tuple[Piece, ...]:
    """The pieces of a text, at least one, with their nacbracs; raises MalformedError."""
    scan = Scan(text, glyphs)
    return tuple(
        Piece(
            section.start,
            section.end,
            tuple([_nacbrac(scan, bracket) for bracket in section.brackets]),
        )
        for section in lay_out(scan)
    )


def nacbracs_at(scan: Scan, section: Section) -> tuple[Nacbrac | CubeNacbrac, ...]:
    """The nacbracs of a piece, including those of the cube; raises MalformedError."""
    return tuple(
        [
            _cube(scan, bracket) if is_cube(scan.bare, bracket.opens) else _nacbrac(scan, bracket)
            for bracket in section.brackets
        ]
    )


def _cube(scan: Scan, bracket: Bracket) -> CubeNacbrac:
    close = _close(scan, bracket)
    cube = parse_cube(scan, bracket.opens, close)
    return replace(cube, score=_score(scan, bracket), suffix=_suffix(scan, bracket, close))


def _close(scan: Scan, bracket: Bracket) -> int:
    _, at, end = bracket
    close = scan.bare.find("]", at, end)
    if close < 0:
        line = scan.bare[at:end].rstrip("\n")
        raise scan.error("the bracket is not closed: expected ]", at + len(line))
    return close


def _suffix(scan: Scan, bracket: Bracket, close: int) -> str:
    return " ".join(shown(scan.bare[close + 1 : bracket.end]).split())


def _score(scan: Scan, bracket: Bracket) -> str:
    """The score before a bracket; empty if there is none."""
    if bracket.score == bracket.opens:
        return MONEY
    try:
        return parse_score(scan.bare[bracket.score : bracket.opens])
    except MalformedError as problem:
        raise scan.error(str(problem), bracket.score) from None


def _nacbrac(scan: Scan, bracket: Bracket) -> Nacbrac:
    at, bare, score = bracket.opens, scan.bare, _score(scan, bracket)
    close = _close(scan, bracket)
    equity = _EQUITY.match(bare, at + 1)
    shared = _shared_look(scan.glyphs[at : close + 1])
    has_commas = not _LIST_COMMA.search(bare, at, close) and len(bare[at:close].split()) > 1
    error = _ERROR_WITH_COMMA if has_commas else _ERROR
    groups: list[list[Entry]] = []  # of entries joined by `=`
    skipped = joined = False
    inner = scan.skip(_SPACE, equity.end() if equity else at + 1)
    first = shared._replace(bold=shared.bold or _best_is_bold(scan, inner, close))
    while inner < close:
        if bare.startswith(ELLIPSIS, inner):
            skipped, inner = True, inner + len(ELLIPSIS)
        else:
            best = not skipped and len(groups) == joined
            around = first if best else shared
            entry, inner = _entry(scan, inner, around, skipped, error, best=best and not joined)
            if not joined:
                groups.append([])
            groups[-1].append(entry)
            skipped, joined = False, bare[inner] == "=" and bare[inner + 1] in CHARACTERS
            if joined:
                inner += 1
                continue
        inner = scan.skip(_SPACE, inner)
    if not groups:
        raise scan.error("a nacbrac without a play", close)
    entries = _with_errors(groups, scan.text)
    points = points_of(equity[1]) if equity else None
    return Nacbrac(entries, score, points, skipped, _suffix(scan, bracket, close), scan.text)


def _shared_look(bracket: Sequence[Glyph]) -> Glyph:
    """The style that all names share, which is emphasis; of a single name, the style of `[`.

    Italics count only if the characters between the names have them, too: else they are members.
    """
    names = [glyph for glyph in bracket[1:-1] if glyph.character in _NO_DIGITS]
    names = names if len(names) > 1 else [bracket[0]]
    return PLAIN._replace(
        italic=all(glyph.italic for glyph in (bracket[1:-1] if len(names) > 1 else names)),
        bold=all(glyph.bold for glyph in names),
        colour=names[0].colour if len({glyph.colour for glyph in names}) == 1 else 0,
    )


def _best_is_bold(scan: Scan, start: int, close: int) -> bool:
    """Whether the plays before the first blank are bold, and there are others, none of them bold.

    False if one of the others differs only in bold: then bold distinguishes members.
    """

    def name_without_bold(at: int) -> tuple[str, bool, str]:
        glyph, following = scan.glyphs[at], scan.bare[at + 1]
        return glyph.character, glyph.italic, glyph.marks or following * (following in "_.{")

    blank = _BLANK.search(scan.bare, start, close)
    end = blank.start() if blank else close
    names = [at for at in range(start, close) if scan.bare[at] in _NAMES]
    best, worse = (
        {name_without_bold(at): scan.glyphs[at].bold for at in names if (at < end) is is_best}
        for is_best in (True, False)
    )
    alone = worse and all(best.values()) and not any(worse.values())
    return bool(alone) and best.keys().isdisjoint(worse)


def _entry(
    scan: Scan, at: int, around: Glyph, skipped: bool, error: re.Pattern[str], *, best: bool
) -> tuple[Entry, int]:
    """The entry at an offset and its end; digits are a numeral, then an error unless it is `best`.

    `error` is the form of errors. The style of `around` does not count for the name.
    """
    glyph, bare = scan.glyphs[at], scan.bare
    if glyph.character not in CHARACTERS:
        raise scan.error(f"found {quoted(glyph.character)}, expected a Nactation", at)
    (name,), end = scan.names(at, around, (".",) if _DOT.match(bare, at + 1) else ())
    text, loss = bare[at:end], None
    if number := error.match(bare, end):
        if best and name.family.right is Right.NUMERAL and number[0][0] != "-":
            raise scan.error("expected a Nactation, then a blank", at)
        loss, end = points_of(number[1]), number.end()
    return Entry(name, loss, skipped, text, glyph.at), end


def _with_errors(groups: Sequence[Sequence[Entry]], text: str) -> tuple[Entry, ...]:
    """All entries; joined ones share the error of one of them."""
    entries: list[Entry] = []
    last = 0.0
    for group in groups:
        best = not entries and not group[0].skipped
        errors = [entry.error for entry in group if entry.error is not None]
        error = errors[0] if errors else 0.0 if best else None
        for entry in group:
            if entry.error not in {None, error}:
                raise MalformedError("equal plays with two errors", text=text, at=entry.at)
        if error is not None:
            if error < last:
                raise MalformedError("errors must not decrease", text=text, at=group[0].at)
            last = error
        entries += [replace(entry, error=error) for entry in group]
    return tuple(entries)


_LONGEST = 100_000  # characters of all sequences together


class Part(NamedTuple):
    """A sequence of a text and the nacbracs after it, or the `trouble` with them.

    `places` has the offset in the text of each character of the sequence, `end` that of its end.
    `note` is a comment instead of nacbracs.
    """

    sequence: str
    places: Sequence[int]
    end: int
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...] = ()
    note: str = ""
    trouble: MalformedError | None = None

    def place(self, at: int) -> int:
        """The offset in the text of an offset in the sequence."""
        return self.places[at] if at < len(self.places) else self.end


def parts_of(text: str) -> list[Part]:
    """The parts of a text, at least one; MalformedError if it is too long.

    A hyphen and a roll after nacbracs (`-42`) replace the last roll of the sequence before, as in
    the tutorial's #55. If turns follow (`-42P-61`), this holds on the same line and for a doublet;
    otherwise the second player opens a new sequence.
    """
    scan = Scan(text)
    parts: list[Part] = []
    length = 0
    for section in lay_out(scan):
        sequence, places, end = _cut(scan, section)
        own_line = scan.bare[max(section.start - 9, 0) : section.start].rstrip(" ").endswith("\n")
        if parts and (joint := _joint(parts[-1].sequence, sequence, own_line=own_line)):
            until, start = joint
            places = [*parts[-1].places[:until], *places[start:]]
            sequence = parts[-1].sequence[:until] + sequence[start:]
        length += len(sequence)
        if length > _LONGEST:  # a long sequence may be continued a thousand times
            raise scan.error(f"sequences of more than {_LONGEST:,} characters", section.start)
        try:
            parts.append(Part(sequence, places, end, nacbracs_at(scan, section), section.note))
        except MalformedError as trouble:
            parts.append(Part(sequence, places, end, trouble=trouble))
    return parts


def split(text: str) -> list[tuple[str, tuple[Nacbrac | CubeNacbrac, ...]]]:
    """The sequences of a text and the nacbracs after each; raises MalformedError."""
    parts = parts_of(text)
    for part in parts:
        if part.trouble:
            raise part.trouble
    return [(part.sequence, part.nacbracs) for part in parts if not part.note]


def _cut(scan: Scan, section: Section) -> tuple[str, Sequence[int], int]:
    """The sequence of a piece with its markup, the offsets of its characters, and its end."""
    text, glyphs = scan.text, scan.glyphs[section.start : section.end]
    places = [*(glyph.at for glyph in scan.glyphs[section.start : section.end + 1]), len(text)]
    # The first piece includes the markup before it.
    start, end = places[0] if section.start else 0, places[len(glyphs)]
    sequence = text[start:end]
    is_uniform = len({glyph[1:-1] for glyph in glyphs}) == 1
    if _styles(read_markup(sequence)) != _styles(glyphs) and is_uniform:
        # In a text that is all bold, for example, the tag closes only after the nacbracs.
        return "".join(glyph.character for glyph in glyphs), places[: len(glyphs)], end
    return sequence, range(start, end), end


def _joint(before: str, after: str, *, own_line: bool) -> tuple[int, int] | None:
    """Where the first sequence is cut, and where in the second one its continuation begins.

    None if the second does not continue the first.
    """
    try:
        own, parent = parse_sequence(after), parse_sequence(before).tokens
    except MalformedError:  # reported when the sequence is decoded
        return None
    if own.starts is not Player.SECOND or not own.tokens:
        return None
    first, *following = own.tokens
    if following and own_line and not (first.roll and first.roll.is_doublet):
        return None
    return parent[-1].at if parent else len(before), first.at


def _styles(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [glyph._replace(at=0) for glyph in glyphs]


_UNLIKELY = 2  # extra cost of a misread character or an assumed part, which are rare in nacbracs
# In thousandths of a point:
_COST_UNIT = 25  # by which a play must be more natural, for each unit of the costs
_MAX_LOSS = 400  # up to which losses by the rule of thumb differ
_TOLERANCE = 30  # by which a play may lose less than its printed error
_MAX_PLAYS = 12  # listed in an error

GetEquities = Callable[[], Equities | None]
"""Returns an engine's equities of the plays. May be slow and raise NactationError."""


class ResolvedEntry(NamedTuple):
    """An entry with the play that it names.

    `nactation` is the name as it was read. `how`, `note` and `sure`: see DecodedTurn.
    """

    entry: Entry
    play: Play
    nactation: Nactation
    how: ReadingKind
    note: str
    sure: Confidence


class NacbracRead(NamedTuple):
    """A nacbrac, its state before the play of a roll, the legal plays, and the entries."""

    nacbrac: Nacbrac
    state: GameState
    plays: tuple[Play, ...]
    entries: tuple[ResolvedEntry, ...]

    @property
    def named(self) -> Nacbrac:
        """The nacbrac with the names of the resolved entries."""
        entries = [replace(resolved.entry, name=resolved.nactation) for resolved in self.entries]
        return replace(self.nacbrac, entries=(*entries,))


class CubeRead(NamedTuple):
    """A nacbrac of the cube with the state in which the player may double."""

    nacbrac: CubeNacbrac
    state: GameState

    @property
    def named(self) -> CubeNacbrac:
        """The nacbrac, which has no names to resolve."""
        return self.nacbrac


def resolve_entries(
    nacbrac: Nacbrac,
    plays: Plays,
    *,
    strict: bool = False,
    looks_lost: bool = False,
    values: GetEquities | None = None,
    budget: Budget | None = None,
) -> tuple[ResolvedEntry, ...]:
    """Resolve the entries into different plays of a roll.

    With `strict`, no doubtful reading is tried. With `looks_lost`, for a text copied without its
    italics and underlines, even a strict reading must be a natural play for its error; this also
    holds if any entry cannot be read strictly. Natural plays are judged by `values`, called at most
    once, or else by a rule of thumb. Raises IllegalError with the offset of the first entry without
    a play, or UnreadError if it is doubtful and the `budget` of the text is used up.
    """
    # One entry more than there are plays is enough to fail.
    entries = nacbrac.entries[: len(plays) + 1]
    chosen: list[ResolvedEntry] = []
    values = cache(values) if values else None
    if strict or not looks_lost:
        tiers = TIERS[:1] if strict else TIERS[:2]  # bold and colour may be emphasis
        chosen = _choose([_choices(entry, plays, tiers, values) for entry in entries])
    if not strict and len(chosen) < len(entries):
        if budget and budget.is_used_up:
            raise _unread(nacbrac, entries[len(chosen)], plays)
        if budget:
            budget.spend(len(entries) * (1 + len(plays) // 2))
        losses = _losses(plays, values)
        chosen = _choose([_doubtful(entry, plays, values, losses) for entry in entries])
    if len(chosen) < len(entries):
        raise _dead_end(nacbrac, entries[len(chosen)], plays)
    return tuple(chosen)


_Key = tuple[Portion, ...]
_Choice = tuple[int, ResolvedEntry]  # the cost of a reading, and the reading
# By play: the cost of having it, and the play that its owner would move on from, if any.
_Paths = dict[_Key, tuple[int, _Key | None]]


def _choices(
    entry: Entry, plays: Plays, tiers: Sequence[Tier], values: GetEquities | None
) -> list[_Choice]:
    """The readings of an entry in these tiers, the cheapest first."""
    if not plays:
        return []
    first = plays[0]
    token = Token(TokenKind.PLAY, entry.text, entry.at, first.roll, (entry.name,))
    judge = EngineQuestions((lambda _: values()) if values else None)
    spot = TokenInPosition(token, GameState(first.before), False, plays, judge)
    resolve = partial(ResolvedEntry, entry)
    return [
        (
            reading.cost,
            resolve(
                reading.play,
                reading.nactation or entry.name,
                reading.how,
                reading.note,
                reading.sure,
            ),
        )
        for tier in tiers
        for reading in tier.readings(spot)
        if reading.play
    ]


def _doubtful(
    entry: Entry, plays: Plays, values: GetEquities | None, losses: Mapping[_Key, float]
) -> list[_Choice]:
    """All readings of an entry whose style may be lost, the cheapest first.

    A play should lose what the entry says: not more, and by an engine not much less. Its name may
    be misread: copied texts have 1 for a lower-case L (#69) and Q for an underlined O (#13, #85).
    """
    name = entry.name
    choices = _choices(entry, plays, TIERS[:-1], values)
    unlikely: list[_Choice] = []
    if name == _NUMERAL_1 or (name.family is _QUARTERS and plays.is_doublet):
        original = Nactation(_LIFT, 2) if name == _NUMERAL_1 else name._replace(family=_OUTER)
        note, sure = f"read as {original}", Confidence.DOUBTFUL
        unlikely = [
            (cost, resolved._replace(entry=entry, how=ReadingKind.ASSUMED, note=note, sure=sure))
            for cost, resolved in _choices(replace(entry, name=original), plays, TIERS[:1], values)
        ]
    unlikely += _choices(entry, plays, TIERS[-1:], values)
    choices += [(cost + _UNLIKELY, resolved) for cost, resolved in unlikely]
    exact = values is not None and values() is not None
    weighed = [
        (cost * _COST_UNIT + _miss(losses[resolved.play.portions], entry.error, exact), resolved)
        for cost, resolved in choices
    ]
    return sorted(weighed, key=itemgetter(0))


def _miss(loss: float, error: float | None, exact: bool) -> int:
    """The difference of a play's loss and its printed error, in thousandths of a point.

    A loss by the rule of thumb, which is not `exact`, can only be too great.
    """
    difference = loss - (_MAX_LOSS if error is None else 1000 * error)
    if exact and error is not None:
        difference = max(difference, -difference - _TOLERANCE)
    return round(min(max(difference, 0), _MAX_LOSS))


def _losses(plays: Sequence[Play], values: GetEquities | None) -> dict[_Key, float]:
    """The loss of each play against the best, in (rough) thousandths of a point."""
    equities = values() if values else None
    if equities is None:
        equities = {play: plausibility(play) / 1000 for play in plays}
    worst = min(equities.values(), default=0.0)
    worth = {play.portions: 1000 * equities.get(play, worst) for play in plays}
    best = max(worth.values(), default=0)
    return {key: best - value for key, value in worth.items()}


def _choose(choices: Sequence[Sequence[_Choice]]) -> list[ResolvedEntry]:
    """A reading for each entry at the lowest cost, no play twice, for as many as possible.

    Entries choose in turn; one whose plays are taken may move others on.
    """
    # Of two entries that look the same, the later one is the later member of the family.
    last = 2 * len(choices)
    offers = [
        {it.play.portions: (cost * (last - at), it) for cost, it in reversed(of_entry)}
        for at, of_entry in enumerate(choices)
    ]
    owners: dict[_Key, int] = {}
    for entry in range(len(offers)):
        paths = _paths(entry, offers, owners)
        free = [key for key in paths if key not in owners]
        if not free:
            break
        key: _Key | None = min(free, key=lambda key: paths[key][0])
        while key is not None:
            _, previous = paths[key]
            owners[key] = entry if previous is None else owners[previous]
            key = previous
    chosen = {entry: offers[entry][key][1] for key, entry in owners.items()}
    return [chosen[entry] for entry in range(len(chosen))]


def _paths(
    entry: int, offers: Sequence[Mapping[_Key, _Choice]], owners: Mapping[_Key, int]
) -> _Paths:
    """The cheapest way to each play that an entry can have if others move on."""
    paths: _Paths = {key: (cost, None) for key, (cost, _) in offers[entry].items()}
    waiting = deque(paths)
    while waiting:
        key = waiting.popleft()
        if key not in owners:
            continue
        options = offers[owners[key]]
        base = paths[key][0] - options[key][0]
        for option, (cost, _) in options.items():
            if option not in paths or base + cost < paths[option][0]:
                paths[option] = base + cost, key
                waiting.append(option)
    return paths


def read_nacbracs(  # noqa: PLR0913 - options by keyword
    decoded: Decoded,
    nacbracs: Sequence[Nacbrac],
    *,
    roll: Roll | None = None,
    strict: bool = False,
    looks_lost: bool = False,
    equities: Evaluator | None = None,
    budget: Budget | None = None,
) -> tuple[NacbracRead, ...]:
    """Resolve the nacbracs after a sequence, about its last roll, whether that is played or not.

    `roll` is for a sequence without turns. `equities` is called if there is a doubt, with states at
    the scores of the nacbracs. Raises IllegalError if an entry has no play, or there is no roll.
    """
    last = decoded.turns[-1] if decoded.turns else None
    state = last.state if last else replace(decoded.state, roll=roll)
    if state.roll is None:
        text = nacbracs[0].text if nacbracs else ""
        raise IllegalError("found no roll for this nacbrac", text=text)
    plays = plays_in(Plays(state.position, state.roll), decoded.parsed.dialect)
    results: list[NacbracRead] = []
    for nacbrac in nacbracs:
        scored = at_score(state, nacbrac.score)
        values = partial(equities, scored) if equities else None
        entries = resolve_entries(
            nacbrac, plays, strict=strict, looks_lost=looks_lost, values=values, budget=budget
        )
        results.append(NacbracRead(nacbrac, scored, tuple(plays), entries))
    return tuple(results)


def read_cubes(
    decoded: Decoded, nacbracs: Sequence[Nacbrac | CubeNacbrac], *, roll: Roll | None = None
) -> tuple[Nacbrac | CubeRead, ...]:
    """The nacbracs, those of the cube with the state at the end of the sequence.

    If no roll is to be played, `[N D45]` is a nacbrac of the cube. `roll` is for a sequence without
    turns. Raises IllegalError if the player may not double.
    """
    last = decoded.turns[-1].state if decoded.turns else replace(decoded.state, roll=roll)
    results: list[Nacbrac | CubeRead] = []
    for nacbrac in nacbracs:
        cube = nacbrac if isinstance(nacbrac, CubeNacbrac) else None
        if isinstance(nacbrac, Nacbrac) and last.roll is None:
            cube = _cube_of(nacbrac)
        if cube:
            state = at_score(cube_state(decoded), cube.score)
            if not state.may_double:
                raise IllegalError("the player on roll may not double", text=cube.text)
            results.append(CubeRead(cube, state))
        elif isinstance(nacbrac, Nacbrac):
            results.append(nacbrac)
    return tuple(results)


def cube_state(decoded: Decoded) -> GameState:
    """The state of the last cube decision of a sequence: before its last roll, or the double."""
    for turn in reversed(decoded.turns):
        if isinstance(turn.action, Double):
            return turn.state
        if isinstance(turn.action, Move):
            break
    return replace(decoded.state.before_double, roll=None)


def _cube_of(nacbrac: Nacbrac) -> CubeNacbrac | None:
    names = [(str(entry.name), entry.error) for entry in nacbrac.entries]
    cube = of_plays(names, nacbrac.text)
    return replace(cube, score=nacbrac.score, suffix=nacbrac.suffix) if cube else None


def _unread(nacbrac: Nacbrac, entry: Entry, plays: Plays) -> UnreadError:
    where = f"{quoted(entry.text)} with {plays[0].roll}: " if plays else ""
    message = f"{where}not strict Nactation, and {USED_UP}; check this nacbrac on its own"
    return UnreadError(message, text=nacbrac.text, at=entry.at)


def _dead_end(nacbrac: Nacbrac, entry: Entry, plays: Plays) -> IllegalError:
    if not plays:
        message = f"{quoted(entry.text)}: nothing can be played"
    else:
        names = [str(plays.name(play).naming.nactation) for play in plays[:_MAX_PLAYS]]
        names += ["..."] * (len(plays) > _MAX_PLAYS)
        where = f"{quoted(entry.text or str(entry.name))} in {format_position_id(plays[0].before)}"
        problem = f"no such play of {plays[0].roll} is left"
        message = f"{where}: {problem}. Legal: {' '.join(names)}"
    return IllegalError(message, text=nacbrac.text, at=entry.at)


_LIFT, _QUARTERS, _OUTER, _NUMERAL_1 = (
    family("L"),
    family("Q"),
    family("O_"),
    Nactation(family("1")),
)
