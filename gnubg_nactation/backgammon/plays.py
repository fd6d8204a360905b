"""Rolls, portions, plays and the legal plays of a position.

Inside this module a side's checkers are one integer with four bits a point, and sets of
points are integers with one bit a point: both make a play cheap to build and to compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from gnubg_nactation.backgammon.position import BAR, OFF, OUTER, Position, sound
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.hooks import hook
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import Any, NamedTuple, interpreted


class _Dice(NamedTuple):
    high: int
    low: int


@interpreted
class Roll(_Dice):
    """Two dice, the higher first, in whatever order they are given.

    Raises MalformedError unless both are 1 to 6.
    """

    __slots__ = ()

    def __new__(cls, high: int, low: int) -> Roll:
        """Put the dice in order."""
        if not (1 <= high <= 6 and 1 <= low <= 6):
            raise MalformedError(f"not a roll of two dice: {high} and {low}")
        return tuple.__new__(cls, (high, low) if high >= low else (low, high))

    def __repr__(self) -> str:
        return f"Roll({self.high}, {self.low})"

    @property
    def is_doublet(self) -> bool:
        """Whether both dice show the same number, so that four portions may be played."""
        return self.high == self.low

    def __str__(self) -> str:
        return f"{self.high}{self.low}"

    @classmethod
    def parse(cls, text: str) -> Roll:
        """The roll written as two digits, in any order; MalformedError otherwise."""
        if len(text) != 2 or text.strip("123456"):
            raise MalformedError(f"not a roll: {quoted(text)} (expected two digits from 1 to 6)")
        return cls(int(text[0]), int(text[1]))


# All 21, from 66 down to 11.
ROLLS = tuple(Roll(high, low) for high in range(6, 0, -1) for low in range(high, 0, -1))


class Portion(NamedTuple):
    """One die played with one checker: from `source` (25 = bar) to `target` (0 = off)."""

    source: int
    target: int
    die: int
    hits: bool


class Play(NamedTuple):
    """A way to play a whole roll; plays of a position that reach the same board are the same.

    `portions` is the canonical decomposition in a playable order: for doublets from the highest
    source, otherwise with the larger die first if that is legal.
    `hits` has bit n set for a hit on point n. `checkers` holds the player's own checkers after
    the play, packed as by `pack`; `own`, `owned` and `blots` read them.
    All points are numbered from the player's side.
    """

    before: Position
    roll: Roll
    portions: tuple[Portion, ...]
    hits: int
    checkers: int

    def __str__(self) -> str:
        """The play in traditional notation: `8/5 6/5`."""
        return str(hook("format_play")(self))

    def __repr__(self) -> str:
        return f"parse_play({str(self)!r}, {self.before.id!r}, {str(self.roll)!r})"

    def _repr_svg_(self) -> str:
        """The drawing that a notebook shows."""
        return str(hook("board_svg")(self))

    def own(self, point: int) -> int:
        """The number of own checkers on a point, or on the bar, after the play."""
        return self.checkers >> 4 * point & 15

    @property
    def owned(self) -> int:
        """The points with two or more own checkers after the play, as a sum of POINT_BIT."""
        checkers = self.checkers
        return (checkers >> 1 | checkers >> 2 | checkers >> 3) & _ON_BOARD

    @property
    def blots(self) -> int:
        """The points with one own checker after the play, as a sum of POINT_BIT."""
        return self.checkers & _ON_BOARD & ~self.owned

    @property
    def reached(self) -> Position:
        """The board after the play, still numbered from the same player."""
        points = list(self.before.points)
        for source, target, _, hit in self.portions:
            points[source] -= 1
            if hit:
                points[target] = 1
                points[OFF] -= 1  # the opponent's bar has this place
            elif target != OFF:
                points[target] += 1
        return sound(tuple(points))

    @property
    def after(self) -> Position:
        """The board after the play, numbered from the opponent."""
        return self.reached.switch_sides()


# One own checker on a point, and a point in a set of points: four bits for each from 1 up to the
# bar. A checker borne off is gone from the sum.
POINT_BIT = (0, *(1 << 4 * point for point in range(1, BAR + 1)))
_ON_BOARD = sum(POINT_BIT[1:BAR])


def pack(counts: Iterable[int]) -> int:
    """Own checkers on the points from 1 to the bar, as in a Play.

    `counts` begin with 0 (off), which is left out, like the opponent's negative counts.
    """
    return sum([bit * count for bit, count in zip(POINT_BIT, counts, strict=True) if count > 0])


_PORTIONS = tuple(
    tuple(
        tuple(Portion(source, max(source - die, OFF), die, hit) for source in range(BAR + 1))
        for die in range(7)
    )
    for hit in (False, True)
)

# The board for the generator: own checkers as in a Play, then the points that they occupy, the
# points that the opponent owns and the opponent's blots, with one bit for each point.
_Board = tuple[int, int, int, int]
# A partly played roll: own checkers, points they occupy, points hit, portions so far.
_Node = tuple[int, int, int, tuple[Portion, ...]]
# A portion that can be played: its source as a bit, what it adds to the checkers, the point hit as
# a bit, and itself.
_Step = tuple[int, int, int, Portion]

_ADDED = tuple(
    tuple(POINT_BIT[max(source - die, OFF)] - POINT_BIT[source] for source in range(BAR + 1))
    for die in range(7)
)
_new_play = partial(tuple.__new__, Play)  # in half the time of Play itself


def legal_plays(position: Position | str, roll: Roll | str) -> tuple[Play, ...]:
    """All legal plays, each reached position once; empty when nothing can be played.

    Both dice must be played if possible, else the larger if possible. A doublet plays as many
    portions as possible. Texts are read as by `Position.parse` and `Roll.parse`.
    """
    if not (isinstance(position, Position) and isinstance(roll, Roll)):
        return legal_plays(hook("to_position")(position), hook("to_roll")(roll))
    checkers = occupied = blocked = blots = 0
    for point, count in enumerate(position.points):
        if count > 0:
            checkers |= count << 4 * point
            occupied |= 1 << point
        elif count == -1:
            blots |= 1 << point
        elif count:
            blocked |= 1 << point
    board = checkers, occupied, blocked & ~1, blots & ~1  # the opponent's bar is no point
    nodes: Sequence[tuple[Any, ...]]  # which mypyc leaves packed, as it would not a _Node
    if roll[0] == roll[1]:
        nodes = _doublet_nodes(board, roll)
    elif checkers >> 4 * BAR > 1 or (checkers >> 4 * OUTER).bit_count() < 2:
        nodes = _two_dice_nodes(board, roll)
    else:
        return tuple(_pairs(position, roll, board))
    return tuple([_new_play((position, roll, node[3], node[2], node[0])) for node in nodes])


def _doublet_nodes(board: _Board, roll: Roll) -> list[_Node]:
    # Playing from the highest source down reaches everything that any order reaches, once.
    checkers, occupied, blocked, blots = board
    nodes: list[_Node] = [(checkers, occupied, 0, ())]
    for portions in range(4):
        deeper: list[_Node] = []
        for node in nodes:
            highest = node[3][-1][0] if portions else BAR
            deeper += _extensions(node, roll[0], blocked, blots, highest)
        if not deeper:
            return nodes if portions else []
        nodes = deeper
    return nodes


def _two_dice_nodes(board: _Board, roll: Roll) -> list[_Node]:
    """The plays of two dice by trying both orders, which bearing off needs."""
    checkers, occupied, blocked, blots = board
    start: _Node = (checkers, occupied, 0, ())
    nodes: dict[tuple[int, int], _Node] = {}
    firsts = []
    # Sources come highest first, so that of two ways to make up a play the one that plays the
    # larger die from the higher point is kept: the canonical one.
    for first, second in (roll, roll[::-1]):
        firsts.append(_extensions(start, first, blocked, blots))
        for node in firsts[-1]:
            for full in _extensions(node, second, blocked, blots):
                nodes.setdefault((full[0], full[2]), full)
    return list(nodes.values()) or firsts[0] or firsts[1]


def _pairs(position: Position, roll: Roll, board: _Board) -> list[Play]:
    """The same plays in the same order if nothing is borne off and at most one checker enters.

    Two pairs of sources then make the same play only if one checker plays both dice: in either
    order, or another checker goes on from the point between.
    """
    checkers, occupied, blocked, blots = board
    high, low = roll
    bar = occupied & 1 << BAR
    on_board = occupied ^ bar
    occupied_or_blocked = blocked | blots
    from_high = ~(blocked << high) & -(2 << high)
    from_low = ~(blocked << low) & -(2 << low)
    firsts = _steps((bar or occupied) & from_high, high, blots)
    seconds = _steps((on_board | occupied >> high) & from_low, low, blots)
    # From here the larger die, after the smaller one to here: as one checker with the larger first.
    merged = (on_board & ~(occupied_or_blocked << high)) >> low
    plays: list[Play] = []
    for source, added, hit, portion in firsts:
        moved = checkers + added
        stand = occupied | source >> high
        if not moved >> 4 * portion[0] & 15:
            stand ^= source
        if merged & source:
            stand &= ~(source << low)
        if hit:
            plays += [
                _new_play((position, roll, (portion, next_step), hit | hits, moved + more))
                for second, more, hits, next_portion in seconds
                if second & stand
                for next_step in (_PORTIONS[hits not in {0, hit}][low][next_portion[0]],)
            ]
        else:
            plays += [
                _new_play((position, roll, (portion, next_portion), hits, moved + more))
                for second, more, hits, next_portion in seconds
                if second & stand
            ]
    # With the smaller die first, only new plays: one checker that stops to hit or must stop here.
    apart = occupied_or_blocked << high | blots << low
    starts = bar or occupied & apart & from_high << low & ~(occupied << low)
    for source, added, hit, portion in _steps(starts & from_low, low, blots):
        stop = source >> low
        sources = on_board & ~stop if bar else 0
        if source & apart:
            sources |= stop
        moved = checkers + added
        plays += [
            _new_play((position, roll, (portion, next_portion), hit | hits, moved + more))
            for _, more, hits, next_portion in _steps(sources & from_high, high, blots)
        ]
    if plays:
        return plays
    singles = firsts or _steps((bar or occupied) & from_low, low, blots)
    return [
        _new_play((position, roll, (portion,), hit, checkers + added))
        for _, added, hit, portion in singles
    ]


def _steps(sources: int, die: int, blots: int) -> list[_Step]:
    """The portions from these points, the highest first; none bears off."""
    added, (plain, hitting) = _ADDED[die], (_PORTIONS[0][die], _PORTIONS[1][die])
    steps = []
    while sources:
        source = sources.bit_length() - 1
        bit = 1 << source
        sources ^= bit
        hit = blots & bit >> die
        steps.append((bit, added[source], hit, (hitting if hit else plain)[source]))
    return steps


def _extensions(node: _Node, die: int, blocked: int, blots: int, highest: int = BAR) -> list[_Node]:
    """All nodes one portion further, played with `die` from a point not above `highest`."""
    checkers, occupied, hits, portions = node
    sources = _sources(occupied, die, blocked) & ((2 << highest) - 1)
    added, plain, hitting = _ADDED[die], _PORTIONS[0][die], _PORTIONS[1][die]
    blots &= ~hits
    extensions = []
    while sources:
        source = sources.bit_length() - 1
        bit = 1 << source
        sources ^= bit
        moved = checkers + added[source]
        stand = occupied if moved >> 4 * source & 15 else occupied ^ bit
        target = bit >> die & ~1  # none for a checker borne off
        hit = blots & target
        step = (hitting if hit else plain)[source]
        extensions.append((moved, stand | target, hits | hit, (*portions, step)))
    return extensions


def _sources(occupied: int, die: int, blocked: int) -> int:
    """The points from which `die` may be played, by the rules of entering and bearing off."""
    if occupied >> BAR:
        return 0 if blocked >> (BAR - die) & 1 else 1 << BAR
    sources = occupied & ~(blocked << die)
    bearing_off = sources & ((2 << die) - 1)
    if bearing_off:
        highest = occupied.bit_length() - 1
        if highest > 6:
            return sources ^ bearing_off
        if highest >= die:
            return sources & ~((1 << die) - 1)  # exact numbers only
        return 1 << highest
    return sources
