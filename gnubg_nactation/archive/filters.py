"""Filters for the turns of an archive: by player, date, event, score and match length."""

from __future__ import annotations

from difflib import get_close_matches

from gnubg_nactation.archive.tallies import has_item
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import UnknownError
from gnubg_nactation.nacbracs.nacbrac import MONEY, at_score, describe_score
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, dataclass

if TYPE_CHECKING:
    import sqlite3

# The tables of the conditions. CROSS JOIN makes SQLite start with the turns, by their position.
TABLES = (
    "turns AS t CROSS JOIN games AS g ON g.id = t.game CROSS JOIN matches AS m ON m.id = g.match"
)
# To start with the games, by the index `turns_by_game`.
BY_GAME = (
    "matches AS m CROSS JOIN games AS g ON g.match = m.id CROSS JOIN turns AS t ON t.game = g.id"
)
_MINE = "SELECT id FROM players WHERE fold(name) IN (SELECT fold(name) FROM handles)"
_HAS_NAME = "SELECT id FROM players WHERE fold(name) = fold(?)"


def of_player(first: str, second: str) -> str:
    """The SQL that chooses between columns of the first and the second player, by who acts."""
    return f"CASE t.player WHEN 0 THEN {first} ELSE {second} END"


PLAYER, OPPONENT = of_player("m.first", "m.second"), of_player("m.second", "m.first")  # ids
OWN_SCORE = of_player("g.first_score", "g.second_score")
OPPONENT_SCORE = of_player("g.second_score", "g.first_score")


def roll_of(number: int) -> Roll:
    """The roll of a cell: 63 for 6 and 3."""
    return Roll(*divmod(number, 10))


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a turn must meet; the defaults accept every turn.

    `player` acts against `opponent`; the case of names and events is ignored. With `me` the player
    must be one of the archive's handles. `since` and `until` are ISO dates or beginnings (`2024`,
    `2024-05`), both included; matches without a date meet neither. `event` is any part of the
    event's name. `score` is from the side of the player, as `parse_score` returns it: empty for
    money, `-3-5`, `-2-1C` for the Crawford game; None for all. `length` is in points, 0 for money.
    `min_count` does not filter turns: rarer plays and sequences are not listed.
    """

    player: str = ""
    opponent: str = ""
    me: bool = False
    since: str = ""
    until: str = ""
    event: str = ""
    score: str | None = None
    length: int | None = None
    min_count: int = 1


ALL = Filters()


def where(filters: Filters) -> tuple[str, tuple[Any, ...]]:
    """Return the condition in SQL over the aliases of TABLES, and its parameters.

    The condition is empty if every turn meets it: then the query needs no other tables.
    """
    conditions: list[tuple[str, tuple[Any, ...]]] = []
    if filters.player:
        conditions.append((f"{PLAYER} IN ({_HAS_NAME})", (filters.player,)))
    if filters.opponent:
        conditions.append((f"{OPPONENT} IN ({_HAS_NAME})", (filters.opponent,)))
    if filters.me:
        conditions.append((f"{PLAYER} IN ({_MINE})", ()))
    if filters.since:
        conditions.append(("m.date >= ?", (filters.since,)))
    if filters.until:  # a tilde sorts after any character of a date
        conditions.append(("m.date <> '' AND m.date <= ?", (f"{filters.until}~",)))
    if filters.event:
        fold = "lower" if filters.event.isascii() else "fold"  # there are many turns; it is quicker
        conditions.append((f"instr({fold}(m.event), {fold}(?)) > 0", (filters.event,)))
    if filters.score is not None:
        conditions.append(_score(filters.score))
    if filters.length is not None:
        conditions.append(("m.length = ?", (filters.length,)))
    parameters = tuple(value for _, values in conditions for value in values)
    return " AND ".join(sql for sql, _ in conditions), parameters


def _score(score: str) -> tuple[str, tuple[Any, ...]]:
    state = at_score(GameState(), score)
    if not state.length:
        if score == MONEY:
            return "m.length = 0", ()
        return "m.length = 0 AND m.jacoby = ?", (int(state.jacoby),)
    away = (state.length - points for points in state.score)
    scores = f"m.length - {OWN_SCORE} = ? AND m.length - {OPPONENT_SCORE} = ?"
    return f"m.length > 0 AND {scores} AND g.crawford = ?", (*away, int(state.crawford))


def describe_filters(filters: Filters) -> str:
    """Describe the conditions: `turns of Ann against Ben since 2024`; empty if there are none."""
    length = filters.length
    words = [
        "mine" if filters.me else "",
        filters.player and f"of {filters.player}",
        filters.opponent and f"against {filters.opponent}",
        filters.since and f"since {filters.since}",
        filters.until and f"until {filters.until}",
        filters.event and f"in {quoted(filters.event)}",
        "" if filters.score is None else f"at {describe_score(filters.score)}",
        "" if length is None else f"in matches to {length}" if length else "for money",
    ]
    text = " ".join(filter(None, words))
    return text and f"turns {text}"


def selects(player: int | None, condition: str) -> str:
    """The condition in SQL that a player of a game, or either one, meets a condition of turns."""
    players = "0 AS player UNION ALL SELECT 1" if player is None else f"{player} AS player"
    return f"EXISTS (SELECT 1 FROM (SELECT {players}) AS t WHERE {condition})"


class Selection(NamedTuple):
    """Tables in SQL with the aliases of TABLES, a condition and its values."""

    tables: str
    condition: str
    values: tuple[Any, ...]


def turns_of_games(
    connection: sqlite3.Connection, condition: str, values: tuple[Any, ...]
) -> Selection:
    """The turns that meet a condition; few games are read if few have a player who meets it."""
    condition = condition or "1"
    if not has_item(connection, "index", "turns_by_game"):
        return Selection(TABLES, condition, values)
    return Selection(BY_GAME, f"{selects(None, condition)} AND {condition}", (*values, *values))


def check_filters(connection: sqlite3.Connection, filters: Filters) -> None:
    """Raise UnknownError if no player has the name, or `me` is set without a stored handle."""
    check_text(filters.player, filters.opponent, filters.event)
    for name in filter(None, (filters.player, filters.opponent)):
        if connection.execute(_HAS_NAME, (name,)).fetchone() is None:
            raise UnknownError(f"no player is called {quoted(name)}{_suggestion(connection, name)}")
    if filters.me and connection.execute("SELECT 1 FROM handles").fetchone() is None:
        raise UnknownError("your name is not stored yet; store it with `nactate index --me NAME`")


def check_text(*texts: str) -> None:
    """Raise UnknownError for a text that SQLite cannot compare, from a terminal of old encoding."""
    for text in texts:
        if text.encode("utf-8", "replace").decode() != text:
            raise UnknownError(f"{quoted(text)} is not UTF-8, as all names in a database are")


def _suggestion(connection: sqlite3.Connection, name: str) -> str:
    names = {name.casefold(): name for (name,) in connection.execute("SELECT name FROM players")}
    close = get_close_matches(name.casefold(), list(names), 1)
    return f"; did you mean {quoted(names[close[0]])}?" if close else ""
