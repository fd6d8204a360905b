"""Each theme on boards where the play made and the best play are compared by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gnubg_nactation.backgammon.ids import is_contact, pack_position
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, STANDARD, Position
from gnubg_nactation.decisions.themes import (
    PLAY_THEMES,
    STRUCTURE,
    THEMES,
    count_shots,
    has_contact,
    theme_of_fault,
    theme_of_play,
)
from tests.strategies import random_boards, random_positions

START = {24: 2, 13: 5, 8: 3, 6: 5}


def board(own: Mapping[int, int], opponent: Mapping[int, int]) -> Position:
    """The board with both sides' checkers, each by its own numbers."""
    points = [0] * (BAR + 1)
    for point, count in own.items():
        points[point] += count
    for point, count in opponent.items():
        points[BAR - point] -= count
    return Position(tuple(points))


RACE = board({10: 2, 6: 7, 5: 6}, {10: 2, 6: 7, 5: 6})
BEAROFF = board({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5})
FIVE_POINT_BLOT = board(START, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
TWO_BLOTS = board(START, {20: 1, 18: 1, 13: 5, 8: 3, 6: 5})
MIDGAME = board({24: 2, 13: 2, 8: 3, 6: 4, 5: 2, 4: 2}, START)
BAR_POINT = board({24: 2, 13: 4, 8: 2, 7: 2, 6: 5}, START)
# The opponent waits on the player's 3 point; all others are home.
WAITING = {22: 2, 6: 5, 5: 4, 4: 4}
BLOT_ON_10 = board({10: 1, 8: 2, 6: 4, 5: 4, 4: 4}, WAITING)
BLOT_ON_11 = board({11: 1, 8: 2, 6: 4, 5: 4, 4: 4}, WAITING)
# The opponent's checkers are past all of the player's but one.
PAST = {8: 2, 7: 2, 6: 3, 5: 4, 4: 4}
LAST_BACK = board({22: 1, 13: 2, 8: 4, 6: 4, 5: 4}, PAST)
DEEP = board({22: 1, 13: 2, 8: 3, 6: 3, 5: 3, 2: 3}, PAST)
TWO_OUT = board({22: 1, 16: 1, 14: 1, 8: 4, 6: 4, 5: 4}, PAST)
ONE_OUT = board({22: 1, 16: 1, 13: 2, 8: 4, 6: 4, 5: 3}, PAST)
ALL_HOME = board({6: 4, 5: 4, 4: 4}, {24: 2, 6: 5, 5: 4, 4: 4})
ALL_HOME_DEEPER = board({6: 5, 5: 3, 4: 4, 3: 2}, {24: 2, 6: 5, 5: 4, 4: 4})

CASES = [
    ("bearoff", BEAROFF, "21", "6/4 6/5", "4/2 4/3"),
    ("bearoff", BEAROFF, "65", "6/off 6/1", "6/off 5/off"),
    ("bearoff", BEAROFF, "43", "6/2 6/3", "4/off 6/3"),
    ("race", RACE, "43", "6/2 6/3", "10/6 10/7"),
    ("race", RACE, "65", "10/4 10/5", "10/4 6/1"),
    ("race", RACE, "21", "6/5 6/4", "10/8 10/9"),
    ("missed hit", FIVE_POINT_BLOT, "31", "24/20", "8/5* 6/5"),
    ("missed hit", FIVE_POINT_BLOT, "63", "24/15", "24/18 8/5*"),
    ("missed hit", TWO_BLOTS, "61", "24/18 24/23", "13/7* 8/7"),
    ("hit too much", FIVE_POINT_BLOT, "63", "24/18 8/5*", "24/15"),
    ("hit too much", FIVE_POINT_BLOT, "41", "24/20 6/5*", "13/8"),
    ("hit too much", TWO_BLOTS, "61", "13/7* 8/7", "24/18 24/23"),
    ("wrong hit", TWO_BLOTS, "61", "13/7* 8/7", "13/7* 6/5*"),
    ("wrong hit", TWO_BLOTS, "61", "24/18 6/5*", "13/7* 6/5*"),
    ("wrong hit", TWO_BLOTS, "61", "13/7* 6/5*", "13/7* 8/7"),
    ("missed anchor", STANDARD, "22", "13/11(2) 6/4(2)", "24/22(2) 6/4(2)"),
    ("missed anchor", STANDARD, "44", "13/9(2) 6/2(2)", "24/20(2) 13/9(2)"),
    ("missed anchor", STANDARD, "33", "8/5(2) 6/3(2)", "24/21(2) 13/10(2)"),
    ("missed point", STANDARD, "31", "24/23 13/10", "8/5 6/5"),
    ("missed point", STANDARD, "42", "24/18", "8/4 6/4"),
    ("missed point", STANDARD, "61", "24/18 24/23", "13/7 8/7"),
    ("missed point", STANDARD, "22", "24/20(2)", "13/11(2) 6/4(2)"),  # an anchor is not enough
    ("missed point", STANDARD, "22", "6/4 6/2 13/11", "13/11(2) 13/9"),  # an outer point
    ("wrong point", STANDARD, "66", "13/7(2) 8/2(2)", "24/18(2) 13/7(2)"),
    ("wrong point", STANDARD, "44", "8/4(2) 6/2(2)", "8/4(2) 13/9(2)"),
    ("wrong point", STANDARD, "22", "24/22(2) 6/4(2)", "13/11(2) 6/4(2)"),
    ("broken anchor", STANDARD, "21", "24/23 13/11", "13/11 6/5"),
    ("broken anchor", STANDARD, "43", "24/20 13/10", "13/10 13/9"),
    ("broken anchor", STANDARD, "62", "24/18 13/11", "13/5"),
    ("broken point", MIDGAME, "53", "13/8 13/10", "8/3 8/5"),
    ("broken point", MIDGAME, "62", "8/2 5/3", "24/16"),
    ("broken point", BAR_POINT, "52", "8/6 7/2", "13/8 13/11"),
    ("held too long", STANDARD, "65", "13/7 13/8", "24/13"),
    ("held too long", STANDARD, "62", "13/5", "24/18 13/11"),
    ("held too long", STANDARD, "43", "13/9 13/10", "24/20 13/10"),
    ("too loose", BLOT_ON_10, "21", "10/9 6/4", "10/8 5/4"),
    ("too loose", BLOT_ON_11, "31", "11/10 8/5", "11/8 5/4"),
    ("too loose", BLOT_ON_11, "32", "11/9 8/5", "11/8 6/4"),
    ("too safe", BLOT_ON_10, "21", "10/8 5/4", "10/9 6/4"),
    ("too safe", BLOT_ON_11, "31", "11/8 5/4", "11/10 8/5"),
    ("too safe", BLOT_ON_11, "32", "11/8 6/4", "11/9 8/5"),
    ("stayed back", LAST_BACK, "64", "22/16 6/2", "22/12"),
    ("stayed back", LAST_BACK, "63", "22/16 6/3", "22/13"),
    ("stayed back", LAST_BACK, "62", "22/16 8/6", "22/14"),
    ("left too early", LAST_BACK, "64", "22/12", "22/16 6/2"),
    ("left too early", LAST_BACK, "63", "22/13", "22/16 6/3"),
    ("left too early", LAST_BACK, "62", "22/14", "22/16 8/6"),
    ("bearoff with contact", ALL_HOME, "21", "6/4 6/5", "6/4 5/4"),
    ("bearoff with contact", ALL_HOME, "11", "6/5(2) 5/4(2)", "6/5 5/4(3)"),
    ("bearoff with contact", ALL_HOME_DEEPER, "21", "6/4 6/5", "6/5 5/3"),
    ("missed slot", LAST_BACK, "21", "13/11 6/5", "13/11 5/4"),
    ("missed slot", LAST_BACK, "31", "13/10 6/5", "13/10 5/4"),
    ("missed slot", LAST_BACK, "41", "13/9 6/5", "13/9 5/4"),
    ("wrong slot", LAST_BACK, "21", "13/11 5/4", "13/11 6/5"),
    ("wrong slot", LAST_BACK, "31", "13/10 5/4", "13/10 6/5"),
    ("wrong slot", LAST_BACK, "41", "13/9 5/4", "13/9 6/5"),
    ("stacked", LAST_BACK, "32", "13/8", "13/10 13/11"),
    ("stacked", LAST_BACK, "41", "13/8", "13/9 13/12"),
    ("stacked", LAST_BACK, "43", "13/6", "13/9 13/10"),
    ("buried", DEEP, "41", "13/12 6/2", "13/8"),
    ("missed builder", ONE_OUT, "43", "16/12 8/5", "16/9"),
    ("structure", TWO_OUT, "21", "16/15 14/12", "16/14 14/13"),
]


@pytest.mark.parametrize(("theme", "position", "roll", "made", "best"), CASES)
def test_a_theme(theme: str, position: Position, roll: str, made: str, best: str) -> None:
    plays = [parse_play(text, position, Roll.parse(roll)) for text in (made, best)]
    assert theme_of_play(plays[0], plays[1]).name == theme


def test_every_theme_of_plays_has_a_case() -> None:
    assert {theme.name for theme in PLAY_THEMES} == {theme for theme, *_ in CASES}
    assert len(THEMES) == len({theme.meaning for theme in THEMES.values()})


def test_faults_of_the_cube() -> None:
    """If the opponent had to drop, doubling was wrong because the player was too good."""
    assert theme_of_fault("wrong drop").name == "wrong drop"
    assert theme_of_fault("missed redouble").name == "missed redouble"
    assert theme_of_fault("wrong redouble", too_good=True).name == "too good to double"
    assert theme_of_fault("wrong take", too_good=True).name == "wrong take"
    assert theme_of_fault("wrong beaver").name == "other"


SHOTS = (11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)  # every textbook has them, from 1 pip to 12


@pytest.mark.parametrize(("pips", "shots"), [*enumerate(SHOTS, 1)])
def test_shots_at_one_blot(pips: int, shots: int) -> None:
    position = board({24: 1, 6: 5, 5: 5, 4: 4}, {1 + pips: 1})
    assert count_shots(position) == shots


def test_shots_are_those_of_the_legal_plays() -> None:
    for position, _ in [*random_boards(150, 1), *random_positions(100, 2)]:
        hits = [roll for roll in ROLLS if any(play.hits for play in legal_plays(position, roll))]
        assert count_shots(position) == sum(1 if roll.is_doublet else 2 for roll in hits)


def test_every_pair_of_plays_has_one_theme() -> None:
    position = MIDGAME
    plays: list[Play] = [play for roll in ROLLS[::5] for play in legal_plays(position, roll)[:6]]
    for made in plays:
        for best in plays:
            if made.roll == best.roll and made != best:
                assert theme_of_play(made, best) in PLAY_THEMES
    assert PLAY_THEMES[-1] is STRUCTURE


def test_contact_is_seen_in_a_packed_position() -> None:
    """The same rule, read from the bytes of a Position ID."""
    boards = [board for board, _ in random_positions(300, 45)]
    boards += [
        Position(tuple({4: 2, 21: -3}.get(point, 0) for point in range(26))),
        Position(tuple({21: 2, 4: -3}.get(point, 0) for point in range(26))),
        Position(tuple({4: 2, 0: -1}.get(point, 0) for point in range(26))),
        Position(tuple({25: 1, 24: -3}.get(point, 0) for point in range(26))),
        Position(tuple({1: 2}.get(point, 0) for point in range(26))),
        Position(tuple({24: -2}.get(point, 0) for point in range(26))),
        Position((0,) * 26),
    ]
    seen = [is_contact(pack_position(board)) for board in boards]
    assert seen == [has_contact(board) for board in boards]
    assert seen[-7:] == [False, True, True, True, False, False, False]
    assert {*seen[:-7]} == {True, False}
