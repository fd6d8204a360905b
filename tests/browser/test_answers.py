"""What a student does with the page of an analysed match: mouse, keys and finger, at any size."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Double, Move, places_in
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.decision import (
    cube_decision,
    nacbrac_text,
    near_decision,
    play_nacbrac,
)
from gnubg_nactation.decisions.severity import (
    blunders,
    cube_of,
    losses,
    play_of,
    points,
    rate_plays,
    severity,
)
from gnubg_nactation.exports.board import board_svg
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.files import formats, mat
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.drill import Answer, QuestionKind, Subject, judge, questions
from gnubg_nactation.writing.spelling import spell
from tests.exports.pages import ANALYSED, anchored, data_of, read

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tests.browser.reader import DESKTOP, SIZES, Reader

SAMPLE = "match-3pt-analysed.sgf"


def _at(sizes: Sequence[tuple[int, int]]) -> pytest.MarkDecorator:
    """Run a test at each of these sizes of the window."""
    return pytest.mark.parametrize("size", sizes, ids=lambda size: "x".join(map(str, size)))


sizes = _at(SIZES)
two_sizes = _at(SIZES[::2])  # a phone and a desktop, where the layout does not matter


@cache
def page(name: str = SAMPLE) -> str:
    return format_html(read(name))


@cache
def turns() -> dict[str, Any]:
    return dict(anchored(read(SAMPLE)))


def arrows(svg: str) -> list[int]:
    (path,) = re.findall(r'class="nb.-line nb.-arrow" d="([^"]*)"', svg)
    return [int(number) for number in re.findall(r"-?\d+", path)]


def plain(text: str) -> str:
    """The text on one line, with the minus of programs."""
    return " ".join(text.replace("\u2212", "-").split())


def arrows_on_board(reader: Reader) -> list[int]:
    """The numbers of the arrows on the board."""
    return arrows(reader.find("#board svg").get_attribute("outerHTML"))


def shows(reader: Reader, state: Any, play: Any) -> bool:
    """Whether the arrows are those of a play, but for the rounding of a half."""
    expected = arrows(board_svg(state, play, theme="light", view=Player.FIRST))
    return arrows_on_board(reader) == pytest.approx(expected, abs=1)


@sizes
def test_the_best_plays_are_listed_and_shown_as_arrows(
    reader: Reader, size: tuple[int, int]
) -> None:
    """Bob's 54X of move 10 is the third best in the record; each play by mouse, key and finger."""
    turn = turns()["1.10b"]
    analysis = play_of(turn)
    assert analysis
    best = rate_plays(analysis.candidates[:5], turn.plays)
    reader.open("#1.10b", size, page())
    rows = reader.all("#panel .play")
    for row, rated, candidate in zip(rows, best, analysis.candidates, strict=False):
        text = " ".join(plain(row.get_attribute("textContent")).split())
        assert candidate.chances
        win, gammon, backgammon, lost_gammon, lost_backgammon = candidate.chances
        assert format_play(rated.play) in text
        assert points(rated.equity) in text
        assert f"{100 * win:.1f} ({100 * gammon:.1f} {100 * backgammon:.1f})" in text
        assert f"({100 * lost_gammon:.1f} {100 * lost_backgammon:.1f})" in text
    assert len(rows) == 5
    assert [at for at, row in enumerate(rows) if "wrong" in row.get_attribute("class")] == [2]
    assert ".207" in rows[2].text
    assert reader.find(".play.wrong .glyph").text == "X"
    assert shows(reader, turn.state, turn.play)
    reader.hover(rows[0])
    assert shows(reader, turn.state, best[0].play)
    reader.hover(reader.find("#place"))
    assert shows(reader, turn.state, turn.play)
    reader.press("2")
    assert shows(reader, turn.state, best[1].play)
    assert rows[1].get_attribute("aria-pressed") == "true"
    reader.press("2")
    assert shows(reader, turn.state, turn.play)
    reader.touch(rows[0])
    assert shows(reader, turn.state, best[0].play)
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]


