"""What a player asks of stored games: leaks and statistics."""

from __future__ import annotations

from gnubg_nactation.archive import leaks as archive_leaks
from gnubg_nactation.archive.opening_leaks import OpeningLeaks, find_opening_leaks
from gnubg_nactation.archive.stats import Statistics
from gnubg_nactation.archive.stats import find_statistics as statistics_of
from gnubg_nactation.tasks.games import (
    PlayerSettings,
    games_of_player,
    min_count_setting,
    since_setting,
)
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3


class LeaksSettings(PlayerSettings):
    """Whose losses to list, and how many. From `since` on they are compared with those before."""

    since: str = since_setting("compare losses from this day, month or year on with those before")
    min_count: int = min_count_setting(2)
    top: int = setting(
        10, "show at most N leaks of each kind (default: 10)", "N", least=1, most=1000
    )


class PlayerLeaks(NamedTuple):
    """What a player's mistakes cost, in all and in the openings; `whose` are the names."""

    leaks: archive_leaks.Leaks
    openings: OpeningLeaks
    whose: str


def find_leaks(archive: sqlite3.Connection, settings: LeaksSettings) -> PlayerLeaks:
    """List what a player's mistakes cost, the costliest first.

    Raises SettingsError if it is not clear who the player is, UnknownError for an unknown name.
    """
    filters, names, whose = games_of_player(archive, settings, "leaks")
    leaks = archive_leaks.find_leaks(archive, filters, names, settings.top)
    ever = replace(filters, since="")
    return PlayerLeaks(leaks, find_opening_leaks(archive, ever, names, settings.top), whose)


class PlayerStatistics(NamedTuple):
    """Ratings, luck and cube actions by month and opponent; `whose` are the names."""

    statistics: Statistics
    whose: str


def find_statistics(archive: sqlite3.Connection, settings: PlayerSettings) -> PlayerStatistics:
    """Return a player's statistics. Raises as `find_leaks` does."""
    filters, names, whose = games_of_player(archive, settings, "statistics")
    return PlayerStatistics(statistics_of(archive, filters, names), whose)
