"""`nactate drill`: questions, answers, repetitions and the summary."""

import json
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.cli.commands import drill
from gnubg_nactation.cli.streams import Status
from gnubg_nactation.nacbracs.book import shipped_book
from tests.cli.running import SAMPLES, error_of, output_of, run

SEED = ("--seed", "2", "--ask", "letter")


def questions(*options: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output_of("drill", "--json", *options).splitlines()]


def test_right_answers_are_counted() -> None:
    answers = [str(row["accepted"][0]) for row in questions("--count", "3", *SEED)]  # type: ignore[index]
    output = output_of("drill", "--count", "3", *SEED, stdin="\n".join(answers).encode() + b"\n")
    assert output.count("Right: ") == 3
    assert output.endswith("\n3 of 3 right at once\n")


def test_a_wrong_answer_is_repeated_until_it_is_right() -> None:
    first, second = [str(row["accepted"][0]) for row in questions("--count", "2", *SEED)]  # type: ignore[index]
    lines = ["nonsense", second, "worse", first]
    ran = run("drill", "--count", "2", *SEED, stdin="\n".join(lines).encode() + b"\n")
    order = [line.split()[0] for line in ran.out.splitlines() if "which letter?" in line]
    assert order == ["1/2", "2/2", "1/2", "1/2"]
    assert ran.out.endswith("\n1 of 2 right at once, 1 after a mistake\n")


@pytest.mark.parametrize("stdin", [b"", b"\n", b"  \nP\n"])
def test_an_empty_line_or_the_end_of_input_ends_the_drill(stdin: bytes) -> None:
    output = output_of("drill", "openings", "--count", "4", *SEED, stdin=stdin)
    assert output.endswith("\n0 of 4 right at once, 4 left\n")


def test_an_interrupt_ends_the_drill_with_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(drill, "_ask", interrupt)
    ran = run("drill", "--count", "4", *SEED)
    assert (ran.status, ran.out) == (Status.INTERRUPTED, "\n0 of 4 right at once, 4 left\n")


def test_other_right_answers_get_the_preferred_letter() -> None:
    ran = run("drill", "openings", "--count", "200", "--json", *SEED)
    plays = [json.loads(line) for line in ran.out.splitlines()]
    at, row = next((at, row) for at, row in enumerate(plays) if len(row["accepted"]) > 1)
    preferred, second, *_ = row["accepted"]
    answers = [play["accepted"][0] for play in plays[:at]] + [second]
    ran = run("drill", "openings", "--count", "200", *SEED, stdin="\n".join(answers).encode())
    assert f"Right, though {preferred} is preferred: " in ran.out


def test_best_plays_come_from_the_book() -> None:
    asked = "--ask", "best", "--seed", "5", "--count", "3"
    rows = questions("openings", *asked)
    letter, play, wrong = rows[0]["accepted"][0], rows[1]["play"], "nonsense"  # type: ignore[index]
    stdin = f"{letter}\n{play}\n{wrong}\n".encode()
    out = output_of("drill", "openings", *asked, stdin=stdin)
    assert (out.count("Right: "), out.count("No: ")) == (2, 1)
    assert out.count("] book: gnubg 2-ply\n") == 3
    assert "goes with openings" in error_of("drill", "--ask", "best", status=2)


def test_a_play_that_loses_a_hundredth_is_right_as_well() -> None:
    asked = "--ask", "best", "--seed", "5", "--count", "100"
    rows: list[Any] = questions("openings", *asked)
    for row in rows:
        line = shipped_book().at(parse_position_id(row["position_id"]), Roll.parse(row["roll"]))
        assert line
        assert len(row["accepted"]) == sum((loss or 0) <= 0.01 for *_, loss in line.plays)
    at, close = next((at, row) for at, row in enumerate(rows) if len(row["accepted"]) > 1)
    answers = [row["accepted"][0] for row in rows[:at]] + [close["accepted"][1]]
    out = output_of("drill", "openings", *asked, stdin="\n".join(answers).encode())
    assert out.count("Right: ") == len(answers)


def test_plays_of_a_match_become_questions() -> None:
    result = questions(
        str(SAMPLES / "match-1pt.mat"), "--count", "1000", "--ask", "play", "--seed", "1"
    )
    assert {row["asked"] for row in result} == {"play"}
    # The match in README: 64S, 61P, and so on; forced plays are not asked.
    assert {"64S", "61P", "21D", "54R", "62$"} <= {row["given"] for row in result}
    assert all(row["accepted"] == [row["play"]] for row in result)


def test_a_match_without_a_choice_is_an_error() -> None:
    error = error_of("drill", "-", stdin=b" 1 point match\n\n Game 1\n A : 0    B : 0\n")
    assert "no roll leaves a choice" in error


@pytest.mark.parametrize("count", ["0", "1001", "x"])
def test_wrong_counts_are_errors(count: str) -> None:
    ran = run("drill", "--count", count)
    assert (ran.status, ran.out) == (Status.USAGE, "")
