"""What was played in a position: how often, and what it lost and brought; and where it led."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import ALL, OWN_SCORE, TABLES, Filters, where
from gnubg_nactation.backgammon.ids import pack_position
from gnubg_nactation.backgammon.notation import force_hops, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, dataclass, replace

if TYPE_CHECKING:
    import sqlite3

ENOUGH = 2  # errors whose mean may order plays: the fewest of which an interval is known


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `count` values, in points for a cube of 1 or, of errors, of its value then.

    `within` is how far the mean may be from the true one, for 95 of 100 such samples; None where
    nothing tells that: for a single value, or values that are all the same.
    """

    count: int
    value: float
    within: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was done, the share of all times that it could be, and what came of it.

    `error` is what it lost by the analyses in the files, never negative; `result` what the games
    brought who did it, `adjusted` the same without the luck of all later rolls. Each is None where
    nothing is known.
    """

    count: int
    share: float
    error: Mean | None
    adjusted: Mean | None
    result: Mean | None


@dataclass(frozen=True, slots=True)
class PlayRow(Tally):
    """A play, and how often it was made of all times that its roll was thrown here.

    `nactation` is the preferred one, `^` for a fan, empty where no play was possible; `play` is
    the same in traditional notation.
    """

    nactation: str
    play: str


@dataclass(frozen=True, slots=True)
class RollRow:
    """A roll, how often it was thrown, the share of all rolls here, and its plays in order.

    `best` is the Nactation that most analyses have as the best; empty if there are none.
    """

    roll: Roll
    count: int
    share: float
    plays: tuple[PlayRow, ...]
    best: str


@dataclass(frozen=True, slots=True)
class CubeRow(Tally):
    """A cube action, and how often it was taken of all times that the same player could choose.

    `action` is `no double` or `double` of the player on roll, `take`, `beaver` or `drop` of the
    other, who act in the means. No double counts where doubling was allowed and the cube not dead.
    """

    action: str


@dataclass(frozen=True, slots=True)
class LeadingSequence:
    """A sequence that led to the position, and how often; empty if games began there."""

    sequence: str
    count: int


@dataclass(frozen=True, slots=True)
class Node:
    """A position, numbered from the player on roll, and what is known of it.

    `count` are the rolls thrown here. `ways` are the sequences that led here, most frequent
    first, as far as they can be told. `rolls` go from 66 down to 11. `cube` has the actions in the
    order of CubeRow, none where nobody turned the cube and nothing says that one should have.
    """

    position: Position
    count: int
    ways: tuple[LeadingSequence, ...] = ()
    rolls: tuple[RollRow, ...] = ()
    cube: tuple[CubeRow, ...] = ()


class Branch(NamedTuple):
    """A play of a tree: the tokens that lead to it from the root, itself the last.

    `known` are those of the place where the position that it reaches stands already, if another
    branch reached it before; empty if none did, or no roll is known there.
    """

    tokens: tuple[str, ...]
    before: Node
    roll: RollRow
    play: PlayRow
    reached: Position
    known: tuple[str, ...] = ()


_MEANS = ", ".join(
    f"count({one}), sum({one}), total({one} * {one})"
    for one in ("t.error", "t.adjusted", "t.result")
)
_PLAYS = f"t.roll, t.nactation, t.play, count(*), sum(t.turn = 1), {_MEANS}"


def node(connection: sqlite3.Connection, position: Position, filters: Filters = ALL) -> Node:
    """Return the stored plays and cube actions of a position; may raise sqlite3.Error.

    All rows of turns that meet the filters count, whatever moves led here. Plays and sequences
    seen fewer than `filters.min_count` times are not listed. Plays are sorted as by `error` in
    ORDERS.
    """
    key = pack_position(position)
    query = _Query(connection, key, filters)
    groups = query(_PLAYS, "t.roll > 0", "GROUP BY t.roll, t.nactation")
    count, first = (sum(row[at] for row in groups) for at in (3, 4))
    best = _best(query) if any(row[5] for row in groups) else {}
    rolls = [
        _roll(roll, list(rows), count, best.get(roll, ""), filters.min_count)
        for roll, rows in groupby(groups, lambda row: row[0])
    ]
    ways = _ways(query, count, first, filters.min_count)
    # Nobody doubles before the first roll.
    missed = count > first and bool(query("1", "t.roll > 0 AND t.missed > 0", "LIMIT 1"))
    cube = _cube(query, position, missed=missed)
    return Node(position, count, ways, tuple(reversed(rolls)), cube)


def plays_of(
    connection: sqlite3.Connection, position: Position, roll: Roll, filters: Filters = ALL
) -> tuple[PlayRow, ...]:
    """The plays of one roll there as `node` has them, empty if it was never thrown."""
    query = _Query(connection, pack_position(position), filters)
    rows = query(_PLAYS, f"t.roll = {10 * roll.high + roll.low}", "GROUP BY t.roll, t.nactation")
    return _roll(10 * roll.high + roll.low, rows, 1, "", filters.min_count).plays if rows else ()


class _Query(NamedTuple):
    """Runs queries over the turns of a position that meet the filters."""

    connection: sqlite3.Connection
    key: bytes
    filters: Filters

    def __call__(
        self, what: str, which: str, end: str = "", *values: bytes, joined: bool = False
    ) -> list[Any]:
        condition, parameters = where(self.filters)
        tables = TABLES if condition or joined else "turns AS t"
        also = f" AND {condition}" if condition else ""
        sql = f"SELECT {what} FROM {tables} WHERE t.position = ? AND {which}{also} {end}"
        return self.connection.execute(sql, (self.key, *values, *parameters)).fetchall()


def _roll(roll: int, rows: Sequence[Any], count: int, best: str, min_count: int) -> RollRow:
    thrown = sum(row[3] for row in rows)
    plays = [
        PlayRow(times, times / thrown, *_means(numbers), name, play)
        for _, name, play, times, _, *numbers in rows
        if times >= min_count
    ]
    plays.sort(key=ORDERS["error"])
    return RollRow(Roll(*divmod(roll, 10)), thrown, thrown / count, tuple(plays), best)


def _best(query: _Query) -> dict[int, str]:
    """For each roll the Nactation that most analyses have as the best."""
    what = "t.roll, ifnull(t.best, t.nactation) AS voted, count(*)"
    which = "t.roll > 0 AND (t.best IS NOT NULL OR t.error = 0)"
    order = "GROUP BY t.roll, voted ORDER BY count(*), voted DESC"
    return {roll: name for roll, name, _ in query(what, which, order)}


def _means(numbers: Sequence[Any]) -> tuple[Mean | None, Mean | None, Mean | None]:
    error, adjusted, result = numbers[:3], numbers[3:6], numbers[6:9]
    return _mean(error, UNIT), _mean(adjusted, UNIT), _mean(result)


# Student's t for 95 of 100, by the number of values from 2 on; it falls to that of the normal
# distribution, which the formula behind it meets within a thousandth.
_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
)


_SAME = 1e-12  # of the squares; less than this is the rounding of their sum


def _mean(known: Sequence[Any], unit: int = 1) -> Mean | None:
    """The mean of values of which count, sum and sum of squares are known; None of no values."""
    count, total, squares = known
    if not count:
        return None
    value = total / count
    spread = squares - total * value
    free = count - 1
    if free == 0 or spread <= _SAME * squares:
        return Mean(count, value / unit, None)
    student = _T[free - 1] if free <= len(_T) else 1.96 + 2.45 / free
    return Mean(count, value / unit, student * (spread / free / count) ** 0.5 / unit)


def _order_by_error(play: PlayRow) -> Any:
    error = play.error
    known = error is not None and error.count >= ENOUGH
    return not known, error.value if known and error else 0.0, *_by_count(play)


def _by_count(play: PlayRow) -> Any:
    return -play.count, play.nactation


def _by_mean(which: Callable[[PlayRow], Mean | None]) -> Callable[[PlayRow], Any]:
    def key(play: PlayRow) -> Any:
        found = which(play)
        return found is None, -found.value if found else 0.0, *_by_count(play)

    return key


# How plays of a roll may be ordered, each by a key: by the mean error where enough errors are
# known, behind them by count; by count; by the mean result, adjusted or plain.
ORDERS: dict[str, Callable[[PlayRow], Any]] = {
    "error": _order_by_error,
    "count": _by_count,
    "adjusted": _by_mean(lambda play: play.adjusted),
    "result": _by_mean(lambda play: play.result),
}


def reordered(found: Node, order: str) -> Node:
    """The same node with its plays in another order, by its name in ORDERS; KeyError."""
    key = ORDERS[order]
    rolls = [replace(row, plays=tuple(sorted(row.plays, key=key))) for row in found.rolls]
    return replace(found, rolls=tuple(rolls))


# The cube

_MAY_DOUBLE = (  # as GameState has it; nobody doubles before the first roll
    "t.roll > 0 AND t.turn > 1 AND (t.owner IS NULL OR t.owner = t.player) AND NOT g.crawford AND "
    f"(m.length = 0 OR m.length - {OWN_SCORE} > t.cube)"
)


def _cube(query: _Query, position: Position, *, missed: bool) -> tuple[CubeRow, ...]:
    """The cube actions before the rolls; `missed` says that not doubling was wrong at times."""
    what = f"t.nactation, count(*), {_MEANS}"
    doubles = query(what, "t.roll = 0 AND t.nactation = 'double'", "GROUP BY t.nactation")
    if doubles or missed:
        of_missed = f"'no double', {what.partition(', ')[2]}".replace("t.error", "t.missed")
        doubles = [*query(of_missed, _MAY_DOUBLE, joined=True), *doubles]
    answering = query._replace(key=pack_position(position.switch_sides()))
    acts = "GROUP BY t.nactation ORDER BY t.nactation DESC"
    answers = answering(what, _ANSWER, acts, query.key)
    return (*_shared(doubles), *_shared(answers))


# To a double, and not to a beaver, whose answer stands in the same position.
_ANSWER = (
    "t.roll = 0 AND t.nactation IN ('take', 'beaver', 'drop') AND NOT EXISTS (SELECT 1 FROM turns"
    " AS b WHERE b.position = ? AND b.roll = 0 AND b.game = t.game AND b.turn = t.turn - 1"
    " AND b.nactation = 'beaver')"
)


def _shared(rows: Iterable[Any]) -> Iterator[CubeRow]:
    found = [row for row in rows if row[1]]
    total = sum(row[1] for row in found)
    for act, count, *numbers in found:
        yield CubeRow(count, count / total, *_means(numbers), act)


# The sequences


def _ways(query: _Query, count: int, first: int, min_count: int) -> tuple[LeadingSequence, ...]:
    ways = Counter({"": first}) if first else Counter[str]()
    if count > first:
        rows = query(
            "g.sequence, t.turn, t.roll, t.nactation", "t.roll > 0 AND t.turn > 1", joined=True
        )
        ways.update(way for way in (_way(*row) for row in rows) if way is not None)
    return tuple(
        LeadingSequence(way, times)
        for way, times in sorted(ways.items(), key=lambda one: (-one[1], one[0]))
        if times >= min_count
    )


def _way(sequence: str, turn: int, roll: int, name: str) -> str | None:
    """What stands before a turn in the sequence of its game; None if that cannot be told.

    Sequences have no token for a take, nor for a beaver or a position that is set up.
    """
    head, _, rest = sequence.rpartition(" ")
    tokens = rest.removeprefix("-").split("-")
    written = {f"{roll}{name}", f"{roll}", "F" if name == FAN else ""}
    told = at = 0
    while told < turn - 1 and at < len(tokens):
        told += 2 if tokens[at] in {"C", "R"} else 1  # whoever plays on has taken
        at += 1
    for place in range(min(at, len(tokens) - 1), -1, -1):
        if tokens[place] in written:
            return f"{head} {'-'.join(tokens[:place])}".strip()
    return None


# The tree


def after(position: Position, play: str) -> Position:
    """The board after a play in traditional notation, empty for none, from the other's side."""
    return (force_hops(parse_hops(play), position) if play else position).switch_sides()


