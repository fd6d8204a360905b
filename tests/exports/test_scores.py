"""Tables of scores as text, CSV, JSON, a page and a picture."""

from __future__ import annotations

import csv
import io
import json
import re
from xml.etree import ElementTree

import html5lib
import pytest

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.scores import Place, ScoreTable
from gnubg_nactation.exports.scores import (
    labels,
    place_at,
    scores_csv,
    scores_json,
    scores_page,
    scores_svg,
    scores_text,
    summary,
)
from gnubg_nactation.nacbracs.nacbrac import at_score
from gnubg_nactation.values import replace
from tests.tasks.test_scores import Fixed, table_of

OPENING = GameState(roll=Roll(3, 1))
TRAILING, LEADING = "24/23 24/21", "24/20"  # what `Fixed` plays


@pytest.fixture(scope="module")
def table() -> ScoreTable:
    """At 3 away, 2 away; in it, a play is best if the player trails and another if not."""
    return table_of(at_score(OPENING, "-3-2"), Fixed(), plies=0, away=3)


def test_the_text_has_a_letter_for_each_score(table: ScoreTable) -> None:
    trailing, leading = (table.cells[place].choices[0] for place in (Place(3, 2), Place(2, 3)))
    assert (trailing.text, leading.text) == (TRAILING, LEADING)
    one, two = str(trailing.name), str(leading.name)
    lines = scores_text(table).splitlines()
    assert lines[0] == "Best play of 31 at each score, gnubg 0-ply"
    assert lines[1] == f"{one} at 5 scores, all when you trail; {two} elsewhere."
    assert lines[3:5] == [f"Money: {two} {LEADING}, by .009", f"DMP: {two} {LEADING}, by .001"]
    grid = [line.split() for line in lines[6:11]]
    first, other = f"{two}{one}", f"{one}{two}*"
    assert grid == [
        ["1C", "1", "2", "3"],
        ["1C", first, first],
        ["1", first, first, first],
        ["2", other, other, first, first],
        ["3", other, other, f"[{other}]", first],
    ]
    assert [line.split()[:2] for line in lines[-2:]] == [[two, LEADING], [one, "24/23"]]
    assert {len(line) for line in lines[6:11] if line.endswith("3")} == {len(lines[6])}


def test_a_clear_lead_has_one_letter() -> None:
    wide = table_of(OPENING, Fixed(), plies=0, away=15)
    rows = {line.split()[0]: line.split()[1:] for line in scores_text(wide).splitlines()[7:23]}
    assert rows["12"][-1] == str(wide.cells[Place(12, 15)].choices[0].name)
    assert rows["12"][0] == f"{wide.cells[Place(12, 3)].choices[0].name}*"


def test_shades_are_colours_of_a_terminal(table: ScoreTable) -> None:
    text = scores_text(table, shades=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", text).split() == scores_text(table).split()
    assert len(re.findall(r"\x1b\[38;5;16;48;5;\d+m", text)) == len(table.cells)
    assert "\x1b" not in scores_text(table)


def test_every_label_pair_has_its_place(table: ScoreTable) -> None:
    names = labels(table.cells)
    assert names == ["1C", "1", "2", "3"]
    found = [place for row in names for column in names if (place := place_at(row, column))]
    assert sorted(found) == sorted(table.cells)


def test_csv_has_a_row_for_each_score(table: ScoreTable) -> None:
    head, money, *rows = csv.reader(io.StringIO(scores_csv(table)))
    assert head[:6] == ["player_away", "opponent_away", "crawford", "best", "play", "lead"]
    assert money[0] == "money"
    assert len(rows) == len(table.cells) == 13
    (row,) = [row for row in rows if row[:3] == ["3", "1", "1"]]
    assert row[4:6] == [TRAILING, "0.003"]
    assert row[-1] == "1"  # not as for money


def test_json_has_what_the_contract_says(table: ScoreTable) -> None:
    value = json.loads(scores_json(table))
    assert {"cells", "money", "dmp"} <= value.keys()
    names = ["player_away", "opponent_away", "crawford", "best", "play", "lead"]
    for cell in value["cells"]:
        assert list(cell)[:6] == names
    (cell,) = [each for each in value["cells"] if [*each.values()][:3] == [3, 1, True]]
    assert (cell["play"], cell["lead"], cell["differs"]) == (TRAILING, 0.003, True)
    assert value["money"]["lead"] == 0.009
    assert value["score"] == "-3-2"
    assert sum(play["scores"] for play in value["plays"]) == 13


def test_the_page_marks_the_score_in_force(table: ScoreTable) -> None:
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(scores_page(table))
    cells = page.findall(".//table[@class='scores']//td")
    assert len(cells) == 16
    assert [cell.get("title") for cell in cells if "here" in (cell.get("class") or "")] == [
        f"3 away, 2 away: {table.cells[Place(3, 2)].choices[0].name} {TRAILING}, by .003"
    ]
    assert sum("void" in (cell.get("class") or "") for cell in cells) == 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_has_a_cell_for_each_score(table: ScoreTable, theme: str) -> None:
    root = ElementTree.fromstring(scores_svg(table, theme=theme))  # type: ignore[arg-type]
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    group = root.findall("{http://www.w3.org/2000/svg}g")[-1]
    boxes = group.findall("{http://www.w3.org/2000/svg}rect")
    assert len(boxes) == 13
    assert sum(box.get("stroke") is not None for box in boxes) == 1
    for box in boxes:
        assert float(box.get("x") or 0) + float(box.get("width") or 0) < 1200
        assert float(box.get("y") or 0) + float(box.get("height") or 0) < 630


def test_the_cube_in_words() -> None:
    """With 2 points to go it is right to double, against any number of points."""
    table = table_of(GameState(), Fixed(), plies=0, away=4)
    assert summary(table) == "Double, take at 4 scores; no double elsewhere."
    text = scores_text(table)
    assert "  D  double, take  best at 4 scores" in text
    assert "Money: no double, by .300" in text
    assert "DMP: no double is possible" in text
    cells = {
        (each["player_away"], each["opponent_away"], each["crawford"]): each
        for each in json.loads(scores_json(table))["cells"]
    }
    assert cells[2, 3, False]["actions"] == "double, take"
    assert (cells[2, 3, False]["lead"], cells[2, 3, False]["answer_lead"]) == (0.3, 0.4)
    assert cells[1, 3, True]["best"] is None


def test_an_owned_cube_is_redoubled() -> None:
    owned = replace(GameState(), cube=2, owner=Player.FIRST)
    table = table_of(owned, Fixed(), plies=0, away=4)
    assert "1C" not in labels(table.cells)
    assert summary(table).startswith("No redouble at every score")
    assert "  X  no redouble" in scores_text(table)
