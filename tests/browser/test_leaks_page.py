"""The page of leaks in a real browser: on a phone, on a desktop and on paper."""

from __future__ import annotations

import json
import os
from contextlib import closing

import pytest

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.leaks import OpeningLeak, OpeningLeaks, find_leaks
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.exports.leaks import leaks_page
from gnubg_nactation.nacbracs.book import Line, shipped_book
from gnubg_nactation.sequences.decode import decode
from tests.archive.by_hand import fill
from tests.cli.test_leaks import NASTY, RECORDS

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from tests.browser.reader import Reader


def _in_the_book() -> Line:
    line = shipped_book().at(decode("31P").state.position, Roll.parse("42"))
    assert line
    return line


OPENINGS = OpeningLeaks(
    source="gnubg 2-ply",
    score="",
    plays=5,
    wrong=3,
    lost=0.453,
    leaks=(OpeningLeak(_in_the_book(), "Z", "24/22 13/9", times=3, faced=5, loss=0.151),),
)


@pytest.fixture(scope="module")
def page() -> str:
    """Leaks of every kind, with a name to fear."""
    records = [record._replace(players=(NASTY, "Ben")) for record in RECORDS[:2]]
    records.append(RECORDS[2]._replace(players=("Ben", NASTY)))
    with closing(fill(records)) as connection:
        leaks = find_leaks(connection, Filters(player=NASTY, min_count=1))
    return leaks_page(leaks, NASTY, OPENINGS)


@pytest.mark.parametrize(("size", "scheme"), [((390, 844), "light"), ((1280, 800), "dark")])
def test_a_page_of_leaks(
    reader: Reader, axe: str, page: str, size: tuple[int, int], scheme: str
) -> None:
    reader.media(prefers_color_scheme=scheme)
    reader.open(size=size, page=page)
    assert reader.run("return document.title").startswith("Leaks of </title><script>")
    assert [head.text for head in reader.all("h2")] == [
        "The costliest decisions",
        "Themes",
        "Phases of the game",
        "The same play of the same roll",
        "Families of plays",
        "The cube by score",
        "Openings by the book (gnubg 2-ply, money): 3 of 5 plays not the best, -.453 in all",
    ]
    names = [head.text.partition(" (")[0] for head in reader.all("h2")]
    assert [link.text for link in reader.all("nav a")] == names
    for link, head in zip(reader.all("nav a"), reader.all("h2"), strict=True):
        assert link.get_attribute("href").endswith(f"#{head.get_attribute('id')}")
    assert reader.box(reader.find("nav"))[1] < reader.box(reader.find("h2"))[1]
    assert len(reader.all(".leaks svg")) == 9
    assert len(reader.all(".leaks .nbl-arrow")) == 6  # none of the cube
    assert len(reader.all(".leaks .made")) == 6
    opening = reader.all(".leaks > li")[-1].text
    assert "31P-42Z where P is best" in opening
    assert "3 of 5" in opening
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]
    assert not reader.violations(axe), json.dumps(reader.violations(axe), indent=1)[:3000]


def test_leaks_on_paper(reader: Reader, page: str) -> None:
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    reader.open(size=(794, 1123), page=page)  # A4
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert len(reader.run(style, ".leaks", "gridTemplateColumns").split()) == 2
    assert reader.run(style, ".leaks > li", "breakInside") == "avoid"
    assert reader.run(style, "body", "color") == "rgb(29, 33, 38)"