def test_the_nacbracs_are_those_of_the_plays_and_the_cube(reader: Reader) -> None:
    """As text and JSON have them; of more than five plays the best five and the one made."""
    reader.open("#g1", page=page())
    nacbracs = reader.run("""
        const found = {};
        for (let last = ''; last !== location.hash;) {
          last = location.hash;
          const small = [...document.querySelectorAll('#panel small')];
          const texts = small.map((one) => one.textContent);
          found[last.slice(1)] = texts.find((text) => text.includes('[')) || '';
          document.querySelector('[data-step=next]').click();
        }
        return found;
    """)
    whole = cut = cubes = 0
    for anchor, turn in turns().items():
        if f"{anchor}c" in nacbracs:
            cubes += 1
            decision = cube_decision(turn)
            assert decision
            assert nacbracs[f"{anchor}c"] == nacbrac_text(decision)
        plays = near_decision(turn)
        if plays is None:
            continue
        if len(plays.choices) <= 5:
            whole += 1
            assert nacbracs[anchor] == nacbrac_text(plays)
        else:
            cut += 1
            best = play_nacbrac(plays._replace(choices=plays.choices[:5]))
            assert nacbracs[anchor].startswith(str(best).partition("]")[0])
            assert "..." in nacbracs[anchor]
    assert min(whole, cut, cubes) > 0


def test_the_best_play_made_is_green(reader: Reader) -> None:
    reader.open("#1.2a", page=page())
    assert "right" in reader.all("#panel .play")[0].get_attribute("class")
    assert not reader.all("#panel .wrong")


def test_without_an_analysis_the_names_are_listed(reader: Reader) -> None:
    reader.open("#2.7a")
    assert reader.find("#panel").text.split("\n")[:6] == [
        "The play",
        "J",
        "jump areal letter",
        "Other names",
        "L",
        "lift style",
    ]


@sizes
def test_the_cube_is_a_step_of_its_own(reader: Reader, size: tuple[int, int]) -> None:
    """Alice did not double before her roll of move 11: .794, where a double is worth .965."""
    reader.open("#1.10b", size, page())
    reader.press(Keys.ARROW_RIGHT)
    assert reader.anchor == "#1.11ac"
    assert not reader.all("#board .nbl-pip")  # no dice
    rows = [plain(row.text) for row in reader.all("#panel .play")]
    assert "No double +.794" in rows[0]
    assert rows[0].endswith("loses .171")
    assert rows[1:] == ["Double, take +.965", "Double, drop +1.000"]
    assert "Best: double, take" in reader.find("#panel").text
    assert "wrong" in reader.all("#panel .play")[0].get_attribute("class")
    reader.find("[data-copy=xgid]")
    reader.find("[data-step=next]").click()
    assert reader.anchor == "#1.11a"
    assert len(reader.all("#board .nbl-pip")) == 2
    reader.touch(reader.find("[data-step=previous]"))
    assert reader.anchor == "#1.11ac"


def test_trivial_cubes_are_no_steps(reader: Reader) -> None:
    """What gnubg counts as a decision is one: an error, or within .16 of a double."""
    expected = set()
    for anchor, turn in turns().items():
        cube = cube_of(turn)
        if cube and isinstance(turn.action, Move):
            doubled = min(cube.double_take or 0.0, 1.0)
            if cube.error or (cube.no_double or 0.0) - doubled < 0.16:
                expected.add(anchor)
    reader.open(page=page())
    linked = {
        str(link.get_attribute("hash")).strip("#").removesuffix("c")
        for link in reader.all(".cell a")
        if str(link.get_attribute("hash")).endswith("c")
    }
    assert linked == expected
    assert 0 < len(expected) < len(turns()) / 2


@two_sizes
def test_jumps_are_taken_back(reader: Reader, size: tuple[int, int]) -> None:
    reader.open("#1.2a", size, page())
    errors = [at for at, turn in turns().items() if any(severity(loss) for loss in losses(turn))]
    reader.press("n")
    assert reader.anchor == "#1.2b" == f"#{errors[1]}"
    reader.press("n")
    assert reader.anchor == "#1.3b"
    reader.press("p")
    assert reader.anchor == "#1.2b"
    reader.press(Keys.ARROW_RIGHT)
    assert reader.anchor == "#1.3ac"  # a step takes the place of the address
    reader.back()
    assert reader.anchor == "#1.3b"
    assert reader.find("#what").text.startswith("13/8 5/4")
    reader.find('#games a[href="#errors"]').click()
    assert reader.anchor == "#errors"
    link = reader.all(".account li a")[0]
    # Below the board, which stays in sight.
    reader.run("arguments[0].scrollIntoView({block: 'end', behavior: 'instant'})", link)
    link.click()
    assert reader.anchor == "#1.10b"
    reader.back()
    assert reader.anchor == "#errors"
    reader.back()
    assert reader.anchor == "#1.3b"
    reader.back()
    reader.back()
    assert reader.anchor == "#1.2a"


