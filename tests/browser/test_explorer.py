"""The explorer in a real browser, used by mouse, keyboard, finger, address and search."""

from __future__ import annotations

import json
import os
from urllib.parse import unquote

import pytest

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import ALL
from gnubg_nactation.archive.nodes import Mean, PlayRow, with_ways
from gnubg_nactation.archive.trees import BookAtScore, after, tree
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.explorer.html import format_explorer
from gnubg_nactation.exports.page.document import plain_board
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import parse_book
from tests.archive.by_hand import Played, Record, fill
from tests.exports.pages import read

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import DESKTOP, PHONE, SIZES, Reader
from tests.browser.test_page import SHAPES, alike

# Sequences, with how often each was played and the loss of its first play in thousandths.
_GAMES = {
    "31P-63R-21$": (4, 0),
    "31P-63S": (2, 0),
    "31S-63R-21S": (1, 173),
    "21$-64Z-66^": (3, 9),
    "21S-31P": (3, 0),
    "63R-31P": (2, 12),
    "54R-31P": (1, 45),
    "65R-44@-31P": (1, 650),
}


def _record(sequence: str, loss: int) -> Record:
    """A game of a sequence."""
    position, turns = STANDARD, []
    for at, token in enumerate(sequence.split("-")):
        roll = Roll.parse(token[:2])
        plays = Plays(position, roll)
        play = "" if token[2:] == "^" else str(plays.play(parse_nactation(token[2:])))
        error = loss * UNIT // 1000 if at == 0 else None
        best = "P" if loss == 173 and not at else None
        turns.append(
            Played(
                position,
                at % 2,
                int(token[:2]),
                token[2:],
                play,
                error=error,
                best=best,
                result=1 - 2 * (at % 2),
            )
        )
        position = after(position, play)
    return Record(tuple(turns))


def _book() -> BookAtScore:
    return BookAtScore(parse_book("31 [P S173]\n31P-63 [R S21]", "book.txt"), "")


@pytest.fixture(scope="module")
def page() -> str:
    records = [_record(way, loss) for way, (count, loss) in _GAMES.items() for _ in range(count)]
    with fill(records) as connection:
        nodes = with_ways(connection, tree(connection, STANDARD, ALL, 3))
    connection.close()
    return format_explorer(nodes, GameState(), "start", book=_book())


def _plays(reader: Reader) -> list[str]:
    """The plays that are listed, as roll and traditional notation."""
    links = reader.all("#panel a.made")
    return [
        f"{link.get_attribute('data-roll')}: {link.get_attribute('data-said')}" for link in links
    ]


def _crumbs(reader: Reader) -> list[str]:
    return [element.text for element in reader.all("#crumbs a")]


def test_clicking_through_the_tree(reader: Reader, page: str) -> None:
    reader.open(page=page)
    assert reader.find("h1").text == "Openings: start"
    assert reader.find("#thrown").text == "17 rolls\nWhite to roll"
    assert _plays(reader)[:2] == ["65: 24/13", "63: 24/15"]
    row = next(link for link in reader.all("#panel a.made") if "8/5 6/5" in link.text)
    assert row.text.split("\n")[:6] == ["✓", "P", "8/5 6/5", "6", "times,", "86%"]
    reader.hover(row)
    assert reader.find("#board .nbl-arrow").get_attribute("d").count("Q") == 2
    row.click()
    assert (reader.anchor, _crumbs(reader)) == ("#31P", ["start", "31P"])
    assert reader.find("#reached").text == "Reached by 31P"
    assert _plays(reader) == ["63: 24/15", "63: 24/18 13/10"]
    state = GameState(after(STANDARD, "8/5 6/5"), Player.SECOND)
    boards = [["31P", plain_board(state, view=Player.FIRST, players=("White", "Black"))]]
    [shapes] = reader.browser.execute_async_script(SHAPES, boards)
    assert alike(*shapes)
    reader.all("#panel a.made")[0].click()
    reader.all("#panel a.made")[0].click()
    assert unquote(reader.anchor) == "#31P-63R-21$"
    assert reader.find("#panel").text == "The tree ends here."
    reader.back()
    assert _crumbs(reader) == ["start", "31P", "63R"]
    reader.all("#crumbs a")[0].click()
    assert _crumbs(reader) == ["start"]
    reader.back()
    reader.back()
    assert (reader.anchor, _crumbs(reader)) == ("#31P", ["start", "31P"])
    assert reader.run("return performance.getEntriesByType('resource').length") == 0


