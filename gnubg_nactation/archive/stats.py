"""Statistics of an archive: its matches, and a player's ratings by month and by opponent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from gnubg_nactation.archive.database import UNIT, quick_texts
from gnubg_nactation.archive.filters import (
    ALL,
    OPPONENT,
    Filters,
    check_filters,
)
from gnubg_nactation.archive.mistakes import condition_of
from gnubg_nactation.archive.tallies import TALLIES, has_column, prepare_tallies
from gnubg_nactation.backgammon.match import final_score
from gnubg_nactation.errors import ArchiveError
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3


class Tally(NamedTuple):
    """What a player did in some matches; `lost` and `luck` are in units of the archive.

    `analysed` counts games with an analysed decision, and only analysed decisions count below:
    `plays` are rolls with several legal plays, `cubes` the cube decisions of XG's rating, which are
    all cube actions and the rolls before which doubling was nearly right. `luck` is that of the
    player's `rolls` with known luck. `doubles` and so on are cube actions, with the wrong ones.
    """

    matches: int = 0
    games: int = 0
    analysed: int = 0
    plays: int = 0
    cubes: int = 0
    play_lost: int = 0
    cube_lost: int = 0
    luck: int = 0
    rolls: int = 0
    doubles: int = 0
    wrong_doubles: int = 0
    missed_doubles: int = 0
    takes: int = 0
    wrong_takes: int = 0
    drops: int = 0
    wrong_drops: int = 0

    @property
    def decisions(self) -> int:
        """The decisions of the rating."""
        return self.plays + self.cubes

    @property
    def rating(self) -> float | None:
        """XG's PR: 500 times the points lost per decision; None without a decision."""
        return _rating(self.play_lost + self.cube_lost, self.decisions)

    @property
    def play_rating(self) -> float | None:
        """The same of checker plays alone."""
        return _rating(self.play_lost, self.plays)

    @property
    def cube_rating(self) -> float | None:
        """The same of cube decisions alone."""
        return _rating(self.cube_lost, self.cubes)

    @property
    def play_points(self) -> float:
        """The points lost by plays."""
        return self.play_lost / UNIT

    @property
    def cube_points(self) -> float:
        """The points lost by cube decisions."""
        return self.cube_lost / UNIT

    @property
    def luck_points(self) -> float | None:
        """The luck in points; None if it is unknown."""
        return self.luck / UNIT if self.rolls else None


def _rating(lost: int, decisions: int) -> float | None:
    return 500 * lost / UNIT / decisions if decisions else None


class Statistics(NamedTuple):
    """All matches of a player, by month (`2024-05`, empty without a date) and by opponent.

    Months come in order, opponents by the number of matches. Names that differ only in case are one
    opponent, in the spelling of most matches.
    """

    total: Tally
    months: tuple[tuple[str, Tally], ...]
    opponents: tuple[tuple[str, Tally], ...]


def find_statistics(
    connection: sqlite3.Connection, filters: Filters = ALL, names: Sequence[str] = ()
) -> Statistics:
    """Return the statistics of the filtered player; `names` selects all players with these names.

    Raises UnknownError for an unknown name, and ArchiveError if the database is too old.
    """
    check_filters(connection, filters)
    for name in names:
        check_filters(connection, Filters(player=name))
    if not has_column(connection, "turns", "near"):
        raise ArchiveError("the database is of an older version: run `nactate index` once more")
    prepare_tallies(connection)
    condition, values = condition_of(filters, names)
    months: dict[str, list[Tally]] = defaultdict(list)
    opponents: dict[str, list[Tally]] = defaultdict(list)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    with quick_texts(connection):
        rows = connection.execute(_SQL.format(condition), values).fetchall()
    for month, opponent, *numbers in rows:
        tally = Tally(*numbers)
        months[month].append(tally)
        folded = opponent.casefold()
        opponents[folded].append(tally)
        spellings[folded][opponent] += tally.matches
    by_opponent = [
        (min(names, key=lambda name: (-names[name], name)), _sum(opponents[key]))
        for key, names in spellings.items()
    ]
    by_month = {month: _sum(months[month]) for month in sorted(months)}
    if _has_both_sides(connection, filters, names, opponents):
        for month, *counts in connection.execute(_COUNTS.format(condition), values):
            by_month[month] = Tally(*counts, *by_month[month][len(counts) :])
    return Statistics(
        _sum(by_month.values()),
        tuple(by_month.items()),
        tuple(sorted(by_opponent, key=lambda item: (-item[1].matches, item[0]))),
    )


