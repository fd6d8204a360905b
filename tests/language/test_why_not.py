"""Why a character does not name a play, by the definitions of the tutorial's sections 12 and 13."""

import pytest

from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.sequences.decode import decode
from tests.strategies import random_positions
from tests.tutorial.cases import read_cases

_60 = "64P-54D-52S-52P-43R-63X-32@-52"
_66 = "61P-63R-64Z-41H-43H-61H-32H-31H-63R-54K-51-22"
_CASES = [
    # The opening letters of sections 1 and 2.
    ("43", "24/21 13/9", "S", "the smaller die, the 3, is played on the far side"),
    ("43", "24/20 13/10", "Z", "the larger die, the 4, is played on the far side"),
    ("43", "13/10 13/9", "U", "13/9 comes down, and U needs 2 runs"),
    ("64", "24/14", "U", "18/14 lands on the 14pt, and U stays above the 17pt"),
    ("65", "24/13", "U", "18/13 lands on the 13pt, and U stays above the 17pt"),
    ("53", "13/10 13/8", "P", "the 8pt was made before; a blot is left on the 10pt"),
    ("31", "8/5 6/5", "$", "no new blot is left on a vacant point, the 7pt or lower"),
    ("61", "13/7 6/5", "$", "the 5pt and the 7pt are slotted"),
    ("21", "13/11 6/5", "&", "the 5pt alone is slotted"),
    # The down clause of H, and what is left over of an X (#1, #8, #67).
    ("54S-63R-31", "13/10* 8/7", "P", "a blot is left on the 10pt; a blot is left on the 7pt"),
    ("54S-63R-31", "13/10*/9", "X", "no checker stays on the 10pt"),
    ("54S-63R-31", "13/10* 6/5", "H", "6/5 is left over and moves inside: it must come down"),
    ("43Z-32", "24/21 6/4*", "H", "24/21 is left over and runs: it must come down"),
    ("43Z-32", "13/10 6/4*", "X", "13/10 is left over and not on the far side"),
    ("43Z-32", "13/10 6/4*", "K", "one checker is hit"),
    ("43Z-62", "24/16*", "X", "the hit on the 16pt is on the far side"),
    ("62S-52X-F-62", "22/14*", "X", "the hit on the 14pt is on the far side"),
    # A point takes the whole roll (#63), but the portion that enters is waived (#66).
    ("54S-63R-31", "8/5 24/23", "P", "a blot is left on the 5pt; a blot is left on the 23pt"),
    (_66, "bar/23 9/5* 6/4", "P", "a blot is left on the 5pt; a blot is left on the 4pt"),
    (_66, "bar/23 8/4 13/11", "P", "a blot is left on the 11pt; a blot is left on the 4pt"),
    # "Run" ends at the 13pt (#54, #60), and B moves within the outer board (#62).
    (_60, "18/11", "R", "13/11 comes down, and R needs 2 runs"),
    (_60, "18/11", "Z", "the larger die, the 5, is played on the far side"),
    (_60, "18/11", "B", "13/11 starts beyond the outer board: B moves within it"),
    # Stacks and quadruple splits (section 6).
    ("65R-52S-41", "13/8", "Q", "13/9 lands below the 18pt"),
    ("43", "24/20 24/21", "T", "the 20pt holds one checker, and T needs four"),
    ("11", "8/7(2) 6/5(2)", "L", "no doublet is an L"),
    # Numerals and symbols (sections 7 and 9).
    ("31", "8/5 6/5", "7", "no checker ends on a point that ends with 7"),
    ("21", "13/11 6/5", "5", "other plays to a point that ends with 5 come first"),
    ("31", "8/5 6/5", "^", "no checker is on the bar"),
    ("31", "8/5 6/5", "=", "no checkers are borne off, and = bears off two"),
    # Another member of the family (#63 and section 10).
    (
        "43Z-62",
        "13/7 6/4*",
        "H",
        "it is h; 24/16* ranks above it (higher point: the 16pt beats the 4pt)",
    ),
]


