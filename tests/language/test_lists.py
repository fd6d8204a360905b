"""What the author writes in a list, where other plays stand beside a play (section 17).

The rollout table pins most of it (tests/tutorial/test_agreement.py).
"""

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.plays import Plays, choose
from tests.strategies import positions_and_rolls

_67, _69 = ("4HPkQUDBc/ABJA", "62"), ("2GbwCAPgM/hgEA", "41")
_71, _73 = ("cOdgAzDgOfHgAA", "52"), ("jM+FAQzg+cQBMA", "32")


@pytest.mark.parametrize(
    ("diagram", "names"),
    [
        # Two hits of one family: the point with the higher number has the capital. Alone, h is a D.
        (_67, {"22/14*": "H", "13/11 13/7*": "h"}),
        (_67, {"13/11 13/7*": "D", "22/20 13/7*": "x"}),
        # But it stays a D beside the slot that it is, too (61P-63, rollout of #3).
        (("4NvgATDgc/ABMA", "63"), {"13/4": "$", "13/10 13/7": "D"}),
        # Of #69 the areal letters are D and U, L and l tell more; of #57 they are E and e.
        (_69, {"13/9*/8": "L", "23/18": "l"}),
        (_69, {"13/9*/8": "D"}),
        (("mLfBARjkbmDAFA", "32"), {"23/20 5/3": "E", "22/20 6/3": "e"}),
        # Lower members follow where both T and t are there (#71).
        (_71, {"13/8 10/8": "T", "18/13 10/8": "t", "13/6": "T{3}", "18/13 8/6": "t{4}"}),
        (_71, {"13/8 10/8": "T", "13/6": "O", "18/13 8/6": "C"}),
        # No p without its P (#55 with 42), and no numerals (10/5 of #73, which is a 5 alone).
        (("sHPwATDEc+EEJA", "42"), {"9/3": "a"}),
        (_73, {"13/10 6/4": "$", "13/11 8/5": "%", "10/5": "${3}"}),
        (_73, {"10/5": "o{4}"}),
    ],
)
def test_what_stands_beside(diagram: tuple[str, str], names: dict[str, str]) -> None:
    position, roll = parse_position_id(diagram[0]), Roll.parse(diagram[1])
    chosen = [parse_play(text, position, roll) for text in names]
    found = listed(chosen, Plays(position, roll))
    assert [str(naming) for naming in found] == list(names.values())


@given(positions_and_rolls())
def test_every_name_in_a_list_reads_back_and_is_no_numeral(drawn: tuple[Position, Roll]) -> None:
    plays = Plays(*drawn)
    chosen = plays[:12]
    for play, naming in zip(chosen, listed(chosen, plays), strict=True):
        assert naming.right is not Right.NUMERAL
        assert plays.play(naming.nactation) == play


def test_presets_mind_no_neighbours() -> None:
    plays = Plays(parse_position_id(_67[0]), Roll.parse(_67[1]))
    for characters in ("areal", "basic"):
        alone = [choose(play, plays, characters)[0] for play in plays]
        assert listed(plays, plays, characters) == alone
    with pytest.raises(KeyError):
        listed(plays, plays, "none")
