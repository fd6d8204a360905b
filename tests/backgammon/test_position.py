"""Positions: counts, sides, pips, and boards that cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import (
    HYPERGAMMON,
    NACKGAMMON,
    STANDARD,
    Position,
    board_problems,
)
from gnubg_nactation.errors import MalformedError
from tests.backgammon.boards import board
from tests.strategies import positions_and_rolls


def test_the_start() -> None:
    assert [(p, n) for p, n in enumerate(STANDARD.points) if n > 0] == [
        (6, 5),
        (8, 3),
        (13, 5),
        (24, 2),
    ]
    assert STANDARD.switch_sides() == STANDARD
    assert STANDARD.pips == STANDARD.opponent_pips == 167  # as every book says
    assert (STANDARD.off, STANDARD.opponent_off) == (0, 0)


def test_other_starts() -> None:
    # Nackgammon: one checker each of the midpoint and the 6pt starts on the 23pt.
    assert NACKGAMMON.pips == 167 - 13 - 6 + 2 * 23
    assert NACKGAMMON.off == 0
    assert HYPERGAMMON.pips == 24 + 23 + 22
    assert HYPERGAMMON.off == HYPERGAMMON.opponent_off == 12


def test_bar_and_off() -> None:
    position = board(p25=2, p6=3, p0=-1, p19=-4)
    assert (position.bar, position.opponent_bar) == (2, 1)
    assert (position.off, position.opponent_off) == (10, 10)
    assert position.pips == 2 * 25 + 3 * 6
    assert position.opponent_pips == 25 + 4 * 6


def test_switching_sides() -> None:
    position = board(p25=1, p6=2, p0=-3, p20=-4)
    assert position.switch_sides() == board(p0=-1, p19=-2, p25=3, p5=4)


@given(positions_and_rolls())
def test_switching_twice_changes_nothing(pair: tuple[Position, Roll]) -> None:
    position = pair[0]
    other = position.switch_sides()
    assert other.switch_sides() == position
    assert (other.off, other.bar, other.pips) == (
        position.opponent_off,
        position.opponent_bar,
        position.opponent_pips,
    )


@pytest.mark.parametrize(
    ("points", "problem"),
    [
        ((0,) * 25, "25 places"),
        ((0,) * 27, "27 places"),
        ((0,) * 6 + (16,) + (0,) * 19, "more than 15"),
        ((0,) * 6 + (-8, -8) + (0,) * 18, "more than 15"),
        ((0,) * 25 + (-1,), "wrong side's bar"),
        ((1,) + (0,) * 25, "wrong side's bar"),
    ],
)
def test_boards_that_cannot_be(points: tuple[int, ...], problem: str) -> None:
    assert problem in board_problems(points)[0]
    with pytest.raises(MalformedError, match="not a backgammon position"):
        Position(points)


def test_all_problems_are_told() -> None:
    assert len(board_problems((16,) + (0,) * 24 + (-16,))) == 2


def test_positions_are_values() -> None:
    assert len({STANDARD, STANDARD.switch_sides(), NACKGAMMON}) == 2
    with pytest.raises(AttributeError):
        STANDARD.points = ()  # type: ignore[misc]
