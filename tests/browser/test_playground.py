"""The playground in a real browser: a static server, then none; mouse, keys and finger.

Python takes seconds to start, so that this is one visit with many stations: at first the download
fails, then all is tried at both sizes, and in the end the server is gone.
"""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board.layout import Layout
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.playground.building import core_in, site
from gnubg_nactation.sequences.decode import decode
from tests.browser.conftest import missing
from tests.browser.test_answers import arrows
from tests.cli.running import SAMPLES, run
from tests.exports.pages import read
from tests.tutorial.cases import read_cases

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.browser.reader import Reader

PYODIDE = Path(__file__).parents[2] / ".venv/node_modules/pyodide"
VIEWS = {
    "Type": "s",
    "Play": "play",
    "Match": "match",
    "Read": "read",
    "Alphabet": "alphabet",
    "Which letter?": "letters",
}
POST = "After 43Z-32H-54 <b>who</b> <script>document.title = 'caught'</script> knows? And 41Z?"
Manner = Callable[["Visitor", Any], None]


class _Plain(SimpleHTTPRequestHandler):
    """As any server of files; what ends like one of `broken` is not found."""

    broken: tuple[str, ...] = ()

    def do_GET(self) -> None:
        if self.path.endswith(_Plain.broken or ("\0",)):
            self.send_error(404)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """The address of the playground, below a path, and its server."""
    if not PYODIDE.exists():
        missing("pyodide (npm install --prefix .venv pyodide)")
    folder = tmp_path_factory.mktemp("site")
    for name, data in site(core_in(PYODIDE)):
        path = folder / "some" / "where" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Plain, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/some/where/", server
        server.shutdown()


class Visitor(Reader):
    """Somebody at the playground, with the browser of a reader."""

    def __init__(self, reader: Reader) -> None:
        self.browser = reader.browser
        self.browser.set_script_timeout(120)

    def size(self, width: int, height: int) -> None:
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900},
        )

    def until(self, script: str, *given: Any) -> Any:
        """What a script returns as soon as that is true."""
        found = self.browser.execute_async_script(
            "const given = [...arguments]; const done = given.pop(); const end = Date.now() + 9e4;"
            f"(function again() {{ const found = (function () {{ return {script} }})(...given);"
            "if (found || Date.now() > end) done(found); else setTimeout(again, 20); })()",
            *given,
        )
        assert found, f"never: {script} {given}"
        return found

    def python(self, phase: str) -> None:
        self.until("document.documentElement.dataset.python === arguments[0]", phase)

    def text(self, selector: str) -> str:
        return " ".join(str(self.find(selector).get_attribute("textContent")).split())

    def shows(self, selector: str, text: str) -> None:
        """Wait until an element says something."""
        self.until(
            "document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ')"
            ".includes(arguments[1])",
            selector,
            text,
        )

    def named(self, selector: str, text: str) -> Any:
        """The one of many elements that begins with a text."""
        self.until(
            "[...document.querySelectorAll(arguments[0])]"
            ".some((one) => one.textContent.startsWith(arguments[1]))",
            selector,
            text,
        )
        return next(
            one
            for one in self.all(selector)
            if str(one.get_attribute("textContent")).startswith(text)
        )

    def ask(self, name: str, *given: Any, data: bytes = b"") -> Any:
        """Ask Python behind the page itself."""
        folder = str(self.find("script[src]").get_attribute("src")).rsplit("/", 1)[0]
        found = self.browser.execute_async_script(
            "const [folder, name, given, data, done] = arguments;"
            "import(`${folder}/python.js`).then(({ ask }) => ask(name, given, data"
            " ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)).buffer : undefined))"
            ".then(done)",
            *(folder, name, list(given), base64.b64encode(data).decode()),
        )
        assert "error" not in found, found
        return found["value"]

    def checker(self, point: int, slot: int) -> Any:
        """A checker on the board, of White, who is at the bottom."""
        x, y = Layout(Player.FIRST, "right").checker(Player.FIRST, point, slot)
        return self.find(f'#board circle[cx="{x}"][cy="{y}"]')


