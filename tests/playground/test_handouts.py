"""The openings on paper and in Anki, without a browser."""

from __future__ import annotations

import csv
import io
import re

from gnubg_nactation.tasks.site import _policy
from tests.cli.running import output_of
from tests.playground.test_answers import ask


def test_the_chart_is_that_of_the_command() -> None:
    page = ask("opening_chart", "dmp")
    assert page == output_of("replies", "--engine", "book", "--score", "dmp", "--to", "html")
    assert page.count('<th scope="row">') == 30
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    hashes = re.findall(r"sha256-[\w+/=]+", policy)
    assert hashes
    assert all(each in _policy() for each in hashes)  # or its frame would have no style


def rows_of(token: str, score: str) -> list[list[str]]:
    deck = ask("opening_cards", token, score)
    head = deck["head"].splitlines()
    assert all(line.startswith("#") for line in head)
    assert {"#guid column:1", "#tags column:4", "#deck column:5"} <= set(head)
    return list(csv.reader(io.StringIO(deck["rows"])))


def test_cards_have_a_front_a_back_and_an_identity() -> None:
    rows = rows_of("31P", "money")
    assert len(rows) == len({row[0] for row in rows}) == 21
    [(_, front, back, tag, deck)] = [row for row in rows if "31P-42:" in row[1]]
    assert "<svg" in front
    assert "8/4 6/4" in back
    assert "8/4 6/4" not in front
    assert (tag, deck) == ("replies", "Nactation::Replies")


def test_a_card_keeps_its_identity_at_each_score() -> None:
    money, again, dmp = ({row[0] for row in rows_of("31P", s)} for s in ("money", "money", "dmp"))
    assert money == again
    assert not money & dmp


def test_first_rolls_have_all_scores() -> None:
    rows = rows_of("", "money")
    assert len(rows) == 15
    assert all("double match point" in row[2] for row in rows)
