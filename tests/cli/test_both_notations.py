"""Plays follow their letters wherever a reader has to understand them, as far as there is room."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import parse_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.commands import commands
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.writing.terminal import fold, styled
from tests.cli.running import SAMPLES, output_of, run

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from tests.cli.screens import bare, on_screen

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
HOP = r"(?:bar|[0-9]{1,2})\*?(?:/(?:off|[0-9]{1,2})\*?)+(?:\([234]\))?"

# The first blunders of the sample. With plays the widest line has 83 characters.
WITH_PLAYS = """\
Blunders
  -.207   Bob     1.10b   54X 17/13 8/3*       best T 17/8           bNsAYCo4n4MhIA
  -.206   Alice   1.6a    41D bar/24 13/9      best U bar/20         mM+FAyCMt8EAWA
  -.202   Bob     1.7b    65J{3} 9/4 8/2       best T 10/4 9/4       jLcFADOYzxUDIA
"""
LETTERS = """\
Blunders
  -.207   Bob     1.10b   54X         best T              bNsAYCo4n4MhIA
  -.206   Alice   1.6a    41D         best U              mM+FAyCMt8EAWA
  -.202   Bob     1.7b    65J{3}      best T              jLcFADOYzxUDIA
"""
FOLDED = """\
Blunders
  -.207   Bob     1.10b   54X         best T
      bNsAYCo4n4MhIA
  -.206   Alice   1.6a    41D         best U
      mM+FAyCMt8EAWA
  -.202   Bob     1.7b    65J{3}      best T
      jLcFADOYzxUDIA
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "games.db"
    assert run("index", "--db", path, ANALYSED).status == 0
    return path


def test_blunders_have_their_plays_in_a_pipe() -> None:
    assert WITH_PLAYS in output_of("annotate", "--errors", ANALYSED)
    assert LETTERS in output_of("annotate", "--errors", "--letters", ANALYSED)
    assert LETTERS in output_of("annotate", "--errors", "--to", "plain", ANALYSED)  # a post


@pytest.mark.parametrize(("columns", "text"), [(60, FOLDED), (80, LETTERS), (100, WITH_PLAYS)])
def test_plays_are_what_a_narrow_terminal_drops_first(columns: int, text: str) -> None:
    screen = on_screen(columns, "annotate", "--errors", ANALYSED)
    assert text in bare(screen)
    assert max(map(len, bare(screen).splitlines())) <= columns


def test_a_terminal_dims_plays_unless_colours_are_off() -> None:
    words = "annotate", "--errors", ANALYSED
    coloured, plain = on_screen(100, *words), on_screen(100, *words, NO_COLOR="1")
    assert "54X \x1b[2m17/13 8/3*\x1b[0m       best T \x1b[2m17/8\x1b[0m " in coloured
    assert "\x1b" not in plain
    assert bare(coloured) == plain
    assert "\x1b[2m" not in on_screen(100, "decode", "--engine=none", "54S")  # the answer itself


@pytest.mark.parametrize("columns", [60, 80])
def test_no_play_is_broken(columns: int, database: Path) -> None:
    """Each line that ends with a portion is not continued by another one."""
    printed = [
        on_screen(columns, "annotate", "--errors", "--traditional", ANALYSED),
        on_screen(columns, "leaks", "--db", database, "--player", "Bob"),
        on_screen(columns, "find", "--db", database, "63R"),
        on_screen(columns, "replies", "--engine=book", "31P", "43Z"),
        on_screen(columns, "explain", "--engine=none", "54S-63R-31P"),
    ]
    for text in map(bare, printed):
        lines = text.splitlines()
        # A place in a file cannot be folded.
        assert all(len(line) <= columns for line in lines if "#" not in line)
        ends = [line for line in lines if re.search(f"(^| ){HOP}$", line)]
        assert not [
            line
            for line, following in pairwise(lines)
            if line in ends and re.match(f" *{HOP}( |$)", following)
        ]


def test_text_is_not_folded_within_a_play() -> None:
    text = "the best is 24/20 13/8 here"
    for width in range(16, 30):
        for line in fold(text, width).split("\n"):
            assert ("24/20" in line) == ("13/8" in line)


