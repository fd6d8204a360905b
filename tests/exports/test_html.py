"""The page as a parser sees it: valid HTML, loading nothing, and safe from names."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from jsonschema import Draft202012Validator

import gnubg_nactation
from gnubg_nactation.annotation import annotate
from gnubg_nactation.decisions.severity import blunders
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.showing import shown
from tests.exports.pages import ANALYSED, NASTY, SAMPLES, anchored, data_of, read

if not os.environ.get("CI"):
    pytest.importorskip("html5lib", reason="html5lib is not installed")

import html5lib

TOP = Path(gnubg_nactation.__path__[0])
HTML = "{http://www.w3.org/1999/xhtml}"


def page_of(name: str) -> str:
    """A page of a short match between two players of this name."""
    (annotated,) = read("match-1pt.mat")
    return format_html([replace(annotated, match=replace(annotated.match, players=(name, name)))])


def parse(page: str) -> Element:
    """The page as a tree; fails on everything that the HTML standard calls an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=True)
    root: Element = parser.parse(page)
    return root


def text_of(element: Element) -> str:
    return "".join(element.itertext())


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_every_sample_is_a_page_without_errors(path: Path) -> None:
    annotated = read(path.name)
    page = format_html(annotated)
    root, data = parse(page), data_of(page)
    games = [game for match in annotated for game in match.games]
    assert sum(game["steps"] for game in data["games"]) == len(data["turns"])
    turns = [step for step in data["turns"] if "on_cube" not in step]
    assert len(turns) == sum(len(game.turns) for game in games)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {anchor for anchor, _ in anchored(annotated)} <= set(ids)


@pytest.mark.parametrize("name", ["match-3pt-analysed.sgf", "money-raccoon.sgf"])
def test_the_data_are_as_their_schema_says(name: str) -> None:
    """The types of the scripts are written from it."""
    schema = json.loads((TOP / "web" / "page.schema.json").read_text(encoding="utf-8"))
    data = data_of(format_html(read(name)))
    rows = {
        "places": [data["board"]],
        "name_data": data["names"],
        "game_data": data["games"],
        "play_data": data["plays"],
        "step_data": [step | {"plays": len(step["plays"])} for step in data["turns"]],
    }
    for kind, values in rows.items():
        items = {"items": {"$ref": f"#/$defs/{kind}"}}
        Draft202012Validator({**schema, **items}).validate(values)