def test_an_error_has_a_sign_and_no_colour_alone(reader: Reader, page: str) -> None:
    reader.open(page=page)
    rows = {link.get_attribute("data-said"): link for link in reader.all("#panel a.made")}
    texts = {
        play: [
            row.find_element("css selector", part).text.split("\n")[-1]
            for part in (".sign", ".loss")
        ]
        for play, row in rows.items()
    }
    assert texts["24/23 13/10"] == ["??", "\u2212.173"]
    assert texts["24/15"] in (["✓", "\u2212.012"], ["?", "\u2212.045"])
    assert texts["13/11 6/5"] == ["✓", "\u2212.009"]
    grounds = "return getComputedStyle(arguments[0].querySelector('.bar span')).backgroundColor"
    assert len({reader.run(grounds, rows[play]) for play in ("24/23 13/10", "8/5 6/5")}) == 2
    widths = (
        "const bar = arguments[0].querySelector('.bar');"
        "return bar.firstChild.offsetWidth / bar.offsetWidth"
    )
    assert reader.run(widths, rows["8/5 6/5"]) == pytest.approx(6 / 7, abs=0.02)


def test_what_the_analyses_say(reader: Reader, page: str) -> None:
    reader.open("#31", page=page)
    assert reader.find(".rolled").text == "31 7 rolls, 41%; best: P S173; book: P S173"
    assert [element.text for element in reader.all("#panel .told")] == [
        "result +1.00 in 6 games",
        "\u2260 leaves the book; result +1.00 in 1 game",
    ]


def test_an_address_leads_to_its_place(reader: Reader, page: str) -> None:
    """Also to one roll, to characters that addresses escape, and by either of two ways."""
    for anchor, crumbs, plays in (
        ("#31P-63", ["start", "31P"], 2),
        ("#21%24", ["start", "21$"], 1),
        ("#21$-64Z-66^", ["start", "21$", "64Z", "66^"], 0),
        ("#65R-44%40", ["start", "65R", "44@"], 1),
        ("#54R", ["start", "54R"], 1),
        ("#nonsense", ["start"], 7),
        ("#31P-%E0%A4%A", ["start", "31P"], 2),
    ):
        reader.open(anchor, page=page)
        assert _crumbs(reader) == crumbs, anchor
        assert len(_plays(reader)) == plays, anchor
    reader.open("#54R", page=page)
    assert reader.find("#reached").text == "Reached by 63R (2), 54R (1)"
    assert reader.find("#thrown").text.startswith("3 rolls")
    reader.find("#reached a").click()
    assert reader.anchor == "#63R"
    reader.open("#31P-63", page=page)
    assert [button.text[:2] for button in reader.all("#rolls [aria-pressed=true]")] == ["63"]


@pytest.mark.parametrize(
    ("text", "anchor", "wrong"),
    [
        ("31P-63R", "#31P-63R", ""),
        ("13P 36-run, 12$", "#31P-63R-21$", ""),
        ("31-point-63", "#31P-63", ""),
        ("21$-64Z-F-11P", "", "The tree ends after 21$-64Z-66^"),
        ("31P-64P", "", "No 64 on record after 31P; rolls on record: 63"),
        ("31Z", "", "31Z is not in the tree at the start; plays on record: 31P 31S"),
        ("hello", "", "“hello” is not a roll with its play, such as 63R"),
    ],
)
def test_search(reader: Reader, page: str, text: str, anchor: str, wrong: str) -> None:
    reader.open(page=page)
    reader.find("#sequence").send_keys(text, Keys.ENTER)
    assert reader.find("#wrong").text == wrong
    assert unquote(reader.anchor) == anchor


def test_rolls_by_mouse_and_by_digits(reader: Reader, page: str) -> None:
    reader.open(page=page)
    assert len(reader.all("#rolls button")) == 21
    assert len(reader.all("#rolls button:enabled")) == 5
    reader.find("#rolls [data-roll='31']").click()
    assert (reader.anchor, _plays(reader)) == ("#31", ["31: 8/5 6/5", "31: 24/23 13/10"])
    reader.find("#rolls [data-roll='31']").click()
    assert len(_plays(reader)) == 7
    reader.press("1", "2")
    assert reader.anchor == "#21"
    reader.press("0")
    assert reader.anchor == ""


