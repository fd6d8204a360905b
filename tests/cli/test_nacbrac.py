"""`nactate nacbrac`: its output at scores and depths, and its errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from tests.cli.running import ROOT, SAMPLES, output_of, run, start
from tests.figures import LOSS
from tests.gnubg.ingame import needs_gnubg


def nacbrac(*arguments: object, stdin: bytes = b"") -> str:
    return output_of("nacbrac", *arguments, stdin=stdin)


def entries(line: str) -> list[tuple[str, float | None]]:
    result = parse_nacbrac(re.sub(r"^\S+ ", "", line))
    return [(str(entry.name), entry.error) for entry in result.entries]


@pytest.mark.usefixtures("each_engine")
def test_the_nacbrac_agrees_with_the_tutorials() -> None:
    """#1 has [P @87 H94 X101] from rollouts; here the errors differ by at most .02 + LOSS."""
    line = nacbrac("54S-63R-31")
    assert line.startswith("54S-63R-31 [P ")
    assert line.endswith("] gnubg 2-ply\n")
    result = dict(entries(line))
    assert result.keys() == {"P", "@", "H", "X"}
    for name, error in {"@": 0.087, "H": 0.094, "X": 0.101}.items():
        assert result[name] == pytest.approx(error, abs=0.02 + LOSS)


@needs_gnubg
def test_gnubg_ends_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is also removed. The cache is empty, so gnubg was started."""
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "cache" / "answers.sqlite"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert entries(nacbrac("31", "--plies", "0"))[0] == ("P", 0.0)
    assert [item.name for item in tmp_path.iterdir()] == ["cache"]


@pytest.mark.usefixtures("each_engine")
def test_scores_come_before_the_bracket() -> None:
    """#37: at gammon go P is best, and D second by .038."""
    lines = nacbrac("65R-43Z-66", "--score", "gg", "--score=-3-5", "--score", "dmp").splitlines()
    assert [line.split()[1][: line.split()[1].index("[")] for line in lines] == ["g", "-3-5", "d"]
    best, second, *_ = entries(lines[0])
    assert best == ("P", 0.0)
    assert second[0] == "D"
    assert second[1] == pytest.approx(0.038, abs=0.01)


@pytest.mark.usefixtures("each_engine")
def test_decode_reads_the_nacbrac() -> None:
    path = nacbrac("43D-33", "--score", "gs", "--plies", "0")
    ran = run("decode", "--json", "-", stdin=path.encode())
    assert ran.status == 0
    plays = [row for row in map(json.loads, ran.out.splitlines()) if "nacbrac" in row]
    assert [(row["nactation"], row["error"]) for row in plays] == entries(path)
    assert {row["score"] for row in plays} == {"s"}
    assert {row["reading"] for row in plays} <= {"strict", "convenience", "waived"}


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("count", [1, 3, 7])
def test_limit_gives_that_many_plays(count: int) -> None:
    assert len(entries(nacbrac("31", "--plies", "0", "--limit", count))) == count


@pytest.mark.usefixtures("each_engine")
def test_within_gives_all_plays_up_to_that_error() -> None:
    wide = entries(nacbrac("61P-63", "--plies", "0", "--within", "0.2"))
    narrow = entries(nacbrac("61P-63", "--plies", "0", "--within", "0.1"))
    assert narrow == [item for item in wide if (item[1] or 0.0) <= 0.1]
    assert len(wide) > len(narrow)
    assert entries(nacbrac("61P-63", "--plies", "0", "--within", "0"))[0] == narrow[0]


@pytest.mark.usefixtures("each_engine")
def test_without_a_limit_the_second_best_play_is_always_listed() -> None:
    (_, first), (_, second) = entries(nacbrac("61", "--plies", "0"))
    assert first == 0.0
    assert second is not None
    assert second > 0.1


@needs_gnubg
def test_the_suffix_names_the_rollout() -> None:
    line = nacbrac("54S-63R-31", "--rollout", "12", "--limit", "1")
    assert line == "54S-63R-31 [P] gnubg 0-ply rollout 12 trials\n"
    assert nacbrac("31", "--suffix", "symbols", "--limit", "1") == "31 [P] /e\n"
    assert nacbrac("31", "--suffix", "none", "--limit", "1") == "31 [P]\n"


