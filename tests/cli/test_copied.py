"""What XG, gnubg and BGBlitz copy, given as a file, on standard input or the clipboard."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from gnubg_nactation.files.copied import read_copied
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from tests.cli.running import SAMPLES, error_of, output_of, run
from tests.exports.anki_text import rows_of
from tests.files.copied_texts import ACTIONS, CUBE, EXPECTED, FOLDER, NAMES, PLAYS, START, read_text

BOTH = f"{START}{PLAYS}\nA note.\n\neXtreme Gammon Version: 2\n{CUBE}{ACTIONS}"
WRONG = START + PLAYS.replace("24/23 13/10", "24/22 13/10")


@pytest.fixture(autouse=True)
def without_gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_GNUBG", "none")


def write(folder: Path, text: str, name: str = "xg.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def notes_of(name: str) -> list[str]:
    return [row.note for row in EXPECTED if row.file == name and row.note]


@pytest.mark.parametrize("name", NAMES)
def test_each_text_gives_nacbracs(name: str) -> None:
    lines = output_of("nacbrac", FOLDER / f"{name}.txt").splitlines()
    assert len(lines) == sum(row.file == name for row in EXPECTED)
    assert output_of("nacbrac", "-", stdin=read_text(name)).splitlines() == lines
    for line in lines:
        assert "[" in line
    rows = output_of("nacbrac", "--json", "-", stdin=read_text(name)).splitlines()
    assert [json.loads(row)["note"] for row in rows if json.loads(row)["note"]] == notes_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_each_text_gives_posts_with_notes(name: str) -> None:
    post = output_of("post", "--to", "plain", FOLDER / f"{name}.txt")
    for note in notes_of(name):
        assert all(line in post for line in note.splitlines())
    hidden = output_of("post", "--spoiler", "--to", "html-forum", "-", stdin=read_text(name))
    assert hidden.count("<details>") == sum(row.file == name for row in EXPECTED)


@pytest.mark.parametrize("name", NAMES)
def test_each_text_gives_flashcards_with_notes(name: str) -> None:
    deck = output_of("cards", "positions", FOLDER / f"{name}.txt", "--form", "csv", "-o", "-")
    rows = rows_of(deck)
    assert len(rows) == sum(row.file == name for row in EXPECTED)
    comments = [row["Comment"] for row in rows]
    for note in notes_of(name):
        assert any(note in text for text in comments)
    assert all(row["Answer"] and row["Nacbrac"] for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_each_text_gives_cards_and_boards(name: str, tmp_path: Path) -> None:
    positions = read_copied(decode_text(read_text(name), None))
    for number in range(1, len(positions) + 1):
        subject = f"{FOLDER / name}.txt#{number}"
        picture = tmp_path / "card.svg"
        assert output_of("card", "--answer", "-o", picture, subject) == ""
        assert "<svg" in picture.read_text(encoding="utf-8")
        assert output_of("board", subject).startswith(" +13-14")


def test_nacbracs_of_several_positions(tmp_path: Path) -> None:
    path = write(tmp_path, BOTH)
    lines = ["31 [P S166 D209] XG Roller++", "[N D/T 42 D/P 298] XG Roller++"]
    assert output_of("nacbrac", "--within", 1, path).splitlines() == [
        f"position {number}: {line}" for number, line in enumerate(lines, 1)
    ]
    assert output_of("nacbrac", "--within", 1, f"{path}#1") == f"{lines[0]}\n"
    assert output_of("nacbrac", "--cube", path) == f"position 2: {lines[1]}\n"
    assert output_of("nacbrac", "-#2", stdin=BOTH.encode()) == f"{lines[1]}\n"
    assert output_of("nacbrac", "--suffix", "symbols", f"{path}#1") == '31 [P S166] "&e\n'
    assert parse_nacbrac(lines[0].partition(" ")[2]).entries[1].error == 0.166


def test_files_of_both_kinds(tmp_path: Path) -> None:
    path = write(tmp_path, START + PLAYS)
    out = output_of("nacbrac", path, SAMPLES / "match-3pt-analysed.sgf")
    assert out.startswith(f"{path}: 31 [P S166] XG Roller++\n")
    assert out.count("\n") > 10


def test_an_encoding_of_windows(tmp_path: Path) -> None:
    text = START + PLAYS + "\nVoil\u00e0.\n"
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        path = tmp_path / "xg.txt"
        path.write_bytes(text.encode(encoding))
        assert json.loads(output_of("nacbrac", "--json", path))["note"] == "Voil\u00e0."


def test_several_positions_need_a_number(tmp_path: Path) -> None:
    path = write(tmp_path, BOTH)
    for command in (["card", "-o", tmp_path / "x.svg"], ["board"], ["explain"]):
        error = "nactate: the text has 2 positions; name one, as in FILE#2 or -#2\n"
        assert error_of(*command, path) == error
    assert error_of("board", f"{path}#3") == "nactate: there is no position 3; the text has 2\n"


def test_explain_takes_the_best_play_or_another() -> None:
    text = (START + PLAYS).encode()
    assert output_of("explain", "-", stdin=text).startswith("4HPwATDgc/ABMA 31: 8/5 6/5\n")
    assert "31: 13/9\n" in output_of("explain", "-", "13/9", stdin=text)
    assert "no ranked plays" in error_of("explain", "-", stdin=(CUBE + ACTIONS).encode())


def test_a_board_shows_the_best_play() -> None:
    text = (START + PLAYS).encode()
    assert "8/5 6/5" in output_of("board", "--play", "-", stdin=text)


def test_a_note_is_hidden_with_the_answer() -> None:
    text = f"{START}{PLAYS}\nA secret.\n".encode()
    assert "A secret." in output_of("post", "-", stdin=text)
    post = output_of("post", "--spoiler", "--to", "discord", "-", stdin=text)
    assert post.index("Solution: ||") < post.index("A secret.")
    card = output_of("card", "-o", "-", "--form", "svg", "-", stdin=text)
    assert "secret" not in card
    card = output_of("card", "--answer", "-o", "-", "--form", "svg", "-", stdin=text)
    assert "A secret." in card


def test_levels_are_shown_with_plays() -> None:
    """XG looked at the second play with 3 plies only."""
    text = (START + PLAYS.replace("2. XG Roller++", "2. 3-ply")).encode()
    assert "31S 24/23 13/10, -.007 (-.166), 3-ply\n" in output_of(
        "post", "--to", "plain", "-", stdin=text
    )


def test_a_wrong_play_is_reported_and_never_named(tmp_path: Path) -> None:
    path = write(tmp_path, WRONG)
    problem = "'24/22 13/10' is not a legal play of 31"
    ran = run("nacbrac", "--limit", 3, path)
    assert ran == (1, "31 [P...D209] XG Roller++\n", f"nactate: {path}:1: {problem}\n")
    ran = run("post", "--to", "plain", "-", stdin=WRONG.encode())
    assert (ran.status, ran.err) == (1, f"nactate: line 1: {problem}\n")
    assert "13/9" in ran.out
    assert "24/22" not in ran.out


def test_a_damaged_text_is_one_line(tmp_path: Path) -> None:
    damaged = START + PLAYS.replace("8/5 6/5", "8/4 6/5")
    path = write(tmp_path, damaged)
    problem = "'8/4 6/5' is not a legal play of 31"
    assert error_of("nacbrac", path) == f"nactate: {path}:1: {problem}\n"
    for command in (["card", "-o", tmp_path / "x.svg"], ["board"], ["explain"]):
        assert error_of(*command, "-", stdin=damaged.encode()) == f"nactate: line 1: {problem}\n"
    error = error_of("cards", "positions", path, "-o", tmp_path / "x.csv")
    assert error == f"nactate: {path}:1: {problem}\n"


def test_options_of_matches_are_refused(tmp_path: Path) -> None:
    error = error_of("nacbrac", "--game", 1, write(tmp_path, START + PLAYS), status=2)
    assert "--game goes with a match file" in error


def test_errors_take_positions_too(tmp_path: Path) -> None:
    path = write(tmp_path, BOTH)
    assert output_of("cards", "errors", path, "--form", "csv", "-o", "-").count("XGID=") == 2
    assert "expected" not in error_of(
        "cards", "positions", SAMPLES / "match-1pt.mat", "-o", "x.csv"
    )
    error = error_of("cards", "positions", "-o", "x.csv", status=2)
    assert "positions need a file" in error


# The clipboard


def clipboard(folder: Path, monkeypatch: pytest.MonkeyPatch, *programs: tuple[str, str]) -> None:
    """Replace the programs of the system by these, each with a line of Python."""
    for name, line in programs:
        path = folder / name
        command = shlex.join([sys.executable, "-c", f"import sys; {line}"])
        path.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.mark.skipif(os.name == "nt", reason="its programs are no scripts")
def test_paste_reads_the_clipboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"print({START + PLAYS!r} if sys.argv[1:] == ['--clipboard', '--output'] else '')"
    clipboard(tmp_path, monkeypatch, ("xsel", line), ("xclip", "sys.exit('no display')"))
    assert output_of("nacbrac", "--paste") == "31 [P S166] XG Roller++\n"
    assert "31: 13/9\n" in output_of("explain", "--paste", "13/9")
    assert "31S" in output_of("post", "--paste", "--to", "plain")
    assert output_of("board", "--paste").startswith(" +13-14")
    assert "<svg" in output_of("card", "--paste", "-o", "-", "--form", "svg")
    assert "XGID=" in output_of("cards", "positions", "--paste", "--form", "csv", "-o", "-")
    assert "31" in output_of("read", "--paste")


@pytest.mark.skipif(os.name == "nt", reason="its programs are no scripts")
def test_paste_without_a_clipboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clipboard(tmp_path, monkeypatch)
    error = error_of("nacbrac", "--paste")
    assert error.startswith("nactate: the clipboard cannot be read without wl-paste, xclip, xsel")
    clipboard(tmp_path, monkeypatch, ("xclip", "sys.exit('no display')"))
    error = error_of("nacbrac", "--paste")
    assert error == "nactate: the clipboard cannot be read: xclip: no display\n"
    clipboard(tmp_path, monkeypatch, ("xclip", "print()"))
    assert "it has no text" in error_of("nacbrac", "--paste")


# Positions without an analysis

BOARD = f"""{START}

