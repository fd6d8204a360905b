"""The questions about the openings in the page, without a browser."""

from __future__ import annotations

import pytest

from tests.playground.test_answers import ask, reply


@pytest.mark.parametrize(
    ("subject", "score", "count", "example"),
    [
        ("first", "money", 15, "31"),
        ("31P", "money", 21, "31P-42"),
        ("31P", "dmp", 21, "31P-42 dmp"),
        ("replies", "money", 630, "65R-66"),
        ("all", "all", 4 * 645, "21$-64 gs"),
        ("31Q", "money", 0, ""),
    ],
)
def test_the_questions_of_a_subject(subject: str, score: str, count: int, example: str) -> None:
    questions = ask("training_questions", subject, score)
    assert len(set(questions)) == len(questions) == count
    assert example in questions or not count


def test_a_question_is_asked_from_the_side_of_the_player_on_roll() -> None:
    """After 31P White's board is that of Black before: checkers on 24(2) 13(5) 8(3) 6(5)."""
    question = ask("training_question", "31P-42 dmp")
    assert question["state"]["xgid"] == "XGID=-b----E-C---eE---b-db---B-:0:0:1:42:0:0:0:1:10"
    assert question["state"]["player"] == 0
    best = question["book"]["plays"][0]
    assert best["said"] == "8/4 6/4"
    options = {option["said"] for option in question["options"]}
    assert best["said"] in options


def test_the_choices_have_the_plays_of_the_book_and_others() -> None:
    for text in ("31", "31P-42", "21 dmp", "61P-55", "21$-66 gg"):
        question = ask("training_question", text)
        choices = [option["said"] for option in question["choices"]]
        rated = {play["said"] for play in question["book"]["plays"]}
        legal = {option["said"] for option in question["options"]}
        assert rated <= set(choices) <= legal
        assert len(choices) == len(set(choices)) == max(len(rated), min(8, len(legal)))
        tokens = [option["token"] for option in question["choices"]]
        assert tokens == sorted(tokens)  # the order does not give the answer away


def test_only_rolls_of_the_book_are_asked() -> None:
    for text in ("", "31P", "31Q", "31P-42Z-21"):
        assert "error" in reply("training_question", text), text


def test_a_play_is_named_by_a_letter_or_by_points() -> None:
    question = ask("training_question", "31P-42")
    state = question["state"]
    for text in ("P", " P ", "42P", "8/4 6/4", "6/4 8/4"):
        assert ask("play_named", state["xgid"], "42", text) == "8/4 6/4", text
    for text in ("Q", "hello", "8/3", "42"):
        assert "error" in reply("play_named", state["xgid"], "42", text), text
