"""Scores as nacbracs name them, and the states that they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import at_score, describe_score, parse_score, score_of

SECOND = GameState(player=Player.SECOND)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("dmp", "d"),
        ("DMP", "d"),
        ("gg", "g"),
        ("gs", "s"),
        ("g", "g"),
        ("money", ""),
        ("jacoby", "j"),
        ("n", "n"),
        ("-3-5", "-3-5"),
        (" 3-5 ", "-3-5"),
        ("-2-1c", "-2-1C"),
        ("-64-1", "-64-1"),
    ],
)
def test_scores_are_read(text: str, score: str) -> None:
    assert parse_score(text) == score


@pytest.mark.parametrize(
    "text", ["", "x", "ggg", "D", "-0-5", "-3-65", "-3", "-3-5-7", "3-x", "-3-5C", "-1-1C", "--3-5"]
)
def test_what_is_no_score_is_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="not a score"):
        parse_score(text)


def test_gammon_go_is_2_points_against_1_in_the_crawford_game() -> None:
    """For a player who needs 2 points a gammon wins the match (tutorial section 17)."""
    go = at_score(SECOND, "g")
    assert (go.length, go.score, go.crawford) == (2, (1, 0), True)
    save = at_score(SECOND, "s")
    assert (save.length, save.score, save.crawford) == (2, (0, 1), True)


@pytest.mark.parametrize("score", ["g", "s", "-4-1C"])
def test_the_crawford_game_has_no_turned_cube(score: str) -> None:
    """With a cube at 2 a single game would win 2 points, and a gammon go would be none."""
    turned = replace(SECOND, cube=2, owner=Player.FIRST)
    assert at_score(turned, score) == at_score(SECOND, score)
    assert at_score(turned, "-4-1").cube == 2


def test_scores_are_told_from_the_player_on_roll() -> None:
    state = at_score(SECOND, "-3-5")
    assert (state.length, state.score) == (5, (0, 2))
    assert at_score(replace(SECOND, player=Player.FIRST), "-3-5").score == (2, 0)


@pytest.mark.parametrize("score", ["", "d", "g", "s", "j", "-3-5", "-2-1", "-7-1C", "-64-64"])
@pytest.mark.parametrize("player", Player)
def test_a_state_tells_its_score(score: str, player: Player) -> None:
    assert score_of(at_score(GameState(player=player), score)) == score


def test_money_has_no_jacoby_rule_unless_it_is_said() -> None:
    at_money = GameState(length=5, score=(1, 2), jacoby=True)
    assert at_score(at_money, "") == at_score(at_money, "n") == GameState()
    assert at_score(at_money, "j") == GameState(jacoby=True)


def test_scores_in_words() -> None:
    assert describe_score("g") == "gammon go"
    assert describe_score("-2-1C") == "2 away, 1 away, Crawford"