@pytest.mark.usefixtures("each_engine")
def test_markup_of_forums_reads_back() -> None:
    """Every form reads back as the same nacbrac."""
    plain = nacbrac("--plies", "0", "21S-64X-31")
    assert nacbrac("--plies", "0", "--to", "plain", "21S-64X-31") == plain
    for target in ("markdown", "bbcode", "html-forum"):
        for bold in ([], ["--bold-best"]):
            post = nacbrac("--plies", "0", "--to", target, *bold, "21S-64X-31")
            ran = run("decode", "--json", "--engine", "none", "-", stdin=post.encode())
            expected = run("decode", "--json", "--engine", "none", "-", stdin=plain.encode())
            assert ran == expected
    html = nacbrac("--plies", "0", "--to", "html-forum", "--bold-best", "--limit", "2", "31")
    assert html.startswith("<p>31 [<b>P</b> ")


@pytest.mark.usefixtures("each_engine")
def test_a_position_has_several_names() -> None:
    by_sequence = nacbrac("54S-63R-31", "--plies", "0")
    by_id = nacbrac("4HPwCSDg8+ABIQ", "31", "--plies", "0")
    assert by_sequence == f"54S-63R-{by_id}"


@pytest.mark.usefixtures("each_engine")
def test_the_score_of_an_xgid_is_used() -> None:
    xgid = "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:1:0:5:10"
    assert nacbrac(xgid, "--plies", "0").startswith("31 -5-4[P ")
    assert nacbrac(xgid, "--plies", "0", "--score", "money").startswith("31 [P ")


@pytest.mark.usefixtures("each_engine")
def test_json_has_plays_and_equities() -> None:
    (row,) = map(json.loads, nacbrac("54S-63R-31", "--plies", "1", "--json").splitlines())
    assert (row["roll"], row["score"], row["plies"], row["trials"]) == ("31", "", 1, 0)
    assert re.fullmatch(r"gnubg\S*:[0-9a-f:]+", row["fingerprint"])  # no folder of this machine
    assert row["position_id"] == "4HPwCSDg8+ABIQ"
    best = row["plays"][0]
    assert (best["nactation"], best["play"], best["error"]) == ("P", "8/5 6/5", 0.0)
    for play in row["plays"]:
        assert play["error"] == pytest.approx(best["equity"] - play["equity"], abs=0.0006)


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["54S-63R-31P-"], None),
        ([""], "there is no roll to play"),
        (["4HPwCSDg8+ABIQ", "--score", "dmp"], "the player on roll may not double"),
        (["XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"], "may not double"),
        (["4HPwCSDg8+ABIQ", "31", "66"], "comes a roll and nothing else"),
        (["--from", "start", "4HPwCSDg8+ABIQ", "31"], "--from goes with a sequence"),
        (["AAAAAAAAAAAAAA", "31"], "the game is over"),
        (["54S-63K-31"], "no such play"),
        (["27YBAAAAACAAAA", "66"], "nothing can be played with 66"),
    ],
)
def test_impossible_decisions_are_errors(words: list[str], message: str | None) -> None:
    ran = run("nacbrac", *words)
    if message is None:  # the roll that was played
        assert (ran.status, ran.out[:14]) == (0, "54S-63R-31 [P ")
    else:
        assert (ran.status, ran.out) == (1, "")
        assert message in ran.err


_CUBE = re.compile(r"\[N D/T ([0-9]+) D/P ([0-9]+)\] gnubg 0-ply\n")


@pytest.mark.usefixtures("each_engine")
def test_a_position_before_the_roll_is_about_the_cube() -> None:
    """An ID and a sequence give the same, also before a roll and after a double."""
    text = nacbrac("--plies", "0", "4HPwCSDg8+ABIQ")
    assert _CUBE.fullmatch(text)
    for sequence in ("54S-63R", "54S-63R-C"):
        assert nacbrac("--plies", "0", "--cube", sequence) == f"{sequence} {text}"
    assert nacbrac("--plies", "0", "--cube", "54S-63R-31") == f"54S-63R {text}"
    assert nacbrac("--plies", "0", "54S-63R-C") == f"54S-63R-C {text}"
    xgid = "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:{}:0:0:0:0:10"
    assert nacbrac("--plies", "0", xgid.format("00")) == text
    assert nacbrac("--plies", "0", "--cube", xgid.format("31")) == text
    assert nacbrac("--plies", "0", xgid.format("D")) == text
    assert nacbrac("--plies", "0", "--from", xgid.format("00"), "-") == text


