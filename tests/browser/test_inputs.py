"""Each thing that the page offers, by mouse, keyboard and finger, at the sizes of each."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import pytest

from gnubg_nactation.exports.page.html import format_html
from tests.exports.pages import read

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import SIZES, Reader

Act = Callable[[str], None]

# What would go to the clipboard, as selenium has none without a screen.
_CLIPBOARD = """
    window.pasted = [];
    navigator.clipboard.writeText = async (text) => { pasted.push(text); };
    navigator.clipboard.write = async ([item]) => {
      const image = await createImageBitmap(await item.getType('image/png'));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const at = ([x, y]) => [...context.getImageData(2 * x, 2 * y, 1, 1).data];
      pasted.push([image.width, image.height, ...[[310, 10], [50, 70], [352, 475]].map(at)]);
    };
"""


@pytest.fixture(scope="module")
def page() -> str:
    return format_html(read("match-3pt-analysed.sgf"))


# A keyboard at a small size, too: pages are as narrow when they are enlarged.
WAYS = [("finger", size) for size in SIZES if size[0] < 900]
WAYS += [("mouse", size) for size in SIZES if size[0] >= 900]
WAYS += [("keyboard", SIZES[0]), ("keyboard", SIZES[2])]


@pytest.fixture
def act(reader: Reader, by: str) -> Act:
    """How one uses what a selector finds."""

    def used(selector: str) -> None:
        element = reader.find(selector)
        # In sight, and not behind the board, which stays there.
        reader.run("arguments[0].scrollIntoView({block: 'end', behavior: 'instant'})", element)
        if by == "mouse":
            reader.click(element)
        elif by == "finger":
            reader.touch(element)
        else:
            reader.run("arguments[0].focus()", element)
            assert reader.run("return document.activeElement === arguments[0]", element)
            reader.press(Keys.ENTER)

    return used


@pytest.mark.parametrize(
    ("by", "size"), WAYS, ids=[f"{by}-{width}x{height}" for by, (width, height) in WAYS]
)
def test_all_that_is_offered(
    reader: Reader, act: Act, by: str, size: tuple[int, int], page: str
) -> None:
    reader.media(prefers_reduced_motion="reduce")  # what is clicked lies still
    reader.open("#1.10b", size, page)
    reader.run(_CLIPBOARD)
    steps(reader, act)
    words(reader, act)
    looks(reader, act)
    copies(reader, act)
    errors(reader, act)
    quiz(reader, act, by)
    letters(reader, act)
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]


def text(reader: Reader, selector: str) -> str:
    return str(reader.run("return document.querySelector(arguments[0]).innerText", selector))


def steps(reader: Reader, act: Act) -> None:
    reached = []
    for step in ("next", "next", "previous", "last", "first"):
        act(f"[data-step={step}]")
        reached.append(reader.anchor)
    assert reached == ["#1.11ac", "#1.11a", "#1.11ac", "#1.45a", "#1.1b"]
    act('.cell[data-id="1.3a"] a.c')  # `cube?` in the table
    assert reader.anchor == "#1.3ac"
    assert "[N D/T" in text(reader, "#panel")  # the nacbrac of the cube
    act('.cell[data-id="1.10b"] a')
    assert reader.anchor == "#1.10b"


def words(reader: Reader, act: Act) -> None:
    act("#character")
    assert "hit and split" in text(reader, "#explanation")
    reader.press(Keys.ESCAPE)
    act('.cell[data-id="1.10a"] .n')
    assert "each" in text(reader, "#explanation")
    reader.press(Keys.ESCAPE)
    act('.cell[data-id="1.10b"] a')


def looks(reader: Reader, act: Act) -> None:
    act('[data-candidate="1"]')
    assert reader.all('[data-candidate="1"][aria-pressed=true]')
    act("#tools summary")
    for button in ("#flip", "#theme"):
        for pressed in ("true", "false"):
            act(button)
            assert reader.find(button).get_attribute("aria-pressed") == pressed
    act("#help")
    assert reader.find("dialog").is_displayed()
    act("dialog button")
    assert not reader.find("dialog").is_displayed()


def copies(reader: Reader, act: Act) -> None:
    act("#tools summary")
    reader.find("#site").send_keys("red")  # reddit
    for kind in ("xgid", "id", "sequence", "link", "post", "picture"):
        act(f"[data-copy={kind}]")
    all_pasted = """
        const look = () => (pasted.length < 6 ? setTimeout(look, 20) : arguments[0](pasted));
        look();
    """  # a picture takes its time
    pasted = reader.browser.execute_async_script(all_pasted)
    xgid, position, sequence, link, post, picture = pasted
    assert xgid.startswith("XGID=")
    assert len(position) == 14
    assert sequence.startswith("-52T-53P-32&")
    assert link.endswith("#1.10b")
    assert "Solution: >!54T 17/8, -.758" in post
    width, height, *colours = picture
    assert (width, height) == (1240, 1120)
    act("#tools summary")
    assert len({tuple(colour) for colour in colours}) == 3  # the page, the frame, a checker
    assert colours[2][:3] == [255, 250, 240]  # white of the green board


def errors(reader: Reader, act: Act) -> None:
    act('#games a[href="#errors"]')
    assert reader.anchor == "#errors"
    act('.account a[href="#1.10b"]')
    assert reader.anchor == "#1.10b"
    reader.back()
    assert reader.anchor == "#errors"


def quiz(reader: Reader, act: Act, by: str) -> None:
    act('#games a[href="#quiz"]')
    assert "to play 52" in text(reader, "#question")
    if by == "keyboard":
        reader.find("#answer").send_keys("X", Keys.BACKSPACE, "S", Keys.ENTER)
    else:
        touched = reader.touch_at if by == "finger" else reader.click_at
        touched("#board svg", 68, 470)  # Bob's midpoint with the 5
        act("#undo")
        touched("#board svg", 68, 470)
        touched("#board svg", 552, 470)  # his 24pt with the 2
    assert text(reader, "#verdict").startswith("Right: S 24/22 13/8")
    act("#further")
    act("#solve")
    assert text(reader, "#verdict") == "Not counted."
    reader.run(
        "const s = document.querySelector('#players'); s.value = '0';"
        "s.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    for _ in range(60):
        if reader.find("#choices").is_displayed():
            break
        reader.run("document.querySelector('#further').click()")
    act("[value=double]")
    assert re.match("Right|No", text(reader, "#verdict"))
    act("#leave")
    assert reader.find("#moves").is_displayed()


def letters(reader: Reader, act: Act) -> None:
    act('#games a[href="#letters"]')
    act(".choice")
    assert re.match("Right|No", text(reader, "#verdict"))
    act("#leave")
    assert not reader.find("#asked").is_displayed()
