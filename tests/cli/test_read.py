"""`nactate read` as text, as JSON and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import output_of, run
from tests.files.copied_texts import PLAYS, START

POST = b"""\
<p>After <b>54S</b>-63R-31 I like 31H &amp; 31P.</p>
54S-63R-31 [P @87] and 54S-63K
"""


@pytest.fixture
def post(tmp_path: Path) -> Path:
    path = tmp_path / "post.txt"
    path.write_bytes(POST)
    return path


def test_text_has_a_line_for_each_finding(post: Path) -> None:
    output = output_of("read", post)
    message = [line.removeprefix(f"{post}:").split(": ")[:2] for line in output.splitlines()]
    assert message == [
        ["1:13", "sequence 54S-63R-31"],
        ["1:35", "play 31H"],
        ["1:45", "play 31P"],
        ["2:1", "sequence 54S-63R-31"],
        ["2:12", "nacbrac [P @87]"],
        ["2:24", "sequence 54S-63K"],
    ]
    assert "cannot be read: '63K' in" in output.splitlines()[-1]
    assert "8/5 6/5" in output.splitlines()[2]


def test_json_has_an_object_for_each_finding(post: Path) -> None:
    ran = run("read", "--json", post)
    assert ran == run("read", "--to", "json", post)
    result = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["kind"] for row in result] == [
        *("sequence", "play", "play", "sequence", "nacbrac", "sequence")
    ]
    first, *_, nacbrac, wrong = result
    text = POST.decode()
    assert text[first["start"] : first["end"]] == "54S</b>-63R-31"
    assert [turn["token"] for turn in first["turns"]] == ["54S", "63R", "31"]
    assert (first["sure"], result[1]["sure"]) == ("sure", "likely")
    assert [entry["play"] for entry in nacbrac["entries"]] == ["8/5 6/5", "24/20"]
    assert "turns" not in wrong
    assert "63K" in wrong["error"]


CUBE = b"54S-63R-C [D/T N 14 D/P 397] gnubg 2-ply\n\nIt is [N D/T 45 D/P 690]."


def test_nacbracs_of_the_cube_have_their_actions(tmp_path: Path) -> None:
    reached = decode("54S-63R").state
    where = format_position_id(reached.position)
    _, first, second = run("read", "-", stdin=CUBE + b" " * 40).out.splitlines()
    assert first.endswith(f"gnubg 2-ply: double, take; before the roll in {where} (sure)")
    _, first, second = map(json.loads, run("read", "--json", "-", stdin=CUBE).out.splitlines())
    assert (first["kind"], first["position_id"]) == ("nacbrac", where)
    message = [(row["action"], row["best"], row["error"]) for row in first["entries"]]
    assert message == [
        ("double", True, 0.0),
        ("no double", False, 0.014),
        ("take", True, 0.0),
        ("pass", False, 0.397),
    ]
    # decode gives the same.
    alone = CUBE.decode().split("\n")[0]
    theirs = [json.loads(line) for line in run("decode", "--json", alone).out.splitlines()]
    assert [{"format": 1} | row for row in first["entries"]] == theirs[-4:]
    assert second["text"] == "[N D/T 45 D/P 690]"
    text, page = page_of(CUBE, tmp_path)
    assert page.tags.count("button") == 3 + 2
    assert "<p>no double, -.014</p><p>take</p><p>drop, -.397</p>" in text


def test_standard_input_is_read() -> None:
    ran = run("read", "-", stdin=POST)
    assert ran.out.startswith("standard input:1:13: sequence 54S-63R-31: ")


_DASHES = "We had 54S\u201363R\u201331P \u2013 a caf\xe9 game.\n"


@pytest.mark.parametrize(
    "data",
    [
        _DASHES.encode(),
        _DASHES.encode("utf-8-sig"),
        _DASHES.encode("cp1252"),
        _DASHES.encode("utf-16"),
        b"\xfe\xff" + _DASHES.encode("utf-16-be"),
        _DASHES.encode() + b"a byte \x96 of another encoding\n",
    ],
)
def test_a_text_may_have_any_encoding(data: bytes) -> None:
    read = run("read", "-", stdin=data)
    assert read.out.startswith("standard input:1:8: sequence 54S-63R-31P: 24/20 13/8, 24/15, ")
    checked = run("check", "-", stdin=data)
    assert (checked.status, checked.out.count(": ok")) == (0, 3)


def test_start_and_dialect_are_options() -> None:
    assert "sequence 41Q-21K" in run("read", "--from", "nackgammon", "-", stdin=b"41Q-21K").out
    # Until 2009 one checker that went to the 18pt had run.
    ran = run("read", "--dialect", "2009", "-", stdin=b"I had 32S-51R-31P then.")
    assert "24/18" in ran.out


class _Page(HTMLParser):
    """The tags of a page and the attributes that could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id" and tag == "div":
                self.ids.append(value or "")
            if name == "popovertarget":
                self.targets.append(value or "")
            if name in {"src", "href", "xlink:href", "action", "data"} or name.startswith("on"):
                self.loads.append(value or "")


