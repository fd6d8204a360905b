"""`--dialect` and `--date`: sequences are read by the usage of their time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import output_of, run

RUN = "51R  24/18"  # to the bar point, which was a run until the end of 2009
# #54: 64S is 20/14 13/9 by the procedure of 2011, and today 21/11. Only after 20/14 13/9 does 42S
# name a play two turns later.
AT_54 = "32S-63H-53H-61U-41P-F-64S"
DOUBTFUL = f"{AT_54}-63H-42S"
HINT = "reads through in the usage of 20"


@pytest.mark.parametrize(
    "words", [["--dialect", "2009"], ["--date", "2009-12-31"], ["--date", "2003-06-01"]]
)
def test_a_sequence_is_read_by_the_usage_of_its_time(words: list[str]) -> None:
    row = output_of("decode", *words, "32S-51R").splitlines()[1]
    assert row.startswith(RUN)
    assert row.endswith("R as until 2009-12-31: one checker that goes to the 18pt has run")
    assert "51-run  " in output_of("decode", *words, "32-split 51-run").replace("    ", "  ")


@pytest.mark.parametrize(
    "words", [[], ["--dialect", "2010"], ["--dialect", "current"], ["--date", "2010-01-01"]]
)
def test_an_ended_usage_is_not_read(words: list[str]) -> None:
    ran = run("decode", "--strict", *words, "32S-51R")
    assert ran.status == 1
    assert RUN not in ran.out


@pytest.mark.parametrize(
    ("day", "play"), [("2010-08-31", "18/13"), ("2010-07-04", "18/13"), ("2010-09-01", "18/15")]
)
def test_runs_were_ranked_by_the_lead_checker(day: str, play: str) -> None:
    row = output_of("decode", "--from", "nackgammon", "--date", day, "43@-61Q-65R-32R")
    assert play in row.splitlines()[3]


@pytest.mark.parametrize("command", ["explain", "board"])
def test_a_play_in_a_position_is_read_by_the_usage_of_its_time(command: str) -> None:
    words = ["4HPkASLgc/ABMA", "51", "R"]  # 32S was played
    assert "51: 24/18" in output_of(command, "--dialect", "2009", *words)
    assert run(command, *words).status == 1


@pytest.mark.parametrize("command", ["decode", "check"])
def test_errors_name_the_usage_that_could_read_the_text(command: str) -> None:
    error = run(command, "32S-51R").err
    assert f"it {HINT}09: --dialect 2009\n  32S-51R\n" in error
    assert "usage" not in run(command, "54S-63R-31K").err
    # If a usage is named, the error suggests no other.
    assert "2009" not in run(command, "--dialect", "2010", "32S-51R").err


def test_a_doubtful_reading_names_the_usage_that_is_clear() -> None:
    def rows(*words: str) -> list[Any]:
        return [json.loads(row) for row in output_of("decode", "--json", *words).splitlines()]

    doubtful, clear = rows(DOUBTFUL)[6], rows("--dialect", "2012", DOUBTFUL)[6]
    assert (doubtful["sure"], doubtful["reading"]) == ("doubtful", "assumed")
    assert doubtful["note"].endswith(f"; {HINT}12: --dialect 2012")
    assert (clear["sure"], clear["play"]) == ("sure", "20/14 13/9")


def test_check_and_read_offer_the_usage_that_decode_offers(tmp_path: Path) -> None:
    post, lines = tmp_path / "post.txt", tmp_path / "lines.txt"
    post.write_text(f"I lost after {DOUBTFUL} last night.\n", encoding="utf-8")
    lines.write_text(f"{DOUBTFUL}\n", encoding="utf-8")
    for command in (["decode", DOUBTFUL], ["check", DOUBTFUL], ["check", lines], ["check", post]):
        assert f"{HINT}12" in run(*command).out
    assert f"{HINT}12" in run("read", post).out
    assert f"{HINT}12" in json.loads(run("read", "--json", post).out)["note"]
    post.write_text(f"I lost after {AT_54} last night.\n", encoding="utf-8")
    for command in (["decode", AT_54], ["check", AT_54], ["check", post], ["read", post]):
        assert HINT not in run(*command).out


def test_a_nacbrac_is_of_the_time_of_its_sequence() -> None:
    today, then = (
        output_of("decode", *words, f"{AT_54[:-1]} [S s5]")
        for words in ([], ["--date", "2011-11-25"])
    )
    assert today.index("21/11") < today.index("20/10")
    assert then.index("20/14 13/9") < then.index("21/15 13/9")


def test_prose_is_read_by_the_usage_of_its_time(tmp_path: Path) -> None:
    post = tmp_path / "post.txt"
    post.write_text("What do you play after 32S-51R-31P here?\n", encoding="utf-8")
    today = run("read", post)
    assert "cannot be read: '51R' in 4HPkASLgc/ABMA" in today.out
    assert f"; it {HINT}09: --dialect 2009\n" in today.out
    output = output_of("read", "--dialect", "2009", post)
    assert ":1:24: sequence 32S-51R-31P: 24/21 13/11, 24/18, 8/5 6/5;" in output
    nacbrac = f"{AT_54[:-1]} [S s5]\n".encode()
    then = run("read", "--date", "2011-11-25", "-", stdin=nacbrac).out
    assert then.index("20/14 13/9") < then.index("21/15 13/9")


def test_check_can_use_an_older_usage(tmp_path: Path) -> None:
    # It was right; today 24/18 is written U.
    assert run("check", "32S-51R").status == 1
    output = output_of("check", "--dialect", "2009", "32S-51R")
    assert output == "32S: ok\n51R: valid for 24/18, though U is preferred\n"
    lines = tmp_path / "lines.txt"
    lines.write_text("32S-51R\n54S-63R\n", encoding="utf-8")
    assert run("check", "--date", "2003-06-01", lines).status == 0


def test_check_reads_comments_by_an_older_usage(tmp_path: Path) -> None:
    match, game = tmp_path / "match.mat", tmp_path / "game.sgf"
    row = "  1) 32: 24/21 13/11             51: 24/18\n"
    match.write_text(f" 1 point match\n\n Game 1\n a : 0   b : 0\n{row}")
    assert run("annotate", "--to", "sgf", "-o", game, match).status == 0
    game.write_bytes(game.read_bytes().replace(b"Nactation: 51U", b"Nactation: 51R"))
    assert run("check", game).status == 1
    assert "51R: valid for 24/18" in output_of("check", "--dialect", "2009", game)


@pytest.mark.parametrize(
    "words",
    [
        ["--dialect", "2015"],
        ["--dialect", "old"],
        ["--date", "2010-02-30"],
        ["--date", "today"],
        ["--dialect", "2010", "--date", "2010-01-01"],
    ],
)
def test_wrong_options_are_errors(words: list[str]) -> None:
    ran = run("decode", *words, "32S-51R")
    assert (ran.status, ran.out) == (2, "")


THREAD = """Date: Thursday, 31 December 2009, at 5:02 p.m.

