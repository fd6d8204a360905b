"""How often each play of a page was made in an archive, and what it lost there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    from gnubg_nactation.archive.nodes import PlayRow  # SQLite takes long to import

PlaysAt: TypeAlias = "Callable[[Position, Roll], Sequence[PlayRow]]"
_LEAST = 2  # times that a roll was thrown there: one is the match of the page itself, as a rule


def history_at(turn: AnnotatedTurn, plays_at: PlaysAt) -> list[Any] | None:
    """The plays made before at a turn with a choice; None if the archive has too few of them.

    That is how often the roll was thrown, and for each play, in traditional notation, how often it
    was made and its mean error in thousandths, if known.
    """
    action, state = turn.action, turn.state
    if not isinstance(action, Move) or state is None or len(turn.plays) < 2:
        return None
    rows = plays_at(state.position, action.roll)
    count = sum(row.count for row in rows)
    return [count, {row.play: _row(row) for row in rows}] if count >= _LEAST else None


def _row(row: PlayRow) -> list[int]:
    return [row.count, *([thousandths(row.error.value)] if row.error else [])]