@sizes
def test_a_link_to_the_list_stays(reader: Reader, size: tuple[int, int]) -> None:
    reader.media(prefers_reduced_motion="reduce")
    reader.open("#errors", size, page())
    reader.wait()
    assert reader.anchor == "#errors"
    top = reader.run("return document.querySelector('.account').getBoundingClientRect().top")
    assert 0 <= top < size[1]
    in_sight = reader.run(
        "const b = document.querySelector('.account h2').getBoundingClientRect();"
        "return document.elementFromPoint(b.x + 5, b.y + 5).closest('.account') !== null"
    )
    assert in_sight  # and not behind the board


def test_copied_links_lead_to_the_turn(reader: Reader) -> None:
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    reader.browser.execute_cdp_cmd("Browser.grantPermissions", grant)
    reader.open("#1.11ac", page=page())
    reader.open_menus()
    reader.find("[data-copy=link]").click()
    paste = "navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))"
    assert reader.browser.execute_async_script(paste).endswith("other.html#1.11ac")


@sizes
def test_board_words_and_buttons_stay_in_sight(reader: Reader, size: tuple[int, int]) -> None:
    """At the beginning, and wherever one has scrolled to."""
    reader.open("#1.11a", size, page())
    for scrolled in (0, 900):
        reader.run("scrollTo(0, arguments[0])", scrolled)
        reader.wait()
        for selector in ("#board svg", "#what", "[data-step=next]", "[data-step=last]"):
            script = (
                "const b = arguments[0].getBoundingClientRect(); return [b.top, b.bottom, b.right]"
            )
            top, bottom, right = reader.run(script, reader.find(selector))
            assert top >= -1, selector
            assert bottom <= size[1], selector
            assert right <= size[0], selector


@pytest.mark.parametrize("size", [(844, 390), (1280, 800), (1920, 1080)])
def test_two_columns_where_there_is_width(reader: Reader, size: tuple[int, int]) -> None:
    reader.open("#1.11a", size, page())
    left, right = (reader.find(selector).rect for selector in ("#stage", "#answers"))
    assert right["x"] >= left["x"] + left["width"]
    moves = reader.find("#moves").rect
    assert moves["x"] + moves["width"] > 0.95 * size[0] - 20


def test_the_row_of_games_is_one_line(reader: Reader) -> None:
    for size in SIZES:
        reader.open(size=size, page=page("match-11pt.mat"))
        tops = {link.rect["y"] for link in reader.all("#games a")}
        assert len(tops) == 1
    assert "11-away 11-away" in reader.all("#games a")[0].text
    crawford = [link.text for link in reader.all("#games a") if "Crawford" in link.text]
    assert all(re.search(r"1-away.*, Crawford", text) for text in crawford)


@sizes
def test_a_finger_turns_the_page(reader: Reader, size: tuple[int, int]) -> None:
    reader.open("#1.2a", size, page())
    reader.touch(reader.find("#board svg"), by=-120)
    assert reader.anchor == "#1.2b"
    reader.touch(reader.find("#board svg"), by=120)
    assert reader.anchor == "#1.2a"
    reader.touch(reader.find("#board svg"), by=10)
    assert reader.anchor == "#1.2a"


@sizes
def test_the_board_is_flipped(reader: Reader, size: tuple[int, int]) -> None:
    turn = turns()["1.10b"]
    reader.open("#1.10b", size, page())
    expected = arrows(board_svg(turn.state, turn.play, theme="light", view=Player.SECOND))
    reader.press("f")
    assert arrows_on_board(reader) == pytest.approx(expected, abs=1)
    assert reader.find("#board .nbl-number text").text == "1"  # numbered from Bob, at the bottom
    reader.open_menus()
    reader.find("#flip").click()
    assert shows(reader, turn.state, turn.play)
    reader.touch(reader.find("#flip"))
    assert arrows_on_board(reader) == pytest.approx(expected, abs=1)


def test_the_keys_are_listed(reader: Reader) -> None:
    reader.open("#1.2a", page=page())
    reader.press("?")
    assert "next, previous error" in reader.find("dialog").text
    reader.press("n")
    assert reader.anchor == "#1.2a"
    reader.press(Keys.ESCAPE)
    assert not reader.find("dialog").is_displayed()
    reader.open_menus()
    reader.find("#help").click()
    assert reader.find("dialog").is_displayed()


