"""The options of commands that query the database: its file, and filters for its turns."""

from __future__ import annotations

import argparse
import re

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.cli.arguments import between, score_type
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING, replace

if TYPE_CHECKING:
    import sqlite3

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


def add_db_option(group: argparse._ActionsContainer) -> None:
    """Declare --db; None means the usual database."""
    group.add_argument(
        "--db",
        metavar="FILE",
        help="database of `nactate index` (default: $NACTATION_DB, else games.db)",
    )


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    """Declare the database, and which of its turns count; `filters_of` reads the options."""
    group = add_game_options(parser)
    add_me_option(group)
    add_min_option(group, 1)


def add_game_options(
    parser: argparse.ArgumentParser, since: str = "only from this day, month or year on"
) -> argparse._ArgumentGroup:
    """Declare the database and filters by players, dates, events and scores, in a group.

    `since` is the help of --since.
    """
    group = parser.add_argument_group("which games")
    add_db_option(group)
    group.add_argument("--player", metavar="NAME", default="", help="only turns of this player")
    group.add_argument(
        "--opponent", metavar="NAME", default="", help="only games against this player"
    )
    group.add_argument("--since", metavar="DATE", type=_date, help=since)
    group.add_argument(
        "--until", metavar="DATE", type=_date, help="only up to this day, month or year"
    )
    group.add_argument(
        "--event", metavar="NAME", default="", help="only events whose name contains this"
    )
    group.add_argument(
        "--score",
        metavar="SCORE",
        type=score_type,
        help="points needed: player on roll - opponent (3-5, 2-1C for Crawford, dmp, gg, gs, "
        "money, jacoby)",
    )
    group.add_argument(
        "--length",
        metavar="N",
        type=between(int, 0, 10**4),
        help="only matches to N points (0: money)",
    )
    return group


def add_me_option(group: argparse._ArgumentGroup) -> None:
    """Declare --me: only the turns of the user."""
    group.add_argument(
        "--me", action="store_true", help="only your turns (your names: `nactate index --me`)"
    )


def add_min_option(group: argparse._ArgumentGroup, min_count: int) -> None:
    """Declare --min."""
    group.add_argument(
        "--min",
        metavar="N",
        dest="min_count",
        type=between(int, 1, 10**9),
        default=min_count,
        help=f"hide items seen fewer than N times (default: {min_count})",
    )


def add_names_option(group: argparse._ArgumentGroup) -> None:
    """Declare --me NAME, for commands about one player; `games_of_player` reads it."""
    group.add_argument(
        "--me",
        metavar="NAME",
        dest="names",
        action="append",
        default=[],
        help="your name, instead of those of `nactate index --me`; repeatable",
    )


def games_of_player(
    connection: sqlite3.Connection, options: argparse.Namespace, subject: str
) -> tuple[Filters, list[str], str]:
    """Return the filters, the player's names if they were given, and whose games these are.

    Raises SettingsError if no player is named; `subject` is what the command shows.
    """
    if options.names and options.player:
        raise SettingsError("--me and --player both name a player; use one of them")
    names = options.names or [options.player] * bool(options.player)
    whose = names or [name for (name,) in connection.execute(_NAMES_OF_USER)]
    if not whose:
        players = [name for (name,) in connection.execute(_PLAYERS)]
        raise SettingsError(f"whose {subject}? Use --player; names: {', '.join(players)}")
    return replace(filters_of(options), me=not names, player=""), names, ", ".join(whose)


_NAMES_OF_USER = "SELECT name FROM handles ORDER BY name"
_PLAYERS = """
WITH seats AS (
  SELECT first AS id FROM matches WHERE counted UNION ALL SELECT second FROM matches WHERE counted
)
SELECT name FROM seats JOIN players USING (id) GROUP BY id ORDER BY count(*) DESC, name LIMIT 6
"""


def filters_of(options: argparse.Namespace) -> Filters:
    """Return the filters that the options set."""
    names = "player", "opponent", "me", "event", "score", "length", "min_count"
    fields = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return Filters(**fields, since=options.since or "", until=options.until or "")


def _date(text: str) -> str:
    if _DATE.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(
        f"{quoted(text)} is not a date such as 2024-05-31, 2024-05 or 2024"
    )
