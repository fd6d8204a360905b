"""The wrong decisions of an archive, each with its theme and phase."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from gnubg_nactation.archive.database import UNIT, quick_texts
from gnubg_nactation.archive.filters import PLAYER, Filters, Selection, roll_of, selects, where
from gnubg_nactation.archive.finding import TurnLocation
from gnubg_nactation.archive.mistake_table import prepare_mistakes
from gnubg_nactation.archive.tallies import LEAST_WRONG
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.system.resources import near
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3

NOW = 0  # the later period; 1 is the earlier one, 2 is unknown
_GAMES = "matches AS m CROSS JOIN games AS g ON g.match = m.id"
_SIDES = tuple(Player)
_ANSWERS = FAULTS[CubeAct.TAKE], FAULTS[CubeAct.DROP]
_HAS_NAME = (
    f"{PLAYER} IN (SELECT id FROM players"
    " WHERE fold(name) IN (SELECT fold(value) FROM json_each(?)))"
)


class Example(NamedTuple):
    """A wrong decision, its state, the names of both players and the date of the match.

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
    players: tuple[str, str] = ("", "")
    date: str = ""


def condition_of(filters: Filters, names: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    """The condition in SQL over TABLES for turns of players with one of these names, if any."""
    condition, values = where(filters)
    if names:
        condition = f"{condition or 1} AND {_HAS_NAME}"
        values = (*values, json.dumps(names))
    return condition or "1", values


class Query(NamedTuple):
    """The decisions that meet the filters; `since` only divides them."""

    selection: Selection
    since: str

    @classmethod
    def of(cls, filters: Filters, names: Sequence[str], tables: str) -> Query:
        """Those of a player with one of these names, in tables with the aliases of TABLES."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(Selection(tables, condition, values), filters.since)

    def select(self, columns: str, suffix: str = "") -> tuple[str, tuple[Any, ...]]:
        """Return the SQL for the period and these columns, and its values."""
        period = "CASE m.date WHEN '' THEN 2 ELSE m.date < ? END" if self.since else "0"
        tables, condition, values = self.selection
        sql = f"SELECT {period}, {columns} FROM {tables} WHERE {condition} {suffix}"
        return sql, (*filter(None, [self.since]), *values)


class Mistake(NamedTuple):
    """A wrong play, or a wrong cube action: then `made` is the fault and `best` is None.

    `period` is NOW or that before it. `game`, `turn` and `kind` are its key in the table
    `mistakes`, which explains the other columns.
    """

    period: int
    lost: int
    game: int
    turn: int
    kind: int
    position: bytes
    roll: int
    made: str
    best: str | None
    theme: str
    phase: str
    opening: str
    away: int
    opponent_away: int


_COLUMNS = (
    "t.lost, t.game, t.turn, t.kind, t.position, t.roll, ifnull(t.fault, t.nactation), t.best,"
    " t.theme, t.phase, t.opening, t.away, t.opponent_away"
)


def find_mistakes(
    connection: sqlite3.Connection,
    filters: Filters,
    names: Sequence[str],
    most: int | None = None,
    theme: str = "",
    least: float = 0,
) -> list[Any]:
    """The wrong plays and cube actions of a player, as tuples with the fields of Mistake.

    Those without a date are left out if there are periods. The mistakes of the later period come
    first, the costliest of each first, then by game and turn. With `most` so many are enough.
    They have the `theme`, if any, and lose at `least` so many points, in whole thousandths.
    """
    query = Query.of(filters, names, f"{_GAMES} CROSS JOIN mistakes AS t ON t.game = g.id")
    _, condition, values = query.selection
    games = f"SELECT g.id FROM {_GAMES} WHERE {selects(None, condition)}"
    prepare_mistakes(connection, games, values)
    dated = "AND m.date <> ''" if query.since else ""
    limit = "" if most is None else f"LIMIT {most}"
    lost = round(least * UNIT) - LEAST_WRONG  # rounding to thousandths may add that
    alike = f"AND t.lost >= {lost} {'AND t.theme = ?' if theme else ''}"
    order = "ORDER BY 1, 2 DESC, 3, 4, 5"
    sql, parameters = query.select(_COLUMNS, f"{dated} {alike} {order} {limit}")
    with quick_texts(connection):
        return connection.execute(sql, (*parameters, *filter(None, [theme]))).fetchall()


def examples_of(
    connection: sqlite3.Connection, mistakes: Iterable[Any]
) -> Callable[[Any], Example]:
    """A function that gives each of these mistakes its state, place and players."""
    keys = {mistake[_KEY] for mistake in mistakes}
    rows = connection.execute(_EXAMPLES, (json.dumps([*keys]),))
    file = cache(near)
    examples = {row[:3]: _example(row[3:], file) for row in rows}
    return lambda mistake: examples[mistake[_KEY]]


_KEY = slice(2, 5)  # of a mistake in the table
_EXAMPLES = """
SELECT w.game, w.turn, w.kind, w.lost, w.fault, w.nactation, t.play, w.best, w.position, w.roll,
f.path, m.place, g.number, w.move, w.player, t.cube, t.owner, g.first_score, g.second_score,
m.length, g.crawford, m.jacoby, a.name, b.name, m.date
FROM json_each(?) AS k CROSS JOIN mistakes AS w ON w.game = json_extract(k.value, '$[0]')
AND w.turn = json_extract(k.value, '$[1]') AND w.kind = json_extract(k.value, '$[2]')
CROSS JOIN turns AS t ON t.position = w.position AND t.roll = w.roll AND t.nactation = w.nactation
AND t.game = w.game AND t.turn = w.turn
JOIN games AS g ON g.id = w.game JOIN matches AS m ON m.id = g.match
JOIN files AS f ON f.id = m.file JOIN players AS a ON a.id = m.first
JOIN players AS b ON b.id = m.second
"""


def _example(row: Any, file: Callable[[str], str]) -> Example:
    lost, fault, nactation, play, best, position, roll, path, match, game, move, player, *more = row
    cube, owner, own, other, length, crawford, jacoby, first, second, date = more
    state = GameState(
        unpack_position(position),
        _SIDES[player],
        None if fault else roll_of(roll),
        cube,
        None if owner is None else _SIDES[owner],
        (own, other),
        length,
        bool(crawford),
        bool(jacoby),
        fault in _ANSWERS,
    )
    place = TurnLocation(file(path), match, game, move, player)
    made, play, best = (fault, "", "") if fault else (nactation, play, best)
    return Example(place, state, made, play, best, lost / UNIT, (first, second), date)