def by_mouse(_: Visitor, element: Any) -> None:
    element.click()


def by_keys(visitor: Visitor, element: Any) -> None:
    visitor.run("arguments[0].focus()", element)
    visitor.press(Keys.ENTER)


def by_finger(visitor: Visitor, element: Any) -> None:
    visitor.run("arguments[0].scrollIntoView({ block: 'center' })", element)
    visitor.touch(element)


SIZES = {(390, 844): (by_finger, by_keys), (1280, 800): (by_mouse, by_keys)}


def test_a_visit(reader: Reader, axe: str, served: tuple[str, ThreadingHTTPServer]) -> None:
    address, server = served
    visitor = Visitor(reader)
    visitor.size(390, 844)
    visitor.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
    without_webassembly(visitor, address)
    a_failed_download(visitor, address)
    for size, manners in SIZES.items():
        visitor.size(*size)
        for manner in manners:
            typing(visitor, manner)
            playing(visitor, manner)
            reading(visitor, manner)
            the_alphabet(visitor, manner)
            letters(visitor, manner)
            a_match(visitor, manner)
        for view in VIEWS:
            opened(visitor, by_mouse, view)
            found = visitor.violations(axe)
            assert [one["id"] for one in found] == [], (view, found)
            assert visitor.run("return document.documentElement.scrollWidth") <= size[0], view
    what_is_taken_along(visitor)
    what_is_wrong(visitor)
    as_the_command_line(visitor)
    as_the_tutorial(visitor)
    memory_is_kept(visitor, address)
    server.shutdown()
    server.server_close()
    offline(visitor, address)
    work_is_stopped(visitor)


def without_webassembly(visitor: Visitor, address: str) -> None:
    """A browser that cannot run Python is told so; the alphabet is there."""
    command = visitor.browser.execute_cdp_cmd
    script = {"source": "delete globalThis.WebAssembly"}
    added = command("Page.addScriptToEvaluateOnNewDocument", script)
    visitor.browser.get(address + "#alphabet")
    visitor.python("impossible")
    assert "has no WebAssembly" in visitor.text("#what")
    assert not visitor.find("#retry").is_displayed()
    assert len(visitor.all("#families li")) > 50
    command("Page.removeScriptToEvaluateOnNewDocument", added)


def a_failed_download(visitor: Visitor, address: str) -> None:
    """The page is there without Python, says what is wrong, and tries again."""
    _Plain.broken = ("pyodide.asm.mjs",)
    visitor.browser.get("about:blank")
    visitor.browser.get(address + "#alphabet=H")
    visitor.shows("#doing", "White plays")
    assert len(visitor.all("#families li")) > 50
    visitor.python("failed")
    assert "Python could not be loaded" in visitor.text("#what")
    opened(visitor, by_mouse, "Type")
    visitor.find("#text").send_keys("31P")
    _Plain.broken = ()
    visitor.find("#retry").click()
    visitor.python("ready")
    visitor.shows("#turns", "8/5 6/5")


def opened(visitor: Visitor, manner: Manner, view: str) -> None:
    manner(visitor, visitor.named("#views a", view))
    visitor.until("document.documentElement.dataset.view === arguments[0]", VIEWS[view])


