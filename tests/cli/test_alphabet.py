"""The alphabet as a reference: its table, its examples, and the table that the README shows."""

from __future__ import annotations

import json

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.language.alphabet import FAMILIES, Family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from tests.cli.running import error_of, run


@pytest.mark.parametrize("row", FAMILIES, ids=lambda row: row.key)
def test_the_example_is_the_first_of_its_family(row: Family) -> None:
    position_id, roll_text, *play = row.example.split(" ")
    position, roll = parse_position_id(position_id), Roll.parse(roll_text)
    plays = legal_plays(position, roll)
    if row.key == "^":
        assert position.bar
        assert not plays
    else:
        play_of_key = Plays.of(plays).play(Nactation(row))
        assert play_of_key == parse_play(" ".join(play), position, roll)


def test_the_whole_table_is_printed() -> None:
    done = run("alphabet")
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= 80
    for row in FAMILIES:
        assert row.word in done.out


def test_a_character_is_shown_with_its_example() -> None:
    done = run("alphabet", "k")
    assert done.status == 0
    assert "Two hits" in done.out
    assert "32K is 6/4*/1*" in done.out


def test_both_characters_of_a_pair_show_the_same_row() -> None:
    assert "slot" in run("alphabet", "%").out


def test_an_unknown_character_is_refused() -> None:
    assert "no character '?'" in error_of("alphabet", "?")


def test_json_has_a_row_for_each_family() -> None:
    rows = [json.loads(line) for line in run("alphabet", "--json").out.splitlines()]
    assert len(rows) == len(FAMILIES)
    assert rows[0]["partner"] == "V"


def test_markdown_cells_do_not_break_the_table() -> None:
    lines = run("alphabet", "--markdown").out.splitlines()
    assert len(lines) == len(FAMILIES) + 2
    assert {line.count(" | ") for line in lines} == {5}