@pytest.mark.parametrize("name", [SAMPLE, "money-raccoon.sgf"])
def test_boards_are_those_of_the_match(reader: Reader, name: str) -> None:
    """The script plays the moves by itself: every position, as XGID and as ID.

    tests/web/page.test.mjs does the same with more matches.
    """
    expected = [
        (
            anchor,
            format_xgid(turn.state),
            format_position_id(turn.state.position),
        )
        for anchor, turn in anchored(read(name))
        if turn.state
    ]
    reader.open("#g1", page=page(name))
    script = """
        const found = {};
        navigator.clipboard.writeText = async (text) => { now.push(text); };
        let now;
        for (let last = ''; last !== location.hash;) {
          last = location.hash;
          now = found[last.slice(1)] = [];
          for (const what of ['xgid', 'id']) document.querySelector(`[data-copy=${what}]`).click();
          document.querySelector('[data-step=next]').click();
        }
        return found;
    """
    copied = reader.run(script)
    assert len(copied) >= len(expected)
    for anchor, *ids in expected:
        assert copied[anchor] == ids


def test_an_illegal_play_is_told_once(reader: Reader) -> None:
    text = b" 3 point match\n\n Game 1\n Ann : 0   Ben : 0\n  1) 54: 24/21 13/9   63: 24/15\n"
    reader.open(page=format_html([annotate(match) for match in mat.read(text)]))
    assert reader.find("#what").text.count("24/21") == 1
    assert "not a legal play" in reader.find("#what").text


def test_a_play_with_two_names_is_told_to_be_one(reader: Reader) -> None:
    """51n of move 3: the analysis prefers the play that is the first N; 43Z 10: U and Z."""
    reader.open("#1.3b", page=page())
    reader.find("#character").click()
    assert "The analysis prefers N 13/8 6/5." in reader.explanation
    assert "called" not in reader.explanation  # N there, too
    doubled = [
        (anchor, turn)
        for anchor, turn in turns().items()
        if turn.best and turn.play and len(turn.plays) > 1 and _neighbour(turn)
    ]
    for anchor, turn in doubled:
        assert turn.best
        reader.open(f"#{anchor}", page=page())
        reader.find("#character").click()
        assert f"(called {turn.best.nactation.character} above" in reader.explanation


def _neighbour(turn: Any) -> bool:
    """Whether the play ranked beside the one made is the best, by another name."""
    naming = turn.namings[0]
    members = Plays.of(turn.plays).reading(naming.nactation.family, naming.right).members
    at = naming.nactation.member - 1
    best = Plays.of(turn.plays).play(turn.best.nactation)
    neighbour = members[at - 1] if at else members[min(1, len(members) - 1)]
    return bool(neighbour == best and turn.best.nactation.family is not naming.nactation.family)


# The quiz


@two_sizes
def test_the_quiz_by_typing(reader: Reader, size: tuple[int, int]) -> None:
    """Bob's first roll was a blunder, 52T; S (24/22 13/8) is best, P is no play of it."""
    reader.open("#quiz", size, page())
    assert "Bob\u2069 to play 52. Your play?" in reader.find("#question").text
    assert not reader.find("#panel").is_displayed()
    assert not reader.all("#board .nbl-arrow")
    assert not reader.find("#moves").is_displayed()
    reader.find("#answer").send_keys("52s{1}".replace("s", "S"), Keys.ENTER)
    assert reader.find("#verdict").text.startswith("Right: S 24/22 13/8")
    assert reader.find("#score").text.startswith("1 right, 0 wrong · 1 of ")
    assert reader.find("#panel").is_displayed()
    assert reader.all("#board .nbl-arrow")
    reader.find("#further").click()
    assert "to play 32" in reader.find("#question").text
    for nonsense in ("xx", "K", "8/2", "13/7 6/5"):  # nobody can be hit
        reader.find("#answer").send_keys(Keys.CONTROL + "a" + Keys.NULL, nonsense, Keys.ENTER)
        assert reader.find("#verdict").text == (
            f"{nonsense} is not a play of 32. This does not count."
        )
    assert reader.find("#score").text.startswith("1 right, 0 wrong")
    reader.find("#answer").send_keys(Keys.CONTROL + "a" + Keys.NULL, "&", Keys.ENTER)
    assert reader.find("#verdict").text.startswith("No: & 8/5 6/4 loses .192. Best is S")
    assert reader.find("#score").text.startswith("1 right, 1 wrong")
    reader.touch(reader.find("#further"))
    assert reader.find("#answer").is_displayed()
    reader.touch(reader.find("#solve"))
    assert reader.find("#score").text.startswith("1 right, 1 wrong")
    assert reader.find("#panel").is_displayed()
    assert reader.run("return document.documentElement.scrollWidth") <= size[0]
    assert reader.run("return localStorage.length") == 0


