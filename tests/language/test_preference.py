"""What the author would write: each rule of his habit at its edge.

The captions of the tutorial and its rollout table pin most of it (test_agreement.py of
tests/tutorial). Here stand, by the rules read off them, the cases that they do not hold. "areal" is
the areal letter at any rank.
"""

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.conventions import rank
from gnubg_nactation.language.plays import Plays, basic, choose, comes_from_midpoint
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.sequences.decode import decode
from tests.backgammon.boards import board
from tests.strategies import random_positions

# The 5 can be played from the 6pt alone, so that it may be left out of account.
_P_AND_X = format_position_id(
    board(p24=2, p16=1, p15=1, p6=1, p19=-2, p18=-2, p11=-2, p10=-2, p9=-2, p1=-1)
)
# The 6 alone can be played, from the midpoint.
_ONE_DOWN = format_position_id(board(p13=1, p8=-2, p7=-1, p2=-2))
_EDGES = [
    # An anchor on the 16pt or higher is @, the second one #; a third, or a lower point, is not.
    ("BAAggB/8EIEAAA", "51", "23/17", "#"),
    ("wngGEAAcAMILAA", "32", "bar/22 24/22", "areal"),
    ("gA5xgAA+ADHvAA", "63", "21/15 18/15", "P"),
    ("wP8B4AQAEAYIAA", "64", "bar/19 17/13", "P"),  # whatever point a checker enters on
    ("nI/wAwCY8CDwQw", "62", "bar/23 21/15", "P"),
    # A point goes before hit and split, a slot, and a hit by entering with the rest down.
    ("wH8fEAANBgAAAA", "64", "7/3 7/1", "P"),
    ("BAAAxEHwHwABAA", "53", "bar/22* 14/9", "P"),
    (_P_AND_X, "51", "16/15 6/1*", "P"),
    # X and x, but no third one; before H where a forced portion makes the play both.
    ("wEH+nAC4CBBbAA", "21", "19/17 8/7*", "areal"),
    ("BABAgAGAAQAAAA", "62", "19/13 5/3*", "X"),
    # H on the near side, which ends at the 12pt; from the 13pt on a checker that comes down beside
    # it is a split, and so is one that comes down after entering with a hit.
    ("ANwvFMAQgPERAA", "54", "16/12* 16/11", "H"),
    ("ogPxBxgA/McHAA", "21", "14/13* 14/12", "S"),
    ("4IgEAKEF8OAIAA", "42", "bar/23 17/13*", "H"),
    ("EnAEAYA/gMFHAA", "52", "bar/23* 17/12", "S"),
    # Two hits are K, the second K too. One checker that hits on the far side and goes on is
    # written by its areas, also where it makes a point or slots; with a 1 or a 5 Z is S.
    ("awzTCgIZ6wcgAw", "52", "18/13* 7/5*", "k"),
    ("0HPkATDgc/ABMA", "64", "24/20*/14*", "K"),  # "though more commonly K" (#45)
    ("6MFdTAAgThA4AQ", "63", "16/13*/7", "Z"),
    ("WTuRAULztArgAA", "64", "18/14*/8", "Z"),
    ("92SKADBau0eAAA", "61", "18/17*/11", "S"),
    # Two checkers down from the midpoint are the first D, and no other, if they make no point.
    ("n5gHBCGuseAJAg", "53", "13/10* 13/8", "H"),
    ("ifODIANrDPgMAg", "31", "13/12* 13/10", "H"),
    (_ONE_DOWN, "65", "13/7*", "H"),  # nor is one checker two
    # A slot goes before a stack, and no stack is a C.
    ("gAGCweALAAAAAA", "31", "7/3", "$"),
    ("4oA3PAgHAv45AA", "62", "16/14 7/1", "areal"),
    # S for Z, with a 5 or a 1, goes before p, and p before a lower areal letter, but not a third
    # point; before a capital only where all is on the near side.
    ("TA4EhwZAgAAAAA", "53", "17/9", "S"),
    ("wR8eCRDDZwWEAA", "43", "16/9", "p"),
    ("rD3gACOcTgsCNA", "62", "23/21* 15/9", "Z"),
    ("8gGCnwFhBgAcAA", "42", "7/3 5/3", "p"),
    ("r4EOGiD6GUcBBA", "51", "8/2", "p"),
    ("wmfwASHC8+ABMA", "42", "8/2", "p"),
    ("kk/hASHC85IBMA", "65", "13/2", "O"),
    # W goes before a lower areal letter, a slot before an italic one only.
    ("wueFQSCST+EBIQ", "53", "20/15 8/5", "W"),
    ("4HPwATDgc/ABMA", "54", "24/20 8/3", "C"),
    ("wueFQSCST+EBIQ", "53", "13/5", "%"),
    ("4HPwATDgc/ABMA", "54", "13/9 8/3", "o"),
    # So does a numeral, the lower point's if both will do; but not one that is italic itself, nor
    # of a doublet. The third and fourth of the UV family are no italics (section 14).
    ("PhEgACRaIOAfAA", "41", "7/2", "2"),
    ("kk/hASHC85IBMA", "65", "9/4 8/2", "4"),
    ("PJ4KYhCsPeACIg", "32", "13/11 13/10*", "areal"),
    ("wmfwASHC8+ABMA", "66", "13/7(2) 8/2(2)", "areal"),
    ("4Dl4ADbgOXgANg", "41", "24/23 24/20", "u"),
    # Doublets: an anchor or a point by one pair, which is all that moves and hits nothing above.
    ("YOCPB4AADP4DAA", "11", "17/15(2)", "@"),
    ("wvOSATDCZ/ABIQ", "22", "24/18 20/18", "U"),
    ("a5lVBQDX4AdgAg", "22", "18/16*/14*(2)", "R"),
    ("WTuRAULztArgAA", "44", "18/14*/10(2)", "B"),
    ("uxDAwDwATv4tAA", "11", "14/11 12/11", "areal"),
    ("4PPgASSic/ABMA", "22", "24/22 13/7", "areal"),
    ("cN5xhAARdn8ACA", "44", "10/2(2)", "A"),  # nor is a pair of D, J, I or A a P
    # But P stands for a letter with a mark, or F, G, M, Y, Q, and p for a lower one.
    ("AAQAzAccgA8AAA", "55", "20/5 10/5", "P"),
    ("wfPCAQrCM/gBQQ", "55", "bar/20 13/3* 8/3", "P"),
    ("vGFQCDbE0QCKXQ", "22", "bar/23 9/7*/3", "P"),
    ("37shAADvC3IIAA", "33", "10/4(2)", "p"),
    ("pauRIwB70LMACA", "22", "10/6(2)", "areal"),  # not for a third point
    ("v7sAAMD7gS0AAA", "22", "8/4(2)", "A"),
    # A hit is the first H, unless a checker enters.
    ("wvOSATDCZ/ABIQ", "22", "24/16*", "H"),
    ("hWfwAwLB88IBRA", "44", "bar/21 13/5* 13/9", "areal"),
]


