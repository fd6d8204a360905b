"""Read the nacbracs of a text, of plays and of the cube, with their scores and bots."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.cube_reading import is_cube, parse_cube
from gnubg_nactation.nacbracs.layout import Bracket, Section, lay_out
from gnubg_nactation.nacbracs.nacbrac import ELLIPSIS, Entry, Nacbrac
from gnubg_nactation.nacbracs.numbers import points_of
from gnubg_nactation.nacbracs.score import MONEY, parse_score
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.scan import CHARACTERS, PLAIN, Scan
from gnubg_nactation.writing.typography import Glyph

_EQUITY = re.compile(
    r"[\s,]*([+-][0-9]{1,6}(?:\.[0-9]{1,9})?|[0-9]{2,6}(?:\.[0-9]{1,9})?)(?=[\s,])"
)
_ERROR = re.compile(r"-?([0-9]{1,6}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})")
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
            entry, inner = _entry(scan, inner, around, skipped, best=best and not joined)
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


def _entry(scan: Scan, at: int, around: Glyph, skipped: bool, *, best: bool) -> tuple[Entry, int]:
    """The entry at an offset and its end; digits are a numeral, then an error unless it is `best`.

    The style of `around` does not count for the name.
    """
    glyph, bare = scan.glyphs[at], scan.bare
    if glyph.character not in CHARACTERS:
        raise scan.error(f"found {quoted(glyph.character)}, expected a Nactation", at)
    (name,), end = scan.names(at, around, (".",) if _DOT.match(bare, at + 1) else ())
    text, error = bare[at:end], None
    if number := _ERROR.match(bare, end):
        if best and name.family.right is Right.NUMERAL and number[0][0] != "-":
            raise scan.error("expected a Nactation, then a blank", at)
        error, end = points_of(number[1]), number.end()
    return Entry(name, error, skipped, text, glyph.at), end


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
