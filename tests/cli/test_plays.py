"""`nactate plays`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import parse_nactation
from tests.backgammon.boards import board
from tests.cli.running import error_of, output_of, run
from tests.strategies import random_positions

START = "4HPwATDgc/ABMA"  # gnubg's ID of the opening
NACKGAMMON = "4Dl4ADbgOXgANg"  # gnubg's ID of Nackgammon
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"  # XG's ID of the opening


def read_json(*arguments: str, stdin: bytes = b"") -> list[dict[str, Any]]:
    output = output_of("plays", "--json", *arguments, stdin=stdin)
    return [json.loads(line) for line in output.splitlines()]


def test_text_lists_each_play_once() -> None:
    ran = run("plays", "start", "31")
    head, *lines = ran.out.splitlines()
    assert (ran.status, ran.err) == (0, "")
    assert head == f"{START} 31: 16 legal plays"
    assert len({line.split("  ")[-1] for line in lines}) == len(lines) == 16
    (point,) = [line for line in lines if line.endswith(" 8/5 6/5")]
    assert point.split()[0] == "P"  # the tutorial's first example of a style
    assert len({line.rindex("  ") for line in lines}) == 1


@pytest.mark.parametrize("position", ["start", "START", START, XGID, f"{START}:cIkqAAAAAAAA"])
def test_a_position_has_several_names(position: str) -> None:
    assert read_json(position, "13") == read_json("start", "31")


def test_nackgammon_is_a_position() -> None:
    (result,) = read_json("nackgammon", "53")
    assert result["position_id"] == NACKGAMMON
    assert result == read_json(NACKGAMMON, "53")[0]


def test_text_counts_one_play_and_no_play() -> None:
    bearing_off = format_position_id(board(p1=1))
    first, second = run("plays", bearing_off, "65").out.splitlines()
    assert first == f"{bearing_off} 65: 1 legal play"
    assert second.endswith("  1/off")
    closed_out = format_position_id(board(p25=1, **{f"p{point}": -2 for point in range(19, 25)}))
    lines = run("plays", closed_out, "65").out.splitlines()
    assert lines == [f"{closed_out} 65: 0 legal plays", "^  no checker enters"]
    assert read_json(closed_out, "65")[0]["plays"] == []


@pytest.mark.parametrize(
    ("sequence", "lines"),
    [
        ("43Z-32K-63", ["U <  bar/22"]),  # one of two checkers enters, on the 22pt only
        ("43Z-32K-66", ["^  no checker enters"]),  # the 19pt is made
        ("54S-63R-31", None),
    ],
)
def test_a_sequence_may_end_with_a_forced_roll(sequence: str, lines: list[str] | None) -> None:
    *before, roll = sequence.split("-")
    ran = run("plays", sequence)
    assert (ran.status, ran.out) == (0, output_of("plays", "-".join(before), roll))
    assert lines in (None, ran.out.splitlines()[1:])


def test_json_has_its_documented_keys() -> None:
    (result,) = read_json("start", "31")
    assert list(result) == ["format", "position_id", "roll", "plays"]
    assert (result["position_id"], result["roll"], len(result["plays"])) == (START, "31", 16)
    for play in result["plays"]:
        assert list(play) == ["play", "after", "nactations"]
        for naming in play["nactations"]:
            assert list(naming) == ["text", "character", "mark", "member", "kind"]


def test_json_agrees_with_the_parsers() -> None:
    for position, roll in random_positions(60, seed=51):
        (result,) = read_json(format_position_id(position), str(roll))
        for play in result["plays"]:
            reached = parse_play(play["play"], position, roll).after
            assert play["after"] == format_position_id(reached)
            for naming in play["nactations"]:
                nactation = parse_nactation(naming["text"])
                assert naming["character"] == nactation.character
                assert naming["mark"] == nactation.mark.value
                assert naming["member"] == nactation.member
            # Every play has one areal Nactation.
            assert [naming["kind"] for naming in play["nactations"]].count(Right.AREAL.value) == 1


def test_u_and_v_share_a_family() -> None:
    (result,) = read_json("start", "21")  # 24/21 and 24/23 24/22 go up, nothing else does
    up = [naming for play in result["plays"] for naming in play["nactations"]]
    up = [naming for naming in up if naming["character"] in "UV"]
    assert [(naming["character"], naming["member"]) for naming in up] == [("U", 1), ("V", 2)]


def test_every_play_is_listed_once() -> None:
    pairs = random_positions(150, seed=52)
    lines = "".join(f"{format_position_id(position)} {roll}\n" for position, roll in pairs)
    result = read_json("-", stdin=lines.encode())
    assert len(result) == len(pairs)
    for row, (position, roll) in zip(result, pairs, strict=True):
        reached = {format_position_id(play.after) for play in legal_plays(position, roll)}
        assert sorted(play["after"] for play in row["plays"]) == sorted(reached)


def test_positions_come_from_standard_input() -> None:
    result = read_json("-", stdin=f"start 31\n\n  nackgammon\t53 \r\n{XGID} 61".encode())
    assert [(row["position_id"], row["roll"]) for row in result] == [
        (START, "31"),
        (NACKGAMMON, "53"),
        (START, "61"),
    ]


def test_bad_lines_are_reported_and_the_others_read() -> None:
    stdin = b"start 31\nstart\nnowhere 31\n\xff\xfe 31\nstart 70\nstart 42\n"
    ran = run("plays", "--json", "-", stdin=stdin)
    assert ran.status == 1
    assert [json.loads(line)["roll"] for line in ran.out.splitlines()] == ["31", "42"]
    places = [line.partition(": ")[2].partition(": ")[0] for line in ran.err.splitlines()]
    assert places == [f"standard input, line {number}" for number in (2, 3, 4, 5)]


@pytest.mark.parametrize("arguments", [["start"], ["-", "31"], ["54S-63R-31P"]])
def test_a_missing_or_extra_roll_is_an_error(arguments: list[str]) -> None:
    assert error_of("plays", *arguments, status=2).startswith("nactate: plays: ")


@pytest.mark.parametrize("roll", ["", "3", "07", "311", "three"])
def test_wrong_rolls_are_errors(roll: str) -> None:
    assert repr(roll) in error_of("plays", "start", roll)


def test_the_first_nactation_is_preferred() -> None:
    (result,) = read_json("start", "31")
    first = {play["play"]: play["nactations"][0]["text"] for play in result["plays"]}
    assert first["8/5 6/5"] == "P"  # as in 54S-63R-31P
    assert len(set(first.values())) == len(first) == 16


def test_a_fan_has_a_letter_and_no_play() -> None:
    # Two checkers on the bar against a board that 31 does not enter: 35x of the tutorial.
    done = run("plays", "--json", "M07wATDg8+ABYA", "31")
    value = json.loads(done.out)
    assert value["plays"] == []
    assert [(row["text"], row["kind"]) for row in value["nactations"]] == [("^", "symbol")]
    assert "no checker enters" in run("plays", "M07wATDg8+ABYA", "31").out