After 41S-62H-63B we are fine, [B U5] for 41S-62H-63 [B U5]. I mean 41S-62H-63, B = bar/22 13/7.

Posted by Ian on 5/1/16
I like 63S-33O.
"""


def test_a_dated_text_is_read_by_the_usage_of_its_day(tmp_path: Path) -> None:
    post = tmp_path / "thread.txt"
    post.write_text(THREAD, encoding="utf-8")
    rows = [json.loads(row) for row in output_of("read", "--json", post).splitlines()]
    first, *_, last = rows
    assert (first["date"], first["dialect"], first["position_id"]) == (
        "2009-12-31",
        "2009",
        "4OvgACrgc/ARIA",  # after bar/22 13/7
    )
    assert first["note"] == "63B: B as until 2011-12-31: any far and down"
    assert [row["right"] for row in rows if row["kind"] == "claim"] == [True]
    assert [row["entries"][0]["play"] for row in rows if row["kind"] == "nacbrac"][-1:] == [
        "bar/22 13/7"
    ]
    assert (last["date"], last["dialect"]) == ("2016-05-01", "current")
    assert last["turns"][-1]["play"] == "13/7* 8/5(2)"
    assert run("check", post).status == 0


@pytest.mark.parametrize("words", [["--dialect", "current"], ["--date", "2020-01-01"]])
def test_a_usage_that_is_named_goes_before_the_date_of_a_text(
    tmp_path: Path, words: list[str]
) -> None:
    post = tmp_path / "thread.txt"
    post.write_text(THREAD, encoding="utf-8")
    assert "'63B' in 4HPwESDgc/AAVA: no such play" in output_of("read", *words, post)
    assert run("check", *words, post).status == 1


def test_a_text_without_a_date_has_no_usage(tmp_path: Path) -> None:
    post = tmp_path / "post.txt"
    post.write_text("I like 63S-33O.\n", encoding="utf-8")
    assert {"date", "dialect"}.isdisjoint(json.loads(output_of("read", "--json", post)))


def test_an_old_usage_is_offered_for_a_letter_of_then() -> None:
    assert f"it {HINT}11: --dialect 2011" in run("check", "41S-62H-63B").err
    assert f"it {HINT}10: --dialect 2010" in run("check", "62F").err
