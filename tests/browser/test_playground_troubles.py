"""The playground without a server, against hostile input, in browsers that lack a part."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from gnubg_nactation.exports.board import BOARDS
from gnubg_nactation.playground.answers import handle
from tests.cli.running import MATCH, run

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from tests.browser.reader import Reader
from tests.browser.stations import (
    ACE_POINT,
    DESKTOP,
    DROPPED,
    PHONE,
    asked,
    choose_sample,
    enter,
    opened,
    opened_to_choose,
    right,
    saved,
)
from tests.browser.visitor import MANNERS, Served, Visitor, by_finger, by_mouse


def test_a_bad_connection(visitor: Visitor, served: Served) -> None:
    """The first downloads fail; at the end the server is gone."""
    a_failed_download(visitor, served)
    assert all("gnubg.wasm" in complaint for complaint in visitor.complaints())
    embedded = before_the_end(visitor, served.address)
    served.close()
    offline(visitor, served.address, embedded)


def a_failed_download(visitor: Visitor, served: Served) -> None:
    """The page works without Python or the engine, reports the failure, and tries again."""
    served.broken.extend(("gnubg.wasm", "python_stdlib.zip", "pyodide.asm.wasm", "pyodide.asm.mjs"))
    visitor.begin(f"{served.address}#alphabet=H")
    visitor.shows("#doing", "White plays")
    assert len(visitor.all("#families li")) > 50
    opened(visitor, by_mouse, "Board")
    visitor.find("#text").send_keys("31P")
    for manner in MANNERS:
        visitor.python("failed")
        assert "Python could not be loaded" in visitor.text("#what")
        for size in (PHONE, DESKTOP):
            visitor.size(*size)
            _, top, _, height = visitor.box(visitor.find("#retry"))
            assert height < 48  # "Try again" in one line
            assert top + height < size[1]
        served.broken.pop()
        visitor.run("document.documentElement.dataset.python = ''")
        manner(visitor, visitor.find("#retry"))
    visitor.python("ready")
    visitor.shows("#turns", "8/5 6/5")
    visitor.shows("#judgement", "No equities: gnubg.wasm is missing or damaged.")
    served.broken.clear()
    visitor.begin(f"{served.address}#s=31P")
    visitor.shows("#nacbrac", "31 [P")


HARM = "document.title = 'caught'"


MARKUP = f'<img src=x onerror="{HARM}"><script>{HARM}</script>'


ADDRESSES = {
    "#s=<img onerror>31P": ("s", "<img onerror>31P"),
    f"#s=<img src=x onerror={HARM}": ("s", "<img src=x"),
    "#s=%E0%A4%A": ("s", "%E0%A4%A"),
    "#play=" + "31P-" * 25_000: ("s", "31P-31P"),
    "#match=x": ("match", ""),
    "#alphabet=<img src=x>": ("alphabet", ""),
    "#alphabet=%E0%A4%A": ("alphabet", ""),
    "#letters=x": ("letters", ""),
    "#edit=<img src=x>": ("edit", ""),
    "#unknown=31P": ("s", ""),
    "#constructor=31P": ("s", ""),
    "#toString": ("s", ""),
}


def test_hostile_input(visitor: Visitor, playground: Served) -> None:
    """Markup and 100 kB in every input: nothing is run, and the page does little."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.browser.execute_cdp_cmd("Profiler.enable", {})
    counting = {"callCount": True, "detailed": True}
    visitor.browser.execute_cdp_cmd("Profiler.startPreciseCoverage", counting)
    for address, (view, text_of_field) in ADDRESSES.items():
        visitor.go(address)
        visitor.until("document.documentElement.dataset.view === arguments[0]", view)
        if view == "s":
            field = visitor.run("return document.querySelector('#text').value")
            assert field.startswith(text_of_field), address
    visitor.go("s=")
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
    visitor.go("read")
    for text in (MARKUP * 1000, "<i" * 50_000, "(" * 100_000):
        visitor.run("document.querySelector('#post').value = arguments[0]", text)
        visitor.find("#pasting button").click()
        visitor.shows("#found", "No Nactation found.")
        visitor.run("document.querySelector('#found').textContent = ''")
    hostile = MATCH.replace(b"Ann", MARKUP.encode()).replace(b"Ben", b"</title>" * 12_000)
    visitor.run(DROPPED, f"{MARKUP}.mat", base64.b64encode(hostile).decode())
    visitor.shows("#outcome", "onerror")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.go("match&at=1.1a")
    visitor.shows("#doing", MARKUP[:20])
    assert visitor.run("return document.title") == "Nactation playground"
    assert not visitor.all("main img")
    scripts = visitor.browser.execute_cdp_cmd("Profiler.takePreciseCoverage", {})["result"]
    visitor.browser.execute_cdp_cmd("Profiler.disable", {})
    functions = [function for script in scripts for function in script["functions"]]
    blocks = sum(part["count"] for function in functions for part in function["ranges"])
    assert 10_000 < blocks < 2_000_000  # of code that were run, where the square of 100 kB is 1e10


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


