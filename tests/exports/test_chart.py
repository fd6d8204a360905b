"""Charts of replies as text, CSV, JSON and a page."""

from __future__ import annotations

import csv
import io
import json
import re

import html5lib
import pytest

from gnubg_nactation.archive.replies import Chart, chart_of_book, differences
from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.exports.chart import (
    chart_csv,
    chart_json,
    chart_page,
    chart_text,
    differences_csv,
    differences_json,
    differences_text,
    heading,
    plays_text,
)
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.nacbracs.book import parse_book
from gnubg_nactation.sequences.openings import openings
from gnubg_nactation.showing import PlaysStyle

BOOK = """
31P-42 [P Z20]
31P-66 [B C317]
43Z-11 [N=E]
43Z-55 [A J_118]
43Z-21 [X]
43Z-61 [P U152] s[P S9]
"""
PRACTICE = "31P-42 [Z P30]\n31P-66 [B C200]\n43Z-11 [E N10]\n"


def chart_of(text: str, name: str = "theory.txt", score: str = "") -> Chart:
    return chart_of_book(parse_book(text, name), openings(("31P", "43Z")), score)


@pytest.fixture(scope="module")
def chart() -> Chart:
    return chart_of(BOOK)


def _table(text: str) -> dict[tuple[str, str], str]:
    """Every cell of the text, in however many parts it is."""
    cells = {}
    for part in text.split("\n\n")[1:]:
        head, *rows = part.splitlines()
        places = [(roll[0], roll.start()) for roll in re.finditer(r"\d\d", head)]
        ends = [*(start for _, start in places[1:]), 1000]
        for row in rows:
            for (roll, start), end in zip(places, ends, strict=True):
                cells[row.split()[0], roll] = row[start:end].strip()
    return cells


@pytest.mark.parametrize("width", [20, 80, 200])
def test_the_table_has_every_cell_and_is_no_wider(chart: Chart, width: int) -> None:
    text = chart_text(chart, width)
    lines = text.splitlines()
    assert max(map(len, lines[1:])) <= width
    table = _table(text)
    assert len(table) == 2 * 21
    cells = {cell: text for cell, text in table.items() if text != "-"}
    assert cells == {
        ("31P", "42"): "P Z20",
        ("31P", "66"): "B C317",
        ("43Z", "11"): "N=E",
        ("43Z", "55"): "A J_118",
        ("43Z", "21"): "X",
        ("43Z", "61"): "P U152",
    }


def test_each_letter_has_its_play_if_there_is_room(chart: Chart) -> None:
    """The plays are those of the tutorial's letters on these boards."""
    lines = plays_text(chart, PlaysStyle(True, 80)).splitlines()
    assert lines == [
        "",
        "After 31P",
        "  66  B 24/18(2) 13/7(2)  C 24/18(2) 8/2(2)  -.317",
        "  42  P 8/4 6/4           Z 24/22 13/9       -.020",
        "",
        "After 43Z",
        "  61  P 13/7 8/7          U 24/23 24/18      -.152",
        "  55  A 8/3(2) 6/1*(2)    J_ 13/3 8/3 6/1*   -.118",
        "  21  X 24/23 6/4*",
        "  11  N 8/7(2) 6/5(2)     E 24/22 6/5(2)     -.000",
    ]
    assert plays_text(chart, PlaysStyle(True, 49)) == ""
    assert plays_text(chart, PlaysStyle(False)) == ""


def test_the_heading_names_source_and_score(chart: Chart) -> None:
    assert heading(chart) == "theory.txt, money"
    assert heading(chart_of(BOOK, "a\x1b[31mb", "s")) == "a\ufffd[31mb, gammon save"
    assert heading(chart._replace(score=None)) == "theory.txt, all scores"


