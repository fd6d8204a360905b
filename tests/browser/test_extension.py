"""The extension in real browsers: what it marks on pages, what it leaves alone, and its card."""

from __future__ import annotations

import base64
import html
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")
    pytest.importorskip("marionette_driver", reason="marionette-driver is not installed")

from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.sequences.assumption import Confidence
from tests.browser.conftest import missing
from tests.browser.extended import Built, click_at, offering, open_card
from tests.browser.extension_pages import FORUMS, GAME, ORDINARY, TEXTS
from tests.browser.reader import CHROMIUM, DRIVER, start
from tests.gnubg.window import display_without_a_screen, needs_display

# The driver of Firefox leaves sockets open while it waits for the browser.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
FIREFOX = Path("/usr/bin/firefox-esr")
# Frames as mail and forums have them: a file, a text, one that is written later, and an editor.
_FRAMES = (
    "<p>43Z-32H-54</p><iframe src={inner}></iframe>"
    f"<iframe sandbox=allow-same-origin srcdoc='<p>{GAME}</p>'></iframe><iframe id=late></iframe>"
    f"<script>late.contentDocument.write('<p>{GAME}</p>'); late.contentDocument.close()</script>"
    f"<iframe srcdoc='<body contenteditable><p>{GAME}</p>'></iframe>"
)
_DOCUMENTS = "[document, ...Array.from(frames, (frame) => frame.document)]"
_COUNTS = f"return {_DOCUMENTS}.map((one) => one.documentElement?.dataset.nactation ?? null)"
_LOADED = f"return {_DOCUMENTS}.map((one) => one.readyState === 'complete')"
_CARDS = f"return {_DOCUMENTS}.map((one) => one.defaultView.CSS.highlights.has('nactation-now'))"
_READ = ["1", "1", "1", "1", "0"]
# What the browser shows as marked, in the order of the page.
_MARKED = """
const kinds = ['nactation', 'nactation-wrong'];
const ranges = [];
for (const kind of kinds) ranges.push(...(CSS.highlights.get(kind) || []));
ranges.sort((one, other) => one.compareBoundaryPoints(0, other));
return ranges.map((range) => range.toString().replace(/\\s+/g, ' '));
"""


def _found(find: Callable[[], Any]) -> Any:
    """What is found, as soon as something is; nothing after ten minutes."""
    for _ in range(6000):
        if result := find():
            return result
        time.sleep(0.1)
    return None


