"""Reading an SGF gives the analysis that gnubg saved in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Double, Drop, Match, Move, Take
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.files import sgf
from tests.gnubg.analyses import analysed_samples

LUCK = {
    "verybad": "very unlucky",
    "bad": "unlucky",
    "good": "lucky",
    "verygood": "very lucky",
    None: None,
}

Analysed = list[tuple[Match, Any]]


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    """Each sample match as read here, and gnubg's data on it."""
    folder, answers = analysed_samples(tmp_path_factory)
    return [
        (sgf.read((folder / f"{name}.sgf").read_bytes()).match, answer)
        for name, answer in answers.items()
    ]


def records(match: Match, stored: Any) -> list[tuple[Any, Any]]:
    """The analysis of each action here and in gnubg's words."""
    pairs = []
    for game, game_data in zip(match.games, stored["games"], strict=True):
        actions = [a for a in game.actions if isinstance(a, Move | Double | Take | Drop)]
        theirs = [
            action for action in game_data["game"] if action["action"] not in ("set", "resign")
        ]
        for action, record in zip(actions, theirs, strict=True):
            assert type(action).__name__.lower() == record["action"]
            pairs.append((action.analysis, record.get("analysis", {})))
    return pairs


def marked(analysis: PlayAnalysis | CubeAnalysis | None) -> str | None:
    return analysis.marked.value if analysis and analysis.marked else None


def test_plays(analysed: Analysed) -> None:
    compared = 0
    for match, stored in analysed:
        for analysis, record in records(match, stored):
            if "moves" not in record:
                assert not isinstance(analysis, MoveAnalysis) or analysis.play is None
                continue
            moves, index = record["moves"], record["imove"]
            play = analysis.play
            assert play.rank == index
            assert play.error == pytest.approx(moves[0]["score"] - moves[index]["score"], abs=2e-6)
            assert marked(play) == record.get("skill")
            assert replace(play, marked=None).mark is play.marked
            for candidate, move in zip(play.candidates, moves, strict=True):
                assert [list(hop[:2]) for hop in candidate.hops] == move["move"]
                assert candidate.equity == pytest.approx(move["score"], abs=1e-6)
                assert candidate.method == "0-ply"
            compared += 1
    assert compared > 500


def test_cubes(analysed: Analysed) -> None:
    acts = set()
    for match, stored in analysed:
        for analysis, record in records(match, stored):
            on_roll = isinstance(analysis, MoveAnalysis)
            cube = analysis.cube if on_roll else analysis
            if cube is None:
                assert "nd-cubeful-eq" not in record
                continue
            acts.add(cube.act)
            assert marked(cube) == record.get("cube-skill" if on_roll else "skill")
            assert replace(cube, marked=None).mark is cube.marked
            if not match.length and cube.act in (CubeAct.NO_DOUBLE, CubeAct.DOUBLE):
                assert cube.no_double == pytest.approx(record["nd-cubeful-eq"], abs=1e-6)
                assert cube.double_take == pytest.approx(record["dt-cubeful-eq"], abs=1e-6)
    assert acts == set(CubeAct)


def test_luck(analysed: Analysed) -> None:
    for match, stored in analysed:
        for analysis, record in records(match, stored):
            if isinstance(analysis, MoveAnalysis):
                assert analysis.luck == pytest.approx(record["luck-value"], abs=1e-5)
                word = analysis.luck_mark.value if analysis.luck_mark else None
                assert word == LUCK[record.get("luck")]


def test_totals(analysed: Analysed) -> None:
    for match, stored in analysed:
        for player, ours in zip(Player, totals(annotate(match)), strict=True):
            theirs = stored["stats"]["XO"[player]]
            assert ours.moves == theirs["moves"]["unforced-moves"]
            assert ours.decisions == theirs["cube"]["total-cube"]
            assert ours.play_error == pytest.approx(theirs["moves"]["error-skill"], abs=1e-4)
            faults = [
                value
                for key, value in theirs["cube"].items()
                if key.startswith("err-") and key.endswith("-skill")
            ]
            # Chances in a match are saved with six digits; late in it these are few.
            assert ours.cube_error == pytest.approx(sum(faults), abs=1e-3)
            assert ours.luck == pytest.approx(theirs["dice"]["luck"], abs=1e-2)
