"""The library of the playground where something comes between: Stop, Pause, another file or tab."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.cli.running import MATCH, SAMPLES

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import DROPPED, copied, enter
from tests.browser.test_library import FILES, IDLE, MATCHES, SMALL, be, choose, enter_as
from tests.browser.visitor import Served, Visitor, by_mouse

# The buttons that there are in a box, one after the other; and how often the database was kept.
NOTICES = """
window.stops = new Set();
window.saves = 0;
document.addEventListener('DOMContentLoaded', () => {
  const note = () => document.querySelectorAll('#shelf-state progress ~ button, #analysing button')
    .forEach((one) => stops.add(one));
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...given) {
  if (this.name === 'copies') window.saves += 1;
  return put.apply(this, given);
};
"""
# Somebody presses Stop while the second file is kept.
STOPS = """
let files = 0;
const before = IDBObjectStore.prototype.add;
IDBObjectStore.prototype.add = function (...given) {
  if (this.name === 'files' && (files += 1) === 2) {
    document.querySelector('#shelf-state button').click();
  }
  return before.apply(this, given);
};
"""
# How often the list was asked for again, and how often the database was kept until then.
ASKED = """
const [folder, done] = arguments;
import(`${folder}/library-shelf.js`).then(async ({ askLibrary }) => {
  for (let at = 0; at < 9; at += 1) await askLibrary('library_matches');
  done(saves);
});
"""


def noticed(visitor: Visitor) -> list[str]:
    """What the buttons say that there were."""
    names: list[str] = visitor.run("return [...stops].map((one) => one.textContent)")
    return names


def test_stop_while_files_are_kept(visitor: Visitor, playground: Served) -> None:
    """It says how many are left out, and reads none; its button stays under the finger."""
    with visitor.before_each_page(NOTICES + STOPS):
        enter(visitor, f"{playground.address}#library")
        choose(visitor, FILES[:5])
        visitor.shows("#shelf-state", "3 of 5 files were not added. Add them again")
        visitor.shows("#shelf-state", "2 files not read yet.")
        visitor.use(by_mouse, "#shelf-state button", "Go on")
        visitor.until(f"{MATCHES} === 2 && {IDLE}")
        assert "3 of 5 files were not added" in visitor.text("#shelf-state")
        choose(visitor, FILES[:5])
        visitor.until(f"{MATCHES} === 4 && {IDLE}")  # one is in two files
        assert "not added" not in visitor.text("#shelf-state")
        assert noticed(visitor).count("Stop") == 1


def test_a_match_with_nothing_to_analyse_is_not_kept_again_and_again(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    begun = tmp_path / "begun.mat"
    begun.write_text(" 7 point match\n\n Game 1\n Ann : 0  Ben : 0\n  1) 31:\n", encoding="utf-8")
    with visitor.before_each_page(NOTICES):
        enter(visitor, f"{playground.address}#library")
        choose(visitor, [begun, SMALL[2]])
        visitor.until(f"{MATCHES} === 2 && {IDLE}")
        visitor.use(by_mouse, "#analysing button", "Analyse")
        visitor.until(f"!document.querySelector('#analysing').textContent && {IDLE}")
        saves = visitor.run("return saves")
        assert visitor.browser.execute_async_script(ASKED, visitor.scripts) == saves


# Count the answers that come from other threads.
ANSWERS = """
window.answers = 0;
const Plain = window.Worker;
window.Worker = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => { answers += Number(data.kind === 'answer'); });
  }
};
"""


def test_pause_is_pressed_while_an_answer_comes(visitor: Visitor, playground: Served) -> None:
    """The analysis goes on later with the same match."""
    with visitor.before_each_page(NOTICES + ANSWERS):
        enter(visitor, f"{playground.address}#library")
        choose(visitor, SMALL[:2])
        visitor.until(f"{MATCHES} === 2 && {IDLE}")
        visitor.use(by_mouse, "#analysing button", "Analyse")
        visitor.until("document.querySelector('#analysing progress')?.max > 1")
        visitor.actions.click_and_hold(visitor.find("#analysing button")).perform()
        answers = visitor.run("return answers")
        visitor.until("answers > arguments[0]", answers)
        visitor.actions.release().perform()
        visitor.shows("#analysing button", "Analyse them here")
        visitor.until("!document.querySelector('#analysing progress')")
        visitor.use(by_mouse, "#analysing button", "Analyse")
        visitor.shows("#analysing", "2-ply")
        visitor.use(by_mouse, "#analysing button", "Pause")
        visitor.until(f"!document.querySelector('#kept-matches .match > small') && {IDLE}")
        assert [name != "Stop" for name in noticed(visitor)].count(True) == 1


def test_files_go_with_all_their_matches(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """And the line that offers to undo it says so."""
    both = tmp_path / "both.mat"
    both.write_bytes(SMALL[0].read_bytes() + b"\n" + MATCH)
    enter(visitor, f"{playground.address}#library")
    choose(visitor, [both, SMALL[1]])
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    titles = visitor.run(
        "return [...document.querySelectorAll('#kept-matches li button')].map((one) => one.title)"
    )
    both_go = "Remove, and 1 other match of its file"
    assert sorted(titles) == ["Remove", both_go, both_go]
    visitor.use(by_mouse, "#kept-matches li:has([href*='both']) button")
    visitor.until(f"{MATCHES} === 1 && {IDLE}")
    visitor.shows("#removed", ", and 1 other match of its file removed.")
    visitor.use(by_mouse, "#removed button", "Undo")
    visitor.until(f"{MATCHES} === 3 && {IDLE}")


def test_what_is_used_stays_while_matches_come_in(visitor: Visitor, playground: Served) -> None:
    """The focus in the list, and in the question who you are."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[:2])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#whose button", "Who are you?")
    boxes = {"#whose button": "match-5pt.mat", "#kept-matches li:last-child a": "money.mat"}
    for count, (selector, name) in enumerate(boxes.items(), 3):
        visitor.run("arguments[0].focus()", visitor.find(selector))
        text = visitor.run("return document.activeElement.textContent")
        choose(visitor, [SAMPLES / name, SMALL[0]])
        visitor.until(f"{MATCHES} === {count} && {IDLE}")
        assert visitor.run("return document.activeElement.textContent") == text