def typing(visitor: Visitor, manner: Manner) -> None:
    """A sequence with its last play chosen from what may follow."""
    opened(visitor, manner, "Type")
    field = visitor.find("#text")
    field.send_keys(Keys.CONTROL + "a" + Keys.NULL + "54S-63R-31")
    visitor.shows("#turns", "31to be played")
    manner(visitor, visitor.named("#options button", "P8/5"))
    visitor.shows("#turns", "31P8/5 6/5")
    visitor.until("location.hash === '#s=54S-63R-31P'")
    assert field.get_attribute("value") == "54S-63R-31P"
    visitor.shows("#why", "to be written: a point made")
    turn = decode("54S-63R-31P").turns[-1]
    drawn = board_svg(turn.state, turn.play, theme="light", view=Player.FIRST)
    ours = arrows(str(visitor.find("#board svg").get_attribute("outerHTML")))
    assert ours == pytest.approx(arrows(drawn), abs=1)
    manner(visitor, visitor.all("#turns button")[0])
    assert visitor.text("#doing") == "White plays 54S 24/20 13/8"
    field.send_keys(Keys.END + Keys.BACKSPACE + "Q")
    visitor.shows("#wrong", "no such play of 31; possible are")
    assert visitor.text("#wrong mark") == "Q"


def playing(visitor: Visitor, manner: Manner) -> None:
    """31P with the checkers, after a roll that is chosen."""
    opened(visitor, manner, "Play")
    manner(visitor, visitor.named("#starts button", "Nackgammon"))
    visitor.shows("#doing", "White to roll")
    manner(visitor, visitor.named("#starts button", "Standard"))
    visitor.until("document.querySelector('#sequence').textContent === ''")
    visitor.until("document.querySelectorAll('#turns li').length === 1")
    for die in "31":
        manner(visitor, visitor.named("#dice button", die))
    visitor.shows("#doing", "White to play 31")
    visitor.until("document.querySelectorAll('#sources button').length")
    if manner is by_keys:
        for point in "86":
            manner(visitor, visitor.named("#sources button", point))
    else:
        for place in ((8, 2), (6, 4)):
            manner(visitor, visitor.checker(*place))
    visitor.shows("#turns", "31P8/5 6/5")
    assert visitor.anchor == "#play=31P"
    visitor.shows("#why", "point")
    manner(visitor, visitor.find("#undo"))
    visitor.shows("#doing", "White to play 31")
    assert visitor.text("#sequence") == "31"
    if manner is by_mouse:
        for way in (((8, 2), (5, 0)), ((6, 4), (5, 1))):
            dragged(visitor, *way)
        visitor.shows("#turns", "31P8/5 6/5")


def dragged(visitor: Visitor, start: tuple[int, int], end: tuple[int, int]) -> None:
    """A checker that is drawn from place to place."""
    places = [Layout(Player.FIRST, "right").checker(Player.FIRST, *place) for place in (start, end)]
    scale = visitor.run("return document.querySelector('#board svg').getScreenCTM().a")
    by = [round(scale * (there - here)) for here, there in zip(*places, strict=True)]
    checker = visitor.checker(*start)
    ActionChains(visitor.browser).drag_and_drop_by_offset(checker, *by).perform()


