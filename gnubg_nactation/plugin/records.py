"""Walking through the records of the match that gnubg has loaded.

gnubg does not tell at which record the user is: it is found by counting those that are to come.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Rest", "count_rest", "go", "go_back", "leave"]

_FAR = 10**6  # more records, and more games, than there are


class Rest(NamedTuple):
    """What lies behind a place: records of its game, and games."""

    records: int
    games: int


def leave(gnubg: Any) -> Rest:
    """What lies behind the user's place, which is left for the end of the match."""
    records = count_rest(gnubg)
    return Rest(records, _left(gnubg.navigate(game=_FAR), 1))


def go_back(gnubg: Any, rest: Rest) -> tuple[int, int]:
    """Go to the place that was left; returns its game and record, both from 0."""
    gnubg.navigate()
    game = _left(gnubg.navigate(game=_FAR), 1) - rest.games
    go(gnubg, game, 0)
    record = count_rest(gnubg) - rest.records
    go(gnubg, game, record)
    return game, record


def count_rest(gnubg: Any) -> int:
    """How many records of the game are to come; goes to its end."""
    return _FAR - _left(gnubg.navigate(next=_FAR), 0)


def go(gnubg: Any, game: int, record: int) -> None:
    """Go to a record of a game."""
    gnubg.navigate()
    if game:
        gnubg.navigate(game=game)
    if record:
        gnubg.navigate(next=record)


def _left(missing: tuple[int, int] | None, index: int) -> int:
    """What gnubg could not do of a step through the records (0) or the games (1)."""
    return missing[index] if missing else 0
