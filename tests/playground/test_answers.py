"""Python's answers to the page, without a browser."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation import Plays, Roll, decode
from gnubg_nactation.backgammon.ids import (
    format_position_id,
    format_xgid,
    parse_position_id,
    parse_xgid,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.playground.answers import handle
from tests.cli.running import SAMPLES, run

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"


def reply(name: str, *args: Any, data: bytes = b"") -> Any:
    return json.loads(handle(name, json.dumps(args), data))


def ask(name: str, *args: Any, data: bytes = b"") -> Any:
    view = reply(name, *args, data=data)
    assert "error" not in view, view
    return view["value"]


def moves(view: Any) -> list[str]:
    return [turn["said"] for turn in view["turns"]]


def test_a_sequence_has_its_plays_and_boards() -> None:
    view = ask("read_text", "54S-63R-31P")
    assert moves(view) == ["24/20 13/8", "24/15", "8/5 6/5"]
    assert [turn["player"] for turn in view["turns"]] == [0, 1, 0]
    assert [turn["look"]["text"] for turn in view["turns"]] == ["S", "R", "P"]
    assert view["sequence"] == "54S-63R-31P"
    assert (view["state"]["player"], view["state"]["roll"]) == (1, "")
    assert view["state"]["id"] == format_position_id(decode("54S-63R-31P").state.position)
    assert "error" not in view


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_is_the_start(text: str) -> None:
    view = ask("read_text", text)
    assert view["turns"] == []
    assert view["state"]["xgid"] == format_xgid(GameState())


def test_a_roll_has_all_its_plays() -> None:
    view = ask("read_text", "54S-63R-31")
    plays = Plays(decode("54S-63R").state.position, Roll(3, 1))
    assert {option["said"] for option in view["options"]} == set(map(format_play, plays))
    names = {option["said"]: option["look"]["name"] for option in view["options"]}
    assert names["8/5 6/5"] == "P"
    assert view["keep"] == "54S-63R-31"
    for option in view["options"]:
        assert moves(ask("read_text", view["keep"] + option["look"]["name"]))[-1] == option["said"]


def test_a_wrong_letter_is_marked_with_what_is_possible() -> None:
    """The letter is marked, without the ID of the position, as the board shows that."""
    view = ask("read_text", "54S-63Q-31P")
    possible = view["error"].pop("possible")
    assert view["error"] == {
        "message": "no such play of 63",
        "before": "54S-63",
        "wrong": "Q",
        "after": "-31P",
    }
    plays = Plays(decode("54S").state.position, Roll(6, 3))
    assert {look["name"] for look in possible} == {
        str(plays.name(play).naming.nactation) for play in plays
    }
    assert moves(view) == ["24/20 13/8"]
    assert view["keep"] == "54S-63"
    assert "24/15" in {option["said"] for option in view["options"]}
    assert view["state"]["roll"] == "63"


def test_what_is_no_sequence_is_marked() -> None:
    view = ask("read_text", "54S-hello")
    assert (view["error"]["before"], view["error"]["wrong"]) == ("54S-", "h")
    assert "expected a roll" in view["error"]["message"]
    assert moves(view) == ["24/20 13/8"]


def test_a_first_letter_may_be_wrong() -> None:
    view = ask("read_text", "N 41P")
    assert view["error"]["wrong"] == "P"
    plays = Plays(NACKGAMMON, Roll(4, 1))
    assert len(view["options"]) == len(plays) != len(Plays(STANDARD, Roll(4, 1)))
    assert ask("read_text", "-41Q")["state"]["player"] == 1


def test_nackgammon_alone_is_a_start() -> None:
    view = ask("read_text", "N ")
    assert "error" not in view
    assert view["state"]["xgid"] == format_xgid(GameState(NACKGAMMON))


def test_who_bears_off_all_ends_the_game() -> None:
    board = "XGID=-B----------------------b-:0:0:1:00:0:0:0:0:10"
    assert ask("read_text", f"{board} 21")["over"] == 1
    assert "over" not in ask("read_text", board.replace("-B-", "-C-") + " 21")


def test_the_cube_has_its_words() -> None:
    view = ask("read_text", "54S-C-P")
    assert [turn["reading"] for turn in view["turns"][1:]] == ["double", "pass"]
    assert view["over"] == 1
    assert "over" not in ask("read_text", "54S-C-T")
    after = ask("read_text", "54S-C-P-63R")
    assert "the game is over" in after["error"]["message"]
    assert "possible" not in after["error"]
    assert "options" not in after


def test_half_a_roll_is_no_error() -> None:
    view = ask("read_text", "54S-6")
    assert view["unfinished"] == "the second die"
    assert "error" not in view
    assert moves(view) == ["24/20 13/8"]


def test_positions_are_read() -> None:
    view = ask("read_text", XGID)
    assert view["turns"] == []
    assert view["state"]["xgid"] == XGID
    assert view["keep"] == f"{XGID} 61"
    assert "13/7 8/7" in {option["said"] for option in view["options"]}
    assert moves(ask("read_text", f"{XGID} 61P-63R")) == ["13/7 8/7", "24/15"]
    assert moves(ask("read_text", "4HPwATDgc/ABMA 43Z-43X")) == ["24/21 13/9", "24/21 8/4*"]


def test_a_wrong_xgid_is_a_message() -> None:
    assert "not an XGID" in reply("read_text", "XGID=foo:1")["error"]


def test_too_much_is_a_message() -> None:
    assert "too long for a sequence" in reply("read_text", "54S-" * 25_000)["error"]
    assert (
        ask("read_text", "<img src=x onerror=alert(1)>" * 100)["turns"] == []
    )  # nothing but markup


DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:3:5:0:7:10"
CLOSED_OUT = "XGID=------EDE--------c-bbbbbbA:0:0:1:31:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("(54S-63R-31P)", ["54S-63R-31P"]),
        ("[54S-63R-31P]!", ["54S-63R-31P"]),
        ("54S => 63R > 31P", ["54S-63R-31P"]),
        ("5 4 S 6 3 R", ["54S-63R"]),
        ("54 S, 63 R, 31 P", ["54S-63R-31P"]),
        ("54S-63R-31P.", ["54S-63R-31P"]),
        ("1 54S 63R\n2 31P 64R", ["54S-63R-31P-64R"]),
        # 54 and 63 have no second split and run, 31 has a second point, 24/20.
        ("54s-63r", ["54S-63R"]),
        ("54s 63R 31p", ["54S-63R-31p"]),
        ("54s 63r 31p", ["54S-63R-31p", "54S-63R-31P"]),
        ("54S-63R-D-T", ["54S-63R-C-T"]),
        ("54S-Dbl-takes-63R-31P-Rdbl-drops", []),  # the cube is the other's
        ("54S-Dbl-takes-63R-rdbl-drops", ["54S-C-T-63R-R-P"]),
        ("31: 8-5 6-5", ["31P"]),
        ("It says 54S-63r-31P and I like it", ["54S-63R-31P"]),
        (f"{XGID} P", [f"{XGID} 61P", XGID]),
        (f"{XGID} 13/7 8/7", [f"{XGID} 61P", XGID]),
        (f"{XGID}\n\nX:Ann   O:Bob\nScore is X:0 O:0\nX to play 61\n", [XGID]),
        (f"What now? {XGID} I am lost", [XGID]),
        (f"Here {XGID} 61P-63R: right?", [f"{XGID} 61P-63R", XGID]),
        (
            "GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n  Match ID   : cAkAAAAAAAAE\n +13-14-15",
            ["Position ID: 4HPwATDgc/ABMA Match ID : cAkAAAAAAAAE"],
        ),
        ("I like 54S-63R-31P here, she said.", ["54S-63R-31P"]),
        ("After 54S-63R how would you play 31?", ["54S-63R-31", "54S-63R"]),
        ("54S-63Q-31P", []),
        ("hello", []),
        ("54S-hello", []),
    ],
)
def test_what_cannot_be_read_may_mean_something_else(text: str, instead: list[str]) -> None:
    view = ask("read_text", text)
    assert view.get("instead", []) == instead
    assert len(instead) <= 3
    for suggestion in instead:
        corrected = ask("read_text", suggestion)
        assert "error" not in corrected
        assert "unfinished" not in corrected


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("54: 24/20 13/8", "54S"),
        ("54 24/20 13/8", "54S"),
        ("1. 54: 24/20 13/8   63: 24/15", "54S-63R"),
        ("63: 24/15", "63R"),
        ("N 54: 24/20 13/8", "N 54Z"),  # as 23/18 13/9 is an S there
        ("nackgammon 54: 24/20 13/8", "54Z"),
        ("54S 63: 24/15 31P", "54S-63R-31P"),
        ("1)  54S           63: 24/15\n2)  31P", "54S-63R-31P"),
        ("54S-63(24/15)-31P", "54S-63R-31P"),
    ],
)
def test_traditional_notation_is_read_as_a_sequence(text: str, sequence: str) -> None:
    view = ask("read_text", text)
    assert view["sequence"] == sequence
    assert view["turns"][-1]["sure"] == "sure"
    assert not view.keys() & {"instead", "error", "unfinished"}


@pytest.mark.parametrize(
    "text", ["Ann: 54S\nBen: 63: 24/15\nAnn: 31P", "Ann 54S, Ben 63: 24/15, Ann 31P"]
)
def test_a_pasted_score_sheet_with_letters_is_proposed_as_a_sequence(text: str) -> None:
    assert ask("read_text", text)["instead"] == ["54S-63R-31P"]


def test_nothing_is_proposed_where_nothing_is_wrong() -> None:
    for text in ("", "54S-63R-31", "54S-C", "44N.", "43D-33a", XGID, f"{XGID} 61P"):
        assert "instead" not in ask("read_text", text), text


def test_what_is_rather_a_post_is_told() -> None:
    post = "First 54S-63R-31P was played, then 21S-64P-11N in the next game."
    assert ask("read_text", post)["prose"] is True
    assert ask("read_text", "Nothing at all is known about this. " * 20)["prose"] is True
    assert "prose" not in ask("read_text", "After 54S-63R I was lost")
    assert "prose" not in ask("read_text", "54S-63R-" * 60)  # its letters are wrong


PARTS = [
    *("54S", "63R", "31P", "41n", "44N.", "54", "C", "T", "P", "D", "Dbl", "N", "24/20", "13/8:"),
    *("(", ")", "-", ">", "→", ".", "?", "“", "”", " ", "\n", "how", "<b>", "[P H76 @79]"),
    *(XGID, "Position ID:", "4HPwATDgc/ABMA"),
]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(PARTS),
        max_size=12,
    ),
    st.sampled_from(["", " ", "-"]),
)
def test_what_is_proposed_can_be_read(parts: list[str], between: str) -> None:
    text = between.join(parts)
    view = reply("read_text", text)
    assert "internal" not in view.get("error", "")
    for suggestion in view.get("value", {}).get("instead", ()):
        assert suggestion != text.strip()
        corrected = ask("read_text", suggestion)
        assert "error" not in corrected
        assert "unfinished" not in corrected
        assert corrected["turns"] or corrected.get("named")


@pytest.mark.parametrize("mark", ["54S->63R", "54S→63R", "54S --> 63R"])
def test_arrows_part_tokens(mark: str) -> None:
    assert moves(ask("read_text", mark)) == ["24/20 13/8", "24/15"]


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        ("“54S-63R”", ["24/20 13/8", "24/15"]),
        ('"-54S"', ["24/20 13/8"]),
        (f"“{XGID} 61P”", ["13/7 8/7"]),
        (f"'{XGID}' 61P", ["13/7 8/7"]),
        ("Position ID: 4HPwATDgc/ABMA 43Z", ["24/21 13/9"]),
        ("GNUID=4HPwATDgc/ABMA:cAkAAAAAAAAA 43Z", ["24/21 13/9"]),
        ("Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA 43Z", ["24/21 13/9"]),
        (f"Position: {XGID.lower()[:5]}{XGID[5:]}, 61P", ["13/7 8/7"]),
    ],
)
def test_what_stands_around_is_read(text: str, plays: list[str]) -> None:
    view = ask("read_text", text)
    assert moves(view) == plays
    assert "instead" not in view
    assert "error" not in view


@pytest.mark.parametrize(
    ("text", "front"),
    [
        ("54S-63R", ""),
        ("N 41Q", ""),
        ("hello", ""),
        (XGID, XGID),
        (f"  {XGID} 61P-63R", f"  {XGID}"),
        (f"{XGID} 61Q", XGID),
        (f"{XGID} hello", XGID),
        ("nackgammon 43Z", "nackgammon"),
        ("Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA 43Z", "P" + "." * 49),
    ],
)
def test_the_characters_of_the_position_are_counted(text: str, front: str) -> None:
    assert ask("read_text", text)["front"] == len(front)


def test_a_double_awaits_its_answer() -> None:
    """The first player of the XGID has doubled; after a take the opponent owns a cube on 2."""
    view = ask("read_text", DOUBLED)
    assert (view["state"]["offered"], view["state"]["player"]) == (1, 1)
    assert [option["said"] for option in view["options"]] == ["take", "drop"]
    take, passed = (ask("read_text", view["keep"] + option["token"]) for option in view["options"])
    assert take["state"]["player"] == 0
    assert "offered" not in take["state"]
    assert parse_xgid(take["state"]["xgid"]) == parse_xgid(
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:3:5:0:7:10"
    )
    assert passed["over"] == 1


def test_a_double_of_a_sequence_awaits_its_answer() -> None:
    view = ask("read_text", "54S-63R-C")
    assert (view["state"]["offered"], view["state"]["player"]) == (1, 1)
    answers = [ask("read_text", view["keep"] + option["token"]) for option in view["options"]]
    assert [answer["turns"][-1]["reading"] for answer in answers] == ["take", "pass"]
    assert "options" not in answers[1]


def test_a_wrong_letter_behind_a_double_has_the_plays_of_the_doubler() -> None:
    view = ask("read_text", "54S-C-31Q")  # to roll takes; it is the second player's roll
    assert view["state"]["player"] == 1
    assert {option["said"] for option in view["options"]} == {
        format_play(play) for play in Plays(decode("54S").state.position, Roll(3, 1))
    }


def test_nothing_to_play_can_be_taken() -> None:
    view = ask("read_text", CLOSED_OUT)
    assert [option["token"] for option in view["options"]] == ["^"]
    after = ask("read_text", view["keep"] + "^")
    assert after["turns"][0]["reading"] == "fan"
    assert after["state"]["player"] == 1


def test_no_checker_to_move_and_none_on_the_bar() -> None:
    view = ask("read_text", "XGID=-bbbbbbA------------------:0:0:1:66:0:0:0:0:10")
    assert [option["token"] for option in view["options"]] == [""]
    assert ask("read_text", view["keep"])["turns"][0]["reading"] == "forced"


def test_options_of_the_second_player_stay_his() -> None:
    second = XGID.replace(":1:61:", ":-1:61:")
    view = ask("read_text", second)
    assert view["state"]["player"] == 1
    for option in view["options"]:
        turn = ask("read_text", view["keep"] + option["token"])["turns"][0]
        assert (turn["player"], turn["said"]) == (1, option["said"])
    for text, player in (("31Q", 0), ("-31Q", 1)):  # the mark of who begins
        wrong = ask("read_text", f"{second.replace(':61:', ':00:')} {text}")
        assert wrong["state"]["player"] == player
        right = ask("read_text", wrong["keep"] + wrong["options"][0]["token"])
        assert right["turns"][0]["player"] == player


def test_turns_have_the_word_of_their_letter() -> None:
    view = ask("read_text", "54S-63R-31P-C")
    assert [turn.get("word") for turn in view["turns"]] == ["split", "run", "point", None]


@pytest.mark.parametrize(
    "text",
    ["54s " * 5000, "(" * 20_000, '"' * 20_000, "24/20 " * 3300, "54S->" * 4000, "XGID=" * 4000],
)
def test_long_rubbish_proposes_little(text: str) -> None:
    view = reply("read_text", text[:20_000])
    assert len(view.get("value", {}).get("instead", [])) <= 3


def test_why_is_told_as_by_the_command_line() -> None:
    ours = ask(
        "explain_play",
        format_xgid(GameState(parse_position_id("4HPwATDgc/ABMA"))),
        "43",
        "24/20 13/10",
    )
    theirs = json.loads(run("explain", "--json", "4HPwATDgc/ABMA", "43", "24/20 13/10").out)
    assert ours["reason"] == theirs["reason"]
    names = [(name["look"]["name"], name["member"], name["size"]) for name in ours["names"]]
    assert names == [(name["text"], name["member"], name["size"]) for name in theirs["nactations"]]
    assert [member["said"] for member in ours["names"][0]["members"]] == [
        member["play"] for member in theirs["nactations"][0]["members"]
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_posts_are_those_of_the_command_line(target: str) -> None:
    assert ask("as_post", "43Z-32H-54", target) == run("post", "--to", target, "43Z-32H-54").out
    assert ask("as_post", XGID, target) == run("post", "--to", target, XGID).out


def test_a_picture_is_the_drawing_of_the_command_line() -> None:
    turn = ask("read_text", "54S-63R-31P")["turns"][-1]
    ours = ask("board_image", turn["xgid"], turn["roll"], turn["said"], "light", 0)
    words = ("--svg", "--theme", "light", "--view", "first", "--width", "1240")
    assert ours + "\n" == run("board", "--play", *words, "54S-63R-31P").out


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
def test_matches_are_those_of_the_command_line(name: str) -> None:
    path = SAMPLES / name
    for form in ("sgf", "text", "html", "reddit"):
        output = base64.b64decode(ask("export_match", form, data=path.read_bytes()))
        assert output.decode() == run("annotate", "--to", form, path).out


def test_a_match_has_its_steps_and_a_summary() -> None:
    """The rating and the luck are those of the account that the command line prints."""
    path = SAMPLES / "match-3pt-analysed.sgf"
    view = ask("match", data=path.read_bytes())
    (summary,) = view["summaries"]
    assert view["analysed"]
    assert len(view["data"]["games"]) == len(summary["games"]) == 1
    assert summary["score"] == [2, 0]  # Alice wins two points, by the last lines of the record
    assert summary["games"][0]["scores"] == ["3-away 3-away", "3-away 3-away"]
    text = run("annotate", "--errors", "--to", "text", path).out
    rows = {
        name: re.search(rf"{name} +(\S+)[A-Za-z ]+(\S+)", text)
        for name in ("PR", "luck, in points")
    }
    for name, key, digits in (("PR", "pr", 1), ("luck, in points", "luck", 2)):
        found = rows[name]
        assert found, text
        for player, printed in enumerate(found.groups()):
            assert float(summary["ratings"][player][key]) == round(float(printed), digits)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("54S-63R-31P", "sequence"),
        ("54S 63R\n31P", "sequence"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "position"),
        ("4HPwATDgc/ABMA", "position"),
        ("I opened 31P, he ran: 31P-63R.\nThen 43Z-32H-54?", "post"),
        ("of no interest", "post"),
        ((SAMPLES / "match-7pt.mat").read_text("utf-8"), "match"),
        ((SAMPLES / "match-3pt-analysed.sgf").read_text("utf-8"), "match"),
    ],
)
def test_a_pasted_text_is_recognised(text: str, kind: str) -> None:
    assert ask("recognise", text) == kind


@pytest.mark.parametrize("data", [b"", b"\0\xff" * 100, b"<html>hello", b"(;GM[1])"])
def test_what_is_no_match_is_a_message(data: bytes) -> None:
    view = reply("match", data=data or b" ")
    assert "\n" not in view["error"]
    assert "internal" not in view["error"]


ILLEGAL = """; no match
 1 point match

 Game 1
 Ann : 0   Ben : 0
  1) 31: 24/14            52: 13/11 13/8
  2) 63: 24/15            61: 13/7 8/1
