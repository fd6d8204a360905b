"""Wrong usage: first a line with the error, then the usage."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import MATCH, ROOT, error_of, run

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.mat").write_bytes(MATCH)


def by_shell(line: str) -> subprocess.CompletedProcess[bytes]:
    """A command line with redirections; `$N` is nactate."""
    line = line.replace("$N", shlex.join([sys.executable, "-m", "gnubg_nactation"]))
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(["sh", "-c", line], env=env, capture_output=True, check=False)


@pytest.mark.parametrize("command", ["alphabet", "annotate match.mat", "--version", "help manpage"])
def test_a_closed_standard_output_is_no_error(command: str) -> None:
    done = by_shell(f"$N {command} >&-")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "command",
    ["alphabet", "annotate match.mat", "annotate match.mat match.mat --summary", "board start"],
)
def test_a_full_disk_is_reported_for_standard_output(command: str) -> None:
    done = by_shell(f"$N {command} >/dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == b"nactate: standard output: No space left on device"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_half_an_output_is_an_error(unbuffered: str, tmp_path: Path) -> None:
    match, page = ROOT / "sample_matches" / "match-1pt.mat", tmp_path / "page.html"
    setting = f"export PYTHONUNBUFFERED={unbuffered}; ulimit -f 16"  # blocks of 512 bytes
    done = by_shell(f"{setting}; $N annotate --to html '{match}' > '{page}'")
    assert (done.returncode, done.stderr) == (1, b"nactate: standard output: File too large\n")


@pytest.mark.parametrize("command", ["check", "encode --name"])
@pytest.mark.parametrize("word", ["nofile.sgf", "other.MAT", "54S.txt"])
def test_an_argument_that_ends_like_a_match_file_is_a_file(command: str, word: str) -> None:
    assert error_of(*command.split(), word) == f"nactate: {word}: No such file or directory\n"


def test_an_existing_name_is_a_file() -> None:
    Path("54S").mkdir()
    assert run("check", "54S").err == "nactate: 54S: Is a directory\n"
    assert run("check", "63R").out == "63R: ok\n"
    assert run("encode", "--from-name", "54S-63R.txt").out == "54S-63R\n"


def test_an_empty_name_is_named() -> None:
    for command in ("read", "drill", "book show"):
        assert error_of(*command.split(), "") == "nactate: '': No such file or directory\n"


def test_the_roll_of_an_xgid_is_used() -> None:
    assert run("plays", XGID) == run("plays", XGID, 61)
    assert run("plays", XGID, 31).out.startswith("4HPwATDgc/ABMA 31: ")
    assert run("plays", XGID.replace(":61:", ":00:")).status == 2


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_no_sequence(text: str) -> None:
    for ran in (run("decode", text), run("decode", "-", stdin=text.encode())):
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("nactate: decode: a sequence is missing, as in ")
    checked = run("check", text)
    assert (checked.status, checked.out) == (2, "")
    assert checked.err.startswith("nactate: check: a sequence is missing, as in ")


def test_a_match_without_analysis_has_no_errors_to_show() -> None:
    ran = run("annotate", "--errors", "match.mat")
    assert ran.status == 0
    assert ran.err.startswith("nactate: match.mat: no analysis in the file, so no errors to show")
    assert ran.err.count("\n") == 1
    assert run("annotate", "match.mat").err == ""
    analysed = ROOT / "sample_matches" / "match-3pt-analysed.sgf"
    assert run("annotate", "--errors", analysed).err == ""


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--to", "sgf", "--traditional"], "--traditional does nothing for --to sgf"),
        (["--to", "sgf", "--boards", "3"], "--boards does nothing for --to sgf"),
        (["--to", "json", "--layout", "row"], "--layout does nothing for --to json"),
        (["--to", "mat", "--layout", "row"], "--layout does nothing for --to mat"),
        (["--to", "html", "--start-mark=->"], "--start-mark does nothing for --to html"),
        (["--layout", "row", "--traditional"], "--traditional does nothing for --layout row"),
    ],
)
def test_options_without_effect_are_errors(words: list[str], error: str) -> None:
    assert run("annotate", *words, "match.mat") == (2, "", f"nactate: annotate: {error}\n")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("decode --strickt 31P", "unknown option: --strickt; did you mean --strict?"),
        ("decode --zzz=1 31P", "unknown option: --zzz=1"),
        ("annotate --format html a.mat", "unknown option: --format; did you mean --to?"),
        ("annotate --json a.mat", "unknown option: --json; did you mean --to json?"),
        ("annotate --html a.mat", "unknown option: --html; did you mean --to html?"),
        ("post --gnubg 31P", "unknown option: --gnubg; did you mean --engine gnubg?"),
        ("annotate --output-dir=x a.mat", "unknown option: --output-dir=x; did you mean --output?"),
        ("plays --format json 31", "unknown option: --format; did you mean --json?"),
        ("same --format=json 31P 31P", "unknown option: --format=json"),
        (
            "annotate -r matches",
            "unknown option: -r; folders are always searched with the folders in them",
        ),
        ("decode --verbose 31P", "unknown option: --verbose; warnings and errors are always shown"),
        ("post --to markdwn 31P", "argument --to: unknown value 'markdwn'; did you mean markdown?"),
        (
            "decode --engine x 31P",
            "argument --engine: unknown value 'x' (choose from auto, gnubg, builtin, sage, none)",
        ),
        ("annotate", "the following arguments are required: FILE"),
        ("book", "the following arguments are required: make|show|compare|check|join"),
        (
            "cards --me",
            "the following arguments are required: openings|replies|errors|positions|alphabet",
        ),
        ("annotate --jobs -1 a.mat", "argument --jobs: '-1' is not a number of processes"),
        ("leaks --top -1", "argument --top: -1 is not between 1 and 1000"),
        ("transcribe a.txt a\x1b[31m", "unexpected argument: a\ufffd[31m"),
        (
            "leaks a.sgf",
            "unexpected argument: a.sgf; it reads the database, which `nactate index FILE` makes",
        ),
    ],
)
def test_the_error_comes_before_the_usage(
    words: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words.split()).status == 2
    printed = capsys.readouterr()
    assert not printed.out
    lines = printed.err.splitlines()
    assert lines[0].partition(" error: ")[2] == error
    assert lines[1].startswith("usage: nactate")


@pytest.mark.parametrize("command", ["decode", "check", "explain", "post", "board"])
def test_a_sequence_may_be_several_words(command: str) -> None:
    """32H is no opening; words that are all openings may be a list (test_alternatives)."""
    apart, joined = run(command, "43Z", "32H", "41V"), run(command, "43Z-32H-41V")
    assert (apart.status, apart.out) == (0, joined.out)


def test_notes_after_plays_are_kept() -> None:
    ran = run("decode", "54S", "63R*", "31P", "(best)")
    assert [line.split()[-1] for line in ran.out.splitlines()[1:3]] == ["*", "(best)"]
    ran = run("decode", "--json", "54S 63R* 31P (best)")
    values = [json.loads(line) for line in ran.out.splitlines()]
    assert [value.get("remark") for value in values] == [None, "*", "(best)"]