@sizes
def test_the_quiz_by_clicking_checkers(reader: Reader, size: tuple[int, int]) -> None:
    """24/22 13/8: Bob's checkers stand at the ends of the lower edge, Alice's home being right."""
    reader.open("#quiz", size, page())
    for point, die in ((13, 5), (24, 2)):
        box = reader.find("#board svg").rect
        scale = min(box["width"] / 620, box["height"] / 560)
        x = (68 if point == 13 else 552) * scale + (box["width"] - 620 * scale) / 2
        y = 470 * scale + (box["height"] - 560 * scale) / 2
        script = """
            const [svg, x, y] = arguments;
            const box = svg.getBoundingClientRect();
            const at = { bubbles: true, clientX: box.x + x, clientY: box.y + y };
            svg.dispatchEvent(new MouseEvent('click', at));
        """
        assert die
        reader.run(script, reader.find("#board svg"), x, y)
    assert reader.find("#verdict").text.startswith("Right: S 24/22 13/8")


def test_a_click_can_be_undone_and_dice_change_places(reader: Reader) -> None:
    reader.open("#quiz", DESKTOP, page())
    circles = """
        const checkers = document.querySelectorAll('#board g > circle:not([class])');
        return [...checkers].map((one) => one.outerHTML).join();
    """
    original = reader.run(circles)
    click = """
        const svg = document.querySelector('#board svg');
        const box = svg.getBoundingClientRect();
        const scale = Math.min(box.width / 620, box.height / 560);
        const [x, y] = arguments;
        svg.dispatchEvent(new MouseEvent('click', { bubbles: true,
          clientX: box.x + x * scale + (box.width - 620 * scale) / 2,
          clientY: box.y + y * scale + (box.height - 560 * scale) / 2 }));
    """
    reader.run(click, 68, 470)
    assert reader.run(circles) != original
    reader.find("#undo").click()
    assert reader.run(circles) == original
    reader.run(click, 168, 280)  # the dice
    reader.run(click, 68, 470)
    reader.run(click, 148, 470)  # with the 2 to the 11pt; then the 5 from there
    assert "13/6" in reader.find("#verdict").text or reader.find("#undo").is_displayed()


def spellings(name: str) -> list[str]:
    """All that may be typed for a Nactation: in each form, with its number, or as a word."""
    nactation = parse_nactation(name)
    row = nactation.family
    spellings_of_name = [spell(nactation, form) for form in ("plain", "unicode", "html", "bbcode")]
    spellings_of_name.append(f"{nactation.look.character}{row.suffix}{{{nactation.member}}}")
    if nactation.member == 1 and not row.suffix and row.word.isalpha():
        spellings_of_name += [row.word, row.word.capitalize()]
    return list(dict.fromkeys(spellings_of_name))


def test_every_spelling_of_an_accepted_name_is_right(reader: Reader) -> None:
    """By the judge of `nactate drill`: whatever it takes for the best play the page takes, too."""
    blundered = [
        (anchor, turn)
        for anchor, turn in turns().items()
        if (analysis := play_of(turn)) and severity(analysis) and turn.best and len(turn.plays) > 1
    ]
    listed = [
        [name for best in step["plays"][:1] for name in (best["name"], *best.get("also", ()))]
        for step in data_of(page())["turns"]
        if "on_cube" not in step
    ]
    for _, turn in blundered:
        plays = Plays.of(turn.plays)
        best = plays.play(turn.best.nactation)
        (question,) = questions([Subject(best, plays)], [QuestionKind.LETTER], random.Random(1))
        accepted = listed[turn.number - 1]
        # But for numerals that name another play first, such as 7{2}.
        assert set(question.accepted) - set(accepted) <= {
            name for name in question.accepted if name[0].isdigit()
        }
        assert set(accepted) <= set(question.accepted)
        for digit in "0123456789":
            assert (digit in accepted) == (digit in question.accepted and plays.play(digit) == best)
        for name in accepted:
            for spelling in spellings(name):
                if "[" not in spelling:  # BBCode, which the drill leaves to posts
                    assert judge(question, spelling) is not Answer.WRONG, (spelling, name)
    reader.open("#quiz", page=page())
    _, turn = blundered[0]
    for name in listed[turn.number - 1]:
        for spelling in spellings(name):
            reader.go("#1.1b")
            reader.go("#quiz")
            reader.run("document.querySelector('#answer').value = arguments[0]", spelling)
            reader.run("document.querySelector('#typing').requestSubmit()")
            assert reader.find("#verdict").text.startswith("Right"), spelling


