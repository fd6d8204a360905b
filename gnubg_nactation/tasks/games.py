"""Which games of a database a task looks at, and whose."""

from __future__ import annotations

import re

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import parse_score
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.values import TYPE_CHECKING, Any, replace

if TYPE_CHECKING:
    import sqlite3

_GROUP = "which games"
_NAMED = 6  # players in a message
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


def _date(text: str) -> str:
    if _DATE.fullmatch(text):
        return text
    raise MalformedError(f"{quoted(text)} is not a date such as 2024-05-31, 2024-05 or 2024")


def since_setting(help: str = "only from this day, month or year on") -> Any:  # noqa: A002 (as `setting`)
    """Declare the first day of the games."""
    return setting("", help, "DATE", parse=_date, group=_GROUP)


def min_count_setting(default: int) -> Any:
    """Declare from how many occurrences on an item is listed."""
    return setting(
        default,
        f"hide items seen fewer than N times (default: {default})",
        "N",
        least=1,
        most=10**9,
        flags="--min",
        group=_GROUP,
    )


class GameSettings(Settings):
    """Filters by players, dates, events and scores; see Filters."""

    player: str = setting("", "only turns of this player", "NAME", group=_GROUP)
    opponent: str = setting("", "only games against this player", "NAME", group=_GROUP)
    since: str = since_setting()
    until: str = setting(
        "", "only up to this day, month or year", "DATE", parse=_date, group=_GROUP
    )
    event: str = setting("", "only events whose name contains this", "NAME", group=_GROUP)
    score: str | None = setting(
        None,
        "points needed: player on roll - opponent (3-5, 2-1C for Crawford, dmp, gg, gs, "
        "money, jacoby)",
        "SCORE",
        parse=parse_score,
        group=_GROUP,
    )
    length: int | None = setting(
        None, "only matches to N points (0: money)", "N", least=0, most=10**4, group=_GROUP
    )

    def filters(self) -> Filters:
        """Return the filters that the settings set."""
        names = "player", "opponent", "me", "since", "until", "event", "score", "length"
        fields = {
            name: getattr(self, name) for name in (*names, "min_count") if hasattr(self, name)
        }
        return Filters(**fields)


class MyGameSettings(GameSettings):
    """Filters by players, dates, events and scores; with `me`, only the turns of the user."""

    me: bool = setting(False, "only your turns (your names: `nactate index --me`)", group=_GROUP)


class FilterSettings(MyGameSettings):
    """As MyGameSettings; rare items are left out."""

    min_count: int = min_count_setting(1)


class PlayerSettings(GameSettings):
    """Filters for the games of one player, by name; without a name, the user's."""

    names: tuple[str, ...] = setting(
        (),
        "your name, instead of those of `nactate index --me`; repeatable",
        "NAME",
        flags="--me",
        group=_GROUP,
    )


def games_of_player(
    connection: sqlite3.Connection, settings: PlayerSettings, subject: str
) -> tuple[Filters, list[str], str]:
    """Return the filters, the player's names if they were given, and whose games these are.

    Raises SettingsError if no player is named; `subject` is what the task shows.
    """
    if settings.names and settings.player:
        raise SettingsError("--me and --player both name a player; use one of them")
    names = [*settings.names] or [settings.player] * bool(settings.player)
    whose = names or [name for (name,) in connection.execute(_NAMES_OF_USER)]
    if not whose:
        from gnubg_nactation.archive.stats import count_by_player

        players = ", ".join(name for name, _ in count_by_player(connection)[:_NAMED])
        advice = f"Use --player; names: {players}" if players else "The database has no games"
        raise SettingsError(f"whose {subject}? {advice}")
    return replace(settings.filters(), me=not names, player=""), names, ", ".join(whose)


_NAMES_OF_USER = "SELECT name FROM handles ORDER BY name"
