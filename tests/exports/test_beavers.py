"""Beavers and raccoons: who turns the cube to what, in every form and from every record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Double, Match, stake_problem
from gnubg_nactation.exports.page.data import game_steps
from gnubg_nactation.files.formats import read
from tests.cli.running import SAMPLES, run

# Ann doubles to 2, Ben beavers to 4, Ann raccoons to 8: each takes the cube and doubles it.
RACCOON = b"""\
 0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                63: 24/15
  2) Doubles => 2               Beavers => 4
  3) Raccoons => 8              Takes
  4) 42: 8/4 6/4                66:
  Wins 8 points
"""
BEAVER = RACCOON.replace(b"  3) Raccoons => 8              Takes\n  4)", b"  3)")
SGF = SAMPLES / "money-raccoon.sgf"  # gnubg's own: after 32S Ben doubles; a cube at 8, 24 points


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "raccoon.mat"
    path.write_bytes(RACCOON)
    return path


def raises(match: Match) -> list[tuple[int, int, int | None]]:
    """Who raises, how often it was before that and with it, to what."""
    (game,) = annotate(match).games
    return [
        (int(turn.action.player), turn.raised, turn.offered)
        for turn in game.turns
        if isinstance(turn.action, Double)
    ]


def test_who_raises_to_what() -> None:
    assert raises(read(RACCOON)[0]) == [(0, 1, 2), (1, 2, 4), (0, 3, 8)]
    assert raises(read(BEAVER)[0]) == [(0, 1, 2), (1, 2, 4)]
    assert raises(read(SGF)[0]) == [(1, 1, 2), (0, 2, 4), (1, 3, 8)]


def test_a_second_double_is_no_beaver() -> None:
    data = RACCOON.replace(b"Beavers => 4", b"Takes").replace(
        b"  3) Raccoons => 8              Takes\n  4) 42: 8/4 6/4                66:",
        b"  3) 42: 8/4 6/4                Doubles => 4\n  4) Takes                      66:",
    )
    assert raises(read(data)[0]) == [(0, 1, 2), (1, 1, 4)]


@pytest.mark.parametrize("form", ["text", "markdown", "bbcode", "html-forum", "plain", "html"])
def test_every_form_says_so(form: str, file: Path) -> None:
    for source in (file, SGF):
        output = run("annotate", "--to", form, source).out
        places = [output.find(words) for words in ("doubles to 2", "beavers to 4", "raccoons to 8")]
        assert -1 not in places
        assert places == sorted(places)


def test_json_says_so(file: Path) -> None:
    turns = json.loads(run("annotate", "--to", "json", file).out)["turns"]
    cubes = [
        (turn.get("offered"), turn.get("raised")) for turn in turns if turn["action"] == "double"
    ]
    assert cubes == [(2, None), (4, "beaver"), (8, "raccoon")]


def test_the_page_draws_the_cube_that_is_offered() -> None:
    (game,) = annotate(read(RACCOON)[0]).games
    cubes = [
        turn.state.cube * 2 * data["doubles"]
        for turn, data in zip(game.turns, game_steps(game), strict=True)
        if turn.state and "doubles" in data
    ]
    assert cubes == [2, 4, 8]


@pytest.mark.parametrize(
    ("data", "points"),
    [
        (RACCOON, (8, 16, 24)),
        (BEAVER, (4, 8, 12)),
        (BEAVER.replace(b"Beavers => 4", b"Drops"), (1,)),
    ],
)
def test_the_points_are_a_game_a_gammon_or_a_backgammon_at_the_stake(
    data: bytes, points: tuple[int, ...]
) -> None:
    if b"Drops" in data:
        data = data.replace(b"  3) 42: 8/4 6/4                66:\n", b"")
    for won in range(1, 30):
        (match,) = read(data.replace(b"Wins 8", f"Wins {won}".encode()))
        (game,) = annotate(match).games
        assert (stake_problem(match, game, game.turns) == "") is (won in points)


def test_the_last_game_of_a_match_may_count_what_is_needed() -> None:
    data = RACCOON.replace(b" 0 point", b" 5 point")
    (match,) = read(data.replace(b"Wins 8", b"Wins 5"))
    (game,) = annotate(match).games
    assert stake_problem(match, game, game.turns) == ""


@pytest.mark.parametrize(("points", "fits"), [(2, True), (3, False), (5, True), (7, False)])
def test_the_last_game_of_a_match_may_count_the_match_length(points: int, fits: bool) -> None:
    """Backgammon Galaxy counts at most the match length, whatever the score before."""
    data = RACCOON.replace(b" 0 point", b" 5 point").replace(b": 0", b": 3")
    (match,) = read(data.replace(b"Wins 8", f"Wins {points}".encode()))
    (game,) = annotate(match).games
    assert (stake_problem(match, game, game.turns) == "") is fits


def test_points_that_cannot_be_are_told(file: Path) -> None:
    file.write_bytes(RACCOON.replace(b"Wins 8", b"Wins 6"))
    ran = run("annotate", file)
    message = "the points won are 6, with the cube at 8 expected 8, 16 or 24"
    assert (ran.status, ran.err) == (0, f"nactate: {file}: game 1: {message}\n")
    assert run("annotate", SGF).err == ""  # 24, as gnubg counts