@pytest.mark.usefixtures("each_engine")
def test_the_cube_reads_back_and_is_checked() -> None:
    (row,) = map(json.loads, nacbrac("--json", "--plies", "0", "--cube", "54S-63R").splitlines())
    assert (row["roll"], row["engine"], row["plies"]) == (None, "gnubg", 0)
    losses = {item["action"]: item["error"] for item in row["actions"]}
    equities = row["equities"]
    assert losses["double"] == pytest.approx(
        equities["no_double"] - equities["double_take"], abs=0.0006
    )
    assert losses["pass"] == pytest.approx(1 - equities["double_take"], abs=0.0006)
    ran = run("decode", "--json", "--check", "--plies", "0", f"54S-63R {row['nacbrac']}")
    read = [item for item in map(json.loads, ran.out.splitlines()) if "action" in item]
    assert {item["action"]: item["error"] for item in read} == losses
    assert (
        {item["action"] for item in read if item["best"]}
        == {"no double", "take"}
        == {*row["best"].split(", ")}
    )
    for item in read:
        assert item["engine_error"] == pytest.approx(item["error"], abs=0.0006)
        assert (item["bot"], item["engine"]) == ("gnubg, 0-ply, evaluation", "gnubg 0-ply")


@pytest.mark.usefixtures("each_engine")
def test_cube_nacbracs_have_scores_and_markup() -> None:
    lines = nacbrac("--plies", "0", "--cube", "--score=-3-5", "--score", "money", "54S-63R")
    assert [line[:13] for line in lines.splitlines()] == ["54S-63R -3-5[", "54S-63R [N D/"]
    bold = nacbrac("--plies", "0", "--cube", "--to", "html-forum", "--bold-best", "54S-63R")
    assert bold.startswith("<p>54S-63R [<b>N</b> D/T ")
    assert nacbrac("--plies", "2", "--cube", "--suffix", "symbols", "54S-63R").endswith("] /e\n")


@needs_gnubg
@pytest.mark.parametrize("option", ["--rollout", "--limit"])
def test_options_without_effect_on_the_cube_are_errors(option: str) -> None:
    ran = run("nacbrac", "--cube", option, "3", "54S-63R")
    assert ran == (2, "", f"nactate: nacbrac: {option} does nothing for the cube\n")


@needs_gnubg
@pytest.mark.parametrize(
    "options",
    [
        ["--score", "xx"],
        ["--score=-3-0"],
        ["--plies", "5"],
        ["--rollout", "0"],
        ["--limit", "0"],
        ["--within", "-1"],
        ["--plies", "0", "--rollout", "36"],
        ["--limit", "3", "--within", "0.1"],
        ["--to", "svg"],
        ["--rollout", "36", "--rollout-plies", "5"],
        ["--rollout", "36", "--truncate", "0"],
    ],
)
def test_wrong_options_are_errors(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("nacbrac", *options, "31").status == 2
    assert "nactate nacbrac: error: " in capsys.readouterr().err


@needs_gnubg
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--json", "--to", "bbcode"], "--to bbcode does nothing for --json"),
        (["--json", "--bold-best"], "--bold-best does nothing for --json"),
        (["--bold-best"], "--bold-best does nothing for --to plain"),
        (["--rollout-plies", "0"], "--rollout-plies goes with --rollout"),
        (["--truncate", "9"], "--truncate goes with --rollout"),
        (["--seed", "9"], "--seed goes with --rollout"),
        (["--until", ".01"], "--until goes with --rollout"),
    ],
)
def test_options_without_effect_are_errors(options: list[str], message: str) -> None:
    ran = run("nacbrac", *options, "31")
    assert (ran.status, ran.out, ran.err) == (2, "", f"nactate: nacbrac: {message}\n")


@needs_gnubg
@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_the_error_names_how_to_get_it() -> None:
    missing = "gnubg is switched off by NACTATION_GNUBG=none: unset it"
    ours = '; or install the built-in engine: pip install --find-links dist -e ".[engine]"'
    alternative = f'{ours}, or Open Sage: pip install -e ".[sage]"'
    not_in_book = "the book does not have 31 here, 3 away, 5 away"
    error = f"nactate: {not_in_book}; {missing}{alternative}\n"
    assert run("nacbrac", "--score=-3-5", "31") == (1, "", error)
    assert run("nacbrac", "--engine", "gnubg", "31") == (1, "", f"nactate: {missing}\n")


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


@needs_gnubg
def test_an_interrupt_ends_the_command_and_its_gnubg() -> None:
    with start("nacbrac", "--rollout", "100000", "31") as process:
        while not (children := _children(process.pid)):
            time.sleep(0.05)
        time.sleep(0.5)  # gnubg is at work
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (130, b"")
    (child,) = children
    with pytest.raises(ProcessLookupError):
        os.kill(int(child), 0)


