"""The choices of a cube decision, for the player who decides."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import decide_cube, right_actions


def worth(
    no_double: float, double_take: float, state: GameState | None = None
) -> tuple[str, list[tuple[str, float | None]]]:
    """The right actions, and what each choice is worth to the player."""
    cube = CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, "2-ply")
    decision = decide_cube(cube, state or GameState())
    assert decision
    return right_actions(decision), [(choice.action, choice.equity) for choice in decision.choices]


def test_a_win_that_cannot_grow_is_not_too_good_to_double() -> None:
    """gnubg: `Double, pass`, in races in which the player can still cash on the next roll."""
    choices = [("double, pass", 1.0), ("no double", 1.0)]
    assert worth(1.0, 1.8) == ("double, drop", choices)
    assert worth(1.001, 1.8)[0] == "no double, drop"


@pytest.mark.parametrize(
    ("turned", "right", "choices"),
    [  # the double wins -.2 if it is taken, and each raise doubles that
        (0, "take", [("take", 0.2), ("pass", -1)]),  # for the opponent
        (1, "take", [("take", -0.2), ("pass", -1)]),  # for the doubler, whom a beaver answers
        (2, "take", [("take", 0.2), ("pass", -1)]),  # a raccoon, for the opponent again
    ],
)
def test_the_player_who_doubled_answers_a_beaver(
    turned: int, right: str, choices: list[tuple[str, float]]
) -> None:
    state = GameState(cube=1 << turned, doubled=True, turned=turned, beavers=True)
    assert worth(0.1, -0.2, state) == (right, choices)


def test_a_beaver_may_be_dropped() -> None:
    state = GameState(cube=2, doubled=True, turned=1, beavers=True)
    assert worth(-1.1, -1.5, state) == ("drop", [("pass", -1), ("take", -1.5)])
