"""The view Edit, without a browser: the IDs of a position, and what cannot be."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.state import GameState
from tests.playground.test_answers import ask, reply

START = "-b----E-C---eE---c-e----B-"
CLOSED = "aBBBBBB------------bbbbbbA"


def problems(xgid: str) -> str:
    return " ".join(ask("check_position", xgid)["problems"])


def test_all_ids_name_the_position() -> None:
    xgid = f"XGID={START}:1:-1:-1:64:3:5:0:7:10"
    ids = ask("check_position", xgid)["ids"]
    assert list(ids) == ["XGID", "Position ID", "GNU ID", "OGID"]
    assert ids["XGID"] == xgid
    for name in ("GNU ID", "OGID"):
        assert GameState.parse(ids[name]) == GameState.parse(xgid)
    assert GameState.parse(ids["Position ID"]).position == GameState.parse(xgid).position


def test_ids_without_a_form_are_left_out() -> None:
    assert "OGID" in ask("check_position", f"XGID={START}:0:0:1:D:0:0:0:0:10")["ids"]
    assert "OGID" not in ask("check_position", f"XGID={START}:0:0:1:B:0:0:2:0:10")["ids"]
    assert "GNU ID" not in ask("check_position", f"XGID={START}:0:0:1:00:0:0:0:99999:10")["ids"]


def test_the_field_and_the_editor_keep_all_of_an_xgid() -> None:
    """Beavers, the limit of the cube, each offer, and the order of the dice."""
    count = 0
    fields = itertools.product("0123", ("10", "3"), ("00", "31", "13", "D", "B", "R"), ("1", "-1"))
    for rule, limit, dice, turn in fields:
        xgid = f"XGID=-b----E-C---eE---c-d-a--B-:1:0:{turn}:{dice}:2:1:{rule}:0:{limit}"
        view = ask("read_text", xgid)
        assert view["state"]["xgid"] == xgid
        assert ask("check_position", xgid)["ids"]["XGID"] == xgid
        count += 1
    assert count == 96


@pytest.mark.parametrize(
    ("xgid", "words"),
    [
        (f"{START}:0:0:1:00:0:0:0:0:10", ""),
        (f"{START}:1:0:1:00:0:0:0:0:10", ""),  # automatic doubles in money play
        (f"{START}:1:-1:1:00:6:4:0:7:10", ""),  # after the Crawford game
        (f"{START}:0:0:1:31:6:4:1:7:10", ""),
        (f"{START}:0:0:1:31:6:6:0:7:10", ""),
        (f"{START}:0:0:-1:D:0:0:0:0:10", ""),
        (f"{CLOSED.replace('A', '-')}:0:0:1:00:0:0:0:0:10", ""),
        (f"{CLOSED}:0:0:1:00:0:0:0:0:10", "nobody can ever move"),
        (f"{'-' * 19}bbbbbb-:0:0:1:00:0:0:0:0:10", "White has no checkers on the board"),
        (f"-BBBBBB{'-' * 19}:0:0:1:00:0:0:0:0:10", "Black has no checkers on the board"),
        (f"{START}:0:1:1:00:0:0:0:0:10", "White cannot own a cube of 1"),
        (f"{START}:1:0:1:00:0:0:0:7:10", "A cube of 2 belongs to the player who took it"),
        (f"{START}:1:-1:1:D:0:0:0:7:10", "White cannot double: Black owns the cube"),
        (f"{START}:1:1:-1:D:0:0:0:7:10", "Black cannot double: White owns the cube"),
        (f"{START}:1:1:1:B:0:0:2:0:10", ""),  # a redouble, which is beavered
        (f"{START}:1:-1:1:B:0:0:2:0:10", "White cannot double: Black owns the cube"),
        (f"{START}:1:1:1:00:6:4:1:7:10", "There is no cube in the Crawford game"),
        (f"{START}:0:0:1:00:5:4:1:7:10", "needs exactly 1 point"),
        (f"{START}:0:0:1:00:6:6:1:7:10", "no Crawford game if both players need 1"),
        (f"{START}:0:0:1:00:7:6:0:7:10", "White has won the match"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_explained(xgid: str, words: str) -> None:
    found = problems(f"XGID={xgid}")
    assert (words in found) if words else not found


def test_too_many_checkers() -> None:
    message = reply("check_position", "XGID=-b----P-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert "more than 15 checkers on one side" in message["error"]


@given(st.text(max_size=60))
def test_any_text_has_an_answer(text: str) -> None:
    assert not reply("check_position", text).get("error", "").startswith("internal")
