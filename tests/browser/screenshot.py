"""The pictures of the page and of the playground that the documentation shows.

    python -m tests.browser.screenshot

makes them anew; look at them before they are committed. The playground needs the built-in engine.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from gnubg_nactation.exports.page.html import format_html
from tests.browser.reader import Reader, start
from tests.browser.visitor import Visitor, serving
from tests.exports.pages import read

GOLDEN = Path(__file__).parents[1] / "golden"
SIZE, DESK, PHONE = (1100, 800), (1100, 1000), (390, 844)
EDITED = "XGID=-B-BBBC-B--A-----b-dc-cb--:1:1:1:64:2:3:0:7:10"  # a bear-off with contact gone


def take() -> bytes:
    """A blunder of the analysed sample, with the best plays beside the board."""
    with tempfile.TemporaryDirectory() as folder:
        browser = start(Path(folder, "profile"))
        reader = Reader(browser, Path(folder))
        reader.media(prefers_color_scheme="light")
        reader.open("#1.10b", SIZE, format_html(read("match-3pt-analysed.sgf")))
        reader.wait(700)  # until the table is scrolled
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        browser.quit()
    return base64.b64decode(picture["data"])


def take_playground() -> tuple[bytes, bytes, bytes, bytes]:
    """The equities of a roll, an analysed match on a phone, an opening, and a position to edit."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder, "site")) as served:
        browser = start(Path(folder, "profile"))
        visitor = Visitor(Reader(browser, Path(folder)))
        visitor.media(prefers_color_scheme="light")
        visitor.size(*DESK)
        visitor.visit(f"{served.address}#s=54S-63R-31")
        visitor.shows("#depth", "2-ply")
        equities = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        visitor.size(*PHONE)
        visitor.go("match=match-1pt.mat")
        visitor.shows("#analysis", "Analysed at 0-ply")
        visitor.wait(700)
        match = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        opening = take_view(visitor, "openings=54S-63", "#closeness", "within")
        editor = take_view(visitor, f"edit={EDITED}", "#depth", "2-ply")
        browser.quit()
    return base64.b64decode(equities["data"]), base64.b64decode(match["data"]), opening, editor


def take_view(visitor: Visitor, address: str, selector: str, text: str) -> bytes:
    """A view on a desk, as soon as an element has a text."""
    visitor.size(*DESK)
    visitor.go(address)
    visitor.shows(selector, text)
    visitor.wait(700)
    command = visitor.browser.execute_cdp_cmd
    picture: str = command("Page.captureScreenshot", {"format": "png"})["data"]
    return base64.b64decode(picture)


if __name__ == "__main__":
    (GOLDEN / "readme-page.png").write_bytes(take())
    equities, phone, opening, editor = take_playground()
    (GOLDEN / "readme-editor.png").write_bytes(editor)
    (GOLDEN / "readme-openings.png").write_bytes(opening)
    (GOLDEN / "readme-equities.png").write_bytes(equities)
    (GOLDEN / "readme-phone.png").write_bytes(phone)
