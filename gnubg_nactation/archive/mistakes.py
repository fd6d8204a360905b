"""The wrong decisions of an archive, each with its theme and phase."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter

from gnubg_nactation.archive.database import UNIT, has_column
from gnubg_nactation.archive.filters import (
    TABLES,
    Filters,
    Selection,
    turns_of_games,
    where,
)
from gnubg_nactation.archive.finding import TurnLocation, places_of
from gnubg_nactation.archive.tallies import TALLIES
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import is_contact, unpack_position
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.themes import (
    OTHER,
    REDOUBLED,
    THEMES,
    WITHOUT_CONTACT,
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
    """The decisions that meet the filters; `since` only divides them."""

    selection: Selection
    since: str

    @classmethod
    def of(cls, connection: sqlite3.Connection, filters: Filters, names: Sequence[str]) -> Query:
        """The decisions of a player with one of these names."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(turns_of_games(connection, condition, values), filters.since)

    @classmethod
    def by_position(cls, filters: Filters, names: Sequence[str]) -> Query:
        """The same, to look up a few positions."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(Selection(TABLES, condition, values), filters.since)

    @classmethod
    def of_tallies(cls, filters: Filters, names: Sequence[str]) -> Query:
        """The same of the table `tallies`."""
        condition, values = condition_of(replace(filters, since=""), names)
        return cls(Selection(TALLIES, condition, values), filters.since)

    def select(self, columns: str, suffix: str = "") -> tuple[str, tuple[Any, ...]]:
        """Return the SQL for the period and these columns, and its values."""
        period = "CASE m.date WHEN '' THEN 2 ELSE m.date < ? END" if self.since else "0"
        tables, condition, values = self.selection
        sql = f"SELECT {period}, {columns} FROM {tables} WHERE {condition} {suffix}"
        return sql, (*filter(None, [self.since]), *values)


class Mistake(NamedTuple):
    """A wrong play, or a wrong cube action: then `made` is the fault and `best` is None.

    `period` is NOW or that before it. `turn` is a number in the `game`; both, with the position,
    the roll and the Nactation, are the key of the table `turns`. `lost` is in units. `number`
    counts the plays of both sides in the game, this one included. `sequence` is the beginning of
    the game's, empty for most mistakes. `away` has the away scores of the player and the opponent
    of a cube action, 0 and 0 for money.
    """

    period: int
    lost: int
    game: int
    turn: int
    position: bytes
    roll: int
    nactation: str
    made: str
    best: str | None
    number: int
    theme: str
    sequence: str
    away: tuple[int, int] = (0, 0)

    @property
    def phase(self) -> str:
        """The first three plays of each side, the middle with contact, or the ending."""
        is_ending = self.theme in WITHOUT_CONTACT
        if self.best is None or self.theme == OTHER.name:  # these themes do not tell
            is_ending = not is_contact(self.position)
        return PHASES[2] if is_ending else PHASES[self.number > _OPENING_PLAYS]

    @property
    def opening(self) -> str:
        """The opening and the roll of a reply to it: `31P-64`; empty for all other plays."""
        if self.best is None or self.number != 2:
            return ""
        nackgammon, _, tokens = self.sequence.rpartition("N ")
        opening = tokens.removeprefix("-").partition("-")[0]
        return f"{nackgammon and 'N '}{opening}-{self.roll}" if opening else ""


def find_mistakes(
    connection: sqlite3.Connection, query: Query, most: int | None = None
) -> list[Mistake]:
    """The wrong plays and cube actions of a query, except those without a date if needed.

    The mistakes of the later period come first, the costliest of each first, then by game and
    turn. With `most` so many of them are enough.
    """
    limit = "" if most is None else f"ORDER BY 1, 2 DESC, 3, 4 LIMIT {most}"
    plays, acts = _wrong_plays(connection, query, limit), _wrong_actions(connection, query, limit)
    actions, drops = _cube_actions(connection, {row[2] for row in (*plays, *acts)})
    mistakes = [*_of_actions(acts, actions, drops), *_of_plays(connection, plays, actions)]
    mistakes.sort(key=itemgetter(2, 3))
    mistakes.sort(key=itemgetter(1), reverse=True)
    mistakes.sort(key=itemgetter(0))
    return mistakes[:most]


_Actions = dict[int, list[int]]  # turns by game
_WRONG = "AND (t.error > 0 OR t.missed > 0)"  # the condition of the index `turns_wrong`
_KEY = "t.game, t.turn, t.position, t.roll, t.nactation"


def _wrong_plays(connection: sqlite3.Connection, query: Query, limit: str) -> list[Any]:
    theme = "t.theme" if has_column(connection, "turns", "theme") else "NULL"
    play = f"CASE WHEN {theme} IS NULL THEN t.play END"
    columns = f"t.error, {_KEY}, ifnull(t.best, ''), {theme}, {play}"
    sql = query.select(columns, f"{_WRONG} AND t.roll > 0 AND t.error > 0 {limit}")
    return connection.execute(*sql).fetchall()


def _of_plays(
    connection: sqlite3.Connection, rows: Iterable[Any], actions: _Actions
) -> Iterator[Mistake]:
    seconds = []  # mistakes in the second play
    for period, lost, game, turn, position, roll, made, best, name, text in rows:
        if period == _UNDATED:
            continue
        number = turn - bisect_left(actions[game], turn) if game in actions else turn
        theme = name if name in THEMES else _theme_of(position, roll, text, best)
        key = game, turn, position, roll, made
        mistake = Mistake(period, lost, *key, made, best, number, theme, "")
        if number == 2:
            seconds.append(mistake)
        else:
            yield mistake
    sequences = _beginnings(connection, {mistake.game for mistake in seconds})
    for mistake in seconds:
        yield mistake._replace(sequence=sequences[mistake.game])


def _beginnings(connection: sqlite3.Connection, games: Iterable[int]) -> dict[int, str]:
    """The beginnings of the sequences of games."""
    sql = (
        "SELECT id, substr(sequence, 1, 20) FROM games WHERE id IN (SELECT value FROM json_each(?))"
    )
    return dict(connection.execute(sql, (json.dumps([*games]),)))


def _wrong_actions(connection: sqlite3.Connection, query: Query, limit: str) -> list[Any]:
    lost = "max(ifnull(t.missed, 0), CASE t.roll WHEN 0 THEN ifnull(t.error, 0) ELSE 0 END)"
    error = "CASE t.roll WHEN 0 THEN t.error END"
    scores = "m.length - g.first_score, m.length - g.second_score"
    columns = f"{lost}, {_KEY}, t.missed, {error}, t.player, t.owner, m.length, {scores}"
    sql = query.select(columns, f"{_WRONG} AND (t.missed > 0 OR t.roll = 0) {limit}")
    return connection.execute(*sql).fetchall()


def _of_actions(
    rows: Iterable[Any], actions: _Actions, drops: set[tuple[int, int]]
) -> Iterator[Mistake]:
    for row in rows:
        period, _, game, turn, position, roll, act, *losses, player, owner, length, own, other = row
        if period == _UNDATED:
            continue
        number = turn - bisect_left(actions.get(game, ()), turn)
        away = ((other, own) if player else (own, other)) if length else (0, 0)
        key = game, turn, position, roll, act
        for loss, what in zip(losses, (CubeAct.NO_DOUBLE.value, act), strict=True):
            if loss and loss > 0:
                fault = _cube_fault(what, is_redouble=owner == player)
                is_too_good = what == act and (game, turn + 1) in drops
                theme = theme_of_fault(fault, too_good=is_too_good).name
                yield Mistake(period, loss, *key, fault, None, number, theme, "", away)


def _cube_actions(
    connection: sqlite3.Connection, games: Iterable[int]
) -> tuple[_Actions, set[tuple[int, int]]]:
    """The turns with cube actions in some games, and the answers that should be drops."""
    actions: dict[int, list[int]] = defaultdict(list)
    drops = set()
    rows = connection.execute(_CUBE_ACTIONS, (json.dumps([*games]),))
    for game, turn, action, error in rows:
        actions[game].append(turn)
        if error is not None and (action, error > 0) in _RIGHT_TO_DROP:
            drops.add((game, turn))
    return dict(actions), drops


_CUBE_ACTIONS = (
    "SELECT game, turn, nactation, error FROM turns WHERE roll = 0"
    " AND game IN (SELECT value FROM json_each(?)) ORDER BY 1, 2"
)
_RIGHT_TO_DROP = (CubeAct.DROP.value, False), (CubeAct.TAKE.value, True)


def _theme_of(position: bytes, roll: int, text: str, best: str) -> str:
    """The theme of a wrong play that a database of an older version lacks."""
    if not (best and text):
        return OTHER.name
    plays = Plays(unpack_position(position), Roll(*divmod(roll, 10)))
    try:
        made = resolve(parse_hops(text), plays[0].before, plays[0].roll, plays)
        rather = plays.play(parse_nactation(best))
    except (NactationError, IndexError):  # the database was changed by hand
        return OTHER.name
    return (OTHER if made == rather else theme_of_play(made, rather)).name


def _cube_fault(act: str, *, is_redouble: bool) -> str:
    fault = _FAULTS.get(act, f"wrong {act}")
    return REDOUBLED.get(fault, fault) if is_redouble else fault


def examples_of(
    connection: sqlite3.Connection, mistakes: Iterable[Mistake]
) -> Callable[[Mistake], Example]:
    """A function that gives each of these mistakes its state, place and players."""
    mistakes = list(mistakes)
    places = places_of(connection, [(mistake.game, mistake.turn) for mistake in mistakes])
    players = _players_of(connection, {mistake.game for mistake in mistakes})
    turns = dict(_turns_of(connection, mistakes))
    cache: dict[Mistake, Example] = {}

    def example(mistake: Mistake) -> Example:
        if mistake not in cache:
            play, *more = turns[mistake.game, mistake.turn]
            about = places[mistake.game, mistake.turn], _state(mistake, *more)
            texts = (mistake.made, "", "")
            if mistake.best is not None:
                texts = (mistake.made, play, mistake.best)
            lost = mistake.lost / UNIT
            cache[mistake] = Example(*about, *texts, lost, players[mistake.game])
        return cache[mistake]

    return example


def _turns_of(
    connection: sqlite3.Connection, mistakes: Iterable[Mistake]
) -> Iterator[tuple[tuple[int, int], Any]]:
    """The columns of the turns of mistakes for their states."""
    keys = iter({mistake[2:7] for mistake in mistakes})
    while some := [*islice(keys, _CHUNK)]:
        sql = _TURNS.format(", ".join(["(?, ?, ?, ?, ?)"] * len(some)))
        for game, turn, *columns in connection.execute(sql, [*chain.from_iterable(some)]):
            yield (game, turn), columns


_CHUNK = 100  # turns; older versions of SQLite have at most 999 values in a query
_TURNS = (
    "WITH keys (game, turn, position, roll, nactation) AS (VALUES {})"
    " SELECT t.game, t.turn, t.play, t.player, t.cube, t.owner, g.first_score, g.second_score,"
    f" m.length, g.crawford, m.jacoby FROM keys AS k CROSS JOIN {TABLES}"
    " WHERE t.position = k.position AND t.roll = k.roll AND t.nactation = k.nactation"
    " AND t.game = k.game AND t.turn = k.turn"
)


def _state(mistake: Mistake, player: int, cube: int, owner: int | None, *more: int) -> GameState:
    first, second, length, crawford, jacoby = more
    is_action = mistake.best is None
    return GameState(
        unpack_position(mistake.position),
        Player(player),
        None if is_action else Roll(*divmod(mistake.roll, 10)),
        cube,
        None if owner is None else Player(owner),
        (first, second),
        length,
        bool(crawford),
        bool(jacoby),
        is_action and mistake.made in _ANSWERS,
    )


def _players_of(connection: sqlite3.Connection, games: Iterable[int]) -> dict[int, tuple[str, str]]:
    """The names of the players of these games."""
    sql = (
        "SELECT g.id, a.name, b.name FROM games AS g JOIN matches AS m ON m.id = g.match"
        " JOIN players AS a ON a.id = m.first JOIN players AS b ON b.id = m.second"
        " WHERE g.id IN (SELECT value FROM json_each(?))"
    )
    rows = connection.execute(sql, (json.dumps([*games]),))
    return {game: (first, second) for game, first, second in rows}