def test_by_keyboard(reader: Reader, page: str) -> None:
    reader.open(page=page)
    reader.press("3", "1", Keys.ARROW_DOWN)
    focused = "return document.activeElement.dataset.said"
    assert reader.run(focused) == "8/5 6/5"
    assert reader.all("#board .nbl-arrow")
    reader.press(Keys.ARROW_RIGHT)
    assert reader.anchor == "#31P"
    reader.press(Keys.ENTER)  # the first play there has the focus
    assert reader.anchor == "#31P-63R"
    reader.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert reader.anchor == ""
    reader.press("/", "6", "3", "R", Keys.ENTER)
    assert reader.anchor == "#63R"
    assert reader.run("return document.activeElement.id") == "sequence"
    reader.press(Keys.TAB, Keys.TAB, "?")
    assert reader.find("#keys").is_displayed()
    reader.press(Keys.ESCAPE, Keys.HOME, "f")
    assert reader.anchor == ""
    assert reader.find("#flip").get_attribute("aria-pressed") == "true"


def test_by_finger(reader: Reader, page: str) -> None:
    reader.open("#31P", PHONE, page)
    reader.open_menus()
    reader.touch(reader.find("#flip"))
    reader.wait()
    assert reader.find("#flip").get_attribute("aria-pressed") == "true"
    reader.run("document.querySelector('#panel a.made').scrollIntoView({block: 'center'})")
    reader.touch(reader.find("#panel a.made"))
    reader.wait()
    assert reader.anchor == "#31P-63R"
    reader.run("scrollTo(0, 0)")
    reader.touch(reader.find("#board svg"), by=120)
    reader.wait()
    assert reader.anchor == "#31P"


def test_it_fits_every_screen(reader: Reader, page: str) -> None:
    for size in (*SIZES, PHONE):
        reader.open("#31P", size, page)
        assert reader.run("return document.documentElement.scrollWidth") <= size[0]
        assert reader.find("#board svg").size["height"] > 150


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_board_stays_in_sight(
    reader: Reader, page: str, size: tuple[int, int]
) -> None:
    """Above the plays it takes at most 45 % of the height; next to them it hides none."""
    reader.open("", size, page)
    for at in (0, -1):
        play = reader.all("#panel a.made")[at]
        reader.run("arguments[0].focus()", play)  # which scrolls to it
        assert at == 0 or reader.run("return scrollY") > size[1] / 2
        board, row = (reader.box(element) for element in (reader.find("#board svg"), play))
        assert board[1] >= 0
        assert board[1] + board[3] <= size[1]
        stage = reader.box(reader.find("#stage"))
        if size[0] < size[1]:
            assert stage[3] <= 0.45 * size[1]
            assert row[1] >= stage[1] + stage[3]
        else:
            assert row[0] >= stage[0] + stage[2]
        assert row[1] + row[3] <= size[1]
    reader.touch(play)
    reader.wait()
    assert reader.anchor.startswith("#21")


def test_the_page_of_a_match_tells_of_other_games(reader: Reader) -> None:
    """With each candidate of a roll, and with a play that was not analysed."""
    records = {
        "8/3 6/3": PlayRow(31, 0.5, Mean(9, 0.0124, 0.001), None, None, "P", "8/3 6/3"),
        "13/10 13/8": PlayRow(27, 0.5, None, None, None, "D", "13/10 13/8"),
    }

    def plays_at(_: Position, roll: Roll) -> list[PlayRow]:
        return list(records.values()) if str(roll) == "53" else []

    reader.open("#1.2a", page=format_html(read("match-3pt-analysed.sgf"), plays_at=plays_at))
    rows = {
        play.find_element("css selector", ".way").text: play.text.split("\n")[-1]
        for play in reader.all("#panel .play")
    }
    assert rows["8/3 6/3"] == "played 31 of 58 times in the database, mean error \u2212.012"
    assert rows["13/10 13/8"] == "played 27 of 58 times in the database"
    assert rows["24/16"] == "played 0 of 58 times in the database"
    reader.find("[data-step=next]").click()
    assert "in the database" not in reader.find("#panel").text
    (match,) = read("match-1pt.mat")
    thrown_twice = lambda *_: [PlayRow(2, 1.0, None, None, None, "R", "24/18 13/9")]  # noqa: E731
    reader.open(page=format_html([match], plays_at=thrown_twice))
    assert "of 2" in reader.find("#panel").text


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_accessible(
    reader: Reader, page: str, axe: str, scheme: str, size: tuple[int, int]
) -> None:
    reader.media(prefers_color_scheme=scheme)
    for anchor in ("", "#31P-63R-21$"):
        reader.open(anchor, size, page)
        reader.find("#sequence").send_keys("31Z", Keys.ENTER)
        violations = reader.violations(axe)
        assert not violations, json.dumps(violations, indent=1)[:3000]
