"""Commands without gnubg but with the extra sage: they name the engine."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.running import SAMPLES, run

pytest.importorskip("bgsage", reason="the extra sage is not installed")
pytestmark = pytest.mark.usefixtures("no_gnubg")


def test_a_nacbrac_names_sage_and_reads_back() -> None:
    line = run("nacbrac", "54S-63R-31").out
    assert re.fullmatch(r"54S-63R-31 \[P( \S+)+\] Sage 3-ply\n", line)
    read = run("decode", "--check", "--plies", "1", "-", stdin=line.encode()).out
    assert "(Sage, 3-ply, evaluation)" in read
    assert "\nchecked by Sage, 1-ply" in read
    (value,) = map(json.loads, run("nacbrac", "--plies", "0", "--json", "31").out.splitlines())
    assert (value["engine"], value["plies"]) == ("Sage", 1)  # as it counts them


def test_an_assumed_play_names_sage() -> None:
    row = run("decode", "--assume", "65R-43Z-66U").out.splitlines()[2]
    assert re.search(r"assumed, likely .* better than 24/18 13/7\(2\) 8/2 by Sage 3-ply\)", row)


def test_sage_compares_strict_readings_if_it_is_named() -> None:
    assert "13/9(4)" in run("decode", "64S-44D").out
    row = run("decode", "--engine", "sage", "64S-44D").out.splitlines()[1]
    assert "24/16* 13/9(2)" in row
    assert re.search(r"by Sage 3-ply; strictly 13/9\(4\), 0\.", row)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_analysis_names_sage_and_has_no_luck(jobs: int) -> None:
    options = ("--analyse", "--plies", "1", "--jobs", jobs)
    samples = [SAMPLES / "match-1pt.mat", SAMPLES / "match-3pt.mat"]
    account = run("annotate", *options, *samples).out
    assert account.count("Errors, by Sage 1-ply, in thousandths") == 2
    assert account.count("luck, in points     n/a ") == 2
    lines = run("annotate", *options, "--to", "json", *samples).out.splitlines()
    for value in map(json.loads, lines):
        assert value["analysis"]["depth"] == "Sage 1-ply"
        assert value["analysis"]["engine"] == "Sage"
    again = run("annotate", *options, "--to", "json", *samples).out.splitlines()
    assert again == lines


def test_a_rollout_is_a_one_line_error() -> None:
    ran = run("nacbrac", "--rollout", "36", "31")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert "no rollouts" in ran.err
