"""Find the spans of a text that look like Nactation, without replaying anything.

Hyphens join a chain, `54S-63R-31`; other plays in a row are a list or a sequence.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from enum import Enum
from operator import attrgetter

from gnubg_nactation.backgammon.ids import IdKind, find_ids
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.nacbracs.cube_reading import is_cube
from gnubg_nactation.nacbracs.layout import score_start
from gnubg_nactation.sequences.longhand import longhand_after, longhand_at
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.scan import CHARACTERS


class Shape(Enum):
    """The shapes of spans."""

    CHAIN = "chain"  # tokens joined by hyphens, or one token with the mark of a side
    LIST = "list"  # plays that may be a sequence, or separate plays
    TABLE = "table"  # the numbered rows of a move list
    PLAY = "play"  # a single play
    ROLL = "roll"  # the roll of the nacbrac after it
    NACBRAC = "nacbrac"
    CUBE = "cube"  # a nacbrac of the cube
    POSITION = "position"  # an XGID, or a Position ID with that label or a Match ID


class Piece(NamedTuple):
    """A possible token, from offset `start` of the bare text up to `end`.

    `named` means more than a roll. `clear` means that its name is a word, a capital or a symbol,
    unlike those of numbers with a unit. `longhand` means that its play is in traditional notation
    and has no name.
    """

    start: int
    end: int
    named: bool = False
    clear: bool = False
    longhand: bool = False


class Span(NamedTuple):
    """Possible Nactation, from offset `start` of the bare text up to `end`.

    The mark of a side and the `N` of Nackgammon belong to the span. A `broken` span continues with
    text that is not a token; `goes_on` means an ellipsis before it. `is_game` means a list whose
    words describe a game: `54S, he rolled 63R and then 31P`. `move` is the move of a match that a
    nacbrac is about: `game 1, move 2`. `name` is the ID of a position.
    """

    shape: Shape
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()
    broken: bool = False
    goes_on: bool = False
    is_game: bool = False
    move: str = ""
    name: str = ""


_SIGNS = re.escape("".join(sorted(CHARACTERS)))
_NAME = rf"[{_SIGNS}](?:_|\.(?=[-,{{]|[1-6]{{2}}\D))?(?:\{{[1-9][0-9]{{0,5}}\}})?"
_CUBE = "Cub|Tak|Pas|Rcb"  # in columns of three characters
_CELL_NAME = rf"{_NAME}\.?"  # the dot marks a doublet: no sentence ends in a cell
# The words of the alphabet, without those of advanced letters.
_WORDS = {
    word
    for family in FAMILIES
    if not family.is_advanced
    for word in family.word.split(", ")
    if word.isalpha()
} | {"zsplit", "reverse split"}
_ANY_WORD = "|".join(map(re.escape, sorted(_WORDS)))
_PIECE = re.compile(
    rf"""(?P<roll>[1-6]{{2}})
         (?: (?P<word>-?(?i:{_ANY_WORD})(?![A-Za-z0-9])) | (?P<name>{_NAME}) )?
      | (?: {_CUBE} | Fan | [CRPTF^] | [1-6] ) (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_BEGINS = re.compile(r"(?<![A-Za-z0-9])[1-6]{2}")
_MARK = re.compile(r"-{1,3}>?\Z|\+\Z")
_NACKGAMMON = re.compile(r"(?<![A-Za-z0-9])N(?:ack(?:gammon)?)?[ :]+\Z")
_LONGEST_MARK, _LONGEST_MOVE, _MAX_LISTED = 15, 200, 30
_OPENS = "([{\"'*~,;:|<>)]}!?"
_HYPHEN = re.compile(r"-[ \t]*\n[ \t]*| ?-{1,3}>? ?")
_BETWEEN_NAMES = re.compile(rf"{_HYPHEN.pattern}|[/,;:|.]")
_TOGETHER = re.compile(rf"[1-6]{{2}}(?:[{_SIGNS}]|[-/,]|(?!\w))")
# Text that cannot follow a token or chain.
_RUNS_ON = re.compile(r"[A-Za-z0-9_%#@]|[-/+=\\][A-Za-z0-9]|[.,:][0-9]")
_ANY_TOKEN = re.compile(r"-(?:x{1,3}|\*|\?{1,2})(?![A-Za-z0-9])")  # in a pattern: `43D-xx-44`
_MISPRINT = re.compile(r"-[0-9]{2}[A-Z$@&](?![A-Za-z0-9])")  # no roll, but like a token: `71P`
_BRACKET = re.compile(r" ?\(")
_CLAIMED = re.compile(rf" ?(?:=|is)\s*[{_SIGNS}](?!\w)")  # `8/5 6/5 = P` is a claim
_NEXT_PIECE = re.compile(r" ?-{1,3}>? ?[1-6]{2}")
_ROW_END = re.compile(r" [A-Z$@&%#](?=[.!?)]*(?:\n|\Z)| or )")
_WORD = re.compile(r"[^\s,;()\[\]]*")
_EMPHASIS = re.compile(r"[!?*]{1,3}(?=-)")
_LAST_DOT = re.compile(rf"(?<=(?:{'|'.join(2 * die for die in '123456')})[A-Za-z])\.(?=\n|\Z)")
_UNKNOWN = re.compile(r"\?+(?=-)")  # an unknown play: later tokens cannot be read
_POINTS = 24  # `21-point` is a point of the board, or the length of a match
_LISTED = re.compile(r",? |,?[ \t]*\n[ \t]*")
_GOES_ON = re.compile(r",? +(?:and|or|&) ")
_SIDE = r"(?:I|he|she|they|we|you|(?i:white|black)|(?:my |his |her |the )?opponent)"
_ROLLS = r"(?:roll(?:ed|s)?|repl(?:ied|ies|y)|answer(?:ed|s)?|respond(?:ed|s)?)(?: with)?(?: an?)?"
_ROLL_CLAUSE = rf"(?:(?:and|but|then|now) )*(?:{_SIDE} )?(?:then )?{_ROLLS} "
_NEXT_TURN = re.compile(rf"[,;]? (?:{_ROLL_CLAUSE}|(?:and )?then )")  # between plays of a game
_TO_PLAY = re.compile(
    rf"(?:,? (?:and )?(?:now )?|[,;]? {_ROLL_CLAUSE})([1-6]{{2}})"
    r"(?=\s*(?:[\[?.!,;:)\n]|\Z))(?![.,:][0-9])"
)

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
_ERRORS = re.compile(rf"[\s,=.](?![0-9]){_ITEM}-?[0-9.]*[0-9]")
_OUTCOMES = re.compile(r"[NDRXTP=/0-9.,\s+-]*")
# Text before the score in the nacbracs of an analysed match: `game 1, move 2, Bob: 32& `.
_MOVE = re.compile(
    r"""(?P<move>(?i:game)\ [0-9]{1,4},\ move\ [0-9]{1,4}),\ [^\n]{1,100}:
        \ (?:[1-6]{2}\S{0,12}|(?:no\ )?double|take|pass|drop)\ \Z""",
    re.VERBOSE,
)

_LINE = re.compile(r"[^\n]+")
_NUMBER = re.compile(r"[ \t]*([0-9]{1,4})[.)]?[ \t]+(?=\S)")
_CELL = re.compile(rf"([1-6]{{2}})(?P<name>{_CELL_NAME})?")
_ENTRY = re.compile(rf"[ \t]*([1-6]{{2}}(?P<name>{_CELL_NAME})?|Fan|(?P<cube>{_CUBE}))[ \t]*")
# Other words in a move list: second names, plays, errors, cube actions.
_COMPANION = re.compile(rf"{_CELL_NAME}|[^\s/]*/\S*|doubles|to|[0-9]+|takes|drops|resigns|cube|set")
_ERROR = re.compile(r"x[0-9]+|[?!]{1,2}|-[0-9]{0,3}\.[0-9]{3}")
_WORDS_OF_LINE = re.compile(r"\S+")


def is_entry(line: str) -> bool:
    """Whether a line is a turn in a column, as `annotate --layout` writes it."""
    return _ENTRY.fullmatch(line) is not None


def scan_prose(bare: str) -> list[Span]:
    """The spans of a text without its markup, in order; they do not overlap."""
    tables = list(_tables(bare))
    parts = _Parts(tables)
    spans = [
        span for span in (*_positions(bare), *_nacbracs(bare)) if not parts.end_around(span.start)
    ]
    spans += tables
    nacbracs = {span.start for span in spans if span.shape is Shape.NACBRAC}
    chains = _chains(bare, _Parts(spans), nacbracs)
    return sorted([*spans, *_with_lists(bare, chains)], key=attrgetter("start"))


class _Parts:
    """The parts of a text that spans occupy already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._parts = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in self._parts]

    def end_around(self, place: int) -> int:
        """The end of the part around an offset; 0 if there is none."""
        at = bisect(self._starts, place) - 1
        return self._parts[at][1] if at >= 0 and place < self._parts[at][1] else 0

    def next_start(self, place: int) -> int | None:
        """The start of the next part after an offset; None if there is none."""
        at = bisect(self._starts, place)
        return self._starts[at] if at < len(self._starts) else None


# Chains


def _chains(bare: str, parts: _Parts, nacbracs: set[int]) -> Iterator[Span]:
    """The chains, single plays and rolls of nacbracs outside the given parts."""
    at = 0
    while match := _BEGINS.search(bare, at):
        at = match.start()
        if part_end := parts.end_around(at):
            at = part_end
            continue
        start = _start(bare, at)
        pieces, end = _pieces(bare, at, parts.next_start(at))
        if start < 0:
            at = end
            continue
        broken = _RUNS_ON.match(bare, end) is not None and not _ANY_TOKEN.match(bare, end)
        if broken:
            end = _word_end(bare, end)
        span = Span(
            Shape.CHAIN, start, end, pieces, broken, bare[max(start - 3, 0) : start] == "..."
        )
        at = end
        if shape := _shape(bare, span, nacbracs):
            yield span._replace(shape=shape)


def _start(bare: str, at: int) -> int:
    """The offset of the marks before a roll, or of the roll; -1 if no token can begin there."""
    before = bare[max(at - _LONGEST_MARK, 0) : at]
    for mark in (_MARK, _NACKGAMMON):
        if match := mark.search(before):
            before = before[: match.start()]
            at -= len(match[0])
    last, second_last = before[-1:], before[-2:-1]
    attached = last and not last.isspace() and not before.endswith("...")
    if attached and (last not in _OPENS or (last in ":,'" and second_last.isalnum())):
        return -1  # as in 1:54 and 1,254
    return at


def _pieces(bare: str, at: int, until: int | None) -> tuple[tuple[Piece, ...], int]:
    """The tokens from an offset on, and the end of the last.

    Stops at `until`, where another part begins, such as the score of a nacbrac.
    """
    until = len(bare) if until is None else until
    pieces: list[Piece] = []
    end = at
    line_start = bare[max(at - _LONGEST_MARK, 0) : at].rpartition("\n")[2]
    while match := _PIECE.match(bare, at, until):
        pieces.append(_piece(bare, match, until))
        at = end = pieces[-1].end
        if _UNKNOWN.match(bare, at) and not pieces[-1].named:
            pieces.pop()
            end = _word_end(bare, at)
            break
        if (emphasis := _EMPHASIS.match(bare, at)) and pieces[-1].named:
            at = end = emphasis.end()  # `54S!-63R?`
        between = (_BETWEEN_NAMES if pieces[-1].named else _HYPHEN).match(bare, at)
        if between and _PIECE.match(bare, between.end(), until):
            at = between.end()
        elif not (pieces[-1].named and _TOGETHER.match(bare, at)):
            break
    if len(pieces) > 1 and not pieces[-1].named and (letter := _ROW_END.match(bare, end, until)):
        end = letter.end()  # `52D-64H R`
        pieces[-1] = pieces[-1]._replace(end=end, named=True, clear=True)
    if len(pieces) > 1 and not line_start.strip(" ->") and _LAST_DOT.match(bare, end):
        end += 1  # a doublet's dot: the line consists of tokens and is no sentence
        pieces[-1] = pieces[-1]._replace(end=end)
    return tuple(pieces), end


def _word_end(bare: str, at: int) -> int:
    word = _WORD.match(bare, at)
    return word.end() if word else at


def _piece(bare: str, match: re.Match[str], until: int) -> Piece:
    """A token, with its play in longhand: `63: 24/15`, `63(24/15)`, `54S(24/20 13/8)-63R`.

    A claim stays outside: longhand before a letter, `54 24/20 13/8 = S`, and longhand in brackets
    after a letter if no token follows.
    """
    word, name, (start, end) = match["word"], match["name"], match.span()
    is_named = bool(word or name)
    if match["roll"]:
        roll = Roll.parse(match["roll"])
        hops, stop = ((), end) if is_named else longhand_after(bare, end, roll)
        is_claim = bool(hops) and _CLAIMED.match(bare, stop) is not None
        if not hops and (bracket := _BRACKET.match(bare, end)):
            hops, stop = longhand_at(bare, bracket.end(), roll)
            is_closed = bare[stop : stop + 1] == ")"
            stop += 1
            is_claim = not is_closed or (is_named and not _NEXT_PIECE.match(bare, stop))
        if hops and stop <= until and not is_claim:
            return Piece(start, stop, True, True, longhand=not is_named)
    return Piece(start, end, is_named, bool(word) or _is_clear(name))


def _is_clear(name: str | None) -> bool:
    return name is not None and (name[0].isupper() or name[0] in "@$&^")


def _shape(bare: str, span: Span, nacbracs: set[int]) -> Shape | None:
    """The shape of a chain; None if it is not Nactation."""
    pieces = span.pieces
    clear = sum(piece.clear for piece in pieces)
    if span.broken:
        clear += _MISPRINT.match(bare, pieces[-1].end if pieces else span.end) is not None
        return Shape.CHAIN if clear > 1 else None
    if len(pieces) == 2 and pieces[0].end == pieces[1].start and not pieces[1].named:
        return None  # as 65R15, a size of tyres
    if len(pieces) > 1:
        return Shape.CHAIN if clear else None
    if not pieces:
        return None
    if _before_nacbrac(bare, span.end) in nacbracs and not pieces[0].named:
        return Shape.ROLL
    text = bare[pieces[0].start : span.end]
    if not pieces[0].named or text[2].isdigit() or text[2] in "%=+<>":
        return None
    if text[2:].lower() in {"-point", "point"} and int(text[:2]) <= _POINTS:
        return None
    return Shape.PLAY


def _before_nacbrac(bare: str, end: int) -> int:
    """The offset at which a nacbrac, or its score, may follow a roll."""
    return end + (bare[end : end + 1] in {" ", "-"})


def _with_lists(bare: str, chains: Iterable[Span]) -> Iterator[Span]:
    """The chains, with adjacent single plays joined to lists."""
    plays: list[Span] = []
    is_game = False
    for chain in chains:
        is_marked = chain.start < chain.pieces[0].start if chain.pieces else True
        is_single = chain.shape is Shape.PLAY and not (chain.goes_on or chain.broken)
        if plays and (is_marked or not is_single or len(plays) == _MAX_LISTED):
            yield from _listed(bare, plays, is_game)
            plays = []
        if plays:
            is_next_turn = _NEXT_TURN.fullmatch(bare, plays[-1].end, chain.start) is not None
            if not (is_next_turn or _LISTED.fullmatch(bare, plays[-1].end, chain.start)):
                yield from _listed(bare, plays, is_game)
                plays = []
            is_game = bool(plays) and (is_game or is_next_turn)
        if is_single:
            plays.append(chain)
        else:
            yield chain
    yield from _listed(bare, plays, is_game)


def _listed(bare: str, plays: list[Span], is_game: bool) -> Iterator[Span]:
    """Adjacent plays as one list with the roll to play, or unchanged if they are no list."""
    if not plays:
        return
    end, pieces = plays[-1].end, [play.pieces[0] for play in plays]
    to_play = _TO_PLAY.match(bare, end)  # `54-split, 63-run, 31`
    if not to_play and (len(plays) < 2 or _GOES_ON.match(bare, end)):
        yield from (play for play in plays if not play.pieces[0].longhand)
        return
    if to_play:
        end = to_play.end()
        pieces.append(Piece(*to_play.span(1)))
    yield Span(Shape.LIST, plays[0].start, end, tuple(pieces), is_game=is_game)


# Positions and nacbracs


def _positions(bare: str) -> Iterator[Span]:
    for match in find_ids(bare):
        # A Position ID without a label may be any word.
        if match.kind is not IdKind.POSITION_ID or bare.startswith("Position ID", match.start):
            yield Span(Shape.POSITION, match.start, match.end, name=match.name)


def _nacbracs(bare: str) -> Iterator[Span]:
    previous_end = 0
    for match in _NACBRAC.finditer(bare):
        start = score_start(bare, match.start())
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


# Tables


def _tables(bare: str) -> Iterator[Span]:
    """Numbered rows and columns of tokens, as `annotate` writes games."""
    cells: list[Piece] = []
    number, previous_end = _NO_ROW, 0  # of the previous line
    for line in _LINE.finditer(bare):
        if line[0].isspace():
            continue
        row, entry = _NUMBER.match(line[0]), _ENTRY.fullmatch(line[0])
        new: list[Piece] | None = None
        if entry:
            # Sequences have no beavers, and a game can be replayed without the cube.
            new = [] if entry["cube"] else [_cell(entry, 1, line.start())]
            begins, number = number != _COLUMN or line.start() > previous_end + 1, _COLUMN
        elif row:
            new = _cells(line[0], row.end(), line.start())
            begins, number = int(row[1]) != number + 1, int(row[1])
        if new is None or begins:
            yield from _table(cells)
            cells = []
        if new is None or (not cells and number > 1):
            number = _NO_ROW
        else:
            cells += new
        previous_end = line.end()
    yield from _table(cells)


_NO_ROW, _COLUMN = -2, -1  # instead of the number of a row


def _table(cells: list[Piece]) -> Iterator[Span]:
    if sum(cell.clear for cell in cells) > 1:
        yield Span(Shape.TABLE, cells[0].start, cells[-1].end, tuple(cells))


def _cells(line: str, at: int, start: int) -> list[Piece] | None:
    """The tokens in a row of a move list; None for any other line.

    `at` is where the row begins in its line, `start` where the line begins in the text.
    """
    cells: list[Piece] = []
    after_error = False  # any words may describe the error
    while word := _WORDS_OF_LINE.search(line, at):
        cell, at = _CELL.fullmatch(word[0].rstrip(":")), word.end()
        if cell:
            piece = _cell(cell, 0, start + word.start())
            if not cell["name"]:
                hops, end = longhand_after(line, at, Roll.parse(cell[1]))
                if hops:
                    piece, at = Piece(piece.start, start + end, True, True, longhand=True), end
            cells.append(piece)
            after_error = False
        elif _ERROR.match(word[0]):
            after_error = True
        elif not (after_error or _COMPANION.fullmatch(word[0])):
            return None
    return cells


def _cell(match: re.Match[str], group: int, at: int) -> Piece:
    name = match["name"]
    start, end = (place - match.start() for place in match.span(group))
    return Piece(at + start, at + end, bool(name), _is_clear(name))
