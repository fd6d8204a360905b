"""`nactate board`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gnubg_nactation.backgammon.ids import format_gnubg_id, format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.exports.board import board_svg, board_text
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import error_of, output_of, run
from tests.golden.boards import DOUBLED, HITS

SEQUENCE = "54S-63R-31P"
CLOSED = "XGID=-------------------bbbbbbA:0:0:1:00:0:0:0:0:10"  # closed out


def board_output(*arguments: object, stdin: bytes = b"") -> str:
    return output_of("board", *arguments, stdin=stdin)


@pytest.mark.parametrize("play", [["8/5", "6/5"], ["8/5 6/5"], ["6/5,", "8/5"], ["P"]])
def test_the_board_shows_position_roll_and_play(play: list[str]) -> None:
    state = GameState(roll=Roll(3, 1))
    expected = board_text(state, parse_play("8/5 6/5", STANDARD, Roll(3, 1)))
    assert board_output("start", "13", *play) == f"{expected}\n"


def test_a_position_has_several_names() -> None:
    assert board_output("nackgammon") == board_text(GameState(NACKGAMMON)) + "\n"
    assert (
        board_output(format_position_id(HITS.position))
        == board_text(GameState(HITS.position)) + "\n"
    )
    for state in (HITS, DOUBLED):
        for name in (format_xgid(state), format_xgid(state)[5:], format_gnubg_id(state)):
            assert board_output(name) == board_text(state) + "\n"
            assert board_output("-", stdin=f"{name}\n".encode()) == board_text(state) + "\n"


def test_a_sequence_leads_to_a_position() -> None:
    decoded = decode(SEQUENCE)
    assert board_output(SEQUENCE) == board_text(decoded.state) + "\n"
    assert board_output("-", stdin=f"{SEQUENCE}\n".encode()) == board_text(decoded.state) + "\n"
    assert board_output(SEQUENCE, "64") == board_output(f"{SEQUENCE}-64")
    assert "X to play 64" in board_output(SEQUENCE, "64")
    assert board_output("54S-63R", "--from", "nackgammon") != board_output("54S-63R")


def test_the_last_play_of_a_sequence_can_be_shown() -> None:
    last = decode(SEQUENCE).turns[-1]
    assert board_output("--play", SEQUENCE) == board_text(last.state, last.play) + "\n"
    assert "X plays 31: 8/5 6/5" in board_output("--play", f"{SEQUENCE}-61")  # 61 is to be played


@pytest.mark.parametrize(
    "arguments", [("--play", "start"), ("--play", SEQUENCE, "31"), ("--play", "54")]
)
def test_without_a_last_play_there_is_an_error(arguments: tuple[str, ...]) -> None:
    assert "last play" in error_of("board", *arguments)


def test_svg_takes_all_options(tmp_path: Path) -> None:
    options = ("--theme=dark", "--home=left", "--view=second", "--width=400")
    names = ("--players", "Ann", "<Ben>")
    expected = board_svg(
        HITS, theme="dark", home="left", view=Player.SECOND, width=400, players=("Ann", "<Ben>")
    )
    assert board_output("--svg", *options, *names, format_xgid(HITS)) == f"{expected}\n"
    for file, form in (("a.svg", ()), ("b.SVG", ()), ("c.txt", ("--svg",))):
        out = tmp_path / file
        assert board_output(*form, "-o", out, *options, *names, format_xgid(HITS)) == ""
        assert out.read_text(encoding="utf-8") == f"{expected}\n"
    text = tmp_path / "board.txt"
    assert board_output("--output", text, "--view=first", *names, format_xgid(HITS)) == ""
    own = board_text(HITS, view=Player.FIRST, players=("Ann", "<Ben>"))
    assert text.read_text(encoding="utf-8") == f"{own}\n"


def test_svg_is_drawn_for_the_mover_by_default() -> None:
    assert board_output("--svg", format_xgid(HITS)) == board_svg(HITS) + "\n"
    assert ET.fromstring(board_output("--svg", "start")).get("width") is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rubbish",), "rubbish"),
        (("4HPwATDgc/AB:cAkA",), "4HPwATDgc/AB"),
        ((CLOSED.replace("A:", "Z:"),), "not an XGID"),
        (("start", "70"), "70"),
        (("start", "31", "8/2"), "8/2"),
        (("start", "31", "K"), "no K"),
        ((CLOSED, "66", "bar/19"), "not a legal play"),
    ],
)
def test_impossible_boards_are_errors(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_of("board", *arguments)


@pytest.mark.parametrize(
    "arguments", [(), ("--svg", "--png", "start"), ("--width=3", "start"), ("--width=x", "start")]
)
def test_wrong_options_are_errors(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("board", *arguments).status == 2
    assert "usage: nactate board" in capsys.readouterr().err


def test_png_has_the_given_width(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path / "board.png"
    assert board_output("-o", out, "--width", 310, "start") == ""
    assert out.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(out.read_bytes()[16:20], "big") == 310
    assert run("board", "--png", "start").out.startswith("\udc89PNG")


def test_png_needs_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert 'pip install -e ".[png]"' in error_of("board", "-o", tmp_path / "board.png", "start")
    assert not list(tmp_path.iterdir())


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_a_png_is_not_for_a_terminal() -> None:
    out, err = Terminal(), io.BytesIO()
    assert main(["board", "--png", "start"], Streams(io.BytesIO(), out, err)) == 2
    assert (out.getvalue(), b"-o" in err.getvalue()) == (b"", True)
