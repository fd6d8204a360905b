"""The opening book in the page, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from gnubg_nactation import Roll, decode
from gnubg_nactation.backgammon.ids import parse_xgid
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.nacbracs.book import MAX_LISTED, parse_book, shipped_book
from gnubg_nactation.nacbracs.nacbrac import name_of_score, score_of
from gnubg_nactation.playground import answers
from gnubg_nactation.tasks import openings
from tests.playground.test_answers import ask


def book(text: str) -> Any:
    return ask("opening", text)["book"]


def names(plays: list[dict[str, Any]]) -> list[str]:
    return [play["look"]["name"] for play in plays]


def test_the_first_roll_has_no_doublets() -> None:
    rolls = {row["roll"]: names(row["plays"]) for row in book("")["rolls"]}
    assert len(rolls) == 15
    assert rolls["31"][0] == rolls["42"][0] == rolls["61"][0] == "P"  # as every book has it
    assert "66" not in rolls


def test_a_reply_has_the_plays_and_equities_of_the_book() -> None:
    line = shipped_book().at(decode("31P").state.position, Roll.parse("42"))
    assert line
    plays = book("31P-42")["plays"]
    assert names(plays) == [str(name) for name, _, _ in line.plays]
    assert [play["mills"] for play in plays] == [round(1000 * (x or 0)) for *_, x in line.plays]
    assert (plays[0]["said"], plays[0]["loss"]) == ("8/4 6/4", "")
    assert plays[0]["equity"] == f"{line.nacbrac.equity:+.3f}".replace("-0.", "\u2212.")
    assert len(book("31P")["rolls"]) == 21


ROLLED_OUT = """\
# Nactation book
# source: gnubg 2-ply

# sGfwATDgc/ABMA 31P
31P-42 [-170 P Z12] gnubg 0-ply rollout 36 trials, standard error 4
31P-41 [-333 S T56]

"""


def test_the_source_of_plays_that_are_rolled_out_is_their_rollout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rolled_out = parse_book(ROLLED_OUT, "book")
    for module in (openings, answers):
        monkeypatch.setattr(module, "shipped_book", lambda: rolled_out)
    sources = [book(text)["source"] for text in ("31P-42", "31P-41", "31P")]
    usual = "book: gnubg 2-ply"
    assert [book(text)["rolled_out"] for text in ("31P-42", "31P-41")] == [True, False]
    assert sources == ["book: gnubg 0-ply rollout 36 trials, standard error 4", usual, usual]


def test_plays_that_are_not_listed_lose_more() -> None:
    """As nacbracs do, a line lists what loses .100, at least two plays, and at most ten."""
    for text, listed, beyond in (("31P-42", 2, 151), ("54S-63", 7, 100)):
        view = book(text)
        assert (len(view["plays"]), view["beyond"]) == (listed, beyond)
    lines = map(shipped_book().at, *zip(*shipped_book().lines, strict=True))
    line = next(line for line in lines if line and len(line.plays) == MAX_LISTED)
    text = f"{line.sequence} {name_of_score(line.nacbrac.score)}".removesuffix(" money")
    assert book(text)["beyond"] == round(1000 * (line.plays[-1][2] or 0)) <= 100


def test_the_third_roll_is_for_money_after_the_best_replies() -> None:
    plays = book("31P-42")["plays"]
    assert [play.get("goes_on", False) for play in plays] == [play["mills"] <= 20 for play in plays]
    best = book("31P-42P-63")
    assert names(best["plays"])[0] == "S"
    assert [row["score"] for row in best["scores"]] == ["money"]
    at_score = book("31P-42P-63 dmp")
    assert at_score["plays"] == []
    assert [row["score"] for row in at_score["scores"]] == ["money"]  # the way back
    assert not book("31P-42Z").get("rolls")


def test_the_book_goes_on_after_a_hit() -> None:
    """After 54S-63X White has a checker on the bar and cannot enter with 66."""
    assert all(play["goes_on"] for play in book("54S-63")["plays"][:3])
    after = book("54S-63X")
    rolls = [row["roll"] for row in after["rolls"]]
    assert len(rolls) == 20
    assert "66" not in rolls
    assert [row["score"] for row in after["scores"]] == ["money"]


@pytest.mark.parametrize(
    ("text", "score", "letter"),
    [
        ("21", "money", ""),
        ("21 dmp", "dmp", "d"),
        ("21 d", "dmp", "d"),
        ("21 DMP", "dmp", "d"),  # as a phone's keyboard may write it
        ("21 -1-1", "dmp", "d"),
        ("21 2-1C", "gg", "g"),
        ("21 gs", "gs", "s"),
    ],
)
def test_a_score_after_the_sequence(text: str, score: str, letter: str) -> None:
    result = book(text)
    assert (result["text"], result["score"]) == ("21", score)
    assert score_of(parse_xgid(result["xgid"])) == letter
    line = shipped_book().at(STANDARD, Roll.parse("21"), letter)
    assert line
    assert names(result["plays"]) == [str(name) for name, _, _ in line.plays]


@pytest.mark.parametrize(("text", "word"), [("31P-42 -3-5", "-3-5"), ("jacoby", "jacoby")])
def test_a_score_that_the_book_does_not_have(text: str, word: str) -> None:
    error = ask("opening", text)["error"]
    assert error == {"message": f"the book has no score {word}, only money, dmp, gg and gs"}


def test_rolls_are_not_read_as_a_score() -> None:
    assert "score" not in str(ask("opening", "31Q 42")["error"])
    assert "error" not in ask("opening", "31P-42P 43-32")


def test_the_letters_that_differ_from_money_are_marked() -> None:
    """For money 21S loses nothing, and 21$ .002; at double match point it is the reverse."""
    rows = {row["score"]: row for row in book("21")["scores"]}
    assert names(rows["money"]["plays"])[0] == "S"
    assert names(rows["dmp"]["plays"])[0] == "$"
    assert [play.get("differs") for play in rows["dmp"]["plays"][:2]] == [True, None]
    assert not any("differs" in play for play in rows["gs"]["plays"])
    rolls = {row["roll"]: row["plays"][0].get("differs", False) for row in book("dmp")["rolls"]}
    assert rolls["21"]
    assert not rolls["31"]


def test_gammon_go_is_the_opponents_gammon_save() -> None:
    """21$ at gammon go leads to a position that the book has at gammon save, and not beyond."""
    words = [row["words"] for row in book("31P-42")["scores"]]
    assert words[2:] == ["Gammon go for Black", "Gammon save for Black"]
    assert book("21 gg")["plays"][0]["goes_on"]


@pytest.mark.parametrize("text", ["31Q", "4", "54S-63R-C-T", "31P-42P-63S-21"])
def test_other_texts_have_no_plays_in_the_book(text: str) -> None:
    view = ask("opening", text)
    assert not view["book"].get("plays")
    assert not view["book"].get("rolls")
    assert ("error" in view) == (text == "31Q")
