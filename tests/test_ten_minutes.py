"""The lesson `docs/ten-minutes.md`: its examples, exercises and boards are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gnubg_nactation import IllegalError, Plays, decode
from tests.readme import ROOT, board, boards_of, make_programs

PAGE = ROOT / "docs" / "ten-minutes.md"
TEXT = PAGE.read_text(encoding="utf-8").replace("\\*", "*")
LESSON, ANSWERS = TEXT.split("## Answers")
EXERCISES = dict(re.findall(r"^(\d+)\. (.*)$", LESSON.partition("## Exercises")[2], re.MULTILINE))
EXAMPLES = re.findall(r"`(\S+)`: ((?:(?:\d+|bar)(?:/\d+\*?)+(?:\(\d\))? ?)+)", LESSON)
ROWS = re.findall(r"^\| (\d+) \| `(\S+)` \| (.+?) \|", ANSWERS, re.MULTILINE)


def last_play(sequence: str) -> tuple[str, str]:
    """The play of the last turn of a sequence, and its preferred Nactation."""
    turn = decode(sequence).turns[-1]
    assert turn.play is not None
    return str(turn.play), str(Plays(turn.play.before, turn.play.roll).name(turn.play))


@pytest.mark.parametrize(("sequence", "play"), EXAMPLES)
def test_an_example(sequence: str, play: str) -> None:
    assert last_play(sequence)[0] == play.strip()


def test_the_lesson_has_examples_of_each_letter() -> None:
    letters = {sequence[-1] for sequence, _ in EXAMPLES}
    assert letters >= {*"DPR$SZUHXKBEACON@&h"}
    assert len(boards_of(PAGE)) == 8


@pytest.mark.parametrize(("number", "sequence", "play"), ROWS)
def test_an_answer(number: str, sequence: str, play: str) -> None:
    exercise = EXERCISES[number]
    *earlier, turn = sequence.split("-")
    if f"`{sequence}`" not in exercise:  # asks for the letter
        assert f"{turn[:2]}: {play}." in exercise
        assert all(token in exercise for token in earlier)
        assert last_play(sequence)[1] == turn[2:]
    assert last_play(sequence)[0] == play


def test_the_impossible_turns_are_impossible() -> None:
    assert len(ROWS) == 10
    for sequence in ("43Z-32H-54K", "61P-62K"):
        assert f"`{sequence}`" in LESSON
        with pytest.raises(IllegalError):
            decode(sequence)


def test_the_boards_are_drawn_by_the_program(tmp_path: Path) -> None:
    programs = make_programs(tmp_path)
    paths = boards_of(PAGE)
    assert {*paths} == {*(ROOT / "docs" / "boards").iterdir()}
    for path in paths:
        assert path.read_text(encoding="utf-8").strip() == board(path, programs).strip(), path
