"""What the stations of a visit to the playground share.

Each station is a test that starts from an address, with nothing stored but the files that the
browser keeps of the playground, among them the memory of a Python that has started.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache

import pytest
from selenium.webdriver.common.keys import Keys

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import nacbrac_text
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.nacbracs import judge, judge_cube
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.exports.board import Layout
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.study import CLOSE
from tests.browser.visitor import VIEWS, Manner, Visitor, at_place, by_finger, by_keys, by_mouse
from tests.engines.built import FOLDER

PHONE, DESKTOP = (390, 844), (1280, 800)
Size = tuple[int, int]


# The most taps or clicks that a job may take, and the most keys; what is typed does not count. Keys
# are half as many again as usual, since stops of Tab may appear while somebody is on the way.
JOBS = {
    "type a game and see why": (3, 42),
    "copy the nacbrac of a position": (2, 38),
    "fix a wrong letter": (1, 12),
    "try another play and come back": (3, 80),
    "set up a position": (23, 70),
    "find where a match was lost": (3, 78),
    "answer a question of the quiz": (4, 48),
    "write down five turns": (15, 22),
    "train three replies": (7, 27),
    "read a post": (6, 35),
}


TARGETS = {"mouse": "reddit", "keys": "discord", "finger": "bbcode"}


ACE_POINT = "XGID=bA---A--------------------:2:-1:1:64:3:5:0:7:10"
EVERYTHING = Keys.CONTROL + "a" + Keys.NULL


def uses(*, keys: Size) -> pytest.MarkDecorator:
    """A finger on a phone, a mouse at a desk, and a keyboard at a size."""
    ways = [(by_finger, PHONE), (by_mouse, DESKTOP), (by_keys, keys)]
    names = [manner.name for manner, _ in ways]
    return pytest.mark.parametrize(("manner", "size"), ways, ids=names)


@contextmanager
def job(visitor: Visitor, manner: Manner, name: str) -> Iterator[None]:
    """Something a user does, which may not become longer."""
    before = visitor.effort
    yield
    effort = visitor.effort - before
    touches, keys = JOBS[name]
    assert effort <= (touches if manner.touch else keys), f"{effort} to {name}"


def enter(visitor: Visitor, address: str, size: Size = DESKTOP) -> None:
    """Open an address of the playground, and wait for Python."""
    visitor.size(*size)
    visitor.begin(address)
    visitor.python("ready")


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


def opened(visitor: Visitor, manner: Manner, name: str) -> None:
    view, place, way = VIEWS[name]
    manner(visitor, visitor.find(f"#places [data-place={place}]"))
    visitor.until("document.documentElement.dataset.place === arguments[0]", place)
    if way.startswith("#more"):
        visitor.menu(manner, "#more")
    if way:
        manner(visitor, visitor.find(way))
    visitor.until("document.documentElement.dataset.view === arguments[0]", view)


# The stops of Tab that are neither below the one before nor to its right, with that one. What is
# hidden from view until Tab reaches it has no place, nor has the row at the bottom of a phone.
DISORDER = """
const names = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';
const isStop = (one) => one.tabIndex >= 0 && !one.disabled && !one.matches('.unseen')
  && one.checkVisibility({ visibilityProperty: true })
  && !(innerWidth < innerHeight && one.closest('#places'));
const seen = (one) => { // what a box that scrolls shows of it
  let { left, top, right, bottom } = one.getBoundingClientRect();
  for (let outer = one.parentElement; outer !== document.body; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflowY === 'visible') continue;
    const edge = outer.getBoundingClientRect();
    [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
    [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  return { one, left, top, right, bottom };
};
scrollTo(0, 0);
const stops = [...document.querySelectorAll(names)].filter(isStop).map(seen)
  .filter(({ left, top, right, bottom }) => right - left > 2 && bottom - top > 2);
const wrong = stops.filter(({ one, left, top, bottom }, at) => {
  const before = stops[at - 1];
  const isFirst = !before || before.one.contains(one);
  const isBelow = isFirst || (top + bottom) / 2 > before.bottom;
  return one.tabIndex > 0 || !(isBelow || left >= before.right - 1);
});
return wrong.map((stop) => [stops[stops.indexOf(stop) - 1], stop].map((one) => one?.one.outerHTML));
"""


def check_layout(visitor: Visitor, axe: str, place: str) -> None:
    """Everybody can use what is shown, it is as wide as the screen, and Tab goes as eyes go."""
    disorder = visitor.run(DISORDER)
    assert disorder == [], (place, disorder)
    issues = visitor.violations(axe)
    assert [issue["id"] for issue in issues] == [], (place, issues)
    width = visitor.run("return document.documentElement.clientWidth")
    assert visitor.run("return document.documentElement.scrollWidth") <= width, place


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


# Drop a file with a name and bytes, or with N bytes of zeros.
DROPPED = """
const [name, data, size] = arguments;
const bytes = size ? new Uint8Array(size) : Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], name));
const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
document.body.dispatchEvent(new DragEvent('drop', how));
"""


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


def choose_sample(visitor: Visitor, manner: Manner, name: str) -> None:
    visitor.use(manner, "#samples a", name)


def opened_to_choose(visitor: Visitor, manner: Manner) -> None:
    """Open the library, and leave the match that is open there."""
    opened(visitor, manner, "Library")
    leave = visitor.find("#leave")
    if leave.is_displayed():
        manner(visitor, leave)


def asked(visitor: Visitor) -> str:
    """The question, once it can be answered: 31P-42."""
    visitor.until("!document.querySelector('#train-type').hidden")
    visitor.until("document.querySelectorAll('#guesses button').length")
    visitor.shows("#doing", "White to play")
    return f"31P-{visitor.text('#train-asked b')}"


def right(text: str) -> list[str]:
    """The plays of the book that count as right, the best first; others lose more than .010."""
    decision = decode(text)
    roll = decision.turns[-1].state.roll
    assert roll
    line = shipped_book().at(decision.state.position, roll)
    assert line
    return [format_play(play) for _, play, loss in line.plays if not loss or loss <= CLOSE]
