"""`nactate transcribe`: a score sheet in, a match file out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gnubg_nactation.files import mat, sgf
from tests.cli.running import MATCH, SAMPLES, error_of, output_of, run

SHEET = """\
Alice - Bob, 3 point match, 2026-11-23, City Open, Oslo

54S-63R-31P-D-P

-43D-61P-D-T-52S (resign 1)
"""
SLIP = SHEET.replace("63R", "63K")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of every test, with a sheet in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.txt").write_text(SHEET, encoding="utf-8")
    (tmp_path / "slip.txt").write_text(SLIP, encoding="utf-8")
    return tmp_path


def test_score_results_and_tags_are_worked_out() -> None:
    """Bob doubles in game 1, as Alice has just played 31P, so he wins a point by the pass."""
    assert run("transcribe", "sheet.txt", "-o", "match.mat") == (0, "", "")
    (match,) = mat.read(Path("match.mat").read_bytes())
    assert (match.players, match.length) == (("Alice", "Bob"), 3)
    assert match.headers == (
        ("EventDate", "2026.11.23"),
        ("Event", "City Open"),
        ("Site", "Oslo"),
    )
    games = [(game.score, game.winner, game.points) for game in match.games]
    assert games == [((0, 0), 1, 1), ((0, 1), 1, 2)]


@pytest.mark.parametrize("output", ["match.sgf", "match.json", "match.html", "match.mat"])
def test_the_ending_chooses_the_form(output: str) -> None:
    assert run("transcribe", "-o", output, "sheet.txt").status == 0
    text = Path(output).read_text(encoding="utf-8")
    match output.rpartition(".")[2]:
        case "sgf":
            assert [game.points for game in sgf.read(text.encode()).match.games] == [1, 2]
        case "json":
            assert json.loads(text)["players"] == ["Alice", "Bob"]
        case "html":
            assert text.startswith("<!doctype html>")


def test_standard_input_and_output() -> None:
    ran = run("transcribe", "-", stdin=SHEET.encode())
    assert mat.read(ran.out.encode())[0].games
    assert run("transcribe", "--to", "sgf", "-", stdin=SHEET.encode()).out.startswith("(;FF[4]")


def test_check_prints_each_fault_with_its_place_and_writes_nothing(folder: Path) -> None:
    assert run("transcribe", "--check", "sheet.txt") == (0, "", "")
    ran = run("transcribe", "--check", "slip.txt")
    assert ran.status == 1
    assert ran.err == ""
    (line,) = ran.out.splitlines()
    assert line.startswith("slip.txt:3:5: found '63K': no such play of 63; possible: ")
    assert {path.name for path in folder.iterdir()} == {"sheet.txt", "slip.txt"}


def test_a_sheet_with_a_fault_writes_no_file() -> None:
    ran = run("transcribe", "slip.txt", "-o", "match.mat")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("nactate: slip.txt:3:5: found '63K'")
    assert not Path("match.mat").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--check", "-o", "x.mat", "sheet.txt"), "--check writes nothing"),
        (("-o", "x.txt", "sheet.txt"), "-o needs a name that ends in .mat"),
        (("-o", "sheet.txt", "--to", "mat", "sheet.txt"), "sheet.txt would be overwritten"),
    ],
)
def test_options_that_do_not_go_together(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_of("transcribe", *arguments, status=2)


def test_what_is_no_sheet_is_refused() -> None:
    assert "expected a game such as" in error_of("transcribe", "-", stdin=b"Dear diary")
    assert "empty" in error_of("transcribe", "-", stdin=b"")
    assert "no score sheet" in error_of("transcribe", "-", stdin=b"; only a comment")


def test_commands_that_take_match_files_take_sheets() -> None:
    assert "Game 2: Alice 0, Bob 1" in output_of("annotate", "sheet.txt")
    assert run("encode", "sheet.txt", "--game", 1).out.startswith("54S-63R-31P-C-P\n")
    assert "slip.txt: line 3, column 5: found '63K'" in error_of("annotate", "slip.txt")


def test_annotated_text_comes_back(folder: Path) -> None:
    (folder / "match.mat").write_bytes(MATCH)
    (folder / "text.txt").write_text(run("annotate", "match.mat").out, encoding="utf-8")
    written = run("annotate", "--to", "mat", "match.mat").out
    assert run("transcribe", "text.txt").out == written


def test_match_text_has_names_and_plays_in_full() -> None:
    nameless = b" 3 point match\n\n Game 1\n : 0     : 0\n  1) 31: 8/5 6/5   63: 24/15\n"
    out = run("annotate", "--to", "mat", "-", stdin=nameless).out
    assert " White : 0                      Black : 0" in out
    assert "63: 24/18 18/15" in out
    assert run("annotate", "--to", "mat", SAMPLES / "match-1pt.mat").status == 0
