"""The plays and cube actions made in a position: how often, their errors and their results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice

from gnubg_nactation.archive.database import UNIT, quick_texts
from gnubg_nactation.archive.filters import (
    ALL,
    OWN_SCORE,
    TABLES,
    Filters,
    Selection,
    roll_of,
    selects,
    turns_of_games,
    where,
)
from gnubg_nactation.backgammon.ids import pack_id, pack_position
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, dataclass, replace

if TYPE_CHECKING:
    import sqlite3

ENOUGH = 2  # errors, so that their mean can order plays: the fewest that have a margin of error


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `count` values, in points.

    Results are for a cube of 1, errors for the cube at that time. `within` is the 95 % margin of
    error; None for a single value, or if all values are the same.
    """

    count: int
    value: float
    within: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was done, its share of all opportunities, its error and its result.

    `error` is the loss according to the analyses, never negative. `result` is what the player won
    in these games, `adjusted` the same without the luck of all later rolls. Each is None if it is
    unknown.
    """

    count: int
    share: float
    error: Mean | None
    adjusted: Mean | None
    result: Mean | None


@dataclass(frozen=True, slots=True)
class PlayRow(Tally):
    """A play and how often it was made with its roll.

    `nactation` is the preferred one, `^` for a fan, empty if there was no legal play; `play` is
    in traditional notation.
    """

    nactation: str
    play: str


@dataclass(frozen=True, slots=True)
class RollRow:
    """A roll, how often it was thrown, its share of all rolls in the position, and its plays.

    `best` is the Nactation of the play that most analyses rate best; empty without analyses.
    """

    roll: Roll
    count: int
    share: float
    plays: tuple[PlayRow, ...]
    best: str


@dataclass(frozen=True, slots=True)
class CubeRow(Tally):
    """A cube action and how often the player chose it.

    `action` is `no double` or `double` of the player on roll; or `take`, `beaver` or `drop` of the
    opponent, with means from the opponent's side. No double counts only if the player could double
    and the cube was not dead.
    """

    action: str


@dataclass(frozen=True, slots=True)
class LeadingSequence:
    """A sequence that led to the position, and how often; empty for the start of a game."""

    sequence: str
    count: int


@dataclass(frozen=True, slots=True)
class Node:
    """A position, numbered from the player on roll, and its statistics.

    `count` is the number of rolls thrown. `ways` are the known sequences that led here, the most
    frequent first; `with_ways` adds them. `rolls` go from 66 down to 11. `cube` has the actions in
    the order of CubeRow; it is empty if no player doubled and no analysis recommends to double.
    """

    position: Position
    count: int
    ways: tuple[LeadingSequence, ...] = ()
    rolls: tuple[RollRow, ...] = ()
    cube: tuple[CubeRow, ...] = ()


_MEANS = ", ".join(
    f"count({column}), sum({column}), total({column} * {column})"
    for column in ("t.error", "t.adjusted", "t.result")
)
_PLAYS = f"t.roll, t.nactation, t.play, count(*), sum(t.turn = 1), {_MEANS}"


def node(connection: sqlite3.Connection, position: Position, filters: Filters = ALL) -> Node:
    """Return the statistics of a position; may raise sqlite3.Error.

    All turns that meet the filters count, whatever moves led here. Plays and sequences seen fewer
    than `filters.min_count` times are not listed. Plays have the order `error` of ORDERS.
    """
    bare = nodes_at(connection, [position], filters)
    return with_ways(connection, bare, filters)[position]


def nodes_at(
    connection: sqlite3.Connection, positions: Iterable[Position], filters: Filters = ALL
) -> dict[Position, Node]:
    """Return the statistics of positions, each as in `node` but without its `ways`."""
    nodes: dict[Position, Node] = {}
    for some in _portions(positions):
        nodes |= _nodes_at(connection, some, filters)
    return nodes


def with_ways(
    connection: sqlite3.Connection, nodes: Mapping[Position, Node], filters: Filters = ALL
) -> dict[Position, Node]:
    """Return nodes with the sequences that led to them; this reads each of their turns."""
    ways: dict[bytes, Counter[str]] = {}
    for some in _portions(nodes):
        ways |= _ways(_Query(connection, tuple(map(pack_position, some)), filters))
    return {
        position: replace(
            node, ways=_leading(ways.get(pack_position(position), {}), filters.min_count)
        )
        for position, node in nodes.items()
    }


def _portions(positions: Iterable[Position]) -> Iterator[list[Position]]:
    rest = iter(positions)
    while some := list(islice(rest, _MAX_POSITIONS)):
        yield some


_MAX_POSITIONS = 400  # of a query; older versions of SQLite allow 999 values


def _nodes_at(
    connection: sqlite3.Connection, positions: Sequence[Position], filters: Filters
) -> dict[Position, Node]:
    query = _Query(connection, tuple(map(pack_position, positions)), filters)
    groups = _by_position(query(_PLAYS, "t.roll > 0", "GROUP BY t.position, t.roll, t.nactation"))
    best = _best(query) if any(row[5] for rows in groups.values() for row in rows) else {}
    missed = {key for (key,) in query("", "t.roll > 0 AND t.missed > 0", "GROUP BY 1")}
    cubes = _with_cubes(query, positions)
    nodes: dict[Position, Node] = {}
    for key, position in zip(query.keys, positions, strict=True):
        rows = groups.get(key, [])
        count, first = (sum(row[at] for row in rows) for at in (3, 4))
        rolls = [
            _roll(roll, list(same), count, best.get((key, roll), ""), filters.min_count)
            for roll, same in groupby(rows, lambda row: row[0])
        ]
        cube: tuple[CubeRow, ...] = ()
        if key in missed or key in cubes:
            # Before the first roll no player may double.
            has_missed = key in missed and count > first
            cube = _cube(query._replace(keys=(key,)), position, missed=has_missed)
        nodes[position] = Node(position, count, (), tuple(reversed(rolls)), cube)
    return nodes


def _by_position(rows: Iterable[Any]) -> dict[bytes, list[Any]]:
    """Group rows by the position that they begin with, in any order."""
    groups: dict[bytes, list[Any]] = defaultdict(list)
    for key, *row in rows:
        groups[key].append(row)
    return groups


def _with_cubes(query: _Query, positions: Sequence[Position]) -> set[bytes]:
    """The positions with a cube action, or with an answer to one in the position after it."""
    answered = [pack_position(position.switch_sides()) for position in positions]
    asked = dict(zip(answered, query.keys, strict=True))
    acts = {key for (key,) in query("", "t.roll = 0", "GROUP BY 1")}
    answers = query._replace(keys=tuple(answered))("", "t.roll = 0", "GROUP BY 1")
    return acts | {asked[key] for (key,) in answers}


def plays_of(
    connection: sqlite3.Connection, position: Position, roll: Roll, filters: Filters = ALL
) -> tuple[PlayRow, ...]:
    """Return the plays of one roll, as in `node`; empty if it was never thrown."""
    query = _Query(connection, (pack_position(position),), filters)
    rows = [row[1:] for row in query(_PLAYS, f"t.roll = {roll}", "GROUP BY t.roll, t.nactation")]
    return _roll(int(str(roll)), rows, 1, "", filters.min_count).plays if rows else ()


def count_plays(
    connection: sqlite3.Connection,
    position_ids: Iterable[str],
    condition: str = "",
    values: tuple[Any, ...] = (),
) -> Iterator[tuple[str, Roll, str, str, int]]:
    """Yield the plays made in positions: Position ID, roll, Nactation, notation, count.

    The condition is in SQL over TABLES, and `values` are its parameters.
    """
    by_key = {pack_id(position_id): position_id for position_id in position_ids}
    keys = ", ".join(f"x'{key.hex()}'" for key in by_key)
    tables, condition, parameters = _by_fewer(connection, condition, values)
    sql = (
        f"SELECT t.position, t.roll, t.nactation, t.play, count(*) FROM {tables}"
        f" WHERE t.position IN ({keys}) AND t.roll > 0 AND {condition}"
        " GROUP BY t.position, t.roll, t.nactation"
    )
    with quick_texts(connection):
        rows = connection.execute(sql, parameters).fetchall()
    for key, roll, nactation, play, count in rows:
        yield by_key[key], roll_of(roll), nactation, play, count


def _by_fewer(connection: sqlite3.Connection, condition: str, values: tuple[Any, ...]) -> Selection:
    """The turns that meet a condition, by game if that reads fewer turns than by opening position.

    A game has some thirty turns, and two or three in the positions of a book.
    """
    condition = condition or "1"
    sql = f"SELECT count(*), total({selects(None, condition)}) FROM {_GAMES}"
    games, likely = connection.execute(sql, values).fetchone()
    if likely * _TURNS_OF_GAME > games:
        return Selection(TABLES, condition, values)
    return turns_of_games(connection, condition, values)


_GAMES = "games AS g JOIN matches AS m ON m.id = g.match"
_TURNS_OF_GAME = 12  # for each turn in an opening position


class _Query(NamedTuple):
    """Runs queries over the turns of positions that meet the filters."""

    connection: sqlite3.Connection
    keys: tuple[bytes, ...]
    filters: Filters

    def __call__(
        self, columns: str, turns: str, end: str = "", *values: bytes, joined: bool = False
    ) -> Iterator[Any]:
        """Yield rows of the position and these columns."""
        condition, parameters = where(self.filters)
        tables = TABLES if condition or joined else "turns AS t"
        keys = ", ".join("?" * len(self.keys))
        sql = f"SELECT t.position{columns and f', {columns}'} FROM {tables}"
        sql += f" WHERE t.position IN ({keys}) AND {turns}"
        sql += f" AND {condition} {end}" if condition else f" {end}"
        return self.connection.execute(sql, (*self.keys, *values, *parameters))


def _roll(roll: int, rows: Sequence[Any], count: int, best: str, min_count: int) -> RollRow:
    total = sum(row[3] for row in rows)
    plays = [
        PlayRow(times, times / total, *_means(numbers), name, play)
        for _, name, play, times, _, *numbers in rows
        if times >= min_count
    ]
    plays.sort(key=ORDERS["error"])
    return RollRow(roll_of(roll), total, total / count, tuple(plays), best)


def _best(query: _Query) -> dict[tuple[bytes, int], str]:
    """Return the Nactation that most analyses rate best, for each position and roll."""
    columns = "t.roll, ifnull(t.best, t.nactation) AS voted, count(*)"
    analysed = "t.roll > 0 AND (t.best IS NOT NULL OR t.error = 0)"
    order = "GROUP BY t.position, t.roll, voted ORDER BY count(*), voted DESC"
    return {(key, roll): name for key, roll, name, _ in query(columns, analysed, order)}


def _means(numbers: Sequence[Any]) -> tuple[Mean | None, Mean | None, Mean | None]:
    error, adjusted, result = numbers[:3], numbers[3:6], numbers[6:9]
    return mean_of(error, UNIT), mean_of(adjusted, UNIT), mean_of(result)


# Student's t for 95 % of samples of 2, 3, ... values. The formula in `mean_of` continues the table
# to within a thousandth.
_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
)
_ROUNDING = 1e-12  # of a sum of squares, relative


def mean_of(numbers: Sequence[Any], unit: int = 1) -> Mean | None:
    """Return the mean from the count, sum and sum of squares of values; None without values."""
    count, total, squares = numbers
    if not count:
        return None
    value = total / count
    spread = squares - total * value
    free = count - 1
    if free == 0 or spread <= _ROUNDING * squares:
        return Mean(count, value / unit, None)
    student = _T[free - 1] if free <= len(_T) else 1.96 + 2.45 / free
    return Mean(count, value / unit, student * (spread / free / count) ** 0.5 / unit)


def _order_by_error(play: PlayRow) -> Any:
    error = play.error if play.error and play.error.count >= ENOUGH else None
    return error is None, error.value if error else 0.0, *_by_count(play)


def _by_count(play: PlayRow) -> Any:
    return -play.count, play.nactation


def _by_mean(mean: Mean | None, play: PlayRow) -> Any:
    return mean is None, -mean.value if mean else 0.0, *_by_count(play)


# The orders of a roll's plays. By error, plays with fewer than ENOUGH errors come last.
ORDERS: dict[str, Callable[[PlayRow], Any]] = {
    "error": _order_by_error,
    "count": _by_count,
    "adjusted": lambda play: _by_mean(play.adjusted, play),
    "result": lambda play: _by_mean(play.result, play),
}


def reordered(source: Node, order: str) -> Node:
    """Return the node with its plays in one of the ORDERS; raises KeyError."""
    key = ORDERS[order]
    rolls = [replace(row, plays=tuple(sorted(row.plays, key=key))) for row in source.rolls]
    return replace(source, rolls=tuple(rolls))


# The cube

_MAY_DOUBLE = (  # like GameState.may_double; no player may double before the first roll
    "t.roll > 0 AND t.turn > 1 AND (t.owner IS NULL OR t.owner = t.player) AND NOT g.crawford AND "
    f"(m.length = 0 OR m.length - {OWN_SCORE} > t.cube)"
)


def _cube(query: _Query, position: Position, *, missed: bool) -> tuple[CubeRow, ...]:
    """Return the cube actions before the rolls of a position.

    `missed` is set if a player missed a double.
    """
    columns = f"t.nactation, count(*), {_MEANS}"
    doubled = query(columns, "t.roll = 0 AND t.nactation = 'double'", "GROUP BY t.nactation")
    doubles = [row[1:] for row in doubled]
    if doubles or missed:
        no_double = f"'no double', {columns.partition(', ')[2]}".replace("t.error", "t.missed")
        doubles = [*(row[1:] for row in query(no_double, _MAY_DOUBLE, joined=True)), *doubles]
    answering = query._replace(keys=(pack_position(position.switch_sides()),))
    order = "GROUP BY t.nactation ORDER BY t.nactation DESC"
    answers = [row[1:] for row in answering(columns, _ANSWER, order, *query.keys)]
    return (*_cube_rows(doubles), *_cube_rows(answers))


# To a double; the answer to a beaver has the same position.
_ANSWER = (
    "t.roll = 0 AND t.nactation IN ('take', 'beaver', 'drop') AND NOT EXISTS (SELECT 1 FROM turns"
    " AS b WHERE b.position = ? AND b.roll = 0 AND b.game = t.game AND b.turn = t.turn - 1"
    " AND b.nactation = 'beaver')"
)


def _cube_rows(rows: Sequence[Any]) -> Iterator[CubeRow]:
    total = sum(row[1] for row in rows)
    for act, count, *numbers in rows:
        if count:
            yield CubeRow(count, count / total, *_means(numbers), act)


# The sequences


def _ways(query: _Query) -> dict[bytes, Counter[str]]:
    """Count the sequences that lead to each position; an empty one leads to the start."""
    ways: dict[bytes, Counter[str]] = defaultdict(Counter)
    for key, count in query("count(*)", "t.roll > 0 AND t.turn = 1", "GROUP BY t.position"):
        ways[key][""] = count
    columns = "g.sequence, t.turn, t.roll, t.nactation"
    for key, *row in query(columns, "t.roll > 0 AND t.turn > 1", joined=True):
        if (way := _way(*row)) is not None:
            ways[key][way] += 1
    return ways


def _leading(ways: Mapping[str, int], min_count: int) -> tuple[LeadingSequence, ...]:
    return tuple(
        LeadingSequence(way, times)
        for way, times in sorted(ways.items(), key=lambda item: (-item[1], item[0]))
        if times >= min_count
    )


def _way(sequence: str, turn: int, roll: int, name: str) -> str | None:
    """Return the part of a game's sequence before a turn; None if it cannot be found.

    Sequences have no token for a take, a beaver or a position that is set up.
    """
    head, _, text = sequence.rpartition(" ")
    tokens = text.removeprefix("-").split("-", turn)  # the rest stays together
    spellings = {f"{roll}{name}", f"{roll}", "F" if name == FAN else ""}
    turns = at = 0
    while turns < turn - 1 and at < len(tokens):
        turns += 2 if tokens[at] in {"C", "R"} else 1  # playing on implies a take
        at += 1
    for place in range(min(at, len(tokens) - 1), -1, -1):
        if tokens[place] in spellings:
            return f"{head} {'-'.join(tokens[:place])}".strip()
    return None