def test_only_plays_are_dimmed() -> None:
    """No date, no path, no fraction; a play of several portions is dimmed as a whole."""
    for text in ("2026/05 a/b.mat x13/8 13/8x", "1/2.sgf#1.2a", "8/5"):
        assert styled(text, dims=True) == text
    assert styled("31P 8/5 6/5, then", dims=True) == "31P \x1b[2m8/5 6/5\x1b[0m, then"
    assert styled("22E bar/23*/21 6/4(2)", dims=True) == "22E \x1b[2mbar/23*/21 6/4(2)\x1b[0m"
    assert styled("31P 8/5 6/5") == "31P 8/5 6/5"


def test_json_of_leaks_has_both(database: Path) -> None:
    """The plays are those of the letters on that board."""
    report = json.loads(output_of("leaks", "--db", database, "--player", "Bob", "--json"))
    examples = [*report["costliest"], *(it for leak in report["leaks"] for it in leak["examples"])]
    plays = 0
    for example in examples:
        if example["roll"] is None:
            assert (example["made_play"], example["best_play"]) == (None, None)
            continue
        state = parse_xgid(example["xgid"])
        assert state.roll
        legal = Plays(state.position, state.roll)
        for name in ("made", "best"):
            play = legal.play(parse_nactation(example[name]))
            assert example[f"{name}_play"] == format_play(play)
        plays += 1
    assert plays > 5
    assert all({"made_play", "best_play"} <= leak.keys() for leak in report["leaks"])


def test_letters_leave_the_plays_out(database: Path) -> None:
    for words in (("leaks", "--player", "Bob"), ("find", "31P")):
        both = output_of(*words, "--db", database)
        letters = output_of(*words, "--db", database, "--letters")
        assert re.search(f" {HOP}", both)
        assert not re.search(f" {HOP}", letters.replace("Blot hit", ""))


def test_find_prints_the_play_of_the_turn(database: Path) -> None:
    [line] = output_of("find", "--db", database, "--player", "Bob", "31P").splitlines()
    assert "#1.17b  31P 6/3 4/3  ...-42R-22Z{3}-42Z-21U-21b-31P | 21C-61R-44N-..." in line
    value = json.loads(output_of("find", "--db", database, "--json", "--player", "Bob", "31P"))
    assert (value["made"], value["play"]) == ("31P", "6/3 4/3")


def test_csv_of_replies_has_both() -> None:
    text = output_of("replies", "31P", "--engine", "book", "--to", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len({row["roll"] for row in rows}) == 21
    assert all(row["nactation"] and row["play"] for row in rows)


@pytest.mark.parametrize("command", commands())
def test_help_fits_two_screens(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, "--help").status == 0
    assert len(capsys.readouterr().out.splitlines()) <= 80


def test_a_terminal_shows_what_to_type_next() -> None:
    """In one line if there is room, else a command in each; pipes get none of it."""
    words = "54S-63R-31P"
    wide, narrow = (on_screen(columns, words, NO_COLOR="1") for columns in (110, 60))
    this, *more = (
        "This is: nactate decode 54S-63R-31P",
        "More: nactate explain 54S-63R-31P",
        "or nactate post 54S-63R-31P",
    )
    assert wide.endswith(f"\n\n{this}  {'  '.join(more)}\n") == (
        len("  ".join([this, *more])) <= 100
    )
    assert narrow.endswith("\n\n" + "\n".join([this, *more]) + "\n")
    assert "More:" not in run(words).out


def test_the_name_alone_shows_examples_on_a_terminal() -> None:
    screen = on_screen(80)
    lines = screen.splitlines()
    assert len(lines) == 5
    assert max(map(len, lines)) <= 80
    assert "All commands: nactate --help" in lines[-1]
    calls = [line.split("  ")[1].split() for line in lines if line.startswith("  nactate ")]
    assert [call[1] for call in calls] == ["match.mat", "54S-63R-31P", "4HPwCSDg8+ABIQ"]
    for call in calls[1:]:
        assert run(*call[1:]).status == 0