def reading(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Read")
    post = visitor.find("#post")
    visitor.run("arguments[0].value = ''", post)
    post.send_keys(POST)
    manner(visitor, visitor.find("#pasting button"))
    visitor.shows("#found", "2 found")
    assert visitor.run("return document.title") == "Nactation playground"
    manner(visitor, visitor.named(".post button", "41Z"))
    visitor.shows("#piece", "24/23 13/9")
    manner(visitor, visitor.named(".post button", "43Z"))
    manner(visitor, visitor.named("#piece .turns button", "32H"))
    assert "Black plays 32H 13/10 6/4*" in visitor.text("#doing")
    manner(visitor, visitor.find("#piece a"))
    visitor.shows("#turns", "32H13/10 6/4*")
    assert visitor.anchor == "#s=43Z-32H-54"


def the_alphabet(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Alphabet")
    search = visitor.find("#search")
    search.send_keys("hit")
    visitor.until("document.querySelectorAll('#families li').length < 20")
    manner(visitor, visitor.find('#families [data-key="H"]'))
    assert visitor.anchor == "#alphabet=H"
    assert "*" in visitor.text("#doing")
    search.send_keys(Keys.CONTROL + "a" + Keys.NULL + "@")
    visitor.until("document.querySelectorAll('#families li').length === 1")
    search.send_keys(Keys.BACKSPACE)


def letters(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Which letter?")
    visitor.until("document.querySelectorAll('#choices button').length === 6")
    before = visitor.text("#score")
    manner(visitor, visitor.find("#choices button"))
    visitor.shows("#verdict", "All its names")
    assert visitor.text("#score") != before
    name = visitor.text("#verdict small .glyph")
    question = visitor.text("#question")
    manner(visitor, visitor.find("#next"))
    visitor.until("document.querySelector('#question').textContent !== arguments[0]", question)
    visitor.until("document.querySelectorAll('#choices button').length === 6")
    visitor.find("#answer").send_keys(name)
    manner(visitor, visitor.named("#asking button", "Answer"))
    visitor.shows("#verdict", "All its names")
    visitor.find("#next").click()


def a_match(visitor: Visitor, manner: Manner) -> None:
    """A file that is chosen; its page steps in its frame, and its other forms are saved."""
    opened(visitor, manner, "Match")
    visitor.run("document.querySelector('#outcome').textContent = ''")
    visitor.find("#file").send_keys(str(SAMPLES / "match-1pt.mat"))
    visitor.shows("#outcome", "Alice - Bob, 1 point match")
    visitor.browser.switch_to.frame(visitor.find("iframe"))
    visitor.until("document.querySelector('#what')?.textContent")
    first = visitor.text("#what")
    # The finger's places are those of the window; that page is touched in its own tests.
    inside = by_mouse if manner is by_finger else manner
    inside(visitor, visitor.find("[data-step=next]"))
    visitor.until("document.querySelector('#what').textContent !== arguments[0]", first)
    with pytest.raises(Exception, match="cross-origin"):  # it has no part in the playground
        visitor.run("return parent.document.title")
    visitor.browser.switch_to.default_content()
    for form in ("sgf", "txt"):
        button = "Save annotated SGF" if form == "sgf" else "Save text"
        manner(visitor, visitor.named("#exports button", button))
        visitor.shows("#said", f"match-1pt.nactation.{form} saved")


def what_is_taken_along(visitor: Visitor) -> None:
    """What is copied and saved, to the letter."""
    visitor.browser.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    visitor.run("location.hash = 's=54S-63R-31P'")
    visitor.shows("#turns", "31P8/5 6/5")
    state = format_xgid(decode("54S-63R-31P").turns[-1].state)
    post = run("post", "--to", "reddit", "54S-63R-31P").out
    address = visitor.run("return location.href")
    wanted = {"Copy sequence": "54S-63R-31P", "Copy XGID": state, "Copy link": address}
    for button, text in (wanted | {"Copy post": post}).items():
        visitor.named("#copies button", button).click()
        visitor.shows("#said", "copied")
        found = visitor.browser.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0])"
        )
        assert found == text
        visitor.run("document.querySelector('#said').textContent = ''")
    visitor.run(
        "window.saved = []; URL.createObjectURL = ((make) => (blob) => { saved.push(blob);"
        " return make.call(URL, blob); })(URL.createObjectURL);"
    )
    visitor.named("#copies button", "Save picture").click()
    visitor.shows("#said", "nactation.png saved")
    head = visitor.browser.execute_async_script(
        "saved.at(-1).slice(0, 24).arrayBuffer().then("
        "(bytes) => arguments[0]([...new Uint8Array(bytes)]))"
    )
    assert bytes(head[:8]) == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(bytes(head[16:20]), "big") == 1240


