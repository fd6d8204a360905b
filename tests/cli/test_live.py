"""A match typed in a terminal: killed in the middle, continued, saved."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.live import keys_of
from tests.cli.running import ROOT, SAMPLES, error_of, run

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

import pty
import struct
from fcntl import ioctl
from termios import TIOCSWINSZ

from tests.gnubg.terminal import INTERRUPT, Terminal

SAMPLE = SAMPLES / "match-3pt.mat"
HEAD = "Alice - Bob, 3 point match"
END = "\x04"


class Typing(Terminal):
    """A terminal with `nactate transcribe --live`."""

    def __init__(self, number: int, pid: int) -> None:
        super().__init__(number)
        self.pid = pid

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def status(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@contextmanager
def live(folder: Path, *words: object) -> Iterator[Typing]:
    pid, number = pty.fork()
    if not pid:
        os.chdir(folder)
        command = [sys.executable, "-m", "gnubg_nactation", "transcribe", "--live"]
        os.environ.update(PYTHONPATH=str(ROOT), TERM="xterm")
        os.execv(sys.executable, [*command, *map(str, words)])
    ioctl(number, TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    yield Typing(number, pid)
    os.close(number)


def expected() -> str:
    """The sample as we write it, without the tags that are not typed."""
    text = run("annotate", "--to", "mat", SAMPLE).out
    return "".join(line for line in text.splitlines(keepends=True) if line[:1] != ";")


def test_a_match_survives_a_kill(tmp_path: Path) -> None:
    (match,) = read(SAMPLE)
    keys = list(keys_of(match))
    half = len(keys) // 2
    words = ("sheet.txt", "-o", "match.mat")
    with live(tmp_path, *words) as first:
        first.wait("Alice - Bob, 7 point match")
        first.type(f"{HEAD}\n")
        first.wait("Opening roll: type the die of Alice; - die of Bob first")
        first.type("".join(keys[:half]))
        first.type("9")
        first.wait("'9' does nothing here: ")
        first.kill()
        assert first.status() == -signal.SIGKILL
    with live(tmp_path, *words) as second:
        second.wait(" to roll: type two dice")
        second.type("".join(keys[half:]))
        second.wait("Alice has won the match")
        assert (tmp_path / "match.mat").read_text() == expected()
        second.type(END)
        second.wait("sheet.txt has the match so far; the same command continues it")
        assert second.status() == 0
    sheet = (tmp_path / "sheet.txt").read_text()
    assert sheet.startswith(f"{HEAD}\n\nGame 1: Alice 0, Bob 0\n-52T-53P-32&-")
    ran = run("transcribe", tmp_path / "sheet.txt")
    assert (ran.status, ran.out) == (0, expected())


def test_ctrl_c_keeps_the_draft(tmp_path: Path) -> None:
    with live(tmp_path, "-o", "match.sgf") as terminal:
        terminal.wait("point match")
        terminal.type("rubbish\n")
        terminal.wait("expected a head such as")
        terminal.type("Ann - Ben, money, Jacoby\n")
        terminal.wait("Opening roll: type the die of Ann")
        terminal.type("31")
        screen = terminal.wait("Ann to play 31: type its letter; Enter first play, ! resign, ")
        assert "P     8/5 6/5" in screen
        terminal.type("Q")
        terminal.wait("31Q is not legal here: no Q play exists. Legal: ")
        terminal.type("\x1b[AP\x7fP64")
        terminal.wait("Ben to play 64: type its letter")
        terminal.type(INTERRUPT)
        terminal.wait("match.txt has the match so far")
        assert terminal.status() == 130
    assert (tmp_path / "match.txt").read_text() == (
        "Ann - Ben, money, Jacoby\n\nGame 1: Ann 0, Ben 0\n31P-64\n"
    )
    assert ";W[31hefe]" in (tmp_path / "match.sgf").read_text()
    assert "64" not in (tmp_path / "match.sgf").read_text()


def test_a_sheet_with_a_fault_is_not_continued(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    text = f"{HEAD}\n\n31P-64Q-33\n"
    sheet.write_text(text)
    with live(tmp_path, "sheet.txt") as terminal:
        terminal.wait("sheet.txt: line 3, column 5: found '64Q'")
        assert terminal.status() == 1
    assert sheet.read_text() == text


def test_what_else_stood_in_a_sheet_is_kept(tmp_path: Path) -> None:
    """A sheet written by hand is rewritten; its text is kept next to it."""
    sheet = tmp_path / "sheet.txt"
    text = f"{HEAD}\n\n31P (why not?) 64S\n"
    sheet.write_text(text)
    with live(tmp_path, "sheet.txt") as terminal:
        terminal.wait("Alice to roll: type two dice")
        terminal.type(END)
        terminal.wait("sheet.txt has the match so far")
    assert "31P-64S" in sheet.read_text()
    assert (tmp_path / "sheet.txt.orig").read_text() == text


def test_without_a_terminal() -> None:
    message = "--live needs a terminal; without it, SHEET is read as a finished sheet"
    assert (
        error_of("transcribe", "--live", "x.txt", status=2) == f"nactate: transcribe: {message}\n"
    )


@pytest.mark.parametrize("words", [("--check",), ("--to", "json")])
def test_options_that_live_does_not_take(words: tuple[str, ...]) -> None:
    assert "--live" in error_of("transcribe", "--live", "x.txt", *words, status=2)


def test_a_sheet_is_named_without_live() -> None:
    assert "SHEET" in error_of("transcribe", status=2)


def test_nothing_typed_leaves_nothing(tmp_path: Path) -> None:
    with live(tmp_path, "sheet.txt") as terminal:
        terminal.wait("point match")
        terminal.type("\n")
        assert terminal.status() == 0
    assert list(tmp_path.iterdir()) == []


def test_a_match_without_its_sheet_is_not_replaced(tmp_path: Path) -> None:
    output = tmp_path / "match.mat"
    output.write_text("precious")
    with live(tmp_path, "-o", "match.mat") as terminal:
        terminal.wait("match.mat exists, but not its sheet match.txt; choose another name for -o")
        assert terminal.status() == 2
    assert output.read_text() == "precious"


def test_a_head_alone_writes_no_match(tmp_path: Path) -> None:
    with live(tmp_path, "-o", "match.mat") as terminal:
        terminal.wait("point match")
        terminal.type(f"{HEAD}\n")
        terminal.wait("Opening roll")
        terminal.type(END)
        assert terminal.status() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["match.txt"]
