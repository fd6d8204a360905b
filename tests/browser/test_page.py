"""The page in a real browser, used by mouse, keyboard and finger."""

from __future__ import annotations

import json
import os
import statistics
from dataclasses import replace
from typing import Any

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.ids import parse_position_id, parse_xgid
from gnubg_nactation.backgammon.match import Double
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import blunders, points_lost, totals
from gnubg_nactation.exports.board import BOARDS
from gnubg_nactation.exports.contents_page import contents_page, read_entries
from gnubg_nactation.exports.page.document import plain_board
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.prose import format_prose
from gnubg_nactation.files import sgf
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.prose.finder import read_prose
from tests.exports.pages import ANALYSED, NASTY, anchored, read

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import DESKTOP, PHONE, Reader
from tests.browser.visitor import Visitor


def test_it_loads_at_the_first_turn(reader: Reader) -> None:
    reader.open()
    assert reader.anchor == "#1.1b"
    assert reader.find("#what").text == "13/7 8/7"
    assert reader.find("#character").text == "P"
    assert len(reader.all("#board g > circle:not([class])")) == 30
    arrows = reader.find("#board .nbl-arrow").get_attribute("d")
    assert arrows.count("Q") == 2
    assert [game.is_displayed() for game in reader.all(".game")] == [True, False, False, False]
    assert reader.run("return performance.getEntriesByType('resource').length") == 0


def test_the_script_draws_what_python_draws(reader: Reader) -> None:
    """Compare the shapes and texts of the script with board_svg's, at every turn of two games."""
    boards = [
        (anchor, plain_board(turn.state, turn.play, view=Player.FIRST, players=("Alice", "Bob")))
        for anchor, turn in anchored(read("match-7pt.mat"))
        # The page shows an offered cube in front of the opponent.
        if anchor[0] in "23" and turn.state and not isinstance(turn.action, Double)
    ]
    reader.open()
    shapes = reader.browser.execute_async_script(SHAPES, boards)
    for (anchor, _), (script, python) in zip(boards, shapes, strict=True):
        assert alike(script, python), anchor


def alike(script: list[Any], python: list[Any]) -> bool:
    """Whether both draw the same shapes in the same places, except for rounding."""
    pairs = zip(sorted(script), sorted(python), strict=True)
    return all(
        ours[:3] == theirs[:3] and ours[3] == pytest.approx(theirs[3], abs=1)
        for ours, theirs in pairs
    )


# Collects every circle, rectangle, path and text (except point numbers) of each board, as the page
# shows it at an anchor, and of the drawing given with the anchor.
SHAPES = r"""
    const [boards, resolve] = arguments;
    const classOf = (part) => part.getAttribute('class') || '';
    const kinds = (shape) => classOf(shape) || classOf(shape.parentNode);
    const shapes = (svg) => [...svg.querySelectorAll('circle, rect, path, text')].map((shape) => {
      const at = ['x', 'y', 'cx', 'cy', 'r', 'd'].map((name) => shape.getAttribute(name) || '');
      const numbers = at.join(' ').match(/-?[0-9]+/g) || [];
      const text = shape.tagName === 'text' ? shape.textContent : '';
      const words = text.replace(/[\u2068\u2069]/g, '');
      return [shape.tagName, kinds(shape), words, numbers.map(Number)];
    }).filter(([, kind]) => !kind.includes('number'));
    const pairs = [];
    const next = () => {
      const [anchor, drawing] = boards[pairs.length];
      location.hash = anchor;
      setTimeout(() => {
        const theirs = new DOMParser().parseFromString(drawing, 'image/svg+xml');
        pairs.push([shapes(document.querySelector('#board svg')), shapes(theirs.documentElement)]);
        if (pairs.length < boards.length) next(); else resolve(pairs);
      });
    };
    next();
"""