def test_the_quiz_asks_about_the_cube(reader: Reader) -> None:
    reader.open("#quiz", page=page())
    for _ in range(60):
        if reader.find("#choices").is_displayed():
            break
        reader.find("#further").click()
    assert "Your cube action?" in reader.find("#question").text
    assert [choice.text for choice in reader.all(".choice")] == ["no double", "double"]
    right = len(reader.find("#score").text)
    reader.press(Keys.TAB)
    reader.find("[value=double]").click()
    assert right
    assert re.match(r"Right: double, |No. Best: no double", reader.find("#verdict").text)
    assert reader.find("#panel .cube").is_displayed()


def test_mistakes_of_one_player(reader: Reader) -> None:
    reader.open("#quiz", page=page())
    marked = [loss for turn in turns().values() for loss in losses(turn) if severity(loss)]
    total = int(reader.find("#score").text.split(" of ")[1])
    assert total == len(marked)
    counts = []
    for player in ("0", "1"):
        reader.run(
            "const s = document.querySelector('#players'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('change', { bubbles: true }))",
            player,
        )
        counts.append(int(reader.find("#score").text.split(" of ")[1]))
    assert sum(counts) == total
    assert all(counts)
    # From a place on: as many questions are skipped as there are mistakes before it.
    places = places_in(1, [*turns().values()])
    before = [*turns().values()][: places.index("1.9a")]
    skipped = sum(bool(severity(loss)) for turn in before for loss in losses(turn))
    reader.go("#quiz-1.9a")
    assert skipped > 1
    assert reader.find("#score").text.split(" of ")[0].split()[-1] == str(skipped + 1)


def test_a_quiz_marks_its_tab_and_takes_the_game_of_its_question(reader: Reader) -> None:
    """Two games with the same mistake at their first move."""
    games = ANALYSED + ANALYSED.replace(b"[game:0]", b"[game:1]")
    reader.open("#quiz-2.1a", page=format_html([*map(annotate, formats.read(games))]))
    for anchor, tab, game in (
        ("quiz-2.1a", "quiz", ["g2"]),
        ("quiz-1.1a", "quiz", ["g1"]),
        ("2.1a", "g2", ["g2"]),
        ("1.1a", "g1", ["g1"]),
        ("letters", "letters", None),  # asked in any order
        ("summary", "summary", []),
        ("quiz", "quiz", ["g1"]),
    ):
        reader.go(anchor)
        marked = reader.all("#games a[aria-current]")
        assert [link.get_attribute("href").partition("#")[2] for link in marked] == [tab]
        shown = reader.all(".game.current")
        assert game in (None, [section.get_attribute("id") for section in shown])
        assert reader.find("#board").is_displayed() == (tab != "summary"), anchor


@two_sizes
def test_which_letter(reader: Reader, size: tuple[int, int]) -> None:
    reader.open("#letters", size, page("match-7pt.mat"))
    for _ in range(3):
        question = re.search(r"plays (\d\d): (.*)\. Which letter\?", reader.find("#question").text)
        assert question
        assert reader.all("#board .nbl-arrow")
        choices = reader.all(".choice")
        assert len(choices) == 6
        reader.touch(choices[0])
        verdict = reader.find("#verdict").text
        assert verdict.startswith(("Right: ", "No, it is "))
        assert reader.find("#turn").is_displayed()
        reader.find("#further").click()
    assert sum(map(int, re.findall(r"(\d+) (?:right|wrong)", reader.find("#score").text))) == 3
    reader.find("#leave").click()
    assert reader.anchor.startswith("#")
    assert reader.find("#moves").is_displayed()
    (marked,) = reader.all(".cell.now")  # the turn that was asked about, in its game
    assert marked.find_element("xpath", "ancestor::section").is_displayed()
    assert f"#{marked.get_attribute('data-id')}" == reader.anchor


