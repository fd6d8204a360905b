"""Why the nets of the package gnubg-nn are no engine here: they are not those of gnubg."""

from __future__ import annotations

import statistics
from pathlib import Path

import gnubg_nn
import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.files import mat
from tests.gnubg.ingame import ROOT, needs_gnubg, run_in_gnubg
from tests.strategies import random_positions

pytestmark = needs_gnubg


def _position_ids() -> list[str]:
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


def test_its_equities_at_0_plies_are_gnubgs_in_races_alone(tmp_path: Path) -> None:
    """Should they agree one day, gnubg-nn could serve where no gnubg is installed."""
    position_ids = _position_ids()
    assert len(position_ids) == 1000
    theirs = run_in_gnubg("inside_evaluations.py", position_ids, tmp_path)
    apart: dict[int, list[float]] = {}
    for position_id, chances in zip(position_ids, theirs, strict=True):
        board = gnubg_nn.board_from_position_id(position_id)
        found = gnubg_nn.probabilities(board, 0)
        difference = abs(_equity(*found) - _equity(*chances))
        apart.setdefault(gnubg_nn.classify(board), []).append(difference)
    for kind in (gnubg_nn.c_race, gnubg_nn.c_bearoff):
        assert max(apart[kind]) < 0.002
    for kind in (gnubg_nn.c_contact, gnubg_nn.c_crashed):
        assert statistics.median(apart[kind]) == pytest.approx(0.0017, abs=0.0007)
        assert max(apart[kind]) > 0.02
