"""`nactate encode --name` and `--from-name`: names of sequences and games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import MATCH, SAMPLES, error_of, run


def test_a_sequence_becomes_a_file_name_and_back() -> None:
    assert run("encode", "--name", "32Z-41h-11") == (0, "32Z-41hh-11\n", "")
    assert run("encode", "--from-name", "32Z-41hh-11.txt") == (0, "32Z-41h-11\n", "")
    assert run("encode", "--name", "-", stdin=b"32Z-41h-11\n").out == "32Z-41hh-11\n"
    assert run("encode", "--name", "-61P-63R").out == "top-61P-63R\n"


def test_games_of_a_match_have_names() -> None:
    lines = run("encode", "--name", SAMPLES / "match-5pt.mat").out.splitlines()
    assert lines == ["A-B-5pt-g1-0to0", "A-B-5pt-g2-0to1", "A-B-5pt-g3-0to3"]
    chosen = run("encode", "--name", SAMPLES / "match-5pt.mat", "--game", "2", "--turn", "13")
    assert chosen.out == "A-B-5pt-g2-0to1-t13\n"
    assert run("encode", "--name", SAMPLES / "match-5pt.mat", "--game", "9").status == 1


def test_initials_come_from_any_name(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    file.write_bytes(MATCH.replace(b"Ann :", "Åsa de-la Vega :".encode()).replace(b"Ben", b"??"))
    assert run("encode", "--name", file).out == "ADLV-X-3pt-g1-0to0\n"


def test_games_with_the_same_name_are_numbered(tmp_path: Path) -> None:
    file = tmp_path / "two.mat"
    file.write_bytes(MATCH + b"\n" + MATCH)
    assert run("encode", "--name", file).out.splitlines() == [
        "A-B-3pt-g1-0to0",
        "A-B-3pt-g1-0to0-2",
    ]


def test_long_names_are_shortened() -> None:
    sequence = "-".join(["54S", "63R"] * 30)
    for longest in (20, 80, 250):
        ran = run("encode", "--name", "--longest", longest, sequence)
        assert ran.status == 0
        assert len(ran.out) <= longest + 1


@pytest.mark.parametrize("arguments", [["--longest", "3", "54S"], ["--longest", "x", "54S"]])
def test_wrong_options_are_errors(arguments: list[str]) -> None:
    assert run("encode", "--name", *arguments).status == 2


@pytest.mark.parametrize(
    "arguments",
    [["--name", "hello"], ["--from-name", "hello"], ["--name", "x" * 5000], ["--name", "a\0b"]],
)
def test_a_text_that_is_not_a_sequence_is_an_error(arguments: list[str]) -> None:
    assert error_of("encode", *arguments).startswith("nactate: ")
