"""Where in a text Nactation may stand, by its looks alone: nothing is replayed yet.

A chain is what hyphens join, `54S-63R-31`. Plays between blanks, commas or line ends may be a
sequence or a list. The numbered rows and the column that `annotate` writes are sequences, too.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from enum import Enum

from gnubg_nactation.backgammon.ids import IdKind, find_ids
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.nacbracs.cube_reading import is_cube
from gnubg_nactation.nacbracs.layout import score_start
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.scan import CHARACTERS


class Shape(Enum):
    """What a span looks like."""

    CHAIN = "chain"  # joined by hyphens, or one token with the mark of a side
    LIST = "list"  # plays that may be a sequence, or stand each for itself
    TABLE = "table"  # the numbered rows of a move list
    PLAY = "play"  # one alone
    ROLL = "roll"  # before a nacbrac
    NACBRAC = "nacbrac"
    CUBE = "cube"  # a nacbrac of the cube
    POSITION = "position"  # an XGID, or a Position ID that is called so or has its Match ID


class Piece(NamedTuple):
    """A token by its looks, from place `start` of the bare text up to `end`.

    `named` says that it is more than a roll. `clear` says that its name is a word, a capital or a
    sign: numbers and units end with digits and small letters, too.
    """

    start: int
    end: int
    named: bool = False
    clear: bool = False


class Span(NamedTuple):
    """What may say something, from place `start` of the bare text up to `end`.

    `start` is before the mark of a side or an `N`. `broken` says that it goes on with what is no
    token, and `goes_on` that an ellipsis stands before it. `move` is the move of a match that the
    words before a nacbrac name, if they do: `game 1, move 2`. `name` is that of a position.
    """

    shape: Shape
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()
    broken: bool = False
    goes_on: bool = False
    move: str = ""
    name: str = ""


_SIGNS = re.escape("".join(sorted(CHARACTERS)))
_NAME = rf"[{_SIGNS}](?:_|\.(?=[-,{{]|[1-6]{{2}}\D))?(?:\{{[1-9][0-9]{{0,5}}\}})?"
_CUBE = "Cub|Tak|Pas|Rcb"  # in columns of three characters
_CELL_NAME = rf"{_NAME}\.?"  # between blanks a dot ends no sentence
# The words of the alphabet, but of the letters that are advanced knowledge.
_WORDS = {
    word
    for row in FAMILIES
    if not row.is_advanced
    for word in row.word.split(", ")
    if word.isalpha()
} | {"zsplit"}
_PIECE = re.compile(
    rf"""(?P<roll>[1-6]{{2}})
         (?: (?P<word>-?(?i:{"|".join(sorted(_WORDS))})(?![A-Za-z0-9])) | (?P<name>{_NAME}) )?
      | (?: {_CUBE} | Fan | [CRPTF^] | [1-6] ) (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_BEGINS = re.compile(r"(?<![A-Za-z0-9])[1-6]{2}")
_MARK = re.compile(r"-{1,3}>?\Z|\+\Z")
_NACKGAMMON = re.compile(r"(?<![A-Za-z0-9])N(?:ack(?:gammon)?)?[ :]+\Z")
_LONGEST_MARK = 15
_OPENS = "([{\"'*~,;:|<>)]}!?"
_HYPHEN = re.compile(r"-[ \t]*\n[ \t]*| ?-{1,3}>? ?")
_BETWEEN_NAMES = re.compile(rf"{_HYPHEN.pattern}|[/,;:|.]")
_TOGETHER = re.compile(rf"[1-6]{{2}}(?:[{_SIGNS}]|[-/,]|(?!\w))")
# What a token, or a whole chain, cannot be followed by.
_RUNS_ON = re.compile(r"[A-Za-z0-9_%#@]|[-/+=\\][A-Za-z0-9]|[.,:][0-9]")
_MISPRINT = re.compile(r"-[0-9]{2}[A-Z$@&](?![A-Za-z0-9])")  # no roll, but like one: 71P
_WORD = re.compile(r"[^\s,;()\[\]]*")
_REMARK = re.compile(r"[!?*]{1,3}(?=-)")
_LAST_DOT = re.compile(rf"(?<=(?:{'|'.join(2 * die for die in '123456')})[A-Za-z])\.(?=\n|\Z)")
_UNKNOWN = re.compile(r"\?+(?=-)")  # a roll whose play is not known: what follows cannot be read
_POINTS = 24  # `21-point` is a point of the board, or the length of a match
_LISTED = re.compile(r",? |,?[ \t]*\n[ \t]*")
_FURTHER = re.compile(r",? +(?:and|or|&) ")
_TO_PLAY = re.compile(r",? ([1-6]{2})(?=\s*(?:[\[?.!,;:)\n]|\Z))(?![.,:][0-9])")
_MOST_LISTED = 30

_NACBRAC = re.compile(r"\[([^\[\]]{1,2000})\]")
_ITEM = rf"{_NAME}\.?"
_ENTRIES = re.compile(
    rf"""\s* (?: [+-]?[0-9]{{2,6}}(?:\.[0-9]{{1,9}})? [\s,]+ )? (?: \.\.\.\s* )?
         {_ITEM} (?:={_ITEM}){{0,20}}
         (?P<others> (?: (?: [\s,]+ | \.\.\.\s* | = )
             {_ITEM} (?: -?[0-9]{{1,6}}(?:\.[0-9]{{1,9}})? | -?\.[0-9]{{1,9}} )? )* )
         (?: [\s,]* \.\.\. )? \s*""",
    re.VERBOSE,
)
_TOLD = re.compile(rf"[\s,=.](?![0-9]){_ITEM}-?[0-9.]*[0-9]")
_OUTCOMES = re.compile(r"[NDRXTP=/0-9.,\s+-]*")
# As the nacbracs of an analysed match are written, before the score: `game 1, move 2, Bob: 32& `.
_MOVE = re.compile(
    r"""(?P<move>(?i:game)\ [0-9]{1,4},\ move\ [0-9]{1,4}),\ [^\n]{1,100}:
        \ (?:[1-6]{2}\S{0,12}|(?:no\ )?double|take|pass|drop)\ \Z""",
    re.VERBOSE,
)
_LONGEST_MOVE = 200

_LINE = re.compile(r"[^\n]+")
_NUMBER = re.compile(r"[ \t]*([0-9]{1,4})[.)]?[ \t]+(?=\S)")
_CELL = re.compile(rf"([1-6]{{2}})(?P<name>{_CELL_NAME})?")
_ENTRY = re.compile(rf"[ \t]*([1-6]{{2}}(?P<name>{_CELL_NAME})?|Fan|(?P<cube>{_CUBE}))[ \t]*")
# What stands beside the tokens of a move list: further names, plays, errors, the cube.
_BESIDE = re.compile(rf"{_CELL_NAME}|[^\s/]*/\S*|doubles|to|[0-9]+|takes|drops|resigns|cube|set")
_ERROR = re.compile(r"x[0-9]+|[?!]{1,2}|-[0-9]{0,3}\.[0-9]{3}")
_WORDS_OF_LINE = re.compile(r"\S+")


def is_entry(line: str) -> bool:
    """Whether a line is a turn in a column of them, as `annotate --layout` writes one."""
    return _ENTRY.fullmatch(line) is not None


def scan_prose(bare: str) -> list[Span]:
    """The spans of a text without its markup, in order; they do not overlap."""
    tables = list(_tables(bare))
    taken = _Taken((one.start, one.end) for one in tables)
    others = [*_positions(bare), *_nacbracs(bare)]
    others = [one for one in others if not taken.holds(one.start)]
    taken = _Taken((one.start, one.end) for one in (*tables, *others))
    plays = {one.start for one in others if one.shape is Shape.NACBRAC}
    chains = list(_chains(bare, taken, plays))
    return sorted([*tables, *others, *_with_lists(bare, chains)], key=lambda one: one.start)


class _Taken:
    """Parts of a text that are spoken for."""

    def __init__(self, parts: Iterable[tuple[int, int]]) -> None:
        self._parts = sorted(parts)
        self._starts = [start for start, _ in self._parts]

    def holds(self, place: int) -> int:
        """The end of the part that a place is in, 0 if it is in none."""
        at = bisect(self._starts, place) - 1
        return self._parts[at][1] if at >= 0 and place < self._parts[at][1] else 0

    def begins_behind(self, place: int) -> int | None:
        """Where the next part behind a place begins; None if there is none."""
        at = bisect(self._starts, place)
        return self._starts[at] if at < len(self._starts) else None


# Chains


def _chains(bare: str, taken: _Taken, nacbracs: set[int]) -> Iterator[Span]:
    at = 0
    while match := _BEGINS.search(bare, at):
        at = match.start()
        if behind := taken.holds(at):
            at = behind
            continue
        start = _start(bare, at)
        pieces, end = _pieces(bare, at, taken.begins_behind(at))
        if start < 0:
            at = end
            continue
        broken = _RUNS_ON.match(bare, end) is not None
        if broken:
            end = _word_end(bare, end)
        span = Span(
            Shape.CHAIN, start, end, pieces, broken, bare[max(start - 3, 0) : start] == "..."
        )
        at = end
        if shape := _shape(bare, span, nacbracs):
            yield span._replace(shape=shape)


def _start(bare: str, at: int) -> int:
    """Where what begins with a roll at a place begins with its marks; -1 where none may begin."""
    before = bare[max(at - _LONGEST_MARK, 0) : at]
    for mark in (_MARK, _NACKGAMMON):
        if match := mark.search(before):
            before = before[: match.start()]
            at -= len(match[0])
    last, one_before = before[-1:], before[-2:-1]
    attached = last and not last.isspace() and not before.endswith("...")
    if attached and (last not in _OPENS or (last in ":,'" and one_before.isalnum())):
        return -1  # as in 1:54 and 1,254
    return at


def _pieces(bare: str, at: int, until: int | None) -> tuple[tuple[Piece, ...], int]:
    """The tokens from a place on, and where the last of them ends.

    None is looked for from `until` on, where something else begins: the score of a nacbrac, say.
    """
    until = len(bare) if until is None else until
    pieces: list[Piece] = []
    end = at
    before = bare[max(at - _LONGEST_MARK, 0) : at].rpartition("\n")[2]
    while match := _PIECE.match(bare, at, until):
        pieces.append(_piece(match))
        at = end = match.end()
        if _UNKNOWN.match(bare, at) and not pieces[-1].named:
            pieces.pop()
            end = _word_end(bare, at)
            break
        if (remark := _REMARK.match(bare, at)) and pieces[-1].named:
            at = end = remark.end()  # `54S!-63R?`: emphasis
        between = (_BETWEEN_NAMES if pieces[-1].named else _HYPHEN).match(bare, at)
        if between and _PIECE.match(bare, between.end(), until):
            at = between.end()
        elif not (pieces[-1].named and _TOGETHER.match(bare, at)):
            break
    if len(pieces) > 1 and not before.strip(" ->") and _LAST_DOT.match(bare, end):
        end += 1  # the dot of a doublet, as the line is no sentence
        pieces[-1] = pieces[-1]._replace(end=end)
    return tuple(pieces), end


def _word_end(bare: str, at: int) -> int:
    word = _WORD.match(bare, at)
    return word.end() if word else at


def _piece(match: re.Match[str]) -> Piece:
    word, name = match["word"], match["name"]
    return Piece(*match.span(), bool(word or name), bool(word) or _is_clear(name))


def _is_clear(name: str | None) -> bool:
    return name is not None and (name[0].isupper() or name[0] in "@$&^")


def _shape(bare: str, span: Span, nacbracs: set[int]) -> Shape | None:
    """What a chain is, None if it is nothing."""
    pieces = span.pieces
    clear = sum(piece.clear for piece in pieces)
    if span.broken:
        clear += _MISPRINT.match(bare, pieces[-1].end if pieces else span.end) is not None
        return Shape.CHAIN if clear > 1 else None
    if len(pieces) > 1:
        return Shape.CHAIN if clear else None
    if not pieces:
        return None
    if _before_nacbrac(bare, span.end) in nacbracs and not pieces[0].named:
        return Shape.ROLL
    said = bare[pieces[0].start : span.end]
    if not pieces[0].named or said[2].isdigit() or said[2] in "%=+<>":
        return None
    if said[2:].lower() in {"-point", "point"} and int(said[:2]) <= _POINTS:
        return None
    return Shape.PLAY


def _before_nacbrac(bare: str, end: int) -> int:
    """The place of the bracket, or of its score, that may follow a roll."""
    return end + (bare[end : end + 1] in {" ", "-"})


def _with_lists(bare: str, chains: Iterable[Span]) -> Iterator[Span]:
    """The chains, single plays that stand side by side as one list."""
    waiting: list[Span] = []
    for one in chains:
        gap = _LISTED.fullmatch(bare, waiting[-1].end, one.start) if waiting else None
        marked = one.start < one.pieces[0].start if one.pieces else True
        if waiting and (gap is None or marked or len(waiting) == _MOST_LISTED):
            yield from _listed(bare, waiting)
            waiting = []
        if one.shape is Shape.PLAY and not (one.goes_on or one.broken):
            waiting.append(one)
        else:
            yield from _listed(bare, waiting)
            waiting = []
            yield one
    yield from _listed(bare, waiting)


def _listed(bare: str, plays: list[Span]) -> Iterator[Span]:
    if len(plays) < 2 or _FURTHER.match(bare, plays[-1].end):
        yield from plays
        return
    end, pieces = plays[-1].end, [one.pieces[0] for one in plays]
    if match := _TO_PLAY.match(bare, end):  # `54-split, 63-run, 31`
        end = match.end()
        pieces.append(Piece(*match.span(1)))
    yield Span(Shape.LIST, plays[0].start, end, tuple(pieces))


# Positions and nacbracs


def _positions(bare: str) -> Iterator[Span]:
    for one in find_ids(bare):
        # A Position ID by itself may be any word.
        if one.kind is not IdKind.POSITION_ID or bare.startswith("Position ID", one.start):
            yield Span(Shape.POSITION, one.start, one.end, name=one.name)


def _nacbracs(bare: str) -> Iterator[Span]:
    behind = 0  # the one before
    for match in _NACBRAC.finditer(bare):
        start = score_start(bare, match.start())
        entries = _ENTRIES.fullmatch(match[1])
        if is_cube(bare, match.start()) and _OUTCOMES.fullmatch(match[1]):
            shape, told = Shape.CUBE, "/" in match[1] and any(map(str.isdigit, match[1]))
        elif entries:
            shape, told = Shape.NACBRAC, _TOLD.search(entries["others"]) is not None
        else:
            continue
        move = _MOVE.search(bare, max(start - _LONGEST_MOVE, behind), start)
        start, named = (move.start(), move["move"]) if move else (start, "")
        behind = match.end()
        yield Span(shape, start, match.end(), (Piece(*match.span(), clear=told),), move=named)


# Tables


def _tables(bare: str) -> Iterator[Span]:
    """Numbered rows and columns of tokens, as `annotate` writes games."""
    cells: list[Piece] = []
    number, at = _NO_ROW, 0  # of the row before, where the line before ended
    for line in _LINE.finditer(bare):
        if line[0].isspace():
            continue
        row, entry = _NUMBER.match(line[0]), _ENTRY.fullmatch(line[0])
        found: list[Piece] | None = None
        if entry:
            # Beavers are no part of sequences, and games are replayed without the cube as well.
            found = [] if entry["cube"] else [_cell(entry, 1, line.start())]
            begins, number = number != _COLUMN or line.start() > at + 1, _COLUMN
        elif row:
            found = _cells(line[0], row.end(), line.start())
            begins, number = int(row[1]) != number + 1, int(row[1])
        if found is None or begins:
            yield from _table(cells)
            cells = []
        if found is None or (not cells and number > 1):
            number = _NO_ROW
        else:
            cells += found
        at = line.end()
    yield from _table(cells)


_NO_ROW, _COLUMN = -2, -1


def _table(cells: list[Piece]) -> Iterator[Span]:
    if sum(one.clear for one in cells) > 1:
        yield Span(Shape.TABLE, cells[0].start, cells[-1].end, tuple(cells))


def _cells(line: str, at: int, start: int) -> list[Piece] | None:
    """The tokens in a row of a move list, None for a line of another kind."""
    cells: list[Piece] = []
    told = False  # an error, of which any words say more
    for word in _WORDS_OF_LINE.finditer(line, at):
        cell = _CELL.fullmatch(word[0])
        if cell:
            cells.append(_cell(cell, 0, start + word.start()))
            told = False
        elif _ERROR.match(word[0]):
            told = True
        elif not (told or _BESIDE.fullmatch(word[0])):
            return None
    return cells


def _cell(match: re.Match[str], group: int, at: int) -> Piece:
    name = match["name"]
    start, end = (place - match.start() for place in match.span(group))
    return Piece(at + start, at + end, bool(name), _is_clear(name))
