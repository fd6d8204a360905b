"""Why a character does not name a play, by the definitions of the tutorial's sections 12 and 13."""

import pytest

from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.sequences.decode import decode
from tests.strategies import random_positions

_60 = "64P-54D-52S-52P-43R-63X-32@-52"
_66 = "61P-63R-64Z-41H-43H-61H-32H-31H-63R-54K-51-22"
_CASES = [
    # The opening letters of sections 1 and 2.
    ("43", "24/21 13/9", "S", "the smaller die, the 3, is played on the far side"),
    ("43", "24/20 13/10", "Z", "the larger die, the 4, is played on the far side"),
    ("43", "13/10 13/9", "U", "13/9 comes down, and U needs 2 runs"),
    ("64", "24/14", "U", "18/14 lands on the 14pt, and U stays above the 17pt"),
    ("31", "8/5 6/5", "$", "no new blot is left on a vacant point, the 7pt or lower"),
    ("61", "13/7 6/5", "$", "the 5pt and the 7pt are slotted"),
    ("21", "13/11 6/5", "&", "the 5pt alone is slotted"),
    # The down clause of H, and what is left over of an X (#1, #8, #67).
    ("54S-63R-31", "13/10* 8/7", "P", "a blot is left on the 10pt; a blot is left on the 7pt"),
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