"""


def test_what_is_wrong_in_a_match_is_told_as_by_the_command_line(tmp_path: Path) -> None:
    """Not only what its reader met."""
    path = tmp_path / "illegal.mat"
    path.write_text(ILLEGAL)
    remarks = ask("match", data=path.read_bytes())["remarks"]
    lines = run("annotate", path).err.splitlines()
    assert lines == [f"nactate: {path}: {remark}" for remark in remarks]
    assert len(remarks) > 1
    assert "line 6, 1.1a: '24/14' is not a legal play of 31" in remarks[0]


@pytest.mark.parametrize(
    ("name", "analysed"), [("match-3pt-analysed.sgf", True), ("match-3pt.mat", False)]
)
def test_a_match_says_whether_it_is_analysed(name: str, *, analysed: bool) -> None:
    view = ask("match", data=(SAMPLES / name).read_bytes())
    assert (view["analysed"], view["remarks"]) == (analysed, [])


def test_what_cannot_be_read_here_comes_with_advice() -> None:
    """The message of the command line, and what to do in a browser."""
    assert "expected a line such as '7 point match'; " in reply("match", data=b"hello")["error"]


def test_a_match_that_is_too_large_is_a_message() -> None:
    assert "up to 8" in reply("match", data=b" " * (9 << 20))["error"]


POST = """After 43Z-32H-54 I was lost. Then 54S-63R-31 [P H76 @79].
<b>Bold</b> <script>alert(1)</script> on 11/22/2026; I like 41Z here."""


def test_a_post_comes_in_pieces() -> None:
    view = ask("find_in_post", POST)
    marked = [piece for piece in view["pieces"] if not isinstance(piece, str)]
    assert [text for text, _ in marked] == ["43Z-32H-54", "54S-63R-31", "[P H76 @79]", "41Z"]
    theirs = [
        json.loads(line)
        for line in run("read", "--json", "-", stdin=POST.encode()).out.splitlines()
    ]
    assert len(theirs) == len(view["findings"])
    for ours, printed in zip(view["findings"], theirs, strict=True):
        for key in ("text", "sure", "line"):
            assert ours[key] == printed[key]
        assert ours["state"]["id"] == printed["position_id"]
    nacbrac = view["findings"][2]
    assert nacbrac["turns"][0]["said"] == "8/5 6/5"
    assert [turn.get("error") for turn in nacbrac["turns"]] == [None, 0.076, 0.079]
    whole_text = "".join(piece if isinstance(piece, str) else piece[0] for piece in view["pieces"])
    assert "Bold" in whole_text
    assert "<b>" not in whole_text
    for finding in view["findings"]:  # each link leads to the same board
        linked = ask("read_text", finding["link"])["state"]
        assert linked["id"] == finding["state"]["id"]


def test_a_post_may_speak_of_the_cube() -> None:
    view = ask("find_in_post", "The rule: [D/P N 100 D/T 200]. After 54S-63R [N D/T 45 D/P 690].")
    rule, _, cube = view["findings"]
    assert (rule["turns"], rule["note"]) == ([], "double, drop")
    rows = [(turn["token"], turn["reading"], turn.get("error")) for turn in cube["turns"]]
    assert rows == [
        ("no double", "right", None),
        ("double", "wrong", 0.045),
        ("take", "right", None),
        ("drop", "wrong", 0.69),
    ]
    state = decode("54S-63R").state
    assert cube["state"]["id"] == format_position_id(state.position)
    assert [turn["player"] for turn in cube["turns"]] == [0, 0, 1, 1]
    offered = parse_xgid(cube["turns"][2]["xgid"])
    assert offered.doubled
    assert offered == decode("54S-63R-C").state


def test_a_position_of_a_post_is_shown() -> None:
    """A position copied from XG, and its play."""
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:33:0:0:0:0:10"
    position, play = ask("find_in_post", f"{xgid}\nX to play 33: it is 33P")["findings"]
    assert (position["kind"], position["link"]) == ("position", xgid)
    assert (position["state"]["xgid"], position["state"]["roll"]) == (xgid, "33")
    assert play["turns"][0]["said"] == "13/7(2)"  # from the position of the XGID


def test_a_nacbrac_has_its_letters() -> None:
    turns = ask("find_in_post", "54S-63R-31 [P H76 @79]")["findings"][1]["turns"]
    assert [turn["look"]["text"] for turn in turns] == ["P", "H", "@"]


def test_a_long_post_is_read() -> None:
    view = ask("find_in_post", "nothing to see \U0001f600 54S-63R and more. " * 700)
    assert len(view["findings"]) == 500
    assert view["more"] == 200
    assert view["pieces"][1][0] == "54S-63R"


def test_the_alphabet_is_that_of_the_language() -> None:
    rows = ask("alphabet")
    assert [row["key"] for row in rows] == [row.key for row in FAMILIES]
    for row in rows:
        if row["said"]:
            plays = Plays(parse_xgid(row["xgid"]).position, Roll.parse(row["roll"]))
            assert format_play(plays.play(row["key"])) == row["said"]


def test_letters_are_asked_of_real_plays() -> None:
    data = (SAMPLES / "match-3pt.mat").read_bytes()
    quiz = ask("letters", 7, 5, data=data)
    assert quiz == ask("letters", 7, 5, data=data)
    assert quiz != ask("letters", 8, 5, data=data)
    assert len(quiz) == 5
    for item in quiz:
        assert item["right"] in {look["name"] for look in item["choices"]}
        board = (item["xgid"], item["roll"], item["said"])
        right = ask("check_answer", *board, item["right"])
        wrong = [look["name"] for look in item["choices"] if look["name"] != item["right"]]
        assert {ask("check_answer", *board, name)["verdict"] for name in wrong} == {"wrong"}
        best = right["names"][0]["name"]
        assert ask("check_answer", *board, best)["verdict"] == "preferred"
        for name in wrong:
            plays = Plays(parse_xgid(item["xgid"]).position, Roll.parse(item["roll"]))
            members = plays.family(name).members
            would = format_play(members[0]) if members else ""
            answer = ask("check_answer", *board, name)
            assert answer["would"] == would
            assert answer["clause"].startswith(f"not {name}: ")
        for text in ("54" * 5000, "hello", "", "take"):
            assert "is not a letter for" in reply("check_answer", *board, text)["error"]


def test_letters_are_those_that_one_has_read_of() -> None:
    data = (SAMPLES / "match-3pt.mat").read_bytes()
    first = ["R", "D", "S", "P", "$"]  # of the tutorial's section 1
    quiz = ask("letters", 7, 9, first, data=data)
    assert len(quiz) == 9
    for item in quiz:
        choices = [look["name"] for look in item["choices"]]
        assert item["right"] in choices
        assert set(choices) <= set(first)
        play = ask("check_answer", item["xgid"], item["roll"], item["said"], item["right"])
        assert play["names"][0]["name"].startswith(item["right"])  # and no other is preferred
    assert ask("letters", 7, 9, ["+"], data=data) == []  # four are borne off nowhere in it


def test_looks_say_what_sets_members_apart() -> None:
    view = ask("read_text", "N 41Q-21")
    looks = {option["look"]["name"]: option["look"] for option in view["options"]}
    assert all(look["text"] for look in looks.values())
    dotted = ask("read_text", "44")["options"]
    marked = [look for option in dotted for look in (option["look"], *option.get("others", ()))]
    assert {look["name"] for look in marked if "dot" in look} == {
        look["name"] for look in marked if "." in look["name"]
    }
    assert {look["name"] for look in marked if "u" in look.get("tags", "")} == {
        look["name"] for look in marked if "_" in look["name"]
    }


def test_a_mistake_of_ours_is_a_message() -> None:
    assert "internal error" in reply("read_text", 7)["error"]
    assert "internal error" in reply("no such question")["error"]


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        ("54: 24/20 13/8", ["24/20 13/8"]),
        ("54 24/20 13/8", ["24/20 13/8"]),
        ("1. 54: 24/20 13/8   63: 24/15", ["24/20 13/8", "24/15"]),
        ("54S 63: 24/15", ["24/20 13/8", "24/15"]),
        ("N 54: 24/20 13/8", ["24/20 13/8"]),
    ],
)
def test_longhand_is_read(text: str, plays: list[str]) -> None:
    assert moves(ask("read_text", text)) == plays


def test_the_page_loads_nothing_that_it_cannot_use() -> None:
    """A web page starts no process, and needs no command line."""
    code = "import sys, gnubg_nactation.playground.answers; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    tops = {name.partition(".")[0] for name in loaded}
    assert not tops & {"argparse", "concurrent", "multiprocessing", "socket", "subprocess"}
    assert not any(name.startswith("gnubg_nactation.cli") for name in loaded)
