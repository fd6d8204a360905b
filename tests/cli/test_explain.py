"""`nactate explain`: its three kinds of arguments and its output."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.cli.commands.explain import EXAMPLES
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.plays import Plays
from tests.cli.running import error_of, output_of, run

POSITION = "4HPwCSDg8+ABIQ"  # after 54S-63R
BUSIEST = "RBAR0CillJRSAA"  # 2226 legal plays of 11


def value(*arguments: str) -> Any:
    return json.loads(output_of("explain", "--json", *arguments))


def test_a_sequence_a_play_and_a_nactation_are_explained_alike() -> None:
    answers = [
        value("54S-63R-31P"),
        value("54S", "63R", "31P"),
        value(POSITION, "13", "8/5", "6/5"),
        value(POSITION, "31", "6/5 8/5"),
        value(POSITION, "31", "P"),
    ]
    for answer in answers:
        answer.pop("written", None)
        answer.pop("reading", None)
        assert answer == answers[0]


@pytest.mark.parametrize(
    "words",
    [
        ["54S-63R", "31: 8/5 6/5"],
        ["54S", "63R", "31:", "8/5", "6/5"],
        ["54S-63R-31:8/5 6/5"],
        ["54S-63R-31", "8/5", "6/5"],
        ["54S-63R", "31", "8/5", "6/5"],
        [POSITION, "31: 8/5 6/5"],
        ["--from", POSITION, "31: 8/5, 6/5"],
    ],
)
def test_a_traditional_play_may_follow_a_sequence(words: list[str]) -> None:
    answer = value(*words)
    assert "written" not in answer
    assert answer == {key: answer[key] for key in value(POSITION, "31", "8/5 6/5")}
    assert answer["position_id"] == POSITION
    assert (answer["play"], answer["preferred"]) == ("8/5 6/5", "P")


def test_each_example_of_the_help_explains_a_play() -> None:
    for line in EXAMPLES.splitlines():
        command = re.split(r"\s{2,}", line.strip())[0]  # without the remark after it
        if "match.sgf" not in command:
            assert output_of(*shlex.split(command)[1:])


def test_json_has_the_whole_explanation() -> None:
    answer = value(POSITION, "31", "8/5 6/5")
    assert answer["code"] == "0011"
    assert answer["areas"] == {"run": 0, "down": 0, "jump": 1, "inside": 1}
    assert [row["area"] for row in answer["portions"]] == ["jump", "inside"]
    assert (answer["preferred"], answer["reason"]) == ("P", "a point made")
    position, roll = parse_position_id(POSITION), Roll.parse("31")
    families = Plays(position, roll)
    namings = families.names(parse_play("8/5 6/5", position, roll))
    assert [row["text"] for row in answer["nactations"]] == [str(n.nactation) for n in namings]
    point = answer["nactations"][0]
    assert point["order"] == "hit-more-6"
    assert point["section"] == "1, 13"
    first, second = point["members"]
    assert (first["play"], second["play"]) == ("8/5 6/5", "24/20")
    assert first["above_next"]["convention"] == "6pt, points"
    assert first["above_next"]["points"] == [5, 20]
    assert "above_next" not in second


def test_the_text_shows_the_family_around_the_play() -> None:
    out = run("explain", POSITION, "31", "8/5 6/5").out
    assert out.startswith(f"{POSITION} 31: 8/5 6/5\n")
    assert "   > P  8/5 6/5\n" in out
    assert "6pt, points: the 5pt beats the 20pt (closer to the 6pt)" in out


@pytest.mark.parametrize(
    "words",
    [
        ["54S-63R-31P"],
        ["4DnmAyC0zmCAJQ", "32", "21/18 5/3"],
        [BUSIEST, "11", "I_"],
        ["--all", "start", "11", "24/22 6/5(2)"],
        ["4PngAQzgefAARg", "51", "bar/20 6/5"],
    ],
)
def test_the_text_fits_a_terminal(words: list[str]) -> None:
    ran = run("explain", *words)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80


def test_large_families_are_shortened_without_all() -> None:
    cut, whole = run("explain", BUSIEST, "11", "I_"), run("explain", "--all", BUSIEST, "11", "I_")
    assert "more\n" in cut.out
    assert "... " not in whole.out
    assert len(whole.out) > 2 * len(cut.out)


def test_a_logic_loop_is_named() -> None:
    out = " ".join(run("explain", "4DnmAyC0zmCAJQ", "32", "21/18 5/3").out.split())
    assert "form a logic loop: in it more home points rank higher" in out
    assert "e{4} ranks above E{7}, 24/22 5/2 (logic loop: " in out


@pytest.mark.parametrize("sequence", ["43Z-32H", "54S-63R-31P", "64S", "51S-44B", "62S-52X-F-62H"])
def test_only_the_family_of_the_letter_is_shown_without_all(sequence: str) -> None:
    short, whole = run("explain", sequence).out, run("explain", "--all", sequence).out
    names = [row["text"] for row in value(sequence)["nactations"]]
    assert short.count("; tutorial, section") == 1
    assert whole.count("; tutorial, section") == len(names) > 1
    others = " ".join(short.partition("Others ")[2].partition("\n\n")[0].split())
    assert others == f"{', '.join(names[1:])} (--all explains them)"


def test_the_order_of_the_numbers_is_shown_where_it_decides() -> None:
    # 15/9 is D and not Z (#55).
    assert value("sHPwATDEc+EEJA", "51", "15/9")["high_number_first"]
    out = run("explain", "sHPwATDEc+EEJA", "51", "15/9").out
    assert "Order      high number first; as 15/14 14/9 it would be Z\n" in out
    assert "Order" not in run("explain", "start", "31", "8/5 6/5").out


def test_the_letter_is_shown_with_its_reading() -> None:
    assert "Written    31P" not in run("explain", POSITION, "31", "8/5 6/5").out
    assert "Written    P\n" in run("explain", "54S-63R-31P").out
    assumed = run("explain", "64S-33D-11L").out
    assert "Written    L (assumed" in assumed


def test_a_single_die_that_enters_is_explained() -> None:
    # Only a 1 enters (the caption of #29).
    assert "bar/24*" in run("explain", "51S-41K-1").out
    assert run("check", "51S-41K-1").out.endswith("1: ok\n")


@pytest.mark.parametrize("words", [["start", "31"], [], ["--json", "start", "31"]])
def test_wrong_options_are_errors(words: list[str]) -> None:
    ran = run("explain", *words)
    assert ran.status == 2


@pytest.mark.parametrize(
    "words",
    [
        ["hello"],
        ["54S-63"],
        ["52S-55A-31^"],
        ["start", "31", "13/5"],
        ["start", "31", "K"],
        ["start", "31", "8/5 6/5 x"],
        ["nowhere", "31", "P"],
        ["nowhere", "31: 8/5 6/5"],
        ["54S-63R", "31: 8/5 8/4"],
        ["54S-63H", "31: 8/5 6/5"],
        ["54S-63R", "71: 8/5 6/5"],
        ["8/5 6/5"],
    ],
)
def test_impossible_plays_are_errors(words: list[str]) -> None:
    assert error_of("explain", *words).startswith("nactate: ")


@pytest.mark.parametrize(
    ("words", "hint"), [(["P"], "31P"), (["E_"], "31E_"), (["42", "P"], "42P")]
)
def test_a_character_alone_needs_its_roll(words: list[str], hint: str) -> None:
    assert hint in error_of("explain", *words)


def test_the_busiest_doublet_is_explained() -> None:
    # scripts/bench.py measures the time.
    ran = run("explain", BUSIEST, "11", "I_")
    assert ran.status == 0
    assert " more" in ran.out  # large families are cut down


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (
            ["43Z-32", "24/21 6/4*", "--as", "H"],
            "24/21 6/4* is not H: 24/21 is left over and runs: it must come down",
        ),
        (
            ["start", "43: 24/21 13/9", "--as", "S"],
            "24/21 13/9 is not S: the smaller die, the 3, is played on the far side",
        ),
        (["54S-63R", "31: 8/5 6/5", "--as", "P"], "8/5 6/5 is P"),
    ],
)
def test_as_explains_why_a_letter_does_not_fit(words: list[str], first: str) -> None:
    ran = run("explain", *words)
    assert (ran.status, ran.out.splitlines()[0]) == (0, first)


def test_as_explains_in_json() -> None:
    value = json.loads(run("explain", "54S-63R", "31: 8/5 6/5", "--as", "H", "--json").out)
    assert (value["as"], value["right"], value["names"]) == ("H", False, "13/10*/9")
    assert (value["reason"], value["preferred"]) == ("no checker is hit", "P")


def test_the_first_line_has_the_clause_that_fails_for_every_character() -> None:
    for family in FAMILIES:
        ran = run("explain", "54S-63R", "31: 8/5 6/5", "--as", family.key)
        first = ran.out.partition("\n")[0]
        assert ran.status == 0
        if family.key not in {"P", "A", "5"}:  # its names
            assert first.startswith(f"8/5 6/5 is not {family}: ")
            assert len(first) > len(f"8/5 6/5 is not {family}: ") + 10
        else:
            assert first == f"8/5 6/5 is {family}"
