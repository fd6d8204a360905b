"""`nactate scores`: its words, forms and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gnubg_nactation.cli.streams import Status
from tests.cli.running import MATCH, error_of, output_of, run
from tests.engines.built import FOLDER, needs_builtin

pytestmark = needs_builtin
QUICK = "--engine", "builtin", "--plies", "0"


@pytest.fixture(autouse=True)
def builtin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    monkeypatch.chdir(tmp_path)


def test_each_cell_is_the_nacbrac_at_its_score() -> None:
    table = json.loads(output_of("scores", *QUICK, "--away", 3, "--to", "json", "54S-63R-31"))
    assert len(table["cells"]) == 13
    for cell in table["cells"]:
        crawford = "C" * cell["crawford"]
        score = f"--score=-{cell['player_away']}-{cell['opponent_away']}{crawford}"
        row = json.loads(output_of("nacbrac", *QUICK, "--json", score, "--limit", 2, "54S-63R-31"))
        best, second = row["plays"]
        assert cell["play"] == best["play"]
        assert cell["lead"] == pytest.approx(second["error"], abs=0.0005)
    for name, score in (("money", "money"), ("dmp", "dmp")):
        row = json.loads(output_of("nacbrac", *QUICK, "--json", "--score", score, "54S-63R-31"))
        assert table[name]["play"] == row["plays"][0]["play"]


def test_processes_find_the_same() -> None:
    one = output_of("scores", *QUICK, "--away", 4, "21S", "64")
    Path("answers.sqlite").unlink()
    assert output_of("scores", *QUICK, "--away", 4, "--jobs", 2, "21S-64") == one


def test_the_score_of_a_match_is_marked() -> None:
    Path("match.mat").write_bytes(MATCH)
    text = output_of("scores", *QUICK, "match.mat#1.2")
    assert text.startswith("Best play of 31 at each score, gnubg 0-ply\n")
    assert "[P]" in text.splitlines()[6 + 4]  # row 3, as both need 3 points
    assert output_of("scores", *QUICK, "--cube", "match.mat#1.2").startswith("Cube action at ")


@pytest.mark.parametrize("subject", ["54S-63R-31", "54S-63R-31 [P @87]", "4HPwATDgc/ABMA"])
def test_a_post_has_the_table_below_its_board(subject: str) -> None:
    post = output_of("post", "--to", "markdown", "--engine", "builtin", "--scores", 0, subject)
    words = subject.partition(" [")[0]
    # An engine that is named lets letters be assumed; these letters leave nothing open.
    table = output_of("scores", *QUICK, words)
    assert post.rstrip().endswith(f"{table.rstrip()}\n```")
    assert post.count("```") == 4  # around the board, and around the table


def test_a_card_can_show_the_table() -> None:
    output_of("card", "--engine", "builtin", "--scores", 0, "21S-64", "-o", "card.svg")
    output_of("scores", *QUICK, "21S-64", "-o", "scores.svg")
    assert Path("card.svg").read_bytes() == Path("scores.svg").read_bytes()


@pytest.mark.parametrize("words", [["post", "--spoiler"], ["card", "-o", "x.png", "--square"]])
def test_the_table_does_not_go_with_a_question(words: list[str]) -> None:
    assert "--scores" in error_of(*words, "--scores", 0, "21S-64", status=2)


def test_every_form_is_written(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    beginnings = {
        "txt": b"Best play of 31",
        "csv": b"player_away,",
        "json": b'{"format": 1, ',
        "html": b"<!doctype html>",
        "svg": b"<svg ",
        "png": b"\x89PNG",
    }
    for ending, start in beginnings.items():
        path = tmp_path / f"table.{ending}"
        assert run("scores", *QUICK, "--away", 2, "31", "-o", path).status == Status.OK
        assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("start", "31", "8/5", "6/5"), "unexpected text after the roll: '8/5 6/5'"),
        (("--theme", "dark", "31"), "--theme does nothing for --to text"),
        (("--engine", "none", "31"), "equities need an engine"),
        (("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10",), "the opponent owns the cube"),
    ],
)
def test_errors_are_of_one_line(words: tuple[str, ...], error: str) -> None:
    options = () if "--engine" in words else QUICK
    ran = run("scores", *options, *words)
    assert (ran.status != Status.OK, ran.out) == (True, "")
    assert error in ran.err.splitlines()[0]
