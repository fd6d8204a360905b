"""The picture of gnubg's window that the README shows.

    python -m tests.gnubg.screenshot

makes it again; look at it before it is committed.
"""

from __future__ import annotations

import tempfile
import time

from tests.gnubg.ingame import ROOT
from tests.gnubg.test_plugin import SAMPLES
from tests.gnubg.window import display_without_a_screen, gnubg_in_window, picture, short_folder

PICTURE = ROOT / "tests" / "golden" / "readme-gnubg.png"
PANELS = "set panels on\nset annotation on\nset message off\nset gamelist on"


def take() -> bytes:
    """The window with an annotated match, stepped to a blunder, the menu open."""
    sample = str(SAMPLES / "match-3pt-analysed.sgf")
    with (
        tempfile.TemporaryDirectory() as frames,
        display_without_a_screen("1120x860", frames) as display,
        short_folder() as home,
        gnubg_in_window(home, display, sample, rc=PANELS) as window,
    ):
        for command in (">import nactation_plugin", "first game", "next 2"):
            window.ask(command)
        window.menu("Nactation", "Annotate this match")
        window.wait_for_status("88 new comments")
        window.menu("Nactation", "Nacbrac of this roll")
        window.wait_for_status("gnubg 2-ply")
        window.click("Nactation", "Label")
        window.wait(lambda: window.find("Quiz me on the mistakes", "Label"))
        time.sleep(1)  # until all is drawn
        return picture(frames)


if __name__ == "__main__":
    PICTURE.write_bytes(take())