def _has_both_sides(
    connection: sqlite3.Connection, filters: Filters, names: Sequence[str], opponents: Iterable[str]
) -> bool:
    """Whether both players of a match may be selected, which then counts for two opponents.

    The names of the opponents are in the case that `str.casefold` gives them.
    """
    own = [*names, *filter(None, [filters.player])]
    if filters.me:
        own += [name for (name,) in connection.execute("SELECT name FROM handles")]
    return not own or bool({*map(str.casefold, own)} & {*opponents})


def _sum(tallies: Iterable[Tally]) -> Tally:
    return Tally(*map(sum, zip(Tally(), *tallies, strict=True)))


_MATCHES_AND_GAMES = "count(DISTINCT m.id), count(DISTINCT g.id)"
_SUMS = (
    "count(DISTINCT CASE WHEN t.analysed THEN g.id END)",
    *(f"sum(t.{name})" for name in Tally._fields[3:]),
)
_COUNTS = (
    f"SELECT substr(m.date, 1, 7), {_MATCHES_AND_GAMES}, {_SUMS[0]} FROM {TALLIES}"
    " WHERE {} GROUP BY 1"
)
_OPPONENT = f"(SELECT name FROM players WHERE id = {OPPONENT})"
_SQL = (
    f"SELECT substr(m.date, 1, 7), {_OPPONENT}, {_MATCHES_AND_GAMES}, {', '.join(_SUMS)}"
    f" FROM {TALLIES} WHERE {{}} GROUP BY 1, 2"
)


def count_by_player(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """The players with the number of their counted matches, the most first, then by name."""
    return connection.execute(_PLAYERS).fetchall()


_PLAYERS = """
WITH seats AS (
  SELECT first AS id FROM matches WHERE counted UNION ALL SELECT second FROM matches WHERE counted
)
SELECT name, count(*) FROM seats JOIN players USING (id) GROUP BY id ORDER BY count(*) DESC, name
"""


class StoredMatch(NamedTuple):
    """A match that an archive counts, with the tallies of both players, empty without an analysis.

    `score` is as `final_score` has it; `worst` is the largest loss of a decision of each player in
    units of the archive, None without an analysis. `file` and `place` say where the match is: the
    file's name, and the match's number in it.
    """

    file: str
    place: int
    players: tuple[str, str]
    date: str
    event: str
    length: int
    score: tuple[int, int]
    games: int
    tallies: tuple[Tally, Tally]
    worst: tuple[int | None, int | None]


def stored_matches(connection: sqlite3.Connection) -> list[StoredMatch]:
    """List the matches that an archive counts, the latest first; those without a date come last."""
    prepare_tallies(connection)
    tallies: dict[tuple[int, int], Tally] = {}
    worst: dict[tuple[int, int], int | None] = {}
    for match, player, loss, *numbers in connection.execute(_TALLIES):
        tallies[match, player] = Tally(1, *numbers)
        worst[match, player] = loss
    return [
        StoredMatch(
            file,
            place,
            (first, second),
            date,
            event,
            length,
            final_score(own, other, length),
            games,
            (tallies.get((match, 0), Tally()), tallies.get((match, 1), Tally())),
            (worst.get((match, 0)), worst.get((match, 1))),
        )
        for match, file, place, first, second, date, event, length, own, other, games in (
            connection.execute(_MATCHES)
        )
    ]


_TALLIES = (
    f"SELECT m.id, t.player, max(t.worst), count(DISTINCT g.id), {', '.join(_SUMS)} FROM {TALLIES}"
    " WHERE m.counted AND m.analysed GROUP BY 1, 2"
)
_WON = "coalesce(sum(CASE g.winner WHEN {} THEN g.points END), 0) + coalesce(min({}), 0)"
_MATCHES = (
    "SELECT m.id, f.path, m.place, a.name, b.name, m.date, m.event, m.length,"
    f" {_WON.format(0, 'g.first_score')}, {_WON.format(1, 'g.second_score')}, count(g.id)"
    " FROM matches AS m JOIN files AS f ON f.id = m.file JOIN players AS a ON a.id = m.first"
    " JOIN players AS b ON b.id = m.second LEFT JOIN games AS g ON g.match = m.id"
    " WHERE m.counted GROUP BY m.id ORDER BY m.date DESC, f.path, m.place"
)
