"""`nactate annotate --analyse`: errors, ratings and blunders of a match that had none."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gnubg_nactation.cli.commands import commands
from gnubg_nactation.tasks.annotating import Rendering, Result, work
from tests.cli.running import MATCH, SAMPLES, error_of, output_of, run, start
from tests.gnubg.ingame import needs_gnubg

# Bob opens with a blunder: 6-1 played 8/2 6/5.
BLUNDER = b"""\
 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1)                             61: 8/2 6/5
  2) 31: 8/5 6/5                 Doubles => 2
  3) Takes                       52: 13/8 24/22
"""


def analysed(form: str, stdin: bytes = BLUNDER, *more: object) -> str:
    words = ("annotate", "--analyse", "--plies", "0", "--to", form, *more, "-")
    return output_of(*words, stdin=stdin)


@pytest.mark.usefixtures("each_engine")
def test_text_shows_errors_ratings_and_blunders() -> None:
    games, account = analysed("text").split("\n\nErrors, by gnubg 0-ply, ")
    assert re.search(r"61\S+ \?\? -\.\d{3} \(P\)$", games, re.MULTILINE)
    assert re.search(r"doubles to 2 \?\? -\.\d{3} \(wrong double\)", games)
    errors, blunders = account.split("\n\nBlunders\n")
    assert errors.splitlines()[2].split()[0] == "PR"
    assert errors.splitlines()[2].endswith("First steps")
    by_gnubg = analysed("text", BLUNDER, "--words", "gnubg")
    assert re.search(r"^  overall .*Awful!$", by_gnubg, re.MULTILINE)
    assert re.search(
        r"Ben +1\.1b +61\S+ 8/2 6/5 +best P 13/7 8/7 +4HPwATDgc/ABMA$", blunders, re.MULTILINE
    )
    assert re.search(r"Ben +1\.2b +double +best no double", blunders)


@pytest.mark.usefixtures("each_engine")
def test_json_has_errors_ratings_and_blunders() -> None:
    match = json.loads(analysed("json"))
    opening = match["turns"][0]
    assert opening["best"] == "P"
    assert opening["mark"] == "very bad"
    assert opening["error"] > 0.3
    doubles = [turn for turn in match["turns"] if turn["action"] == "double"]
    assert doubles[0]["cube_error"] > 0.1
    assert match["analysis"]["players"][1]["rating"] == "Awful!"
    assert {row["roll"] for row in match["analysis"]["blunders"]} >= {"61", None}


@pytest.mark.usefixtures("each_engine")
def test_sgf_comments_show_the_errors_and_are_written_once(tmp_path: Path) -> None:
    first = analysed("sgf")
    assert re.search(r"\[Nactation: 61\S+  \[P ", first)
    target = tmp_path / "match.sgf"
    target.write_text(first)
    for _ in range(2):
        assert run("annotate", "--analyse", "--plies", "0", "--in-place", target).status == 0
        assert target.read_text() == first


@pytest.mark.usefixtures("each_engine")
def test_the_page_shows_the_errors() -> None:
    page = analysed("html")
    assert "First steps" in page
    assert "very bad" in page


@pytest.mark.usefixtures("each_engine")
def test_an_analysis_goes_deeper_with_more_plies() -> None:
    shallow, deep = (
        json.loads(run("annotate", "--analyse", "--plies", n, "--to", "json", "-", stdin=MATCH).out)
        for n in (0, 1)
    )
    assert [turn.get("error") for turn in shallow["turns"]]
    assert shallow["turns"][1]["luck"] == deep["turns"][1]["luck"]  # at 0 plies, as in gnubg
    assert shallow != deep


@pytest.mark.usefixtures("each_engine")
def test_two_processes_give_the_same_results(tmp_path: Path) -> None:
    files = [SAMPLES / name for name in ("match-1pt.mat", "match-3pt.mat", "match-5pt.sgf")]
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}"
        options = ["--analyse", "--plies", "0", "--to", "json", "--jobs", jobs, "-o", f"{out}/"]
        assert run("annotate", *options, *files).status == 0
    first, second = ({p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in "12")
    assert first == second
    assert len(first) == 3


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("name", ["money-beaver-setup.sgf", "money-raccoon.sgf"])
def test_sessions_with_beavers_and_set_ups_are_analysed(name: str) -> None:
    ran = run("annotate", "--analyse", "--plies", "0", SAMPLES / name)
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.usefixtures("each_engine")
def test_a_match_is_analysed_up_to_an_illegal_play() -> None:
    damaged = BLUNDER.replace(b"31: 8/5 6/5 ", b"31: 8/6 6/5 ")
    ran = run("annotate", "--analyse", "--plies", "0", "--to", "json", "-", stdin=damaged)
    assert ran.status == 0
    assert "not a legal play" in ran.err
    turns = json.loads(ran.out)["turns"]
    assert turns[0]["error"] > 0.3
    assert "error" not in turns[1]


def test_options_of_an_engine_need_analyse() -> None:
    for option in (("--plies", "2"), ("--engine", "sage")):
        ran = run("annotate", *option, SAMPLES / "match-1pt.mat")
        assert (ran.status, ran.err) == (2, f"nactate: annotate: {option[0]} goes with --analyse\n")


@pytest.mark.usefixtures("no_engine")
def test_engine_none_skips_the_analysis(tmp_path: Path) -> None:
    file = SAMPLES / "match-1pt.mat"
    none = "--analyse", "--engine", "none"
    plain = run("annotate", file)
    assert plain.status == 0
    assert run("annotate", *none, "--plies", "2", file) == plain
    assert run("annotate", "--engine", "none", file) == plain
    ran = run("index", "--db", tmp_path / "games.db", *none, "--turns", "2", file)
    assert (ran.status, ran.err) == (0, "")
    assert "the file has no analysis" in error_of("nacbrac", *none, file)


_WITH_BOOK = {"cards", "explore", "nacbrac", "replies"}  # whose openings may come from it


def test_every_command_offers_the_same_engines(capsys: pytest.CaptureFixture[str]) -> None:
    helps = {}
    for name in commands():
        assert run(name, "--help").status == 0
        helps[name] = " ".join(capsys.readouterr().out.split())
    with_engine = {name for name, text in helps.items() if " --engine " in text}
    assert {"annotate", "index", "nacbrac", "decode", "read", "replies"} <= with_engine
    for name in with_engine:
        if name == "book":  # it computes with an engine that is named
            continue
        book = "book," if name in _WITH_BOOK else ""
        assert f" --engine {{auto,gnubg,builtin,sage,{book}none}}" in helps[name], name


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_nothing_is_written(tmp_path: Path) -> None:
    error = error_of("annotate", "--analyse", "-o", tmp_path / "out.txt", SAMPLES / "match-1pt.mat")
    assert "NACTATION_GNUBG=none" in error
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("each_engine")
def test_each_thread_uses_its_own_engine() -> None:
    options = Rendering(to="json", plies=0, errors=True)
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda data: work(data, options), [BLUNDER, MATCH] * 3))
    assert results == [work(data, options) for data in (BLUNDER, MATCH)] * 3
    assert all(isinstance(result, Result) for result in results)


@needs_gnubg
def test_an_unused_gnubg_is_ended_silently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It still starts, and writes into its folder.
    program = tmp_path / "gnubg"
    program.write_text('#!/bin/sh\nwhile :; do n=$((n + 1)); : > "$HOME/$n"; done\n')
    program.chmod(0o755)
    monkeypatch.setenv("NACTATION_GNUBG", str(program))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    nothing_played = BLUNDER[: BLUNDER.index(b"  1)")] + b"  1)\n"
    with start("annotate", "--analyse", "-") as process:
        out, err = process.communicate(nothing_played, timeout=600)
    assert (process.returncode, err) == (0, b"")
    assert b"Game 1" in out
    assert [path.name for path in tmp_path.iterdir()] == ["gnubg"]
