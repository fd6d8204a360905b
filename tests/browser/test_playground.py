"""The playground in a real browser: the board and sequences, by mouse, keys and finger."""

from __future__ import annotations

import os
from urllib.parse import quote

import pytest

from gnubg_nactation.backgammon.ids import format_gnubg_id, format_position_id, format_xgid
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.scores import Place, ScoreTable
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.exports.board import BOARDS, PALETTES, Layout, board_svg
from gnubg_nactation.exports.scores import labels, labels_of, place_at, shown_cell
from gnubg_nactation.exports.scores import summary as sentence_of
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.scores import ScoresSettings, scores
from tests.browser.test_answers import arrows
from tests.cli.running import SAMPLES, run
from tests.engines.built import FOLDER

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import (
    ACE_POINT,
    DESKTOP,
    EVERYTHING,
    PHONE,
    TARGETS,
    Size,
    check_layout,
    copied,
    enter,
    job,
    making_the_point,
    nacbrac,
    nacbrac_of,
    opened,
    saved,
    uses,
)
from tests.browser.visitor import Manner, Served, Visitor, by_finger, by_keys, by_mouse


@uses(keys=PHONE)
def test_typing(visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size) -> None:
    """A sequence whose last play is chosen from the legal plays; its nacbrac and its copies."""
    enter(visitor, f"{playground.address}#alphabet", size)
    typing(visitor, manner)
    judging(visitor, manner)
    copies(visitor, manner)
    check_layout(visitor, axe, "s")


def typing(visitor: Visitor, manner: Manner) -> None:
    with job(visitor, manner, "type a game and see why"):
        opened(visitor, manner, "Board")
        visitor.write(manner, "#text", EVERYTHING + "54S-63R-31")
        visitor.shows("#turns", "31to be played")
        visitor.shows("#depth", "2-ply")  # after which the order stays
        assert visitor.text("#all-plays") == "All 15 plays"
        assert visitor.text("#why") == "Choose a play to see why it has its letter."
        assert plays_in_sight(visitor) >= 4
        visitor.use(manner, "#options button", "P8/5")
        visitor.shows("#turns", "31P8/5 6/5")
        visitor.until("location.hash === '#s=54S-63R-31P'")
        visitor.shows("#why", "preferred: a point made")
    if manner is by_mouse:
        beside_the_board(visitor)
    field = visitor.find("#text")
    assert field.get_attribute("value") == "54S-63R-31P"
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
    height = top_of_board(visitor)
    field.send_keys(Keys.END + Keys.BACKSPACE + "Q")
    visitor.shows("#wrong", "-31Q no such play of 31")
    assert visitor.text("#wrong mark") == "Q"
    assert top_of_board(visitor) == height
    likely_plays(visitor, manner)
    for fix in ("tap", "type"):
        with job(visitor, manner, "fix a wrong letter"):
            if fix == "tap":
                visitor.use(manner, "#wrong .likely button", "P")
            else:
                visitor.write(manner, "#text", Keys.END + Keys.BACKSPACE + "P")
            visitor.shows("#turns", "31P8/5 6/5")
        if fix == "tap":
            field.send_keys(Keys.END + Keys.BACKSPACE + "Q")
            visitor.shows("#wrong", "-31Q no such play of 31")


def beside_the_board(visitor: Visitor) -> None:
    """Six plays, each in its own line, and the tabs below them are in sight."""
    tabs = visitor.find("#aspects .tabs")
    for window in (1024, 800), (1280, 720), DESKTOP:
        visitor.size(*window)
        assert plays_in_sight(visitor) == 6
        bottom = visitor.run("return arguments[0].getBoundingClientRect().bottom", tabs)
        assert bottom <= window[1]
        rows = visitor.all("#options li:nth-child(-n+6)")
        assert len({row.size["height"] for row in rows}) == 1


def plays_in_sight(visitor: Visitor) -> int:
    """How many plays, of the six that are listed, are whole above the places without scrolling."""
    visitor.run("scrollTo(0, 0)")
    return int(
        visitor.run(
            "const { top } = document.querySelector('#places').getBoundingClientRect();"
            "const end = innerWidth < innerHeight ? top : innerHeight;"
            "const rows = [...document.querySelectorAll('#options li')];"
            "return rows.filter((row) => row.checkVisibility()"
            " && row.getBoundingClientRect().bottom <= end).length"
        )
    )


