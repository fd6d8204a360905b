"""The board of the playground where something comes between: Back, another view, a paste, a key."""

from __future__ import annotations

import os

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import EVERYTHING, copied, enter
from tests.browser.visitor import Served, Visitor, by_mouse

# Paste a text with styles into a field, as the browser does if the page does not do it.
PASTED = """
const [selector, text, html] = arguments;
const transfer = new DataTransfer();
transfer.setData('text/plain', text);
transfer.setData('text/html', html);
const paste = { clipboardData: transfer, bubbles: true, cancelable: true };
const field = document.querySelector(selector);
if (field.dispatchEvent(new ClipboardEvent('paste', paste))) field.setRangeText(text);
"""


def test_a_line_that_was_left_comes_with_its_links(visitor: Visitor, playground: Served) -> None:
    """And Back leads to the line alone, as it was before."""
    enter(visitor, f"{playground.address}#s=54S-63R-31P")
    visitor.use(by_mouse, "#turns button", "54")
    visitor.shows("#options", "24/20 13/8")
    visitor.use(by_mouse, "#options button:not([aria-current])")
    visitor.until("location.hash.endsWith('&or=54S-63R-31P')")
    both = visitor.anchor
    line = both.removeprefix("#s=").removesuffix("&or=54S-63R-31P")
    for link in ("#edit-this", "#to-s"):
        assert f"{line}&or=54S-63R-31P" in visitor.find(link).get_attribute("href")
    visitor.use(by_mouse, "#edit-this")
    visitor.until("document.documentElement.dataset.view === 'edit'")
    visitor.shows("#edit-this", "Done")
    visitor.use(by_mouse, "#edit-this")
    visitor.until("location.hash === arguments[0]", both)
    visitor.use(by_mouse, "#turns .branch button", "or")
    visitor.until("location.hash === arguments[0]", f"#s=54S-63R-31P&or={line}")
    visitor.browser.back()
    visitor.until("location.hash === arguments[0]", both)
    visitor.browser.back()  # from Done to Edit
    visitor.shows("#edit-this", "Done")
    visitor.browser.back()
    visitor.until("location.hash === arguments[0]", both)
    visitor.browser.back()
    gone = "!document.querySelector('#turns .branch')"
    visitor.until(f"location.hash === '#s=54S-63R-31P' && {gone}")


def test_the_analysis_of_a_roll_is_shared_with_its_play(
    visitor: Visitor, playground: Served
) -> None:
    enter(visitor, f"{playground.address}#s=54S-63R-31")
    visitor.shows("#nacbrac", "31 [P")
    visitor.find("#text").send_keys("P")
    visitor.shows("#turns", "31P8/5 6/5")
    visitor.menu(by_mouse, "#more")
    visitor.use(by_mouse, "#more button", "Copy analysis link")
    assert copied(visitor).startswith(f"{playground.address}#decision=")


def test_a_position_without_a_decision_has_no_link_to_its_analysis(
    visitor: Visitor, playground: Served
) -> None:
    """Such as one whose cube belongs to the opponent."""
    state = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"
    enter(visitor, f"{playground.address}#s={state}")
    visitor.shows("#judgement", "\u2013")
    visitor.menu(by_mouse, "#more")
    visitor.use(by_mouse, "#more button", "Copy analysis link")
    visitor.shows("#said", "nothing to decide")


def test_what_is_copied_before_python_is_what_was_typed(visitor: Visitor, served: Served) -> None:
    """And not the example of the first screen, whose menu is there already."""
    served.broken.append("pyodide.asm.wasm")
    visitor.begin(served.address)
    visitor.python("failed")
    visitor.find("#text").send_keys(EVERYTHING + "43Z-32H")
    for name, text in {"Copy sequence": "43Z-32H", "Copy embed": '#embed=43Z-32H"'}.items():
        visitor.menu(by_mouse, "#more")
        visitor.use(by_mouse, "#more button", name)
        assert text in copied(visitor)


