"""Find the move lists in a text: numbered rows, and columns of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.prose.spans import CELL_NAME, CUBE, Piece, Shape, Span, is_clear
from gnubg_nactation.sequences.longhand import longhand_after

_LINE = re.compile(r"[^\n]+")
_NUMBER = re.compile(r"[ \t]*([0-9]{1,4})[.)]?[ \t]+(?=\S)")
_CELL = re.compile(rf"([1-6]{{2}})(?P<name>{CELL_NAME})?")
_ENTRY = re.compile(rf"[ \t]*-?([1-6]{{2}}(?P<name>{CELL_NAME})?|Fan|(?P<cube>{CUBE}))[ \t]*")
# Other words in a move list: second names, plays, errors, cube actions.
_COMPANION = re.compile(rf"{CELL_NAME}|[^\s/]*/\S*|doubles|to|[0-9]+|takes|drops|resigns|cube|set")
_ERROR = re.compile(r"x[0-9]+|[?!]{1,2}|-[0-9]{0,3}\.[0-9]{3}")
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
        elif _ERROR.match(word[0]):
            after_error = True
        elif not (after_error or _COMPANION.fullmatch(word[0])):
            return None
    return cells


def _cell(match: re.Match[str], group: int, at: int) -> Piece:
    name = match["name"]
    start, end = (place - match.start() for place in match.span(group))
    return Piece(at + start, at + end, bool(name), is_clear(name))
