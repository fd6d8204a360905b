"""Posts that are read in the playground, and sequences that other pages show."""

from __future__ import annotations

import os
import re

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import (
    DESKTOP,
    EVERYTHING,
    Size,
    check_layout,
    copied,
    enter,
    job,
    opened,
    uses,
)
from tests.browser.visitor import Manner, Served, Visitor, by_mouse

POST = "After 43Z-32H-54 <b>who</b> <script>document.title = 'caught'</script> knows? And 41Z?"


RICH = "<p>Then 31P-44<u>A</u> was right.</p>"  # without its underline it is 8/4(2) 6/2(2)


@uses(keys=DESKTOP)
def test_a_post(visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size) -> None:
    enter(visitor, f"{playground.address}#alphabet", size)
    with job(visitor, manner, "read a post"):
        opened(visitor, manner, "Read")
        visitor.run("document.querySelector('#post').value = ''")
        visitor.write(manner, "#post", POST)
        manner(visitor, visitor.find("#pasting button"))
        visitor.shows("#found", "2 items found")
        assert visitor.run("return document.title") == "Nactation playground"
        visitor.use(manner, ".post button", "41Z")
        visitor.shows("#piece", "24/23 13/9")
    visitor.use(manner, ".post button", "43Z")
    visitor.use(manner, "#piece .turns button", "32H")
    check_layout(visitor, axe, "read")
    assert "Black plays 32H 13/10 6/4*" in visitor.text("#doing")
    manner(visitor, visitor.find("#piece a"))
    visitor.shows("#turns", "32H13/10 6/4*")
    assert visitor.anchor == "#s=43Z-32H-54"


def test_pasted_text(visitor: Visitor, playground: Served) -> None:
    """Text copied from a page keeps its styles until it is edited."""
    enter(visitor, f"{playground.address}#alphabet")
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


def test_boards_of_posts(visitor: Visitor, playground: Served) -> None:
    """Shows the last turn of a sequence, the best play of a nacbrac, or the starting position."""
    enter(visitor, f"{playground.address}#alphabet")
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


def test_a_frame_in_another_page(visitor: Visitor, axe: str, playground: Served) -> None:
    """The copied frame shows and steps through a sequence in another page, without Python."""
    visitor.begin(f"{playground.address}#s=54S-63R-31P")
    visitor.shows("#why", "preferred: a point made")
    visitor.menu(by_mouse, "#more")
    visitor.use(by_mouse, "#copies button", "Copy embed")
    code = copied(visitor)
    head = '<meta name=viewport content="width=device-width"><link rel=icon href="data:,">'
    blog = f"<!doctype html><html lang=en><title>Blog</title>{head}<main><h1>Blog</h1>{code}</main>"
    (playground.folder / "blog.html").write_text(blog, encoding="utf-8")
    visitor.size(320, 640)
    visitor.visit(f"{playground.address.removesuffix('some/where/')}blog.html")
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
    assert link.get_attribute("href") == f"{playground.address}#s=54S-63R-31P"
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    names = visitor.run("return performance.getEntriesByType('resource').map(({name}) => name)")
    assert any(name.endswith("/embed.js") for name in names)
    assert not [name for name in names if re.search("pyodide|package.zip|worker|engine", name)]
    assert [issue["id"] for issue in visitor.violations(axe)] == []
    visitor.browser.switch_to.default_content()
    visitor.size(*DESKTOP)
    # Without the turns Python works them out, and the same view follows.
    visitor.visit(f"{playground.address}#embed=54S-63R-31P")
    visitor.until("document.querySelector('#tokens [aria-current]')")
    assert visitor.run("return location.href").replace("&", "&amp;") in code
    visitor.visit(f"{playground.address}embed.html#embed=31P&turns=<b>,31P,8/5")
    visitor.until("document.querySelector('#tokens [aria-current]')?.textContent === '31P'")


def _current(visitor: Visitor) -> str:
    return visitor.text("#tokens [aria-current]")
