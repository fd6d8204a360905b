"""The view Write, without a browser: heads, keys, the list of plays, the files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.files.formats import read
from gnubg_nactation.playground.answers import handle
from gnubg_nactation.sequences.live import keys_of
from tests.cli.running import SAMPLES, run
from tests.playground.test_answers import ask, reply

MATCH = {"crawford": True, "jacoby": False}
HEAD = ["Ann", "Ben"]


def begun(length: int = 7, **rules: bool) -> str:
    return str(ask("new_match", HEAD, length, MATCH | rules, ""))


def write(keys: str, sheet: str = "") -> Any:
    return ask("write_match", sheet or begun(), keys)


def test_the_head() -> None:
    assert begun() == "Ann - Ben, 7 point match\n"
    assert begun(0, jacoby=True) == "Ann - Ben, money, Jacoby\n"
    assert begun(3, crawford=False) == "Ann - Ben, 3 point match, no Crawford\n"
    text = ask("new_match", ["", " A  - B "], 5, MATCH, "2026-11-23, City Open, Oslo")
    assert text.startswith('White - "A - B", 5 point match\n; [EventDate "2026.11.23"]\n')


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=2, max_size=2), st.text(max_size=12))
def test_any_names(names: list[str], details: str) -> None:
    """A match with these names is kept and read back, or refused in one line."""
    value = reply("new_match", names, 3, MATCH, details)
    if "error" in value:
        assert "internal" not in value["error"]
        assert "\n" not in value["error"]
        return
    first = ask("write_match", value["value"], "31P64Sr1")
    again = ask("write_match", first["sheet"], "")
    assert again["sheet"] == first["sheet"]
    assert again["board"] == first["board"]


@pytest.mark.parametrize(
    "names", [["3 point match", "Ben"], ["Ann, 7 point match", "Ben"], ["Ann", "MONEY"]]
)
def test_names_that_look_like_a_head(names: list[str]) -> None:
    value = reply("new_match", names, 3, MATCH, "")
    if "error" not in value:
        sheet = ask("write_match", value["value"], "31P64Sr1")["sheet"]
        assert ask("write_match", sheet, "")["board"]["players"] == names


def test_what_a_key_shows() -> None:
    view = write("31")
    assert view["question"] == "Ann to play 31: type its letter"
    assert (view["pending"], view["rolls"], view["news"]) == ("31", False, "")
    assert view["board"]["players"] == HEAD
    assert view["choices"] == [["\n", "first play"], ["!", "resign"], ["-", "Ben starts"]]
    view = write("31P")
    assert (view["options"], view["rolls"], view["news"]) == ([], True, "Ann: 31P 8/5 6/5")
    assert view["sheet"].endswith("\n\nGame 1: Ann 0, Ben 0\n31P\n")
    assert "31Q is not legal here" in write("31Q")["note"]


@pytest.mark.parametrize("keys", ["31", "31P33", "31P64S11", "13P66"])
def test_an_option_takes_its_play(keys: str) -> None:
    """The keys of each play in the list lead to that play."""
    for option in write(keys)["options"]:
        assert write(keys + option["token"])["news"].endswith(f" {option['said']}"), option


def test_a_sheet_and_keys_are_as_one_sheet() -> None:
    """It does not matter which keys the sheet holds already."""
    (match,) = read(SAMPLES / "match-3pt.mat")
    steps = list(keys_of(match))
    whole = write("".join(steps), begun(3))
    half = write("".join(steps[:70]), begun(3))
    assert write("".join(steps[70:]), half["sheet"])["sheet"] == whole["sheet"]


def test_the_turns_are_a_list() -> None:
    """The game before this one has a title, its result, and the number of its first turn."""
    view = write("31Pdp31P66")
    assert view["games"] == [["Game 1", "Ben wins 1 point", 0], ["Game 2", "", 3]]
    assert view["first"] == 3
    (turn,) = view["turns"]
    assert (turn["player"], turn["token"], turn["look"]["name"], turn["said"]) == (
        *(0, "31"),
        *("P", "8/5 6/5"),
    )
    cube = [turn["token"] for turn in write("31Pdp")["turns"]]
    assert cube == ["31", "doubles", "passes"]


def test_a_turn_is_corrected() -> None:
    sheet = write("31Pdp31P64S52")["sheet"]
    before = ask("write_match", sheet, "", 4)
    assert (before["is_open"], before["sheet"], before["pending"]) == (True, sheet, "64")
    assert before["question"] == "Ben to play 64: type its letter"
    after = ask("write_match", sheet, "R", 4)
    assert (after["is_open"], after["lost"], after["pending"]) == (False, 0, "52")
    assert after["sheet"] == sheet.replace("64S", "64R")
    earlier = ask("write_match", sheet, "", 0)
    assert (earlier["first"], len(earlier["turns"])) == (0, 3)
    assert "error" in reply("write_match", sheet, "", 99)


@pytest.mark.parametrize("form", ["mat", "sgf"])
def test_files_have_the_complete_turns(form: str) -> None:
    sheet = write("31Pdt64S5")["sheet"]
    ours = run("transcribe", "--to", form, "-", stdin=sheet.encode()).out
    assert ask("save_match", sheet, form) == ours
    assert ask("save_match", write("31Pdt64S51")["sheet"], form) == ours


@pytest.mark.parametrize("sheet", ["", "rubbish", "A - B, money\n\n31P-64Q", "\0"])
def test_a_damaged_sheet_is_one_line(sheet: str) -> None:
    value = json.loads(handle("write_match", json.dumps([sheet, "31"])))
    assert "internal" not in value["error"]
    assert "\n" not in value["error"]
