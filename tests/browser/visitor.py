"""Somebody at the playground: a plain server of it, and how mouse, keys and finger use it."""

from __future__ import annotations

import base64
import itertools
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.engines.wasm import SOURCE, read_files
from gnubg_nactation.exports.board import Layout
from gnubg_nactation.tasks.site import core_in, site
from tests.browser.conftest import missing
from tests.browser.reader import Reader
from tests.engines.built import FOLDER

BEGUN = "document.documentElement.dataset.python"  # the scripts of the page have begun
_PYODIDE = Path(__file__).parents[2] / ".venv/node_modules/pyodide"
# The views by their names for a visitor: that in the address, the place, and the way from there.
VIEWS = {
    "Board": ("s", "board", ""),
    "Edit": ("edit", "board", "#edit-this"),
    "Read": ("read", "board", "#more [href='#read']"),
    "Write": ("write", "board", "#more [href='#write']"),
    "Library": ("library", "library", ""),
    "Openings": ("openings", "openings", ""),
    "Alphabet": ("alphabet", "learn", "#within [href='#alphabet']"),
    "Which letter?": ("letters", "learn", "#within [href='#letters']"),
}
# What would be downloaded is kept for the test.
KEEP_FILES = """
window.saved = [];
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => { saved.push(blob); return make.call(URL, blob); };
"""
# Keep what is touched next: "it", what else can be used, or nothing. Nothing but "it" hears of it.
_TOUCHED = """
const [element] = arguments;
const once = { capture: true, once: true };
window.touched = '';
const kinds = ['pointerup', 'touchstart', 'touchend', 'mousedown', 'mouseup', 'click'];
const past = new AbortController();
const stop = (event) => {
  event.stopImmediatePropagation();
  if (event.cancelable) event.preventDefault();
  if (event.type === 'click') past.abort();
};
addEventListener('pointerdown', (event) => {
  const other = event.target.closest('a, button, input, label, select, summary');
  const isIt = element.contains(event.target) || other?.control === element
    || other?.outerHTML === element.outerHTML; // which an answer has just made anew
  window.touched = isIt ? 'it' : other?.outerHTML || 'nothing';
  if (isIt) return;
  stop(event);
  const signal = past.signal;
  kinds.forEach((kind) => addEventListener(kind, stop, { capture: true, passive: false, signal }));
  setTimeout(() => addEventListener('pointerdown', () => past.abort(), once));
}, once);
"""
Place = tuple[int, int]  # a point and a checker there, as Layout counts them
_STEPS = 5  # of a way that is drawn
# How many presses of Tab lead from the focus to an element, forward or back.
_TABS = """
const names = 'a[href], button, input, select, textarea, summary, [tabindex]';
const all = document.querySelectorAll(names);
const stops = [...all].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
return Math.abs(stops.indexOf(arguments[0]) - stops.indexOf(document.activeElement));
"""


