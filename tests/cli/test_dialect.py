"""`--dialect` and `--date`: sequences are read by the usage of their time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import output_of, run

FLOATED = "62F  13/7 8/6"  # a spare, as the letter was used until the end of 2010


@pytest.mark.parametrize(
    "words",
    [
        ["--dialect", "2009"],
        ["--dialect", "2010"],
        ["--date", "2010-12-31"],
        ["--date", "2009-02-28"],
    ],
)
def test_a_sequence_is_read_by_the_usage_of_its_time(words: list[str]) -> None:
    output = output_of("decode", *words, "62F")
    assert output.startswith(FLOATED)
    assert output.splitlines()[0].endswith("F as until 2010-12-31: float a spare")


@pytest.mark.parametrize(
    "words", [[], ["--dialect", "2011"], ["--dialect", "current"], ["--date", "2011-01-01"]]
)
def test_an_ended_usage_is_not_read(words: list[str]) -> None:
    ran = run("decode", "--strict", *words, "62F")
    assert (ran.status, ran.out) == (1, "")


@pytest.mark.parametrize("command", ["explain", "board"])
def test_a_play_in_a_position_is_read_by_the_usage_of_its_time(command: str) -> None:
    assert "62: 13/7 8/6" in output_of(command, "--dialect", "2010", "start", "62", "F")
    assert run(command, "start", "62", "F").status == 1


def test_errors_name_the_usage_that_could_read_the_text() -> None:
    error = run("decode", "62F").err
    assert "it reads through in the usage of 2010: --dialect 2010\n  62F\n" in error
    assert "usage" not in run("decode", "54S-63R-31K").err
    # If a usage is named, the error suggests no other.
    assert "2010" not in run("decode", "--dialect", "2011", "62F").err


def test_an_ambiguous_reading_names_the_usage_that_is_clear() -> None:
    # Until November 2011 a jump into the board was an I; today a part of I is assumed.
    def last(*words: str) -> Any:
        output = output_of("decode", "--engine", "none", "--json", *words, "41$-32S-63I")
        return json.loads(output.splitlines()[-1])

    ambiguous, clear = last(), last("--dialect", "2011")
    assert ambiguous["sure"] != "sure"
    assert ambiguous["note"].endswith("; reads through in the usage of 2011: --dialect 2011")
    assert (clear["reading"], clear["sure"], clear["play"]) == ("strict", "sure", "9/3 8/5")


def test_a_readable_text_gets_no_hint() -> None:
    assert "usage" not in run("decode", "63S-33O").out
    assert "13/10(2) 8/5(2)" in run("decode", "--date", "2010-08-31", "63S-33O").out


def test_a_nacbrac_is_of_the_time_of_its_sequence() -> None:
    today, then = (
        run("decode", "--engine", "none", *words, "63S-33 [O o5]").out
        for words in ([], ["--date", "2010-08-31"])
    )
    without, hit = "13/10(2) 8/5(2)", "13/7* 8/5(2)"
    assert today.index(hit) < today.index(without)
    assert then.index(without) < then.index(hit)


def test_prose_is_read_by_the_usage_of_its_time(tmp_path: Path) -> None:
    post = tmp_path / "post.txt"
    post.write_text("What do you play after 62F-43D-31P here?\n", encoding="utf-8")
    today = run("read", post)
    assert "cannot be read: '62F' in 4HPwATDgc/ABMA" in today.out
    assert "; it reads through in the usage of 2010: --dialect 2010\n" in today.out
    output = output_of("read", "--dialect", "2010", post)
    assert ":1:24: sequence 62F-43D-31P: 13/7 8/6, 13/10 13/9, 8/5 6/5;" in output
    nacbrac = run("read", "--date", "2010-08-31", "-", stdin=b"63S-33 [O o5]\n").out
    assert nacbrac.index("13/10(2) 8/5(2)") < nacbrac.index("13/7* 8/5(2)")


def test_styles_are_read_by_the_usage_of_their_time() -> None:
    # The tutorial's #76 has eight members of P. The fifth, bold today, was underlined.
    to_76 = "21S-64H-42H-64R-31P-64U-32K-4-52H-5-21"
    fifth, underlined = (
        run("decode", "--strict", "--dialect", "2010", to_76 + name).out.splitlines()[10].split()
        for name in ("P{5}", "<u>P</u>")
    )
    assert fifth[1:] == underlined[1:]
    error = run("decode", to_76 + "<u>P</u>").err
    assert "not a Nactation: 'P_'; it reads through in the usage of 2010: --dialect 2010" in error


def test_check_can_use_an_older_usage(tmp_path: Path) -> None:
    # It was right; today 13/7 8/6 is written O.
    assert run("check", "62F").status == 1
    output = output_of("check", "--dialect", "2010", "62F")
    assert output == "62F: valid for 13/7 8/6, though O is preferred\n"
    lines = tmp_path / "lines.txt"
    lines.write_text("62F\n63S-33O\n", encoding="utf-8")
    assert run("check", "--date", "2010-05-01", lines).status == 0


def test_check_reads_comments_by_an_older_usage(tmp_path: Path) -> None:
    match, game = tmp_path / "match.mat", tmp_path / "game.sgf"
    match.write_text(" 1 point match\n\n Game 1\n a : 0   b : 0\n  1) 62: 13/7 8/6\n")
    assert run("annotate", "--to", "sgf", "-o", game, match).status == 0
    game.write_bytes(game.read_bytes().replace(b"Nactation: 62O", b"Nactation: 62F"))
    assert run("check", game).status == 1
    assert "62F: valid for 13/7 8/6" in output_of("check", "--dialect", "2010", game)


@pytest.mark.parametrize(
    "words",
    [
        ["--dialect", "2014"],
        ["--dialect", "old"],
        ["--date", "2010-02-30"],
        ["--date", "today"],
        ["--dialect", "2010", "--date", "2010-01-01"],
    ],
)
def test_wrong_options_are_errors(words: list[str]) -> None:
    ran = run("decode", *words, "62F")
    assert (ran.status, ran.out) == (2, "")
