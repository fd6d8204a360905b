"""The options of every command that asks an archive: which database, and which of its turns."""

from __future__ import annotations

import argparse
import re

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.cli.arguments import between, score_type
from gnubg_nactation.showing import quoted

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


def add_db_option(parser: argparse._ActionsContainer) -> None:
    """Declare where the database is; None says that it is where it usually is."""
    parser.add_argument(
        "--db",
        metavar="FILE",
        help="the database, as `nactate index` makes it (default: the variable NACTATION_DB of "
        "the environment, else games.db)",
    )


def add_filter_options(parser: argparse.ArgumentParser, *, min_count: int = 1) -> None:
    """Declare which turns count; `filters_of` reads the options."""
    add_db_option(parser)
    group = parser.add_argument_group("which games")
    group.add_argument(
        "--me", action="store_true", help="my turns, by the names that `nactate index --me` noted"
    )
    add_game_options(group)
    add_min_option(group, min_count)


def add_game_options(
    group: argparse._ArgumentGroup, since: str = "from this day, month or year on"
) -> None:
    """Declare whose turns count, of which matches and at what score; `since` is said of that."""
    group.add_argument("--player", metavar="NAME", default="", help="the turns of this player")
    group.add_argument("--opponent", metavar="NAME", default="", help="against this player")
    group.add_argument("--since", metavar="DATE", type=_date, help=since)
    group.add_argument("--until", metavar="DATE", type=_date, help="up to this day, month or year")
    group.add_argument(
        "--event", metavar="NAME", default="", help="of an event with this in its name"
    )
    group.add_argument(
        "--score",
        metavar="SCORE",
        type=score_type,
        help="what who is to play and the opponent need, as in 3-5 or 2-1C for the Crawford game; "
        "or dmp, gg, gs, money, jacoby",
    )
    group.add_argument(
        "--length",
        metavar="N",
        type=between(int, 0, 10**4),
        help="of matches to so many points, 0 for money",
    )


def add_min_option(group: argparse._ArgumentGroup, min_count: int) -> None:
    """Declare `--min`: how often a thing must have happened to be listed."""
    group.add_argument(
        "--min",
        metavar="N",
        dest="min_count",
        type=between(int, 1, 10**9),
        default=min_count,
        help=f"leave out what was met with less often (default: {min_count})",
    )


def filters_of(options: argparse.Namespace) -> Filters:
    """What the options above ask for."""
    names = "player", "opponent", "me", "event", "score", "length", "min_count"
    fields = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return Filters(**fields, since=options.since or "", until=options.until or "")


def _date(text: str) -> str:
    if _DATE.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(
        f"{quoted(text)} is no date such as 2024-05-31, 2024-05 or 2024"
    )
