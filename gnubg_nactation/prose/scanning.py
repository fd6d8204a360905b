"""Find the spans of a text that look like Nactation, without replaying anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter

from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.ids_in_text import find_ids
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.reading import is_cube, score_start
from gnubg_nactation.prose.chains import chains, with_lists
from gnubg_nactation.prose.charts import charts, move_lists
from gnubg_nactation.prose.spans import NAME, Parts, Piece, Shape, Span

_LONGEST_MOVE, _MAX_LINE, _MAX_TITLE = 200, 200, 40
# Text before a Position ID in its line: a play that leads to it, or other columns of a report.
_LEADING = re.compile(r"(?<!\w)[1-6]{2}[A-Za-z$@&]|\S {3,}\Z")
_NACBRAC = re.compile(r"\[([^\[\]]{1,2000})\]")
_ITEM = rf"{NAME}\.?"
_ENTRIES = re.compile(
    rf"""\s* (?: [+-]?[0-9]{{2,6}}(?:\.[0-9]{{1,9}})? [\s,]+ )? (?: \.\.\.\s* )?
         {_ITEM} (?:={_ITEM}){{0,20}}
         (?P<others> (?: (?: [\s,]+ | \.\.\.\s* | = )
             {_ITEM} (?: -?[0-9]{{1,6}}(?:\.[0-9]{{1,9}})? | -?\.[0-9]{{1,9}} )? )* )
         (?: [\s,]* \.\.\. )? \s*""",
    re.VERBOSE,
)
_ERRORS = re.compile(rf"[\s,=.](?![0-9]){_ITEM}-?[0-9.]*[0-9]")
_VOTES = re.compile(r"\[ *[0-9]+ *\] *(?:[1-6]{2}[A-Z$@&]|(?:bar|[0-9]{1,2})/)")  # `[ 4] 13/8`
_OUTCOMES = re.compile(r"[NDRXTP=/0-9.,\s+-]*")
# Text before the score in the nacbracs of an analysed match: `1.2b, Bob: 32& `.
_MOVE = re.compile(
    r"""(?<![\w.])(?P<move>(?:[0-9]{1,4}\.){1,2}[0-9]{1,4}[ab]
            | (?i:game)\ [0-9]{1,4},\ move\ [0-9]{1,4}),\ [^\n]{1,100}:
        \ (?:[1-6]{2}\S{0,12}|(?:no\ )?double|take|pass|drop)\ \Z""",
    re.VERBOSE,
)
# Tokens and wildcards, `43D-xx-44`: `xx` and `xxx` are any turn, `*` any number of turns.
_WILD = r"x{2,3}|\*"
_ELEMENT = rf"(?:{_WILD}|[1-6]{{2}}(?:{NAME})?)"
_PATTERN = re.compile(rf"(?<![\w*/.,:-]){_ELEMENT}(?:-{_ELEMENT}){{1,30}}(?![\w*/-])")
_WILDCARD = re.compile(rf"(?<!\w)(?:{_WILD})(?!\w)")


def scan_prose(bare: str) -> list[Span]:
    """The spans of a text without its markup, in order; they do not overlap."""
    spans = [*charts(bare)]
    for further in (move_lists(bare), _positions(bare), _nacbracs(bare), _patterns(bare)):
        parts = Parts(spans)
        spans += [span for span in further if parts.is_free(span)]
    nacbracs = {span.start for span in spans if span.shape is Shape.NACBRAC}
    found = chains(bare, Parts(spans), nacbracs)
    return sorted([*spans, *with_lists(bare, found)], key=attrgetter("start"))


# Positions and nacbracs


def _positions(bare: str) -> Iterator[Span]:
    for match in find_ids(bare):
        if match.is_certain or _is_position(match.name):
            before = bare[max(match.start - _MAX_LINE, 0) : match.start].rpartition("\n")[2]
            is_result = len(before) > _MAX_TITLE or _LEADING.search(before) is not None
            is_bare = not match.is_certain
            yield Span(
                Shape.POSITION,
                match.start,
                match.end,
                name=match.name,
                is_bare=is_bare,
                is_result=is_bare and is_result,
            )


def _is_position(name: str) -> bool:
    """Whether a Position ID without a label is no mere word: all checkers are on the board."""
    if name.isalpha():
        return False
    try:
        position = parse_position(name)
    except MalformedError:
        return False
    return position.off == position.opponent_off == 0


def _nacbracs(bare: str) -> Iterator[Span]:
    previous_end = 0
    for match in _NACBRAC.finditer(bare):
        start = score_start(bare, match.start())
        if _VOTES.match(bare, match.start()):
            continue
        entries = _ENTRIES.fullmatch(match[1])
        if is_cube(bare, match.start()) and _OUTCOMES.fullmatch(match[1]):
            shape, clear = Shape.CUBE, "/" in match[1] and any(map(str.isdigit, match[1]))
        elif entries:
            shape, clear = Shape.NACBRAC, _ERRORS.search(entries["others"]) is not None
        else:
            continue
        move = _MOVE.search(bare, max(start - _LONGEST_MOVE, previous_end), start)
        start, name = (move.start(), move["move"]) if move else (start, "")
        previous_end = match.end()
        yield Span(shape, start, match.end(), (Piece(*match.span(), clear=clear),), move=name)


def _patterns(bare: str) -> Iterator[Span]:
    for match in _PATTERN.finditer(bare):
        if _WILDCARD.search(match[0]) and any(map(str.isdigit, match[0])):
            yield Span(Shape.PATTERN, *match.span())
