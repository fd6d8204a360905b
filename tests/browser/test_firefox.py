"""The library of the playground in Firefox: import, the list, leaks and study."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.conftest import missing
from tests.cli.running import SAMPLES

if not os.environ.get("CI"):
    pytest.importorskip("marionette_driver", reason="marionette-driver is not installed")

from tests.browser.firefox import FIREFOX, firefox
from tests.browser.visitor import Served

FILES = [SAMPLES / "match-3pt.mat", SAMPLES / "match-3pt-analysed.sgf"]
LISTED = (
    "document.documentElement.dataset.shelf === 'open'"
    " && document.querySelectorAll('#kept-matches li').length === 2"
)


def test_the_library_in_firefox(served: Served, tmp_path: Path) -> None:
    """Matches come in and stay, names are chosen, leaks are shown, a mistake is asked again."""
    if not FIREFOX.exists():
        missing("Debian's firefox-esr")
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(profile) as visitor:
        visitor.visit(f"{served.address}#library")
        visitor.until("document.documentElement.dataset.shelf === 'open'")
        visitor.find("#file").send_keys("\n".join(map(str, FILES)))
        visitor.until(LISTED)
        visitor.visit(f"{served.address}#library")
        visitor.until(LISTED)
        for text in ("Who are you?", "Bob", "Done"):
            visitor.click("#whose button", text)
        visitor.shows("#whose", "You are Bob.")
        visitor.click("#within [href='#leaks']")
        visitor.shows("#leaks .boards li", "\u2212.207")  # the costliest in that file
        visitor.click("#leaks .primary")
        visitor.click("#study-guesses button")
        visitor.shows("#study-verdict", "In the match:")
