"""Legal plays, rule by rule, on boards small enough to be played out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, OFF, STANDARD, Position
from gnubg_nactation.errors import MalformedError
from tests.backgammon.boards import board
from tests.strategies import ALL_ROLLS, positions_and_rolls

# Plays of the opening, rolls 11 21 22 31 ... 66: five programs by other authors agree on them.
OPENING = (42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11)


def plays(position: Position, roll: str) -> set[str]:
    return {format_play(play) for play in legal_plays(position, Roll.parse(roll))}


def portions(position: Position, roll: str, text: str) -> list[tuple[int, int, int]]:
    """Source, target and die of each portion of the play that is written as `text`."""
    found = [p for p in legal_plays(position, Roll.parse(roll)) if format_play(p) == text]
    (play,) = found
    return [(portion.source, portion.target, portion.die) for portion in play.portions]


# --- rolls ---------------------------------------------------------------------------------


def test_the_larger_die_comes_first() -> None:
    assert Roll(2, 5) == Roll(5, 2) == Roll.parse("25") == Roll(high=5, low=2)
    assert str(Roll.parse("25")) == "52"
    assert Roll(4, 4).is_doublet
    assert not Roll(4, 3).is_doublet


@pytest.mark.parametrize("text", ["", "3", "333", "07", "17", "ab", "5 2", "\u0665\u0662", "-1"])
def test_not_a_roll(text: str) -> None:
    with pytest.raises(MalformedError):
        Roll.parse(text)


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (-1, 3)])
def test_not_dice(dice: tuple[int, int]) -> None:
    with pytest.raises(MalformedError):
        Roll(*dice)


# --- the rules -----------------------------------------------------------------------------


def test_the_opening_by_hand() -> None:
    # Sixes: 24/18 13/7 8/2. Fives: 13/8 8/3 and 18/13; the opponent holds our 19pt and 1pt.
    assert plays(STANDARD, "65") == {
        "24/13",
        "24/18 13/8",
        "24/18 8/3",
        "13/8 13/7",
        "13/7 8/3",
        "13/2",
        "8/3 8/2",
    }


def test_numbers_of_plays_of_the_opening() -> None:
    assert tuple(len(legal_plays(STANDARD, roll)) for roll in ALL_ROLLS) == OPENING


def test_both_dice_must_be_played_if_possible() -> None:
    # With 13/11 the six could not be played any more.
    assert plays(board(p13=1, p3=1, p5=-2), "62") == {"13/7 3/1"}


def test_the_larger_die_if_only_one_can_be_played() -> None:
    assert plays(board(p13=1, p5=-2), "62") == {"13/7"}


def test_the_smaller_die_if_the_larger_cannot_be_played() -> None:
    assert plays(board(p13=1, p5=-2, p7=-2), "62") == {"13/11"}


def test_a_doublet_is_played_four_times() -> None:
    assert plays(board(p13=1), "33") == {"13/1"}
    assert plays(board(p13=2), "33") == {"13/1", "13/4 13/10", "13/7(2)"}


def test_a_doublet_is_played_as_often_as_possible() -> None:
    assert plays(board(p13=1, p4=-2), "33") == {"13/7"}
    assert plays(board(p10=2, p4=-2), "33") == {"10/7(2)"}
    # Three portions can be played with 16/7, so 13/10 and one more is not enough.
    assert plays(board(p16=1, p4=-2), "33") == {"16/7"}


def test_nothing_can_be_played() -> None:
    assert legal_plays(board(p13=1, p7=-2, p11=-2), Roll(6, 2)) == ()
    assert legal_plays(board(p13=1, p10=-2), Roll(3, 3)) == ()


def test_checkers_on_the_bar_enter_first() -> None:
    position = board(p25=1, p6=2, p20=-2)
    assert plays(position, "52") == {"bar/18", "bar/23 6/1"}
    assert plays(board(p25=2, p6=2, p20=-2), "52") == {"bar/23"}
    assert plays(board(p25=1, p6=2, p20=-2, p23=-2), "52") == set()
    assert plays(board(p25=3, p6=2), "11") == {"bar/24(3) 6/5", "bar/23 bar/24(2)"}


def test_a_checker_on_the_bar_is_not_home() -> None:
    assert plays(board(p25=1, p2=2), "21") == {"bar/22", "bar/23 2/1"}


def test_bearing_off() -> None:
    # A one: 6/5, 3/2. A five: 6/1, or 5/off after 6/5; never 3/off with the six behind it.
    assert plays(board(p6=1, p3=1), "51") == {"6/1 3/2", "6/off"}


def test_bearing_off_with_a_larger_die_from_the_highest_point() -> None:
    assert plays(board(p4=1, p2=1), "61") == {"4/off 2/1", "4/off"}
    assert plays(board(p3=2, p1=1), "65") == {"3/off(2)"}


def test_no_bearing_off_with_a_checker_outside() -> None:
    # 7/6 with the one brings it home, but then the two must be played from a point above it.
    assert plays(board(p7=1, p1=2), "21") == {"7/5 1/off", "7/4"}


def test_bringing_the_last_checker_home_with_the_smaller_die() -> None:
    assert portions(board(p7=1, p6=2, p1=-2), "61", "7/off") == [(7, 6, 1), (6, 0, 6)]
    assert plays(board(p7=1, p6=1), "61") == {"7/off", "7/1 6/5"}


def test_a_game_that_ends_early_uses_as_many_dice_as_it_can() -> None:
    assert portions(board(p3=1), "61", "3/off") == [(3, 2, 1), (2, 0, 6)]
    assert portions(board(p3=1), "63", "3/off") == [(3, 0, 6)]
    assert portions(board(p1=2), "66", "1/off(2)") == [(1, 0, 6), (1, 0, 6)]
    assert portions(board(p2=1), "11", "2/off") == [(2, 1, 1), (1, 0, 1)]


def test_a_point_of_two_opponents_is_closed_and_of_one_is_hit() -> None:
    assert plays(board(p8=1, p7=-1, p3=-2, p2=-2), "51") == {"8/7*"}
    (play,) = legal_plays(board(p8=1, p7=-1, p3=-2, p2=-2), Roll(5, 1))
    assert play.hits == 1 << 7
    assert play.reached == board(p7=1, p3=-2, p2=-2, p0=-1)
    assert play.after == board(p18=-1, p22=2, p23=2, p25=1)


def test_a_point_is_hit_once() -> None:
    (play,) = [p for p in legal_plays(board(p8=2, p7=-1), Roll(1, 1)) if p.reached.points[6] == 2]
    assert [p.hits for p in play.portions] == [True, False, False, False]
    assert play.reached == board(p6=2, p0=-1)


def test_hitting_on_the_way_is_another_play() -> None:
    assert plays(board(p13=1, p11=-1), "42") == {"13/7", "13/11*/7"}
    assert plays(board(p13=1, p11=-1, p9=-1), "42") == {"13/9*/7", "13/11*/7"}
    assert plays(board(p13=1, p11=-1, p9=-2, p7=-1), "42") == {"13/11*/7*"}


# --- canonical portions --------------------------------------------------------------------


def test_one_checker_goes_with_the_larger_die_first() -> None:
    assert portions(board(p13=1), "42", "13/7") == [(13, 9, 4), (9, 7, 2)]


def test_also_where_two_checkers_could_reach_the_same() -> None:
    # 13/11 with one checker and 11/7 with the other leaves the same board as 13/9/7.
    assert portions(board(p13=1, p11=1), "42", "13/7") == [(13, 9, 4), (9, 7, 2)]


def test_unless_only_the_other_way_is_open() -> None:
    assert portions(board(p13=1, p9=-2), "42", "13/7") == [(13, 11, 2), (11, 7, 4)]


def test_or_a_hit_tells_the_ways_apart() -> None:
    position = board(p13=1, p9=-1)
    assert portions(position, "42", "13/9*/7") == [(13, 9, 4), (9, 7, 2)]
    assert portions(position, "42", "13/7") == [(13, 11, 2), (11, 7, 4)]


def test_the_larger_die_bears_off_from_the_higher_point() -> None:
    assert portions(board(p4=1, p3=1), "64", "4/off 3/off") == [(4, 0, 6), (3, 0, 4)]
    assert portions(board(p5=1, p4=1), "65", "5/off 4/off") == [(5, 0, 6), (4, 0, 5)]


def test_bearing_off_one_checker_with_both_dice() -> None:
    assert portions(board(p6=1, p3=1), "51", "6/off") == [(6, 1, 5), (1, 0, 1)]
    assert portions(board(p4=1, p2=1), "61", "4/off") == [(4, 3, 1), (3, 0, 6)]


def test_a_doublet_goes_from_the_highest_point() -> None:
    position = board(p13=2, p8=1)
    assert portions(position, "22", "13/7 8/6") == [(13, 11, 2), (11, 9, 2), (9, 7, 2), (8, 6, 2)]


# --- laws ----------------------------------------------------------------------------------


@given(positions_and_rolls())
def test_plays_are_told_apart_by_the_board(pair: tuple[Position, Roll]) -> None:
    found = legal_plays(*pair)
    assert len({play.reached for play in found}) == len(found)
    assert len({len(play.portions) for play in found}) <= 1


@given(positions_and_rolls())
def test_portions_can_be_played_one_by_one(pair: tuple[Position, Roll]) -> None:
    position, roll = pair
    for play in legal_plays(*pair):
        assert (play.before, play.roll) == pair
        points, hits = position.points, 0
        for portion in play.portions:
            after = step(points, portion.source, portion.die)
            assert after is not None
            assert portion.target == max(portion.source - portion.die, OFF)
            assert portion.hits == (after[OFF] < points[OFF])
            hits |= portion.hits << portion.target
            points = after
        assert points == play.reached.points
        assert hits == play.hits
        assert play.checkers == sum(max(n, 0) << 4 * p for p, n in enumerate(points) if p)
        dice = [portion.die for portion in play.portions]
        if roll.is_doublet:
            assert dice == [roll.high] * len(dice)
            assert len(dice) <= 4
        else:
            assert dice in ([roll.high], [roll.low], list(roll), list(roll)[::-1])


@given(positions_and_rolls())
def test_the_smaller_die_goes_first_only_where_it_must(pair: tuple[Position, Roll]) -> None:
    position, roll = pair
    larger_first = set()
    for source in range(1, BAR + 1):
        between = step(position.points, source, roll.high)
        for then in range(1, BAR + 1) if between else ():
            larger_first.add(step(between or (), then, roll.low))
    for play in legal_plays(*pair):
        if [portion.die for portion in play.portions] == [roll.low, roll.high]:
            assert roll.is_doublet or play.reached.points not in larger_first


@given(positions_and_rolls())
def test_doublets_go_from_the_highest_point(pair: tuple[Position, Roll]) -> None:
    position, roll = pair
    for play in legal_plays(position, Roll(roll.low, roll.low)):
        sources = [portion.source for portion in play.portions]
        assert sources == sorted(sources, reverse=True)


@given(positions_and_rolls())
def test_the_board_after_belongs_to_the_opponent(pair: tuple[Position, Roll]) -> None:
    for play in legal_plays(*pair):
        assert play.after == play.reached.switch_sides()
        assert play.after.opponent_pips <= pair[0].pips - len(play.portions)


def step(points: tuple[int, ...], source: int, die: int) -> tuple[int, ...] | None:
    """The points after one die played from `source` as the rule book has it; None if illegal."""
    if points[source] < 1 or (points[BAR] > 0 and source != BAR):
        return None
    after = list(points)
    after[source] -= 1
    target = source - die
    if target <= OFF:
        behind = any(n > 0 for n in points[source + 1 :])
        outside = any(n > 0 for n in points[7:])
        return None if outside or (target < OFF and behind) else tuple(after)
    if points[target] < -1:
        return None
    if points[target] == -1:
        after[target] = 0
        after[OFF] -= 1
    after[target] += 1
    return tuple(after)


def test_play_is_a_value() -> None:
    one, other = (legal_plays(STANDARD, Roll(3, 1)) for _ in range(2))
    assert one == other
    assert len({*one, *other}) == len(one)
    assert isinstance(one[0], Play)


@given(positions_and_rolls())
def test_what_is_owned_and_what_is_a_blot_is_seen_on_the_board(
    found: tuple[Position, Roll],
) -> None:
    for play in legal_plays(*found):
        counts = play.reached.points[:BAR]
        assert play.owned == sum(POINT_BIT[at] for at in range(1, BAR) if counts[at] >= 2)
        assert play.blots == sum(POINT_BIT[at] for at in range(1, BAR) if counts[at] == 1)
        assert [play.own(at) for at in range(1, BAR)] == [max(n, 0) for n in counts[1:]]
