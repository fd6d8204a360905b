"""What costs a player most, by the analysed decisions of an archive: plays, families, the cube."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

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

_EXAMPLES = 3  # of a leak, those that cost most
_FAULTS = {act.value: fault for act, fault in FAULTS.items()}
_ANSWERS = FAULTS[CubeAct.TAKE], FAULTS[CubeAct.DROP]
REDOUBLED = {  # faults of who owns the cube, in the place of others
    FAULTS[CubeAct.NO_DOUBLE]: "missed redouble",
    FAULTS[CubeAct.DOUBLE]: "wrong redouble",
}


class Cost(NamedTuple):
    """How often something was wrong, and what it cost in all, in units of the archive."""

    times: int = 0
    lost: int = 0

    def plus(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.times + other.times, self.lost + other.lost)

    @property
    def points(self) -> float:
        """What it cost in all, in points."""
        return self.lost / UNIT

    @property
    def mean(self) -> float:
        """What it cost each time, in points."""
        return self.points / self.times if self.times else 0.0


class Account(NamedTuple):
    """The decisions of a player that are analysed.

    `games` are all that meet the filters, `analysed` those with a decision that is analysed.
    `plays` are rolls that could be played in several ways, `cubes` decisions about the cube, those
    not to double among them; `wrong_plays` and `wrong_cubes` are what they lost. `levels` has by
    which analysis, with the number of turns, most first.
    """

    games: int = 0
    analysed: int = 0
    plays: int = 0
    cubes: int = 0
    wrong_plays: Cost = Cost()
    wrong_cubes: Cost = Cost()
    levels: tuple[tuple[str, int], ...] = ()

    def per_hundred(self, cost: Cost) -> float | None:
        """What something costs in a hundred analysed games, in points; None if there is none."""
        return 100 * cost.points / self.analysed if self.analysed else None


class Example(NamedTuple):
    """A decision that was wrong, and the moment of it.

    `made` and `best` are Nactations of the roll, `play` the play made in traditional notation. Of
    the cube `made` is the fault, `missed double` or, where the player owned the cube, `missed
    redouble`, and the others are empty. `lost` is in points.
    """

    place: TurnLocation
    state: GameState
    made: str
    play: str
    best: str
    lost: float


class Leak(NamedTuple):
    """What was wrong again and again, and the examples that cost most, the later period's first.

    `made` and `best` are Nactations: of the play of a roll, or keys of their families. Of the cube
    `made` is the fault. `before` is None if the time is not divided. `faced` is how often the roll
    was to be played in the position, None where the leak is not one of a play. Of one of the cube
    `away` is how many points the player needed, None for money, and `scores` how often it happened
    where both needed so many.
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
    """The leaks of each kind, those that cost most first, and what they are found in.

    `since` divides the time, and `before` is the account of what came before; else it is empty,
    and None. `undated` counts the analysed games that are left out for want of a date.
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
    most: int = 10,
) -> Leaks:
    """The leaks of whom the filters name, so many of each kind at most.

    With `names` they are those of all who are called so. `filters.since` divides the time: of each
    leak it is told what it has cost since then and what before; a match without a date is in
    neither. Mistakes made fewer than `filters.min_count` times in both are left out. Raises
    IllegalError if no player has the name.
    """
    check_filters(connection, filters)
    for name in names:
        check_filters(connection, Filters(player=name))
    query = _Query.of(filters, names)
    account, before, undated = _accounts(connection, query)
    plays, actions = _gather(connection, query)
    kinds = _merge(plays, _play), _merge(plays, _families), _merge(actions, _fault)
    ranked = [_rank(groups, (account, before), filters.min_count)[:most] for groups in kinds]
    turns = [one.turn for kind in ranked for _, group in kind for one in group.worst]
    places = places_of(connection, turns)

    def leak(made: str, best: str, group: _Group, **more: Any) -> Leak:
        examples = tuple(one.example(places[one.turn]) for one in group.worst)
        then = group.before if filters.since else None
        return Leak(made, best, group.now, then, examples, **more)

    return Leaks(
        account,
        filters.since,
        before if filters.since else None,
        undated.analysed,
        tuple(
            leak(key[2], group.worst[0].best or "", group, faced=_faced(connection, query, key))
            for key, group in ranked[0]
        ),
        tuple(leak(made, best, group) for (made, best), group in ranked[1]),
        tuple(
            leak(fault, "", group, away=away or None, scores=_scores(actions, fault, away))
            for (fault, away), group in ranked[2]
        ),
    )


class _Query(NamedTuple):
    """The decisions that meet the filters: a condition in SQL over TABLES, with its values."""

    condition: str
    values: tuple[Any, ...]
    since: str

    @classmethod
    def of(cls, filters: Filters, names: Sequence[str]) -> _Query:
        condition, values = where(replace(filters, since=""))
        if names:
            condition = f"{condition or 1} AND {_NAMED}"
            values = (*values, json.dumps(names))
        return cls(condition or "1", values, filters.since)

    def select(self, columns: str, rest: str = "") -> tuple[str, tuple[Any, ...]]:
        """The SQL for the period and these columns, and its values."""
        period = "CASE m.date WHEN '' THEN 2 ELSE m.date < ? END" if self.since else "0"
        sql = f"SELECT {period}, {columns} FROM {TABLES} WHERE {self.condition} {rest}"
        return sql, (*filter(None, [self.since]), *self.values)


_NOW, _UNDATED = 0, 2  # periods; 1 is the time before
_NAMED = (
    "CASE t.player WHEN 0 THEN m.first ELSE m.second END IN (SELECT id FROM players"
    " WHERE name COLLATE NOCASE IN (SELECT value FROM json_each(?)))"
)
_PLAY = "t.roll > 0 AND t.error IS NOT NULL"
_ACTION = "t.roll = 0 AND t.error IS NOT NULL"
_JUDGED = "(t.error IS NOT NULL OR t.missed IS NOT NULL)"


def _accounts(connection: sqlite3.Connection, query: _Query) -> list[Account]:
    """The account of each period."""
    found = [Account(), Account(), Account()]
    games = f"count(DISTINCT t.game), count(DISTINCT CASE WHEN {_JUDGED} THEN t.game END)"
    for period, *counts in connection.execute(*query.select(games, "GROUP BY 1")):
        found[period] = Account(*counts)
    sums = ", ".join(
        f"coalesce(sum({one}), 0)"
        for one in (
            *(_PLAY, f"({_ACTION}) + (t.missed IS NOT NULL)"),
            *(f"{_PLAY} AND t.error > 0", f"({_PLAY}) * t.error"),
            f"({_ACTION} AND t.error > 0) + coalesce(t.missed > 0, 0)",
            f"coalesce(({_ACTION}) * t.error, 0) + coalesce(t.missed, 0)",
        )
    )
    level = "(SELECT name FROM levels WHERE id = t.level)"
    rows = connection.execute(
        *query.select(f"{level}, count(*), {sums}", f"AND {_JUDGED} GROUP BY 1, 2")
    )
    for period, name, turns, plays, cubes, *wrong in rows:
        one = found[period]
        found[period] = one._replace(
            plays=one.plays + plays,
            cubes=one.cubes + cubes,
            wrong_plays=one.wrong_plays.plus(Cost(*wrong[:2])),
            wrong_cubes=one.wrong_cubes.plus(Cost(*wrong[2:])),
            levels=(*one.levels, (name or "", turns)),
        )
    return [
        one._replace(levels=tuple(sorted(one.levels, key=lambda level: (-level[1], level[0]))))
        for one in found
    ]


class _Row(NamedTuple):
    """A turn with something wrong."""

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

    @classmethod
    def columns(cls) -> str:
        """The columns of TABLES behind the first."""
        games, matches = cls._fields[-5:-2], cls._fields[-2:]
        names = [f"t.{name}" for name in cls._fields[1:-5]]
        return ", ".join([*names, *(f"g.{one}" for one in games), *(f"m.{one}" for one in matches)])

    @property
    def away(self) -> tuple[int, int]:
        """What the player and the opponent need; 0 and 0 for money."""
        both = self.length - self.first_score, self.length - self.second_score
        return (both[self.player], both[1 - self.player]) if self.length else (0, 0)

    def state(self, *, doubled: bool = False) -> GameState:
        """The moment before the roll is known."""
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


class _Wrong(NamedTuple):
    """What was wrong with a turn; of the cube `made` is the fault, and `best` None."""

    row: _Row
    made: str
    best: str | None
    lost: int

    @property
    def turn(self) -> tuple[int, int]:
        """The game, and the turn in it."""
        return self.row.game, self.row.turn

    def example(self, place: TurnLocation) -> Example:
        """The same for others."""
        row, lost = self.row, self.lost / UNIT
        if self.best is None:
            state = row.state(doubled=self.made in _ANSWERS)
            return Example(place, state, self.made, "", "", lost)
        state = replace(row.state(), roll=Roll(*divmod(row.roll, 10)))
        return Example(place, state, self.made, row.play, self.best, lost)


class _Group(NamedTuple):
    """Wrong decisions that belong together, and those of them that cost most, the later first."""

    now: Cost = Cost()
    before: Cost = Cost()
    worst: tuple[_Wrong, ...] = ()

    def plus(self, other: _Group) -> _Group:
        worst = sorted(self.worst + other.worst, key=_order)
        now, before = self.now.plus(other.now), self.before.plus(other.before)
        return _Group(now, before, tuple(worst[:_EXAMPLES]))


def _order(one: _Wrong) -> tuple[int, ...]:
    return one.row.period, -one.lost, *one.turn


_Key = tuple[Any, ...]
_Groups = dict[_Key, _Group]


def _gather(connection: sqlite3.Connection, query: _Query) -> tuple[_Groups, _Groups]:
    """What was wrong by position, roll, play made and best play; and by fault and score."""
    plays: _Groups = {}
    actions: _Groups = {}
    nothing = _Group()
    wrong = "AND (t.error > 0 OR t.missed > 0)"
    for found in connection.execute(*query.select(_Row.columns(), wrong)):
        row = _Row(*found)
        for one in _wrongs(row) if row.period != _UNDATED else ():
            cost = Cost(1, one.lost)
            group = _Group(*((Cost(), cost) if row.period else (cost, Cost())), (one,))
            if one.best is None:
                key: _Key = one.made, *row.away
                actions[key] = actions.get(key, nothing).plus(group)
            else:
                key = row.position, row.roll, one.made, one.best
                plays[key] = plays.get(key, nothing).plus(group)
    return plays, actions


def _wrongs(row: _Row) -> Iterator[_Wrong]:
    if row.missed:
        yield _Wrong(row, _cube_fault(row, CubeAct.NO_DOUBLE.value), None, row.missed)
    if row.error and row.roll:
        yield _Wrong(row, row.nactation, row.best or "", row.error)
    elif row.error:
        yield _Wrong(row, _cube_fault(row, row.nactation), None, row.error)


def _cube_fault(row: _Row, act: str) -> str:
    """What was wrong with a cube action of this row."""
    fault = _FAULTS.get(act, f"wrong {act}")
    return REDOUBLED.get(fault, fault) if row.owner == row.player else fault


def _merge(groups: _Groups, key: Callable[[_Key], _Key]) -> _Groups:
    found: _Groups = {}
    for one, group in groups.items():
        found[key(one)] = found.get(key(one), _Group()).plus(group)
    return found


def _rank(
    groups: _Groups, accounts: tuple[Account, Account], min_count: int
) -> list[tuple[_Key, _Group]]:
    """Those met so often, those first that cost most in a hundred games of now or before."""

    def rate(group: _Group) -> float:
        now, before = accounts
        return max(now.per_hundred(group.now) or 0.0, before.per_hundred(group.before) or 0.0)

    known = [
        (key, group)
        for key, group in groups.items()
        if max(group.now.times, group.before.times) >= min_count
    ]
    return sorted(known, key=lambda one: (-rate(one[1]), *one[0]))


def _play(key: _Key) -> _Key:
    """The position, the roll and the play made, whatever was best at the score."""
    return key[:3]


def _families(key: _Key) -> _Key:
    """The families of the play made and the best."""
    return _family(key[2]), _family(key[3])


def _family(name: str) -> str:
    try:
        return parse_nactation(name).family.key
    except MalformedError:  # none is known
        return ""


def _fault(key: _Key) -> _Key:
    """The fault and what the player needed."""
    return key[:2]


def _scores(actions: _Groups, fault: str, away: int) -> tuple[tuple[tuple[int, int], int], ...]:
    found = [
        ((own, other), group.now.times + group.before.times)
        for (made, own, other), group in actions.items()
        if (made, own) == (fault, away)
    ]
    return tuple(sorted(found, key=lambda one: (-one[1], one[0]))) if away else ()


def _faced(connection: sqlite3.Connection, query: _Query, key: _Key) -> int:
    """How often the roll of a leak was to be played in its position, since the time was divided."""
    position, roll = key[:2]
    sql, values = query.select(
        "count(*)", f"AND t.position = ? AND t.roll = ? AND {_PLAY} GROUP BY 1"
    )
    counts: dict[int, int] = dict(connection.execute(sql, (*values, position, roll)))
    return counts.get(_NOW, 0)
