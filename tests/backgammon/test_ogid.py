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
    assert parse_ogid(f"{START}:65:W:IW:0:0:7:0") == GameState(roll=Roll(6, 5), length=7)
    state = parse_ogid(f"OGID={START}:52:B:IW:2:4:5C:12")
    assert state == GameState(
        player=Player.SECOND, roll=Roll(5, 2), score=(2, 4), length=5, crawford=True
    )
    white, black, rest = format_ogid(GameState(roll=Roll(3, 1))).split(":", 2)
    assert [sorted(white), sorted(black)] == list(map(sorted, START.split(":")[:2]))
    assert rest == "N0N:31:W::0:0:0"


def test_each_side_counts_from_its_own_home() -> None:
    """White has one checker, on his 5 point, and Black one, on his bar."""
    state = parse_ogid("k:p:W1N:21:W:IW:0:0:0:0")
    assert (state.position.points[5], state.position.points[0]) == (1, -1)
    assert (state.owner, state.cube) == (Player.FIRST, 2)
    state = parse_ogid("k:p:W1N:21:B:IW:0:0:0:0")
    assert (state.position.points[25], state.position.points[20]) == (1, -1)
    assert parse_ogid("0:6:N0N:21:W").position.points[25] == 1


@given(states())
def test_there_and_back(state: GameState) -> None:
    state = replace(state, jacoby=False, doubled=False, cube=min(state.cube, 512))
    state = replace(state, crawford=state.crawford and state.length - 1 in state.score)
    assert parse_ogid(state.ogid) == state


@pytest.mark.parametrize(
    "text",
    [
        "k:k:N0N:21:W:IW:0:0:0:0",
        "p:6:N0N:21:W",
        "k:6:N0N",
        "k:6:N0O:21:W:IW:0:0:7:0",
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
    text = f"{START}:31:W:IW:0:0:7:0"
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