def test_memory_is_kept(visitor: Visitor, playground: Served) -> None:
    """Python starts from the kept memory, or without it if that is damaged. So does the engine."""
    enter(visitor, f"{playground.address}#s=31P")
    visitor.shows("#nacbrac", "31 [P")
    try:
        damaging(visitor, playground.address)
    except BaseException:
        origin = {"origin": playground.address, "storageTypes": "all"}
        visitor.browser.execute_cdp_cmd("Storage.clearDataForOrigin", origin)
        raise


def damaging(visitor: Visitor, address: str) -> None:
    """Damage what is kept of the engine, then of Python, which is whole again at the end."""
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


EMBEDDED = "document.querySelector('#tokens')?.childElementCount"


def before_the_end(visitor: Visitor, address: str) -> str:
    """Choose a board, answer a question, open an embedded sequence; the address of that."""
    visitor.menu(by_mouse, "#settings")
    by_mouse.choose(visitor, visitor.find("#boards"), list(BOARDS)[-1])
    visitor.go("train=31P")
    text = asked(visitor)
    visitor.use(by_mouse, f'#guesses button[value="{right(text)[0]}"]')
    visitor.shows("#due", "0 due, 20 new")
    embedded = f"{address}embed.html#embed=31P&turns=31,31P,8/5%206/5"
    visitor.begin(embedded, EMBEDDED)
    visitor.shows("#tokens [aria-current]", "31P")
    return embedded


def offline(visitor: Visitor, address: str, embedded: str) -> None:
    """Without the server, the page, Python and the samples still work."""
    visitor.begin(f"{address}#edit={ACE_POINT}")
    visitor.python("ready")
    visitor.shows("#ids", ACE_POINT)
    assert visitor.run("return document.documentElement.dataset.board") == list(BOARDS)[-1]
    assert visitor.browser.execute_cdp_cmd("Page.getInstallabilityErrors", {}) == {
        "installabilityErrors": []
    }
    visitor.go("openings=31P-42")
    visitor.shows("#closeness", "Clear: P")
    visitor.go("train")  # the answers of the visit before
    visitor.shows("#due", "0 due, 20 new")
    handouts(visitor)
    visitor.begin(embedded, EMBEDDED)
    visitor.shows("#tokens [aria-current]", "31P")
    visitor.begin(f"{address}#s=43Z-32H")
    visitor.python("ready")
    visitor.shows("#turns", "32H13/10 6/4*")
    visitor.shows("#depth", "2-ply")
    assert visitor.text("#nacbrac").startswith("43Z-32 [")
    opened_to_choose(visitor, by_mouse)
    choose_sample(visitor, by_mouse, "match-1pt.mat")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.use(by_mouse, "#summary .row a", "Quiz me")
    visitor.until("document.querySelectorAll('#match-guesses button').length > 1")


def handouts(visitor: Visitor) -> None:
    """The replies to 31P for Anki, and the chart, whose frame may have its style."""
    asked(visitor)  # after which nothing moves
    by_finger(visitor, visitor.find("#take-cards"))
    text = saved(visitor, "openings-31P-money.txt").decode()
    assert text.startswith("#separator:Comma")
    assert text.count("<svg") == 21
    visitor.go("openings=31P%20dmp")
    visitor.shows("#doing", "Black to roll")
    by_finger(visitor, visitor.find("#take-chart"))
    visitor.use(by_finger, "#chart button", "Save page")
    page = saved(visitor, "openings-dmp.html").decode()
    assert page == run("replies", "--engine", "book", "--score", "dmp", "--to", "html").out
    with visitor.inside("#chart iframe"):
        cell = visitor.find("td.far")  # coloured by the style of the chart
        assert visitor.run("return getComputedStyle(arguments[0]).borderTopStyle", cell) == "solid"


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
        for size in (PHONE, DESKTOP):
            visitor.size(*size)
            for manner in MANNERS:
                visitor.until("!document.querySelector('#stop').hidden")
                ended = visitor.run("return ended")
                manner(visitor, visitor.find("#stop"))
                visitor.until("ended > arguments[0]", ended)


# A service worker of which the browser never says whether it is kept; nobody waits long for it.
UNSETTLED = """
ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
const later = setTimeout;
window.setTimeout = (does, time, ...given) => later(does, Math.min(time, 100), ...given);
"""


def test_a_service_worker_that_never_settles(visitor: Visitor, playground: Served) -> None:
    """Python is fetched without it."""
    with visitor.before_each_page(UNSETTLED):
        enter(visitor, f"{playground.address}#s=31P")
    visitor.shows("#doing", "8/5 6/5")


def impossible(visitor: Visitor, served: Served, message: str) -> None:
    """If a browser cannot run Python, the page explains why; the alphabet works."""
    visitor.visit(f"{served.address}#alphabet")
    visitor.python("impossible")
    assert message in visitor.text("#what")
    assert not visitor.find("#retry").is_displayed()
    assert len(visitor.all("#families li")) > 50
    opened(visitor, by_mouse, "Board")
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
