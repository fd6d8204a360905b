"""A player's most expensive mistakes in the analysed decisions of an archive."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import ALL, TABLES, Filters, check_filters, where
from gnubg_nactation.archive.finding import TurnLocation, places_of
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3

_MAX_EXAMPLES = 3
_FAULTS = {act.value: fault for act, fault in FAULTS.items()}
_ANSWERS = FAULTS[CubeAct.TAKE], FAULTS[CubeAct.DROP]
REDOUBLED = {  # the names of faults if the player owns the cube
    FAULTS[CubeAct.NO_DOUBLE]: "missed redouble",
    FAULTS[CubeAct.DOUBLE]: "wrong redouble",
}


class Cost(NamedTuple):
    """How often mistakes were made, and their total loss in units of the archive."""

    times: int = 0
    lost: int = 0

    def plus(self, other: Cost) -> Cost:
        """Add two costs."""
        return Cost(self.times + other.times, self.lost + other.lost)

    @property
    def points(self) -> float:
        """The total loss in points."""
        return self.lost / UNIT

    @property
    def mean(self) -> float:
        """The mean loss in points."""
        return self.points / self.times if self.times else 0.0


class Account(NamedTuple):
    """A player's analysed decisions and what the wrong ones lost.

    `games` counts all games that meet the filters, `analysed` those with an analysed decision.
    `plays` counts rolls with several legal plays, `cubes` cube decisions, those not to double
    included. `levels` lists each analysis level with its number of turns, the largest first.
    """

    games: int = 0
    analysed: int = 0
    plays: int = 0
    cubes: int = 0
    wrong_plays: Cost = Cost()
    wrong_cubes: Cost = Cost()
    levels: tuple[tuple[str, int], ...] = ()

    def per_hundred(self, cost: Cost) -> float | None:
        """The loss in points per hundred analysed games; None if no game is analysed."""
        return 100 * cost.points / self.analysed if self.analysed else None


class Example(NamedTuple):
    """A wrong decision and its state.

    `made` and `best` are Nactations of the roll, `play` is the play made in traditional notation.
    For a cube action `made` is the fault, such as `missed double` or, if the player owned the
    cube, `missed redouble`; the other two are empty. `lost` is in points.
    """

    place: TurnLocation
    state: GameState
    made: str
    play: str
    best: str
    lost: float


class Leak(NamedTuple):
    """A recurring mistake with its most expensive examples, those of the later period first.

    `made` and `best` are Nactations, keys of families, or the fault of a cube action and nothing.
    `before` is None if there is only one period. `faced` is how often the player had the roll in
    the position; None unless the leak is a play. For cube actions `away` is the player's away
    score, None for money, and `scores` counts both away scores.
    """

    made: str
    best: str
    now: Cost
    before: Cost | None
    examples: tuple[Example, ...]
    faced: int | None = None
    away: int | None = None
    scores: tuple[tuple[tuple[int, int], int], ...] = ()


class Leaks(NamedTuple):
    """The leaks of each kind, the most expensive first, and the accounts they come from.

    `since` separates the two periods, and `before` is the account of the earlier one; without it
    they are empty and None. `undated` counts analysed games left out because they have no date.
    """

    account: Account
    since: str
    before: Account | None
    undated: int
    plays: tuple[Leak, ...]
    families: tuple[Leak, ...]
    cubes: tuple[Leak, ...]


def find_leaks(
    connection: sqlite3.Connection,
    filters: Filters = ALL,
    names: Sequence[str] = (),
    limit: int = 10,
) -> Leaks:
    """Find the `limit` most expensive leaks of each kind for the filtered player.

    `names` selects all players with these names. `filters.since` separates two periods: each leak
    has its cost in both, and matches without a date are left out. A mistake counts if it was made
    at least `filters.min_count` times in one period. Raises UnknownError for an unknown name.
    """
    check_filters(connection, filters)
    for name in names:
        check_filters(connection, Filters(player=name))
    query = _Query.of(filters, names)
    account, earlier, undated = _accounts(connection, query)
    plays: list[_Mistake] = []
    actions: list[_Mistake] = []
    for mistake in _mistakes(connection, query):
        (actions if mistake.best is None else plays).append(mistake)

    def rate(group: _Group) -> float:
        return max(account.per_hundred(group.now) or 0.0, earlier.per_hundred(group.before) or 0.0)

    def rank(mistakes: Iterable[_Mistake], key: Callable[[_Mistake], _Key]) -> _Ranking:
        members: dict[_Key, list[_Mistake]] = defaultdict(list)
        for mistake in mistakes:
            members[key(mistake)].append(mistake)
        groups = [(key, _Group.of(similar)) for key, similar in members.items()]
        listed = [
            (key, group)
            for key, group in groups
            if max(group.now.times, group.before.times) >= filters.min_count
        ]
        return sorted(listed, key=lambda item: (-rate(item[1]), *item[0]))[:limit]

    play_leaks = rank(plays, lambda mistake: (mistake.row.position, mistake.row.roll, mistake.made))
    family_leaks = rank(plays, lambda mistake: (_family(mistake.made), _family(mistake.best or "")))
    cube_leaks = rank(actions, lambda mistake: (mistake.made, mistake.row.away[0]))
    ranked = (*play_leaks, *family_leaks, *cube_leaks)
    places = places_of(connection, [mistake.turn for _, group in ranked for mistake in group.worst])

    def leak(made: str, best: str, group: _Group, **more: Any) -> Leak:
        examples = tuple(mistake.example(places[mistake.turn]) for mistake in group.worst)
        return Leak(made, best, group.now, group.before if query.since else None, examples, **more)

    return Leaks(
        account,
        filters.since,
        earlier if query.since else None,
        undated.analysed,
        tuple(
            leak(
                key[2], group.worst[0].best or "", group, faced=_faced(connection, query, *key[:2])
            )
            for key, group in play_leaks
        ),
        tuple(leak(made, best, group) for (made, best), group in family_leaks),
        tuple(
            leak(fault, "", group, away=away or None, scores=group.scores if away else ())
            for (fault, away), group in cube_leaks
        ),
    )


class _Query(NamedTuple):
    """The decisions that meet the filters: a condition in SQL over TABLES and its values."""

    condition: str
    values: tuple[Any, ...]
    since: str

    @classmethod
    def of(cls, filters: Filters, names: Sequence[str]) -> _Query:
        condition, values = where(replace(filters, since=""))
        if names:
            condition = f"{condition or 1} AND {_HAS_NAME}"
            values = (*values, json.dumps(names))
        return cls(condition or "1", values, filters.since)

    def select(self, columns: str, suffix: str = "") -> tuple[str, tuple[Any, ...]]:
        """Return the SQL for the period and these columns, and its values."""
        period = "CASE m.date WHEN '' THEN 2 ELSE m.date < ? END" if self.since else "0"
        sql = f"SELECT {period}, {columns} FROM {TABLES} WHERE {self.condition} {suffix}"
        return sql, (*filter(None, [self.since]), *self.values)


_NOW, _UNDATED = 0, 2  # periods; 1 is the earlier one
_HAS_NAME = (
    "CASE t.player WHEN 0 THEN m.first ELSE m.second END IN (SELECT id FROM players"
    " WHERE name COLLATE NOCASE IN (SELECT value FROM json_each(?)))"
)
_PLAY = "t.roll > 0 AND t.error IS NOT NULL"
_ACTION = "t.roll = 0 AND t.error IS NOT NULL"
_ANALYSED = "(t.error IS NOT NULL OR t.missed IS NOT NULL)"


def _accounts(connection: sqlite3.Connection, query: _Query) -> list[Account]:
    """Return the account of each period."""
    accounts = [Account(), Account(), Account()]
    games = f"count(DISTINCT t.game), count(DISTINCT CASE WHEN {_ANALYSED} THEN t.game END)"
    for period, *counts in connection.execute(*query.select(games, "GROUP BY 1")):
        accounts[period] = Account(*counts)
    sums = ", ".join(
        f"coalesce(sum({term}), 0)"
        for term in (
            *(_PLAY, f"({_ACTION}) + (t.missed IS NOT NULL)"),
            *(f"{_PLAY} AND t.error > 0", f"({_PLAY}) * t.error"),
            f"({_ACTION} AND t.error > 0) + coalesce(t.missed > 0, 0)",
            f"coalesce(({_ACTION}) * t.error, 0) + coalesce(t.missed, 0)",
        )
    )
    level = "ifnull((SELECT name FROM levels WHERE id = t.level), '')"
    by_level = f"AND {_ANALYSED} GROUP BY 1, 2 ORDER BY 1, count(*) DESC, 2"
    rows = connection.execute(*query.select(f"{level}, count(*), {sums}", by_level))
    for period, group in groupby(rows, itemgetter(0)):
        _, levels, turns, *columns = zip(*group, strict=True)
        plays, cubes, wrong_plays, play_loss, wrong_cubes, cube_loss = map(sum, columns)
        accounts[period] = accounts[period]._replace(
            plays=plays,
            cubes=cubes,
            wrong_plays=Cost(wrong_plays, play_loss),
            wrong_cubes=Cost(wrong_cubes, cube_loss),
            levels=tuple(zip(levels, turns, strict=True)),
        )
    return accounts


_COLUMNS = (
    "t.position, t.roll, t.game, t.turn, t.player, t.cube, t.owner, t.nactation, t.play, t.error,"
    " t.missed, t.best, g.first_score, g.second_score, g.crawford, m.length, m.jacoby"
)


class _Row(NamedTuple):
    """A turn with a mistake: its period and _COLUMNS."""

    period: int
    position: bytes
    roll: int
    game: int
    turn: int
    player: int
    cube: int
    owner: int | None
    nactation: str
    play: str
    error: int | None
    missed: int | None
    best: str | None
    first_score: int
    second_score: int
    crawford: int
    length: int
    jacoby: int

    @property
    def away(self) -> tuple[int, int]:
        """The away scores of the player and the opponent; 0 and 0 for money."""
        both = self.length - self.first_score, self.length - self.second_score
        return (both[self.player], both[1 - self.player]) if self.length else (0, 0)

    def state(self, *, doubled: bool = False) -> GameState:
        """The state before the roll is known."""
        return GameState(
            unpack_position(self.position),
            Player(self.player),
            None,
            self.cube,
            None if self.owner is None else Player(self.owner),
            (self.first_score, self.second_score),
            self.length,
            bool(self.crawford),
            bool(self.jacoby),
            doubled,
        )


class _Mistake(NamedTuple):
    """A wrong play, or a wrong cube action: then `made` is the fault and `best` is None."""

    row: _Row
    made: str
    best: str | None
    lost: int

    @property
    def turn(self) -> tuple[int, int]:
        """The game and its turn."""
        return self.row.game, self.row.turn

    def example(self, place: TurnLocation) -> Example:
        row, lost = self.row, self.lost / UNIT
        if self.best is None:
            state = row.state(doubled=self.made in _ANSWERS)
            return Example(place, state, self.made, "", "", lost)
        state = replace(row.state(), roll=Roll(*divmod(row.roll, 10)))
        return Example(place, state, self.made, row.play, self.best, lost)


class _Group(NamedTuple):
    """Similar mistakes and their cost in both periods."""

    now: Cost
    before: Cost
    mistakes: Sequence[_Mistake]

    @classmethod
    def of(cls, mistakes: Sequence[_Mistake]) -> _Group:
        now = [mistake.lost for mistake in mistakes if mistake.row.period == _NOW]
        earlier = [mistake.lost for mistake in mistakes if mistake.row.period != _NOW]
        return cls(Cost(len(now), sum(now)), Cost(len(earlier), sum(earlier)), mistakes)

    @property
    def worst(self) -> list[_Mistake]:
        """The most expensive mistakes, those of the later period first."""
        return nsmallest(_MAX_EXAMPLES, self.mistakes, key=_order)

    @property
    def scores(self) -> tuple[tuple[tuple[int, int], int], ...]:
        """The away scores and how often they occurred, the most frequent first."""
        counts = Counter(mistake.row.away for mistake in self.mistakes)
        return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _order(mistake: _Mistake) -> tuple[int, ...]:
    return mistake.row.period, -mistake.lost, *mistake.turn


_Key = tuple[Any, ...]
_Ranking = list[tuple[_Key, _Group]]


def _mistakes(connection: sqlite3.Connection, query: _Query) -> Iterator[_Mistake]:
    for values in connection.execute(*query.select(_COLUMNS, "AND (t.error > 0 OR t.missed > 0)")):
        row = _Row(*values)
        if row.period == _UNDATED:
            continue
        if row.missed:
            yield _Mistake(row, _cube_fault(row, CubeAct.NO_DOUBLE.value), None, row.missed)
        if row.error and row.roll:
            yield _Mistake(row, row.nactation, row.best or "", row.error)
        elif row.error:
            yield _Mistake(row, _cube_fault(row, row.nactation), None, row.error)


def _cube_fault(row: _Row, act: str) -> str:
    fault = _FAULTS.get(act, f"wrong {act}")
    return REDOUBLED.get(fault, fault) if row.owner == row.player else fault


@lru_cache(maxsize=1 << 10)
def _family(name: str) -> str:
    try:
        return parse_nactation(name).family.key
    except MalformedError:  # the best play is unknown
        return ""


def _faced(connection: sqlite3.Connection, query: _Query, position: bytes, roll: int) -> int:
    """Count how often the roll had to be played in the position, in the later period."""
    sql, values = query.select(
        "count(*)", f"AND t.position = ? AND t.roll = ? AND {_PLAY} GROUP BY 1"
    )
    counts: dict[int, int] = dict(connection.execute(sql, (*values, position, roll)))
    return counts.get(_NOW, 0)
