"""eXtreme Gammon's analysis of plays and cube actions.

Equities are for the player on roll, or for the player who may double; in a match they are EMG.
Decisions that XG did not analyse have no analysis.
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
_MAX_PLIES = 9
_HIGHEST_DIE = 6
_EQUITY = 6  # its index, after the chances from losing a backgammon to winning one
_UNKNOWN_LUCK = -1000
_ROUNDING = 0.001  # of two chances whose sum is 1


def read_hops(places: tuple[int, ...]) -> tuple[Hop, ...]:
    """Read a play of XG: sources and targets from 0 (1pt) to 24 (bar), below 0 for off."""
    hops = []
    for source, target in zip(places[::2], places[1::2], strict=True):
        if not 0 <= source < BAR or not -_HIGHEST_DIE <= target < source:
            break  # the rest is left over from other plays
        hops.append(Hop(source + 1, max(target + 1, OFF)))
    return tuple(hops)


def read_move(record: Any, cube: CubeAnalysis | None, figures: Figures) -> MoveAnalysis | None:
    """Read the analysis of a roll's play and luck; `cube` is that of the cube before the roll."""
    play = _read_plays(record.data_moves, record.position_end, figures)
    luck = None
    if record.err_luck != _UNKNOWN_LUCK:
        with suppress(ValueError):
            luck = figures.points(record.err_luck)
    if play is None and luck is None and cube is None:
        return None
    return MoveAnalysis(play, cube, luck)


def _read_plays(moves: Any, reached: tuple[int, ...], figures: Figures) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    rank = None
    for at in range(min(moves.n_moves, len(moves.moves))):
        if hops := read_hops(moves.moves[at]):
            try:
                equity = figures.points(moves.eval[at][_EQUITY])
            except ValueError:  # perhaps of the best play, which all errors depend on
                return None
            if rank is None and moves.pos_played[at] == reached:
                rank = len(candidates)
            method, odds = _method(moves.eval_level[at].level), _odds(moves.eval[at], figures)
            candidates.append(Candidate(hops, equity, method, None, odds))
    return PlayAnalysis(tuple(candidates), rank) if candidates else None


def _odds(numbers: tuple[float, ...], figures: Figures) -> bytes:
    """Return the chances as text in our order; empty if they are impossible."""
    if not figures.are_chances(numbers[:_EQUITY]):
        return b""
    lose_backgammon, lose_gammon, lose, win, win_gammon, win_backgammon = numbers[:_EQUITY]
    if not abs(win + lose - 1) < _ROUNDING:
        return b""
    chances = win, win_gammon, win_backgammon, lose_gammon, lose_backgammon
    return " ".join(map(str, chances)).encode()


def read_cube(act: CubeAct, doubled: Any, figures: Figures) -> CubeAnalysis | None:
    """Read the analysis of a cube action; None if XG did not analyse it."""
    if doubled.flag_double < 0 or not any(doubled.eval_nd):
        return None
    try:
        no_double, double_take = map(figures.points, (doubled.equ_b, doubled.equ_double))
    except ValueError:
        return None
    return CubeAnalysis(act, no_double, double_take, _method(doubled.level))


def _method(level: int) -> str:
    """Return XG's name of a level; 0 is XG's 1-ply."""
    name = _NAMES.get(level) or (f"{level + 1}-ply" if 0 <= level < _MAX_PLIES else "")
    return f"XG {name}".strip()