def tree(
    connection: sqlite3.Connection, position: Position, filters: Filters, depth: int
) -> dict[Position, Node]:
    """The nodes that up to `depth` - 1 plays lead to from a position, each once, nearest first.

    Plays that are not listed, for want of `filters.min_count`, are not followed. The first node is
    that of the position; the others are those of which a roll is known.
    """
    nodes = {position: node(connection, position, filters)}
    edge = [nodes[position]]
    for _ in range(depth - 1):
        reached = {
            after(one.position, play.play): None
            for one in edge
            for row in one.rolls
            for play in row.plays
        }
        found = (node(connection, one, filters) for one in reached if one not in nodes)
        edge = [one for one in found if one.count]
        nodes.update((one.position, one) for one in edge)
    return nodes


def branches(nodes: Mapping[Position, Node], position: Position, depth: int) -> Iterator[Branch]:
    """The plays of a tree as one reads it, each followed by those that answer it."""
    places: dict[Position, tuple[str, ...]] = {position: ()}

    def walk(one: Node, tokens: tuple[str, ...], left: int) -> Iterator[Branch]:
        for row in one.rolls:
            for play in row.plays:
                way = (*tokens, f"{row.roll}{play.nactation}")
                reached = after(one.position, play.play)
                goes_on = left > 1 and reached in nodes
                known = places.get(reached, ()) if goes_on else ()
                yield Branch(way, one, row, play, reached, known)
                if goes_on and reached not in places:
                    places[reached] = way
                    yield from walk(nodes[reached], way, left - 1)

    return walk(nodes[position], (), depth)
