"""The rule of thumb says what players say: which points are worth having, what a blot risks."""

from itertools import pairwise

import pytest

from gnubg_nactation.backgammon.plays import Play, Portion, Roll, pack
from gnubg_nactation.language.plausibility import plausibility
from tests.backgammon.boards import board


def worth(**counts: int) -> int:
    """What a board is worth to the player who has just reached it."""
    position = board(**counts)
    return plausibility(Play(position, Roll(2, 1), (), 0, pack(position.points)))


def after(*portions: Portion, **counts: int) -> int:
    """What a play from a board is worth."""
    hits = sum(1 << portion.target for portion in portions if portion.hits)
    play = Play(board(**counts), Roll(2, 1), portions, hits, 0)
    return plausibility(play._replace(checkers=pack(play.reached.points)))


@pytest.mark.parametrize(
    "points",
    [
        (5, 4, 6, 3, 2, 1),  # at home the 5pt, then the 4pt
        (7, 8, 9, 10, 11, 12),  # outside the nearer to the 6pt
        (20, 18, 19, 21, 22, 23),  # the golden anchor, then the opponent's bar point
        (17, 15),
        (16, 14),
        (13, 12),  # the midpoint is a landing place
        (4, 20, 6),
    ],
)
def test_which_points_are_worth_having(points: tuple[int, ...]) -> None:
    values = [worth(**{f"p{point}": 2}) for point in points]
    assert all(more > less for more, less in pairwise(values))
    assert values[0] < 2 * values[1]  # and two points more than the best of them


def test_points_that_never_count_as_owned_are_worth_nothing() -> None:
    assert worth(p1=2) > 0
    assert worth(p23=2) == worth(p24=2) == worth() == 0
    assert worth(p4=2) == worth(p7=2)
    assert worth(p13=2) == worth(p16=2) == worth(p17=2)
    assert worth(p14=2) == worth(p15=2) > 0


def test_spares_beyond_the_first_are_a_burden() -> None:
    values = [worth(p6=count) for count in (2, 3, 4, 5, 6)]
    assert values[0] == values[1]
    assert values[1] - values[2] == values[2] - values[3] == values[3] - values[4] > 0
    assert worth(p6=9) > 0  # but a point is a point


def test_what_a_blot_risks() -> None:
    safe = worth(p20=1)
    assert safe == worth(p20=1, p21=-1) == worth(p20=1, p7=-2) == 0  # nobody in reach
    indirect = [worth(p20=1, **{f"p{20 - distance}": -1}) for distance in (7, 8, 12)]
    direct = [worth(p20=1, **{f"p{20 - distance}": -2}) for distance in (1, 5, 6)]
    assert len(set(indirect)) == len(set(direct)) == 1
    assert direct[0] < 2 * indirect[0] < 0
    both = worth(p20=1, p19=-1, p8=-1)
    double = worth(p20=1, p19=-1, p18=-1)
    assert direct[0] > both > double
    assert double == worth(p20=1, p19=-1, p18=-1, p17=-1)  # more shots hardly matter
    # A checker from the bar hits, too, and what is nearer home has more to lose.
    assert worth(p5=1, p0=-1) < worth(p10=1, p5=-1) < worth(p20=1, p15=-1)
    assert worth(p5=1, p0=-1) == worth(p5=1, p1=-1)
    assert worth(p24=1, p23=-1) > 2 * worth(p16=1, p15=-1)


def test_a_hit_is_worth_more_the_farther_the_checker_has_come() -> None:
    board_ = {"p24": 2, "p15": 1, "p9": 1}
    none = after(**board_)
    low = after(Portion(15, 10, 5, hits=True), **board_, p10=-1)
    high = after(Portion(24, 19, 5, hits=True), **board_, p19=-1)
    assert none < low < high
    assert after(Portion(24, 20, 4, hits=True), **board_, p20=-1) > high
    assert worth(p2=2) < after(Portion(8, 3, 5, hits=True), p8=1, p3=-1) < worth(p3=2)


def test_a_move_that_is_nothing_else_is_worth_what_it_reaches() -> None:
    assert after(Portion(24, 20, 4, hits=False), p24=1, p14=-1) == worth(p20=1, p14=-1) < 0


def test_checkers_on_the_lowest_points_are_out_of_play() -> None:
    third, second, first = (after(Portion(6, 6 - die, die, False), p6=4) for die in (3, 4, 5))
    assert third > second > first
    assert third - second > 6
    assert third - second < second - first < 2 * (third - second)  # the 1pt more than twice


def test_checkers_off_are_what_counts_in_the_end() -> None:
    one = after(Portion(1, 0, 1, hits=False), p1=4)
    two = after(Portion(1, 0, 1, hits=False), Portion(1, 0, 1, hits=False), p1=4)
    assert worth(p1=4) < one < two < worth(p5=2)
