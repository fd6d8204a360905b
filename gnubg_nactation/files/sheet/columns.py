"""The two columns of a game on a score sheet, which show whose turn each token is."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.sheet.lines import GameText
from gnubg_nactation.files.sheet.text import SheetText
from gnubg_nactation.files.sheet.words import SheetToken
from gnubg_nactation.values import NamedTuple

_MIN_GAP = 8  # blanks after a row number that are an empty cell


class Columns(NamedTuple):
    """The player of the first token of each line, by the offset of the token."""

    players: dict[int, Player]

    @classmethod
    def of(cls, sheet: SheetText, text: GameText, tokens: Sequence[SheetToken]) -> Columns | None:
        """The columns of a game; None if its lines have no numbers and no names above them."""
        lines: dict[int, list[int]] = {}
        for token in tokens:
            at = token.token.at
            lines.setdefault(sheet.line_of(at), []).append(at)
        is_table = text.is_numbered or text.right is not None
        if not is_table or not lines or max(map(len, lines.values())) > 2:
            return None
        pairs = [line for line in lines.values() if len(line) == 2]
        lefts = [sheet.column_of(line[0]) for line in pairs]
        rights = [sheet.column_of(line[1]) for line in pairs]
        right = text.right if text.right is not None else min(rights, default=None)
        left = min(lefts, default=None)
        players: dict[int, Player] = {}
        for row in text.rows:
            line = lines.get(row.number, [])
            if len(line) == 1 and _is_right(sheet, row.at, line[0], left, right):
                players[line[0]] = Player.SECOND
            elif line:
                players[line[0]] = Player.FIRST
        return cls(players)


def _is_right(sheet: SheetText, row: int, at: int, left: int | None, right: int | None) -> bool:
    """Whether the only token of a row is in the right column."""
    column = sheet.column_of(at)
    start = sheet.column_of(row)
    before = sheet.text[row:at]
    if "..." in before:
        return True
    if "|" in before:  # a table, whose columns need not be aligned
        return before.lstrip().removeprefix("|").count("|") > 0
    if right is None:
        return column - start >= _MIN_GAP
    return abs(column - right) < abs(column - (start if left is None else left))
