"""The files that arguments name."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from gnubg_nactation.tasks import annotating, sources
from gnubg_nactation.tasks.sources import find_inputs, read_input
from tests.cli.running import MATCH, ROW, SHEET, error_of, run
from tests.files.report_texts import write_reports
from tests.files.test_report import long_match


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "b.mat",
        "a.SGF",
        "notes.md",
        "sub/c.txt",
        "sub/deep/d.mat",
        "[x].mat",
        "x.mat",
        "._x.mat",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)


def paths(*arguments: str) -> list[str]:
    return [str(source.path) for source in find_inputs(arguments)]


def test_a_folder_is_walked_for_match_files_in_order() -> None:
    assert paths(".") == ["[x].mat", "a.SGF", "b.mat", "x.mat", "sub/c.txt", "sub/deep/d.mat"]


def test_places_are_below_the_named_folder() -> None:
    assert [str(source.place) for source in find_inputs(["sub"])] == ["c.txt", "deep/d.mat"]
    assert [str(source.place) for source in find_inputs(["sub/c.txt"])] == ["c.txt"]


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["[bx].mat"], ["b.mat", "x.mat"]),
        (["**/*.mat"], ["[x].mat", "b.mat", "sub/deep/d.mat", "x.mat"]),
        (["s*"], ["sub/c.txt", "sub/deep/d.mat"]),  # the pattern names a folder
        (["[x].mat"], ["[x].mat"]),  # the name exists, so it is no pattern
        (["gone.mat", "gone*.mat"], ["gone.mat", "gone*.mat"]),  # used verbatim
        (["notes.md"], ["notes.md"]),  # a named file may have any ending
        (["x.mat", "b.mat", "./x.mat", "*.mat"], ["x.mat", "b.mat", "[x].mat"]),  # each once
    ],
)
def test_names_and_patterns_choose_files(arguments: list[str], files: list[str]) -> None:
    assert paths(*arguments) == files


def test_an_empty_name_is_not_the_current_folder() -> None:
    before = Path("a.SGF").read_bytes()
    for words in (("annotate",), ("annotate", "--in-place"), ("index",), ("cards", "errors")):
        error = error_of(*words, "", status=2)
        assert error == f"nactate: {words[0]}: a file has an empty name\n"
    assert Path("a.SGF").read_bytes() == before
    assert not Path("games.db").exists()


def write_games(folder: str, **names: int) -> list[str]:
    """Write the reports of some games of one match under these names, and return all reports."""
    texts = write_reports(long_match())
    for name, game in names.items():
        path = Path(folder, f"{name}.txt")
        path.parent.mkdir(exist_ok=True)
        path.write_text(texts[game], encoding="utf-8")
    return texts


def groups(*arguments: str) -> list[list[str]]:
    return [
        [Path(path).name for path in (source.path, *source.others)]
        for source in find_inputs(arguments)
    ]


def test_reports_with_the_names_that_gnubg_gives_are_one_input() -> None:
    texts = write_games("games", m=0, m_002=1, m_003=2)
    assert groups("games") == [["m.txt", "m_002.txt", "m_003.txt"]]
    assert groups("games/m_002.txt", "games/m.txt") == [["m.txt", "m_002.txt"]]
    assert groups("games/m_002.txt") == [["m_002.txt"]]
    (source,) = find_inputs(["games"])
    assert read_input(source, io.BytesIO()).decode() == "\n".join(texts[:3])


def test_reports_with_other_names_are_one_input_if_their_scores_fit() -> None:
    write_games("games", monday=2, sunday=0, friday=1)
    assert groups("games") == [["sunday.txt", "friday.txt", "monday.txt"]]


def test_reports_of_the_same_game_are_two_inputs() -> None:
    write_games("games", one=0, two=0, three=1)
    assert groups("games") == [["one.txt"], ["three.txt"], ["two.txt"]]


def test_two_matches_of_the_same_players_stay_apart() -> None:
    write_games("games", m=0, m_002=1, n=0, n_002=1, other=2)
    assert groups("games") == [["m.txt", "m_002.txt"], ["n.txt", "n_002.txt"], ["other.txt"]]


def test_games_in_different_folders_stay_apart() -> None:
    write_games("first", m=0)
    write_games("second", m_002=1)
    assert groups("first", "second") == [["m.txt"], ["m_002.txt"]]


def test_reports_of_one_match_are_annotated_as_one_match() -> None:
    write_games("games", m=0, m_002=1)
    (line,) = run("annotate", "--to", "json", "games").out.splitlines()
    turns = json.loads(line)["turns"]
    assert {turn["game"] for turn in turns} == {1, 2}
    (line,) = run("annotate", "--to", "json", "games/m_002.txt").out.splitlines()
    assert {turn["game"] for turn in json.loads(line)["turns"]} == {2}


def test_no_result_overwrites_a_later_game() -> None:
    write_games("games", m=0, m_002=1)
    done = run("annotate", "-o", "games/m_002.txt", "games/m.txt", "games/m_002.txt")
    assert "m_002.txt would be overwritten" in done.err


def test_a_place_in_a_later_game_is_found_in_its_file() -> None:
    """`index` and `annotate` name the file of the first game."""
    write_games("games", m=0, m_002=1)
    own = run("board", "games/m_002.txt#2.1").out
    assert own
    assert run("board", "games/m.txt#2.1").out == own
    assert "there is no game 3" in run("board", "games/m.txt#3.1").err


def test_a_database_has_one_match_of_several_reports() -> None:
    write_games("games", m_002=1)
    assert "1 file, 1 match, 1 game," in run("index", "games").out
    write_games("games", m=0)
    assert "1 file, 1 match, 2 games," in run("index", "games").out
    assert "1 file, 1 match, 2 games," in run("index", "games").out
    write_games("games", m_003=2)
    assert "1 file, 1 match, 3 games," in run("index", "games").out


def test_a_folder_in_short_has_all_games_of_a_match() -> None:
    write_games("games", m=0, m_002=1)
    assert "1 file, 1 match, 2 games;" in run("games").out


def test_a_hyphen_is_standard_input() -> None:
    (source,) = find_inputs(["-"])
    assert source.is_standard_input
    (source,) = find_inputs(["b.mat"])
    assert not source.is_standard_input


# --- pipes, devices and large files ---------------------------------------------------------

_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no pipes with a name, nor /dev")


@_POSIX
def test_searching_skips_pipes_and_devices() -> None:
    os.mkfifo("sub/a.mat")
    Path("sub/zero.mat").symlink_to("/dev/zero")
    Path("sub/same.txt").symlink_to("c.txt")
    assert paths("sub") == ["sub/c.txt", "sub/same.txt", "sub/deep/d.mat"]
    assert paths("sub/*") == ["sub/c.txt", "sub/deep/d.mat", "sub/same.txt"]
    assert paths("sub/a.mat", "/dev/zero") == ["sub/a.mat", "/dev/zero"]


@_POSIX
def test_a_broken_link_fails_a_single_file() -> None:
    for name in ("loop.mat", "self.sgf"):
        Path("sub", name).symlink_to(name)
    Path("sub/gone.mat").symlink_to("nowhere")
    Path("sub/deep/up").symlink_to("..")
    Path("sub/c.txt").write_bytes(MATCH)
    Path("sub/deep/d.mat").write_bytes(MATCH)
    error = error_of("annotate", "-o", "out", "sub")
    assert [line.split(": ")[1] for line in error.splitlines()] == [
        *("sub/gone.mat", "sub/loop.mat", "sub/self.sgf")
    ]
    assert sorted(path.name for path in Path("out").rglob("*.txt")) == ["c.txt", "d.txt"]


@_POSIX
def test_a_named_pipe_is_read_once() -> None:
    os.mkfifo("pipe.mat")
    writer = threading.Thread(target=Path("pipe.mat").write_bytes, args=(MATCH,))
    writer.start()
    ran = run("annotate", "--layout", "row", "pipe.mat")
    writer.join()
    assert ran == (0, SHEET, "")


@_POSIX
@pytest.mark.parametrize("files", [[], ["x.mat"]], ids=["alone", "of many"])
def test_an_endless_device_is_read_up_to_the_limit(files: list[str]) -> None:
    Path("x.mat").write_bytes(MATCH)
    ran = run("annotate", "--layout", "row", "--largest", "1", "/dev/zero", *files)
    error = "nactate: /dev/zero: over 1 MB; `annotate --largest MB` reads more\n"
    assert ran == (1, SHEET * len(files), error)


def test_the_limit_can_be_raised() -> None:
    Path("x.mat").write_bytes(b"; " + b"x" * 2**20 + b"\n" + MATCH)
    assert run("annotate", "--largest", "1", "x.mat").status == 1
    assert run("annotate", "--largest", "1", "-", stdin=Path("x.mat").read_bytes()).status == 1
    ran = run("annotate", "--layout", "row", "--largest", "2", "x.mat")
    assert (ran.status, ran.out.splitlines()[-1], ran.err) == (0, ROW.strip(), "")


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1" * 20])
def test_wrong_limits_are_errors(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("annotate", f"--largest={limit}", "x.mat").status == 2
    assert "--largest" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "encode --game 1", "encode --name"])
def test_every_command_has_the_limit(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("x.mat").write_bytes(b" " * (2**20 + 1))
    monkeypatch.setattr(sources.read_input, "__defaults__", (1,))
    assert error_of(*command.split(), "x.mat").startswith("nactate: x.mat: over 1 MB")


def test_too_little_memory_fails_a_single_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def annotate(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(annotating, "annotate", annotate)
    for name in ("b.mat", "x.mat"):
        Path(name).write_bytes(MATCH)
    error = error_of("annotate", "b.mat", "x.mat")
    assert error.splitlines() == [f"nactate: {name}.mat: not enough memory" for name in "bx"]
