"""The text reports that gnubg exports say what the SGF it saves of the same matches says."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.analysis import Candidate, CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.match import Match, Turn, replay
from gnubg_nactation.backgammon.notation import Hop, force_hops
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.files import sgf
from gnubg_nactation.files.formats import read
from tests.gnubg.ingame import needs_gnubg
from tests.gnubg.test_sgf_in_gnubg import gnubg
from tests.strategies import random_match

pytestmark = needs_gnubg

SAMPLE = Path(__file__).parents[2] / "sample_matches" / "match-3pt-analysed.sgf"
DIGITS = 0.00051  # a report rounds to three


def export(folder: Path, data: bytes, settings: tuple[str, ...] = ()) -> tuple[Match, Match]:
    """The match of the reports that gnubg exports, and that of the SGF that it saves."""
    (folder / "in.sgf").write_bytes(data)
    commands = ["load match in.sgf", "save match out.sgf", "export match text out.txt"]
    gnubg(folder, [*settings, *commands])
    texts = [path.read_bytes() for path in sorted(folder.glob("out*.txt"))]
    (match,) = read(b"\n".join(texts))
    return match, sgf.read((folder / "out.sgf").read_bytes()).match


def compare_turns(match: Match, saved: Match) -> list[tuple[Turn, Turn]]:
    """Compare all but analyses; return the pairs of turns."""
    assert match.problems == ()
    assert (match.players, match.length) == (saved.players, saved.length)
    assert (match.start, match.jacoby) == (saved.start, saved.jacoby)
    pairs = []
    for game, expected in zip(match.games, saved.games, strict=True):
        assert (game.number, game.score) == (expected.number, expected.score)
        assert (game.winner, game.points) == (expected.winner, expected.points)
        assert (game.crawford, game.resigned) == (expected.crawford, expected.resigned)
        for turn, saved_turn in zip_longest(replay(match, game), replay(saved, expected)):
            assert type(turn.action) is type(saved_turn.action)
            assert (turn.state, turn.play) == (saved_turn.state, saved_turn.play)
            assert turn.action.comment == saved_turn.action.comment
            assert not turn.problem
            pairs.append((turn, saved_turn))
    return pairs


def compare_cubes(cube: CubeAnalysis | None, saved: CubeAnalysis | None) -> int:
    assert (cube is None) == (saved is None)
    if cube is None or saved is None:
        return 0
    assert (cube.act, cube.method, cube.marked) == (saved.act, saved.method, saved.marked)
    assert cube.no_double == pytest.approx(saved.no_double, abs=DIGITS)
    assert cube.double_take == pytest.approx(saved.double_take, abs=DIGITS)
    return 1


def reached(turn: Turn, hops: tuple[Hop, ...]) -> Position:
    assert turn.state
    return force_hops(hops, turn.state.position)


def compare_plays(turn: Turn, analysis: MoveAnalysis, saved: MoveAnalysis) -> int:
    assert analysis.luck == pytest.approx(saved.luck, abs=DIGITS)
    assert analysis.luck_mark == saved.luck_mark
    plays, saved_plays = analysis.play, saved.play
    assert (plays is None) == (saved_plays is None)
    if plays is None or saved_plays is None:
        return 0
    assert plays.marked == saved_plays.marked
    by_board = {reached(turn, play.hops): play for play in saved_plays.candidates}
    for play in plays.candidates:
        compare_candidates(play, by_board[reached(turn, play.hops)])
    assert plays.made
    assert saved_plays.made
    assert reached(turn, plays.made.hops) == reached(turn, saved_plays.made.hops)
    return len(plays.candidates)


def compare_candidates(play: Candidate, saved: Candidate) -> None:
    assert play.method == saved.method
    assert play.equity == pytest.approx(saved.equity, abs=DIGITS)
    assert play.chances
    assert saved.chances
    assert play.chances == pytest.approx(saved.chances, abs=DIGITS)


def test_a_report_has_the_plays_and_analyses_of_the_sgf(tmp_path: Path) -> None:
    cubes = plays = 0
    for turn, saved_turn in compare_turns(*export(tmp_path, SAMPLE.read_bytes())):
        analysis = getattr(turn.action, "analysis", None)
        saved = getattr(saved_turn.action, "analysis", None)
        if isinstance(analysis, CubeAnalysis):
            cubes += compare_cubes(analysis, saved)
        elif isinstance(analysis, MoveAnalysis):
            assert isinstance(saved, MoveAnalysis)
            cubes += compare_cubes(analysis.cube, saved.cube)
            plays += compare_plays(turn, analysis, saved)
        else:
            assert saved is None
    assert cubes > 20
    assert plays > 100


def test_winning_chances_of_the_match_are_converted(tmp_path: Path) -> None:
    """gnubg's `set output mwc` writes another unit; five digits are enough for equities."""
    settings = ("set output mwc on", "set output digits 5")
    cubes = 0
    for turn, saved_turn in compare_turns(*export(tmp_path, SAMPLE.read_bytes(), settings)):
        analysis = getattr(turn.action, "analysis", None)
        saved = getattr(saved_turn.action, "analysis", None)
        if isinstance(analysis, CubeAnalysis):
            cubes += compare_cubes(analysis, saved)
        elif isinstance(analysis, MoveAnalysis):
            assert isinstance(saved, MoveAnalysis)
            cubes += compare_cubes(analysis.cube, saved.cube)
    assert cubes > 20


@pytest.mark.parametrize("seed", range(8))
def test_random_matches_come_back_as_they_were_played(tmp_path: Path, seed: int) -> None:
    """Money sessions, variations, doubles, drops and resignations."""
    data = sgf.from_match(random_match(seed, max_games=4)).data
    assert compare_turns(*export(tmp_path, data))
