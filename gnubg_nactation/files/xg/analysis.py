"""What eXtreme Gammon's analysis says of plays and cube actions.

Its equities are for the player on roll or, of a cube, who may double; in a match they are EMG.
What it did not look at has no analysis.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.files.figures import Figures

_NAMES = {
    12: "3-ply red",
    100: "rollout",
    998: "book",
    999: "book",
    1000: "Roller",
    1001: "Roller+",
    1002: "Roller++",
}
_MOST_PLIES = 9
_DIE = 6  # at most
_EQUITY = 6  # behind the chances to lose a backgammon ... to win one
_UNKNOWN = -1000  # as XG stores luck that it does not know
_ROUNDED = 0.001  # of chances that are 1 together


def read_hops(places: tuple[int, ...]) -> tuple[Hop, ...]:
    """A play as XG stores it: sources and targets from 0 (1pt) to 24 (bar), below 0 for off."""
    hops = []
    for source, target in zip(places[::2], places[1::2], strict=True):
        if not 0 <= source < BAR or not -_DIE <= target < source:
            break  # what stands behind is left from other plays
        hops.append(Hop(source + 1, max(target + 1, OFF)))
    return tuple(hops)


def read_move(record: Any, cube: CubeAnalysis | None, figures: Figures) -> MoveAnalysis | None:
    """What the record of a roll says of its play and its luck, with the cube before it."""
    play = _read_plays(record.data_moves, record.position_end, figures)
    luck = None
    if record.err_luck != _UNKNOWN:
        with suppress(ValueError):
            luck = figures.points(record.err_luck)
    if play is None and luck is None and cube is None:
        return None
    return MoveAnalysis(play, cube, luck)


def _read_plays(found: Any, reached: tuple[int, ...], figures: Figures) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    rank = None
    for at in range(min(found.n_moves, len(found.moves))):
        if hops := read_hops(found.moves[at]):
            try:
                equity = figures.points(found.eval[at][_EQUITY])
            except ValueError:  # perhaps of the best, which errors are measured against
                return None
            if rank is None and found.pos_played[at] == reached:
                rank = len(candidates)
            method, odds = _method(found.eval_level[at].level), _odds(found.eval[at], figures)
            candidates.append(Candidate(hops, equity, method, None, odds))
    return PlayAnalysis(tuple(candidates), rank) if candidates else None


def _odds(found: tuple[float, ...], figures: Figures) -> bytes:
    """The chances, which XG stores from losing a backgammon to winning one; empty if unknown."""
    if not figures.are_chances(found[:_EQUITY]):
        return b""
    lose_backgammon, lose_gammon, lose, win, win_gammon, win_backgammon = found[:_EQUITY]
    if not abs(win + lose - 1) < _ROUNDED:
        return b""
    chances = win, win_gammon, win_backgammon, lose_gammon, lose_backgammon
    return " ".join(map(str, chances)).encode()


def read_cube(act: CubeAct, found: Any, figures: Figures) -> CubeAnalysis | None:
    """What is said of a cube decision of which `act` is one half; None if it was not judged."""
    if found.flag_double < 0 or not any(found.eval_nd):
        return None
    try:
        no_double, double_take = map(figures.points, (found.equ_b, found.equ_double))
    except ValueError:
        return None
    return CubeAnalysis(act, no_double, double_take, _method(found.level))


def _method(level: int) -> str:
    """How XG names a level; its 1-ply is stored as 0."""
    name = _NAMES.get(level) or (f"{level + 1}-ply" if 0 <= level < _MOST_PLIES else "")
    return f"XG {name}".strip()
