"""Find the spans of a text that look like Nactation, without replaying anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from operator import attrgetter

from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.ids_in_text import find_ids
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.reading import is_cube, score_start
from gnubg_nactation.prose.chains import (
    CELL_NAME,
    CUBE,
    NAME,
    Parts,
    Piece,
    Shape,
    Span,
    chains,
    is_clear,
    with_lists,
)
from gnubg_nactation.sequences.tokens import longhand_after
from gnubg_nactation.values import NamedTuple

_LONGEST_MOVE, _MAX_BEFORE, _MAX_TITLE = 200, 200, 40
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
            before = bare[max(match.start - _MAX_BEFORE, 0) : match.start].rpartition("\n")[2]
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
    with suppress(MalformedError):
        position = parse_position(name)
        return position.off == position.opponent_off == 0 and not name.isalpha()
    return False


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


# Reply charts

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"[\s|:+=_-]+")
_WIDE, _NARROW = re.compile(r"\S+(?: \S+)*"), re.compile(r"\S+")  # cells without pipes or tabs
_ROLL = re.compile(r"([1-6]{2})[:.]?")
_TOKEN = re.compile(rf"[1-6]{{2}}(?P<name>(?![0-9]){NAME})")
_OPENING = re.compile(
    rf"(?:(?i:after|against|vs\.?|versus|(?:repl(?:y|ies) )?to) )?"
    rf"(?P<tokens>{_TOKEN.pattern}(?:-[1-6]{{2}}(?![0-9]){NAME}){{0,20}}):?"
)
# The letters of a cell, `B`, `C/B` or `R S39`: each with its loss in thousandths.
_LETTER = re.compile(
    rf"(?P<roll>[1-6]{{2}})?(?P<name>(?![0-9]){NAME}\.?)(?:-?[0-9]{{1,4}}|-?\.[0-9]{{1,4}})?[!?*]{{0,3}}"
)
# A list of replies: `Replies to 61P:`, and a row for each roll: `21: S`.
_HEADING = re.compile(
    rf"(?:\A|[ *_>(])(?P<opening>[1-6]{{2}}(?![0-9]){NAME}(?:-[1-6]{{2}}(?![0-9]){NAME}){{0,8}})"
    r"[):*_\s]{0,8}\Z"
)
_REPLY_ROW = re.compile(
    r"[\s>*|\u2022-]*(?P<dice>[1-6]{2})(?: ?[:.=\u2013\u2014-]+ ?|[ \t|]{1,9})"
    r"(?P<letters>\S[^\n]{0,60}?)[.,;]?[\s|]*"
)
_TITLES = re.compile(r"[\s|*]{0,9}(?i:rolls?|dice)(?:[ \t|*]{1,9}[A-Za-z]{1,12}){1,4}[\s|*]{0,9}")
# The openings in the line above the titles: `The replies to an opening 31 (31P) are:`.
_NAMED = re.compile(rf"(?<![\w-])(?P<opening>{_TOKEN.pattern})(?![\w-])")
# Rolls, and as many letters: `After 61P: 62, 63, 64: S, R, P`.
_PAIRS = re.compile(
    rf"(?P<before>[^\n]{{0,200}}?)\b(?P<rolls>[1-6]{{2}}(?:, ?[1-6]{{2}}){{1,20}}): "
    rf"(?P<letters>{NAME}(?:, ?{NAME}){{1,20}})[.;!?]?(?!\S)"
)
# Rows in one line: `After 43Z: 65: S; 64: R`.
_ROWS_FOLLOW = re.compile(r"(?<=[A-Za-z@$&)*_]): (?=[1-6]{2}[ :=])")
_ROW_OF_LINE = re.compile(r"[1-6]{2}[ :=](?:(?![;,.] [1-6]{2}[ :=]|[.!?] )[^\n])+")
_BETWEEN = re.compile(r" ?[/=,] ?| or |[ \t|]{1,9}")
_EMPTY = re.compile(r"[-\u2013\u2014.\u00b7]*")
_MIN_COLUMNS, _MAX_COLUMNS, _MAX_LINE = 2, 40, 1000


class _Dice(NamedTuple):
    """A roll, and its offset in the text."""

    dice: str
    start: int


class _Column(NamedTuple):
    """A column, from offset `start` of its line up to `end`: a roll, or the opening it answers."""

    start: int
    end: int
    roll: _Dice | None = None
    opening: Span | None = None


def charts(bare: str) -> Iterator[Span]:
    """The openings and the cells of all charts of a text."""
    columns: list[_Column] = []
    heading: Span | None = None  # the opening of a list of replies
    previous_end, is_first_row = -1, True
    intro, intro_start = "", 0  # the line before
    for line in _LINE.finditer(bare):
        start, end = line.span()
        if start > previous_end + 1 or end - start > _MAX_LINE:
            columns, heading = [], None
        is_titled = start <= previous_end + 2 and _TITLES.fullmatch(line[0])
        if is_titled and not heading and len(named := list(_NAMED.finditer(intro))) == 1:
            heading, is_first_row = _opening(intro, intro_start, named[0].span("opening")), True
        previous_end, intro, intro_start = end, line[0][-_MAX_LINE:], max(start, end - _MAX_LINE)
        is_rule = (columns or heading) and _RULE.fullmatch(line[0])
        if end - start > _MAX_LINE or is_rule:
            continue
        if heading and _TITLES.fullmatch(line[0]):
            continue  # `roll best second`
        row = list(_row(line[0], start, columns)) if columns else []
        if not row and (replies := list(_replies(line[0], start, heading))):
            yield from ([heading] if heading and is_first_row else [])
            yield from replies
            is_first_row = False
            continue
        if row and is_first_row:
            yield from (column.opening for column in columns if column.opening)
        yield from row
        is_first_row = not row
        if not row:
            columns = _columns(line[0], start)
        heading = None if row else _heading(line[0], start)


def _heading(line: str, at: int) -> Span | None:
    """The opening at the end of a line above a list of replies: `Replies to 61P:`."""
    match = _HEADING.search(line)
    return _opening(line, at, match.span("opening")) if match else None


def _replies(line: str, at: int, opening: Span | None) -> Iterator[Span]:
    """The letters of a row with a roll, `21: S`, or of `62, 63, 64: S, R, P`; of no other line."""
    if opening and (match := _REPLY_ROW.fullmatch(line)):
        roll = _dice(line, at, match.span("dice"))
        yield from _letters(line, at, match.span("letters"), roll, opening)
    elif match := _PAIRS.match(line):
        own = _heading(match["before"].rstrip(), at)
        rolls = list(re.compile("[1-6]{2}").finditer(line, *match.span("rolls")))
        letters = list(re.compile(NAME).finditer(line, *match.span("letters")))
        if len(rolls) == len(letters):
            yield from [own] if own else []
            for each, letter in zip(rolls, letters, strict=True):
                roll = _dice(line, at, each.span())
                yield from _letters(line, at, letter.span(), roll, own or opening)
    elif match := _ROWS_FOLLOW.search(line):
        own = _heading(line[: match.start()], at)
        rows = _ROW_OF_LINE.finditer(line, match.end()) if own else ()
        replies = [each for row in rows for each in _replies(row[0], at + row.start(), own)]
        yield from [own, *replies] if own and len(replies) > 1 else []


def _cells(line: str, form: re.Pattern[str]) -> list[tuple[int, int]]:
    """The cells of a line, each without the blanks around it; `form` finds those without signs."""
    for sign in "|\t":
        if sign in line:
            places = [place for place, character in enumerate(line) if character == sign]
            edges = [-1, *places, len(line)]
            cells = [_strip(line, first + 1, last) for first, last in pairwise(edges)]
            is_open = sign == "|" and line.lstrip().startswith(sign)
            is_closed = sign == "|" and line.rstrip().endswith(sign)
            return cells[is_open : len(cells) - is_closed]
    return [match.span() for match in form.finditer(line)]


def _strip(line: str, start: int, end: int) -> tuple[int, int]:
    cell = line[start:end]
    start += len(cell) - len(cell.lstrip())
    return start, max(start, start + len(cell.strip()))


def _columns(line: str, at: int) -> list[_Column]:
    """The columns of a heading with rolls or openings; empty if the line is no heading."""
    for form in (_NARROW, _WIDE):
        cells = _cells(line, form)[: _MAX_COLUMNS + 1]
        for kind in (_roll_column, _opening_column):
            last = [kind(line, at, cell) for cell in cells[-_MIN_COLUMNS:]]
            if len(last) < _MIN_COLUMNS or None in last:
                continue
            columns = [kind(line, at, cell) for cell in cells]
            while columns and columns[0] is None and not line[slice(*cells[0])].isdecimal():
                del columns[0], cells[0]  # the words above the first column
            if None not in columns:
                return [column for column in columns if column]
    return []


def _roll_column(line: str, at: int, cell: tuple[int, int]) -> _Column | None:
    return _Column(*cell, _dice(line, at, cell)) if _ROLL.fullmatch(line, *cell) else None


def _dice(line: str, at: int, cell: tuple[int, int]) -> _Dice:
    return _Dice(line[cell[0] : cell[0] + 2], at + cell[0])


def _opening_column(line: str, at: int, cell: tuple[int, int]) -> _Column | None:
    opening = _opening(line, at, cell)
    return _Column(*cell, opening=opening) if opening else None


def _opening(line: str, at: int, cell: tuple[int, int]) -> Span | None:
    """The sequence in a cell; None if there is none."""
    match = _OPENING.fullmatch(line, *cell)
    if not match or not is_clear(match["name"]):
        return None
    first, last = match.span("tokens")
    pieces = tuple(
        Piece(at + token.start(), at + token.end(), True, is_clear(token["name"]))
        for token in _TOKEN.finditer(line, first, last)
    )
    return Span(Shape.CELL, at + first, at + last, pieces)


def _row(line: str, at: int, columns: Sequence[_Column]) -> Iterator[Span]:
    """The opening and the cells of a row; nothing if the line is no row of the chart."""
    for form in (_WIDE, _NARROW):
        cells = _cells(line, form)
        if len(cells) > 1 and (form is _NARROW or len(cells) == len(columns) + 1):
            break
    if len(cells) < 2:
        return
    label, values = cells[0], cells[1:]
    opening = None if columns[0].opening else _opening(line, at, label)
    if not (opening or (columns[0].opening and _ROLL.fullmatch(line, *label))):
        return
    spans: list[Span] = [opening] if opening else []
    for column, cell in _under(columns, values, is_free="|" not in line and "\t" not in line):
        if _EMPTY.fullmatch(line, *cell):
            continue
        roll = column.roll or _dice(line, at, label)
        letters = list(_letters(line, at, cell, roll, column.opening or opening))
        if not letters:
            return
        spans += letters
    yield from spans


def _under(
    columns: Sequence[_Column], values: Sequence[tuple[int, int]], *, is_free: bool
) -> Iterator[tuple[_Column, tuple[int, int]]]:
    """The values, each with its column: in order, or by their places if some cells are free."""
    if not is_free or len(values) == len(columns):
        yield from zip(columns, values, strict=False)
        return
    for start, end in values:
        for column in columns:
            if start < column.end and column.start < end:
                yield column, (start, end)
                break


def _letters(
    line: str, at: int, cell: tuple[int, int], roll: _Dice, opening: Span | None
) -> Iterator[Span]:
    """The letters in a cell; none if it has anything else."""
    place, end = cell
    spans = []
    while letter := _LETTER.match(line, place, end):
        first, last = letter.span("name")
        own = letter.start("roll")
        piece = Piece(at + first, at + last, True, is_clear(letter["name"]), roll=roll.start)
        if own >= 0:
            if sorted(letter["roll"]) != sorted(roll.dice):
                return
            piece = Piece(at + own, at + last, True, piece.clear)
        spans.append(Span(Shape.CELL, piece.start, piece.end, (piece,), answered=opening))
        if letter.end() == end:
            yield from spans
            return
        between = _BETWEEN.match(line, letter.end(), end)
        if not between:
            return
        place = between.end()


_NUMBER = re.compile(r"[ \t]*([0-9]{1,4})[.)]?[ \t]+(?=\S)")
_CELL = re.compile(rf"([1-6]{{2}})(?P<name>{CELL_NAME})?")
_ENTRY = re.compile(rf"[ \t]*-?([1-6]{{2}}(?P<name>{CELL_NAME})?|Fan|(?P<cube>{CUBE}))[ \t]*")
# Other words in a move list: second names, plays, errors, cube actions.
_COMPANION = re.compile(rf"{CELL_NAME}|[^\s/]*/\S*|doubles|to|[0-9]+|takes|drops|resigns|cube|set")
_ERROR = re.compile(r"x[0-9]+|[?!]{1,2}|-[0-9]{0,3}\.[0-9]{3}")
_FAN = re.compile(r"(?:F|[Ff]an)(?!\S)")
_MAX_NAMES = 40  # characters
# Text before an F that is the second name of a doublet's play: `55P F`.
_NAMED_F = re.compile(r"(?<!\S)([1-6])\1[@#$%&HKPTX]\S* (?:\S+ )*\Z")
_WORD = re.compile(r"\S+")


def is_entry(line: str) -> bool:
    """Whether a line is a turn in a column, as `annotate --layout` writes it."""
    return _ENTRY.fullmatch(line) is not None


def move_lists(bare: str) -> Iterator[Span]:
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
            new = _list_cells(line[0], row.end(), line.start())
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


def _list_cells(line: str, at: int, start: int) -> list[Piece] | None:
    """The tokens in a row of a move list; None for any other line.

    `at` is where the row begins in its line, `start` where the line begins in the text.
    """
    cells: list[Piece] = []
    after_error = False  # any words may describe the error
    while word := _WORD.search(line, at):
        cell, at = _CELL.fullmatch(word[0].rstrip(":")), word.end()
        if cell:
            piece = _cell(cell, 0, start + word.start())
            if not cell["name"]:
                hops, end = longhand_after(line, at, Roll.parse(cell[1]))
                if hops:
                    piece, at = Piece(piece.start, start + end, True, True, longhand=True), end
            cells.append(piece)
            after_error = False
        elif _FAN.match(line, word.start()) and not _NAMED_F.search(
            line[max(word.start() - _MAX_NAMES, 0) : word.start()]
        ):
            cells.append(Piece(start + word.start(), start + at, True))
            after_error = False
        elif _ERROR.match(word[0]):
            after_error = True
        elif not (after_error or _COMPANION.fullmatch(word[0])):
            return None
    return cells


def _cell(match: re.Match[str], group: int, at: int) -> Piece:
    name = match["name"]
    start, end = (place - match.start() for place in match.span(group))
    return Piece(at + start, at + end, bool(name), is_clear(name))