def page_of(data: bytes, tmp_path: Path) -> tuple[str, _Page]:
    post, output = tmp_path / "post.txt", tmp_path / "post.html"
    post.write_bytes(data)
    assert run("read", "--to", "html", "-o", output, post) == (0, "", "")
    text = output.read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    return text, page


def test_a_page_shows_boards_on_tap(tmp_path: Path) -> None:
    text, page = page_of(POST, tmp_path)
    # Three tokens, two plays, three tokens and two entries, and the wrong sequence.
    assert page.tags.count("button") == 3 + 2 + 3 + 2 + 1
    assert set(page.targets) == set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("svg") == len(page.ids) - 1  # an error has no board
    assert "<b>54S</b>" in text
    assert "I like " in text


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>54S-63R-31P",
        '<img src="http://x.org/y.png" onerror="alert(1)"> 54S-63R',
        "</main><iframe src='http://x.org'></iframe> 54S-63R-31P &lt;script&gt;",
        "[url=javascript:alert(1)]54S-63R-31P[/url] `</style><script>`",
        "\\<b>54S-63R\\<script> <b onclick=x>31P</b> \x1b[31m\x9b",
    ],
)
def test_a_page_has_no_foreign_markup(evil: str, tmp_path: Path) -> None:
    text, page = page_of(evil.encode(), tmp_path)
    assert not {"script", "iframe", "img", "a", "object", "form"} & set(page.tags)
    assert all(row.startswith("#") for row in page.loads)
    assert "default-src &#x27;none&#x27;" in text
    assert not {"\x1b", "\x9b"} & set(text)


def test_a_page_has_a_limited_number_of_boards(tmp_path: Path) -> None:
    # Each line has a board.
    lines = "".join("54S-63R-31\n31P\n" for _ in range(600))
    _, page = page_of(lines.encode(), tmp_path)
    assert page.tags.count("button") == 600 * 4
    assert page.tags.count("svg") == 500


def test_positions_are_listed_in_each_form(tmp_path: Path) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:33:0:0:0:0:10"
    text = f"Look: {xgid}.".encode()
    message = run("read", "-", stdin=text).out
    assert message == f"standard input:1:7: position {xgid}: 4HPwATDgc/ABMA; 33 to play (sure)\n"
    value = json.loads(run("read", "--json", "-", stdin=text).out)
    expected = {"kind": "position", "position_id": "4HPwATDgc/ABMA", "xgid": xgid, "text": xgid}
    assert value | expected == value
    _, page = page_of(text, tmp_path)
    assert (page.tags.count("button"), page.tags.count("svg")) == (1, 1)


def test_an_analysis_of_xg_has_its_nacbrac_and_note() -> None:
    """The numbers of the analysis are no Nactation; a letter in the note is about its position."""
    text = f"Look:\n{START}{PLAYS}\nI played 31S instead.\n\neXtreme Gammon Version: 2\n"
    lines = output_of("read", "-", stdin=text.encode()).splitlines()
    assert lines[0] == f"standard input:2:1: analysis {START}: 31 [P S166] XG Roller++ (sure)"
    assert lines[1].startswith("standard input:7:10: play 31S: 24/23 13/10")
    first, *_ = output_of("read", "--json", "-", stdin=text.encode()).splitlines()
    view = json.loads(first)
    assert view["nacbracs"] == ["[P S166] XG Roller++"]
    assert view["comment"] == "I played 31S instead."
    page = output_of("read", "--to", "html", "-", stdin=text.encode())
    assert "<p>31P 8/5 6/5, +.159</p>" in page
    wrong = text.replace("24/23 13/10", "24/22 13/10")
    assert "left out: '24/22 13/10' is not a legal play of 31" in output_of(
        "read", "-", stdin=wrong.encode()
    )
    worse = text.replace("8/5 6/5", "8/4 6/5")
    assert "cannot be read: '8/4 6/5' is not a legal play of 31" in output_of(
        "read", "-", stdin=worse.encode()
    )
