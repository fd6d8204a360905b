"""The board drawn with characters."""

from __future__ import annotations

from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.position import Position

_ROWS = 5
_TOP = " +13-14-15-16-17-18------19-20-21-22-23-24-+"
_BOTTOM = " +12-11-10--9--8--7-------6--5--4--3--2--1-+"
_MIDDLE = " |                  |BAR|                  |"


def draw(position: Position) -> str:
    """The board from the side of the player to move: X, who bears off at the bottom.

    Checkers on the bar are in its column; the numbers borne off are at the right.
    """
    top = _half(position, range(13, 25), position.points[0])
    bottom = _half(position, range(12, 0, -1), position.points[25])[::-1]
    top[0] += f"  O: {position.opponent_off} off, {position.opponent_pips} pips"
    bottom[-1] += f"  X: {position.off} off, {position.pips} pips"
    return "\n".join([_TOP, *top, _MIDDLE, *bottom, _BOTTOM])


def _half(position: Position, points: range, bar: int) -> list[str]:
    """The rows of one half, from the edge to the middle."""
    columns = [_column(position.points[point]) for point in points]
    on_bar = _column(bar)[::-1]
    return [
        f" |{''.join(column[row] for column in columns[:6])}|{on_bar[row]}|"
        f"{''.join(column[row] for column in columns[6:])}|"
        for row in range(_ROWS)
    ]


def _column(checkers: int) -> list[str]:
    """Five cells for a point from the edge; the last is the count if there are more."""
    sign, count = ("X" if checkers > 0 else "O"), abs(checkers)
    cells = [f" {sign if row < count else ' '} " for row in range(_ROWS)]
    if count > _ROWS:
        cells[-1] = f"{count:^3}"
    return cells
