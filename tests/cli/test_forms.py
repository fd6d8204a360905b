"""Forms that people write or type by habit: each command reads them alike, or says what to type."""

from __future__ import annotations

import json

import pytest

from gnubg_nactation.playground.answers import read_text
from tests.cli.running import run

# The tutorial's introduction allows longhand for any turn (and position #1 is this game).
_LONGHAND = [
    "54S 63: 24/15 31P",
    "54S 63 24/15 31P",
    "54S 63-24/15 31P",
    "54S-63(24/15)-31P",
    "54: 24/20, 13/8, 63R 31: 8/5 6/5",
]


@pytest.mark.parametrize("text", _LONGHAND)
def test_longhand_is_read_everywhere(text: str) -> None:
    plays = ["24/20 13/8", "24/15", "8/5 6/5"]
    decoded = [json.loads(row) for row in run("decode", "--json", text).out.splitlines()]
    (found,) = map(json.loads, run("read", "--json", "-", stdin=text.encode()).out.splitlines())
    for turns in (decoded, found["turns"]):
        assert [turn["play"] for turn in turns] == plays
    assert [turn["said"] for turn in read_text(text)["turns"]] == plays
    assert found["sure"] == "sure"
    checked = run("check", text)
    assert (checked.status, checked.out.count(": ok")) == (0, 3)
    assert run("encode", text).out == "54S-63R-31P\n"


@pytest.mark.parametrize(
    ("code", "character"),
    [("2101", "F"), ("1201", "G"), ("2200", "B"), ("1111", "Q")],  # sections 5, 16
)
def test_a_code_of_areas_finds_its_character(code: str, character: str) -> None:
    assert run("alphabet", code).out.splitlines()[0].startswith(f"{character} ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("54 S 63 R", "expected 54S"),
        ("5-4S", "expected a roll such as 54"),
        ("31^", "no checker is on the bar"),
        ("65R-61@", "no such play of 61"),
    ],
)
def test_a_slip_comes_with_what_is_expected(text: str, message: str) -> None:
    ran = run("decode", text)
    assert ran.status == 1
    assert message in ran.err
    assert message in read_text(text)["error"]["message"]


def test_a_hyphen_before_the_letter_is_read() -> None:
    assert run("decode", "--json", "31-P").out == run("decode", "--json", "31P").out.replace(
        '"token": "31P"', '"token": "31-P"'
    )


@pytest.mark.parametrize(("token", "roll"), [("61@", "61"), ("54Q", "54")])
def test_a_letter_without_a_play_is_reported_in_prose(token: str, roll: str) -> None:
    # After 63R the 18pt anchor cannot be made with 61, nor four far points be held with 54.
    text = f"54S-63R-{roll}: somebody wrote {token}."
    *_, row = map(json.loads, run("read", "--json", "-", stdin=text.encode()).out.splitlines())
    assert row["text"] == token
    assert f"no such play of {roll}" in row["error"]


@pytest.mark.parametrize("text", ["65R15", "[ 4] 13/8 24/23", "43Z-32 and [ 4] 13/8 24/23"])
def test_look_alikes_are_no_nactation(text: str) -> None:
    rows = map(json.loads, run("read", "--json", "-", stdin=text.encode()).out.splitlines())
    assert {row["text"] for row in rows} <= {"43Z-32"}


def test_gammon_go_before_a_nacbrac_is_kept() -> None:
    *_, row = map(
        json.loads, run("read", "--json", "-", stdin=b"54S-63R-31 (g)[P @87]").out.splitlines()
    )
    assert row["kind"] == "nacbrac"
    assert [entry["score"] for entry in row["entries"]] == ["g", "g"]  # section 17


def test_an_xgid_glued_to_a_word_is_found() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:3:10"
    (row,) = map(
        json.loads, run("read", "--json", "-", stdin=f"Player 1{xgid}".encode()).out.splitlines()
    )
    assert (row["kind"], row["text"]) == ("position", xgid)
