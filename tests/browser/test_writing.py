"""A whole match is written in the playground, by keys and by finger, in a tab that is closed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gnubg_nactation.backgammon.match import Move, replay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.live import keys_of
from tests.cli.running import SAMPLES, run

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import (
    DESKTOP,
    EVERYTHING,
    PHONE,
    Size,
    check_layout,
    enter,
    job,
    making_the_point,
    opened,
    saved,
    uses,
)
from tests.browser.visitor import KEEP_FILES, Manner, Served, Visitor, by_finger, by_mouse

SAMPLE = SAMPLES / "match-3pt.mat"


@uses(keys=DESKTOP)
def test_a_match_is_written(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """A match with its opening roll, a play on the board, a double and a play of the list."""
    enter(visitor, f"{playground.address}#alphabet", size)
    opened(visitor, manner, "Write")
    if not visitor.find("#begin").get_property("open"):
        manner(visitor, visitor.find("#begin summary"))
    for field, name in (("#first", "Ann"), ("#second", "Ben")):
        visitor.find(field).send_keys(EVERYTHING + name)
    visitor.use(manner, "#head button", "Start")
    visitor.shows("#doing", "Opening roll: type the die of Ann")
    for die in "13":
        visitor.use(manner, "#faces button", die)
    visitor.shows("#doing", "Ben to play 31")
    visitor.use(manner, "#actions button", "Ann starts")
    visitor.shows("#doing", "Ann to play 31")
    visitor.until("document.querySelectorAll('#board .free').length === 15")
    making_the_point(visitor, manner, "#movers")
    visitor.shows("#news", "Ann: 31P 8/5 6/5")
    for button, question in (
        ("#actions button:first-child", "Ann to answer the double"),
        ("#take-back", "Ben to roll"),
        ("#actions button:first-child", "Ann to answer the double"),
        ("#actions button:first-child", "Ben to roll"),
    ):
        visitor.use(manner, button)
        visitor.shows("#doing", question)
    for die in "64":
        visitor.use(manner, "#faces button", die)
    visitor.use(manner, "#possible button", "S24/18 13/9")
    visitor.shows("#sheet", "31P doubles takes 64S")
    for form in ("mat", "sgf"):
        visitor.use(manner, "#saves button", f"Save .{form}")
        sheet = b"Ann - Ben, 7 point match\n\n31P-D-T-64S\n"
        ours = run("transcribe", "--to", form, "-", stdin=sheet).out
        assert saved(visitor, f"Ann-Ben.{form}").decode() == ours
    check_layout(visitor, axe, "write")


# Count the answers of Python from now on.
COUNTS_ANSWERS = """
const { postMessage } = Worker.prototype;
window.answers = 0;
Worker.prototype.postMessage = function (...given) {
  this.addEventListener('message', ({ data }) => { answers += data.kind === 'answer'; });
  return postMessage.apply(this, given);
};
"""


def test_what_is_pressed_stays(visitor: Visitor, playground: Served) -> None:
    """An answer that comes while a button is held down does not move it away: its click counts."""
    begin(visitor, playground, DESKTOP)
    visitor.actions.click_and_hold(visitor.starting("#faces button", "1")).perform()
    visitor.run(COUNTS_ANSWERS)
    visitor.press("6")
    visitor.until("window.answers")
    visitor.wait()
    assert visitor.text("#doing") == "Opening roll: type the die of Alice"
    visitor.actions.release().perform()
    visitor.shows("#doing", "Alice to play 61")


# Whether the board, which stays in sight, leaves the dice in sight as well.
DICE = """(({ x, y, height }) => document.querySelector('#faces').contains(
  document.elementFromPoint(x + 5, y + height / 2)))(
  document.querySelector('#faces button').getBoundingClientRect())"""


def test_the_dice_are_in_sight_after_a_button_below_them(
    visitor: Visitor, playground: Served
) -> None:
    enter(visitor, f"{playground.address}#write", PHONE)
    visitor.use(by_finger, "#head button", "Start")
    visitor.shows("#doing", "Opening roll")
    visitor.until(DICE)
    visitor.use(by_finger, "#faces button", "3")
    visitor.use(by_finger, "#faces button", "1")
    visitor.use(by_finger, "#possible li:nth-child(9) button")
    visitor.shows("#doing", "to roll")
    visitor.until(DICE)


def test_a_match_is_typed(visitor: Visitor, axe: str, playground: Served) -> None:
    begin(visitor, playground, DESKTOP)
    keys = "".join(keys_of(read(SAMPLE)[0]))
    half = len(keys) // 2
    visitor.press(*keys[: half + 1], Keys.BACKSPACE, "é")
    visitor.shows("#refused", "'é' does nothing here")
    go_on_in_another_tab(visitor, playground, DESKTOP)
    visitor.press(*keys[half:])
    visitor.shows("#doing", "Alice has won the match")
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    save(visitor)


def test_a_match_is_tapped(visitor: Visitor, axe: str, playground: Served) -> None:
    begin(visitor, playground, PHONE)
    (match,) = read(SAMPLE)
    turns = [turn for game in match.games for turn in replay(match, game)]
    plays = iter([turn.play for turn in turns if isinstance(turn.action, Move)])
    steps = list(keys_of(match))
    quarter = len(steps) // 4
    for keys in steps[:quarter]:
        tap(visitor, keys, plays)
    assert visitor.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    go_on_in_another_tab(visitor, playground, PHONE)
    between = steps[quarter:-quarter]  # typed, as in the test above, for taps take long
    visitor.press(*"".join(between))
    for _ in filter(str.isdigit, [keys[0] for keys in between]):
        next(plays)
    for keys in steps[-quarter:]:
        tap(visitor, keys, plays)
    visitor.shows("#doing", "Alice has won the match")
    save(visitor)


@uses(keys=DESKTOP)
def test_a_turn_is_corrected_in_the_list(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """The list has each turn with its play; another play for a turn keeps the turns after it."""
    begin(visitor, playground, size)
    rows = ["31P8/5 6/5", "64S24/18 13/9", "52S24/22 13/8", "63S24/18 13/10", "41S22/21 13/9"]
    with job(visitor, manner, "write down five turns"):
        for key in "".join(row[:3] for row in rows):
            type_key(visitor, manner, key)
        visitor.shows("#record li:nth-last-child(2)", rows[-1])
    assert visitor.texts("#record li") == ["Game 1", *rows, "Bob to roll: type two dice"]
    visitor.use(manner, "#record button", "64")
    visitor.shows("#doing", "Bob to play 64")
    visitor.until("document.querySelector('#possible [aria-current]')?.textContent.startsWith('S')")
    arrows = "document.querySelector('#board .nbl-arrow')"
    assert visitor.run(f"return Boolean({arrows})")
    visitor.use(manner, "#possible button", "R24/14")
    visitor.shows("#record li:nth-child(3)", "64R24/14")
    assert visitor.texts("#record li")[3] == rows[2]
    visitor.shows("#sheet", "31P-64R-52S")
    visitor.use(manner, "#record button", "31")
    visitor.shows("#doing", "Alice to play 31")
    visitor.use(manner, "#possible button", "S24/23 13/10")
    visitor.shows("#record li:nth-child(2)", "31S24/23 13/10")
    check_layout(visitor, axe, "the list of turns")
    for way, question in (("#back", "Alice to play 41"), ("#back", "Bob"), ("#on", "Alice")):
        visitor.use(manner, way)
        visitor.shows("#doing", question)


def test_a_correction_that_leaves_turns_out_is_not_saved(
    visitor: Visitor, playground: Served
) -> None:
    """Until somebody agrees to it, the whole match is saved."""
    begin(visitor, playground, DESKTOP)
    visitor.press(*"31P63R42P52S61P")
    visitor.shows("#sheet", "31P-63R-42P-52S-61P")
    visitor.use(by_mouse, "#record button", "31")
    visitor.shows("#doing", "Alice to play 31")
    visitor.use(by_mouse, "#possible button", "$13/10 6/5")
    visitor.shows("#refused", "after this cannot be played any more")
    visitor.use(by_mouse, "#saves button", "Save sheet")
    assert b"31P-63R-42P-52S-61P" in saved(visitor, "Alice-Bob.txt")
    visitor.use(by_mouse, "#actions button", "Leave them out")
    visitor.shows("#sheet", "31$")


def test_another_tab_writes_more(visitor: Visitor, playground: Served) -> None:
    """The first one has all of it, and does not bring its own back."""
    begin(visitor, playground, DESKTOP)
    visitor.press(*"31P")
    visitor.shows("#sheet", "31P")
    browser = visitor.browser
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    enter(visitor, f"{playground.address}#write")
    visitor.shows("#doing", "Bob to roll")
    visitor.press(*"64S")
    visitor.shows("#sheet", "31P-64S")
    browser.close()
    browser.switch_to.window(first)
    visitor.shows("#sheet", "31P-64S")
    visitor.go("alphabet")
    visitor.go("write")
    visitor.shows("#sheet", "31P-64S")


def type_key(visitor: Visitor, manner: Manner, key: str) -> None:
    """Enter a key as somebody does: on the keyboard, or by the buttons for it."""
    if manner.name == "keys":
        visitor.press(key)
        visitor.effort += 1
    elif key.isdigit():
        visitor.until("!document.querySelector('#faces button').disabled")
        visitor.use(manner, "#faces button", key)
    else:
        visitor.use(manner, "#possible button", key)


def begin(visitor: Visitor, playground: Served, size: Size) -> None:
    enter(visitor, f"{playground.address}#write", size)
    for field, text in (("#first", "Alice"), ("#second", "Bob"), ("#points", "3")):
        visitor.run("arguments[0].value = ''", visitor.find(field))
        visitor.find(field).send_keys(text)
    visitor.starting("#head button", "Start").click()
    visitor.shows("#doing", "Opening roll: type the die of Alice")


def go_on_in_another_tab(visitor: Visitor, playground: Served, size: Size) -> None:
    """Close the tab in the middle of a turn, and open the page again."""
    sheet, doing = visitor.text("#sheet"), visitor.text("#doing")
    browser = visitor.browser
    browser.switch_to.new_window("tab")
    here = browser.current_window_handle
    for other in set(browser.window_handles) - {here}:
        browser.switch_to.window(other)
        browser.close()
    browser.switch_to.window(here)
    enter(visitor, f"{playground.address}#write", size)
    visitor.shows("#sheet", sheet)
    visitor.shows("#doing", doing)  # which Python says, and the page moves down


def tap(visitor: Visitor, keys: str, plays: Iterator[Play | None]) -> None:
    """Enter by finger what these keys type: a roll with its play, or an action."""
    if not keys[0].isdigit():
        for key in keys:
            touch(visitor, "actions", key.replace("!", "r"))
        return
    visitor.until("!document.querySelector('#faces button').disabled")
    for key in keys[:2]:
        touch(visitor, "faces", key)
    play = next(plays)
    if len(keys) > 2 and play:
        touch(visitor, "possible", format_play(play))


def touch(visitor: Visitor, box: str, text: str) -> None:
    """Touch a button, and wait until Python has answered: old buttons stay till then."""
    parts = "['#keys', '#sheet', '#doing'].map((one) => document.querySelector(one))"
    seen = f"JSON.stringify({parts}.map((one) => one.value ?? one.textContent))"
    before = visitor.run(f"return {seen}")
    by_finger(visitor, button(visitor, box, text))
    visitor.until(f"{seen} !== arguments[0]", before)


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
    visitor.run(KEEP_FILES)  # in a tab without the scripts of the first
    for form in ("mat", "sgf"):
        by_mouse(visitor, visitor.starting("#saves button", f"Save .{form}"))
        text = saved(visitor, f"Alice-Bob.{form}").decode()
        if form == "mat":
            ours = run("annotate", "--to", "mat", SAMPLE).out.splitlines(keepends=True)
            assert text == "".join(line for line in ours if line[:1] != ";")
    by_mouse(visitor, visitor.starting("#saves button", "Save sheet"))
    assert saved(visitor, "Alice-Bob.txt").startswith(b"Alice - Bob, 3 point match\n")