def test_csv_has_a_row_for_each_play(chart: Chart) -> None:
    text = chart_csv(chart)
    assert text.count("\r\n") == text.count("\n") == 1 + 11
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    first = rows[0]
    assert (first["opening"], first["roll"], first["rank"]) == ("31P", "66", "1")
    assert (first["nactation"], first["play"], first["loss"]) == ("66B", "24/18(2) 13/7(2)", "0.0")
    assert float(rows[1]["loss"]) == pytest.approx(0.317)


def test_no_cell_is_a_formula(chart: Chart) -> None:
    dangerous = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "plain",
        'with "quotes"\nand, more',
    ]
    (row,) = csv.reader(io.StringIO(csv_text([dangerous]), newline=""))
    assert [cell[0] for cell in row] == ["'"] * 6 + ["p", "w"]
    assert [cell.removeprefix("'") for cell in row] == dangerous
    assert csv_text([[-1.5, None, 0]]) == "-1.5,,0\r\n"
    assert not re.search(r"(?m)(^|,)[=+@]", chart_csv(chart))


def test_json_has_a_line_for_each_cell_that_is_known(chart: Chart) -> None:
    rows = [json.loads(line) for line in chart_json(chart).splitlines()]
    assert [(row["opening"], row["roll"]) for row in rows] == [
        *(("31P", "66"), ("31P", "42"), ("43Z", "61"), ("43Z", "55"), ("43Z", "21"), ("43Z", "11"))
    ]
    assert rows[1]["plays"] == [
        {"nactation": "P", "play": "8/4 6/4", "loss": 0.0},
        {"nactation": "Z", "play": "24/22 13/9", "loss": 0.02},
    ]
    assert rows[1]["position_id"] == "sGfwATDgc/ABMA"


def test_differences_are_told_the_dearest_first(chart: Chart) -> None:
    practice = chart_of(PRACTICE, "practice")
    replies = list(differences(chart, practice))
    lines = differences_text(chart, practice, replies).splitlines()
    assert lines[:2] == [
        "theory.txt, money | practice, money",
        "1 of 3 replies in both charts differ",
    ]
    assert lines[2] == "31P-42  [P Z20]  8/4 6/4  [Z P30]  24/22 13/9  -.030"
    for style in (PlaysStyle(False), PlaysStyle(True, 50)):
        letters = differences_text(chart, practice, replies, style).splitlines()
        assert [*lines[:2], "31P-42  [P Z20]  [Z P30]  -.030"] == letters
    (row,) = csv.DictReader(io.StringIO(differences_csv(chart, practice, replies), newline=""))
    assert row["reply"] == "31P-42"
    assert float(row["cost"]) == pytest.approx(0.03)
    value = json.loads(differences_json(chart, practice, replies))
    assert [source["plays"][0]["nactation"] for source in value["sources"]] == ["P", "Z"]


def test_the_page_is_html_that_asks_for_nothing() -> None:
    page = chart_page(chart_of(BOOK, "<b>&theory"))
    root = html5lib.parse(page, namespaceHTMLElements=False)
    assert html5lib.HTMLParser(strict=True).parse(page) is not None
    assert root.findtext(".//h1") == "Replies by <b>&theory, money"
    rows = root.findall(".//tbody/tr")
    assert len(rows) == 2
    assert {len(row) for row in rows} == {1 + len(ROLLS)}
    texts = ["".join(cell.itertext()) for row in rows for cell in row]
    assert "P Z20" in texts
    assert "A J118" in texts  # the J is underlined
    assert not re.search(r"(?i)<script|\ssrc=|\shref=|url\(|@import", page)


def test_close_replies_and_clear_ones_have_a_colour(chart: Chart) -> None:
    root = html5lib.parse(chart_page(chart), namespaceHTMLElements=False)
    kinds = {"".join(cell.itertext()): cell.get("class") for cell in root.findall(".//td")}
    assert kinds["N=E"] == "near"
    assert kinds["B C317"] == "far"
    assert kinds["P Z20"] is None
