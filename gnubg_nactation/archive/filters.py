"""Which turns of an archive are asked about: whose they are, when, where and at what score."""

from __future__ import annotations

from difflib import get_close_matches

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import UnknownError
from gnubg_nactation.nacbracs.score import MONEY, at_score, describe_score
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, Any, dataclass

if TYPE_CHECKING:
    import sqlite3

# What the conditions are about; the turns come first, by their position, whatever SQLite guesses.
TABLES = (
    "turns AS t CROSS JOIN games AS g ON g.id = t.game CROSS JOIN matches AS m ON m.id = g.match"
)
_MINE = "SELECT id FROM players WHERE name COLLATE NOCASE IN (SELECT name FROM handles)"
_NAMED = "SELECT id FROM players WHERE name = ? COLLATE NOCASE"


def _of(first: str, second: str) -> str:
    """One of two columns in the order of Player, by who acts."""
    return f"CASE t.player WHEN 0 THEN {first} ELSE {second} END"


OWN_SCORE = _of("g.first_score", "g.second_score")
_OTHER_SCORE = _of("g.second_score", "g.first_score")


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a turn has to meet, all of them; what is left as it is says nothing.

    `player` is the name of who acts, `opponent` that of the other, whatever the case of their
    letters; `me` asks that who acts is one of the archive's handles. `since` and `until` are ISO
    dates or the beginnings of such (`2024`, `2024-05`), both included; a match without a date meets
    neither. `event` is any part of the event's name. `score` is one as `parse_score` gives it, from
    the side of who acts: empty for money, `-3-5`, `-2-1C` for the Crawford game; None for all.
    `length` are the points of the match, 0 for money. `min_count` is no condition for a turn:
    what was met with less often in all is not listed.
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
    """The condition in SQL over the aliases of TABLES, and its parameters.

    Empty where every turn meets it: then the turns alone need be asked.
    """
    found = list(_conditions(filters))
    return " AND ".join(sql for sql, _ in found), tuple(
        value for _, values in found for value in values
    )


def _conditions(filters: Filters) -> list[tuple[str, tuple[Any, ...]]]:
    found: list[tuple[str, tuple[Any, ...]]] = []
    if filters.player:
        found.append((f"{_of('m.first', 'm.second')} IN ({_NAMED})", (filters.player,)))
    if filters.opponent:
        found.append((f"{_of('m.second', 'm.first')} IN ({_NAMED})", (filters.opponent,)))
    if filters.me:
        found.append((f"{_of('m.first', 'm.second')} IN ({_MINE})", ()))
    if filters.since:
        found.append(("m.date >= ?", (filters.since,)))
    if filters.until:  # a tilde comes behind all that dates have
        found.append(("m.date <> '' AND m.date <= ?", (f"{filters.until}~",)))
    if filters.event:
        found.append(("instr(lower(m.event), lower(?)) > 0", (filters.event,)))
    if filters.score is not None:
        found.append(_score(filters.score))
    if filters.length is not None:
        found.append(("m.length = ?", (filters.length,)))
    return found


def _score(score: str) -> tuple[str, tuple[Any, ...]]:
    state = at_score(GameState(), score)
    if not state.length:
        if score == MONEY:
            return "m.length = 0", ()
        return "m.length = 0 AND m.jacoby = ?", (int(state.jacoby),)
    away, other = (state.length - points for points in state.score)
    met = f"m.length - {OWN_SCORE} = ? AND m.length - {_OTHER_SCORE} = ?"
    return f"m.length > 0 AND {met} AND g.crawford = ?", (away, other, int(state.crawford))


def describe_filters(filters: Filters) -> str:
    """The conditions in words: `turns of Ann against Ben since 2024`; empty for none."""
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
    told = " ".join(filter(None, words))
    return told and f"turns {told}"


def check_filters(connection: sqlite3.Connection, filters: Filters) -> None:
    """Raise UnknownError where a name is nobody's in the archive, or no handle is noted."""
    for name in filter(None, (filters.player, filters.opponent)):
        if connection.execute(_NAMED, (name,)).fetchone() is None:
            raise UnknownError(f"no player is called {quoted(name)}{_meant(connection, name)}")
    if filters.me and connection.execute("SELECT 1 FROM handles").fetchone() is None:
        raise UnknownError("none of your names is known; `nactate index --me NAME` notes one")


def _meant(connection: sqlite3.Connection, name: str) -> str:
    known = {one.lower(): one for (one,) in connection.execute("SELECT name FROM players")}
    close = get_close_matches(name.lower(), list(known), 1)
    return f"; did you mean {quoted(known[close[0]])}?" if close else ""
