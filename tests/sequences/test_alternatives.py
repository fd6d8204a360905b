"""Tokens without hyphens that are a list, not a game, in every command."""

from __future__ import annotations

import json

import pytest

from gnubg_nactation.playground.answers import read_text
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import alternatives, decode
from gnubg_nactation.sequences.tokens import parse_sequence
from tests.cli.running import run

_LISTS = [
    ("62S 63S", ["62S", "63S"]),
    ("21S 41S 51S.", ["21S", "41S", "51S"]),
    ("43D/43Z", ["43D", "43Z"]),
    ("64P, 64R, 64S", ["64P", "64R", "64S"]),
]
_GAMES = [
    *("62S-63S", "54S 63: 24/15 31P", "21S 41S 51", "1. 62S 63S", "-62S 63S", "N 62S 63S"),
    *("62S\n63S", "31P 31P", "54S 63R (24/15)", "54S 63R C T", "43Z 62S"),
]


@pytest.mark.parametrize(("text", "plays"), _LISTS)
def test_a_list_is_read_as_openings(text: str, plays: list[str]) -> None:
    assert list(alternatives(parse_sequence(text))) == plays
    rows = [json.loads(row) for row in run("decode", "--json", text).out.splitlines()]
    assert [(row["token"], row["player"], row["sure"]) for row in rows] == [
        (play, 0, "likely") for play in plays
    ]
    assert run("encode", text).out.split() == plays
    assert run("encode", f"Openings: {text}").out.split() == plays
    checked = run("check", text)
    assert checked.status == 0
    assert checked.out.count("likely (taken for an opening)") == len(plays)
    assert read_text(text)["instead"] == plays


@pytest.mark.parametrize("text", _GAMES)
def test_a_game_is_no_list(text: str) -> None:
    assert alternatives(parse_sequence(text)) == ()


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("54S 63R 31P", "63R"),
        ("32S 41S 43Z 54S 22N", "41S"),
        ("54S-63R/63S", "63S"),
        ("65R15", "15"),
    ],
)
def test_a_sequence_that_may_be_none_is_doubtful(text: str, doubtful: str) -> None:
    turns = decode(text).turns
    assert [turn.token.text for turn in turns if turn.sure is not Confidence.SURE] == [doubtful]
    assert run("encode", text).err
    assert doubtful in run("check", text).out
    assert "doubtful" in run("decode", text).out


def test_a_start_makes_a_list_a_game() -> None:
    rows = run("decode", "--json", "--from", "start", "62S 63S").out.splitlines()
    assert [json.loads(row)["player"] for row in rows] == [0, 1]
