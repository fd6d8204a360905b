"""Numerals by their fixed reading (section 9 and the author's later ruling), at its edges."""

from itertools import combinations_with_replacement

import pytest

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.language.numerals import is_named_first, numeral_landings, numeral_points
from gnubg_nactation.language.plays import Plays
from tests.backgammon.boards import board
from tests.strategies import random_positions


def fixed(position: Position, roll: str, digit: str) -> list[tuple[int, list[str]]]:
    """The points that a digit may mean, each with the plays of its fixed reading."""
    plays = Plays(position, Roll.parse(roll))
    goings = numeral_points(digit, plays, plays.forced)
    return [(going.point, [format_play(play) for play in going.plays]) for going in goings]


@pytest.mark.parametrize(
    ("position", "roll", "digit", "expected"),
    [
        # One checker with the whole roll goes before two, two before three, three before four.
        (STANDARD, "42", "4", "8/4 6/4"),
        (board(p10=1, p8=1, p6=1, p24=2), "42", "4", "10/4"),
        (board(p24=2, p7=2, p6=3), "11", "5", "7/5(2)"),
        (board(p24=2, p7=1, p6=4), "11", "5", "7/5 6/5(2)"),
        (board(p24=2, p6=5), "11", "5", "6/5(4)"),
        # The lowest point goes first: 4 and not 14; 0 is off before the 10pt.
        (board(p24=1, p14=1, p6=2), "64", "4", "14/4"),
        (board(p6=2, p3=2), "63", "0", "6/off 3/off"),
        # What enters is played first, and what is forced.
        (board(p25=1, p6=3, p8=2), "31", "5", "bar/22 6/5"),
        # As many checkers as can be are borne off, with contact so as to leave the fewest blots.
        (board(p6=1, p3=1, p2=1), "31", "1", "3/off 2/1"),
        (board(p6=2, p5=2, p4=2, p24=-2), "61", "4", "6/off 5/4"),
        (board(p6=2, p5=2, p4=2, p3=-1), "61", "5", "6/5 6/off"),
    ],
)
def test_fixed_reading(position: Position, roll: str, digit: str, expected: str) -> None:
    assert fixed(position, roll, digit)[0][1][0] == expected


def test_what_leaves_more_blots_with_contact_is_not_meant() -> None:
    # Behind the opponent's last checker there is no contact, and any blot will do.
    assert fixed(board(p6=2, p5=2, p4=2, p3=-1), "61", "4") == []
    assert fixed(board(p6=2, p5=2, p4=2, p7=-1), "61", "4") == [(4, ["6/off 5/4"])]


def test_every_point_with_the_digit_may_be_meant() -> None:
    assert [point for point, _ in fixed(board(p24=1, p16=1, p6=2), "42", "2")] == [2, 12, 22]


def test_the_fixed_reading_stands_where_another_play_is_hardly_more_natural() -> None:
    plays = Plays(STANDARD, Roll.parse("42"))
    assert format_play(plays.family("2").members[0]) == "8/2"  # and not 13/11 6/2
    landing, is_open = numeral_landings("2", plays, plays.forced)
    assert (format_play(landing[0]), is_open) == ("8/2", False)
    plays = Plays(board(p24=2, p6=6), Roll.parse("11"))
    landing, is_open = numeral_landings("5", plays, plays.forced)
    assert (format_play(landing[0]), is_open) == ("6/5(4)", False)  # and not 6/4 6/5(2)


@pytest.mark.parametrize(
    ("position_id", "roll", "digit", "expected"),
    [
        # Positions of #54, #30 and #78. In brackets: the equities by Open Sage.
        ("4HPwIDDgc+QBBQ", "61", "7", "13/7* 8/7"),  # the best play, not 21/20 13/7* (-.03)
        ("4Dn4AA3g8+ABJA", "66", "7", "22/10 13/7(2)"),  # not 13/7(4) (-.11)
        ("yPPIASjg8+ABUA", "44", "2", "bar/21* 8/4(2) 6/2*"),  # not bar/21* 6/2*(3) (-.36)
    ],
)
def test_a_clearly_more_natural_play_goes_before_the_fixed_reading(
    position_id: str, roll: str, digit: str, expected: str
) -> None:
    plays = Plays(position_id, roll)
    assert format_play(plays.family(digit).members[0]) == expected


def test_what_goes_nowhere_leaves_nothing_open() -> None:
    plays = Plays(STANDARD, Roll.parse("42"))
    assert numeral_landings("=", plays, plays.forced) == ([], False)
    assert numeral_landings("5", plays, plays.forced) == ([], False)


def test_one_play_at_most_bears_off_so_many_checkers() -> None:
    seen = {"=": 0, "+": 0}
    for count in range(2, 6):
        for points in combinations_with_replacement(range(1, 7), count):
            counts = [points.count(point) for point in range(26)]
            for roll in ROLLS:
                plays = Plays(Position(tuple(counts)), roll)
                for sign, meant in (("=", {2}), ("+", {4, 3})):
                    members = plays.family(sign).members
                    bearing = [
                        play
                        for play in plays
                        if len(play.portions) in meant and not any(p.target for p in play.portions)
                    ]
                    assert list(members) == bearing
                    assert len(members) <= 1
                    seen[sign] += len(members)
    assert all(seen.values())


def test_the_play_that_a_digit_names_first_is_its_first_member() -> None:
    count = 0
    for position, roll in random_positions(24, seed=9):
        plays = Plays(position, roll)
        for digit in map(str, range(10)):
            members = plays.family(digit).members
            some = {play.portions: play for play in (*members[:3], *plays[:3])}.values()
            first = [play for play in some if is_named_first(play, digit, plays, plays.forced)]
            assert first == [*members[:1]]
            count += bool(first)
    assert count > 40