def what_is_wrong(visitor: Visitor) -> None:
    """Files that are no match, and text that is no post."""
    visitor.run("location.hash = 'match'")
    files = {
        "no-match.mat": (b"\0" * 50, "no-match.mat: "),
        "empty.mat": (b"", "is empty"),
        "match-3pt.xg": ((SAMPLES / "match-3pt.xg").read_bytes(), "gnubg-nactation[xg]"),
    }
    for name, (data, told) in files.items():
        visitor.run(DROPPED, name, base64.b64encode(data).decode())
        visitor.shows("#outcome", told)
    visitor.run(DROPPED, "large.mat", "", 9_000_000)
    visitor.shows("#outcome", "more than the page takes")
    visitor.run("location.hash = 'read'")
    visitor.run("document.querySelector('#post').value = arguments[0]", "<b>54S-63R " * 9000)
    visitor.find("#pasting button").click()
    visitor.shows("#found", "500 found, and")


# A file as it is dropped: its name and bytes, or so many of no matter what.
DROPPED = """
const [name, data, size] = arguments;
const bytes = size ? new Uint8Array(size) : Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], name));
const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
document.body.dispatchEvent(new DragEvent('drop', how));
"""


def as_the_command_line(visitor: Visitor) -> None:
    """The text of all samples, and the page of one, with its analysis."""
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix != ".xg":
            found = visitor.ask("exported", "text", data=path.read_bytes())
            assert base64.b64decode(found).decode() == run("annotate", path).out
    name = "match-3pt-analysed.sgf"
    page = visitor.ask("match", data=(SAMPLES / name).read_bytes())["page"]
    assert page == format_html(read(name))


def as_the_tutorial(visitor: Visitor) -> None:
    """Two hundred diagrams: the play has the character, whatever else it is called."""
    by_rule = {"strict", "style", "symbol", "numeral"}
    cases = [case for case in read_cases() if case.play and case.kind in by_rule][:200]
    given = [[format_xgid(GameState(case.position)), case.roll, case.play] for case in cases]
    folder = str(visitor.find("script[src]").get_attribute("src")).rsplit("/", 1)[0]
    found = visitor.browser.execute_async_script(
        "const [folder, given, done] = arguments; import(`${folder}/python.js`).then(({ ask }) =>"
        " Promise.all(given.map((one) => ask('explained', one)))).then(done)",
        *(folder, given),
    )
    assert len(found) == 200
    for case, one in zip(cases, found, strict=True):
        assert case.nactation in {name["look"]["name"] for name in one["value"]["names"]}, case


# The memory that is kept, with a text in it changed, or with all of it gone but some bytes.
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


def memory_is_kept(visitor: Visitor, address: str) -> None:
    """Python starts from what its memory was, and without where that is damaged."""
    changes = (("no such play of", "no such plum of"), ("", "damaged"), ("", "damaged"))
    seen = ("no such plum of 31", "no such play of 31", "no such play of 31")
    for change, message in zip(changes, seen, strict=True):
        size = visitor.browser.execute_async_script(TAMPER, *change)
        assert size > 10_000_000
        visitor.browser.get("about:blank")
        visitor.browser.get(address + "#s=31Q")
        visitor.python("ready")
        visitor.shows("#wrong", message)


def offline(visitor: Visitor, address: str) -> None:
    """The server is gone; the page, Python and the samples are still there."""
    visitor.browser.get("about:blank")
    visitor.browser.get(address + "#s=43Z-32H")
    visitor.python("ready")
    visitor.shows("#turns", "32H13/10 6/4*")
    opened(visitor, by_mouse, "Match")
    Select(visitor.find("#sample")).select_by_visible_text("money-raccoon.sgf")
    visitor.until("document.querySelector('iframe')")


def work_is_stopped(visitor: Visitor) -> None:
    """Five megabytes of a match keep Python busy, but never the page."""
    match = (SAMPLES / "match-7pt.mat").read_bytes()
    many = base64.b64encode(match * (5_000_000 // len(match))).decode()
    visitor.run(DROPPED, "many.mat", many)
    visitor.shows("#what", "Working")
    visitor.find("#stop").click()
    visitor.shows("#outcome", "many.mat was not read: it was stopped")
    visitor.python("starting")
