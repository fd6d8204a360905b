"""The chart of replies on paper and on screens."""

from __future__ import annotations

import base64
import json
import re

import pytest

pytest.importorskip("selenium")

from gnubg_nactation.archive.replies import Chart
from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.decisions.decision import Choice
from gnubg_nactation.exports.chart import chart_page
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.openings import Opening, openings
from tests.browser.reader import DESKTOP, PHONE, Reader


def page_of(firsts: tuple[Opening, ...]) -> str:
    """A chart whose cells are all as wide as any: two marked characters and a large loss."""
    names = parse_nactation("X"), parse_nactation("M_{3}")
    cell = tuple(
        Choice(firsts[0].play, name, loss=loss)
        for name, loss in zip(names, (0.0, 0.888), strict=True)
    )
    cells = {(opening.token, roll): cell for opening in firsts for roll in ROLLS}
    return chart_page(Chart("gnubg 2-ply", "-3-5", firsts, cells))


@pytest.fixture(scope="module")
def page() -> str:
    return page_of(openings())


def _printed(reader: Reader) -> bytes:
    printed = reader.browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    return base64.b64decode(printed["data"])


def _pages(pdf: bytes) -> list[bytes]:
    """The page objects of a PDF of Chromium's."""
    return re.findall(rb"/Type\s*/Page\b", pdf)


def test_it_is_one_page_of_paper(reader: Reader, page: str) -> None:
    reader.open(page=page)
    pdf = _printed(reader)
    (box,) = {
        tuple(map(float, numbers.split())) for numbers in re.findall(rb"/MediaBox\s*\[(.*?)\]", pdf)
    }
    # A4 across, in points.
    assert box[2:] == pytest.approx((297 / 25.4 * 72, 210 / 25.4 * 72), abs=1)
    assert len(_pages(pdf)) == 1
    reader.open(page=page.replace("</main>", "<p>more</p>" * 20 + "</main>"))
    assert len(_pages(_printed(reader))) == 2  # so pages are counted


def test_nothing_is_cut_off_on_paper(reader: Reader, page: str) -> None:
    reader.open(page=page, size=(1070, 741))  # what A4 has within the margins, 96 dots to an inch
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    cells = reader.run(
        "return [...document.querySelectorAll('td,th')].filter("
        "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
        ").map(one => one.textContent)"
    )
    assert not cells
    assert reader.run("return document.documentElement.scrollHeight") <= 741


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_accessible(reader: Reader, axe: str, scheme: str, size: tuple[int, int]) -> None:
    reader.media(prefers_color_scheme=scheme)
    reader.open(page=page_of(openings(("31P", "43Z"))), size=size)
    # The table scrolls within the page, which does not.
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]
    violations = reader.violations(axe)
    assert not violations, json.dumps(violations, indent=1)[:3000]
