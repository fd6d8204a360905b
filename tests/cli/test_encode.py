"""`nactate encode`: pasted plays as a sequence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.match import SetPosition
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat
from tests.cli.running import MATCH, ROW, SAMPLES, error_of, output_of, run

PLAYS = "31: 8/5 6/5  63: 24/15"


def test_plays_come_from_arguments_a_file_or_standard_input(tmp_path: Path) -> None:
    assert run("encode", PLAYS) == (0, "31P-63R\n", "")
    assert run("encode", *PLAYS.split()) == (0, "31P-63R\n", "")
    assert run("encode", "-", stdin=PLAYS.encode()) == (0, "31P-63R\n", "")
    assert run("encode", "-", stdin=PLAYS.encode("utf-16")) == (0, "31P-63R\n", "")
    file = tmp_path / "post.txt"
    file.write_bytes(b"\xef\xbb\xbf" + PLAYS.encode())
    assert run("encode", file) == (0, "31P-63R\n", "")
    file.write_bytes(MATCH)  # a whole match can also be pasted
    assert run("encode", file) == (0, ROW, "")


@pytest.mark.parametrize(
    "text", ["54S 63: 24/15 31P", "54S-63(24/15)-31P", "54S, 63 24/15, 31P", "54S63R-31: 8/5 6/5"]
)
def test_letters_come_from_arguments_a_file_or_standard_input(text: str, tmp_path: Path) -> None:
    """Plays in longhand may be mixed with letters, as in the tutorial's introduction."""
    expected = (0, "54S-63R-31P\n", "")
    assert run("encode", text) == expected
    assert run("encode", *text.split()) == expected
    assert run("encode", "-", stdin=text.encode()) == expected
    file = tmp_path / "post.txt"
    file.write_text(f"Game 1\n{text}\nGame 2\n{text}\n")
    assert run("encode", file) == (0, expected[1] * 2, "")
    turns = json.loads(run("encode", "--json", text).out)["turns"]
    assert [turn["play"] for turn in turns] == ["24/20 13/8", "24/15", "8/5 6/5"]
    assert "'31K' in" in error_of("encode", text.replace("31P", "31K").replace("31:", "31K"))


def test_a_star_must_be_a_hit() -> None:
    # 63R ends on the 15pt, which is the opponent's 10pt.
    for play in ("13/10*", "13/10", "13/11 11/10", "13/11/10*"):
        assert run("encode", f"{PLAYS}  21: {play}").out == "31P-63R-21H\n"
    error = error_of("encode", f"{PLAYS}  21: 13/11* 11/10*")
    assert "found '13/11* 11/10*', expected 13/10*: nothing is hit on 11" in error
    complaint = error_of("explain", "31P-63R", "21: 24/23* 13/11")
    assert "'24/23* 13/11': nothing is hit on 23" in complaint


def test_the_sequence_has_the_form_of_the_options() -> None:
    assert run("encode", "--spoken", PLAYS).out == "31-point, 63-run\n"
    for characters in ("areal", "numerals", "basic", "all", "assumption"):
        expected = run("encode", "-", "--characters", characters, "--game", 1, stdin=MATCH).out
        path = run("encode", "-", "--characters", characters, stdin=MATCH)
        assert path == (0, expected, "")


def test_the_start_may_be_an_option_or_in_the_text() -> None:
    after = "sGfwATDgc/ABMA"  # 31P, the opponent to roll
    assert run("encode", "--from", after, "63: 24/15").out == "63R\n"
    assert run("encode", "--from", "nackgammon", "41: 24/23 13/9").out.startswith("N 41")
    assert run("encode", "--from", after, f"4HPwATDgc/ABMA {PLAYS}").out == "31P-63R\n"
    assert run("encode", "--from", "nowhere", PLAYS).status == 1


def test_encoded_plays_decode_to_the_same_plays() -> None:
    path = run("encode", "54: 24/20, 13/8\n63: 24/18/15\n31: 6/5, 8/5\ndouble/take\n").out
    decoded = [json.loads(line) for line in run("decode", "--json", path).out.splitlines()]
    plays = [turn["play"] for turn in decoded if turn["play"]]
    assert plays == ["24/20 13/8", "24/15", "8/5 6/5"]


