"""eXtreme Gammon's analysis of plays and cube actions.

Equities are for the player on roll, or for the player who may double; in a match they are EMG.
Decisions that XG did not analyse have no analysis.
"""

from __future__ import annotations

from contextlib import suppress

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
from gnubg_nactation.files.xg.records import CubeRecord, MoveRecord

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
_HOPS = {
    (source, target): Hop(source + 1, max(target + 1, OFF))
    for source in range(BAR)
    for target in range(-_HIGHEST_DIE, source)
}
_EQUITY = 6  # its index, after the chances from losing a backgammon to winning one
_UNKNOWN_LUCK = -1000
_ROUNDING = 0.001  # of two chances whose sum is 1


def read_hops(places: tuple[int, ...]) -> tuple[Hop, ...]:
    """Read a play of XG: sources and targets from 0 (1pt) to 24 (bar), below 0 for off."""
    hops = []
    for pair in zip(places[::2], places[1::2], strict=True):
        if pair not in _HOPS:
            break  # the rest is left over from other plays
        hops.append(_HOPS[pair])
    return tuple(hops)


def read_move(
    record: MoveRecord, cube: CubeAnalysis | None, figures: Figures
) -> MoveAnalysis | None:
    """Read the analysis of a roll's play and luck; `cube` is that of the cube before the roll."""
    play = _read_plays(record, figures)
    luck = None
    if record.luck != _UNKNOWN_LUCK:
        with suppress(ValueError):
            luck = figures.points(record.luck)
    if play is None and luck is None and cube is None:
        return None
    return MoveAnalysis(play, cube, luck)


def _read_plays(record: MoveRecord, figures: Figures) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    rank = None
    for rated in record.candidates:
        if hops := read_hops(rated.places):
            try:
                equity = figures.points(rated.numbers[_EQUITY])
            except ValueError:  # perhaps of the best play, which all errors depend on
                return None
            if rank is None and rated.reached == record.reached:
                rank = len(candidates)
            method, odds = _method(rated.level), _odds(rated.numbers, figures)
            candidates.append(Candidate(hops, equity, method, None, odds))
    return PlayAnalysis(tuple(candidates), rank) if candidates else None


def _odds(numbers: tuple[float, ...], figures: Figures) -> tuple[float, ...]:
    """Return the chances in our order; empty if they are impossible."""
    if not figures.are_chances(numbers[:_EQUITY]):
        return ()
    lose_backgammon, lose_gammon, lose, win, win_gammon, win_backgammon = numbers[:_EQUITY]
    if not abs(win + lose - 1) < _ROUNDING:
        return ()
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def read_cube(act: CubeAct, record: CubeRecord, figures: Figures) -> CubeAnalysis | None:
    """Read the analysis of a cube action; None if XG did not analyse it."""
    if record.flag < 0 or not any(record.numbers):
        return None
    try:
        no_double, double_take = map(figures.points, (record.no_double, record.double_take))
    except ValueError:
        return None
    return CubeAnalysis(act, no_double, double_take, _method(record.level))


def _method(level: int) -> str:
    """Return XG's name of a level; 0 is XG's 1-ply."""
    name = _NAMES.get(level) or (f"{level + 1}-ply" if 0 <= level < _MAX_PLIES else "")
    return f"XG {name}".strip()
