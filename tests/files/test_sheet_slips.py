"""Slips of the pen on score sheets: each is reported where it is, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gnubg_nactation.backgammon.match import Game
from gnubg_nactation.files.sheet import Sheet, read_sheets

ROWS = """\
Alice - Bob, 5 point match, 2026-11-23, City Open

54S-63R-31P-42P-D-P

-43D-61P-64R-52S-D-T-63R-31P (resign 1)

31P-63R-42P-55D-61S-21S-D-T-54S
Bob wins 2 points

Game 4: Alice 3, Bob 2
-61P-54S-63R-41S-D-P

Game 5: Alice 3, Bob 3
42P-54S-C-T-61P-R-P
"""
COLUMNS = """\
Ann - Ben, 7 point match

Game 1: Ann 0, Ben 0
      Ann             Ben
   1                  31P
   2  63R             42P
   3  54D             62D
   4  61P             doubles to 2
   5  takes           41S
   6  52S             63R
   7  64D             21P
   8  doubles to 4    drops
      Ann wins 2 points

Game 2: Ann 2, Ben 0
      Ann             Ben
   1  43Z             62S
   2  55D             64R
   3  21P             D
   4  P
      Ben wins 1 point
"""
MONEY = """\
Ann - Ben, money, no beavers

54S-63R-D-T-31P-42P
Ann wins 4 points