@pytest.mark.parametrize(("position_id", "roll", "play", "written"), _EDGES)
def test_edge(position_id: str, roll: str, play: str, written: str) -> None:
    plays = Plays(parse_position_id(position_id), Roll.parse(roll))
    naming = plays.name(play).naming
    if written == "areal":
        assert naming == plays.areal(plays.play(naming.nactation))
    else:
        assert str(naming) == written


@pytest.mark.parametrize(
    ("sequence", "roll", "play", "preferred", "shown"),
    [
        ("", "31", "8/5 6/5", "P", "P"),
        ("", "43", "13/10 13/9", "D", "D"),
        ("", "61", "13/7 6/5", "&", "N"),  # & is no basic character, the N of section 5 is
        ("", "41", "13/8", "T", "D"),  # nor is T
        ("", "32", "6/3 6/4", "I", "I"),  # nor I, but there is no other first member
        ("", "21", "6/3", "i", "i"),
        ("51$-64H", "62", "bar/23 13/7", "D", "Z"),  # nor D for what is left after entering
    ],
)
def test_basic_characters(sequence: str, roll: str, play: str, preferred: str, shown: str) -> None:
    position: Position = decode(sequence).state.position if sequence else STANDARD
    plays = Plays(position, Roll.parse(roll))
    found = plays.play(plays.name(play).naming.nactation)
    assert str(plays.name(found)) == preferred
    assert str(basic(found, plays)) == shown
    assert choose(found, plays, "preferred") == (plays.name(found).naming,)
    assert choose(found, plays, "areal") == (plays.areal(found),)
    assert choose(found, plays, "basic") == (basic(found, plays),)
    assert choose(found, plays, "all") == plays.names(found)