# Section 12 and then 13, in the order of the tutorial: a diagram, a play there and the letter that
# the text denies it, or the letter of the diagram next to it.
_DIAGRAMS = [
    # High number first (#54 to #56).
    ("54.2", "20/10", "Z", "the larger die, the 6, is played on the far side"),
    ("55.1.51", "15/9", "Z", "15/10 comes down, and Z needs 1 run and 1 down"),
    ("55.2.51", "9/3", "O", "4/3 moves inside, and O needs 1 down and 1 jump"),
    ("56.51Z", "15/9", "D", "15/14 runs, and D needs 2 downs"),
    # Down, far-side portions, running and splitting (#59 to #62).
    ("59.1", "13/7*(2)", "J", "13/10 comes down, and J needs 4 jumps"),
    ("59.1", "13/7*(2)", "F", "13/10 comes down, and F needs 2 runs, 1 down and 1 inside"),
    ("59.1", "13/7*(2)", "G", "13/10 comes down, and G needs 1 run, 2 downs and 1 inside"),
    ("59.1", "13/7*(2)", "M", "13/10 comes down, and M needs 1 run, 2 jumps and 1 inside"),
    ("59.1", "13/7*(2)", "Y", "13/10 comes down, and Y needs 1 run, 1 jump and 2 insides"),
    ("60.1", "18/13 10/8", "S", "10/8 starts in the outer board: S comes down from beyond it"),
    ("60.2", "18/13 8/6", "A", "18/13 runs, and A needs 1 jump and 1 inside"),
    ("60.4", "18/11", "R", "13/11 comes down, and R needs 2 runs"),
    ("61.1", "16/13", "U", "16/14 lands on the 14pt, and U stays above the 17pt"),
    ("74.U", "24/21 24/18", "R", "no checker lands on the 17pt to the 13pt"),
    ("62.2", "bar/21 13/11", "Z", "the larger die, the 4, is played on the far side"),
    ("62.3", "bar/23 13/9", "B", "13/9 starts beyond the outer board: B moves within it"),
    # Jump and inside.
    ("64.1", "8/5 6/5", "I", "8/5 jumps, and I needs 2 insides"),
    ("64.1", "8/5 6/5", "C", "6/5 moves inside, and C needs 1 run and 1 jump"),
    ("64.1", "8/5 6/5", "E", "8/5 jumps, and E needs 1 run and 1 inside"),
    ("64.1", "8/5 6/5", "N", "8/5 jumps, and N needs 1 down and 1 inside"),
    # P and @: the whole play makes one point (#63 to #66).
    ("63.1", "13/10 8/7", "P", "8/7 is left over: all must make the 10pt"),
    ("63.1", "10/7* 8/7", "@", "the 7pt is on the near side"),
    ("65.1", "24/22 11/5", "P", "24/22 is left over: all must make the 5pt"),
    # H: one loose hit; the down clause (#67). The hitters of 63.1 and 69.1 do not stay loose.
    ("63.1", "10/7* 8/7", "H", "the hit on the 7pt is not loose: the hitter is not alone there"),
    ("69.1", "13/9*/8", "H", "the hitter goes on to the 8pt, which is not vacant"),
    ("67.3.62", "24/22 13/7*", "H", "24/22 is left over and runs: it must come down"),
    # X: the hit is on the near side, the rest on the far side. K: two hits (#67, #68).
    ("67.1.62", "22/14*", "X", "the hit on the 14pt is on the far side"),
    ("67.2.62", "13/11 13/7*", "X", "13/11 is left over and not on the far side"),
    ("67.1.62", "22/14*", "K", "one checker is hit"),
    # L lifts a blot to an owned point; T has the dedication clause (#69 to #71).
    (
        "70.H",
        "13/11*/10",
        "L",
        "11/10 lifts a blot to a point with one checker at the end, and L needs three",
    ),
    ("71.1", "13/6", "L", "no blot is lifted"),
    ("70.1", "13/11* 9/8", "T", "the 11pt holds one checker, and T needs four"),
    ("70.2", "23/21 9/8", "T", "the 21pt holds two checkers, and T needs four"),
    # $, & and W: vacant forward points; the down clause of $ (#72).
    ("72.1", "24/21 6/4", "$", "24/21 is left over and runs: it must come down"),
    ("72.1", "13/11 8/5", "&", "the 5pt alone is slotted"),
    ("72.1", "13/11 8/5", "W", "no other moved checker ends on the far side"),
    # Q as a quadruple split (section 6), and the symbols of sections 7 and 9.
    ("60.5", "24/22 18/13", "Q", "18/13 lands below the 18pt"),
    ("66.1", "bar/23 9/5*/3", "^", "one checker enters"),
    ("66.1", "bar/23 9/5*/3", "<", "9/7 7/5* 5/3 is played after entering"),
    ("66.1", "bar/23 9/5*/3", ">", "9/7 7/5* 5/3 is played after entering"),
    ("64.1", "8/5 6/5", "=", "no checkers are borne off, and = bears off two"),
    ("64.1", "8/5 6/5", "+", "no checkers are borne off, and + bears off four"),
    ("64.1", "8/5 6/5", "7", "no checker ends on a point that ends with 7"),
]