class Served(NamedTuple):
    """The playground's address and folder, its server, and the ends of paths that are not found."""

    address: str
    folder: Path
    server: ThreadingHTTPServer
    broken: list[str]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Plain(SimpleHTTPRequestHandler):
    """As any server of files; what ends like one of `broken` is not found."""

    def __init__(self, broken: list[str], *arguments: Any, **options: Any) -> None:
        self.broken = broken
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        if self.path.endswith((*self.broken, "\0")):
            self.send_error(404)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def build(folder: Path) -> Path:
    """Fill a folder with the playground; Node takes five seconds to compile what is Python."""
    if not _PYODIDE.exists():
        missing("pyodide (npm install --prefix .venv pyodide)")
    if not (FOLDER / SOURCE).exists():
        missing("the built-in engine (bash scripts/engine.sh build/engine)")
    for name, data in site(core_in(_PYODIDE), read_files(FOLDER)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@contextmanager
def serving(built: Path, folder: Path) -> Iterator[Served]:
    """Serve a copy of the playground from below a path, in a folder that is empty."""
    shutil.copytree(built, folder / "some" / "where")
    broken: list[str] = []
    handler = partial(_Plain, broken, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Served(f"http://127.0.0.1:{server.server_port}/some/where/", folder, server, broken)
        server.shutdown()


def open_until(sign: str, visit: Callable[[], None], run: Callable[[str], Any]) -> None:
    """Open a page, and wait until a script, run in it, returns something true.

    Seldom, on a very busy machine, a browser shows the next page without its scripts, and no error;
    its timers may not run either. Then it is opened again, as anybody would.
    """
    while True:
        visit()
        for _ in range(3000):
            if run(sign):
                return
            time.sleep(0.02)


class Visitor(Reader):
    """Somebody at the playground, with the browser of a reader."""

    def __init__(self, reader: Reader) -> None:
        self.browser = reader.browser
        self.effort = 0  # taps, clicks, and keys except those of a text
        self._framed = False

    def size(self, width: int, height: int) -> None:
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900},
        )

    @contextmanager
    def letters(self, pixels: int) -> Iterator[None]:
        """Let the browser have letters of another size than 16."""

        def choose(size: int) -> None:
            sizes = {"standard": size, "fixed": size * 13 // 16}
            self.browser.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": sizes})

        choose(pixels)
        try:
            yield
        finally:
            choose(16)

    @contextmanager
    def before_each_page(self, script: str) -> Iterator[None]:
        """Run a script before those of each page that is opened."""
        command = self.browser.execute_cdp_cmd
        source = f"if (location.protocol !== 'about:') {{ {script} }}"
        added = command("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        yield
        with suppress(WebDriverException):  # which a tab that was opened since then has not
            command("Page.removeScriptToEvaluateOnNewDocument", added)

    def visit(self, address: str) -> None:
        """Open an address, even where only its end is another."""
        self.browser.get("about:blank")
        self.browser.get(address)

    def begin(self, address: str, sign: str = BEGUN) -> None:
        """Open an address, also instead of a page that is at work, and wait for its scripts.

        These make `sign` true.
        """
        open_until(f"return Boolean({sign})", partial(self.visit, address), self.run)

    def until(self, script: str, *arguments: Any) -> Any:
        """What a script returns as soon as that is true."""
        result = self.browser.execute_async_script(
            "const given = [...arguments]; const done = given.pop(); const end = Date.now() + 6e5;"
            f"(function again() {{ const found = (function () {{ return {script} }})(...given);"
            "if (found || Date.now() > end) done(found); else setTimeout(again, 20); })()",
            *arguments,
        )
        assert result, f"never: {script} {arguments}; {self._state()}"
        return result

    def _state(self) -> str:
        """What the page says and complains of, for who reads that a test has failed."""
        said = self.run("return document.body.innerText.replace(/\\s+/g, ' ')")
        phases = self.run("return JSON.stringify(document.documentElement.dataset)")
        place = self.run("return location.href")
        return f"{place} {phases} {said[:1500]} {self.complaints()[-5:]}"

    def python(self, phase: str) -> None:
        self.until("document.documentElement.dataset.python === arguments[0]", phase)

    def text(self, selector: str) -> str:
        return self.texts(selector)[0]

    def texts(self, selector: str) -> list[str]:
        """What all elements say, even if Python shows them anew at this moment."""
        texts = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)",
            selector,
        )
        return [" ".join(text.split()) for text in texts]

    def shows(self, selector: str, text: str) -> None:
        """Wait until an element says something."""
        self.until(
            "document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ')"
            ".includes(arguments[1])",
            selector,
            text,
        )

    def starting(self, selector: str, text: str, *, shown: bool = False) -> Any:
        """The one of many elements that begins with a text; perhaps only of those on the screen."""
        return self.until(
            "[...document.querySelectorAll(arguments[0])].find((one) =>"
            " one.textContent.startsWith(arguments[1])"
            " && (one.checkVisibility() || !arguments[2]))",
            selector,
            text,
            shown,
        )

    def use(self, manner: Manner, selector: str, text: str = "") -> None:
        """Use what begins with a text, where it may be shown anew or elsewhere at any time."""
        while True:
            element = self.starting(selector, text, shown=True)
            with suppress(StaleElementReferenceException, ElementNotInteractableException):
                return manner(self, element)

    @property
    def scripts(self) -> str:
        """The address of the folder with the page's scripts."""
        return str(self.find("script[src]").get_attribute("src")).rsplit("/", 1)[0]

    def ask(self, name: str, *arguments: Any, data: bytes = b"") -> Any:
        """Ask Python behind the page itself."""
        return self.ask_all(name, [list(arguments)], data=data)[0]

    def ask_all(self, name: str, questions: list[list[Any]], *, data: bytes = b"") -> list[Any]:
        """Ask Python behind the page itself many questions of one kind at once."""
        answers: list[Any] = self.browser.execute_async_script(
            "const [folder, name, questions, data, done] = arguments;"
            "import(`${folder}/python.js`).then(({ ask }) => Promise.all(questions.map((given) =>"
            " ask(name, given, data"
            " ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)).buffer : undefined))))"
            ".then(done)",
            *(self.scripts, name, questions, base64.b64encode(data).decode()),
        )
        return answers

    def write(self, manner: Manner, selector: str, text: str) -> None:
        """Go into a field as somebody does, and type."""
        field = self.find(selector)
        if manner.touch:
            manner(self, field)
        else:
            self.reach(field)
        field.send_keys(text)

    def reach(self, element: Any) -> None:
        """Go to an element with Tab."""
        self.effort += self.run(_TABS, element)
        self.run("arguments[0].focus()", element)

    def menu(self, manner: Manner, box: str) -> None:
        """Open a menu, which closes after each of its actions."""
        if not self.find(box).get_property("open"):
            manner(self, self.find(f"{box} summary"))

    @contextmanager
    def inside(self, frame: str) -> Iterator[None]:
        """Be in a frame, all of which is in sight."""
        self.run("arguments[0].scrollIntoView()", self.find(frame))
        self.browser.switch_to.frame(self.find(frame))
        self._framed = True
        yield
        self._framed = False
        self.browser.switch_to.default_content()

    def _touch(self, x: float, y: float, by: int) -> None:
        """As a reader does, whose places in a frame are not those of the window."""
        if not self._framed:
            super()._touch(x, y, by)
            return
        self.browser.switch_to.default_content()
        frame = self.find("iframe")
        left, top = self.run(
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + arguments[0].clientLeft, box.y + arguments[0].clientTop]",
            frame,
        )
        super()._touch(x + left, y + top, by)
        self.browser.switch_to.frame(frame)

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a finger over the window, so slowly that nothing glides on behind it."""
        command = self.browser.execute_cdp_cmd
        seconds = itertools.count(time.time() - _STEPS - 2)

        def touch(kind: str, *points: dict[str, float]) -> None:
            event = {"type": kind, "touchPoints": points, "timestamp": next(seconds)}
            command("Input.dispatchTouchEvent", event)

        command("Emulation.setTouchEmulationEnabled", {"enabled": True})
        for at in range(_STEPS + 1):
            x, y = (a + (b - a) * at / _STEPS for a, b in zip(start, end, strict=True))
            touch("touchMove" if at else "touchStart", {"x": x, "y": y})
        touch("touchEnd")
        command("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the mouse from a place in the window to another."""
        svg, actions = self.find("#board svg"), self.actions
        left, top, width, height = self.box(svg)
        for (x, y), act in ((start, actions.click_and_hold), (end, actions.release)):
            way = round(x - left - width / 2), round(y - top - height / 2)
            actions.move_to_element_with_offset(svg, *way)
            act()
        actions.perform()

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the drawing of the board is in the window."""
        return self._place("#board svg", x, y)

    def place(self, place: Place) -> tuple[float, float]:
        """Where a checker of White, who is at the bottom, has its middle in the window."""
        return self.spot(*Layout(Player.FIRST, "right").checker(Player.FIRST, *place))

    def checker(self, place: Place) -> Any:
        """A checker on the board, of White, who is at the bottom."""
        return self.find(at_place(place))


def at_place(place: Place) -> str:
    """Return the selector of a checker of White, who is at the bottom."""
    x, y = Layout(Player.FIRST, "right").checker(Player.FIRST, *place)
    return f'#board circle[cx="{x}"][cy="{y}"]'


class Manner(NamedTuple):
    """How somebody uses what is on the page: a button or a link, a menu, the board."""

    name: str
    use: Callable[[Visitor, Any], None]
    choose: Callable[[Visitor, Any, str], None]
    touch: Callable[[Visitor, float, float], None] | None
    draw: Callable[[Visitor, Place, Place], None] | None

    def __call__(self, visitor: Visitor, element: Any) -> None:
        self.use(visitor, element)


def _in_view(visitor: Visitor, element: Any) -> None:
    visitor.run("arguments[0].scrollIntoView({ block: 'center' })", element)


def _hit(visitor: Visitor, element: Any, touch: Callable[[], None]) -> None:
    """Touch an element; again where an answer that came just then has moved it away."""
    touched = "nothing"
    for _ in range(20):
        _in_view(visitor, element)
        visitor.run(_TOUCHED, element)
        with suppress(MoveTargetOutOfBoundsException, ElementClickInterceptedException):
            touch()
            touched = ""
            while not touched:
                touched = visitor.run("return window.touched ?? 'it'")  # it led to another page
        if touched == "it":
            visitor.effort += 1
            return
    pytest.fail(f"{touched} was touched")


def _click(visitor: Visitor, element: Any) -> None:
    _hit(visitor, element, element.click)


def _press(visitor: Visitor, element: Any) -> None:
    visitor.reach(element)
    assert visitor.run("return document.activeElement === arguments[0]", element)
    visitor.press(Keys.ENTER)
    visitor.effort += 1


def _tap(visitor: Visitor, element: Any) -> None:
    _hit(visitor, element, lambda: visitor.touch(element))


def _pick(visitor: Visitor, menu: Any, name: str) -> None:
    Select(menu).select_by_visible_text(name)
    visitor.effort += 2  # to open it, and the name


def _type(visitor: Visitor, menu: Any, name: str) -> None:
    visitor.reach(menu)
    visitor.press(*name)
    visitor.effort += len(name)


def _click_at(visitor: Visitor, x: float, y: float) -> None:
    visitor.run("scrollTo(0, 0)")
    visitor.click_at("#board svg", x, y)
    visitor.effort += 1


def _tap_at(visitor: Visitor, x: float, y: float) -> None:
    visitor.run("arguments[0].scrollIntoView({ block: 'center' })", visitor.find("#board"))
    visitor.touch_at("#board svg", x, y)
    visitor.effort += 1


def _drag(visitor: Visitor, start: Place, end: Place) -> None:
    here, there = visitor.place(start), visitor.place(end)
    way = [round(to - of) for of, to in zip(here, there, strict=True)]
    ActionChains(visitor.browser).drag_and_drop_by_offset(visitor.checker(start), *way).perform()
    visitor.effort += 1


def _swipe(visitor: Visitor, start: Place, end: Place) -> None:
    visitor.run("arguments[0].scrollIntoView({ block: 'center' })", visitor.find("#board"))
    visitor.swipe(visitor.place(start), visitor.place(end))
    visitor.effort += 1


by_mouse = Manner("mouse", _click, _pick, _click_at, _drag)
by_keys = Manner("keys", _press, _type, None, None)
by_finger = Manner("finger", _tap, _pick, _tap_at, _swipe)  # the menu itself is the telephone's
MANNERS = (by_mouse, by_keys, by_finger)
