"""What the playground teaches: openings and their training, the alphabet and its quiz."""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import cycle, islice
from typing import Any

import pytest

from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.playground.answers import letters as questions
from tests.cli.running import SAMPLES

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import (
    DESKTOP,
    EVERYTHING,
    PHONE,
    Size,
    asked,
    check_layout,
    copied,
    enter,
    job,
    opened,
    right,
    uses,
)
from tests.browser.visitor import Manner, Served, Visitor, by_keys, by_mouse


@uses(keys=PHONE)
def test_openings(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    enter(visitor, f"{playground.address}#alphabet", size)
    openings(visitor, manner)
    training(visitor, manner)
    check_layout(visitor, axe, "openings")
    theory_and_training(visitor, axe)


def openings(visitor: Visitor, manner: Manner) -> None:
    """Three rolls in the book, a score, and the ways back."""
    opened(visitor, manner, "Openings")
    visitor.shows("#rolls", "31 P S \u2212.229")
    visitor.use(manner, "#rolls button", "31")
    visitor.shows("#closeness", "Clear: P, the next play loses .229")
    if manner.draw:
        for checker, place in (((8, 2), (5, 0)), ((6, 4), (5, 1))):
            manner.draw(visitor, checker, place)
    else:
        for point in "86":
            visitor.use(manner, "#book-movers button", point)
    visitor.shows("#rolls", "42 P Z \u2212.151")
    visitor.use(manner, "#rolls button", "62")
    visitor.shows("#doing", "Black to play 62")
    visitor.use(manner, "#scores button", "Gammon save for Black")
    visitor.until("location.hash === '#openings=31P-62%20gs'")
    visitor.shows("#closeness", "Close: S R")
    visitor.browser.back()
    visitor.until("document.querySelector('#scores [value=money][aria-pressed=true]')")
    visitor.use(manner, "#book-plays button", "S24/18")
    visitor.shows("#doing", "White to roll")
    visitor.use(manner, "#rolls button", "21")
    visitor.until("location.hash.startsWith('#openings=31P-62S-21')")
    visitor.shows("#doing", "White to play 21")
    assert visitor.all("#book-plays button")
    assert not visitor.find("#by-score").is_displayed()  # for money only
    visitor.use(manner, "#line-link button", "Copy link")
    assert copied(visitor).endswith("#openings=31P-62S-21")
    visitor.use(manner, "#path button", "31")
    visitor.shows("#doing", "Black to roll")
    assert visitor.find("#line").get_attribute("value") == "31P"
    assert str(visitor.find("#train").get_attribute("href")).endswith("#train=31P")
    visitor.find("#line").send_keys(EVERYTHING + "21 gg")
    visitor.shows("#scores .differs", "$")  # for money it is S
    visitor.shows("#scoresh", "a frame: not best for money")
    visitor.shows("#best-by-score", "at double match point and gammon go")
    visitor.use(manner, "#book-plays button", "$")
    visitor.until("location.hash === '#openings=21$%20gs'")  # from the other side
    visitor.find("#line").send_keys(EVERYTHING + "21S-66B")
    visitor.shows("#doing", "White to roll")
    visitor.use(manner, "#rolls button", "66")
    visitor.shows("#closeness", "66 11/5 8/2(3) is the only legal play. The book ends here.")
    visitor.find("#line").send_keys(EVERYTHING + "66")
    visitor.shows("#closeness", "No game begins with a doublet.")


def test_a_score_is_that_of_the_position_on_the_board(visitor: Visitor, playground: Served) -> None:
    """Also where the position before was listed with the same scores."""
    enter(visitor, f"{playground.address}#openings=31P")
    visitor.shows("#rolls", "42 P Z")
    assert visitor.text("#book-source") == "Book: gnubg 2-ply."  # of 63 with rollouts
    visitor.go("openings=31P-61")
    visitor.shows("#book-source", "Book: gnubg 2-ply, without rollouts.")
    visitor.use(by_mouse, "#path button", "Start")
    visitor.shows("#doing", "White to roll")
    visitor.use(by_mouse, "#scores button", "Double match point")
    visitor.until("location.hash === '#openings=dmp'")


def theory_and_training(visitor: Visitor, axe: str) -> None:
    """The forms of the openings, and a question before and after its answer."""
    for place, shown in {
        "openings=dmp": "to roll",
        "openings=31P-42": "42",
        "train": "to play",
    }.items():
        visitor.go(place)
        visitor.shows("#doing", shown)
        check_layout(visitor, axe, place)
    visitor.until("document.querySelectorAll('#guesses button').length")
    visitor.run("document.querySelector('#guesses button').click()")
    visitor.shows("#train-verdict", "It comes again")
    check_layout(visitor, axe, "an answer")


TRAINED = "nactation /some/where/ openings"  # where the answers are kept


def training(visitor: Visitor, manner: Manner) -> None:
    """A wrong letter, a right play by hand, and one that is typed; the wrong one comes again."""
    opened(visitor, manner, "Openings")
    visitor.run("localStorage.setItem(arguments[0], 'damaged')", TRAINED)
    visitor.run("document.querySelector('#subject').value = 'first'")
    visitor.go("train=31P")
    visitor.shows("#due", "21 new")
    first = asked(visitor)
    buttons = visitor.all("#guesses button")
    wrong = next(each for each in buttons if each.get_attribute("value") not in right(first))
    manner(visitor, wrong)
    visitor.shows("#train-verdict", "Wrong: ")
    assert " loses ." in visitor.text("#train-verdict")
    visitor.shows("#due", "1 due, 20 new, 0 of 21 learnt")
    with job(visitor, manner, "train three replies"):
        for count in range(1, 4):
            manner(visitor, visitor.find("#train-next"))
            text = asked(visitor)
            assert text != first
            if manner is by_keys:
                visitor.until("document.activeElement.id === 'guess'")
            if count == 1:
                visitor.write(manner, "#guess", "hello" + Keys.ENTER)
                visitor.shows("#train-verdict", "This does not count")
                visitor.find("#guess").send_keys(EVERYTHING + right(text)[0])
                visitor.use(manner, "#training button", "Answer")
            else:
                visitor.use(manner, f'#guesses button[value="{right(text)[0]}"]')
            visitor.shows("#train-verdict", "Right: ")
            visitor.shows("#train-verdict", "It comes again in 1 day.")
    visitor.shows("#due", "1 due, 17 new")
    assert visitor.text("#due-badge") == "1"
    manner(visitor, visitor.find("#train-next"))
    assert asked(visitor) == first  # again
    assert not visitor.all("#guesses .right, #guesses .chosen")  # without the answer
    visitor.use(manner, f'#guesses button[value="{right(first)[0]}"]')
    visitor.shows("#due", "0 due, 17 new")
    assert not visitor.find("#due-badge").is_displayed()
    assert visitor.find("#train-next").is_displayed()


@uses(keys=DESKTOP)
def test_the_alphabet(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """The alphabet, and the quiz on its letters."""
    enter(visitor, f"{playground.address}#s=", size)
    the_alphabet(visitor, manner)
    check_layout(visitor, axe, "alphabet")
    letters(visitor, manner)
    check_layout(visitor, axe, "letters")


def the_alphabet(visitor: Visitor, manner: Manner) -> None:
    opened(visitor, manner, "Alphabet")
    search = visitor.find("#search")
    search.send_keys("hit")
    visitor.until("document.querySelectorAll('#families li').length < 20")
    visitor.use(manner, '#families [value="H"]')
    assert visitor.anchor == "#alphabet=H"
    assert "*" in visitor.text("#doing")
    search.send_keys(EVERYTHING + "@")
    visitor.until("document.querySelectorAll('#families li').length === 1")
    search.send_keys(Keys.BACKSPACE)


@cache
def quiz() -> list[dict[str, Any]]:
    """The quiz if every random number is one half: the match in the middle, and a seed."""
    samples = sorted(SAMPLES.iterdir())
    first = [row.key for row in FAMILIES if row.section.split(",")[0] == "1"]
    return questions(samples[len(samples) // 2].read_bytes(), 500_000_000, 12, first)


def letters(visitor: Visitor, manner: Manner) -> None:
    """A wrong letter and a right one; with a mouse, until Python makes more questions."""
    opened(visitor, manner, "Which letter?")
    count = len(quiz()) + 2 if manner is by_mouse else 2
    for is_right in islice(cycle((False, True)), count):
        visitor.until("document.querySelectorAll('#choices button').length > 1")
        question = visitor.text("#question").removesuffix(". Which letter?")
        (right,) = {
            item["right"] for item in quiz() if f"{item['roll']}: {item['said']}" == question
        }
        rights, wrongs = map(int, re.findall(r"\d+", visitor.text("#score")))
        if is_right:
            answer = visitor.find("#answer")
            answer.send_keys(right)
            if manner is by_keys:
                answer.send_keys(Keys.ENTER)
            else:
                visitor.use(manner, "#asking button", "Answer")
        else:
            visitor.use(manner, f'#choices button:not([value="{right}"])')
        visitor.shows("#verdict", "All names of this play")
        assert visitor.text("#verdict b") == ("Right:" if is_right else "Wrong:")
        score = f"{rights + is_right} right, {wrongs + (not is_right)} wrong"
        assert visitor.text("#score") == score
        manner(visitor, visitor.find("#next"))
        visitor.until(
            "!document.querySelector('#question').textContent.startsWith(arguments[0])", question
        )


def test_search(visitor: Visitor, playground: Served) -> None:
    """Search for words in any order, for a dot, for the cube; a row is below the board."""
    visitor.size(*PHONE)
    visitor.begin(f"{playground.address}#alphabet=H")
    visitor.until("document.querySelector('#families [value=H][aria-pressed=true]')")
    row, stage = (
        visitor.run("const { top, bottom } = arguments[0].getBoundingClientRect();"
                    "return [top, bottom]", visitor.find(selector))
        for selector in ("#families [value=H]", "#stage")
    )  # fmt: skip
    assert stage[0] == pytest.approx(0, abs=1)
    assert stage[1] <= row[0] < row[1] <= PHONE[1]
    search = visitor.find("#search")
    for text, letters in {"two points": "&=", "opening": "RDSZP$", "cube": ""}.items():
        search.send_keys(EVERYTHING + text)
        keys = [row.get_attribute("value") for row in visitor.all("#families button")]
        assert keys == list(letters)
    assert visitor.find("#cubes").is_displayed()
    search.send_keys(EVERYTHING + ".")
    keys = [str(row.get_attribute("value")) for row in visitor.all("#families button")]
    assert keys == [row.key for row in FAMILIES if row.suffix == "."]
    search.send_keys(EVERYTHING + Keys.BACKSPACE)
    by_mouse.choose(visitor, visitor.find("#scope"), "the first 5 letters")
    assert visitor.text("#count") == "5 characters"
    visitor.begin(f"{playground.address}#alphabet")
    assert visitor.text("#scope option:checked") == "the first 5 letters"  # also after a reload


def test_answers_count(visitor: Visitor, playground: Served) -> None:
    """Answers count, also after a reload, unless they are not letters."""
    enter(visitor, f"{playground.address}#letters")
    visitor.until("document.querySelectorAll('#choices button').length > 1")
    right = next(
        item["right"] for item in quiz() if visitor.text("#question").startswith(
            f"{item['roll']}: {item['said']}."
        )
    )  # fmt: skip
    answer = visitor.find("#answer")
    answer.send_keys("hello" + Keys.ENTER)
    visitor.shows("#verdict", "this does not count")
    assert visitor.text("#score") == "0 right, 0 wrong"
    wrong = visitor.find(f'#choices button:not([value="{right}"])')
    by_mouse(visitor, wrong)
    visitor.shows("#verdict", "All names of this play")
    visitor.size(360, 640)
    for part in ("#choices", "#verdict", "#next"):
        _, top, _, height = visitor.box(visitor.find(part))
        assert 0 <= top <= top + height <= 640, part
    visitor.size(*DESKTOP)
    assert re.search(r"\d\dS? ?\S+ (would be|names no play here)", visitor.text("#verdict"))
    assert wrong.get_attribute("textContent").endswith("chosen")
    assert visitor.text(f'#choices [value="{right}"]').endswith("right")
    visitor.begin(f"{playground.address}#letters")
    visitor.shows("#score", "0 right, 1 wrong")
    by_mouse(visitor, visitor.find("#reset"))
    visitor.shows("#score", "0 right, 0 wrong")