def test_json_has_a_row_for_each_turn() -> None:
    ran = run("encode", "--json", "Black 31: 8/5 6/5\nWhite doubles\nBlack takes\nWhite 63: 24/15")
    (line,) = ran.out.splitlines()
    value = json.loads(line)
    turns = value.pop("turns")
    assert value == {
        "format": 1,
        "sequence": "-31P-C-63R",
        "position_id": "4HPwATDgc/ABMA",
        "xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10",
    }
    assert turns[0] == {
        "turn": 1,
        "line": 1,
        "column": 7,
        "player": 1,
        "action": "move",
        "roll": "31",
        "play": "8/5 6/5",
        "nactation": "P",
        "position_id": "4HPwATDgc/ABMA",
    }
    message = [(turn["turn"], turn["line"], turn["player"], turn["action"]) for turn in turns]
    assert message == [(1, 1, 1, "move"), (2, 2, 0, "double"), (3, 3, 1, "take"), (4, 4, 0, "move")]
    games = run("encode", "--json", f"Game 1\n{PLAYS}\nGame 2\n{PLAYS}").out.splitlines()
    assert [json.loads(game)["sequence"] for game in games] == ["31P-63R", "31P-63R"]


def test_an_illegal_play_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "post.txt"
    file.write_text("31: 8/5 6/5\n63: 24/14\n", "utf-8")
    first, *excerpt = error_of("encode", file).splitlines()
    assert first.startswith(f"nactate: {file}: line 2, column 5: found '24/14', expected ")
    assert excerpt == ["  63: 24/14", "      ^"]
    assert run("encode", "-", stdin=b"31: 8/9").err.startswith("nactate: standard input: line 1, ")
    assert run("encode", "31: 8/9").err.startswith("nactate: line 1, column 5: ")


@pytest.mark.parametrize("arguments", [["-"], [" "]])
def test_an_empty_text_is_an_error(arguments: list[str]) -> None:
    assert run("encode", *arguments).status == 2


def test_a_match_file_has_a_sequence_for_each_game() -> None:
    """As the row of `annotate`, whose lines begin with rolls or, for the second player, hyphens."""
    for name in ("match-5pt.sgf", "match-5pt.mat"):
        rows = output_of("annotate", "--layout", "row", SAMPLES / name).splitlines()
        rows = [row.removesuffix(" (resign 2)") for row in rows]
        games = [row for row in rows if re.match(r"-?[1-6]{2}", row)]
        assert len(games) == 3
        assert output_of("encode", SAMPLES / name).splitlines() == games
        assert output_of("encode", SAMPLES / name, "--game", 2) == f"{games[1]}\n"
    data = (SAMPLES / "match-5pt.sgf").read_bytes()
    assert run("encode", "-", "--game", 2, stdin=data).out == f"{games[1]}\n"


def test_a_match_file_has_its_own_options() -> None:
    file = SAMPLES / "match-5pt.sgf"
    assert "annotate --to" in error_of("encode", "--json", file, status=2)
    assert "--turn needs --game" in error_of("encode", "--turn", 3, file, status=2)
    assert "go with a match file" in error_of("encode", "--game", 1, PLAYS, status=2)
    assert "no game 9" in error_of("encode", "--game", 9, file)


def test_a_missing_file_is_an_error() -> None:
    assert run("encode", "nowhere.txt").status == 1


def test_pasted_games_become_match_text() -> None:
    """A pass wins the value of the cube; the next game of the same post begins at that score."""
    games = "Game 1\n31: 8/5 6/5  63: 24/15\ndoubles drops\nGame 2\n61: 13/7 8/7"
    out = run("encode", "--to", "mat", games).out
    match = mat.read(out.encode())[0]
    assert match.players == ("White", "Black")
    assert [(game.winner, game.points, game.score) for game in match.games] == [
        (Player.FIRST, 1, (0, 0)),
        (None, 0, (1, 0)),
    ]


def test_a_board_that_is_no_variation_is_set_up() -> None:
    out = run("encode", "--to", "mat", "--from", "sGfwATDgc/ABMA", "63: 24/15").out
    assert "; Set Pos=" in out
    (match,) = mat.read(out.encode())
    assert isinstance(match.games[0].actions[0], SetPosition)
