"""A whole match is written in the playground, by keys and by finger, in a tab that is closed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gnubg_nactation.backgammon.match import Move, replay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.wasm import MODULE
from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.live import keys_of
from tests.cli.running import SAMPLES, run

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import Reader
from tests.browser.test_playground import SIZES, keep_saved_files, saved
from tests.browser.visitor import Served, Visitor, by_finger, serving

SAMPLE = SAMPLES / "match-3pt.mat"
PHONE, SCREEN = SIZES


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Without the engine, which has no part in writing."""
    with serving(tmp_path_factory.mktemp("site")) as served:
        served.broken.append(MODULE)
        yield served


def test_a_match_is_typed(reader: Reader, axe: str, served: Served) -> None:
    visitor = Visitor(reader)
    begin(visitor, served, SCREEN)
    keys = "".join(keys_of(read(SAMPLE)[0]))
    half = len(keys) // 2
    visitor.press(*keys[: half + 1], Keys.BACKSPACE, "é")
    visitor.shows("#refused", "'é' does nothing here")
    go_on_in_another_tab(visitor, served, SCREEN)
    visitor.press(*keys[half:])
    visitor.shows("#doing", "Alice has won the match")
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    save(visitor)


def test_a_match_is_tapped(reader: Reader, axe: str, served: Served) -> None:
    visitor = Visitor(reader)
    begin(visitor, served, PHONE)
    (match,) = read(SAMPLE)
    turns = [turn for game in match.games for turn in replay(match, game)]
    plays = iter([turn.play for turn in turns if isinstance(turn.action, Move)])
    steps = list(keys_of(match))
    half = len(steps) // 2
    for keys in steps[:half]:
        tap(visitor, keys, plays)
    assert visitor.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    go_on_in_another_tab(visitor, served, PHONE)
    for keys in steps[half:]:
        tap(visitor, keys, plays)
    visitor.shows("#doing", "Alice has won the match")
    save(visitor)


def begin(visitor: Visitor, served: Served, size: tuple[int, int]) -> None:
    visitor.size(*size)
    visitor.media(prefers_reduced_motion="reduce")
    visitor.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
    visitor.visit(served.address)
    visitor.run("localStorage.clear()")
    visitor.visit(f"{served.address}#write")
    visitor.python("ready")
    for field, text in (("#first", "Alice"), ("#second", "Bob"), ("#points", "3")):
        visitor.run("arguments[0].value = ''", visitor.find(field))
        visitor.find(field).send_keys(text)
    visitor.starting("#head button", "Start").click()
    visitor.shows("#doing", "Opening roll: type the die of Alice")


def go_on_in_another_tab(visitor: Visitor, served: Served, size: tuple[int, int]) -> None:
    """Close the tab in the middle of a turn, and open the page again."""
    sheet = visitor.text("#sheet")
    browser = visitor.browser
    browser.switch_to.new_window("tab")
    here = browser.current_window_handle
    for other in set(browser.window_handles) - {here}:
        browser.switch_to.window(other)
        browser.close()
    browser.switch_to.window(here)
    visitor.size(*size)
    visitor.visit(f"{served.address}#write")
    visitor.python("ready")
    visitor.shows("#sheet", sheet)


def tap(visitor: Visitor, keys: str, plays: Iterator[Play | None]) -> None:
    """Enter by finger what these keys type: a roll with its play, or an action."""
    if not keys[0].isdigit():
        for key in keys:
            by_finger(visitor, button(visitor, "actions", key.replace("!", "r")))
        return
    visitor.until("!document.querySelector('#faces button').disabled")
    for die in keys[:2]:
        by_finger(visitor, button(visitor, "faces", die))
    play = next(plays)
    if len(keys) > 2 and play:
        by_finger(visitor, button(visitor, "possible", format_play(play)))


def button(visitor: Visitor, box: str, text: str) -> object:
    """The button in a box that has this text, or a part with it."""
    return visitor.until(
        "[...document.querySelectorAll(`#${arguments[0]} button`)].find((one) =>"
        " [one, ...one.children].some((part) => part.textContent === arguments[1]))",
        box,
        text,
    )


def save(visitor: Visitor) -> None:
    """The files that are saved are those of the sample, without the tags that are not typed."""
    keep_saved_files(visitor)
    for form in ("mat", "sgf"):
        visitor.starting("#saves button", f"Save .{form}").click()
        text = saved(visitor, f"Alice-Bob.{form}").decode()
        if form == "mat":
            ours = run("annotate", "--to", "mat", SAMPLE).out.splitlines(keepends=True)
            assert text == "".join(line for line in ours if line[:1] != ";")
    visitor.starting("#saves button", "Save sheet").click()
    assert saved(visitor, "Alice-Bob.txt").startswith(b"Alice - Bob, 3 point match\n")