Game 2: Ann 4, Ben 0
61P-54S (resign gammon)
"""
# In a sheet: what is replaced, the slip with a mark before the place of the report, and its words.
SLIPS = [
    # an impossible letter
    (ROWS, "54S-63R-31P", "\u203854K-63R-31P", "possible: S D $ N C o J & R"),
    (ROWS, "31P-42P-D-P", "31P-\u203842K-D-P", "no such play of 42; possible: "),
    (ROWS, "64R-52S", "\u203864X-52S", "no such play of 64; possible: "),
    (ROWS, "54S-63R-31P", "54\u2038\u015c-63R-31P", "expected a Nactation"),
    (COLUMNS, "62D\n", "\u203862K\n", "no such play of 62; possible: "),
    (MONEY, "31P-42P", "31P-\u203842K", "no such play of 42; possible: "),
    # a missing letter, die, token or cell
    (ROWS, "31P-42P-D-P", "31P-\u203842-D-P", "expected the letter of a play"),
    (MONEY, "54S-63R-D", "\u203854-63R-D", "expected the letter of a play"),
    (ROWS, "31P-42P-D-P", "\u20383P-42P-D-P", "expected two digits from 1 to 6"),
    (ROWS, "54S-63R-31P", "\u20385S-63R-31P", "expected two digits from 1 to 6"),
    (ROWS, "42P-D-P\n", "42P-\u2038P\n", "no double to pass; possible: a roll, or D"),
    (ROWS, "52S-D-T-63R", "52S-\u2038T-63R", "no double to take; possible: a roll, or D"),
    (ROWS, "42P-D-P\n", "42P-\u2038D\n", "not over here; expected its next turn, `resign 1`"),
    (ROWS, "31P (resign 1)", "\u203831P", "not over here; expected its next turn, `resign 1`"),
    (ROWS, "54S\nBob wins 2 points\n", "\u203854S\n", "or a line such as 'Bob wins 2 points'"),
    (ROWS, "Bob wins 2 points", "\u2038Bob wins", "the points are missing"),
    (COLUMNS, "   3  54D             62D", "   3                  \u203862D", "Ann is to play"),
    (COLUMNS, "62D\n   4  61P", "\n   4  \u203861P", "column of Ann, but Ben is to play"),
    (COLUMNS, "21P             D\n   4  P", "21P\n   4  \u2038P", "no double to pass"),
    (COLUMNS, "   5  takes           41S\n   6  52S", "   6  \u203852S", "Ben is to play"),
    # a die that does not exist, and rolls that cannot be
    (ROWS, "54S-63R-31P", "\u203857S-63R-31P", "expected two digits from 1 to 6"),
    (COLUMNS, "52S  ", "\u203872S  ", "expected two digits from 1 to 6"),
    (ROWS, "31P-63R-42P", "\u203811P-63R-42P", "the first roll of a game is no doublet"),
    (ROWS, "64R-52S-D-T", "64R-52S-\u2038F-D-T", "no fan is possible"),
    # the wrong player
    (COLUMNS, "1                  31P\n   2  63R", "1  31P\n   2  \u203863R", "but Ben is to play"),
    (COLUMNS, "   4  P\n", "   4                  \u2038P\n", "column of Ben, but Ann is to play"),
    (ROWS, "4: Alice 3, Bob 2\n-61P", "4: Alice 3, Bob 2\n61P", "begin in line 3 or 11"),
    (COLUMNS, "Ann wins 2 points", "\u2038Ben wins 2 points", "by the plays Ann wins 2 points"),
    # the cube
    (ROWS, "42P-D-P\n", "42P-D-\u2038D-P\n", "has no answer; possible: T or P"),
    (ROWS, "42P-D-P\n", "42P-D-\u2038beaver-P\n", "beavers are for money games; possible: T or P"),
    (ROWS, "D-T-63R-31P", "D-T-\u2038D-63R-31P", "the opponent owns the cube; possible: a roll"),
    (ROWS, "D-T-63R-31P", "D-T-\u2038C-63R-31P", "the opponent owns the cube; possible: a roll"),
    (ROWS, "D-T-63R-31P", "D-T-63R-31P-\u2038R", "the opponent owns the cube; possible: a roll"),
    (ROWS, "52S-D-T", "52S-\u2038R-T", "no redouble is legal here; possible: a roll, or D"),
    (ROWS, "54S-C-T", "54S-\u2038R-T", "no redouble is legal here; possible: a roll, or D"),
    (ROWS, "61P-R-P", "61P-\u2038C-P", "so this is a redouble; possible: a roll, or D"),
    (ROWS, "61P-R-P", "61P-42P-\u2038R-P", "the opponent owns the cube; possible: a roll"),
    (ROWS, "42P-D-P\n", "42P-\u2038double to 4-P\n", "the cube is turned to 2"),
    (COLUMNS, "doubles to 2", "\u2038doubles to 4", "the cube is turned to 2"),
    (COLUMNS, "doubles to 4", "\u2038doubles to 8", "the cube is turned to 4"),
    (MONEY, "D-T-31P", "D-\u2038beaver-31P", "the head excludes beavers"),
    # after the end of a game, or of the match
    (ROWS, "42P-D-P\n", "42P-D-P-\u203861P\n", "the game is over"),
    (COLUMNS, "takes           41S", "drops           \u203841S", "the game is over"),
    (ROWS, "(resign 1)\n\n31P", "resign 3\n\n\u203831P", "Alice has 7 points in a match to 5"),
    # results and scores
    (ROWS, "(resign 1)", "(\u2038resign 4)", "expected `resign 1` (2 for a gammon, 3"),
    (ROWS, "Bob wins 2 points", "\u2038Bob wins 3 points", "expected 2, 4 or 6"),
    (COLUMNS, "Ben wins 1 point", "\u2038Ben wins 2 points", "by the plays Ben wins 1 point"),
    (ROWS, "Bob wins 2 points", "\u2038Carol wins 2 points", "expected 'Alice' or 'Bob'"),
    (ROWS, "Game 4: Alice 3, Bob 2", "\u2038Game 4: Alice 3, Bob 1", "expected 3-2"),
    (ROWS, "Game 4: Alice 3, Bob 2", "\u2038Game 4: Alice 6, Bob 2", "in a match to 5"),
    (ROWS, "Game 4: Alice 3", "\u2038Game 6: Alice 3", "expected Game 4"),
    (ROWS, "Bob 2\n", "Bob 2, Crawford\n", "not the Crawford game"),
    (MONEY, "Ann 4, Ben 0", "Ann 2, Ben 0", "expected 4-0"),
    # words
    (ROWS, "54S-C-T", "\u203854(24/20 13/7)-C-T", "24/20 13/7 is not a legal play of 54"),
    (ROWS, "54S-C-T-61P", "54S C T \u2038(61P", "without its ')'"),
    (ROWS, "Bob 3\n42P", "Bob 3\n\u2038x42P", "expected a roll"),
    (ROWS, "Game 5:", "\u2038Gane 5:", "expected a game such as"),
    (ROWS, "Alice - Bob, 5 point", "\u2038Alice - Bob, 5 pint", "a head such as 'Alice - Bob"),
]


def read_sheet(text: str) -> Sheet:
    (sheet,) = read_sheets(text)
    return sheet


def plays(game: Game) -> list[object]:
    return [replace(action, line=0) for action in game.actions]


@pytest.mark.parametrize("sheet", [ROWS, COLUMNS, MONEY], ids=["rows", "columns", "money"])
def test_a_sheet_without_a_slip_has_no_fault(sheet: str) -> None:
    assert read_sheet(sheet).faults == ()


@pytest.mark.parametrize(("sheet", "right", "slip", "words"), SLIPS)
def test_a_slip_is_reported_and_changes_no_other_game(
    sheet: str, right: str, slip: str, words: str
) -> None:
    assert sheet.count(right) == 1
    marked = sheet.replace(right, slip)
    result = read_sheet(marked.replace("\u2038", ""))
    (fault,) = result.faults
    assert words in fault.message
    if "\u2038" in marked:
        before = marked[: marked.index("\u2038")]
        place = before.count("\n") + 1, len(before) - before.rfind("\n")
        assert (fault.line, fault.column) == place
    games = [plays(game) for game in result.match.games]
    others = [game for game in read_sheet(sheet).match.games if plays(game) not in games]
    assert len(others) <= 1  # the one with the slip
