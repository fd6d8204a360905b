"""OGIDs: the form that OpenGammon copies, by its points, and the way there and back."""

from __future__ import annotations

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.ids import parse_position, parse_state
from gnubg_nactation.backgammon.ids_in_text import IdKind, find_ids
from gnubg_nactation.backgammon.ogid import format_ogid, parse_ogid
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import replace
from tests.backgammon.test_ids import states
from tests.cli.running import output_of

START = "11jjjjjhhhccccc:ooddddd88866666:N0N"


def test_the_start() -> None:
    """White's checkers are on Black's 1, 12, 17 and 19 points, Black's on 24, 13, 8 and 6."""
    assert parse_ogid(START) == GameState()
    assert parse_ogid(f"{START}:56:B:R:0:0:7:0") == GameState(roll=Roll(6, 5), length=7)
    state = parse_ogid(f"OGID={START}:52:W:R:2:4:5C:12")
    assert state == GameState(
        player=Player.SECOND, roll=Roll(5, 2), score=(2, 4), length=5, crawford=True
    )
    sorted_start = "11ccccchhhjjjjj:66666888dddddoo:N0N"
    assert format_ogid(GameState(roll=Roll(3, 1))) == f"{sorted_start}:13:B::0:0:0:0"


def test_the_player_is_the_one_who_acted_last() -> None:
    """White has moved, so Black is on roll; White has doubled, so Black answers."""
    assert parse_ogid(f"{START}::W:C:0:0:7:3").player is Player.SECOND
    offered = parse_ogid(f"{START}::W:D:0:0:7:3")
    assert (offered.player, offered.doubled, offered.cube) == (Player.SECOND, True, 1)
    assert parse_ogid(f"{START[:-1]}O::W:D:0:0:7:3") == offered
    taken = parse_ogid("11ccccchhhjjjjj:66666888dddddoo:B1T::B:A:0:0:7:4")
    assert (taken.player, taken.owner, taken.cube) == (Player.FIRST, Player.SECOND, 2)
    assert not taken.doubled


def test_white_begins_before_anybody_has_acted() -> None:
    assert parse_ogid(f"{START}::W:IW:0:0:1:0").player is Player.FIRST
    assert parse_ogid(f"{START}::B:IW:0:0:1:0").player is Player.FIRST
    assert parse_ogid(f"{START}::W:IB:0:0:1:0").player is Player.SECOND
    assert parse_ogid("k:6:N0N::W:IW:0:0:1:0").player is Player.SECOND


# Written by two other programs, AnkiGammon 1.19 and GammonView 3.1, for the state of the XGID.
@pytest.mark.parametrize(
    ("ogid", "xgid"),
    [
        (
            "3349bccjjjjkkkn:111566666666ell:N4N:15:B::3:2:7:0",
            "XGID=--A-bCD----a-BA-A--haAB-c-:4:0:1:51:3:2:0:7:10",
        ),
        (
            "333cfgijjknnooo:111244456666ell:W4N:24:W::0:0:0:0",
            "XGID=-CB-bABA-AAa-A-----dacCac-:4:1:-1:42:0:0:0:0:10",
        ),
        (
            "335cccfjjjkkkno:11124446666ellm:N4O::B:D:15:6:25:0",
            "XGID=-AAabCC---Aa-C-----dAcBac-:4:0:-1:D:15:6:0:25:10",
        ),
        (
            "333cfijjjlnnooo:111224456666ehp:W5O::W:D:0:0:1:0",
            "XGID=aCB-A-CAa-Aa-A-----dabCbc-:5:1:1:D:0:0:0:1:10",
        ),
        (
            "335cccfjjjkkkno:11144446666ellp:W4N:23:W::3:6:7C:0",
            "XGID=aAA-bCC---Aa-C-----dAdB-c-:4:1:-1:32:3:6:1:7:10",
        ),
        (
            "0339cccjjjkkkno:111444456666ell:W0N::B::0:4:5C:0",
            "XGID=-AA-bCC----a-C--A--dadB-cA:0:1:1:00:0:4:1:5:10",
        ),
    ],
)
def test_other_programs_write_the_same(ogid: str, xgid: str) -> None:
    state = parse_ogid(ogid)
    assert state == GameState.parse(xgid)
    assert state.ogid == GameState.parse(xgid).ogid == ogid


def test_each_side_counts_from_its_own_home() -> None:
    """White has one checker, on his 5 point, and Black one, on his bar."""
    state = parse_ogid("k:p:W1N:21:B:R:0:0:0:0")
    assert (state.position.points[5], state.position.points[0]) == (1, -1)
    assert (state.owner, state.cube) == (Player.FIRST, 2)
    state = parse_ogid("k:p:W1N:21:W:R:0:0:0:0")
    assert (state.position.points[25], state.position.points[20]) == (1, -1)
    assert parse_ogid("0:6:N0N:21:B").position.points[25] == 1


@given(states())
def test_there_and_back(state: GameState) -> None:
    state = replace(state, jacoby=False, cube=min(state.cube, 512))
    state = replace(state, crawford=state.crawford and state.length - 1 in state.score)
    assert parse_ogid(state.ogid) == state


@pytest.mark.parametrize(
    "text",
    [
        "k:k:N0N:21:W:IW:0:0:0:0",
        "p:6:N0N:21:W",
        "k:6:N0N",
        "k:6:N0P:21:W:P:0:0:7:0",
        "k:6:N0N:71:W",
        "k:6:N0N:21:X",
        "k:6:N0N:21:W:IW:0:0:7:0:10",
        "1111111111111111:6:N0N:21:W",
    ],
)
def test_impossible_ones(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_ogid(text)
    with pytest.raises(MalformedError):
        parse_state(f"OGID={text}")


def test_it_is_read_wherever_a_position_is() -> None:
    text = f"{START}:31:B:R:0:0:7:0"
    assert parse_position(text) == STANDARD
    for name in (text, f"OGID={text}", f"OGID: {text}", f'"{text}"'):
        assert parse_state(name) == GameState(roll=Roll(3, 1), length=7)
    (place,) = find_ids(f"I rolled 31 in {text}, and now?")
    assert (place.kind, place.name, place.is_certain) == (IdKind.OGID, text, True)
    assert output_of("explain", text, "8/5 6/5").startswith("4HPwATDgc/ABMA 31: 8/5 6/5\n")
    assert output_of("board", text).startswith(" +13-14")
    assert text in output_of("read", "-", stdin=f"Here: {text}".encode())
    pasted = f"{text}\n 1. XG Roller++ 8/5 6/5 eq:+0.159\n"
    assert output_of("nacbrac", "-", stdin=pasted.encode()) == "31 -7-7[P] XG Roller++\n"