def test_no_numeral_where_letters_are_asked_for() -> None:
    plays = Plays(parse_position_id("PhEgACRaIOAfAA"), Roll.parse("41"))
    (play,) = [play for play in plays if str(plays.name(play)) == "2"]
    assert [str(choose(play, plays, name)[0]) for name in ("areal", "basic")] == ["A{3}", "A{3}"]


def test_numerals_are_written_wherever_one_names_the_play() -> None:
    # A numeral is a point where a moved checker ends (section 9): 13/8 is the 8 of 41.
    # Where other plays go before it to both of its points, a play has a basic character.
    plays = Plays(STANDARD, Roll(4, 1))
    assert str(choose(plays.play("T"), plays, "numerals")[0]) == "8"
    plays = Plays(parse_position_id("PJ4KYhCsPeACIg"), Roll.parse("32"))
    (found,) = [play for play in plays if str(plays.name(play)) == "D{3}"]
    assert str(choose(found, plays, "numerals")[0]) == "D{3}"


def test_what_is_preferred_reads_back() -> None:
    for position, roll in random_positions(150, seed=31):
        plays = Plays(position, roll)
        for play in plays[:12]:
            decoded = decode(f"{roll}{plays.name(play)}", start=position, strict=True)
            assert decoded.turns[0].play == play


def test_two_checkers_from_the_midpoint_make_no_point() -> None:
    """A third checker on a point makes none; a second one does."""
    plays = Plays(board(p13=3, p10=2, p9=1), Roll(4, 3))
    assert not comes_from_midpoint(plays._find("13/10 13/9"), plays)
    plays = Plays(board(p13=3, p10=2), Roll(4, 3))
    assert comes_from_midpoint(plays._find("13/10 13/9"), plays)


def test_a_digit_is_written_only_where_its_fixed_reading_names_the_play() -> None:
    # The author's ruling of 2014: one checker that plays the whole roll to the point, else two or
    # more with nothing over, else one of them and the best rest by hit-more-6.
    digits = 0
    for position, roll in random_positions(400, seed=14):
        plays = Plays(position, roll)
        if position.bar or plays.forced or position.off:
            continue
        for play in plays:
            name = plays.name(play).naming.nactation
            if name.family.right is Right.NUMERAL:
                digits += 1
                assert play == _by_fixed_reading(int(str(name)), plays)
    assert digits > 20


def _by_fixed_reading(digit: int, plays: Plays) -> Play:
    for point in range(digit, 25, 10):
        ends = {play: resting_points(play.portions) for play in plays}
        for count in range(1, 5):
            if going := [play for play in plays if ends[play] == [point] * count]:
                return rank(going)[0]
        if going := [play for play in plays if point in ends[play]]:
            return rank(going)[0]
    raise AssertionError(f"no play goes to a point that ends with {digit}")


def test_the_play_of_a_digit_with_two_readings_has_another_name() -> None:
    # By the fixed reading 3 is 7/3 6/3, two checkers on the 3pt.
    position, roll = parse_position_id("u70CADButy0AAA"), Roll.parse("43")
    assert str(Plays(position, roll).name(parse_play("7/4 7/3", position, roll))) == "J{3}"