def test_what_is_pasted_before_python_is_read_by_it(visitor: Visitor, served: Served) -> None:
    served.broken.append("pyodide.asm.wasm")
    visitor.begin(f"{served.address}#s=54S")
    visitor.python("failed")
    visitor.run(PASTED, "#text", "54S-63R\n-31P", "")
    visitor.until("document.querySelector('#text').value === '54S-63R -31P'")
    served.broken.clear()
    visitor.use(by_mouse, "#retry")
    visitor.shows("#turns", "31P8/5 6/5")


def test_the_dice_of_a_doublet_do_not_change_places(visitor: Visitor, playground: Served) -> None:
    """A click on them does nothing; that on other dice says which comes first."""
    enter(visitor, f"{playground.address}#s=54S-63R-33")
    visitor.until("document.querySelector('#stage.playing')")
    visitor.click_at("#board svg", 452, 280)
    assert not visitor.text("#said")
    visitor.go("s=54S-63R-31")
    visitor.shows("#doing", "White to play 31")
    visitor.until("document.querySelector('#stage.playing')")
    visitor.click_at("#board svg", 452, 280)
    visitor.shows("#said", "Playing the 1 first")


# Python does not know what was pasted until somebody lets it.
RECOGNISES_LATE = """
const { postMessage } = Worker.prototype;
window.held = [];
Worker.prototype.postMessage = function (message, ...rest) {
  const send = () => postMessage.call(this, message, ...rest);
  if (message.name === 'recognise') window.held.push(send);
  else send();
};
"""


def test_nobody_waits_for_what_was_pasted(visitor: Visitor, playground: Served) -> None:
    """A key goes on with it, and another view stays."""
    pasted = "54S-63R -31P"
    with visitor.before_each_page(RECOGNISES_LATE):
        enter(visitor, f"{playground.address}#s=")
        visitor.run(PASTED, "#text", pasted.replace(" ", "\n"), "")
        visitor.until("held.length === 1")
        visitor.find("#text").send_keys("-42")
        visitor.run("held.pop()()")
        visitor.ask("alphabet")  # which is answered after that
        assert visitor.find("#text").get_property("value") == f"{pasted}-42"
        visitor.shows("#turns", "42")
        visitor.go("s=")
        visitor.run(PASTED, "#text", pasted.replace(" ", "\n"), "")
        visitor.until("held.length === 1")
        visitor.go("alphabet=H")
        visitor.run("held.pop()()")
        visitor.ask("alphabet")
        assert visitor.anchor == "#alphabet=H"


def test_a_deeper_search_sorts_the_plays_under_a_pointer_that_rests(
    visitor: Visitor, playground: Served
) -> None:
    """The best play is first, as in the nacbrac; a link also shows which plays are judged at 0-ply.

    gnubg prefers bar/20 24/20 at 0-ply, and bar/21* 13/8 at 2-ply.
    """
    enter(visitor, f"{playground.address}#s=43Z-32H-53")
    visitor.shows("#nacbrac", "53 [")
    visitor.hover(visitor.find("#options li"))
    visitor.run("arguments[0].focus()", visitor.find("#text"))
    visitor.press(Keys.END, Keys.BACKSPACE, "4")
    visitor.shows("#nacbrac", "43Z-32H-54 [Z")
    visitor.shows("#depth", "2-ply")
    visitor.shows("#options li", "bar/21* 13/8")
    shallow = [row for row in visitor.texts("#options li") if "0-ply" in row]
    visitor.menu(by_mouse, "#more")
    visitor.use(by_mouse, "#more button", "Copy analysis link")
    visitor.begin(copied(visitor))
    visitor.shows("#decision li", "bar/21* 13/8")
    shared = [row for row in visitor.texts("#decision li") if "0-ply" in row]
    assert len(shared) == len(shallow) > 0


