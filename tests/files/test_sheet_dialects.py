"""Matches of programs as score sheets: annotated text is the same match file again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.tasks.annotating import LAYOUTS
from tests.files.mat_texts import one_game, read_one
from tests.files.test_mat_dialects import read_matches
from tests.files.test_sheet import again, mat


@pytest.mark.parametrize(
    ("name", "layout"), list(zip(("XG", "Galaxy", "GridGammon", "HedgeHog"), LAYOUTS, strict=True))
)
def test_a_match_of_each_kind_of_dialect_comes_back(name: str, layout: str) -> None:
    _, match = min(read_matches(name), key=lambda pair: len(mat(pair[1])))
    sheet = again(match, layout, fans="^")
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(match)


_OPENING = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
_LEFT, _RIGHT = " " * 6, " " * 34
# What a sheet finds wrong in a match that was read without complaint.
FAULTS = {
    "absurd points": (
        f"{_OPENING}  2)  Doubles => 2                Takes\n{_LEFT}Wins 100 points\n",
        "the points won are 100, with the cube at 2 expected 2, 4 or 6",
    ),
    "absurd points of Backgammon Studio": (
        f"{_OPENING}{_LEFT}Wins 4016 point\n",
        "the points won are 4016, with the cube at 1 expected 1, 2 or 3",
    ),
    "points that no cube gives": (
        f"{_OPENING}  2)  Doubles => 2                Takes\n{_LEFT}Wins 3 points\n",
        "the points won are 3, with the cube at 2 expected 2, 4 or 6",
    ),
    "a beaver in a match": (
        f"{_OPENING}  2)  Doubles => 2                Beavers => 4\n  3) 31: 13/10 24/23\n",
        "found 'beavers to 4': no beaver is legal here",
    ),
    "the result in the column of the loser": (
        f"{_OPENING}  2)  Doubles => 2                Drops\n{_RIGHT}Wins 1 point\n",
        "found another result; by the plays Ann wins 1 point",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_real_file_is_found_in_its_sheet(name: str) -> None:
    rows, fault = FAULTS[name]
    match = read_one(one_game(rows, length=7))
    assert match.problems == ()
    (found,) = again(match, "columns", fans="^").faults
    assert found.message.startswith(fault)


def test_a_game_or_score_that_does_not_follow_is_found() -> None:
    """A game is missing; or the score does not count the automatic double of the game before."""
    match = _money()
    first, second = match.games
    for wrong, fault in (
        (replace(second, number=3), "found Game 3, expected Game 2"),
        (replace(second, score=(1, 0)), "found the score 1-0, expected 2-0 by the games before"),
    ):
        (found,) = again(replace(match, games=(first, wrong)), "columns").faults
        assert found.message == fault


def _money() -> Match:
    """A session of two games: a resignation for 2 points, then for 1."""
    rows = f"{_OPENING}{_LEFT}Wins 2 points\n"
    second = f"\n Game 2\n Ann : 2                        Ben : 0\n{_OPENING}{_LEFT}Wins 1 point\n"
    return read_one(one_game(rows, length=0) + second)