def top_of_board(visitor: Visitor) -> float:
    visitor.run("scrollTo(0, 0)")
    return visitor.box(visitor.find("#board"))[1]


def likely_plays(visitor: Visitor, manner: Manner) -> None:
    """The best six plays are next to an error; a button unfolds all."""
    visitor.shows("#depth", "2-ply")  # after which the order stays
    assert visitor.text("#wrong .likely button") == "P 8/5 6/5"
    *likely, everything = visitor.texts("#wrong .likely button")
    assert len(likely) == 6
    assert everything == f"All {len(visitor.all('#options li'))}"
    last = visitor.find("#options li:last-child")
    assert not last.is_displayed()
    visitor.use(manner, "#wrong button", everything)
    assert last.is_displayed()


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
    for is_on in (False, True):
        manner(visitor, visitor.find("#engine"))
        assert visitor.find("#nacbrac").is_displayed() is is_on
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


@uses(keys=DESKTOP)
def test_the_board(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """Checkers are moved, and set up, with the colours that are chosen."""
    enter(visitor, f"{playground.address}#alphabet", size)
    playing(visitor, manner)
    check_layout(visitor, axe, "play")
    editing(visitor, manner)
    check_layout(visitor, axe, "edit")
    settings(visitor, manner, axe)


def playing(visitor: Visitor, manner: Manner) -> None:
    """31P with the checkers, after a roll that is chosen."""
    opened(visitor, manner, "Board")
    visitor.shows("#doing", "White to roll")
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
    assert visitor.anchor == "#s=31P"
    visitor.shows("#why", "point")
    manner(visitor, visitor.find("#undo"))
    visitor.shows("#doing", "White to play 31")
    assert visitor.find("#text").get_property("value") == "31"
    if manner.draw:
        drawing(visitor, manner)


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
    if manner is by_mouse:  # a 5, and then off with more pips than it needs
        visitor.go("s=XGID=bA----A-------------------:0:0:1:52:0:0:0:0:10")
        visitor.until("document.querySelectorAll('#board .free').length === 1")
        places = Layout(Player.FIRST, "right")
        way = places.checker(Player.FIRST, 6, 0), places.off(Player.FIRST, 0)
        visitor.drag(*(visitor.spot(*place) for place in way))
        visitor.shows("#turns", "6/off")


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


def editing(visitor: Visitor, manner: Manner) -> None:
    """Other layouts, a position that is set up, its copies, and the way to the board and back."""
    opened(visitor, manner, "Edit")
    visitor.shows("#ids", "XGID=")
    for layout in ("Nackgammon", "Clear"):
        visitor.use(manner, "#layouts button", layout)
    visitor.shows("#faults", "White has no checkers on the board: the game is over.")
    manner(visitor, visitor.find("#setup-undo"))
    visitor.shows("#standing", "2 checkers on the 23 point")
    with job(visitor, manner, "set up a position"):
        visitor.use(manner, "#layouts button", "Clear")
        set_up(visitor, manner)
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
    manner(visitor, visitor.starting("#edit-this", "Done"))
    visitor.until("location.hash === '#s=' + arguments[0]", ACE_POINT)
    visitor.shows("#doing", "White to play 64")
    manner(visitor, visitor.starting("#edit-this", "Edit"))
    visitor.shows("#ids", ACE_POINT)


def set_up(visitor: Visitor, manner: Manner) -> None:
    """White has a checker on the 5 and the ace point against two on the bar, at 3-5 to 7."""
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
            visitor.write(manner, box, EVERYTHING + text + Keys.ENTER)
            visitor.shows("#faults", fault)
        manner(visitor, visitor.find("#setup summary"))
    for box, text in (("#setup-length", "7"), ("#setup-first", "3"), ("#setup-second", "5")):
        visitor.write(manner, box, EVERYTHING + text + Keys.TAB)
    for menu, name in (("turn", "White"), ("cube", "4"), ("owner", "Black"), ("dice", "64")):
        manner.choose(visitor, visitor.find(f"#setup-{menu}"), name)


@pytest.mark.parametrize("manner", [by_mouse, by_finger], ids=lambda manner: manner.name)
def test_a_position_is_set_up_on_the_board(
    visitor: Visitor, playground: Served, manner: Manner
) -> None:
    """A tap on a name, the cube, the rail or the middle changes the field of the XGID."""
    enter(visitor, f"{playground.address}#edit=", PHONE if manner is by_finger else DESKTOP)
    places = Layout(Player.FIRST, "right")
    assert manner.touch
    start = "XGID=-b----E-C---eE---c-e----B-"
    for (x, y), fields in (
        ((100, 28), "0:0:-1:00"),  # Black is on roll
        (places.cube(None), "1:0:-1:00"),
        (places.cube(Player.FIRST), "1:1:-1:00"),
        (places.cube(Player.FIRST), "2:1:-1:00"),
        ((452, 280), "2:1:-1:44"),  # chance is one half here
        ((452, 280), "2:1:-1:00"),
        ((100, 547), "2:1:1:00"),
    ):
        manner.touch(visitor, x, y)
        visitor.shows("#ids", f"{start}:{fields}:0:0:0:0:10")


def settings(visitor: Visitor, manner: Manner, axe: str) -> None:
    """Dark or light, and another board, whose colours the drawing has."""
    visitor.menu(manner, "#settings")
    for theme in ("dark", "light"):
        manner(visitor, visitor.find("#theme"))
        visitor.until("document.documentElement.dataset.theme === arguments[0]", theme)
    for name, colours in BOARDS.items():
        by_mouse.choose(visitor, visitor.find("#boards"), name)
        assert visitor.felt == colours.get("field", PALETTES["light"]["field"])
    if manner is not by_keys:
        assert [issue["id"] for issue in visitor.violations(axe)] == []
    visitor.press(Keys.ESCAPE)
    assert visitor.find("#settings").get_attribute("open") is None


def test_a_position_without_a_roll_has_no_plays(visitor: Visitor, playground: Served) -> None:
    """The plays of the turn before are no plays of the position that is edited."""
    enter(visitor, f"{playground.address}#s=54S")
    visitor.shows("#options", "24/20 13/8")
    visitor.use(by_mouse, "#edit-this")
    visitor.shows("#optionsh", "Cube")
    assert visitor.texts("#options li") == []


def test_actions_are_undone(visitor: Visitor, playground: Served) -> None:
    """Actions can be undone, and the turns stepped through."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go("s=")
    visitor.use(by_mouse, "#intro button", "43Z")
    visitor.shows("#turns", "32to be played")
    assert not visitor.find("#intro").is_displayed()
    visitor.use(by_mouse, "#options button", "H")
    visitor.until("location.hash === '#s=43Z-32H'")
    visitor.browser.back()
    visitor.shows("#turns", "32to be played")
    visitor.browser.back()
    visitor.until("document.querySelector('#text').value === ''")
    visitor.go("s=54S-63R-31P")
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
    assert visitor.text("#optionsh") == "Cube"  # and no plays of the turn before
    assert not visitor.all("#options button")
    by_mouse(visitor, visitor.find("#back"))
    visitor.shows("#doing", "White plays 31P")
    visitor.go("play=54S-63R-31Q")
    visitor.shows("#wrong", "no such play of 31")
    assert visitor.find("#wrong").is_displayed()
    visitor.go("play=31P")
    visitor.shows("#doing", "White plays 31P")
    visitor.shows("#why", "point")
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    visitor.go(f"play={start}")
    visitor.shows("#doing", "White to play 31")
    assert not visitor.find("#undo").is_enabled()
    for point in "86":
        visitor.use(by_keys, "#sources button", point)
    visitor.until("document.querySelector('#text').value === arguments[0]", f"{start} 31P")
    visitor.shows("#standing", "163")  # the board after the play
    by_mouse(visitor, visitor.find("#undo"))
    visitor.shows("#doing", "White to play 31")


@uses(keys=DESKTOP)
def test_another_play_is_tried(
    visitor: Visitor, playground: Served, manner: Manner, size: Size
) -> None:
    """A play at an earlier turn starts another line; both can be gone to, and one removed."""
    enter(visitor, f"{playground.address}#s=54S-63R-31P", size)
    visitor.shows("#depth", "2-ply")  # after which nothing moves under a finger
    visitor.use(manner, "#turns button", "63R")
    visitor.shows("#doing", "Black plays 63R")
    visitor.shows("#options", "24/15")
    visitor.use(manner, "#all-plays")
    visitor.shows("#depth", "2-ply")  # after which the order stays
    visitor.use(manner, "#options button", "S")
    visitor.until("location.hash === '#s=54S-63S&or=54S-63R-31P'")
    visitor.shows("#turns", "63S")
    visitor.begin(visitor.run("return location.href"))  # nothing is lost by a reload
    visitor.shows("#depth", "2-ply")
    visitor.use(manner, ".branch button", "or 63R-31P")
    visitor.until("location.hash === '#s=54S-63R-31P&or=54S-63S'")
    visitor.shows("#doing", "White plays 31P")
    visitor.browser.back()
    visitor.until("document.querySelector('#text').value === '54S-63S'")
    visitor.browser.forward()
    visitor.shows(".branch", "or 63S")
    visitor.shows("#depth", "2-ply")
    visitor.use(manner, ".branch [aria-label='Remove 63S']")
    visitor.until("location.hash === '#s=54S-63R-31P'")
    assert not visitor.all(".branch")
    visitor.find("#text").send_keys("-66")
    visitor.shows("#turns", "66to be played")
    visitor.shows("#depth", "2-ply")
    with job(visitor, manner, "try another play and come back"):
        visitor.use(manner, "#turns button", "31P")
        visitor.shows("#doing", "White plays 31P")
        if manner.draw:  # 24/20 with a checker
            visitor.until("document.querySelectorAll('#board .free').length")
            manner.draw(visitor, (24, 0), (20, 1))
        else:
            for point in ("24", "21"):
                visitor.use(manner, "#sources button", point)
        visitor.until("location.hash.endsWith('&or=54S-63R-31P-66')")
        visitor.use(manner, "#undo")
        visitor.until("location.hash === '#s=54S-63R-31P-66'")


@uses(keys=PHONE)
def test_a_position_gets_its_nacbrac(
    visitor: Visitor, playground: Served, manner: Manner, size: Size
) -> None:
    """An XGID gets its nacbrac; a click between the points of an empty game rolls."""
    enter(visitor, f"{playground.address}#s=", size)
    with job(visitor, manner, "copy the nacbrac of a position"):
        visitor.write(manner, "#text", ACE_POINT)
        visitor.shows("#depth", "2-ply")
        assert visitor.text("#kind") == "position"
        manner(visitor, visitor.find("#nacbrac-copy"))
        assert copied(visitor).endswith(nacbrac_of(ACE_POINT))
    if manner.touch:
        visitor.go("s=")
        visitor.shows("#doing", "White to roll")
        manner.touch(visitor, 168, 280)  # the middle of the board
        visitor.shows("#doing", "White to play 54")


def test_the_first_screen(visitor: Visitor, playground: Served) -> None:
    """A position with its best plays and three ways on, without Python; then what is typed."""
    with visitor.before_each_page("delete globalThis.WebAssembly"):
        visitor.begin(playground.address)
        visitor.python("impossible")
        assert visitor.text("#doing") == "White to play 31"
        assert visitor.text("#options li").startswith("P8/5 6/5")
        assert [
            visitor.text(f"#options li:nth-child(2) .rating {part}") for part in ("b", "b + *")
        ] == [
            "+.136",
            "\u2212.076",
        ]
        assert len(visitor.all("#welcome a")) == 3
        visitor.until("document.querySelectorAll('#board .free').length")
    visitor.size(*PHONE)
    visitor.begin(playground.address)
    visitor.python("ready")
    assert visitor.anchor == ""
    visitor.shows("#depth", "2-ply")
    assert plays_in_sight(visitor) >= 3
    by_mouse(visitor, visitor.find("#welcome .primary"))
    visitor.until("document.querySelector('#welcome').hidden")
    assert visitor.find("#text").get_property("value") == ""


# What the system asks for, the size of letters, the size of the window, and the board.
LOOKS = {
    "dark": ({"prefers_color_scheme": "dark"}, 16, DESKTOP, "usual"),
    "contrast": ({"prefers_contrast": "more"}, 32, PHONE, "high contrast"),
}
ANCHORS = {
    "s=54S-63R-31P": "#depth",
    "edit=54S-63R-31": "#depth",
    "read": "#pasting",
    "write": "#head",
    "match=match-3pt-analysed.sgf": "#summary .figures",
    "match=match-3pt-analysed.sgf&at=1.6b": "#beside-match .options",
    "match=match-3pt-analysed.sgf&at=quiz": "#match-guesses button",
    "openings=31P-42": "#book-plays button",
    "learn": "#lessons a",
    "ten": "#first-letters svg",
    "alphabet": "#families button",
    "letters": "#choices button",
    "train": "#guesses button",
}


# A view has been opened, not only what it shares with the one before.
IN_VIEW = (
    "document.documentElement.dataset.view === arguments[0]"
    " && document.querySelector(arguments[1])?.checkVisibility()"
)


@pytest.mark.parametrize("look", LOOKS)
def test_everybody_can_use_each_view(
    visitor: Visitor, axe: str, playground: Served, look: str
) -> None:
    """In the dark, and with high contrast and letters of twice the size."""
    wishes, letters, size, board = LOOKS[look]
    enter(visitor, f"{playground.address}#learn", size)
    visitor.media(prefers_reduced_motion="reduce", **wishes)
    if look == "dark":  # nobody has chosen a board
        assert visitor.run("return document.documentElement.dataset.board") == board
        assert visitor.felt == BOARDS["night"]["field"]
    visitor.run("document.documentElement.dataset.board = arguments[0]", board)
    with visitor.letters(letters):
        visitor.run("document.querySelector('#stop').hidden = false")  # as while Python is busy
        check_layout(visitor, axe, "at work")
        for anchor, shown in ANCHORS.items():
            visitor.go(anchor)
            visitor.until(IN_VIEW, anchor.partition("=")[0], shown)
            check_layout(visitor, axe, anchor)


# Paste a text and its HTML into the field.
PASTED = """
const transfer = new DataTransfer();
transfer.setData('text/plain', arguments[0]);
const paste = { clipboardData: transfer, bubbles: true, cancelable: true };
document.querySelector('#text').dispatchEvent(new ClipboardEvent('paste', paste));
"""


def test_anything_is_pasted(visitor: Visitor, playground: Served) -> None:
    """The field takes a game of several lines, a post, and a match."""
    enter(visitor, f"{playground.address}#s=")
    visitor.run(PASTED, "54S-63R\n31P")
    visitor.shows("#turns", "31P8/5 6/5")
    assert visitor.text("#kind") == "game"
    visitor.run(PASTED, "He played 43Z-32H-54 here.\nAnd 31P-63R there?")
    visitor.shows("#found", "2 items found")
    assert visitor.text("#kind") == "post, 2 found"
    visitor.find("#text").send_keys("-31P")  # of the game before
    visitor.until("document.documentElement.dataset.view === 's'")
    visitor.run(PASTED, (SAMPLES / "match-1pt.mat").read_text("utf-8"))
    visitor.shows("#outcome", "Alice - Bob, 1 point match")
    visitor.shows("#summary", "PR of Alice")


# Step back, and count the checkers that move.
GLIDES = """
document.querySelector('#back').click();
return document.querySelector('#board').getAnimations({ subtree: true }).length;
"""


def test_checkers_glide(visitor: Visitor, playground: Served) -> None:
    """The checkers of a play glide, unless motion is reduced; a held one shows where it can go."""
    enter(visitor, f"{playground.address}#alphabet")
    for wish, count in (("no-preference", 1), ("reduce", 0)):
        visitor.go("s=")
        visitor.go("s=54S-63R-31P")
        visitor.shows("#doing", "White plays 31P")
        visitor.media(prefers_reduced_motion=wish)
        assert visitor.run(GLIDES) == count  # Black's 24/15
    visitor.go("play=31")
    visitor.shows("#doing", "White to play 31")
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


def test_quick_clicks(visitor: Visitor, playground: Served) -> None:
    """A click acts on the current text, even if Python has not read it yet."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go("play=")
    visitor.shows("#doing", "White to roll")
    visitor.run(CLICKS, [("dice", "Roll"), ("dice", "Roll")])
    visitor.shows("#doing", "White to play 54")
    assert visitor.anchor == "#s=54"
    played = [("sources", "8"), ("sources", "6")]
    for clicks, text in (
        ([*played, ("table", "Undo")], "31"),
        ([*played, ("dice", "6"), ("dice", "4")], "31P-64"),
    ):
        # By way of a board without free checkers, lest those of the last text be taken for these.
        visitor.go("play=")
        visitor.shows("#doing", "White to roll")
        visitor.go("play=31")
        visitor.until("document.querySelectorAll('#board .free').length === 15")
        visitor.starting("#sources button", "8")
        visitor.run(CLICKS, clicks)
        visitor.until("document.querySelector('#text').value === arguments[0]", text)
        visitor.shows("#turns", "64to be played" if "64" in text else "31")
        assert visitor.anchor == f"#s={text}"


def test_ends_of_games(visitor: Visitor, playground: Served) -> None:
    """The board shows what to do when no checker can move, and keeps the focus of the keyboard."""
    enter(visitor, f"{playground.address}#alphabet")
    off = "-A----------------------b-"
    visitor.go(f"play=XGID={off}:0:0:1:21:0:0:0:0:10")
    visitor.shows("#doing", "White to play 21")
    visitor.use(by_keys, "#sources button", "1")
    visitor.shows("#sources", "The game is over")
    assert not visitor.find("#dice button").is_enabled()
    assert visitor.run("return document.activeElement.id") == "undo"
    by_mouse(visitor, visitor.find("#undo"))
    closed = "aBBBBBB------------b------"
    visitor.go(f"play=XGID={closed}:0:0:-1:66:0:0:0:0:10")
    visitor.use(by_mouse, "#sources button", "fan")
    visitor.shows("#doing", "White to roll")
    visitor.go(f"play=XGID={off}:0:0:1:D:3:5:0:7:10")
    visitor.use(by_mouse, "#sources button", "take")
    visitor.shows("#turns", "Ttake")
    visitor.go("play=54S-63R-31")
    visitor.shows("#turns", "31to be played")
    for point in "86":
        visitor.use(by_keys, "#sources button", point)
    visitor.until("document.activeElement.textContent === 'Roll'")
    assert visitor.text("#doing") == "Black to roll"
    assert visitor.text("#optionsh") == "White\u2019s 31"  # whose plays are listed
    visitor.go("play=N ")
    visitor.shows("#turns", "White to roll")
    assert not visitor.text("#wrong")
    visitor.shows("#standing", "on the 23 point")
    visitor.go("s=XGID=0")
    visitor.shows("#wrong", "not an XGID")
    assert not visitor.find("#copies").is_displayed()
    assert not visitor.all("#options button")


def test_suggestions(visitor: Visitor, playground: Served) -> None:
    """A wrong text has suggestions; doubles and fans have their answers."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go("s=31: 8-5 6-5")
    visitor.use(by_mouse, "#wrong button", "31P")
    visitor.shows("#doing", "White plays 31P")
    many = "Why not 54S-63R here, or 43Z-32H there?"
    visitor.go(f"s={quote(many)}")
    visitor.use(by_mouse, "#wrong a", "Read this as a post")
    visitor.shows("#found", "2 items found")
    board = "-b----E-C---eE---c-e----B-:0:0:1"
    visitor.go(f"s=XGID={board}:D:3:5:0:7:10")
    visitor.shows("#doing", "White doubles: Black to take or drop")
    visitor.use(by_mouse, "#options button", "T")
    visitor.shows("#doing", "Black: take")
    visitor.go("s=XGID=------EDE--------c-bbbbbbA:0:0:1:31:0:0:0:0:10")
    visitor.use(by_mouse, "#options button", "^")
    visitor.shows("#turns", "Black to roll")


@pytest.mark.parametrize(
    ("manner", "size"), [(by_finger, PHONE), (by_mouse, DESKTOP)], ids=["finger", "mouse"]
)
def test_every_score(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """The table of all scores is that of the task; a deeper one stops, and another text ends it."""
    enter(visitor, f"{playground.address}#s=21", size)
    visitor.shows("#depth", "2-ply")  # then nothing moves the tab
    visitor.use(manner, "#tab-all-scores")
    visitor.shows("#all-scores", "Look deeper")
    engine = open_compiled(FOLDER)
    table = scores(GameState(roll=Roll(2, 1)), ScoresSettings(plies=0), Library(engine))
    engine.close()
    visitor.shows("#all-scores p", sentence_of(table))
    titles = "return [...document.querySelectorAll('#all-scores td[title]')].map((td) => td.title)"
    assert visitor.run(titles) == [shown_cell(table, place).words for place in row_by_row(table)]
    check_layout(visitor, axe, "scores")
    ask_where_it_changes(visitor, axe, manner, table)
    visitor.use(manner, "#all-scores button", "Look deeper")
    visitor.shows("#all-scores .row", " of 99")
    visitor.use(manner, "#all-scores button", "Stop")
    visitor.shows("#all-scores .row", "Go on")
    visitor.go("s=54S-63R-31")
    visitor.shows("#all-scores", "8/5 6/5 best at 9")
    visitor.shows("#all-scores", "Look deeper")
    assert len(visitor.run(titles)) == 97
    visitor.run("document.querySelector('#tab-why').click()")


def ask_where_it_changes(visitor: Visitor, axe: str, manner: Manner, table: ScoreTable) -> None:
    """The quiz of a table counts the changes that are found; close scores count neither way."""
    cells = {place: shown_cell(table, place) for place in row_by_row(table)}
    clear = {place: cell.differs for place, cell in cells.items() if len(cell.letters) == 1}
    close = next(place for place in cells if place not in clear)
    change, other = (
        next(place for place in clear if clear[place] is is_it) for is_it in (True, False)
    )
    visitor.use(manner, "#all-scores button", "Quiz")
    visitor.shows("#all-scores p", "At which scores is something else best?")
    assert not visitor.all("#all-scores td[title], #all-scores td .glyph")
    check_layout(visitor, axe, "the quiz of scores")
    for place in (change, other, close):
        own, opponent = labels_of(place)
        name = f"you need {own}, the opponent {opponent}"
        visitor.use(manner, f"#all-scores td button[aria-label='{name}']")
    assert len(visitor.all("#all-scores td [aria-pressed=true]")) == 3
    visitor.use(manner, "#all-scores button", "Show the letters")
    visitor.shows("#all-scores p", f"1 of {sum(clear.values())} changes found; 1 wrong")
    marks = [len(visitor.all(f"#all-scores td.{name}")) for name in ("found", "mistaken", "missed")]
    assert marks == [1, 1, sum(clear.values()) - 1]
    assert len(visitor.all("#all-scores td[title]")) == len(cells)


def row_by_row(table: ScoreTable) -> list[Place]:
    names = labels(table.cells)
    return [place for row in names for column in names if (place := place_at(row, column))]


def test_judgements(visitor: Visitor, playground: Served) -> None:
    """What is judged, the end of a search, and what is assumed."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go("s=31P")
    visitor.shows("#nacbrac", "31 [P")
    visitor.go("s=XGID=-A------------------------:0:0:1:00:0:0:0:0:10")
    visitor.shows("#judgement", "the game is over")
    visitor.go("s=41S-62")
    button = "document.querySelector('#deepening button')"
    is_judged = "document.querySelector('#depth').textContent.endsWith('0-ply')"
    visitor.until(f"(() => {{ if ({is_judged}) {button}.click(); return {is_judged}; }})()")
    assert not visitor.find("#deepening").is_displayed()
    visitor.wait(600)
    assert visitor.text("#depth").endswith("0-ply")
    visitor.go("s=31")
    visitor.shows("#depth", "2-ply")
    visitor.find("#text").send_keys("P")
    visitor.shows("#doing", "8/5 6/5")
    assert visitor.text("#depth").endswith("2-ply")  # the letter changes nothing
    visitor.go("s=")
    visitor.until("document.querySelector('#equities').hidden")  # nothing to judge yet
    visitor.go("s=62S-55H")
    visitor.shows("#turns", "assumed")
    by_mouse(visitor, visitor.find("#assumed"))
    visitor.shows("#resolved", "55H: 13/3 8/3 6/1*")
    by_mouse(visitor, visitor.find("#resolved button"))
    visitor.shows("#doing", "13/3 8/3 6/1*")
    visitor.until("!document.querySelector('#turns').textContent.includes('assumed')")
    for link, name in (("source", "gnubg_1.07.001.orig.tar.gz"), ("scripts", "source.tar.gz")):
        address = visitor.find(f"#engine-{link}").get_attribute("href")  # for the GPL
        assert address.endswith(name)
    fetched = "fetch(arguments[0]).then(({ ok }) => arguments[1](ok))"
    assert visitor.browser.execute_async_script(fetched, address)