X:Ann   O:Bob
Score is X:0 O:0. Unlimited Game
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 0-0
X to play 31
"""


def test_a_position_without_an_analysis(tmp_path: Path) -> None:
    assert START in output_of("post", "-", stdin=BOARD.encode())
    assert output_of("board", "-", stdin=BOARD.encode()).startswith(" +13-14")
    assert "31: 8/5 6/5\n" in output_of("explain", "-", "8/5 6/5", stdin=BOARD.encode())
    path = write(tmp_path, BOARD)
    error = f"nactate: {path}: line 1: a position without an analysis; give its ID to ask an engine"
    assert error_of("nacbrac", path) == f"{error}\n"


def test_a_sequence_with_a_slip_is_no_mere_position() -> None:
    """What cannot be read after an ID is an error, as it may be a sequence."""
    error_of("board", "-", stdin=f"{START}\n31P-63Q\n".encode())


def test_the_rules_of_the_xgid_are_kept(tmp_path: Path) -> None:
    """XG ends every XGID of money play with Jacoby and beavers like this."""
    xgid = START.replace(":0:0:10", ":3:0:10")
    path = write(tmp_path, xgid + PLAYS)
    assert json.loads(output_of("nacbrac", "--json", path))["xgid"] == xgid
    assert xgid in output_of("post", "--to", "plain", path)
    deck = output_of("cards", "positions", path, "--form", "csv", "-o", "-")
    assert [row["XGID"] for row in rows_of(deck)] == [xgid]
    after = output_of("decode", "--from", xgid, "31P").splitlines()[-1]
    assert after.endswith(":0:0:-1:00:0:0:3:0:10")
    (place, *_) = output_of("read", "--json", "-", stdin=f"{xgid} 31P".encode()).splitlines()
    assert json.loads(place)["xgid"] == xgid
