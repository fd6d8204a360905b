"""Matches in the playground: opened, analysed, saved, and wrong files."""

from __future__ import annotations

import base64
import os
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState
from tests.cli.running import MATCH, SAMPLES, run
from tests.exports.pages import read
from tests.files.report_texts import write_reports
from tests.files.test_report import long_match
from tests.tutorial.cases import read_cases

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.stations import (
    DESKTOP,
    DROPPED,
    PHONE,
    TARGETS,
    Size,
    check_layout,
    choose_sample,
    copied,
    enter,
    job,
    opened,
    opened_to_choose,
    saved,
    uses,
)
from tests.browser.visitor import Manner, Served, Visitor, by_keys, by_mouse


@uses(keys=PHONE)
def test_a_match(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """A sample, and a chosen file: its summary, its turns, a quiz, and its exports."""
    enter(visitor, f"{playground.address}#alphabet", size)
    opened_to_choose(visitor, manner)
    choose_sample(visitor, manner, "money-raccoon.sgf")
    visitor.shows("#outcome", "Ann - Ben, money session")
    manner(visitor, visitor.find("#leave"))
    field = visitor.find("#file")
    visitor.run("window.asked = false; arguments[0].onclick = () => { asked = true; }", field)
    manner(visitor, field if manner is by_keys else visitor.find("#drop"))
    visitor.until("asked")
    path = SAMPLES / "match-1pt.mat"
    field.send_keys(str(path))
    visitor.shows("#outcome", "Alice - Bob, 1 point match")
    visitor.shows("#analysis", "Analysed at 0-ply by GNU Backgammon")
    heads = "return [...document.querySelectorAll('h1, [aria-level=\"1\"]')]"
    assert visitor.run(f"{heads}.some((head) => head.checkVisibility())")  # also without the header
    visitor.shows("#summary", "PR of Alice")
    stepping(visitor, manner)
    with job(visitor, manner, "answer a question of the quiz"):
        asking(visitor, manner)
    manner(visitor, visitor.find("#to-summary"))
    forms = {
        "Save annotated SGF": ("sgf", "match-1pt.nactation.sgf"),
        "Save text": ("text", "match-1pt.nactation.txt"),
        "Save page": ("html", "match-1pt.html"),
    }
    for button, (form, name) in forms.items():
        visitor.menu(manner, "#exports")
        visitor.use(manner, "#exports button", button)
        assert saved(visitor, name).decode() == analysed(form)
    target = TARGETS[manner.name]
    visitor.menu(manner, "#exports")
    manner.choose(visitor, visitor.find("#exports select"), target)
    visitor.use(manner, "#exports button", "Copy post")
    assert copied(visitor) == analysed(target)
    check_layout(visitor, axe, "match")


def stepping(visitor: Visitor, manner: Manner) -> None:
    """From the summary to the first turn, to the costliest decision, and back."""
    visitor.use(manner, "#summary .primary")
    visitor.shows("#doing", "Bob 64:")
    visitor.until("location.hash === '#match=match-1pt.mat&at=1.1b'")
    manner(visitor, visitor.find("#on"))
    visitor.until("location.hash === '#match=match-1pt.mat&at=1.2a'")
    roll = visitor.text("#doing").split()[1].removesuffix(":")
    assert visitor.text("#beside-match .moves [aria-current]").startswith(roll)
    manner(visitor, visitor.find("#to-summary"))
    visitor.until("!document.querySelector('#summary').hidden")
    costliest = visitor.texts("#summary .boards .head .trouble")
    losses = [float(text.removeprefix("\u2212")) for text in costliest]
    assert len(losses) == 5
    assert losses == sorted(losses, reverse=True)
    visitor.use(manner, "#summary .boards a")
    visitor.shows("#doing", f"loses {costliest[0][1:]}")


def asking(visitor: Visitor, manner: Manner) -> None:
    """A mistake is asked again, and a wrong answer has the plays with it."""
    manner(visitor, visitor.find("#to-summary"))
    visitor.use(manner, "#summary .row a", "Quiz me")
    visitor.until("document.querySelectorAll('#match-guesses button').length > 1")
    assert "loses" not in visitor.text("#doing")
    visitor.use(manner, "#match-guesses button")
    visitor.until("document.querySelector('#match-verdict')")
    assert visitor.all("#beside-match .options li, #beside-match .cube-rows li")
    manner(visitor, visitor.find("#match-next"))
    visitor.shows("#beside-match", "Question 2 of")


def test_a_quiz_asks_about_one_player_or_the_letters(visitor: Visitor, playground: Served) -> None:
    """The select starts again with the mistakes of one player; the letter of a play is hidden."""
    visitor.size(*DESKTOP)
    visitor.begin(f"{playground.address}#match=match-3pt-analysed.sgf&at=quiz")
    visitor.shows("#beside-match", "Question 1 of")
    (match,) = read("match-3pt-analysed.sgf")
    counts = {}
    for name in ("both players", "Alice", "Bob"):
        by_mouse.choose(visitor, visitor.find("#match-whose"), name)
        visitor.shows("#doing", name if name != "both players" else "your")
        counts[name] = int(visitor.text("#beside-match small").split(" of ")[1].split(".")[0])
    assert visitor.run("return document.activeElement.id") == "match-whose"
    assert counts["Alice"] + counts["Bob"] == counts["both players"]
    assert 0 < counts["Alice"] < counts["both players"]
    visitor.go("#match=match-3pt-analysed.sgf&at=letters")
    visitor.shows("#doing", "Which letter?")
    said = visitor.text("#doing").partition(" plays ")[2].removesuffix(". Which letter?")
    visitor.use(by_mouse, "#match-guesses button")
    verdict = visitor.text("#match-verdict")
    letters = {
        (f"{turn.action.roll}: {format_play(turn.play)}", turn.nactation)
        for game in match.games
        for turn in game.turns
        if isinstance(turn.action, Move) and turn.play
    }
    named = {name for play, name in letters if play == said}
    assert verdict.removeprefix("Right: ").removeprefix("No, it is ").split(",")[0] in named


@cache
def analysed(form: str) -> str:
    """The match of one point, analysed on the command line by the same engine."""
    options = "--analyse", "--plies", "0", "--engine", "builtin"
    ran = run("annotate", *options, "--to", form, SAMPLES / "match-1pt.mat")
    assert ran.out, ran.err
    return ran.out


def test_the_text_reports_of_a_match(visitor: Visitor, playground: Served, tmp_path: Path) -> None:
    """Chosen together, they are one match."""
    paths = [tmp_path / name for name in ("m_002.txt", "m.txt")]
    for path, text in zip(paths, reversed(write_reports(long_match())[:2]), strict=True):
        path.write_text(text, encoding="utf-8")
    enter(visitor, f"{playground.address}#alphabet")
    opened(visitor, by_mouse, "Library")
    visitor.find("#file").send_keys("\n".join(map(str, paths)))
    visitor.shows("#outcome", "Alice - Bob")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.menu(by_mouse, "#exports")
    visitor.use(by_mouse, "#exports button", "Save text")
    text = saved(visitor, "m.nactation.txt").decode()
    assert "Game 1:" in text
    assert "Game 2:" in text


def test_analyses(visitor: Visitor, playground: Served) -> None:
    """A search at 2-ply can be stopped; it leaves other views, and the turn on the board, alone.

    The focus stays at the button.
    """
    focused = "return document.activeElement.textContent"
    enter(visitor, f"{playground.address}#alphabet")
    opened(visitor, by_mouse, "Library")
    visitor.find("#file").send_keys(str(SAMPLES / "match-1pt.mat"))
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.use(by_keys, "#analysis button", "Analyse at 2-ply")
    visitor.until("document.querySelector('#analysis progress')?.value > 0")
    assert visitor.run(focused) == "Stop"
    visitor.go("s=43Z-32H")
    visitor.shows("#turns", "32H13/10 6/4*")
    visitor.go("match")
    visitor.use(by_keys, "#analysis button", "Stop")
    visitor.shows("#analysis", "Analysed at 0-ply")
    assert visitor.run(focused) == "Analyse at 2-ply"
    visitor.wait(200)
    assert visitor.text("#analysis button") == "Analyse at 2-ply"
    visitor.find("#file").send_keys(str(SAMPLES / "match-3pt.mat"))
    button = "document.querySelector('#analysis progress + button')"
    visitor.until(f"((button) => {{ button?.click(); return !!button; }})({button})")  # at once
    visitor.shows("#analysis", "This match has no analysis.")
    visitor.use(by_mouse, "#analysis button", "Analyse at 0-ply")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.run(DROPPED, "three plays.mat", base64.b64encode(MATCH).decode())
    visitor.shows("#outcome", "Ann - Ben")
    visitor.use(by_mouse, "#analysis button", "Analyse at 2-ply")
    visitor.use(by_mouse, "#summary a", "Step through the match")
    visitor.shows("#doing", "Ann")
    visitor.press(Keys.ARROW_RIGHT)
    place = visitor.anchor
    visitor.until("document.querySelector('#analysis').textContent.includes('Analysed at 2-ply')")
    assert visitor.anchor == place
    visitor.shows("#doing", "Ben 63: R 24/15 loses")
    assert not visitor.all("#analysis button")
    options = "--analyse", "--plies", "2", "--engine", "builtin", "--to", "text"
    visitor.menu(by_mouse, "#exports")
    visitor.use(by_mouse, "#exports button", "Save text")
    text = saved(visitor, "three plays.nactation.txt").decode()
    assert text == run("annotate", *options, "-", stdin=MATCH).out


def test_a_dropped_file(visitor: Visitor, playground: Served) -> None:
    """A file can be dropped on any view."""
    enter(visitor, f"{playground.address}#alphabet")
    opened(visitor, by_mouse, "Board")
    path = str(SAMPLES / "money-beaver-setup.sgf")
    for kind in ("dragEnter", "dragOver", "drop"):
        visitor.browser.execute_cdp_cmd(
            "Input.dispatchDragEvent",
            {
                "type": kind,
                "x": 300,
                "y": 300,
                "data": {"items": [], "files": [path], "dragOperationsMask": 1},
            },
        )
    visitor.until("document.documentElement.dataset.view === 'match'")
    visitor.shows("#summary", "PR of")
    assert "dropped" not in visitor.text("#outcome")


def test_as_the_command_line(visitor: Visitor, playground: Served) -> None:
    """The Python of the page writes what that of the command line writes."""
    enter(visitor, f"{playground.address}#alphabet")
    for path in (SAMPLES / "match-3pt-analysed.sgf", SAMPLES / "money-raccoon.sgf"):
        data = path.read_bytes()
        for form in ("text", "sgf", "html"):
            output = base64.b64decode(visitor.ask("export_match", form, data=data)).decode()
            assert output == run("annotate", "--to", form, path).out, (path, form)
    as_the_tutorial(visitor)


def as_the_tutorial(visitor: Visitor) -> None:
    """In diagrams of the tutorial, the play has the printed character."""
    by_rule = {"strict", "style", "symbol", "numeral"}
    cases = [case for case in read_cases() if case.play and case.kind in by_rule][:200:5]
    plays = [[format_xgid(GameState(case.position)), case.roll, case.play] for case in cases]
    views = visitor.ask_all("explain_play", plays)
    assert len(views) == 40
    for case, view in zip(cases, views, strict=True):
        assert case.nactation in {name["look"]["name"] for name in view["names"]}, case


def test_a_turn_by_its_address(visitor: Visitor, playground: Served) -> None:
    """A turn of a sample has an address; keys step on, and the position opens on the board."""
    name = "match-3pt-analysed.sgf"
    visitor.begin(f"{playground.address}#match={name}&at=1.6b")
    visitor.shows("#outcome", "Alice - Bob, 3 point match")
    assert "no analysis" not in visitor.text("#outcome")
    visitor.shows("#doing", "Bob 21: H")
    shown = visitor.texts("#beside-match .options li")
    (row,) = visitor.all("#beside-match .options [aria-current]")
    assert "13/12*/10" in row.text
    assert shown[0].startswith("P9/7 8/7")
    visitor.press(Keys.ARROW_RIGHT)
    visitor.until("location.hash.endsWith('&at=1.7a')")
    visitor.press(Keys.ARROW_LEFT)
    visitor.shows("#doing", "Bob 21: H")
    visitor.use(by_mouse, "#beside-match a.button", "Analyse")
    visitor.shows("#nacbrac", "[P")
    visitor.browser.back()
    visitor.shows("#doing", "Bob 21: H")


def test_remarks(visitor: Visitor, playground: Served) -> None:
    """The page shows the first five remarks of the command line."""
    enter(visitor, f"{playground.address}#alphabet")
    game = " Game {}\n Ann : 0   Ben : 0\n  1) 31: 24/14    52: 13/11 13/8\n Wins 1 point\n"
    match = "; no match\n 0 point match\n\n" + "\n".join(game.format(n + 1) for n in range(7))
    visitor.run(DROPPED, "many.mat", base64.b64encode(match.encode()).decode())
    visitor.shows("#outcome", "and 2 more")
    assert "line 6, 1.1a: '24/14' is not a legal play of 31" in visitor.text("#outcome")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.until("location.hash === '#match=many.mat'")


@uses(keys=DESKTOP)
def test_where_a_match_was_lost(
    visitor: Visitor, playground: Served, manner: Manner, size: Size
) -> None:
    """An .xg file is opened; a tap on its costliest decision shows what was best there."""
    enter(visitor, playground.address, size)
    with job(visitor, manner, "find where a match was lost"):
        visitor.use(manner, "#welcome a", "Open your matches")
        visitor.until("document.documentElement.dataset.view === 'library'")
        manner(visitor, visitor.find("#file" if manner is by_keys else "#drop"))
        visitor.find("#file").send_keys(str(SAMPLES / "match-3pt.xg"))
        visitor.shows("#summary", "PR of")
        loss = visitor.texts("#summary .boards .head .trouble")[0].removeprefix("\u2212")
        visitor.use(manner, "#summary .boards a")
        visitor.shows("#doing", f"loses {loss}")
    assert visitor.all("#beside-match .options li, #beside-match .cube-rows li")
    visitor.browser.back()
    visitor.until("!document.querySelector('#summary').hidden")


# A link to a decision is followed at the moment at which the match gets its name.
FOLLOWED = """
const set = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (...given) {
  set.apply(this, given);
  if (this.id !== 'to-summary' || !given[1].startsWith('#match=')) return;
  Element.prototype.setAttribute = set;
  const link = document.querySelector('#summary .boards a');
  link.focus();
  location.hash = link.getAttribute('href');
  queueMicrotask(() => { window.followed = document.activeElement?.getAttribute('href'); });
};
"""


def test_a_match_gets_its_name(visitor: Visitor, playground: Served) -> None:
    """As soon as an opened file is kept, its links name it; the focus and the way of one stay."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.run(FOLLOWED)
    data = base64.b64encode((SAMPLES / "match-3pt.xg").read_bytes()).decode()
    visitor.run(DROPPED, "match-3pt.xg", data)
    link = visitor.until("window.followed")
    assert link.startswith("#match=match-3pt.xg&at="), link
    visitor.until("location.hash === arguments[0]", link)
    visitor.shows("#doing", "loses")
    visitor.press(Keys.ARROW_RIGHT)
    visitor.until("location.hash !== arguments[0]", link)
    assert visitor.run("return location.hash").startswith("#match=match-3pt.xg&at=")


# The first link of a summary gets the focus as soon as there is one.
FOCUSED = """
new MutationObserver((_, observer) => {
  document.querySelector('#summary a')?.focus();
  if (document.activeElement.closest('#summary')) observer.disconnect();
}).observe(document.querySelector('#summary'), { childList: true });
"""


def test_the_focus_stays_in_a_summary(visitor: Visitor, playground: Served) -> None:
    """When a match is analysed, its summary is made anew around the link that has the focus."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.run(FOCUSED)
    data = base64.b64encode((SAMPLES / "match-1pt.mat").read_bytes()).decode()
    visitor.run(DROPPED, "match-1pt.mat", data)
    visitor.shows("#summary", "PR of")
    assert visitor.run("return document.activeElement.textContent") == "Step through the match"


def test_an_unknown_board(visitor: Visitor, playground: Served) -> None:
    """After a play that is missing the boards are unknown, and the turns can be stepped through."""
    enter(visitor, f"{playground.address}#alphabet")
    game = " Game 1\n Ann : 0   Ben : 0\n  1) 31: xyz    31: 8/5 6/5\n  2) 52: 13/8 24/22\n"
    match = f"; no match\n 0 point match\n\n{game} Wins 1 point\n"
    visitor.run(DROPPED, "unknown.mat", base64.b64encode(match.encode()).decode())
    visitor.shows("#summary", "Step through the match")
    visitor.use(by_mouse, "#summary .primary")
    visitor.shows("#doing", "Ann 31:")
    by_mouse(visitor, visitor.find("#on"))
    visitor.shows("#doing", "Ben 31:")
    visitor.shows("#board", "board unknown")
    visitor.go("s=31")  # and the board is one again
    visitor.shows("#doing", "White to play 31")


def test_wrong_files(visitor: Visitor, playground: Served) -> None:
    """Files that are not matches, and a post with too many findings."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go("match")
    files = {"no-match.mat": (b"\0" * 50, "no-match.mat: "), "empty.mat": (b"", "is empty")}
    for name, (data, message) in files.items():
        visitor.run(DROPPED, name, base64.b64encode(data).decode())
        visitor.shows("#outcome", message)
    visitor.run(DROPPED, "large.mat", "", 9_000_000)
    visitor.shows("#outcome", "this page reads up to 8 MB")
    visitor.go("read")
    visitor.run("document.querySelector('#post').value = arguments[0]", "<b>54S-63R " * 9000)
    visitor.find("#pasting button").click()
    visitor.shows("#found", "500 items found, and")


def test_python_is_stopped(visitor: Visitor, playground: Served) -> None:
    """A match of five megabytes keeps Python busy, but not the page."""
    enter(visitor, f"{playground.address}#alphabet")
    match = (SAMPLES / "match-7pt.mat").read_bytes()
    many = base64.b64encode(match * (5_000_000 // len(match))).decode()
    visitor.run(DROPPED, "many.mat", many)
    visitor.shows("#what", "Working")
    visitor.find("#stop").click()
    visitor.shows("#outcome", "many.mat was not read: Python was stopped")
    visitor.python("starting")
    visitor.use(by_mouse, "#outcome button", "Read it again")
    visitor.shows("#outcome", "Reading many.mat")
    visitor.python("ready")
    visitor.shows("#what", "Working")
    visitor.find("#stop").click()
    visitor.shows("#outcome", "many.mat was not read: Python was stopped")


@uses(keys=DESKTOP)
def test_a_link_carries_a_decision(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size
) -> None:
    """With its analysis, or as a question; the address alone has all of it, also without Python."""
    enter(visitor, f"{playground.address}#match=match-3pt-analysed.sgf&at=1.10b", size)
    visitor.shows("#doing", "54")
    visitor.use(manner, "#beside-match button", "Copy link")
    link = copied(visitor)
    visitor.use(manner, "#beside-match button", "Copy question")
    question = copied(visitor)
    visitor.begin(link)
    visitor.shows("#decision li", "17/8")  # gnubg's best in that file
    (played,) = [row for row in visitor.texts("#decision li") if "played" in row]
    assert played.startswith("X17/13 8/3*")
    check_layout(visitor, axe, "decision")
    assert ";X," in link
    visitor.begin(link.replace(";X,", ";X%7B3%7D,"))  # X{3}
    visitor.shows("#decision .glyph i", "X")
    visitor.begin(question)
    visitor.until("document.querySelectorAll('#decision button').length > 3")
    assert "\u2212.207" not in visitor.text("#decision")
    check_layout(visitor, axe, "question")
    visitor.use(manner, "#decision button", "17/8")
    visitor.shows("#decision [role=status]", "Right.")
    visitor.begin(question.replace(quote("\u2212.207"), quote("\u2212.010")))
    visitor.use(manner, "#decision button", "17/13 8/3*")
    visitor.shows("#decision [role=status]", "Right. 17/13 8/3* loses only .010.")
    visitor.begin(question.replace("17/8", "17/28", 1))
    visitor.shows("#decision", "This link is damaged")
    enter(visitor, f"{playground.address}#s=31P", size)
    visitor.until("document.querySelector('#options .rating')")
    visitor.menu(manner, "#more")
    visitor.use(manner, "#copies button", "Copy analysis link")
    visitor.begin(copied(visitor))
    visitor.shows("#decision li", "P8/5 6/5")