def test_nothing_comes_from_outside() -> None:
    root = parse(format_html(read("match-7pt.mat")))
    loading = {"src", "srcset", "action", "formaction", "poster", "background", "data", "ping"}
    tags = {"link", "iframe", "object", "embed", "base", "img"}
    for element in root.iter():
        assert not loading & set(element.attrib)
        assert element.get("href", "#").startswith("#")
        assert element.tag.removeprefix(HTML) not in tags
    (policy,) = [
        meta.get("content", "")
        for meta in root.iter(f"{HTML}meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none';")
    assert "unsafe-inline" not in re.findall("script-src[^;]*", policy)[0]
    scripts = [*TOP.glob("exports/*/*.js"), *TOP.glob("web/kit/*.js")]
    assert len(scripts) > 20
    for path in (TOP / "exports/page/page.css", *scripts):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\((?!#)", source)


def test_the_tables_can_be_read_without_the_script() -> None:
    root = parse(format_html(read("match-7pt.mat")))
    tables = list(root.iter(f"{HTML}table"))
    heads = [[text_of(cell) for cell in table.iter(f"{HTML}th")][:3] for table in tables]
    assert heads == [["Row", "\u2068Alice\u2069", "\u2068Bob\u2069"]] * 4
    cells = [text_of(cell) for cell in tables[0].iter(f"{HTML}td")]
    assert cells[:3] == ["", "61P13/7 8/7", "54S24/20 13/8"]
    assert cells[-2:] == ["doubles to 2", "drops"]


def test_looks_of_members() -> None:
    (match,) = mat.read((SAMPLES / "match-7pt.mat").read_bytes())
    page = format_html([annotate(match, characters="areal")])
    glyphs = set(re.findall(r'<button class="n">(.*?)</button>', page))
    assert {"S", "<u>U</u>", "j", "<i>i</i>", "<b>i</b>", "<b><i>i</i></b>"} <= glyphs
    (coloured,) = [glyph for glyph in glyphs if "color" in glyph]
    assert coloured == (
        '<span class="chip on-black"><span style="color:#ff0000"><i>I</i></span></span>'
    )


@pytest.mark.parametrize("name", NASTY, ids=lambda name: ascii(name)[:20])
def test_names_stay_text(name: str) -> None:
    page = page_of(name)
    root = parse(page)
    plain = parse(page_of("Ann"))
    assert [element.tag for element in root.iter()] == [element.tag for element in plain.iter()]
    assert data_of(page)["games"][0]["players"] == [f"\u2068{shown(name)}\u2069"] * 2
    (title,) = root.iter(f"{HTML}title")
    assert shown(name) in text_of(title)


def test_the_script_says_nothing_that_ends_it() -> None:
    page = page_of(NASTY[1])
    assert page.count("</script>") == 3
    assert page.count("<!--") == 0


def test_analysis_is_shown() -> None:
    # The record has Ann's play as a blunder and Ben's as the best one.
    annotated = annotate(sgf.read_all(ANALYSED)[0].match)
    page = format_html([annotated])
    root = parse(page)
    first, second = data_of(page)["turns"]
    assert first["lost"] == [["", 150, "very bad"]]
    assert "lost" not in second
    assert [(step["made"], step["equity"]) for step in (first, second)] == [(1, 100), (0, 50)]
    assert "".join(map(str, first["nacbrac"])).startswith("-3-3[0 1]")
    best, played = first["plays"]
    assert [play["name"] for play in (best, played, *second["plays"])] == ["P", "$", "P"]
    assert [play["said"] for play in (best, played)] == ["8/5 6/5", "13/10 6/5"]
    assert [play["loss"] for play in (best, played)] == [0, 150]
    chances = ("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon")
    assert [best[name] for name in chances] == [500, 100, 0, 100, 0]
    assert [played[name] for name in chances] == [0, 0, 0, 0, 0]  # they differ by nothing
    spans = [span for span in root.iter(f"{HTML}span") if "error" in span.get("class", "").split()]
    error, listed = spans
    assert error.get("class") == "error very_bad"
    assert text_of(error) == text_of(listed) == "?? -.150"


def accounts_of(root: Element) -> list[Element]:
    return [section for section in root.iter(f"{HTML}section") if section.get("class") == "account"]


def test_a_blunder_shows_why_it_has_not_a_letter_confused_with_its_own() -> None:
    steps = data_of(format_html(read("match-3pt-analysed.sgf")))["turns"]
    confused = {step["roll"] + step["name"]: step["why_not"] for step in steps if "why_not" in step}
    assert confused == {
        # As in #62, a checker that moves within the outer board makes it B, not S.
        "52B": ["S", "10/8 starts in the outer board: S comes down from beyond it", "bar/20 13/11"],
        # The leftover portion of an H comes down (#67).
        "54X": ["H", "17/13 is left over and runs: it must come down", "13/9 8/3*"],
    }


def test_the_account_of_an_analysed_match() -> None:
    root = parse(format_html([annotate(sgf.read_all(ANALYSED)[0].match)]))
    (account,) = accounts_of(root)
    rows = [[text_of(cell) for cell in row] for row in account.iter(f"{HTML}tr")]
    assert rows[0] == ["Kind", "\u2068Ann\u2069", "\u2068Ben\u2069"]
    assert rows[1] == ["PR", "75.0 First steps", "0.0 World class"]
    assert ["overall", "150.0", "0.0"] in rows
    assert ["cube", "n/a", "n/a"] in rows
    (link,) = account.iter(f"{HTML}a")
    assert text_of(link) == "?? -.150 31 $ best P \u2068Ann\u2069, 1.1a"
    assert link.get("href") == "#1.1a"


def test_accounts_lead_to_their_own_matches() -> None:
    (analysed,) = read("match-3pt-analysed.sgf")
    (bare,) = read("match-1pt.mat")
    root = parse(format_html([bare, analysed]))
    (account,) = accounts_of(root)
    targets = {link.get("href", "") for link in root.iter(f"{HTML}a")}
    assert account.get("id") == "m2errors"
    assert "#m2errors" in targets
    assert "#errors" not in targets
    links = [link.get("href", "") for link in account.iter(f"{HTML}a")]
    assert len(links) == len(blunders(analysed))
    assert all(link.startswith("#m2.1.") for link in links)
    assert any("double, take" in text_of(item) for item in account.iter(f"{HTML}li"))


def test_no_account_without_an_analysis() -> None:
    assert accounts_of(parse(format_html(read("match-1pt.mat")))) == []


def test_an_account_without_blunders() -> None:
    data = ANALYSED.replace(b"-0.050000 0C", b"0.090000 0C")
    (account,) = accounts_of(parse(format_html([annotate(sgf.read(data).match)])))
    assert "No blunders" in text_of(account)


def test_illegal_plays_are_told() -> None:
    text = b" 3 point match\n\n Game 1\n Ann : 0   Ben : 0\n  1) 54: 24/20 13/9   63: 24/15\n"
    page = format_html([annotate(match) for match in mat.read(text)])
    assert '<span class="trouble">illegal play</span>' in page
    parse(page)


def test_several_matches_have_anchors_of_their_own() -> None:
    matches = read("match-1pt.mat") + read("match-1pt.mat")
    assert [game["id"] for game in data_of(format_html(matches))["games"]] == ["g1", "m2g1"]


def test_no_match_is_a_page_too() -> None:
    assert data_of(format_html([]))["games"] == []


def test_the_page_is_small_and_always_the_same() -> None:
    page = format_html(read("match-11pt.mat"))
    assert len(page.encode()) < 400_000
    assert page == format_html(read("match-11pt.mat"))
