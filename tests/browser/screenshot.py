"""The picture of the page that the documentation shows.

    python -m tests.browser.screenshot

makes it anew; look at it before it is committed.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from gnubg_nactation.exports.page.html import format_html
from tests.browser.reader import Reader, start
from tests.exports.pages import read

PICTURE = Path(__file__).parents[1] / "golden" / "readme-page.png"
SIZE = (1100, 800)


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


if __name__ == "__main__":
    PICTURE.write_bytes(take())