# Further positions: each reason can be read off the play and the points before it.
_POSITIONS = [
    # Two checkers of the play come to the 2pt, where one was. P makes a point of two.
    ("wnPwATCiT/ABMA", "64", "8/2 6/2", "P", "the 2pt holds three checkers, not two"),
    # 19/16 and 16/13 are forced and may be waived: without 16/13, 19/16 makes no point or stack.
    ("f4WAZgC/3wAAAQ", "33", "19/13", "P", "no checker stays on the 16pt"),
    ("f4WAZgC/3wAAAQ", "33", "19/13", "T", "no checker stays on the 16pt"),
    # The checker that hits goes on, by more than one portion, or off, or past the outer board.
    ("jOfgCCHgHHzAUA", "11", "bar/24 6/5*/3", "H",
     "the hitter goes on to the 3pt, which is not down"),
    ("D65AMwL3AVCgDg", "33", "21/18*/9", "H",
     "the hitter goes on to the 9pt with more than one portion"),
    ("AABAQAAAAAAAAA", "33", "5/2*/off", "H", "the hitter is borne off"),
    ("Bx8jkETOHMCMAw", "55", "17/7*/2 15/10", "X", "no checker stays on the 7pt"),
    # L goes to a point of three. The blot on the 23pt has company before it can move.
    ("/xYITAC/XwAAAA", "54", "3/off 2/off", "L", "3/off bears off a blot, and L needs a point"),
    ("7LTgBQLeA4AwWg", "32", "bar/20", "L", "no blot is lifted"),
    # W: one way on the far side. Both 24/23 are on it; and 20/8 does not stay there.
    ("4PPIAyDgOfgAWA", "11", "bar/23 24/23 8/7", "W", "24/23 is left over"),
    ("Zm4IgxHBj1TADA", "44", "20/8 11/7", "W", "no other moved checker ends on the far side"),
    # Plays with fewer portions than the roll has (section 3 of the definition).
    ("wXPwATDgc+EBYA", "63", "bar/22", "S",
     "only one portion is played, and S needs 1 run and 1 down"),
    ("D06QmQL3AdAEDg", "33", "16/13 14/11(2)", "B",
     "only three portions are played, and B needs 2 runs and 2 downs"),
    ("4HPwATDgc/ABMA", "63", "24/15", "E_", "E_ is for doublets"),
    # D, J and I may name the rest of a play that enters (section 8 of the definition).
    ("4AscsFTgueIIQQ", "51", "bar/24 20/15", "D", "20/15 runs, and D needs 1 down after entering"),
    # Entering and forced portions come first, then bearing off, with contact without blots.
    ("wnPwARHgq3AAbA", "54", "bar/21 bar/20", "0",
     "only an entering or forced portion ends on a point that ends with 0"),
    ("HepHABh0+xkBAA", "62", "11/5 8/6", "5",
     "only an entering or forced portion ends on a point that ends with 5"),
    ("f2wEkAL3DwAAAA", "61", "2/1 2/off", "1", "plays that bear off more come first"),
    ("vxwRCCK+TwcAAA", "21", "5/4* 2/off", "4", "plays that leave fewer blots come first"),
    ("AQAA/J8OAAAAAA", "11", "4/3(2) 1/off(2)", "=", "4/3 4/3 are left over"),
    # `>` is for two checkers or more.
    ("/XYBgAH/bwAAQA", "21", "bar/24*", ">", "only one checker is on the bar"),
    ("4HPwATDgc/ABMA", "63", "24/18 13/10", "s", "it is S, and the family has 1 member"),
]  # fmt: skip


@pytest.mark.parametrize(("position_id", "roll", "play", "letter", "reason"), _POSITIONS)
def test_a_reason_is_true_of_the_play(
    position_id: str, roll: str, play: str, letter: str, reason: str
) -> None:
    plays = Plays(parse_position(position_id), Roll.parse(roll))
    move = parse_play(play, position_id, roll)
    assert why_not(move, parse_nactation(letter), plays) == reason


@pytest.mark.parametrize(("diagram", "play", "letter", "reason"), _DIAGRAMS)
def test_the_clauses_of_sections_12_and_13(
    diagram: str, play: str, letter: str, reason: str
) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    move = parse_play(play, case.position, case.legal_play.roll)
    assert why_not(move, parse_nactation(letter), case.families) == reason


def test_every_character_of_the_alphabet_has_a_case() -> None:
    tested = {letter[0].upper() for _, _, letter, _ in (*_CASES, *_DIAGRAMS)}
    assert tested >= {row.character for row in FAMILIES if not row.character.isdigit()}


@pytest.mark.parametrize(("sequence", "play", "letter", "reason"), _CASES)
def test_the_first_clause_that_fails(sequence: str, play: str, letter: str, reason: str) -> None:
    turn = decode(sequence).turns[-1]
    move = parse_play(play, turn.state.position, turn.plays[0].roll)
    assert why_not(move, parse_nactation(letter), turn.plays) == reason


def test_only_the_play_that_a_character_names_has_no_failing_clause() -> None:
    for position, roll in random_positions(100, seed=12):
        plays = Plays(position, roll)
        for family in FAMILIES:
            members = plays.reading(family).members
            for play in plays[::40]:
                named = bool(members) and members[0] == play
                assert (why_not(play, Nactation(family), plays) == "") == named