def test_wrong_letters_are_wrong(reader: Reader) -> None:
    """One of the six names the play, by the library, and no other does."""
    (match,) = read("match-1pt.mat")
    played = {
        (str(turn.action.roll), format_play(turn.play), int(turn.action.player)): turn
        for turn in match.games[0].turns
        if isinstance(turn.action, Move) and turn.play
    }
    reader.open("#letters", page=page("match-1pt.mat"))
    for _ in range(8):
        question = reader.find("#question").text
        asked_play = re.search(r"(\w+)\u2069 plays (\d\d): (.*)\. Which letter", question)
        assert asked_play
        turn = played[asked_play[2], asked_play[3], match.match.players.index(asked_play[1])]
        assert turn.play
        names = {naming.nactation.family.key for naming in Plays.of(turn.plays).names(turn.play)}
        keys = {str(choice.get_attribute("value")) for choice in reader.all(".choice")}
        assert len(keys & names) == 1
        reader.find("#further").click()


# Paper, and what axe says


def test_blunders_on_paper(reader: Reader) -> None:
    (match,) = read(SAMPLE)
    reader.open("#1.2a", page=page())
    reader.media(prefers_color_scheme="dark")
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    figures = reader.awaited("#sheet figure")  # drawn when the browser tells the page of it
    assert len(figures) == len(blunders(match))
    assert all(figure.is_displayed() for figure in figures)
    lefts = {round(figure.rect["x"]) for figure in figures}
    assert len(lefts) == 2  # columns
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert reader.run(style, "#sheet .nbl-field", "fill") == "rgb(255, 255, 255)"
    assert reader.run(style, "#sheet .nbl-second", "fill") == "rgb(0, 0, 0)"
    assert reader.run(style, "body", "backgroundColor") == "rgb(255, 255, 255)"
    text = figures[0].text
    assert "1.1b: " in text
    assert "loses .129. Best S 24/22 13/8" in text.replace("\n", " ")


@sizes
def test_axe_finds_nothing(reader: Reader, axe: str, size: tuple[int, int]) -> None:
    reader.open("#1.11ac", size, page())
    assert not reader.violations(axe), json.dumps(reader.violations(axe), indent=1)[:3000]
    reader.open("#quiz", size, page())
    reader.find("#solve").click()
    assert not reader.violations(axe), json.dumps(reader.violations(axe), indent=1)[:3000]
    reader.go("#letters")
    assert reader.awaited(".choice")
    assert not reader.violations(axe), json.dumps(reader.violations(axe), indent=1)[:3000]


def test_the_cube_lies_on_the_board_as_it_is_offered(reader: Reader) -> None:
    """A double, a beaver and a raccoon: 2, 4, 8; and 8 is what is taken."""
    texts = []
    for turn in ("1.1b", "1.2a", "1.2b", "1.3a"):
        reader.open(f"#{turn}", page=page("money-raccoon.sgf"))
        cube = reader.find("#board .nbl-cube + text")
        texts.append((reader.find("#what").text, cube.text))
    assert texts == [
        ("doubles to 2", "2"),
        ("beavers to 4", "4"),
        ("raccoons to 8", "8"),
        ("takes", "8"),
    ]


def test_the_best_cube_action_is_the_one_in_words(reader: Reader) -> None:
    """Here playing on is worth .9996, which is shown like the point of a double that is dropped."""
    chances = "0.9 0.0 0.0 0.0 0.0 0.8"
    analysis = f"DA[E ver 3 0C 1 0.000000 1 {chances} 0.9996 {chances} 1.5]"
    data = f"(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Ben];W[31hefe]{analysis})"
    (match,) = formats.read(data.encode())
    reader.open("#1.1ac", page=format_html([annotate(match)]))
    assert "Best: double, drop" in reader.find("#panel").text
    assert [row.text.split("\n")[0] for row in reader.all("#panel .play.best")] == ["Double, drop"]


def test_doubles_and_their_answers_have_a_panel(reader: Reader) -> None:
    doubles = [
        anchor
        for anchor, turn in turns().items()
        if isinstance(turn.action, Double) and cube_of(turn)
    ]
    for anchor in doubles:
        reader.open(f"#{anchor}", page=page())
        assert len(reader.all("#panel .cube .play")) == 3
