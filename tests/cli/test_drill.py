"""`nactate drill`: asked, answered, repeated, and summed up."""

import json

import pytest

from gnubg_nactation.cli.commands import drill
from gnubg_nactation.cli.streams import Status
from tests.cli.running import SAMPLES, run

SEED = ("--seed", "2", "--ask", "letter")


def questions(*options: str) -> list[dict[str, object]]:
    ran = run("drill", "--json", *options)
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def test_right_answers_are_counted() -> None:
    answers = [str(row["accepted"][0]) for row in questions("--count", "3", *SEED)]  # type: ignore[index]
    ran = run("drill", "--count", "3", *SEED, stdin="\n".join(answers).encode() + b"\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("Right: ") == 3
    assert ran.out.endswith("\n3 of 3 right at once\n")


def test_what_was_wrong_comes_again_until_it_is_right() -> None:
    first, second = [str(row["accepted"][0]) for row in questions("--count", "2", *SEED)]  # type: ignore[index]
    lines = ["nonsense", second, "worse", first]
    ran = run("drill", "--count", "2", *SEED, stdin="\n".join(lines).encode() + b"\n")
    order = [line.split()[0] for line in ran.out.splitlines() if "which letter?" in line]
    assert order == ["1/2", "2/2", "1/2", "1/2"]
    assert ran.out.endswith("\n1 of 2 right at once, 1 after a mistake\n")


@pytest.mark.parametrize("stdin", [b"", b"\n", b"  \nP\n"])
def test_an_empty_line_or_the_end_of_the_input_ends_it(stdin: bytes) -> None:
    ran = run("drill", "openings", "--count", "4", *SEED, stdin=stdin)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("\n0 of 4 right at once, 4 left\n")


def test_an_interrupt_ends_it_with_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(drill, "_ask", interrupt)
    ran = run("drill", "--count", "4", *SEED)
    assert (ran.status, ran.out) == (Status.INTERRUPTED, "\n0 of 4 right at once, 4 left\n")


def test_other_right_answers_hear_what_is_preferred() -> None:
    ran = run("drill", "openings", "--count", "200", "--json", *SEED)
    plays = [json.loads(line) for line in ran.out.splitlines()]
    at, row = next((at, row) for at, row in enumerate(plays) if len(row["accepted"]) > 1)
    preferred, other, *_ = row["accepted"]
    answers = [play["accepted"][0] for play in plays[:at]] + [other]
    ran = run("drill", "openings", "--count", "200", *SEED, stdin="\n".join(answers).encode())
    assert f"Right, though {preferred} is preferred: " in ran.out


def test_the_plays_of_a_match() -> None:
    result = questions(
        str(SAMPLES / "match-1pt.mat"), "--count", "1000", "--ask", "play", "--seed", "1"
    )
    assert {row["asked"] for row in result} == {"play"}
    # Of the match in README: 64S, then 61P, and so on; forced plays are no questions.
    assert {"64S", "61P", "21D", "54R", "62$"} <= {row["given"] for row in result}
    assert all(row["accepted"] == [row["play"]] for row in result)


def test_a_match_without_a_choice_has_nothing_to_ask() -> None:
    ran = run("drill", "-", stdin=b" 1 point match\n\n Game 1\n A : 0    B : 0\n")
    assert ran.status == Status.FAILED
    assert "no roll leaves a choice" in ran.err


@pytest.mark.parametrize("count", ["0", "1001", "x"])
def test_counts_that_are_none(count: str) -> None:
    ran = run("drill", "--count", count)
    assert (ran.status, ran.out) == (Status.USAGE, "")
