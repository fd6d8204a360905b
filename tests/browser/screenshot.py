"""The pictures of the page and of the playground that the documentation shows.

    python -m tests.browser.screenshot

makes them anew; look at them before they are committed. The playground needs the built-in engine.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from gnubg_nactation.exports.page.html import format_html
from tests.browser.extended import offering, open_card
from tests.browser.reader import Reader, start
from tests.browser.visitor import Visitor, build, serving
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
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(build(Path(folder, "built")), Path(folder, "site")) as served,
    ):
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
        opening = take_view(visitor, "openings=54S-63", "#closeness", "the next play loses")
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


FORUM = """
<style>body { margin: 24px; font: 16px/1.5 sans-serif; max-width: 52em }
article { border: 1px solid #bbb; padding: 4px 16px; margin: 12px 0 } h4 { margin: 8px 0 }</style>
<h2>Which way to play 63?</h2>
<article><h4>Ann</h4><p>I lost a match today after 54S-63R-31P. Was the run right? The position
before it is XGID=-a----E-D-a-eD---c-eA---A-:0:0:-1:63:0:0:0:0:10, for money.</p></article>
<article><h4>Ben</h4><p>There is no better play. What about 54S-63R-31N? I like 8/5 6/5 more.</p>
</article>"""


def take_extension() -> tuple[bytes, bytes]:
    """A forum with its card, on a desk and on a phone."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder, "pages")
        pages.mkdir()
        with offering(Path(folder, "extension"), pages) as built:
            browser = start(Path(folder, "profile"), *built.flags)
            visitor = Visitor(Reader(browser, Path(folder)))
            visitor.media(prefers_color_scheme="light")
            pictures = []
            address = built.page(f'<meta name="viewport" content="width=device-width">{FORUM}')
            for size in (900, 880), PHONE:
                visitor.size(*size)
                visitor.visit(address)
                visitor.until("Number(document.documentElement.dataset.nactation) > 2")
                open_card(browser)
                visitor.until("document.activeElement.matches('nactation-card')")
                visitor.wait(700)
                shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
                pictures.append(base64.b64decode(shot["data"]))
            browser.quit()
    return pictures[0], pictures[1]


if __name__ == "__main__":
    wide, narrow = take_extension()
    (GOLDEN / "readme-extension.png").write_bytes(wide)
    (GOLDEN / "readme-extension-phone.png").write_bytes(narrow)
    (GOLDEN / "readme-page.png").write_bytes(take())
    equities, phone, opening, editor = take_playground()
    (GOLDEN / "readme-editor.png").write_bytes(editor)
    (GOLDEN / "readme-openings.png").write_bytes(opening)
    (GOLDEN / "readme-equities.png").write_bytes(equities)
    (GOLDEN / "readme-phone.png").write_bytes(phone)
