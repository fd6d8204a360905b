"""The nets of the package gnubg-nn against gnubg's own: why they are no engine here.

    python -m tests.engines.nets

prints how far apart their equities are at 0 plies, without the cube, on 1,000 positions.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import gnubg_nn

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.files import mat
from tests.gnubg.ingame import ROOT, run_in_gnubg
from tests.strategies import random_positions

KINDS = {
    gnubg_nn.c_contact: "contact",
    gnubg_nn.c_crashed: "crashed",
    gnubg_nn.c_race: "race",
    gnubg_nn.c_bearoff: "bear-off",
}


def position_ids() -> list[str]:
    """500 positions of random games and 500 of sample matches."""
    random_ids = {format_position_id(position) for position, _ in random_positions(6000, seed=7)}
    played_ids = {
        format_position_id(turn.state.position)
        for path in sorted((ROOT / "sample_matches").glob("*.mat"))
        for match in mat.read(path.read_bytes())
        for game in match.games
        for turn in replay(match, game)
        if turn.state
    }
    return [*sorted(random_ids)[:500], *sorted(played_ids)[:500]]


def _equity(win: float, gammon: float, backgammon: float, lost: float, lost_more: float) -> float:
    return 2 * win - 1 + gammon + backgammon - lost - lost_more


def _main() -> None:
    ids = position_ids()
    with tempfile.TemporaryDirectory() as folder:
        answers = run_in_gnubg("inside_evaluations.py", ids, Path(folder))
    apart: dict[int, list[float]] = {}
    for position_id, chances in zip(ids, answers, strict=True):
        board = gnubg_nn.board_from_position_id(position_id)
        difference = abs(_equity(*gnubg_nn.probabilities(board, 0)) - _equity(*chances))
        apart.setdefault(gnubg_nn.classify(board), []).append(difference)
    for kind, differences in sorted(apart.items(), reverse=True):
        middle = statistics.median(differences)
        sys.stdout.write(
            f"{KINDS.get(kind, 'other'):9}{len(differences):5}  {middle:.5f} by the median, "
            f"{max(differences):.5f} at most\n"
        )


if __name__ == "__main__":
    _main()
