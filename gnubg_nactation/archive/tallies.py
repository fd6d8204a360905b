"""The table `tallies`: sums of what each player did in a game, which queries add up.

It follows from the turns, so databases of older versions get it when `index` runs. Until then a
query makes a temporary one, which takes its time.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    import sqlite3


UNPLAYED = "unplayed"  # the `nactation` of a roll without a legal play in its file


LEAST_WRONG = 50  # units: a decision that loses less is shown as .000 and counts as right


def _wrong(loss: str) -> str:
    return f"{loss} >= {LEAST_WRONG}"


def _sum(condition: str) -> str:
    return f"coalesce(sum({condition}), 0)"


def _actions(name: str) -> tuple[str, str]:
    """The sums of the cube actions of a name that are analysed, and of those that are wrong."""
    action = f"roll = 0 AND nactation = '{name}'"
    return _sum(f"{action} AND error IS NOT NULL"), _sum(f"{action} AND {_wrong('error')}")


_DOUBLES, _TAKES, _DROPS = (_actions(name) for name in ("double", "take", "drop"))
# `analysed` counts turns with a known loss, `actions` all cube decisions with one, `cubes` those
# of XG's rating. `worst` is NULL if no turn is analysed.
_SUMS = {
    "analysed": _sum("error IS NOT NULL OR missed IS NOT NULL"),
    "plays": _sum("roll > 0 AND error IS NOT NULL"),
    "actions": _sum("(roll = 0 AND error IS NOT NULL) + (missed IS NOT NULL)"),
    "cubes": _sum("near"),
    "wrong_plays": _sum(f"roll > 0 AND {_wrong('error')}"),
    "wrong_actions": f"{_sum('roll = 0 AND ' + _wrong('error'))} + {_sum(_wrong('missed'))}",
    "play_lost": _sum("CASE WHEN roll > 0 THEN error END"),
    "cube_lost": f"{_sum('CASE WHEN roll = 0 THEN error END')} + {_sum('missed')}",
    "luck": _sum("luck"),
    "rolls": "count(luck)",
    "doubles": _DOUBLES[0],
    "wrong_doubles": _DOUBLES[1],
    "missed_doubles": _sum(_wrong("missed")),
    "takes": _TAKES[0],
    "wrong_takes": _TAKES[1],
    "drops": _DROPS[0],
    "wrong_drops": _DROPS[1],
}
_COLUMNS = "".join(f"    {name} INTEGER NOT NULL,\n" for name in _SUMS)
# A row has the turns of a player in a game whose analysis has one level, 0 if it is unknown.
# The trigger also serves older versions of this program, which do not know the table.
TALLIES_SCHEMA = f"""
CREATE TABLE tallies (
    game INTEGER NOT NULL REFERENCES games,
    player INTEGER NOT NULL,
    level INTEGER NOT NULL,
{_COLUMNS}    worst INTEGER,
    PRIMARY KEY (game, player, level)
) WITHOUT ROWID, STRICT;
CREATE TRIGGER tallies_go AFTER DELETE ON games BEGIN DELETE FROM tallies WHERE game = old.id; END;
"""
TALLIES = (
    "matches AS m CROSS JOIN games AS g ON g.match = m.id CROSS JOIN tallies AS t ON t.game = g.id"
)
_WORST = "max(max(coalesce(error, missed), coalesce(missed, error)))"
_ROWS = (
    f"SELECT game, player, ifnull(level, 0), {', '.join(_SUMS.values())}, {_WORST} FROM turns"
    " WHERE game IN ({}) GROUP BY game, player, level"
)
_EMPTY = f"INSERT INTO tallies VALUES (?, ?, 0, {', '.join('0' for _ in _SUMS)}, NULL)"
_MISSING = "SELECT id FROM games WHERE kept AND id NOT IN (SELECT game FROM main.tallies)"


def has_column(connection: sqlite3.Connection, table: str, name: str) -> bool:
    """Whether a table has a column, which databases of older versions may lack."""
    sql = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"
    return connection.execute(sql, (table, name)).fetchone() is not None


def has_item(connection: sqlite3.Connection, kind: str, name: str) -> bool:
    """Whether the database has a table or an index, which those of older versions may lack."""
    sql = "SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?"
    return connection.execute(sql, (kind, name)).fetchone() is not None


def add_tallies(connection: sqlite3.Connection, games: str, values: tuple[int, ...] = ()) -> None:
    """Add the tallies of games, which a query in SQL selects, from their turns."""
    connection.execute(f"INSERT INTO tallies {_ROWS.format(games)}", values)


def add_empty_tallies(connection: sqlite3.Connection, game: int, players: set[int]) -> None:
    """Add the tallies of the players of a game without analysis, which is quicker."""
    connection.executemany(_EMPTY, [(game, player) for player in sorted(players)])


def has_tallies(connection: sqlite3.Connection) -> bool:
    """Whether the table has the tallies of all games."""
    if not has_item(connection, "table", "tallies"):
        return False
    return connection.execute(_MISSING).fetchone() is None


def complete_tallies(connection: sqlite3.Connection) -> None:
    """Add the tallies of games that an older version of this program has stored."""
    if not has_tallies(connection):
        add_tallies(connection, _MISSING)


def prepare_tallies(connection: sqlite3.Connection) -> None:
    """Make a temporary table if a database of an older version lacks the tallies of some games."""
    connection.execute("DROP TABLE IF EXISTS temp.tallies")
    if has_tallies(connection):
        return
    names = ("game", "player", "level", *_SUMS, "worst")
    sql = _ROWS.format("SELECT id FROM games")
    if not has_column(connection, "turns", "near"):
        sql = sql.replace(_SUMS["cubes"], "0")
    connection.execute(f"CREATE TEMP TABLE tallies ({', '.join(names)})")
    connection.execute(f"INSERT INTO temp.tallies {sql}")
    connection.execute("CREATE INDEX temp.tallies_by_game ON tallies (game, player)")
