"""The wrong decisions of an archive, each with its theme and phase."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import (
    TABLES,
    Filters,
    Selection,
    turns_of_games,
    where,
)
from gnubg_nactation.archive.finding import TurnLocation
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.themes import (
    OTHER,
    REDOUBLED,
    Theme,
    has_contact,
    theme_of_fault,
    theme_of_play,
)
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3

NOW, _UNDATED = 0, 2  # periods; 1 is the earlier one
PHASES = "opening", "middle", "ending"
_OPENING_PLAYS = 6  # three of each side
_FAULTS = {act.value: fault for act, fault in FAULTS.items()}
_ANSWERS = FAULTS[CubeAct.TAKE], FAULTS[CubeAct.DROP]
_HAS_NAME = (
    "CASE t.player WHEN 0 THEN m.first ELSE m.second END IN (SELECT id FROM players"
    " WHERE name COLLATE NOCASE IN (SELECT value FROM json_each(?)))"
)


class Example(NamedTuple):
    """A wrong decision, its state and the names of both players.

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


def condition_of(filters: Filters, names: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    """The condition in SQL over TABLES for turns of players with one of these names, if any."""
    condition, values = where(filters)
    if names:
        condition = f"{condition or 1} AND {_HAS_NAME}"
        values = (*values, json.dumps(names))
    return condition or "1", values


class Query(NamedTuple):
    """The decisions that meet the filters."""

    selection: Selection
    since: str

    @classmethod
    def of(cls, connection: sqlite3.Connection, filters: Filters, names: Sequence[str]) -> Query:
        """The decisions of a player with one of these names; `since` only divides them."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(turns_of_games(connection, condition, values), filters.since)

    @classmethod
    def by_position(cls, filters: Filters, names: Sequence[str]) -> Query:
        """The same, to look up a few positions."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(Selection(TABLES, condition, values), filters.since)

    def select(self, columns: str, suffix: str = "") -> tuple[str, tuple[Any, ...]]:
        """Return the SQL for the period and these columns, and its values."""
        period = "CASE m.date WHEN '' THEN 2 ELSE m.date < ? END" if self.since else "0"
        tables, condition, values = self.selection
        sql = f"SELECT {period}, {columns} FROM {tables} WHERE {condition} {suffix}"
        return sql, (*filter(None, [self.since]), *values)


_COLUMNS = (
    "t.position, t.roll, t.game, t.turn, t.player, t.cube, t.owner, t.nactation, t.play, t.error,"
    " t.missed, t.best, g.first_score, g.second_score, g.crawford, m.length, m.jacoby,"
    " substr(g.sequence, 1, 20)"
)


class Row(NamedTuple):
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
    sequence: str  # its beginning

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


class Mistake(NamedTuple):
    """A wrong play, or a wrong cube action: then `made` is the fault and `best` is None.

    `number` counts the plays of both sides in the game, this one included.
    """

    row: Row
    made: str
    best: str | None
    lost: int
    number: int
    theme: Theme

    @property
    def turn(self) -> tuple[int, int]:
        """The game and its turn."""
        return self.row.game, self.row.turn

    @property
    def phase(self) -> str:
        """The first three plays of each side, the middle with contact, or the ending."""
        if not has_contact(unpack_position(self.row.position)):
            return PHASES[2]
        return PHASES[0] if self.number <= _OPENING_PLAYS else PHASES[1]

    @property
    def opening(self) -> str:
        """The opening and the roll of a reply to it: `31P-64`; empty for all other plays."""
        if self.best is None or self.number != 2:
            return ""
        nackgammon, _, tokens = self.row.sequence.rpartition("N ")
        opening = tokens.removeprefix("-").partition("-")[0]
        return f"{nackgammon and 'N '}{opening}-{self.row.roll}" if opening else ""

    def example(self, place: TurnLocation, players: tuple[str, str]) -> Example:
        """The mistake with its place and the names of the players."""
        row, lost = self.row, self.lost / UNIT
        if self.best is None:
            state = row.state(doubled=self.made in _ANSWERS)
            return Example(place, state, self.made, "", "", lost, players)
        state = replace(row.state(), roll=Roll(*divmod(row.roll, 10)))
        return Example(place, state, self.made, row.play, self.best, lost, players)


def find_mistakes(connection: sqlite3.Connection, query: Query) -> Iterator[Mistake]:
    """Yield the wrong plays and cube actions of a query, except those without a date if needed."""
    actions, drops = _cube_actions(connection, query)
    for values in connection.execute(*query.select(_COLUMNS, _WRONG)):
        row = Row(*values)
        if row.period == _UNDATED:
            continue
        number = row.turn - bisect_left(actions.get(row.game, []), row.turn)
        if row.missed:
            fault = _cube_fault(row, CubeAct.NO_DOUBLE.value)
            yield Mistake(row, fault, None, row.missed, number, theme_of_fault(fault))
        if row.error and row.roll:
            theme = _theme_of(row)
            yield Mistake(row, row.nactation, row.best or "", row.error, number, theme)
        elif row.error:
            fault = _cube_fault(row, row.nactation)
            theme = theme_of_fault(fault, too_good=(row.game, row.turn + 1) in drops)
            yield Mistake(row, fault, None, row.error, number, theme)


_WRONG = "AND (t.error > 0 OR t.missed > 0)"


def _cube_actions(
    connection: sqlite3.Connection, query: Query
) -> tuple[dict[int, list[int]], set[tuple[int, int]]]:
    """The turns with cube actions of the games with mistakes, and answers that should be drops."""
    actions: dict[int, list[int]] = defaultdict(list)
    drops = set()
    tables, condition, values = query.selection
    sql = (
        "SELECT game, turn, nactation, error FROM turns WHERE roll = 0 AND game IN"
        f" (SELECT t.game FROM {tables} WHERE {condition} {_WRONG}) ORDER BY game, turn"
    )
    for game, turn, action, error in connection.execute(sql, values):
        actions[game].append(turn)
        if error is not None and (action, error > 0) in _RIGHT_TO_DROP:
            drops.add((game, turn))
    return actions, drops


_RIGHT_TO_DROP = (CubeAct.DROP.value, False), (CubeAct.TAKE.value, True)


def _theme_of(row: Row) -> Theme:
    """The theme of a wrong play; OTHER if the best play is unknown."""
    if not (row.best and row.play):
        return OTHER
    plays = Plays(unpack_position(row.position), Roll(*divmod(row.roll, 10)))
    try:
        made = resolve(parse_hops(row.play), plays[0].before, plays[0].roll, plays)
        best = plays.play(parse_nactation(row.best))
    except (NactationError, IndexError):  # the database was changed by hand
        return OTHER
    return OTHER if made == best else theme_of_play(made, best)


def _cube_fault(row: Row, act: str) -> str:
    fault = _FAULTS.get(act, f"wrong {act}")
    return REDOUBLED.get(fault, fault) if row.owner == row.player else fault