def test_styled_text_is_pasted_where_the_cursor_is(visitor: Visitor, playground: Served) -> None:
    """In the field, and in a post that has a part already."""
    enter(visitor, f"{playground.address}#s=")
    visitor.find("#text").send_keys("54S-63R-")
    visitor.run(PASTED, "#text", "31P", "<b>31P</b>")
    visitor.shows("#turns", "31P8/5 6/5")
    assert visitor.find("#text").get_property("value") == "54S-63R-31P"
    visitor.go("read")
    visitor.run("arguments[0].select()", visitor.find("#text"))
    visitor.run(PASTED, "#text", "54S-63R-31P-42", "<b>54S-63R-31P-42</b>")
    visitor.until("location.hash === '#s=54S-63R-31P-42'")
    visitor.go("read")
    for text in ("I played 31P-63R here.\n\n", "And 43Z-32H-54 there."):
        visitor.run("arguments[0].setSelectionRange(1e6, 1e6)", visitor.find("#post"))
        visitor.run(PASTED, "#post", text, f"<p><i>{text}</i></p>")
    visitor.wait(0)  # what the paste has asked for comes before it
    visitor.use(by_mouse, "#pasting button")
    visitor.shows("#found", "2 items found")


def test_arrows_choose_a_tab_and_leave_the_game_alone(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#s=54S-63R-31P")
    visitor.shows("#doing", "White plays 31P")
    visitor.run("arguments[0].focus()", visitor.find("#tab-why"))
    visitor.press(Keys.ARROW_RIGHT)
    assert visitor.find("#tab-book").get_attribute("aria-selected") == "true"
    assert visitor.text("#doing").startswith("White plays 31P")


def test_nackgammon_has_no_book_of_backgammon(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#s=N 31P-42P")
    visitor.use(by_mouse, "#tab-book")
    visitor.shows("#book", "The book does not have this position.")
    visitor.use(by_mouse, "#turns button", "31")
    visitor.shows("#options", "6/5")
    visitor.use(by_mouse, "#options button:not([aria-current])")
    visitor.until("location.hash.startsWith('#s=N%2031')")


def test_the_first_screen_comes_back_before_python(visitor: Visitor, served: Served) -> None:
    """Its board is not that of the view between."""
    served.broken.append("pyodide.asm.wasm")
    visitor.begin(served.address)
    doing = visitor.text("#doing")
    visitor.go("alphabet=H")
    visitor.until("document.querySelector('#doing').textContent !== arguments[0]", doing)
    visitor.browser.back()
    visitor.shows("#doing", doing)


def test_an_opening_that_is_rolled_again_is_no_double(visitor: Visitor, playground: Served) -> None:
    """Each die shows 4 here, and the second one then another number."""
    enter(visitor, f"{playground.address}#s=")
    for name in ("Roll", "Roll again"):
        visitor.use(by_mouse, "#roll", name)
        assert visitor.find("#text").get_property("value") == "54"
        visitor.shows("#doing", "White to play 54")


def test_a_double_has_the_book_of_its_own_position(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#s=31P-C-T-64S")
    visitor.use(by_mouse, "#tab-book")
    visitor.shows("#book", "The book does not have this position.")
    visitor.use(by_mouse, "#turns li:nth-child(2) button")
    visitor.shows("#book", "The book has 21 rolls here.")


def test_a_likely_play_keeps_the_score_of_an_opening(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#openings=31P-42K dmp")
    visitor.use(by_mouse, "#line-wrong .likely button")
    visitor.until("/^#openings=31P-42[A-Z$]%20dmp$/i.test(location.hash)")


def test_a_letter_that_was_asked_is_not_asked_again(visitor: Visitor, playground: Served) -> None:
    """Though somebody looks the letter up after the answer."""
    enter(visitor, f"{playground.address}#letters")
    visitor.use(by_mouse, "#choices button")
    visitor.until("/Right|Wrong/.test(document.querySelector('#verdict').textContent)")
    question, score = visitor.text("#question"), visitor.text("#score")
    visitor.go("alphabet")
    visitor.go("letters")
    visitor.until("document.querySelector('#question').textContent !== arguments[0]", question)
    assert visitor.text("#score") == score


def test_a_text_that_is_typed_again_at_once(visitor: Visitor, served: Served) -> None:
    """Other views open, though Python has not read it: it has failed."""
    served.broken.append("pyodide.asm.wasm")
    visitor.begin(served.address)
    visitor.python("failed")
    visitor.find("#text").send_keys("P")
    visitor.find("#text").send_keys(Keys.BACKSPACE)
    visitor.go("learn")
    visitor.until("document.querySelectorAll('#lessons a').length > 3")