class Browser(NamedTuple):
    """A browser with the extension."""

    open: Callable[[str], Any]
    run: Callable[..., Any]
    driver: Any

    def marked(self, address: str, count: int | None = None) -> list[str]:
        """What is marked on a page once it has been read, and has so many findings."""
        self.open(address)
        _found(lambda: self.counts(count))
        texts: list[str] = self.run(_MARKED)
        assert self.counts(len(texts))
        return texts

    def counts(self, count: int | None) -> bool:
        """Whether the page says that it has been read, and how many findings it has."""
        told = self.run("return document.documentElement.dataset.nactation")
        return told is not None and count in {None, int(told)}

    def has_card(self, at: int) -> bool:
        """Whether the page or one of its frames shows its card, and no other."""
        return bool(self.run(_CARDS) == [at == place for place in range(len(_READ))])

    def is_unchanged(self) -> bool:
        return bool(self.run("return window.before === document.body.outerHTML"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with offering(tmp_path_factory.mktemp("extension"), tmp_path_factory.mktemp("read")) as built:
        yield built


@pytest.fixture(scope="session")
def chromium(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not (CHROMIUM.exists() and DRIVER.exists()):
        missing("Debian's chromium with chromium-driver")
    driver = start(tmp_path_factory.mktemp("extended"), *built.flags)
    driver.set_window_size(900, 900)
    yield Browser(driver.get, driver.execute_script, driver)
    driver.quit()


@pytest.fixture(scope="session")
def firefox(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not FIREFOX.exists():
        missing("Debian's firefox-esr")
    from tests.browser.firefox import firefox as opened  # noqa: PLC0415 (not everywhere)

    with opened(tmp_path_factory.mktemp("firefox"), built.folder / "firefox") as window:
        driver = window.marionette
        yield Browser(driver.navigate, partial(driver.execute_script, sandbox=None), driver)


@pytest.fixture(params=["chromium", "firefox"])
def browser(request: pytest.FixtureRequest) -> Browser:
    chosen: Browser = request.getfixturevalue(request.param)
    return chosen


def test_forums(browser: Browser, built: Built) -> None:
    """Everything is marked once, and the page is as it was, also where it is bold or a link."""
    for name, (body, expected) in FORUMS.items():
        assert browser.marked(built.page(body), len(expected)) == expected, name
        assert browser.is_unchanged(), name


def test_ordinary_pages(browser: Browser, built: Built) -> None:
    for name, body in ORDINARY.items():
        assert browser.marked(built.page(body)) == [], name
        assert browser.is_unchanged(), name


def test_the_same_as_read(chromium: Browser, built: Built) -> None:
    """Marks what `nactate read` finds and takes for sure or likely."""
    for text in TEXTS:
        found = [
            text[finding.start : finding.end].replace("\n", " ")
            for finding in read_prose(text)
            if finding.sure is not Confidence.DOUBTFUL and not finding.error
        ]
        assert found
        page = built.page(f"<pre>{html.escape(text)}</pre>")
        assert chromium.marked(page, len(found)) == found


def test_a_page_that_grows(browser: Browser, built: Built) -> None:
    """Messages that come later are marked, as a chat has them; nothing that is written is."""
    page = built.page(f"<ol id=chat><li><div>Hello, {GAME}</div></ol><textarea id=mine></textarea>")
    assert browser.marked(page, 1) == [GAME]
    browser.run(
        "mine.value = '43Z-32H-54'; const row = document.createElement('li');"
        "row.innerHTML = '<div><span>43Z-</span><span>32H-54</span></div>'; chat.append(row);"
    )
    assert _found(lambda: browser.counts(2))
    assert browser.run(_MARKED) == [GAME, "43Z-32H-54"]


def _page_with_frames(built: Built) -> str:
    inner = built.page(f"<p>{GAME}</p>").rpartition("/")[2]
    return built.page(_FRAMES.format(inner=inner))


def test_frames(browser: Browser, built: Built) -> None:
    """Each frame is read as a page of its own, until the user writes in it."""
    browser.open(_page_with_frames(built))
    assert _found(lambda: browser.run(_COUNTS) == _READ)
    assert browser.is_unchanged()
    browser.run("frames[0].document.body.contentEditable = 'true'")
    browser.run(
        "const { document } = frames[1]; document.designMode = 'on';"
        "document.querySelector('p').firstChild.data += ' and'"
    )
    assert _found(lambda: browser.run(_COUNTS) == ["1", "0", "0", "1", "0"])


@needs_display
def test_keys_in_chromium(built: Built, tmp_path: Path) -> None:
    """The keys read the page that is seen, without any permission, and walk through its frames."""
    with display_without_a_screen() as display:
        driver = start(tmp_path, *built.flags, display=display)
        try:
            _walk_through_boards(Browser(driver.get, driver.execute_script, driver), built, display)
        finally:
            driver.quit()


def _walk_through_boards(browser: Browser, built: Built, display: str) -> None:
    def press(keys: str) -> None:
        subprocess.run(
            ["xdotool", "key", keys], env=os.environ | {"DISPLAY": display}, check=True, timeout=600
        )

    browser.open(_page_with_frames(built).replace("127.0.0.1", "localhost"))
    assert _found(lambda: browser.run("return document.hasFocus()"))
    assert browser.run(_COUNTS) == [None] * 5
    press("alt+shift+g")
    assert _found(lambda: browser.run(_COUNTS) == _READ)
    assert _found(lambda: not browser.run("return document.hasFocus()"))
    press("Escape")  # closes the window of the icon
    assert _found(lambda: browser.run("return document.hasFocus()"))
    for at in (0, 1, 2, 3, 0):
        press("alt+shift+j")
        assert _found(partial(browser.has_card, at))


def test_the_icon_in_firefox(firefox: Browser, built: Built) -> None:
    """Its window counts and lists the boards, and asks for this site alone; keys do the same."""
    from tests.browser.firefox import (  # noqa: PLC0415 (not everywhere)
        click_in_popup,
        in_popup,
        in_window,
        press,
    )

    driver = firefox.driver
    in_window(
        driver, "Services.prefs.setBoolPref('extensions.webextOptionalPermissionPrompts', false)"
    )
    address = _page_with_frames(built).replace("127.0.0.1", "localhost")
    firefox.open(address)
    assert firefox.run(_COUNTS) == [None] * 5
    press(driver, "G")
    assert _found(lambda: firefox.run(_COUNTS) == _READ)
    count = "return document.querySelector('#count').textContent"
    assert _found(lambda: in_popup(driver, count) == "4 boards on this page")
    texts = (
        "return [...document.querySelectorAll('#findings button')].map((row) => row.textContent)"
    )
    rows = ["43Z-32H-54 sequence", *[f"{GAME} sequence"] * 3]
    assert _found(lambda: in_popup(driver, texts) == rows)
    badge = "return document.querySelector('.webextension-browser-action').getAttribute('badge')"
    assert _found(lambda: in_window(driver, badge) == "4")
    click_in_popup(driver, "#findings li:nth-child(2) button")
    assert _found(lambda: in_popup(driver, "return true") is None)
    assert _found(lambda: firefox.run(_CARDS)[1])
    for at in (2, 3, 0):
        press(driver, "J")
        assert _found(partial(firefox.has_card, at))
    press(driver, "G")
    assert _found(lambda: in_popup(driver, count) == "4 boards on this page")
    click_in_popup(driver, "#always")
    registered = (
        "const { extension } = WebExtensionPolicy.getByID('nactation-reader@gnubg-nactation');"
        "return [...extension.registeredContentScripts.values()]"
        ".flatMap(({ matches }) => matches).toSorted()"
    )
    sites = ["http://127.0.0.1/*", "http://localhost/*"]
    assert _found(lambda: in_window(driver, registered) == sites)
    firefox.open(address)
    assert _found(lambda: firefox.run(_COUNTS) == _READ)
    checked = "return document.querySelector('#always').checked"
    assert _found(lambda: in_popup(driver, checked))  # it is still open
    firefox.run("window.isOld = true")
    click_in_popup(driver, "#always")
    assert _found(lambda: in_window(driver, registered) == sites[:1])
    assert _found(lambda: not firefox.run("return window.isOld"))
    assert _found(lambda: firefox.run(_LOADED) == [True] * 5)
    assert firefox.run(_COUNTS) == [None] * 5
    popup = "document.querySelector('.webextension-popup-browser')"
    if not in_window(driver, f"return Boolean({popup}?.messageManager)"):
        press(driver, "G")
    assert _found(lambda: in_popup(driver, count))
    (page,) = driver.window_handles
    click_in_popup(driver, "#open")
    assert _found(lambda: len(driver.window_handles) > 1)
    (board,) = {*driver.window_handles} - {page}
    driver.switch_to_window(board)
    assert _found(lambda: "/index.html#s=" in driver.get_url())
    driver.close()
    driver.switch_to_window(page)


def test_text_that_comes_late(chromium: Browser, built: Built) -> None:
    """That of web components which are added, or get their contents after the page was read."""
    define = (
        "customElements.define('{}', class extends HTMLElement {{ connectedCallback() {{"
        " this.attachShadow({{ mode: 'open' }}).innerHTML = '<p>43Z-32H-54</p>'; }} }});"
    )
    page = f"<p>{GAME}</p><late-post></late-post><script>{define.format('my-post')}</script>"
    assert chromium.marked(built.page(page), 1) == [GAME]
    chromium.run("document.body.append(document.createElement('my-post'))")
    assert _found(lambda: chromium.counts(2))
    chromium.run(define.format("late-post"))
    assert _found(lambda: chromium.counts(3))


def test_the_day_of_a_long_post(chromium: Browser, built: Built) -> None:
    """A letter has the meaning that it had on the day at the top: 63B was 10/1 until 2009."""
    old = "41S-62H-63B"
    day = "<p>Date: <b>Thursday</b>, 31 December 2009</p><p>31 December 2025 is far away.</p>"
    words = "<p>Backgammon is a game of luck and skill.</p>" * 80
    assert chromium.marked(built.page(f"{day}{words}<p>After {old} I am fine.</p>")) == [old]
    assert chromium.marked(built.page(f"{words}<p>After {old} I am fine.</p>")) == []
    later = f"<p>{GAME}</p>{words}{day}{words}<p>After {old} I am fine.</p>"
    assert chromium.marked(built.page(later), 2) == [GAME, old]


def test_a_page_full_of_findings(chromium: Browser, built: Built) -> None:
    """All are marked, although an answer has at most 500."""
    assert len(chromium.marked(built.page(f"<p>{GAME}</p>" * 700), 700)) == 700


def test_hostile_pages(chromium: Browser, built: Built) -> None:
    """Large pages are read in part; a page that changes all the time, and payloads, do nothing."""
    large = "<p>Words of 12 or 34 things.</p>" * 70_000
    assert chromium.marked(built.page(f"<p>{GAME}</p>{large}"), 1) == [GAME]
    bomb = "<b><i>" * 3000 + GAME
    assert len(chromium.marked(built.page(bomb), 1)) == 1
    many = f"<p>{GAME} and 43Z-32H-54.</p>" * 5000
    assert len(chromium.marked(built.page(many))) > 100
    payload = html.escape("<img src=x onerror=document.title='caught'>")
    changing = (
        f"<div id=it>{payload} {GAME} {payload}</div><script>let n = 0; setInterval(() => "
        "{ it.append(`${n += 1} `); it.normalize(); }, 5)</script>"
    )
    assert chromium.marked(built.page(changing), 1) == [GAME]
    assert chromium.run("return document.title") == "A page"


def test_python_ends(chromium: Browser, built: Built) -> None:
    """Python begins from the snapshot of the build, ends when nobody asks, and begins again."""
    page = built.page(GAME)
    assert chromium.marked(page, 1) == [GAME]
    chromium.open(f"{built.own}/options.html")
    kept = (
        "const keys = async (name) => (await (await caches.open(name)).keys()).length;"
        "return Promise.all((await caches.keys()).map(keys))"
    )
    assert not any(_awaited(chromium, kept))  # which only another start would have made
    contexts = "return chrome.runtime.getContexts({contextTypes: ['OFFSCREEN_DOCUMENT']})"
    assert len(_awaited(chromium, contexts)) == 1
    question = {"to": "host", "name": "find_in_post", "args": [GAME], "patience": 0}
    ask = f"return chrome.runtime.sendMessage({json.dumps(question)}).catch(() => null)"
    reply = _awaited(chromium, ask)
    assert [finding["text"] for finding in reply["value"]["findings"]] == [GAME]

    def has_ended() -> bool:
        if not _awaited(chromium, contexts):
            return True
        _awaited(chromium, ask)  # the browser's own question may have come after it
        return False

    assert _found(has_ended)
    assert chromium.marked(page, 1) == [GAME]


def _awaited(chromium: Browser, script: str) -> Any:
    """What a script of the extension's own page returns."""
    call = f"const told = arguments[0]; (async () => {{ {script} }})().then(told)"
    return chromium.driver.execute_async_script(call)


def _card(driver: Any) -> dict[str, Any]:
    """The card as the developer tools see it, in its closed tree."""
    tree = driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    hosts = [node for node in _nodes(tree) if node["nodeName"] == "NACTATION-CARD"]
    sections = [node for host in hosts for node in _nodes(host) if node["nodeName"] == "SECTION"]
    return sections[0] if sections else {}


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in (*node.get("children", ()), *node.get("shadowRoots", ())):
        yield from _nodes(child)


def _text(node: dict[str, Any]) -> str:
    return " ".join(part["nodeValue"] for part in _nodes(node) if part["nodeName"] == "#text")


def _shows(driver: Any, text: str) -> dict[str, Any]:
    assert _found(lambda: text in _text(_card(driver))), _text(_card(driver))
    return _card(driver)


def _press(driver: Any, name: str) -> None:
    """Press a button of the card."""
    (button,) = (
        node
        for node in _nodes(_card(driver))
        if node["nodeName"] == "BUTTON" and _text(node) == name
    )
    node = {"nodeId": button["nodeId"]}
    driver.execute_cdp_cmd("DOM.scrollIntoViewIfNeeded", node)
    box = driver.execute_cdp_cmd("DOM.getBoxModel", node)["model"]["border"]
    click_at(driver, (box[0] + box[4]) / 2, (box[1] + box[5]) / 2)


def test_the_card_works(chromium: Browser, built: Built) -> None:
    """The engine and the clipboard have the turn that is shown; the options change the card."""
    driver = chromium.driver
    allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": allowed})
    page = built.page(GAME)
    assert chromium.marked(page, 1) == [GAME]
    open_card(chromium.driver)
    _shows(driver, "White plays 31")
    _press(driver, "Best plays")
    best = _text(_shows(driver, "2-ply")).partition("2-ply")[2].split()
    assert best[:2] == ["8/5", "6/5"]  # as in every opening book
    pasted = "return navigator.clipboard.readText()"
    for button, said, words in (
        ("Copy XGID", "XGID copied", ["XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:0:0:0:10"]),
        ("Copy post", "Post for reddit copied", [GAME, "O: 0 off, 154 pips", "X: 0 off, 158 pips"]),
    ):
        _press(driver, button)
        _shows(driver, said)
        text = _awaited(chromium, pasted)
        assert [word for word in words if word not in text] == []
    chromium.open(f"{built.own}/options.html")
    checked = "return document.forms[0].elements.plays.checked"  # by the page's script
    assert _found(lambda: _awaited(chromium, checked))
    chromium.run(
        "const { theme, bottom, plays, engine } = document.forms[0].elements;"
        "theme.value = 'dark'; bottom.value = 'black'; plays.checked = engine.checked = false;"
        "document.forms[0].dispatchEvent(new Event('change'))"
    )
    kept = "return (await chrome.storage.local.get('options')).options?.theme === 'dark'"
    assert _found(lambda: _awaited(chromium, kept))
    assert chromium.marked(page, 1) == [GAME]
    open_card(chromium.driver)
    text = _text(_shows(driver, "White plays 31"))
    assert "24/20 13/8" not in text
    assert "Best plays" not in text
    assert " 24 23 22 " in text  # counted from the other side
    host = "const { theme } = document.querySelector('nactation-card').dataset; return theme"
    assert chromium.run(host) == "dark"
    chromium.open(f"{built.own}/options.html")
    _awaited(chromium, "return chrome.storage.local.clear()")


def _focus(driver: Any, name: str, *, enter: bool = True) -> None:
    """Give the focus to a button of the list, as the Tab key does, and perhaps press Enter."""
    tree = driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    (button,) = (
        node for node in _nodes(tree) if node["nodeName"] == "BUTTON" and _text(node) == name
    )
    driver.execute_cdp_cmd("DOM.focus", {"nodeId": button["nodeId"]})
    if enter:
        _key(driver, "Enter", text="\r")


def _key(driver: Any, name: str, **more: str) -> None:
    for kind in ("keyDown", "keyUp"):
        event = {"type": kind, "key": name, "code": name} | more
        driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)


def _style(driver: Any) -> dict[str, str]:
    """The computed style of the card."""
    driver.execute_cdp_cmd("DOM.enable", {})
    driver.execute_cdp_cmd("CSS.enable", {})
    node = {"nodeId": _card(driver)["nodeId"]}
    styles = driver.execute_cdp_cmd("CSS.getComputedStyleForNode", node)["computedStyle"]
    return {row["name"]: row["value"] for row in styles}


def _box(driver: Any) -> list[float]:
    """The corners of the card in the window."""
    node = {"nodeId": _card(driver)["nodeId"]}
    corners: list[float] = driver.execute_cdp_cmd("DOM.getBoxModel", node)["model"]["border"]
    return corners


def _is_inside(driver: Any) -> bool:
    """Whether the card is inside the window."""
    box = _box(driver)
    height = driver.execute_script("return innerHeight")
    return bool(min(box) >= 0 and max(box[1::2]) <= height)


def test_where_the_card_is(chromium: Browser, built: Built) -> None:
    """Inside the window, also when the page scrolls smoothly and when the card grows."""
    driver = chromium.driver
    driver.set_window_size(900, 760)
    style = "<style>html { scroll-behavior: smooth }</style>"
    spaced = f"<p style='margin: 3000px 0'>{GAME}</p>"
    script = "<script>document.documentElement.dir = 'rtl'</script>"
    field = "<input id=field style='position: absolute; left: 0'>"  # not below the card
    page = built.page(f"{style}{script}{field}{spaced}<p hidden>43Z-32H-54</p>")
    assert chromium.marked(page, 2) == [GAME, "43Z-32H-54"]
    sides = "const { scrollWidth, clientWidth } = document.documentElement;"
    assert chromium.run(f"{sides} return scrollWidth === clientWidth")  # nothing new to scroll to
    _focus(driver, f"Board of {GAME}")
    _shows(driver, "White plays 31")
    assert _found(partial(_is_inside, driver))
    assert _style(driver)["direction"] == "ltr"
    _press(driver, "Best plays")
    _shows(driver, "2-ply")
    assert _found(partial(_is_inside, driver))
    chromium.run("document.querySelector('#field').scrollIntoView({ behavior: 'instant' })")
    x, y = chromium.run("const { x, y } = field.getBoundingClientRect(); return [x + 9, y + 9]")
    click_at(driver, x, y)  # which closes the card, and keeps what was clicked
    assert chromium.run("return document.activeElement.id") == "field"
    _focus(driver, "Board of 43Z-32H-54")
    _shows(driver, "to play 54")  # which the page does not show now
    assert _found(partial(_is_inside, driver))
    driver.set_window_size(900, 900)


def test_the_card_of_a_dialog(chromium: Browser, built: Built) -> None:
    """It can be used although the rest of the page cannot; the page hears none of its keys."""
    driver = chromium.driver
    hear = (
        "<script>window.heard = []; for (const kind of ['keydown', 'keypress', 'keyup'])"
        " document.addEventListener(kind, ({ key }) => heard.push(kind + key))</script>"
    )
    dead = "<script>document.documentElement.append(document.createElement('nactation-card'))"
    page = built.page(
        "<style>body { background: oklch(1 0 0) }</style>"
        f"{hear}<dialog id=it><p>{GAME}</p></dialog>{dead}; it.showModal()</script>"
    )
    assert chromium.marked(page, 1) == [GAME]
    assert chromium.run("return document.querySelectorAll('nactation-card').length") == 1
    open_card(driver)
    _shows(driver, "White plays 31")
    host = "const { theme } = document.querySelector('nactation-card').dataset; return theme"
    assert chromium.run(host) == "light"
    _press(driver, "\u2039")
    _shows(driver, "Black plays 63")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert _style(driver)["display"] == "none"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    (menu,) = (node for node in _nodes(_card(driver)) if node["nodeName"] == "SELECT")
    driver.execute_cdp_cmd("DOM.focus", {"nodeId": menu["nodeId"]})
    _key(driver, "d", text="d")
    _key(driver, "Escape")
    assert _found(lambda: not chromium.run("return CSS.highlights.has('nactation-now')"))
    assert chromium.run("return it.open")
    _key(driver, "x", text="x")
    assert chromium.run("return heard") == ["keydownx", "keypressx", "keyupx"]


def test_what_the_page_keeps(chromium: Browser, built: Built) -> None:
    """A text that is selected, the click on a label, the focus; list and card are seen anyway."""
    driver = chromium.driver
    style = (
        "<style>html { zoom: 1.5 } header { position: fixed; inset: 0 0 auto; height: 4rem;"
        " background: gray; z-index: 9999 } body { padding-top: 5rem }</style><header></header>"
    )
    label = "<p><label>43Z-32H-54 <input type=checkbox id=box></label></p>"
    page = built.page(f"{style}{label}<p style='padding-left: 9rem'>Words {GAME} and more.</p>")
    assert chromium.marked(page, 2) == ["43Z-32H-54", GAME]
    places = chromium.run(
        "return [...CSS.highlights.get('nactation')].map((range) => range.getBoundingClientRect())"
        ".map(({ x, y, width, height }) => [x, y + height / 2, width])"
    )
    is_shown = "return CSS.highlights.has('nactation-now')"
    x, y, width = places[0]
    click_at(driver, x + width / 2, y)
    assert chromium.run("return box.checked")
    assert not chromium.run(is_shown)
    x, y, width = places[1]
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    for kind, to in (("Pressed", 0), ("Moved", 0.3), ("Moved", 0.6), ("Released", 0.6)):
        event = mouse | {"type": f"mouse{kind}", "x": x + to * width, "y": y}
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    assert chromium.run("return String(getSelection())") in GAME
    assert not chromium.run("return getSelection().isCollapsed")
    assert not chromium.run(is_shown)
    click_at(driver, x - 9, y)  # nothing is selected any more
    _focus(driver, f"Board of {GAME}", enter=False)
    at = "return document.elementFromPoint(30, 30).matches('nactation-card')"
    assert chromium.run(at)
    chromium.run("document.body.insertAdjacentHTML('beforeend', '<p>54S-63R-31</p>')")
    assert _found(lambda: chromium.counts(3))
    assert chromium.run("return document.activeElement.matches('nactation-card')")
    click_at(driver, x + width / 2, y)
    _shows(driver, "White plays 31")
    assert _found(partial(_is_inside, driver))
    assert max(_box(driver)[::2]) <= chromium.run("return innerWidth")
    chromium.run("document.body.click()")  # as a page that turns its pictures does
    assert chromium.run(is_shown)


def test_the_board_of_the_extension(chromium: Browser, built: Built) -> None:
    """It copies no links: they would lead nobody else to it."""
    chromium.open(f"{built.own}/index.html#s={GAME}")
    names = chromium.run(
        "return [...document.querySelectorAll('#copies button')].map((one) => one.textContent)"
    )
    assert "Copy sequence" in names
    assert {"Copy link", "Copy embed", "Copy analysis link", "Copy question"}.isdisjoint(names)


def test_the_card(chromium: Browser, built: Built) -> None:
    """A tap shows the board inside a phone's window; the page does not reach it; Escape closes."""
    driver, command = chromium.driver, chromium.driver.execute_cdp_cmd
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    command("Emulation.setDeviceMetricsOverride", metrics)
    view = '<meta name="viewport" content="width=device-width">'
    page = built.page(f"{view}<p style='margin-top: 600px'>See {GAME}.</p>")
    assert chromium.marked(page, 1) == [GAME]
    assert chromium.run("return document.querySelector('nactation-card').shadowRoot") is None
    open_card(chromium.driver)
    card = _shows(driver, "8/5 6/5")
    for word in ("White plays 31", "24/20 13/8", "Money game", "Open on the Board", "Best plays"):
        assert word in _text(card)
    box = command("DOM.getBoxModel", {"nodeId": card["nodeId"]})["model"]["border"]
    assert min(box) >= 0
    assert max(box[::2]) <= 390
    assert max(box[1::2]) <= 844
    shot = base64.b64decode(command("Page.captureScreenshot", {})["data"])
    assert shot.startswith(b"\x89PNG")
    focus = "return document.activeElement.matches('nactation-card')"
    assert _found(lambda: chromium.run(focus))
    _key(driver, "ArrowLeft")
    _shows(driver, "Black plays 63")
    _key(driver, "Escape")
    assert _style(driver)["display"] == "none"
    command("Emulation.clearDeviceMetricsOverride", {})
