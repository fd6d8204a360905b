"""The board, always numbered from the side to play."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.hooks import hook
from gnubg_nactation.values import dataclass

BAR = 25
OFF = 0
CHECKERS = 15

# The outermost point of the home board, and the first of the outer board and of the far side.
HOME, OUTER, FAR = 6, 7, 13

# The board drawn with characters, each point as five rows.
_ROWS = 5
_TOP = " +13-14-15-16-17-18------19-20-21-22-23-24-+"
_BOTTOM = " +12-11-10--9--8--7-------6--5--4--3--2--1-+"
_MIDDLE = " |                  |BAR|                  |"


@dataclass(frozen=True, slots=True)
class Position:
    """The points of all checkers, numbered from the player to move (his 24pt ... 1pt).

    `points` has 26 signed counts: positive are the checkers of the player to move, negative
    the opponent's. `points[25]` is the player's own bar and `points[0]` the opponent's bar
    (zero or negative). Checkers borne off are those missing from 15.
    Raises MalformedError when the counts are not a possible board.
    """

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        problems = board_problems(self.points)
        if problems:
            raise MalformedError(f"not a backgammon position: {problems[0]}")

    @property
    def bar(self) -> int:
        """Own checkers on the bar."""
        return self.points[BAR]

    @property
    def opponent_bar(self) -> int:
        """Opposing checkers on the bar."""
        return -self.points[0]

    @property
    def off(self) -> int:
        """Own checkers borne off."""
        return CHECKERS - sum(n for n in self.points if n > 0)

    @property
    def opponent_off(self) -> int:
        """Opposing checkers borne off."""
        return CHECKERS + sum(n for n in self.points if n < 0)

    @property
    def pips(self) -> int:
        """Pip count of the player to move; a checker on the bar counts 25."""
        return sum(point * n for point, n in enumerate(self.points) if n > 0)

    @property
    def opponent_pips(self) -> int:
        """Pip count of the opponent."""
        return self.switch_sides().pips

    def __str__(self) -> str:
        """The board from the side of the player to move: X, who bears off at the bottom.

        Checkers on the bar are in its column; the numbers borne off are at the right.
        """
        top = _half(self, range(13, 25), self.points[0])
        bottom = _half(self, range(12, 0, -1), self.points[25])[::-1]
        top[0] += f"  O: {self.opponent_off} off, {self.opponent_pips} pips"
        bottom[-1] += f"  X: {self.off} off, {self.pips} pips"
        return "\n".join([_TOP, *top, _MIDDLE, *bottom, _BOTTOM])

    def __repr__(self) -> str:
        return f"Position.parse({self.id!r})"

    def _repr_svg_(self) -> str:
        """The drawing that a notebook shows."""
        return str(hook("board_svg")(self))

    @property
    def id(self) -> str:
        """The Position ID, 14 characters, with the player on roll as in this position."""
        return str(hook("format_position_id")(self))

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position named by a Position ID, an XGID, an OGID, `start` or `nackgammon`.

        A Match ID after the Position ID has no effect. Raises MalformedError.
        """
        position: Position = hook("parse_position")(text)
        return position

    def switch_sides(self) -> Position:
        """The same board numbered from the other player (the only place that mirrors it)."""
        return sound(tuple([-n for n in reversed(self.points)]))


def sound(points: tuple[int, ...]) -> Position:
    """A Position without checks, for counts that a play of a valid board produces."""
    position = _blank()
    object.__setattr__(position, "points", points)
    return position


_blank = partial(Position.__new__, Position)


def board_problems(points: tuple[int, ...]) -> list[str]:
    """All reasons why `points` (see Position) cannot be a board; empty if it can."""
    if len(points) != BAR + 1:
        return [f"{len(points)} places instead of {BAR + 1}"]
    own = sum([n for n in points if n > 0])
    opponent = own - sum(points)
    problems = []
    if own > CHECKERS or opponent > CHECKERS:
        problems.append(f"more than {CHECKERS} checkers on one side ({own} against {opponent})")
    if points[BAR] < 0 or points[0] > 0:
        problems.append("a checker on the wrong side's bar")
    return problems


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


def _start(own: Iterable[tuple[int, int]]) -> Position:
    """A symmetric starting position from (point, checkers) pairs of one side."""
    points = [0] * (BAR + 1)
    for point, checkers in own:
        points[point] += checkers
        points[BAR - point] -= checkers
    return Position(tuple(points))


STANDARD = _start([(24, 2), (13, 5), (8, 3), (6, 5)])
NACKGAMMON = _start([(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)])
HYPERGAMMON = _start([(24, 1), (23, 1), (22, 1)])

# Names as match files spell them, compared without case.
VARIATIONS = {
    "backgammon": STANDARD,
    "nackgammon": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "hypergammon (1)": _start([(24, 1)]),
    "hypergammon (2)": _start([(24, 1), (23, 1)]),
    "hypergammon (3)": HYPERGAMMON,
}