# A browser of 2023: Safari before 17.5, Chrome before 123 and, of the popovers, 114.
OLD = """
    delete HTMLElement.prototype.showPopover;
    delete HTMLElement.prototype.hidePopover;
    const { matches } = Element.prototype;
    Element.prototype.matches = function (selector) {
      if (selector.includes(':popover-open')) throw new SyntaxError(selector);
      return matches.call(this, selector);
    };
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_without_light_dark_and_popovers(reader: Reader, scheme: str) -> None:
    reader.media(prefers_color_scheme=scheme)
    fills = """
        const fill = (selector) => getComputedStyle(document.querySelector(selector)).fill;
        return ['.nbl-field', '.nbl-pale', '.nbl-frame', '.nbl-first', '.nbl-second'].map(fill)
          .concat(getComputedStyle(document.body).backgroundColor);
    """
    reader.open()
    colours = reader.run(fills)
    assert len(set(colours)) == len(colours)  # not all black
    bypass = reader.browser.execute_cdp_cmd
    added = bypass("Page.addScriptToEvaluateOnNewDocument", {"source": OLD})
    bypass("Page.setBypassCSP", {"enabled": True})  # the hash of the style has changed
    try:
        page = format_html(read("match-7pt.mat")).replace("light-dark(", "not-known-yet(")
        reader.open(page=page)
        assert reader.run(fills) == colours
        reader.press(Keys.ARROW_RIGHT)
        reader.find("#character").click()
        assert "split" in reader.explanation
        reader.press(Keys.ESCAPE)
        assert not reader.find("#explanation").is_displayed()
        text = "54S-63R"
        post = format_prose(text, read_prose(text), "post").replace("light-dark(", "not-known-yet(")
        reader.open(page=post)
        ground = "getComputedStyle(document.querySelector('button')).backgroundColor"
        assert reader.run(f"return {ground}") != "rgba(0, 0, 0, 0)"
    finally:
        bypass("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})
        bypass("Page.setBypassCSP", {"enabled": False})


def test_steps_by_buttons(reader: Reader) -> None:
    reader.open()
    reached = []
    for step in ("next", "next", "previous", "last", "next", "first"):
        reader.find(f"[data-step={step}]").click()
        reached.append(reader.anchor)
    assert reached == ["#1.2a", "#1.2b", "#1.2a", "#1.7b", "#2.1a", "#2.1a"]
    assert not reader.find("[data-step=first]").is_enabled()
    assert reader.find(".game.current h2").text.startswith("Game 2")


def test_steps_by_keys(reader: Reader) -> None:
    reader.open()
    reader.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert reader.anchor == "#1.2a"
    reader.find(".cell.now a").send_keys(Keys.ARROW_DOWN)
    assert reader.anchor == "#1.3a"
    reader.press(Keys.END)
    assert reader.anchor == "#1.7b"
    reader.press(Keys.HOME, Keys.ARROW_UP)
    assert reader.anchor == "#1.1b"
    assert reader.run("return document.activeElement.closest('.cell.now') !== null")


def test_steps_by_clicks(reader: Reader) -> None:
    reader.open()
    reader.all(".game.current .cell")[4].click()
    assert reader.anchor == "#1.3b"
    reader.find('#games a[href="#g3"]').click()
    assert reader.anchor == "#3.1a"
    assert len(reader.all(".cell.now")) == 1


def test_a_link_leads_to_its_turn(reader: Reader) -> None:
    reader.open("#2.7a")
    assert reader.find("#who").text == "\u2068Alice\u2069 to play 32"
    assert reader.find("#what").text == "8/5 7/5"
    assert reader.find("#place").text == "Move 2.7a of 16"
    assert reader.run("return scrollY") == 0
    assert reader.find("#says").get_attribute("textContent") == (
        "Move 2.7a of 16. \u2068Alice\u2069 rolls 3 and 2: J, jump, member 1 of 5; 8/5 7/5."
    )
    standing = str(reader.find("#standing").get_attribute("textContent"))
    assert "2 checkers on the 14 point" in standing
    assert standing.endswith("The cube is in the middle.")
    reader.go("#4.2a")
    assert reader.find("#place").text.startswith("Move 4.2a of ")


def test_links_that_count_turns_lead_there_as_they_did(reader: Reader) -> None:
    """Turn 13 of game 2 is Alice's move 7; turn 20 of the analysed match Alice's move 11."""
    reader.open("#g2t13")
    assert reader.find("#place").text == "Move 2.7a of 16"
    assert reader.find("#what").text == "8/5 7/5"
    reader.find("[data-step=next]").click()
    assert reader.anchor == "#2.7b"
    reader.open("#g1t20c", page=format_html(read("match-3pt-analysed.sgf")))
    assert reader.find("#who").text == "\u2068Alice\u2069 to roll: double?"


@pytest.mark.parametrize("anchor", ["#g9t9", "#", "#%E0%A4%A", "#constructor", "#<b>"])
def test_a_link_to_nowhere_is_the_beginning(reader: Reader, anchor: str) -> None:
    reader.open(anchor)
    assert reader.anchor == "#1.1b"


def test_a_character_is_explained_under_the_pointer(reader: Reader) -> None:
    reader.open("#2.7a")
    assert not reader.find("#explanation").is_displayed()
    reader.hover(reader.find(".cell.now .n"))
    assert family("J").meaning in reader.explanation
    assert "Member 1 of 5, ahead of j 9/6 7/5 \u2013 more points" in reader.explanation
    assert "lift style" in reader.explanation
    reader.hover(reader.find("h1"))
    assert not reader.find("#explanation").is_displayed()


def test_a_character_is_explained_by_keys(reader: Reader) -> None:
    reader.open("#2.7a")
    reader.find(".cell.now a").send_keys(Keys.TAB)
    character = reader.browser.switch_to.active_element
    assert character.text == "J"
    assert character.get_attribute("aria-describedby") == "explanation"
    assert reader.explanation.startswith("J\njump areal letter")
    reader.press(Keys.ARROW_RIGHT)
    assert reader.anchor == "#2.7b"
    assert "outer" in reader.explanation
    reader.press(Keys.ESCAPE)
    assert not reader.find("#explanation").is_displayed()
    reader.find("#character").send_keys(Keys.ENTER)
    assert "outer" in reader.explanation


def test_the_letter_of_a_blunder_is_compared_with_another(reader: Reader) -> None:
    reader.media(prefers_reduced_motion="reduce")  # the list of moves does not glide
    reader.open("#1.8b", page=format_html(read("match-3pt-analysed.sgf")))
    reader.hover(reader.find(".cell.now .n"))
    assert "Why not S? 10/8 starts in the outer board: S comes down from" in reader.explanation
    assert "S is bar/20 13/11." in reader.explanation


def test_a_character_is_explained_by_a_tap(reader: Reader) -> None:
    reader.open("#2.7a", PHONE)
    reader.find("#character").click()
    assert "jump" in reader.explanation
    box = reader.run("return document.querySelector('#explanation').getBoundingClientRect()")
    assert box["left"] >= 0
    assert box["right"] <= PHONE[0]
    reader.find("#place").click()
    assert not reader.find("#explanation").is_displayed()


def test_copies(reader: Reader) -> None:
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    reader.browser.execute_cdp_cmd("Browser.grantPermissions", grant)
    reader.open("#2.7a")
    state = read("match-7pt.mat")[0].games[1].turns[12].state
    assert state is not None
    copied = []
    reader.open_menus()
    for button in ("xgid", "id", "sequence"):
        reader.find(f"[data-copy={button}]").click()
        paste = "navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))"
        copied.append(reader.browser.execute_async_script(paste))
        assert reader.find("#copied").text == "Copied"
    assert parse_xgid(copied[0]) == state
    assert parse_position_id(copied[1]) == state.position
    assert copied[2] == "51S-55P-21S-32Z-52K-55@-55U_-51P-61&-41D-44B{3}-11F_-32J"


def test_light_and_dark(reader: Reader) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    reader.media(prefers_color_scheme="light")
    reader.open()
    light = reader.run(ground)
    assert reader.felt == BOARDS["green"]["field"]
    reader.media(prefers_color_scheme="dark")
    dark = reader.run(ground)
    assert light != dark
    assert reader.felt == BOARDS["night"]["field"]
    assert reader.find("#theme").get_attribute("aria-pressed") == "true"
    reader.open_menus()
    reader.find("#theme").click()
    assert reader.run(ground) == light
    assert reader.felt == BOARDS["green"]["field"]
    reader.open()
    assert reader.run(ground) == light  # remembered


@pytest.mark.parametrize("name", ["Ann", *NASTY], ids=lambda name: ascii(name)[:20])
def test_a_narrow_screen_needs_no_scrolling_sideways(reader: Reader, name: str) -> None:
    (annotated,) = read("match-1pt.mat")
    match = replace(annotated.match, players=(name, name))
    reader.open("#1.5b", PHONE, format_html([replace(annotated, match=match)]))
    assert reader.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert "caught" not in reader.browser.title.partition("'")[0]
    assert reader.find("#what").is_displayed()
    assert reader.find("[data-step=next]").is_displayed()


def test_names_are_only_shown(reader: Reader) -> None:
    (annotated,) = read("match-1pt.mat")
    for name in NASTY:
        match = replace(annotated.match, players=(name, name))
        reader.open(page=format_html([replace(annotated, match=match)]))
        assert reader.run("return document.title") != "caught"
        assert reader.run("return document.querySelectorAll('body script').length") == 2


def test_a_step_changes_no_more_than_it_must(reader: Reader) -> None:
    script = """
        const observer = new MutationObserver(() => {});
        observer.observe(document.documentElement, {
          subtree: true, childList: true, attributes: true, characterData: true,
        });
        const changes = [];
        for (let at = 0; at < 60; at += 1) {
          document.querySelector('[data-step=next]').click();
          changes.push(observer.takeRecords().length);
        }
        return changes;
    """
    reader.open("#1.1b")
    changes = reader.run(script)
    assert reader.anchor == "#3.8b"
    assert 0 < max(changes) < 100  # a board has thirty checkers
    # Steps do not become slower.
    assert statistics.median(changes[30:]) <= 2 * statistics.median(changes[:30])


def test_errors_and_equities(reader: Reader) -> None:
    reader.open("#1.1a", page=format_html([annotate(sgf.read_all(ANALYSED)[0].match)]))
    assert reader.find("#what").text == "13/10 6/5 loses .150, a blunder"
    assert reader.find(".cell.now .error").text == "?? -.150"
    reader.find("#character").click()
    assert "The analysis prefers P 8/5 6/5." in reader.explanation
    left, _, width, _ = reader.box(reader.find("#stage"))
    assert reader.box(reader.find("#explanation"))[0] >= left + width  # the board is in sight
    plot = reader.find("#plot svg")
    reader.actions.move_to_element_with_offset(plot, 150, 0).click().perform()
    assert reader.anchor == "#1.1b"
    assert len(reader.all("#plot .error")) == 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_an_analysed_match_opens_with_its_summary(
    reader: Reader, axe: str, size: tuple[int, int]
) -> None:
    """Figures, the equity of all games, and the costliest decisions, which lead to the board."""
    (annotated,) = read("match-3pt-analysed.sgf")
    reader.open(page=format_html([annotated]), size=size)
    figures = [figure.text.split("\n") for figure in reader.all("#summary .figures p")]
    rated = totals(annotated)
    assert figures[0] == ["2\u20130", "Alice \u2013 Bob"]
    assert [value for value, name in figures if name.startswith("PR")] == [
        f"{player.performance_rating:.1f}" for player in rated
    ]
    assert not reader.find("#stage").is_displayed()
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]
    assert [issue["id"] for issue in reader.violations(axe)] == []
    boards = reader.all("#summary .boards a")
    losses = [board.find_element("css selector", ".trouble").text for board in boards]
    worst = sorted((error.error or 0 for error in blunders(annotated)), reverse=True)[:5]
    assert losses == [f"\u2212{points_lost(error)[1:]}" for error in worst]
    boards[0].click()
    assert reader.anchor == "#1.10b"
    assert reader.find("#board svg").is_displayed()
    assert not reader.find("#summary").is_displayed()
    assert len(reader.all("#plot .now")) == 1
    reader.press(Keys.ARROW_RIGHT)
    assert len(reader.all("#plot .now")) == 1
    reader.run("history.back()")
    reader.wait()
    assert reader.find("#summary").is_displayed()
    reader.press(Keys.ARROW_RIGHT)
    assert reader.find("#stage").is_displayed()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_account_leads_to_blunders(reader: Reader, size: tuple[int, int]) -> None:
    reader.media(prefers_reduced_motion="reduce")
    (annotated,) = read("match-3pt-analysed.sgf")
    reader.open(page=format_html([annotated]), size=size)
    reader.find('#games a[href="#errors"]').click()
    heading = reader.find(".account h2")
    top_of = "return arguments[0].getBoundingClientRect().top"
    reader.wait()
    assert 0 <= reader.run(top_of, heading) < size[1]
    first, second = reader.all(".account li a")[:2]
    reader.run("arguments[0].scrollIntoView({block: 'end'})", second)
    reader.wait()
    top = reader.run(top_of, first)
    first.click()
    assert reader.anchor == "#1.10b"
    assert "loses .207, a blunder" in reader.find("#what").text
    assert reader.find("#board svg").is_displayed()
    second.click()
    assert reader.anchor == "#1.6a"
    assert reader.run(top_of, first) == pytest.approx(top, abs=1)  # the list keeps its place
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]


def test_print_shows_all_games_and_no_buttons(reader: Reader) -> None:
    reader.open("#2.7a")
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert all(game.is_displayed() for game in reader.all(".game"))
    assert not any(part.is_displayed() for part in reader.all("#viewer button, #theme, #games a"))


def test_a_browser_that_cannot_unpack_shows_the_tables(reader: Reader) -> None:
    with Visitor(reader).before_each_page("delete window.DecompressionStream"):
        reader.open("#2.7a")
        assert reader.find("main > .trouble").text.startswith("This browser is too old")
        assert all(game.is_displayed() for game in reader.all(".game"))
        assert not reader.find("#steps").is_displayed()
        assert reader.find("[id='2.7a']").text == "32"


def test_without_the_script_everything_is_readable(reader: Reader) -> None:
    reader.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        reader.open("#2.7a")
        games = [game.is_displayed() for game in reader.all(".game")]
        buttons = [button.is_displayed() for button in reader.all("#viewer button, #theme")]
    finally:
        reader.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert games == [True] * 4
    assert not any(buttons)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_accessible(reader: Reader, axe: str, scheme: str, size: tuple[int, int]) -> None:
    reader.media(prefers_color_scheme=scheme)
    page = format_html([*read("match-7pt.mat"), annotate(sgf.read_all(ANALYSED)[0].match)])
    for anchor in ("#2.12b", "#m2.1.1a"):
        reader.open(anchor, size, page)
        reader.find("#character").click()
        violations = reader.violations(axe)
        assert not violations, json.dumps(violations, indent=1)[:3000]
    contents = contents_page([("match.html", read_entries(page.encode()))])
    reader.open(size=size, page=contents)
    assert not reader.violations(axe)
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]


def test_a_post_has_its_boards_on_tap(reader: Reader, axe: str) -> None:
    text = "After 54S-63R-31 I like **31H**.\n\nHe wrote 54S-63K."
    for scheme, size in (("light", DESKTOP), ("dark", PHONE)):
        reader.media(prefers_color_scheme=scheme)
        reader.open(size=size, page=format_prose(text, read_prose(text), "post"))
        second, third = reader.all("button")[1:3]
        boards = reader.all("[popover]")
        assert not any(board.is_displayed() for board in boards)
        second.click()
        assert [board.is_displayed() for board in boards] == [at == 1 for at in range(len(boards))]
        assert "63R: 24/15" in boards[1].text
        assert boards[1].find_element("css selector", "svg").size["width"] > 200
        violations = reader.violations(axe)
        assert not violations, json.dumps(violations, indent=1)[:3000]
        reader.press(Keys.ESCAPE)
        assert not boards[1].is_displayed()
        reader.run("arguments[0].focus()", third)
        reader.press(Keys.ENTER)
        assert boards[2].is_displayed()
        assert reader.find("main").text.startswith("After 54S-63R-31 I like 31H.")
