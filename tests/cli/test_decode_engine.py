"""`nactate decode`: the reading of each play, its certainty and the engine used."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.engines.engine import GNUBG
from gnubg_nactation.tasks.subjects import SequenceSettings, equities_of
from tests.cli.running import ROOT, error_of, output_of, run, start
from tests.cli.test_archive import Terminal

# #38, where D means 24/16* 13/9(2), but strictly 13/9(4); #36.4 and #37.1, where no play has the
# letter strictly.
HIT, LIFT, UP = "64S-44D", "64S-33D-11L", "65R-43Z-66U"


def last_row(text: str) -> str:
    return text.split("\n\n", maxsplit=1)[0].splitlines()[-1]


def decoded(*arguments: str) -> str:
    return last_row(output_of("decode", *arguments))


def test_without_an_engine_the_rule_of_thumb_is_named() -> None:
    row = decoded("--engine", "none", LIFT)
    assert "bar/24 9/8 6/5(2)" in row
    assert "assumed, guess (a part of the play assumed, ranked by rule of thumb); or " in row


@pytest.mark.usefixtures("no_engine")
def test_a_missing_engine_is_an_error_only_if_required() -> None:
    assert "ranked by rule of thumb" in decoded(LIFT)
    for option in ("--assume", "--engine=gnubg"):
        assert "NACTATION_GNUBG=none" in error_of("decode", option, LIFT)
    assert 'pip install -e ".[sage]"' in error_of("decode", "--engine", "sage", LIFT)


@pytest.mark.usefixtures("each_engine")
def test_an_engine_rates_assumed_plays() -> None:
    row = decoded("--assume", UP)
    assert "24/18 13/7(3)" in row
    assert "assumed, likely (a part of the play assumed, 0." in row
    assert "better than 24/18 13/7(2) 8/2 by gnubg 2-ply); or 24/18 13/7(2) 8/2" in row


@pytest.mark.parametrize("option", ["--assume", "--engine={}"])
def test_an_engine_also_compares_strict_readings(option: str, each_engine: str) -> None:
    assert "13/9(4)" in decoded(HIT).split()
    row = decoded(option.format(each_engine), HIT)
    assert "24/16* 13/9(2)" in row
    assert "; strictly 13/9(4), 0." in row


@pytest.mark.usefixtures("each_engine")
def test_json_has_certainty_and_gap() -> None:
    lines = run("decode", "--assume", "--json", UP).out.splitlines()
    strict, *_, assumed = map(json.loads, lines)
    assert strict["sure"] == "sure"
    assert "gap" not in strict
    assert (assumed["reading"], assumed["sure"]) == ("assumed", "likely")
    assert 0.1 < assumed["gap"] < 0.5
    assert assumed["others"][0] == "24/18 13/7(2) 8/2"


def test_strict_refuses_assumptions_and_suggests_plays() -> None:
    error = error_of("decode", "--strict", LIFT)
    assert "'11L'" in error
    assert "it might mean bar/24 9/8 6/5(2); " in error
    assert error.splitlines()[-1].index("^") == 2 + LIFT.index("11L")


def test_an_unusable_engine_is_an_error_only_if_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_GNUBG", "/bin/true")
    outputs = []
    for engine in ("auto", "gnubg"):
        with start("decode", "--engine", engine, LIFT) as process:
            outputs.append((*process.communicate(timeout=600), process.returncode))
    (out, err, status), (_, refused, failed) = outputs
    assert (status, err) == (0, b"")
    assert b"ranked by rule of thumb" in out
    assert failed == 1
    assert b"is it GNU Backgammon with Python?" in refused


def test_a_hyphen_before_a_nacbrac_is_not_standard_input() -> None:
    error = error_of("decode", "--from", "start", "-[P @87]", stdin=b"54S-63R-31P")
    assert "found no roll for this nacbrac" in error


def test_a_terminal_shows_each_question() -> None:
    engine = SimpleNamespace(rank=lambda *_: (), bot=GNUBG)
    screen = Terminal()
    streams = Streams(io.BytesIO(), io.BytesIO(), screen, engine=lambda: engine)
    equities = equities_of(SequenceSettings(assume=True), streams)
    assert equities
    for _ in range(2):
        equities(GameState(roll=Roll(3, 1)))
    questions = [f"\rasking gnubg, question {number} ...\x1b[K\r\x1b[K" for number in (1, 2)]
    assert screen.getvalue().decode() == "".join(questions)


def test_a_long_search_can_be_interrupted(each_engine: str) -> None:
    text = "62U-44D-55D-115-51N-33H-66I"
    words = ["-m", "gnubg_nactation", "decode", "--engine", each_engine, text]
    outer, inner = os.openpty()
    with (
        os.fdopen(inner, "wb", 0) as screen,
        subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=screen
        ) as process,
    ):
        screen_text = b""
        while b"question" not in screen_text:
            screen_text += os.read(outer, 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 130
    assert b"Traceback" not in screen_text
    os.close(outer)


@pytest.mark.parametrize(
    "words", [["nacbrac", "54S-63R-31"], ["decode", "--check", "54S-63R-31 [P @87]"]]
)
def test_engine_none_starts_no_engine(words: list[str]) -> None:
    ran = run(*words, "--engine", "none")
    assert ran.status == 1
    assert ran.err == "nactate: equities need an engine; drop --engine none\n"
