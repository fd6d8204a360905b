"""Names, comments, file names and quotes never control the screen."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation import NactationError, annotate, decode, read, showing
from gnubg_nactation.backgammon.match import Game, Match, Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.plugin.saved import describe
from gnubg_nactation.showing import json_text, quoted, read_json, shown, shown_lines
from gnubg_nactation.tasks.annotating import FORMS, Rendering
from tests.cli.running import MATCH, run

# Colours, a bell, what moves the cursor (as one character, too), a line end, halves of characters.
EVIL = "\x1b[31mAnn\x07\x9b2J\r\n\u2028 1) 31: x\u202e\u2066\udc9b\ufffe"
UNFIT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\ud800-\udfff]")
SGF = b"(;FF[4]GM[6]CA[UTF-8]PW[%b]PB[Ben];W[31hfed]C[%b];B[31zz])"
PEOPLE = ["text", "markdown", "bbcode", "html-forum", "plain", "html"]


def evil_match() -> Match:
    moves = (
        Move(Player.FIRST, Roll.parse("31"), (), f"8/5 {EVIL}", comment=f"{EVIL}\n{EVIL}"),
        Move(Player.SECOND, Roll.parse("52"), (), EVIL),
    )
    return Match((EVIL, "Ben"), 3, (Game(1, (0, 0), moves, winner=Player.FIRST, points=1),))


def rendered(form: str, boards: str | int = "none") -> str:
    options = Rendering(to=form, boards=boards)
    documents = FORMS[form].render([annotate(evil_match())], [None], options)
    return documents.decode("utf-8", "surrogatepass")


@pytest.mark.parametrize("form", PEOPLE)
@pytest.mark.parametrize("boards", ["none", "comments", 1])
def test_what_is_for_people_controls_nothing(form: str, boards: str | int) -> None:
    text = rendered(form, boards)
    assert not UNFIT.search(text)
    assert "Ann" in text


def test_a_name_is_one_line_of_the_move_list() -> None:
    lines = rendered("text").splitlines()
    harmless = annotate(Match(("Ann", "Ben"), 3, evil_match().games))
    assert len(lines) == len(FORMS["text"].render([harmless], [None], Rendering()).splitlines())


def test_json_keeps_all_by_escapes() -> None:
    text = rendered("json")
    assert not UNFIT.search(text)
    assert text.count("\n") == 1
    assert json.loads(text)["players"][0] == EVIL


def test_a_match_file_keeps_what_the_input_held() -> None:
    (match,) = read(SGF % (b"\x1b[31mAnn \xe2\x80\xae", b"\x1b[0m"))
    assert match.players == ("\x1b[31mAnn \u202e", "Ben")
    assert b"\x1b[31mAnn \xe2\x80\xae" in FORMS["sgf"].render(
        [annotate(match)], [None], Rendering(to="sgf")
    )


def test_names_of_all_scripts_survive() -> None:
    names = (
        "Émile \u05d0\u05dc\u05d4 \u0639\u06cc\u200c\u0631 李 \U0001f468\u200d\U0001f469 e\u0301"
    )
    assert shown(names) == names
    assert json_text(names) == f'"{names}"'


@given(st.text(st.characters(exclude_categories=()), max_size=40), st.integers(0, 50))
def test_shown_is_one_line_and_stays_as_it_is(text: str, limit: int) -> None:
    once = shown(text, limit)
    assert not UNFIT.search(once)
    assert not set(once) & set("\t\n\r\u2066\u2067\u2068\u2069")
    assert len(once) <= (limit + 1 if limit else len(text))
    assert shown(once, limit) == once
    assert shown_lines(text).split("\n") == [shown(line) for line in text.splitlines() or [""]]
    assert json.loads(json_text([text])) == [text]
    assert not UNFIT.search(json_text([text]).encode("utf-8").decode())


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_quotes_are_short_and_on_one_line(text: str) -> None:
    assert quoted(text).isprintable()
    assert len(quoted(text)) <= 10 * 61 + 2
    assert text[:60].isalnum() <= (text[:60] in quoted(text))


def test_messages_are_one_line_that_ends() -> None:
    message = str(NactationError(f"a\nb{EVIL}" + "x" * 10_000))
    assert len(message) < 2100
    assert not UNFIT.search(message)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file names")
def test_the_name_of_a_file_controls_nothing(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\x1b[31m\nb\xe2\x80\xae\x9b.txt")
    file = tmp_path / name
    file.write_bytes(b"31P\n31Y\n31Q{9}\n" + "31\x1b\x9b[2J".encode())
    for ran in (run("check", file), run("annotate", file), run("annotate", tmp_path / "x\x1b")):
        output = ran.out + ran.err
        assert output
        assert not UNFIT.search(output)
        assert ran.err.count("\n") <= output.count("nactate: ") * 3
    assert "31P: ok" in run("check", file).out


def test_a_nacbrac_has_a_suffix_that_controls_nothing() -> None:
    for option in ([], ["--json"]):
        ran = run("decode", "--engine", "none", *option, "31 [P] \x1bcgnubg \x9b2J")
        assert ran.status == 0
        assert not UNFIT.search(ran.out)


def test_gnubg_gets_no_controls() -> None:
    assert not UNFIT.search(describe(evil_match()))


MANY = 1_000_000


@pytest.mark.thorough
@pytest.mark.parametrize(
    "data",
    [
        MATCH.replace(b"24/15", b"x" * MANY),
        MATCH.replace(b"24/15", b"6/5 " * (MANY // 4)),
        MATCH.replace(b" Game 1", b"z" * MANY + b"\n Game 1"),
        MATCH.replace(b"8/5 6/5", b"8/5 6/5    " + b"y" * MANY),
        MATCH.replace(b"Ben", b"n" * MANY),
        SGF % (b"n" * MANY, b"c"),
        SGF.replace(b"hfed", b"h" * MANY) % (b"Ann", b"c"),
        SGF.replace(b"PB[Ben]", b"PB[Ben]RE[%b]" % (b"r" * MANY)) % (b"Ann", b"c"),
        b"q" * MANY,
    ],
    ids=["play", "hops", "header", "stray", "name", "sgf name", "sgf play", "result", "no match"],
)
def test_what_was_found_is_quoted_in_short(data: bytes) -> None:
    ran = run("annotate", "-", stdin=data)
    assert len(ran.out) < 30_000
    assert len(ran.err) < 30_000
    assert all(len(line) < 2100 for line in ran.err.splitlines())


@pytest.mark.parametrize(
    "text", ["31" + "x" * 90_000, "x" * 90_000, "9" * 90_000, "31P-" * 50 + "\x1b" * 90_000]
)
def test_a_long_sequence_is_quoted_in_short(text: str) -> None:
    with pytest.raises(MalformedError) as raised:
        decode(text)
    assert len(str(raised.value)) < 200
    assert len(raised.value.excerpt()) < 200


def test_complaints_are_clean() -> None:
    err = io.BytesIO()
    Streams(io.BytesIO(), io.BytesIO(), err).report(EVIL)
    assert not UNFIT.search(err.getvalue().decode())
    assert err.getvalue().count(b"\n") == 1


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, b"\xff", "", "{"])
def test_json_that_cannot_be_read_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (of any wording)
        read_json(text)


def test_json_of_others_is_read_in_one_place() -> None:
    """Only what this program has written for itself is read by `json` directly."""
    package = Path(showing.__file__).parent
    direct = {
        path.name
        for path in package.rglob("*.py")
        if "json.loads(" in path.read_text(encoding="utf-8")
    }
    assert direct == {"showing.py", "server.py", "answers.py"}