def test_a_file_that_cannot_be_kept(visitor: Visitor, playground: Served) -> None:
    """It is shown all the same, with a sentence."""
    private = "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };"
    with visitor.before_each_page(private):
        enter(visitor, f"{playground.address}#library")
        visitor.shows("#shelf-state", "This browser keeps no files for this page")
        visitor.run(DROPPED, "three plays.mat", base64.b64encode(MATCH).decode())
        visitor.shows("#said", "three plays.mat was not added. This browser keeps no files")
        visitor.shows("#outcome", "Ann - Ben")


def test_a_library_whose_python_did_not_start_is_opened_again(
    visitor: Visitor, served: Served
) -> None:
    served.broken.append("pyodide.asm.wasm")
    visitor.begin(f"{served.address}#library")
    visitor.shows("#shelf-state", "Python could not be loaded")
    visitor.go("leaks")
    visitor.shows("#leaks", "Python could not be loaded")
    visitor.go("library")
    visitor.shows("#shelf-state", "Python could not be loaded")
    served.broken.clear()
    visitor.use(by_mouse, "#shelf-state button", "Try again")
    visitor.until(IDLE)
    visitor.use(by_mouse, "#retry")
    choose(visitor, SMALL[1:])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")


def test_study_without_an_analysis_leads_to_the_matches(
    visitor: Visitor, playground: Served
) -> None:
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[:2])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    be(visitor, "Alice")
    visitor.go("study")
    visitor.shows("#study-asked", "No analysed decision of yours was a mistake.")
    visitor.use(by_mouse, "#study-asked a", "Your matches")
    visitor.until("location.hash === '#library'")


def test_what_is_due_stays_due_without_python(visitor: Visitor, served: Served) -> None:
    """The number at Learn is that of the mistakes that were asked."""
    progress = '{"version":1,"cards":{"a.mat#1.2a":[0,0]}}'
    keys = [f"nactation /some/where/ mistakes{which}" for which in ("", " due")]
    kept = "".join(f"localStorage.setItem('{key}', '{progress}');" for key in keys)
    served.broken.append("pyodide.asm.wasm")
    with visitor.before_each_page(kept):
        visitor.begin(f"{served.address}#study")
        visitor.shows("#study-asked", "Python could not be loaded")
        assert visitor.text("#due-badge") == "1"


# The library does not answer some questions any more, once `window.isBusy` is true.
BUSY = """
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  const isHeld = window.isBusy && ['library_explore', 'library_leaks'].includes(message.name);
  if (!isHeld) postMessage.call(this, message, ...rest);
};
"""


def test_a_busy_library_shows_no_answer_to_another_question(
    visitor: Visitor, playground: Served
) -> None:
    with visitor.before_each_page(BUSY):
        enter_as(visitor, playground, "Bob")
        visitor.go("leaks")
        visitor.shows("#leaks", "PR of plays")
        visitor.go("s=&games")
        visitor.go("s=54S&games")
        visitor.shows("#yours", "library")
        visitor.run("window.isBusy = true")
        visitor.go("s=31P&games")
        visitor.shows("#yours", "Looking…")
        visitor.go("leaks")
        visitor.write(by_mouse, "#leaks-opponent", "Alice\t")
        visitor.shows("#leaks", "Looking…")


