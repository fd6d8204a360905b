"""The order within families, against the slow way of tests/language/reference.py."""

from collections.abc import Sequence
from functools import cache

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.language.alphabet import FAMILIES, Right, family
from gnubg_nactation.language.plays import Plays
from tests.language.reference import circles, is_ranked
from tests.strategies import random_positions

AREAL = [row for row in FAMILIES if row.right is Right.AREAL]


@cache
def some_families() -> list[Sequence[Play]]:
    """Plays of random positions, small enough to be ordered the slow way."""
    return [
        members
        for position, roll in random_positions(1200, seed=10)
        for families in [Plays(position, roll)]
        for row in AREAL
        if 1 < len(members := families.reading(row).members) <= 40
    ]


@pytest.mark.thorough
def test_every_family_is_in_order() -> None:
    found = some_families()
    assert len(found) > 2000
    for members in found:
        assert is_ranked(members), members


def test_random_positions_hold_logic_loops() -> None:
    # Otherwise the test above would not try the patch of #58.
    assert any(
        len(circle) > 1
        for members in some_families()
        if len(members) <= 25
        for circle in circles(members).values()
    )


def test_the_loop_of_58_is_patched_and_only_where_there_is_one() -> None:
    position, roll = parse_position_id("4DnmAyC0zmCAJQ"), Roll.parse("32")
    members = Plays(position, roll).family("E").members
    loop = [parse_play(text, position, roll) for text in ("21/18 5/3", "24/21 3/1*", "24/22 5/2")]
    assert set(loop) <= circles(members)[loop[0]]
    assert members.index(loop[0]) < members.index(loop[1]) < members.index(loop[2])


def test_equal_hits_skip_the_home_quadrant_exception() -> None:
    # A later ruling by the author: after 43D-65R, 55: 8/3(2) 6/1*(2) is the fourth A although no
    # other A makes more home points, as all of them hit on the 1pt.
    position = parse_position_id("4HPwATDgc/ABMA")
    for text, roll in (("13/10 13/9", "43"), ("24/13", "65")):
        position = parse_play(text, position, Roll.parse(roll)).after
    families = Plays(position, Roll.parse("55"))
    play = parse_play("8/3(2) 6/1*(2)", position, Roll.parse("55"))
    assert families.reading(family("A")).members.index(play) == 3


@pytest.mark.parametrize(
    ("position_id", "roll", "letter", "higher", "lower"),
    [
        # Two checkers land on the 10pt, as in the Z family, where z outranks Z{3}.
        ("nZmDEwA9mZEBRA", "33", "$", "bar/22 13/10*/7 13/10", "bar/22 13/10*/7 11/8"),
        # Two land on the 5pt: the one that hits and goes on, and the one that stays.
        ("4NvgAQnBa/ABMA", "11", "K", "6/5*/3* 6/5", "7/5*/3*"),
    ],
)
def test_each_checker_that_lands_counts(
    position_id: str, roll: str, letter: str, higher: str, lower: str
) -> None:
    # Section 10 ranks by where the moved checkers land, whatever the family.
    position, dice = parse_position_id(position_id), Roll.parse(roll)
    members = Plays(position, dice).reading(family(letter)).members
    assert members.index(parse_play(higher, position, dice)) < members.index(
        parse_play(lower, position, dice)
    )


@pytest.mark.parametrize(
    ("letters", "rule"),
    [
        ("HXK", "higher-more-6"),
        ("LT", "hit-more-fewer-6"),
        ("$&W", "more-which-6"),
        ("P@Q", "hit-more-6"),
    ],
)
def test_each_style_is_ranked_by_the_rule_that_section_13_names(letters: str, rule: str) -> None:
    assert {family(letter).order.name for letter in letters} == {rule}