@needs_gnubg
def test_a_terminal_shows_the_progress_of_a_rollout_until_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    words = ["nacbrac", "--rollout", "300000", "--truncate", "1", "--limit", "1", "31"]
    outer, inner = os.openpty()
    with (
        os.fdopen(inner, "wb", 0) as screen,
        subprocess.Popen(
            [sys.executable, "-m", "gnubg_nactation", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=screen,
        ) as process,
    ):
        screen_text = b""
        while b" of 300000" not in screen_text:
            screen_text += os.read(outer, 4096)
        (child,) = _children(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 130
        assert process.stdout
        assert process.stdout.read() == b""
    os.close(outer)
    assert (
        b"31, money: 0-ply rollout 300000 trials truncated at 1 plies by gnubg ... 3000 of"
        in screen_text
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int(child), 0)


@needs_gnubg
def test_a_rollout_has_standard_errors() -> None:
    """The standard error of a loss combines those of both equities (Pythagoras)."""
    words = ["--rollout", "12", "--rollout-plies", "1", "--truncate", "2", "--limit", "3", "31"]
    (row,) = map(json.loads, nacbrac("--json", *words).splitlines())
    assert (row["plies"], row["trials"], row["truncated_at"]) == (1, 12, 2)
    best, *worse = row["plays"]
    assert "standard_error_of_error" not in best
    joint = []
    for play in worse:
        squares = best["standard_error"] ** 2 + play["standard_error"] ** 2
        assert play["standard_error_of_error"] ** 2 == pytest.approx(squares, rel=0.01)
        joint.append(round(1000 * play["standard_error_of_error"]))
    line = nacbrac(*words)
    head = "gnubg 1-ply rollout 12 trials truncated at 2 plies, standard errors"
    assert line.endswith(f"] {head} {joint[0]} {joint[1]}\n")
    assert describe_bot(line.partition("] ")[2]) == (
        "gnubg, 1-ply, rollout, 12 trials, truncated at 2 plies, "
        f"standard errors {joint[0]} {joint[1]}"
    )
    (plain,) = map(json.loads, nacbrac("--json", "--plies", "0", "31").splitlines())
    assert "truncated_at" not in plain
    assert all("standard_error" not in play for play in plain["plays"])


@pytest.mark.usefixtures("each_engine")
def test_ambiguous_readings_are_reported() -> None:
    ran = run("nacbrac", "--plies", "0", "65R-43Z-66U-31")
    assert ran.status == 0
    assert ran.err.startswith("nactate: 66U is read as 24/18 13/7(3): assumed, guess (")


@pytest.mark.usefixtures("each_engine")
def test_the_limit_does_not_change_the_best_plays() -> None:
    """0 plies undervalue some plays here; the best 12 are still the first 12 of 32."""
    xgid = "XGID=-A---aDDC---b----ccccB-A--:1:1:-1:66:0:2:0:7:10"
    few = entries(nacbrac(xgid, "--plies", "1", "--limit", "12"))
    many = entries(nacbrac(xgid, "--plies", "1", "--limit", "32"))
    assert few == many[:12]


@pytest.mark.usefixtures("each_engine")
def test_the_sequence_of_a_nackgammon_match_begins_with_n() -> None:
    ran = run("encode", SAMPLES / "nackgammon-5pt.mat", "--game", "1", "--turn", "9")
    assert ran.out.startswith("N ")
    assert run("decode", "--strict", ran.out.strip()).status == 0


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("turn", ["1", "-1"])
def test_the_score_and_cube_of_the_start_are_used(turn: str) -> None:
    """The player on roll in the XGID begins the sequence."""
    xgid = f"XGID=-b----E-C---eE---c-e----B-:1:{turn}:{turn}:{{}}:2:3:0:5:10"
    expected = nacbrac("--plies", "0", xgid.format("31"))
    assert expected.startswith("31 -3-2[" if turn == "1" else "31 -2-3[")
    assert nacbrac("--plies", "0", "--from", xgid.format("00"), "31") == expected
    ran = run("decode", "--check", "--plies", "0", "--json", "--from", xgid.format("00"), expected)
    rows = [row for row in map(json.loads, ran.out.splitlines()) if "nacbrac" in row]
    for row in rows:
        assert row["engine_error"] == pytest.approx(row["error"], abs=0.0006)
