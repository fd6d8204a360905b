"""Errors, marks and what a score is worth."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    PlayAnalysis,
    mark_of,
)
from gnubg_nactation.backgammon.match_equity import LONGEST, winning_chance, winning_chances
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.state import Player

FIRST, SECOND = Player.FIRST, Player.SECOND
CANDIDATES = (
    Candidate(parse_hops("8/5 6/5"), 0.218, "2-ply"),
    Candidate(parse_hops("24/23 13/10"), 0.157, "0-ply"),
)


def test_error_of_a_play() -> None:
    play = PlayAnalysis(CANDIDATES, 1)
    assert play.error == pytest.approx(0.061)
    assert play.made is CANDIDATES[1]
    assert play.best is not None
    assert play.best.text == "8/5 6/5"
    assert PlayAnalysis(CANDIDATES, 0).error == 0


def test_no_game_after_the_crawford_game_is_one() -> None:
    """At 2 points to 1 the trailer doubles at once: nearly even, where Crawford leaves a third."""
    for crawford, low, high in ((True, 0.48, 0.5), (False, 0.48, 0.5)):
        chances = winning_chances(5, (4, 2), SECOND, 1, crawford=crawford)
        assert chances
        assert low < chances[0] < high
    before = winning_chance(2, 1, after_crawford=False)
    assert 0.3 < before < 0.34


def test_an_error_is_never_negative() -> None:
    assert PlayAnalysis(CANDIDATES[::-1], 1).error == 0  # gnubg looked closer at the other


@pytest.mark.parametrize("play", [PlayAnalysis(CANDIDATES, None), PlayAnalysis((), None)])
def test_an_error_that_is_not_known(play: PlayAnalysis) -> None:
    assert play.made is None
    assert play.error is None
    assert play.mark is None


@pytest.mark.parametrize(
    ("error", "mark"),
    [
        (None, None),
        (0.0, None),
        (0.03, None),
        (0.031, ErrorMark.DOUBTFUL),
        (0.061, ErrorMark.BAD),
        (0.121, ErrorMark.VERY_BAD),
    ],
)
def test_marks_by_size(error: float | None, mark: ErrorMark | None) -> None:
    assert mark_of(error) is mark


def test_the_mark_of_the_record_counts() -> None:
    assert PlayAnalysis(CANDIDATES, 1).mark is ErrorMark.BAD
    assert PlayAnalysis(CANDIDATES, 1, ErrorMark.DOUBTFUL).mark is ErrorMark.DOUBTFUL
    assert CubeAnalysis(CubeAct.TAKE, 0.5, 0.6, "", ErrorMark.BAD).mark is ErrorMark.BAD
    assert CubeAnalysis(CubeAct.TAKE, 0.5, 1.05, "").mark is ErrorMark.DOUBTFUL


@pytest.mark.parametrize(
    ("no_double", "double_take", "best", "errors"),
    [  # errors of no double, double, take, drop
        (0.3, 0.1, "no double, take", (0, 0.2, 0, 0.9)),
        (0.5, 0.7, "double, take", (0.2, 0, 0, 0.3)),
        (0.8, 1.5, "double, pass", (0.2, 0, 0.5, 0)),
        (1.2, 1.5, "no double, pass", (0, 0.2, 0.5, 0)),
        (1.0, 1.5, "double, pass", (0, 0, 0.5, 0)),  # as in gnubg; not too good to double
        (0.7, 0.7, "no double, take", (0, 0, 0, 0.3)),
    ],
)
def test_errors_of_cube_actions(
    no_double: float, double_take: float, best: str, errors: tuple[float, ...]
) -> None:
    faults = ("missed double", "wrong double", "wrong take", "wrong drop")
    for act, error, fault in zip(CubeAct, errors, faults, strict=True):
        cube = CubeAnalysis(act, no_double, double_take, "2-ply")
        assert cube.best == best
        assert cube.error == pytest.approx(error)
        assert cube.fault == (fault if error else "")


def test_cube_without_equities() -> None:
    cube = CubeAnalysis(CubeAct.DOUBLE, None, None, "2-ply", ErrorMark.BAD)
    assert (cube.best, cube.error, cube.fault, cube.mark) == ("", None, "", ErrorMark.BAD)


def test_chances_at_a_score() -> None:
    assert winning_chance(3, 3, after_crawford=False) == 0.5
    assert winning_chance(1, 2, after_crawford=False) == pytest.approx(0.67736)
    assert winning_chance(2, 1, after_crawford=True) == pytest.approx(0.48803)
    assert winning_chance(0, 5, after_crawford=True) == 1
    assert winning_chance(7, -1, after_crawford=False) == 0


@pytest.mark.parametrize("after_crawford", [False, True])
def test_chances_of_both_sides_add_up_and_grow(after_crawford: bool) -> None:
    needs = range(1, LONGEST + 1)
    for away in needs:
        row = [winning_chance(away, other, after_crawford=after_crawford) for other in needs]
        assert row == sorted(row)
        for other, chance in zip(needs, row, strict=True):
            opposite = winning_chance(other, away, after_crawford=after_crawford)
            assert chance + opposite == pytest.approx(1)


def test_chances_after_a_game() -> None:
    assert winning_chances(3, (0, 0), FIRST, 1, crawford=False) == pytest.approx(
        (0.5995, 0.4005), abs=1e-4
    )
    # 2-2 to 3: double match point
    assert winning_chances(3, (2, 2), SECOND, 1, crawford=False) == (1, 0)
    # Crawford game at 2-1 to 3
    won, lost = winning_chances(3, (2, 1), SECOND, 1, crawford=True) or (0, 0)
    assert (won, lost) == (0.5, 0)
    # in it nobody leads to 25 away
    won, lost = winning_chances(5, (4, 2), SECOND, 2, crawford=False) or (0, 0)
    assert (won, lost) == (0.5, 0)


@pytest.mark.parametrize(
    ("length", "score", "points"),
    [(0, (0, 0), 1), (27, (0, 0), 1), (27, (3, 1), 1), (3, (3, 0), 1)],
)
def test_where_the_table_ends(length: int, score: tuple[int, int], points: int) -> None:
    assert winning_chances(length, score, FIRST, points, crawford=False) is None
    assert winning_chances(27, (3, 2), FIRST, 1, crawford=False) is not None
