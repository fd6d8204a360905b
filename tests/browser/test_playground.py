"""The playground in a real browser: a static server, then none; mouse, keys and finger.

Python takes seconds to start, so this is one visit with many stations. First the download fails,
then each view is used in each manner at both sizes, and at last the server is gone.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_gnubg_id, format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import nacbrac_text
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.nacbracs import judge, judge_cube
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.exports.board import BOARDS, PALETTES, Layout, board_svg
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.playground.answers import handle
from gnubg_nactation.playground.answers import letters as questions
from gnubg_nactation.sequences.decode import decode
from tests.browser.test_answers import arrows
from tests.cli.running import MATCH, SAMPLES, run
from tests.engines.built import FOLDER
from tests.tutorial.cases import read_cases

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import Reader
from tests.browser.visitor import (
    MANNERS,
    VIEWS,
    Manner,
    Served,
    Visitor,
    at_place,
    by_finger,
    by_keys,
    by_mouse,
    serving,
)

SIZES = {(390, 844): (by_finger, by_keys), (1280, 800): (by_mouse, by_keys)}
PHONE, DESKTOP = SIZES
POST = "After 43Z-32H-54 <b>who</b> <script>document.title = 'caught'</script> knows? And 41Z?"
RICH = "<p>Then 31P-44<u>A</u> was right.</p>"  # without its underline it is 8/4(2) 6/2(2)
TARGETS = {"mouse": "reddit", "keys": "discord", "finger": "bbcode"}
EVERYTHING = Keys.CONTROL + "a" + Keys.NULL


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))  # of the command line
    with serving(tmp_path) as served:
        yield served


def test_a_visit(reader: Reader, axe: str, served: Served) -> None:
    visitor = Visitor(reader)
    visitor.size(*PHONE)
    visitor.media(prefers_reduced_motion="reduce")  # or checkers glide away from the pointer
    command = visitor.browser.execute_cdp_cmd
    command("Browser.setDownloadBehavior", {"behavior": "deny"})
    command("Page.setInterceptFileChooserDialog", {"enabled": True})
    allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    command("Browser.grantPermissions", {"permissions": allowed})
    no_chance = {"source": "Math.random = () => 0.5"}
    command("Page.addScriptToEvaluateOnNewDocument", no_chance)
    a_failed_download(visitor, served)
    keep_saved_files(visitor)
    for size, manners in SIZES.items():
        visitor.size(*size)
        for manner in manners:
            typing(visitor, manner)
            judging(visitor, manner)
            copies(visitor, manner)
            playing(visitor, manner)
            if (manner, size) != (by_keys, PHONE):
                editing(visitor, manner)
                settings(visitor, manner, axe)
            writing(visitor, manner)
            openings(visitor, manner)
            reading(visitor, manner)
            the_alphabet(visitor, manner)
            letters(visitor, manner)
            a_match(visitor, manner)
        for view in VIEWS:
            opened(visitor, by_mouse, view)
            check_layout(visitor, axe, view)
        theory_and_training(visitor, axe)
    stations = (
        undoing,
        motion,
        quick_clicks,
        ends_of_games,
        suggestions,
        judgements,
        pasting,
        dropping,
        analyses,
        wrong_input,
        hostile_input,
        as_the_command_line,
        as_the_tutorial,
    )
    for station in stations:
        station(visitor)
    a_sample_by_its_address(visitor, served.address)
    remarks(visitor)
    boards_of_posts(visitor)
    searching(visitor)
    embedded = embedding(visitor, served, axe)
    counting(visitor, served.address)
    memory_is_kept(visitor, served.address)
    offline(visitor, served, embedded)
    stopping(visitor)


def undoing(visitor: Visitor) -> None:
    """Actions can be undone, and the turns stepped through."""
    visitor.run("location.hash = 's='")
    visitor.use(by_mouse, "#intro button", "43Z")
    visitor.shows("#turns", "32to be played")
    assert not visitor.find("#intro").is_displayed()
    visitor.use(by_mouse, "#options button", "H")
    visitor.until("location.hash === '#s=43Z-32H'")
    visitor.browser.back()
    visitor.shows("#turns", "32to be played")
    visitor.browser.back()
    visitor.until("document.querySelector('#text').value === ''")
    visitor.run("location.hash = 's=54S-63R-31P'")
    visitor.shows("#doing", "White plays 31P")
    visitor.run("document.activeElement.blur()")
    for key, summary in (
        (Keys.ARROW_LEFT, "Black plays 63R"),
        (Keys.HOME, "White plays 54S"),
        (Keys.ARROW_RIGHT, "Black plays 63R"),
        (Keys.END, "Black to roll"),
    ):
        visitor.press(key)
        visitor.shows("#doing", summary)
    by_mouse(visitor, visitor.find("#back"))
    visitor.shows("#doing", "White plays 31P")
    visitor.run("location.hash = 'play=54S-63R-31Q'")
    visitor.shows("#wrong", "no such play of 31")
    assert visitor.find("#wrong").is_displayed()
    visitor.run("location.hash = 'play=31P'")
    visitor.shows("#doing", "Black to roll")
    visitor.shows("#standing", "163")  # the board after the play
    visitor.shows("#why", "point")
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    visitor.run("location.hash = 'play=' + arguments[0]", start)
    visitor.shows("#doing", "White to play 31")
    assert not visitor.find("#undo").is_enabled()
    for point in "86":
        visitor.use(by_mouse, "#sources button", point)
    visitor.shows("#sequence", f"{start} 31P")
    by_mouse(visitor, visitor.find("#undo"))
    visitor.shows("#doing", "White to play 31")


# Step back, and count the checkers that move.
GLIDES = """
document.querySelector('#back').click();
return document.querySelector('#board').getAnimations({ subtree: true }).length;
"""


def motion(visitor: Visitor) -> None:
    """The checkers of a play glide, unless motion is reduced; a held one shows where it can go."""
    for wish, count in (("no-preference", 1), ("reduce", 0)):
        visitor.run("location.hash = 's='")
        visitor.run("location.hash = 's=54S-63R-31P'")
        visitor.shows("#doing", "White plays 31P")
        visitor.media(prefers_reduced_motion=wish)
        assert visitor.run(GLIDES) == count  # Black's 24/15
    visitor.run("location.hash = 'play=31'")
    visitor.until("document.querySelectorAll('#board .free').length === 15")
    checker = visitor.checker((8, 2))
    visitor.actions.click_and_hold(checker).perform()
    assert len(visitor.all("#board .targets circle")) == 3  # 7, 5 and 4
    visitor.actions.release(checker).perform()
    visitor.checker((5, 0))
    assert not visitor.all("#board .targets")


# Buttons, by their boxes and first letters, clicked before Python can answer.
CLICKS = """
for (const [box, text] of arguments[0]) {
  const all = [...document.querySelectorAll(`#${box} button`)];
  all.find((one) => one.textContent.startsWith(text)).click();
}
"""


def quick_clicks(visitor: Visitor) -> None:
    """A click acts on the current text, even if Python has not read it yet."""
    visitor.run("location.hash = 'play='")
    visitor.shows("#doing", "White to roll")
    visitor.run(CLICKS, [("dice", "Roll"), ("dice", "Roll")])
    visitor.shows("#doing", "White to play 54")
    assert visitor.anchor == "#play=54"
    played = [("sources", "8"), ("sources", "6")]
    for clicks, text in (
        ([*played, ("starts", "Standard")], ""),
        ([*played, ("table", "Undo")], "31"),
        ([*played, ("dice", "6"), ("dice", "4")], "31P-64"),
    ):
        visitor.run("location.hash = 'play=31'")
        visitor.starting("#sources button", "8")
        visitor.run(CLICKS, clicks)
        visitor.until("document.querySelector('#sequence').textContent === arguments[0]", text)
        visitor.shows("#turns", "64to be played" if "64" in text else "31" if text else "White")
        assert visitor.anchor == f"#play={text}"
    visitor.run("location.hash = 's=31'")
    visitor.shows("#turns", "31to be played")
    visitor.find("#text").send_keys("P")
    by_mouse(visitor, visitor.find("#to-play"))
    visitor.shows("#doing", "Black to roll")
    visitor.browser.back()
    visitor.until("location.hash === '#s=31P'")


def ends_of_games(visitor: Visitor) -> None:
    """Play shows what to do when no checker can move, and keeps the focus of the keyboard."""
    off = "-A----------------------b-"
    visitor.run("location.hash = 'play=XGID=' + arguments[0]", f"{off}:0:0:1:21:0:0:0:0:10")
    visitor.shows("#doing", "White to play 21")
    visitor.use(by_keys, "#sources button", "1")
    visitor.shows("#sources", "The game is over")
    assert not visitor.find("#dice button").is_enabled()
    assert visitor.run("return document.activeElement.id") == "undo"
    by_mouse(visitor, visitor.find("#undo"))
    closed = "aBBBBBB------------b------"
    visitor.run("location.hash = 'play=XGID=' + arguments[0]", f"{closed}:0:0:-1:66:0:0:0:0:10")
    visitor.use(by_mouse, "#sources button", "fan")
    visitor.shows("#doing", "White to roll")
    visitor.run("location.hash = 'play=XGID=' + arguments[0]", f"{off}:0:0:1:D:3:5:0:7:10")
    visitor.use(by_mouse, "#sources button", "take")
    visitor.shows("#turns", "Ttake")
    visitor.run("location.hash = 'play=54S-63R-31'")
    visitor.shows("#turns", "31to be played")
    for point in "86":
        visitor.use(by_keys, "#sources button", point)
    assert visitor.run("return document.activeElement.textContent") == "Roll"
    visitor.run("location.hash = 'play=N '")
    visitor.shows("#turns", "White to roll")
    assert not visitor.text("#wrong")
    visitor.shows("#standing", "on the 23 point")
    visitor.run("location.hash = 's=XGID=0'")
    visitor.shows("#wrong", "not an XGID")
    assert not visitor.find("#copies").is_displayed()
    assert not visitor.all("#options button")


def suggestions(visitor: Visitor) -> None:
    """A wrong text has suggestions; doubles and fans have their answers."""
    visitor.run("location.hash = 's=31: 8-5 6-5'")
    visitor.use(by_mouse, "#wrong button", "31P")
    visitor.shows("#doing", "White plays 31P")
    many = "Why not 54S-63R here, or 43Z-32H there?"
    visitor.run("location.hash = 's=' + encodeURIComponent(arguments[0])", many)
    visitor.use(by_mouse, "#wrong a", "Read this as a post")
    visitor.shows("#found", "2 items found")
    board = "-b----E-C---eE---c-e----B-:0:0:1"
    visitor.run("location.hash = 's=XGID=' + arguments[0]", f"{board}:D:3:5:0:7:10")
    visitor.shows("#doing", "White doubles: Black to take or drop")
    visitor.use(by_mouse, "#options button", "T")
    visitor.shows("#doing", "Black: take")
    visitor.run("location.hash = 's=XGID=------EDE--------c-bbbbbbA:0:0:1:31:0:0:0:0:10'")
    visitor.use(by_mouse, "#options button", "^")
    visitor.shows("#turns", "Black to roll")


def judgements(visitor: Visitor) -> None:
    """What is judged in Play, the end of a search, and what is assumed."""
    visitor.run("location.hash = 'play=31'")
    visitor.shows("#doing", "White to play 31")
    assert not visitor.find("#equities").is_displayed()  # no hint
    visitor.run("location.hash = 'play=31P'")
    visitor.shows("#nacbrac", "31 [P")
    visitor.run("location.hash = 's=XGID=-A------------------------:0:0:1:00:0:0:0:0:10'")
    visitor.shows("#judgement", "the game is over")
    visitor.run("location.hash = 's=41S-62'")
    visitor.shows("#depth", "0-ply")
    visitor.run("document.querySelector('#deepening button').click()")
    assert not visitor.find("#deepening").is_displayed()
    visitor.wait(600)
    assert visitor.text("#depth").endswith("0-ply")
    visitor.run("location.hash = 's=31'")
    visitor.shows("#depth", "2-ply")
    visitor.find("#text").send_keys("P")
    visitor.shows("#doing", "8/5 6/5")
    assert visitor.text("#depth").endswith("2-ply")  # the letter changes nothing
    visitor.run("location.hash = 's='")
    visitor.until("document.querySelector('#equities').hidden")  # nothing to judge yet
    visitor.run("location.hash = 's=62S-55H'")
    visitor.shows("#turns", "assumed")
    by_mouse(visitor, visitor.find("#assumed"))
    visitor.shows("#resolved", "55H: 13/3 8/3 6/1*")
    by_mouse(visitor, visitor.find("#resolved button"))
    visitor.shows("#doing", "13/3 8/3 6/1*")
    assert "assumed" not in visitor.text("#turns")
    for link, name in (("source", "gnubg_1.07.001.orig.tar.gz"), ("scripts", "source.tar.gz")):
        address = visitor.find(f"#engine-{link}").get_attribute("href")  # for the GPL
        assert address.endswith(name)
    fetched = "fetch(arguments[0]).then(({ ok }) => arguments[1](ok))"
    assert visitor.browser.execute_async_script(fetched, address)


def a_failed_download(visitor: Visitor, served: Served) -> None:
    """The page works without Python or the engine, reports the failure, and tries again."""
    served.broken.extend(("gnubg.wasm", "python_stdlib.zip", "pyodide.asm.wasm", "pyodide.asm.mjs"))
    visitor.visit(f"{served.address}#alphabet=H")
    visitor.shows("#doing", "White plays")
    assert len(visitor.all("#families li")) > 50
    opened(visitor, by_mouse, "Type")
    visitor.find("#text").send_keys("31P")
    for manner in MANNERS:
        visitor.python("failed")
        assert "Python could not be loaded" in visitor.text("#what")
        served.broken.pop()
        visitor.run("document.documentElement.dataset.python = ''")
        manner(visitor, visitor.find("#retry"))
    visitor.python("ready")
    visitor.shows("#turns", "8/5 6/5")
    visitor.shows("#judgement", "No equities: gnubg.wasm is missing or damaged.")
    served.broken.clear()
    visitor.visit(f"{served.address}#s=31P")
    visitor.shows("#nacbrac", "31 [P")


def keep_saved_files(visitor: Visitor) -> None:
    """Keep saved files for the tests, as nothing is really downloaded."""
    visitor.run(
        "window.saved = []; URL.createObjectURL = ((make) => (blob) => { saved.push(blob);"
        " return make.call(URL, blob); })(URL.createObjectURL);"
    )


def saved(visitor: Visitor, name: str) -> bytes:
    visitor.shows("#said", f"{name} saved")
    visitor.run("document.querySelector('#said').textContent = ''")
    data = visitor.browser.execute_async_script(
        "saved.pop().arrayBuffer().then((bytes) => arguments[0](btoa("
        "[...new Uint8Array(bytes)].map((one) => String.fromCharCode(one)).join(''))))"
    )
    return base64.b64decode(data)


def copied(visitor: Visitor) -> str:
    visitor.shows("#said", "copied")
    visitor.run("document.querySelector('#said').textContent = ''")
    return clipboard(visitor)


def clipboard(visitor: Visitor) -> str:
    return str(
        visitor.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    )


def opened(visitor: Visitor, manner: Manner, view: str) -> None:
    link = visitor.starting("#views a", view)
    if not link.is_displayed():  # on a phone an open match has the whole screen
        manner(visitor, visitor.find("#leave"))
    manner(visitor, link)
    visitor.until("document.documentElement.dataset.view === arguments[0]", VIEWS[view])


def typing(visitor: Visitor, manner: Manner) -> None:
    """A sequence whose last play is chosen from the legal plays."""
    opened(visitor, manner, "Type")
    field = visitor.find("#text")
    field.send_keys(EVERYTHING + "54S-63R-31")
    visitor.shows("#turns", "31to be played")
    assert visitor.texts("#wrong .likely button")[-1] == "All 15"  # on a phone the list is far away
    visitor.use(manner, "#options button", "P8/5")
    visitor.shows("#turns", "31P8/5 6/5")
    visitor.until("location.hash === '#s=54S-63R-31P'")
    assert field.get_attribute("value") == "54S-63R-31P"
    visitor.shows("#why", "preferred: a point made")
    visitor.find("#why form input").send_keys("H\n")
    visitor.shows("#why", "not H: no checker is hit. Here ")
    first = "#why details:first-of-type"
    for is_open in (False, True):
        manner(visitor, visitor.find("#why summary"))
        assert visitor.find(first).get_property("open") is is_open
    turn = decode("54S-63R-31P").turns[-1]
    for player in (Player.SECOND, Player.FIRST):
        visitor.menu(manner, "#more")
        manner(visitor, visitor.find("#flip"))
        assert not visitor.find("#flip").is_displayed()
        svg = board_svg(turn.state, turn.play, theme="light", view=player)
        ours = arrows(str(visitor.find("#board svg").get_attribute("outerHTML")))
        assert ours == pytest.approx(arrows(svg), abs=1)
    visitor.use(manner, "#turns button")
    assert visitor.text("#doing") == "White plays 54S 24/20 13/8 split"
    height = visitor.find("#board").location["y"]
    field.send_keys(Keys.END + Keys.BACKSPACE + "Q")
    visitor.shows("#wrong", "-31Q no such play of 31")
    assert visitor.text("#wrong mark") == "Q"
    assert visitor.find("#board").location["y"] == height
    likely_plays(visitor, manner)
    field.send_keys(Keys.BACKSPACE + "P")
    visitor.shows("#turns", "31P8/5 6/5")


def likely_plays(visitor: Visitor, manner: Manner) -> None:
    """The best six plays are next to an error; a button unfolds all."""
    visitor.shows("#depth", "2-ply")  # after which the order stays
    assert visitor.text("#wrong .likely button") == "P 8/5 6/5"
    *likely, everything = visitor.texts("#wrong .likely button")
    assert len(likely) == 6
    assert everything == f"All {len(visitor.all('#options li'))}"
    assert not visitor.find("#options").is_displayed()
    visitor.use(manner, "#wrong button", everything)
    assert visitor.find("#options").is_displayed()


@cache
def nacbrac(text: str, plies: int) -> str:
    """What `nactate nacbrac --engine builtin` prints for the roll, or the cube, after a text."""
    state = decode(text).turns[-1].state
    with closing(open_compiled(FOLDER)) as engine:
        if text.endswith("P"):
            return f"{text} {nacbrac_text(judge_cube(engine, decode(text).state, Depth(plies)))}"
        return f"{text} {nacbrac_text(judge(engine, state, Depth(plies)))}"


@cache
def nacbrac_of(xgid: str) -> str:
    """The nacbrac of a state at 2-ply on the command line."""
    with closing(open_compiled(FOLDER)) as engine:
        return nacbrac_text(judge(engine, GameState.parse(xgid), Depth(2)))


def judging(visitor: Visitor, manner: Manner) -> None:
    """The nacbrac of 54S-63R-31P, the list of plays in its order, and the cube before the roll."""
    visitor.shows("#depth", "2-ply")
    assert visitor.text("#nacbrac") == nacbrac("54S-63R-31", 2)
    manner(visitor, visitor.find("#nacbrac-copy"))
    assert copied(visitor) == nacbrac("54S-63R-31", 2)
    best, second, *_ = visitor.texts("#options li")  # of [P H76 ...
    assert best.startswith("P")
    assert "\u2212.076" in second
    visitor.use(manner, "#turns li:last-child button")
    visitor.shows("#judgement", "Double, take")
    visitor.shows("#depth", "2-ply")
    assert visitor.text("#nacbrac") == nacbrac("54S-63R-31P", 2)
    for is_open in (False, True):
        manner(visitor, visitor.find("#equities summary"))
        assert visitor.find("#equities").get_property("open") is is_open
    visitor.use(manner, "#turns li:nth-last-child(2) button")
    visitor.shows("#nacbrac", "54S-63R-31 [P")


def copies(visitor: Visitor, manner: Manner) -> None:
    """The exact copies of 54S-63R-31P."""
    visitor.shows("#why", "preferred: a point made")  # after which nothing moves
    visitor.until("location.hash === '#s=54S-63R-31P'")
    state = decode("54S-63R-31P").turns[-1].state
    target = TARGETS[manner.name]
    visitor.menu(manner, "#more")
    manner.choose(visitor, visitor.find("#copies select"), target)
    texts = {
        "Copy sequence": "54S-63R-31P",
        "Copy XGID": format_xgid(state),
        "Copy Position ID": format_position_id(state.position),
        "Copy link": visitor.run("return location.href"),
        "Copy post": run("post", "--to", target, "54S-63R-31P").out,
    }
    for button, text in texts.items():
        visitor.menu(manner, "#more")
        visitor.use(manner, "#copies button", button)
        assert copied(visitor) == text
    visitor.menu(manner, "#more")
    visitor.use(manner, "#copies button", "Save picture")
    picture = saved(visitor, "nactation.png")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20], "big") == 1240


def playing(visitor: Visitor, manner: Manner) -> None:
    """31P with the checkers, after a roll that is chosen."""
    opened(visitor, manner, "Play")
    visitor.use(manner, "#starts button", "Nackgammon")
    visitor.shows("#doing", "White to roll")
    visitor.use(manner, "#starts button", "Standard")
    visitor.until("document.querySelector('#sequence').textContent === ''")
    visitor.until("document.querySelectorAll('#turns li').length === 1")
    visitor.use(manner, "#dice button", "Roll")
    visitor.shows("#doing", "White to play 54")  # a doublet does not open
    visitor.shows("#dice", "Roll again")
    for die in "31":
        visitor.use(manner, "#dice button", die)
    visitor.shows("#doing", "White to play 31")
    visitor.until("document.querySelectorAll('#sources button').length")
    for first in "13":
        if manner.touch:
            manner.touch(visitor, 452, 280)  # the dice
        else:
            visitor.use(manner, "#sources button", "Play the ")
        visitor.shows("#said", f"Playing the {first} first")
    making_the_point(visitor, manner, "#sources")
    visitor.shows("#turns", "31P8/5 6/5")
    assert visitor.anchor == "#play=31P"
    visitor.shows("#why", "point")
    manner(visitor, visitor.find("#undo"))
    visitor.shows("#doing", "White to play 31")
    assert visitor.text("#sequence") == "31"
    if manner.draw:
        drawing(visitor, manner)


def making_the_point(visitor: Visitor, manner: Manner, buttons: str) -> None:
    """8/5 6/5: a finger sees where the first checker can go, and taps there."""
    if not manner.draw:
        for point in "86":
            visitor.use(manner, f"{buttons} button", point)
        return
    visitor.use(manner, at_place((8, 2)))
    if manner is by_finger and manner.touch:
        places = Layout(Player.FIRST, "right")
        lit = [
            (float(ring.get_attribute("cx") or 0), float(ring.get_attribute("cy") or 0))
            for ring in visitor.all("#board .targets circle")
        ]
        assert sorted(lit) == sorted(places.checker(Player.FIRST, point, 0) for point in (7, 5, 4))
        manner.touch(visitor, *places.checker(Player.FIRST, 5, 0))
    visitor.use(manner, at_place((6, 4)))


def drawing(visitor: Visitor, manner: Manner) -> None:
    """31P by dragging checkers, after a checker dragged to a wrong place."""
    assert manner.draw
    visitor.until("document.querySelectorAll('#board .free').length === 15")
    for start, end in (((6, 4), (8, 2)), ((8, 2), (3, 0))):
        manner.draw(visitor, start, end)
        assert visitor.checker(start).get_attribute("transform") is None
        assert len(visitor.all("#board .free")) == 15
    if manner is by_finger:
        scrolling(visitor)
    manner.draw(visitor, (8, 2), (5, 0))
    visitor.checker((5, 0))
    manner(visitor, visitor.find("#undo"))
    visitor.until("document.querySelectorAll('#board .free').length === 15")
    for start, end in (((8, 2), (5, 0)), ((6, 4), (5, 1))):
        manner.draw(visitor, start, end)
    visitor.shows("#turns", "31P8/5 6/5")


ACE_POINT = "XGID=bA---A--------------------:2:-1:1:64:3:5:0:7:10"


def editing(visitor: Visitor, manner: Manner) -> None:
    """White has a checker on the 5 and the ace point against two on the bar, at 3-5 to 7."""
    opened(visitor, manner, "Edit")
    visitor.shows("#ids", "XGID=")
    for layout in ("Nackgammon", "Clear"):
        visitor.use(manner, "#layouts button", layout)
    visitor.shows("#faults", "White has no checkers on the board: the game is over.")
    manner(visitor, visitor.find("#setup-undo"))
    visitor.shows("#standing", "2 checkers on the 23 point")
    visitor.use(manner, "#layouts button", "Clear")
    if manner.touch and manner.draw:
        places = Layout(Player.FIRST, "right")
        for tool, player, point, slot in (
            ("adds White", Player.FIRST, 6, 0),
            ("adds White", Player.FIRST, 5, 0),
            ("adds White", Player.FIRST, 5, 1),
            ("removes", Player.FIRST, 5, 0),
            ("adds Black", Player.SECOND, 25, 0),
        ):
            visitor.use(manner, "#tools button", tool)
            manner.touch(visitor, *places.checker(player, point, slot))
        manner.draw(visitor, (6, 0), (1, 0))
        tray, bar = places.off(Player.SECOND, 0), places.checker(Player.SECOND, 25, 1)
        way = visitor.spot(*tray), visitor.spot(*bar)
        (visitor.swipe if manner is by_finger else visitor.drag)(*way)
    else:
        manner(visitor, visitor.find("#setup summary"))
        for box, text, fault in (
            ("#side-0", "5 27", "found 27, expected points from 1 to 24 or bar"),
            ("#side-0", "16(16)", "found 16 checkers, but a player has 15"),
            ("#side-0", "5 1", "Black has no checkers on the board"),
            ("#side-1", "20", "the opponent has the 20 point (its 5 point)"),
            ("#side-1", "bar(2)", ""),
        ):
            visitor.find(box).send_keys(EVERYTHING + text + Keys.ENTER)
            visitor.shows("#faults", fault)
        manner(visitor, visitor.find("#setup summary"))
    for box, text in (("#setup-length", "7"), ("#setup-first", "3"), ("#setup-second", "5")):
        visitor.find(box).send_keys(EVERYTHING + text + Keys.TAB)
    for menu, name in (("turn", "White"), ("cube", "4"), ("owner", "Black"), ("dice", "64")):
        manner.choose(visitor, visitor.find(f"#setup-{menu}"), name)
    visitor.shows("#ids", ACE_POINT)
    assert visitor.text("#faults") == ""
    visitor.shows("#options", "5/off 1/off")
    visitor.shows("#depth", "2-ply")
    assert visitor.text("#nacbrac").endswith(nacbrac_of(ACE_POINT))
    for name, copy in (
        ("XGID", ACE_POINT),
        ("GNU ID", format_gnubg_id(GameState.parse(ACE_POINT))),
        ("OGID", f"OGID={GameState.parse(ACE_POINT).ogid}"),
    ):
        manner(visitor, visitor.find(f'#ids [aria-label="Copy {name}"]'))
        assert copied(visitor) == copy
    visitor.until("location.hash === '#edit=' + arguments[0]", ACE_POINT)
    manner(visitor, visitor.find("#setup-play"))
    visitor.until("location.hash === '#play=' + arguments[0]", ACE_POINT)
    visitor.shows("#doing", "White to play 64")
    visitor.menu(manner, "#more")
    manner(visitor, visitor.find("#edit-this"))
    visitor.shows("#ids", ACE_POINT)


def settings(visitor: Visitor, manner: Manner, axe: str) -> None:
    """Dark or light, and another board, whose colours the drawing has."""
    visitor.menu(manner, "#settings")
    for theme in ("dark", "light"):
        manner(visitor, visitor.find("#theme"))
        visitor.until("document.documentElement.dataset.theme === arguments[0]", theme)
    for name, colours in BOARDS.items():
        by_mouse.choose(visitor, visitor.find("#boards"), name)
        field = visitor.run("return getComputedStyle(document.querySelector('.nbl-field')).fill")
        found = "#{:02x}{:02x}{:02x}".format(*map(int, re.findall(r"\d+", field)))
        assert found == colours.get("field", PALETTES["light"]["field"])
    if manner is not by_keys:
        assert [issue["id"] for issue in visitor.violations(axe)] == []
    visitor.press(Keys.ESCAPE)
    assert visitor.find("#settings").get_attribute("open") is None


def writing(visitor: Visitor, manner: Manner) -> None:
    """A match with its opening roll, a play on the board, a double and a play of the list."""
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


def check_layout(visitor: Visitor, axe: str, place: str) -> None:
    """Everybody can use what is shown, and it is as wide as the screen."""
    issues = visitor.violations(axe)
    assert [issue["id"] for issue in issues] == [], (place, issues)
    width = visitor.run("return document.documentElement.clientWidth")
    assert visitor.run("return document.documentElement.scrollWidth") <= width, place


def scrolling(visitor: Visitor) -> None:
    """A finger scrolls the page, unless it drags a checker."""
    if visitor.run("return document.documentElement.scrollHeight <= innerHeight + 100"):
        return
    for point, is_moved in ((8, False), (5, True)):
        visitor.run("scrollTo(0, 0)")
        x, y = visitor.place((point, 0))
        visitor.swipe((x, y), (x, y - 90))
        visitor.until("scrollY" if is_moved else "!scrollY")
    visitor.run("scrollTo(0, 0)")


def openings(visitor: Visitor, manner: Manner) -> None:
    """Three rolls in the book, a score, and the ways back."""
    opened(visitor, manner, "Openings")
    visitor.shows("#rolls", "31 P S \u2212.229")
    visitor.use(manner, "#rolls button", "31")
    visitor.shows("#closeness", "Clear: P, the next play loses .229")
    if manner.draw:
        for checker, place in (((8, 2), (5, 0)), ((6, 4), (5, 1))):
            manner.draw(visitor, checker, place)
    else:
        for point in "86":
            visitor.use(manner, "#book-movers button", point)
    visitor.shows("#rolls", "42 P Z \u2212.151")
    visitor.use(manner, "#rolls button", "62")
    visitor.shows("#doing", "Black to play 62")
    visitor.use(manner, "#scores button", "Gammon save for Black")
    visitor.until("location.hash === '#openings=31P-62%20gs'")
    visitor.shows("#closeness", "Close: S R")
    visitor.browser.back()
    visitor.until("document.querySelector('#scores [value=money][aria-pressed=true]')")
    visitor.use(manner, "#book-plays button", "S24/18")
    visitor.shows("#doing", "White to roll")
    visitor.use(manner, "#rolls button", "21")
    visitor.until("location.hash.startsWith('#openings=31P-62S-21')")
    visitor.shows("#doing", "White to play 21")
    assert visitor.all("#book-plays button")
    assert not visitor.find("#by-score").is_displayed()  # for money only
    visitor.use(manner, "#line-link button", "Copy link")
    assert copied(visitor).endswith("#openings=31P-62S-21")
    visitor.use(manner, "#path button", "31")
    visitor.shows("#doing", "Black to roll")
    assert visitor.find("#line").get_attribute("value") == "31P"
    assert str(visitor.find("#train").get_attribute("href")).endswith("#train=31P")
    visitor.find("#line").send_keys(EVERYTHING + "21 gg")
    visitor.shows("#scores .differs", "$")  # for money it is S
    visitor.shows("#scoresh", "a frame: not best for money")
    visitor.use(manner, "#book-plays button", "$")
    visitor.until("location.hash === '#openings=21$%20gs'")  # from the other side
    visitor.find("#line").send_keys(EVERYTHING + "21S-66B")
    visitor.shows("#doing", "White to roll")
    visitor.use(manner, "#rolls button", "66")
    visitor.shows("#closeness", "66 11/5 8/2(3) is the only legal play. The book ends here.")
    visitor.find("#line").send_keys(EVERYTHING + "66")
    visitor.shows("#closeness", "No game begins with a doublet.")
    training(visitor, manner)


def theory_and_training(visitor: Visitor, axe: str) -> None:
    """The forms of the openings, and a question before and after its answer."""
    answers = visitor.run("return localStorage.getItem(arguments[0])", TRAINED)
    for place, shown in {
        "openings=dmp": "to roll",
        "openings=31P-42": "42",
        "train": "to play",
    }.items():
        visitor.run("location.hash = arguments[0]", place)
        visitor.shows("#doing", shown)
        check_layout(visitor, axe, place)
    visitor.until("document.querySelectorAll('#guesses button').length")
    visitor.run("document.querySelector('#guesses button').click()")
    visitor.shows("#train-verdict", "It comes again")
    check_layout(visitor, axe, "an answer")
    visitor.run("localStorage.setItem(...arguments)", TRAINED, answers)


TRAINED = "nactation /some/where/ openings"  # where the answers are kept


def training(visitor: Visitor, manner: Manner) -> None:
    """A wrong letter, a right play by hand, and one that is typed; the wrong one comes again."""
    opened(visitor, manner, "Openings")
    visitor.run("localStorage.setItem(arguments[0], 'damaged')", TRAINED)
    visitor.run("document.querySelector('#subject').value = 'first'")
    visitor.run("location.hash = 'train=31P'")
    visitor.shows("#due", "21 new")
    first = _asked(visitor)
    best = _best(first)
    wrong = next(
        each for each in visitor.all("#guesses button") if each.get_attribute("value") != best
    )
    manner(visitor, wrong)
    visitor.shows("#train-verdict", "Wrong: ")
    assert " loses ." in visitor.text("#train-verdict")
    visitor.shows("#due", "1 due, 20 new, 0 of 21 learnt")
    for count in range(1, 4):
        manner(visitor, visitor.find("#train-next"))
        text = _asked(visitor)
        assert text != first
        if manner is by_keys:
            visitor.until("document.activeElement.id === 'guess'")
        if count == 1:
            visitor.find("#guess").send_keys("hello" + Keys.ENTER)
            visitor.shows("#train-verdict", "This does not count")
            visitor.find("#guess").send_keys(EVERYTHING + _best(text))
            visitor.use(manner, "#training button", "Answer")
        else:
            visitor.use(manner, f'#guesses button[value="{_best(text)}"]')
        visitor.shows("#train-verdict", "Right: ")
        visitor.shows("#train-verdict", "It comes again in 1 day.")
    visitor.shows("#due", "1 due, 17 new")
    manner(visitor, visitor.find("#train-next"))
    assert _asked(visitor) == first  # again
    assert not visitor.all("#guesses .right, #guesses .chosen")  # without the answer
    visitor.use(manner, f'#guesses button[value="{best}"]')
    visitor.shows("#due", "0 due, 17 new")
    assert visitor.find("#train-next").is_displayed()


def _asked(visitor: Visitor) -> str:
    """The question, once it can be answered: 31P-42."""
    visitor.until("!document.querySelector('#train-type').hidden")
    visitor.until("document.querySelectorAll('#guesses button').length")
    visitor.shows("#doing", "White to play")
    return f"31P-{visitor.text('#train-asked b')}"


def _best(text: str) -> str:
    """The best play of the book."""
    decision = decode(text)
    roll = decision.turns[-1].state.roll
    assert roll
    line = shipped_book().at(decision.state.position, roll)
    assert line
    return format_play(line.plays[0][1])


def reading(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Read")
    post = visitor.find("#post")
    visitor.run("arguments[0].value = ''", post)
    post.send_keys(POST)
    manner(visitor, visitor.find("#pasting button"))
    visitor.shows("#found", "2 items found")
    assert visitor.run("return document.title") == "Nactation playground"
    visitor.use(manner, ".post button", "41Z")
    visitor.shows("#piece", "24/23 13/9")
    visitor.use(manner, ".post button", "43Z")
    visitor.use(manner, "#piece .turns button", "32H")
    assert "Black plays 32H 13/10 6/4*" in visitor.text("#doing")
    manner(visitor, visitor.find("#piece a"))
    visitor.shows("#turns", "32H13/10 6/4*")
    assert visitor.anchor == "#s=43Z-32H-54"


def the_alphabet(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Alphabet")
    search = visitor.find("#search")
    search.send_keys("hit")
    visitor.until("document.querySelectorAll('#families li').length < 20")
    visitor.use(manner, '#families [data-key="H"]')
    assert visitor.anchor == "#alphabet=H"
    assert "*" in visitor.text("#doing")
    search.send_keys(EVERYTHING + "@")
    visitor.until("document.querySelectorAll('#families li').length === 1")
    search.send_keys(Keys.BACKSPACE)


@cache
def quiz() -> list[dict[str, Any]]:
    """The quiz if every random number is one half: the match in the middle, and a seed."""
    samples = sorted(SAMPLES.iterdir())
    first = [row.key for row in FAMILIES if row.section.split(",")[0] == "1"]
    return questions(samples[len(samples) // 2].read_bytes(), 500_000_000, 12, first)


def letters(visitor: Visitor, manner: Manner) -> None:
    """Choose a wrong letter and type a right one, until Python must make more questions."""
    opened(visitor, manner, "Which letter?")
    for is_right in (False, True):
        visitor.until("document.querySelectorAll('#choices button').length > 1")
        question = visitor.text("#question").removesuffix(". Which letter?")
        (right,) = {
            item["right"] for item in quiz() if f"{item['roll']}: {item['said']}" == question
        }
        rights, wrongs = map(int, re.findall(r"\d+", visitor.text("#score")))
        if is_right:
            answer = visitor.find("#answer")
            answer.send_keys(right)
            if manner is by_keys:
                answer.send_keys(Keys.ENTER)
            else:
                visitor.use(manner, "#asking button", "Answer")
        else:
            visitor.use(manner, f'#choices button:not([data-choice="{right}"])')
        visitor.shows("#verdict", "All names of this play")
        assert visitor.text("#verdict b") == ("Right:" if is_right else "Wrong:")
        score = f"{rights + is_right} right, {wrongs + (not is_right)} wrong"
        assert visitor.text("#score") == score
        manner(visitor, visitor.find("#next"))
        visitor.until(
            "!document.querySelector('#question').textContent.startsWith(arguments[0])", question
        )


def choose_sample(visitor: Visitor, manner: Manner, name: str) -> None:
    title = str(visitor.starting("#sample option", name).get_attribute("textContent"))
    manner.choose(visitor, visitor.find("#sample"), name if manner is by_keys else title)


def opened_to_choose(visitor: Visitor, manner: Manner) -> None:
    """Open the view Match, and leave the match that is open there."""
    opened(visitor, manner, "Match")
    leave = visitor.find("#leave")
    if leave.is_displayed():
        manner(visitor, leave)


def a_match(visitor: Visitor, manner: Manner) -> None:
    """A sample, and a chosen file: its page in the frame, and its exports."""
    opened_to_choose(visitor, manner)
    choose_sample(visitor, manner, "money-raccoon.sgf")
    visitor.shows("#outcome", "Ann - Ben, money session")
    manner(visitor, visitor.find("#leave"))
    field = visitor.find("#file")
    visitor.run("window.asked = false; arguments[0].onclick = () => { asked = true; }", field)
    manner(visitor, field if manner is by_keys else visitor.find("#drop"))
    visitor.until("asked")
    path = SAMPLES / "match-1pt.mat"
    field.send_keys(str(path))
    visitor.shows("#outcome", "Alice - Bob, 1 point match")
    visitor.shows("#analysis", "Analysed at 0-ply by GNU Backgammon")
    heads = "return [...document.querySelectorAll('h1, [aria-level=\"1\"]')]"
    assert visitor.run(f"{heads}.some((head) => head.checkVisibility())")  # also without the header
    with visitor.inside("iframe"):
        visitor.until("document.querySelector('#what')?.textContent")
        assert visitor.run("return document.body.textContent").count("mistake")
        first = visitor.text("#what")
        manner(visitor, visitor.find("[data-step=next]"))
        visitor.until("document.querySelector('#what').textContent !== arguments[0]", first)
        visitor.use(manner, "#games a", "Quiz")
        visitor.find("#answer").send_keys("xx" + Keys.ENTER)
        visitor.shows("#verdict", "This does not count")
        with pytest.raises(Exception, match="cross-origin"):  # it has no part in the playground
            visitor.run("return parent.document.title")
    forms = {
        "Save annotated SGF": ("sgf", "match-1pt.nactation.sgf"),
        "Save text": ("text", "match-1pt.nactation.txt"),
        "Save page": ("html", "match-1pt.html"),
    }
    _, top, _, height = visitor.box(visitor.find("iframe"))  # to the end of the screen
    assert top + height == visitor.run("return innerHeight")
    for button, (form, name) in forms.items():
        visitor.menu(manner, "#exports")
        visitor.use(manner, "#exports button", button)
        assert saved(visitor, name).decode() == analysed(form)
    target = TARGETS[manner.name]
    visitor.menu(manner, "#exports")
    manner.choose(visitor, visitor.find("#exports select"), target)
    visitor.use(manner, "#exports button", "Copy post")
    assert copied(visitor) == analysed(target)


@cache
def analysed(form: str) -> str:
    """The match of one point, analysed on the command line by the same engine."""
    options = "--analyse", "--plies", "0", "--engine", "builtin"
    ran = run("annotate", *options, "--to", form, SAMPLES / "match-1pt.mat")
    assert ran.out, ran.err
    return ran.out


def analyses(visitor: Visitor) -> None:
    """A search at 2-ply can be stopped; other views answer while it goes on."""
    opened(visitor, by_mouse, "Match")
    visitor.find("#file").send_keys(str(SAMPLES / "match-1pt.mat"))
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.use(by_mouse, "#analysis button", "Analyse at 2-ply")
    visitor.until("document.querySelector('#analysis progress')?.value > 0")
    visitor.run("location.hash = 's=43Z-32H'")
    visitor.shows("#turns", "32H13/10 6/4*")
    opened(visitor, by_mouse, "Match")
    visitor.use(by_mouse, "#analysis button", "Stop")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.wait(200)
    assert visitor.text("#analysis button") == "Analyse at 2-ply"
    visitor.find("#file").send_keys(str(SAMPLES / "match-3pt.mat"))
    button = "document.querySelector('#analysis progress + button')"
    visitor.until(f"((button) => {{ button?.click(); return !!button; }})({button})")  # at once
    visitor.shows("#analysis", "This match has no analysis.")
    visitor.use(by_mouse, "#analysis button", "Analyse at 0-ply")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.run(DROPPED, "three plays.mat", base64.b64encode(MATCH).decode())
    visitor.shows("#outcome", "Ann - Ben")
    visitor.use(by_mouse, "#analysis button", "Analyse at 2-ply")
    visitor.shows("#analysis", "Analysed at 2-ply")
    assert not visitor.all("#analysis button")
    options = "--analyse", "--plies", "2", "--engine", "builtin", "--to", "text"
    visitor.menu(by_mouse, "#exports")
    visitor.use(by_mouse, "#exports button", "Save text")
    ran = run("annotate", *options, "-", stdin=MATCH)
    assert saved(visitor, "three plays.nactation.txt").decode() == ran.out


def pasting(visitor: Visitor) -> None:
    """Text copied from a page keeps its styles until it is edited."""
    opened(visitor, by_mouse, "Read")
    post = visitor.find("#post")
    visitor.browser.execute_async_script(
        "const [html, done] = arguments;"
        "const made = (kind, text) => new Blob([text], { type: kind });"
        "const text = new DOMParser().parseFromString(html, 'text/html').body.textContent;"
        "navigator.clipboard.write([new ClipboardItem({ 'text/html': made('text/html', html),"
        " 'text/plain': made('text/plain', text) })]).then(done)",
        RICH,
    )
    post.send_keys(EVERYTHING + Keys.CONTROL + "v")
    visitor.find("#pasting button").click()
    visitor.shows("#piece", "8/4(3) 6/2")
    post.send_keys(Keys.END + " ")
    visitor.find("#pasting button").click()
    visitor.shows("#piece", "8/4(2) 6/2(2)")


def dropping(visitor: Visitor) -> None:
    """A file can be dropped on any view."""
    opened(visitor, by_mouse, "Type")
    path = str(SAMPLES / "money-beaver-setup.sgf")
    for kind in ("dragEnter", "dragOver", "drop"):
        visitor.browser.execute_cdp_cmd(
            "Input.dispatchDragEvent",
            {
                "type": kind,
                "x": 300,
                "y": 300,
                "data": {"items": [], "files": [path], "dragOperationsMask": 1},
            },
        )
    visitor.until("document.documentElement.dataset.view === 'match'")
    visitor.until("document.querySelector('iframe')")
    assert "dropped" not in visitor.text("#outcome")


def wrong_input(visitor: Visitor) -> None:
    """Files that are not matches, and a post with too many findings."""
    visitor.run("location.hash = 'match'")
    files = {"no-match.mat": (b"\0" * 50, "no-match.mat: "), "empty.mat": (b"", "is empty")}
    for name, (data, message) in files.items():
        visitor.run(DROPPED, name, base64.b64encode(data).decode())
        visitor.shows("#outcome", message)
    visitor.run(DROPPED, "large.mat", "", 9_000_000)
    visitor.shows("#outcome", "this page reads up to 8 MB")
    visitor.run("location.hash = 'read'")
    visitor.run("document.querySelector('#post').value = arguments[0]", "<b>54S-63R " * 9000)
    visitor.find("#pasting button").click()
    visitor.shows("#found", "500 items found, and")


# Drop a file with a name and bytes, or with N bytes of zeros.
DROPPED = """
const [name, data, size] = arguments;
const bytes = size ? new Uint8Array(size) : Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], name));
const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
document.body.dispatchEvent(new DragEvent('drop', how));
"""


HARM = "document.title = 'caught'"
MARKUP = f'<img src=x onerror="{HARM}"><script>{HARM}</script>'
ADDRESSES = {
    "#s=<img onerror>31P": ("s", "<img onerror>31P"),
    f"#s=<img src=x onerror={HARM}": ("s", "<img src=x"),
    "#s=%E0%A4%A": ("s", "%E0%A4%A"),
    "#play=" + "31P-" * 25_000: ("play", "31P-31P"),
    "#match=x": ("match", ""),
    "#alphabet=<img src=x>": ("alphabet", ""),
    "#alphabet=%E0%A4%A": ("alphabet", ""),
    "#letters=x": ("letters", ""),
    "#edit=<img src=x>": ("edit", ""),
    "#unknown=31P": ("s", ""),
    "#constructor=31P": ("s", ""),
    "#toString": ("s", ""),
}
WATCH = """
window.longest = 0;
let before = performance.now();
window.watch = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - before);
  before = now;
}, 20);
"""


def hostile_input(visitor: Visitor) -> None:
    """Markup and 100 kB in every input: nothing is run, and the page never hangs."""
    visitor.run(WATCH)
    for address, (view, text_of_field) in ADDRESSES.items():
        visitor.run("location.hash = arguments[0]", address)
        visitor.until("document.documentElement.dataset.view === arguments[0]", view)
        if view in {"s", "play"}:
            field = visitor.run("return document.querySelector('#text').value")
            assert field.startswith(text_of_field), address
    visitor.run("location.hash = 's='")
    field = visitor.find("#text")
    for text, message in (
        (f'31P <img src=x onerror="{HARM}"', "found '<'"),
        ("<i" * 50_000, "found '<'"),
        ("31P-" * 25_000, "no such play"),
        ("(" * 100_000, "found '('"),
    ):
        visitor.run("arguments[0].focus(); arguments[0].select()", field)
        visitor.run("document.execCommand('insertText', false, arguments[0])", text)
        visitor.shows("#wrong", message)
    visitor.run("location.hash = 'read'")
    for text in (MARKUP * 1000, "<i" * 50_000, "(" * 100_000):
        visitor.run("document.querySelector('#post').value = arguments[0]", text)
        visitor.find("#pasting button").click()
        visitor.shows("#found", "No Nactation found.")
        visitor.run("document.querySelector('#found').textContent = ''")
    hostile = MATCH.replace(b"Ann", MARKUP.encode()).replace(b"Ben", b"</title>" * 12_000)
    visitor.run(DROPPED, f"{MARKUP}.mat", base64.b64encode(hostile).decode())
    visitor.shows("#outcome", "onerror")
    visitor.shows("#analysis", "Analysed at 0-ply")
    with visitor.inside("iframe"):
        visitor.until("document.querySelector('#what')?.textContent")
        assert visitor.run("return [document.title === 'caught', document.images.length]") == [
            False,
            0,
        ]
    assert visitor.run("return document.title") == "Nactation playground"
    assert not visitor.all("main img")
    assert visitor.run("clearInterval(watch); return longest") < 5000  # a page that is frozen


def as_the_command_line(visitor: Visitor) -> None:
    """All samples: text, SGF and page."""
    for path in sorted(SAMPLES.iterdir()):
        data = path.read_bytes()
        for form in ("text", "sgf"):
            output = base64.b64decode(visitor.ask("export_match", form, data=data)).decode()
            assert output == run("annotate", "--to", form, path).out, (path, form)
        page = visitor.ask("match", data=data)["page"]
        assert page == run("annotate", "--to", "html", path).out, path


def as_the_tutorial(visitor: Visitor) -> None:
    """In 200 diagrams of the tutorial, the play has the printed character."""
    by_rule = {"strict", "style", "symbol", "numeral"}
    cases = [case for case in read_cases() if case.play and case.kind in by_rule][:200]
    plays = [[format_xgid(GameState(case.position)), case.roll, case.play] for case in cases]
    views = visitor.ask_all("explain_play", plays)
    assert len(views) == 200
    for case, view in zip(cases, views, strict=True):
        assert case.nactation in {name["look"]["name"] for name in view["names"]}, case


def a_sample_by_its_address(visitor: Visitor, address: str) -> None:
    """Its page has the keyboard focus; a link there opens the position in the playground."""
    name = "match-3pt-analysed.sgf"
    visitor.run("location.hash = arguments[0]", f"match={name}")
    visitor.shows("#outcome", "Alice - Bob, 3 point match")
    visitor.until("document.activeElement.tagName === 'IFRAME'")
    assert "no analysis" not in visitor.text("#outcome")
    copies = []
    for kind in ("xgid", "link"):
        with visitor.inside("iframe"):
            visitor.until("document.querySelector('#what')?.textContent")
            visitor.open_menus()
            by_mouse(visitor, visitor.find(f"[data-copy={kind}]"))
            visitor.until("document.querySelector('#copied').textContent === 'Copied'")
            visitor.run("document.querySelector('#copied').textContent = ''")
        copies.append(clipboard(visitor))
    assert copies[1] == f"{address}#s={copies[0]}"
    visitor.press(Keys.ARROW_RIGHT)
    assert visitor.text("#sample option:checked").startswith(name)
    assert visitor.anchor == f"#match={name}"


def embedding(visitor: Visitor, served: Served, axe: str) -> str:
    """The copied frame shows and steps through a sequence in another page, without Python.

    Return its address.
    """
    visitor.visit(f"{served.address}#s=54S-63R-31P")
    visitor.shows("#why", "preferred: a point made")
    visitor.menu(by_mouse, "#more")
    visitor.use(by_mouse, "#copies button", "Copy embed")
    code = copied(visitor)
    head = '<meta name=viewport content="width=device-width"><link rel=icon href="data:,">'
    blog = f"<!doctype html><html lang=en><title>Blog</title>{head}<main><h1>Blog</h1>{code}</main>"
    (served.folder / "blog.html").write_text(blog, encoding="utf-8")
    visitor.size(320, 640)
    visitor.visit(f"{served.address.removesuffix('some/where/')}blog.html")
    frame = visitor.find("iframe")
    visitor.browser.switch_to.frame(frame)
    assert _current(visitor) == "31P"
    last = visitor.text("#standing")
    x, _, width, height = visitor.box(visitor.find("#board"))
    assert 0 <= x <= x + width <= 304
    assert width >= 200 <= height
    clicked = (
        "document.querySelector('#board').dispatchEvent(new MouseEvent('click', {{clientX: {}}}))"
    )
    visitor.run(clicked.format(x + width / 4))
    assert _current(visitor) == "63R"
    assert visitor.text("#standing") != last
    visitor.run(clicked.format(x + width * 3 / 4))
    assert (_current(visitor), visitor.text("#standing")) == ("31P", last)
    visitor.find("#back").send_keys(Keys.HOME)
    assert _current(visitor) == "54S"
    assert not visitor.find("#back").is_enabled()
    assert (
        visitor.run("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    )
    assert visitor.run("return document.documentElement.scrollWidth <= innerWidth")
    link = visitor.find("#open")
    assert link.get_attribute("href") == f"{served.address}#s=54S-63R-31P"
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    address = str(visitor.run("return location.href"))
    names = visitor.run("return performance.getEntriesByType('resource').map(({name}) => name)")
    assert any(name.endswith("/embed.js") for name in names)
    assert not [name for name in names if re.search("pyodide|package.zip|worker|engine", name)]
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    visitor.browser.switch_to.default_content()
    visitor.size(*DESKTOP)
    # Without the turns Python works them out, and the same view follows.
    visitor.visit(f"{served.address}#embed=54S-63R-31P")
    visitor.until("document.querySelector('#tokens [aria-current]')")
    assert visitor.run("return location.href").replace("&", "&amp;") in code
    visitor.visit(f"{served.address}embed.html#embed=31P&turns=<b>,31P,8/5")
    visitor.until("document.querySelector('#tokens [aria-current]')?.textContent === '31P'")
    visitor.visit(f"{served.address}#s=31P")
    visitor.python("ready")
    return address


def _current(visitor: Visitor) -> str:
    return visitor.text("#tokens [aria-current]")


def remarks(visitor: Visitor) -> None:
    """The page shows the first five remarks of the command line."""
    game = " Game {}\n Ann : 0   Ben : 0\n  1) 31: 24/14    52: 13/11 13/8\n Wins 1 point\n"
    match = "; no match\n 0 point match\n\n" + "\n".join(game.format(n + 1) for n in range(7))
    visitor.run(DROPPED, "many.mat", base64.b64encode(match.encode()).decode())
    visitor.shows("#outcome", "and 2 more")
    assert "line 6, 1.1a: '24/14' is not a legal play of 31" in visitor.text("#outcome")
    visitor.shows("#analysis", "Analysed at 0-ply")
    assert visitor.anchor == "#match"


def boards_of_posts(visitor: Visitor) -> None:
    """Shows the last turn of a sequence, the best play of a nacbrac, or the starting position."""
    opened(visitor, by_mouse, "Read")
    post, button = visitor.find("#post"), visitor.find("#pasting button")

    by_mouse(visitor, visitor.find("#example"))
    visitor.shows("#found", "5 items found")

    def read(text: str) -> None:
        visitor.run("arguments[0].value = arguments[1]", post, text)
        by_mouse(visitor, button)

    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    read(f"{position} X to play 31. And 54S-63R-31 [P H76 @79]")
    for begin, message in ("54S", "White to play 31"), ("[P", "White plays 31P 8/5 6/5"):
        visitor.use(by_mouse, ".post button", begin)
        visitor.shows("#doing", message)
    visitor.use(by_mouse, ".post button", position)
    assert visitor.text("#doing") == "White to play 31"
    opened(visitor, by_mouse, "Alphabet")
    opened(visitor, by_mouse, "Read")
    assert visitor.text("#doing") == "White to play 31"
    read("of no interest")
    visitor.shows("#found", "No Nactation found")
    assert visitor.text("#doing") == "Starting position"


def searching(visitor: Visitor) -> None:
    """Search for words in any order, for a dot, for the cube; a row is below the board."""
    visitor.size(*PHONE)
    visitor.run("location.hash = 'alphabet=H'")
    visitor.until("document.querySelector('[data-key=H][aria-pressed=true]')")
    row, stage = (
        visitor.run("const { top, bottom } = arguments[0].getBoundingClientRect();"
                    "return [top, bottom]", visitor.find(selector))
        for selector in ("[data-key=H]", "#stage")
    )  # fmt: skip
    assert stage[0] == pytest.approx(0, abs=1)
    assert stage[1] <= row[0] < row[1] <= PHONE[1]
    search = visitor.find("#search")
    for text, letters in {"two points": "&=", "opening": "RDSZP$", "cube": ""}.items():
        search.send_keys(EVERYTHING + text)
        keys = [row.get_attribute("data-key") for row in visitor.all("#families button")]
        assert keys == list(letters)
    assert visitor.find("#cubes").is_displayed()
    search.send_keys(EVERYTHING + ".")
    keys = [str(row.get_attribute("data-key")) for row in visitor.all("#families button")]
    assert keys == [row.key for row in FAMILIES if row.suffix == "."]
    search.send_keys(EVERYTHING + Keys.BACKSPACE)
    by_mouse.choose(visitor, visitor.find("#scope"), "the first 5 letters")
    assert visitor.text("#count") == "5 characters"
    visitor.size(*DESKTOP)


def counting(visitor: Visitor, address: str) -> None:
    """Answers count, also after a reload, unless they are not letters."""
    opened(visitor, by_mouse, "Which letter?")
    by_mouse(visitor, visitor.find("#reset"))
    visitor.until("document.querySelectorAll('#choices button').length > 1")
    right = next(
        item["right"] for item in quiz() if visitor.text("#question").startswith(
            f"{item['roll']}: {item['said']}."
        )
    )  # fmt: skip
    answer = visitor.find("#answer")
    answer.send_keys("hello" + Keys.ENTER)
    visitor.shows("#verdict", "this does not count")
    assert visitor.text("#score") == "0 right, 0 wrong"
    wrong = visitor.find(f'#choices button:not([data-choice="{right}"])')
    by_mouse(visitor, wrong)
    visitor.shows("#verdict", "All names of this play")
    visitor.size(360, 640)
    for part in ("#choices", "#verdict", "#next"):
        _, top, _, height = visitor.box(visitor.find(part))
        assert 0 <= top <= top + height <= 640, part
    visitor.size(*DESKTOP)
    assert re.search(r"\d\dS? ?\S+ (would be|names no play here)", visitor.text("#verdict"))
    assert wrong.get_attribute("textContent").endswith("chosen")
    assert visitor.text(f'#choices [data-choice="{right}"]').endswith("right")
    visitor.visit(f"{address}#letters")
    visitor.shows("#score", "0 right, 1 wrong")
    assert visitor.text("#scope option:checked") == "the first 5 letters"


# Change a text in the kept memory, or replace it all by some bytes.
TAMPER = """
const [text, other, done] = arguments;
(async () => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const kept = async () => (await cache.keys()).find((one) => one.url.endsWith('/memory'));
  while (!(await kept())) await new Promise((seen) => { setTimeout(seen, 50); });
  const request = await kept();
  let memory = new Uint8Array(await (await cache.match(request)).arrayBuffer());
  const size = memory.length;
  const [from, to] = [text, other].map((one) => new TextEncoder().encode(one));
  for (let at = memory.indexOf(from[0]); text && at >= 0; at = memory.indexOf(from[0], at + 1)) {
    if (from.every((byte, place) => memory[at + place] === byte)) memory.set(to, at);
  }
  await cache.put(request, new Response(text ? memory : to));
  return size;
})().then(done);
"""


# Change a byte of the engine that the browser keeps.
DAMAGE = """
const [file, done] = arguments;
(async () => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const request = (await cache.keys()).find((one) => one.url.endsWith(file));
  const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
  bytes[1000] ^= 1;
  await cache.put(request, new Response(bytes));
  return true;
})().then(done, (error) => done(String(error)));
"""


def memory_is_kept(visitor: Visitor, address: str) -> None:
    """Python starts from the kept memory, or without it if that is damaged. So does the engine."""
    assert visitor.browser.execute_async_script(DAMAGE, "gnubg.wasm") is True
    changes = {
        "no such plum of 31": ("no such play of", "no such plum of"),
        "no such play of 31": ("", "damaged"),
    }
    for message, change in changes.items():
        assert visitor.browser.execute_async_script(TAMPER, *change) > 10_000_000
        visitor.visit(f"{address}#s=31Q")
        visitor.python("ready")
        visitor.shows("#wrong", message)
        visitor.shows("#nacbrac", "31 [P")
    assert all("gnubg.wasm" in complaint for complaint in visitor.complaints())
    assert visitor.browser.execute_async_script(TAMPER, "of", "of") > 10_000_000


def offline(visitor: Visitor, served: Served, embedded: str) -> None:
    """Without the server, the page, Python and the samples still work."""
    served.close()
    visitor.visit(f"{served.address}#edit={ACE_POINT}")
    visitor.python("ready")
    visitor.shows("#ids", ACE_POINT)
    assert visitor.run("return document.documentElement.dataset.board") == list(BOARDS)[-1]
    assert visitor.browser.execute_cdp_cmd("Page.getInstallabilityErrors", {}) == {
        "installabilityErrors": []
    }
    visitor.run("location.hash = 'openings=31P-42'")
    visitor.shows("#closeness", "Clear: P")
    visitor.run("location.hash = 'train'")  # the answers of the visit before
    visitor.shows("#due", "0 due, 17 new")
    handouts(visitor)
    visitor.visit(embedded)
    assert _current(visitor) == "31P"
    visitor.visit(f"{served.address}#s=43Z-32H")
    visitor.python("ready")
    visitor.shows("#turns", "32H13/10 6/4*")
    visitor.shows("#depth", "2-ply")
    assert visitor.text("#nacbrac").startswith("43Z-32 [")
    opened_to_choose(visitor, by_mouse)
    choose_sample(visitor, by_mouse, "match-1pt.mat")
    visitor.shows("#analysis", "Analysed at 0-ply")
    with visitor.inside("iframe"):
        visitor.use(by_mouse, "#games a", "Quiz")
        visitor.until("document.querySelector('#answer')")


def handouts(visitor: Visitor) -> None:
    """The replies to 31P for Anki, and the chart, whose frame may have its style."""
    _asked(visitor)  # after which nothing moves
    keep_saved_files(visitor)
    by_finger(visitor, visitor.find("#take-cards"))
    text = saved(visitor, "openings-31P-money.txt").decode()
    assert text.startswith("#separator:Comma")
    assert text.count("<svg") == 21
    visitor.run("location.hash = 'openings=31P%20dmp'")
    visitor.shows("#doing", "Black to roll")
    by_finger(visitor, visitor.find("#take-chart"))
    visitor.use(by_finger, "#chart button", "Save page")
    page = saved(visitor, "openings-dmp.html").decode()
    assert page == run("replies", "--engine", "book", "--score", "dmp", "--to", "html").out
    with visitor.inside("#chart iframe"):
        cell = visitor.find("td.far")  # coloured by the style of the chart
        assert visitor.run("return getComputedStyle(arguments[0]).borderTopStyle", cell) == "solid"


def stopping(visitor: Visitor) -> None:
    """A match of five megabytes keeps Python busy, but not the page."""
    match = (SAMPLES / "match-7pt.mat").read_bytes()
    many = base64.b64encode(match * (5_000_000 // len(match))).decode()
    visitor.run(DROPPED, "many.mat", many)
    visitor.shows("#what", "Working")
    visitor.find("#stop").click()
    visitor.shows("#outcome", "many.mat was not read: Python was stopped")
    visitor.python("starting")


# Features that a browser may lack or refuse, removed before the page loads.
NO_STORAGE = """
const refuse = (place, ...names) => names.forEach((name) => Object.defineProperty(place, name, {
  get() { throw new DOMException('refused', 'SecurityError'); },
}));
refuse(window, 'localStorage', 'sessionStorage', 'caches', 'indexedDB');
refuse(Navigator.prototype, 'clipboard');
"""
# A worker without Python, with a fixed answer.
WORKER = """
window.ended = 0;
window.Worker = class {
  constructor(_, { type }) {
    if (type === 'module') setTimeout(() => this.onmessage({ data: { kind: 'ready' } }));
  }
  postMessage({ id, name }) {
    const data = { kind: 'answer', id, text: TYPED };
    if (name === 'read_text') setTimeout(() => this.onmessage({ data }));
  }
  terminate() { ended += 1; }
};
// Skip timeouts of seconds.
const later = setTimeout;
window.setTimeout = (does, time, ...given) => (time >= 5000 ? 0 : later(does, time, ...given));
"""
IMPOSSIBLE = {
    "delete globalThis.WebAssembly": "has no WebAssembly",
    "delete globalThis.Worker": "has no WebAssembly",
    "window.Worker = class { postMessage() {} terminate() {} }": "cannot run modules in a worker",
}
REFUSED = (
    "",
    "ServiceWorkerContainer.prototype.register = async () => { throw new DOMException('no'); };",
    "refuse(Navigator.prototype, 'serviceWorker');",
    "delete Navigator.prototype.serviceWorker;",
)


def test_what_a_browser_lacks(reader: Reader, served: Served) -> None:
    visitor = Visitor(reader)
    visitor.size(*PHONE)
    for script, message in IMPOSSIBLE.items():
        with visitor.before_each_page(script):
            impossible(visitor, served, message)
    worker = WORKER.replace("TYPED", json.dumps(handle("read_text", '["31P"]')))
    served.broken.append("money.mat")  # so that the service worker gives up
    for script in REFUSED:
        with visitor.before_each_page(f"{worker}\n{NO_STORAGE}\n{script}"):
            refused(visitor, served)
    served.broken.clear()
    with visitor.before_each_page(worker):
        full(visitor, served)
        for size in SIZES:
            visitor.size(*size)
            for manner in MANNERS:
                visitor.until("!document.querySelector('#stop').hidden")
                ended = visitor.run("return ended")
                for _ in range(5):  # a busy machine may make a long press of a tap
                    if visitor.run("return ended") == ended:
                        manner(visitor, visitor.find("#stop"))
                        visitor.wait(200)
                visitor.until("ended > arguments[0]", ended)


def impossible(visitor: Visitor, served: Served, message: str) -> None:
    """If a browser cannot run Python, the page explains why; the alphabet works."""
    visitor.visit(f"{served.address}#alphabet")
    visitor.python("impossible")
    assert message in visitor.text("#what")
    assert not visitor.find("#retry").is_displayed()
    assert len(visitor.all("#families li")) > 50
    opened(visitor, by_mouse, "Type")
    visitor.find("#text").send_keys("31P")
    opened(visitor, by_mouse, "Read")
    visitor.find("#post").send_keys("31P")
    visitor.find("#pasting button").click()
    visitor.shows("#found", "could not be loaded")


def refused(visitor: Visitor, served: Served) -> None:
    """Python starts without storage, and a text that cannot be copied is shown."""
    visitor.visit(f"{served.address}#s=31P")
    visitor.python("ready")
    visitor.open_menus()
    visitor.use(by_mouse, "#copies button", "Copy sequence")
    visitor.until("document.querySelector('#said').textContent === '31P'")


def full(visitor: Visitor, served: Served) -> None:
    """The page gets files that the browser has no room to keep."""
    origin = served.address.split("/some/")[0]
    quota = {"origin": origin, "quotaSize": 3_000_000}
    visitor.browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", quota)
    visitor.visit(f"{served.address}#s=31P")
    visitor.until("navigator.serviceWorker.controller")
    wasm = next(Path(served.folder).rglob("pyodide.asm.wasm"))
    size = visitor.browser.execute_async_script(
        "const [url, done] = arguments; fetch(url).then((found) => found.arrayBuffer())"
        ".then((bytes) => done(bytes.byteLength), done)",
        f"{wasm.parent.name}/{wasm.name}",
    )
    assert size == wasm.stat().st_size
    visitor.browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": origin})