# You lose the same before a day and since then.
AS_BEFORE = """
const { parse } = JSON;
JSON.parse = (...given) => {
  const answer = parse(...given);
  if (answer?.value?.before) answer.value.before = answer.value.account;
  return answer;
};
"""


def test_what_has_not_changed_has_no_sign(visitor: Visitor, playground: Served) -> None:
    with visitor.before_each_page(AS_BEFORE):
        enter_as(visitor, playground, "Bob")
        visitor.go("leaks=since%3D2000-01-01")
        visitor.shows("#leaks", "in 100 games")
        assert visitor.text("#leaks > p > b") == "0.0"


# A note on a decision: on the best double of the second player, and on a mistake of the first.
NOTES = """
const [folder, decisions, done] = arguments;
import(`${folder}/library-keeping.js`).then(({ changeNote }) => Promise.all(decisions
  .map((decision) => changeNote(`${decision.place}c`, { isStarred: true, decision })))).then(done);
"""


def test_noted_decisions(visitor: Visitor, playground: Served) -> None:
    """Those of your opponent are no mistakes of yours; a right one is shared as what was right.

    A drop has the name that it has in sentences.
    """
    enter_as(visitor, playground, "Bob")
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:{}:{}:0:0:0:0:10"
    common: dict[str, Any] = {"file": "a.mat", "roll": None, "play": None, "phase": ""}
    common |= {"players": ["Alice", "Bob"], "theme": "", "opening": "", "date": ""}
    right = {"place": "a.mat#1.9b", "made": "no double", "best": "no double", "lost": 0}
    wrong = {"place": "a.mat#1.9a", "made": "missed double", "best": "double", "lost": 0.2}
    taken = {"place": "a.mat#1.10a", "made": "wrong take", "best": "pass", "lost": 0.3}
    noted = [
        common | {"xgid": xgid.format(*turn_and_dice)} | decision
        for *turn_and_dice, decision in ((1, "00", right), (-1, "00", wrong), (-1, "D", taken))
    ]
    visitor.go("study")
    visitor.shows("#deck", "all mistakes")
    mistakes = visitor.text("#deck option")
    visitor.browser.execute_async_script(NOTES, visitor.scripts, noted)
    visitor.go("library")
    visitor.go("study")
    visitor.shows("#deck", "starred (3)")
    assert visitor.text("#deck option") == mistakes
    by_mouse.choose(visitor, visitor.find("#deck"), "starred (3)")
    for _ in range(3):
        visitor.shows("#study-asked", "about the cube")
        is_offered = "drop" in visitor.texts("#study-guesses button")
        visitor.use(by_mouse, "#study-guesses button", "drop" if is_offered else "no double")
        visitor.until("!document.querySelector('#study-outcome').hidden")
        verdict = visitor.text("#study-verdict")
        visitor.use(by_mouse, "#study-links button", "Copy link")
        carried = shared(copied(visitor))
        if is_offered:
            assert verdict.startswith("Right. Best: drop. In the match: wrong take,")
            assert carried == [("drop", "", False), ("take", "\u2212.300", True)]
        elif "Right" in verdict:
            assert carried == [("no double", "", True), ("double", "", False)]
        else:
            assert carried == [("double", "", False), ("no double", "\u2212.200", True)]
        visitor.use(by_mouse, "#study-next")


def shared(link: str) -> list[tuple[str, str, bool]]:
    """The choices in a link: what is said, its loss, and whether it was made."""
    _, *choices = link.partition("#decision=")[2].split(";")
    fields = [[unquote(field) for field in choice.split(",")] for choice in choices]
    return [(said, loss, made == "m") for _, said, _, loss, _, made in fields]


def test_a_menu_of_names_keeps_the_focus(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """Also though its list of names becomes another with each name that is chosen."""
    names = [(b"Ann%d" % number, b"Ben%d" % number) for number in range(7)]
    file = tmp_path / "evening.mat"
    file.write_bytes(
        b"\n".join(MATCH.replace(b"Ann", ann).replace(b"Ben", ben) for ann, ben in names)
    )
    enter(visitor, f"{playground.address}#library")
    choose(visitor, [file])
    visitor.shows("#outcome", "7 matches")
    visitor.go("library")
    visitor.until(f"{MATCHES} === 7 && {IDLE}")
    for count in (3, 2):  # with the first; the others have buttons
        visitor.until("document.querySelectorAll('#whose option').length === arguments[0]", count)
        visitor.run("document.querySelector('#whose select').focus()")
        visitor.press(Keys.ARROW_DOWN)
        if count > 2:
            visitor.until("document.activeElement.closest('#whose select')")
