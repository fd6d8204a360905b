"""Files of other programs, which the real gnubg converts.

The files follow the public descriptions of their formats. They contain the tutorial's first plays,
31P-63R-42P, a double, and a pass.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.engines import importing, process
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.text import game_sequences
from gnubg_nactation.files.foreign import matches_of, prepared, recognised
from gnubg_nactation.files.formats import read
from tests.cli.running import run
from tests.gnubg.ingame import needs_gnubg

SGG = """\
ann vs. ben
Saturday, May 01, 2004

GamesGrid
Crawford: Yes
What nobody knows

Game 1.0-0/3

1\t31:
1\t31: 8/5, 6/5
1\t\t63:
1\t\t63: 24/18, 18/15
2\t42:
2\t42: 8/4, 6/4
2\t\tdouble
3\tpass
ben wins 1 point.
"""
OLDMOVES = """\
Score is 0-0 in a 3 point match.
ann is X - ben is O

X: (3 1) 8-5 6-5
O: (6 3) 1-7 7-10
X: (4 2) 8-4 6-4
O: doubles
X: rejects
O: wins 1 point
"""
TMG = """\
MatchID: 1234
Player1: 17 ann 1500.0
Player2: 18 ben 1500.0
Crawford: 1
Length: 3
Variant: 1
Game 1: 0-0
 1 1 31:
 1 4 8/5 6/5
 -1 1 63:
 -1 4 24/18 18/15
 2 1 42:
 2 4 8/4 6/4
 -2 5 Double to 2
 3 10 Pass
 -3 14 1 ben wins 1 point
"""
EMPIRE = """\
ann      ben
 1) 31: 8/5 6/5                  63: 24/15
 2) 42: 8/4 6/4                  Doubles => 2
 3) Drops
Wins 1 point
"""
FILES = {"sgg": SGG, "oldmoves": OLDMOVES, "tmg": TMG, "empire": EMPIRE}
# 31P with 63 to play: the side to play comes first, its points from its ace point on.
SNOWIE = "3;0;0;0;0;ben;ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;6;3;"


@needs_gnubg
@pytest.mark.parametrize("command", FILES)
def test_a_match_of_another_program(command: str) -> None:
    (match,) = read(FILES[command].encode())
    (row,) = game_sequences(annotate(match))
    assert row.lstrip("-") == "31P-63R-42P-C-P"
    assert sorted(match.players) == ["ann", "ben"]
    (game,) = match.games
    assert match.players[game.actions[0].player] == "ann"
    assert game.winner is not None
    assert (match.players[game.winner], game.points) == ("ben", 1)
    assert match.length == (0 if command == "empire" else 3)  # whose games are of no match
    assert match.problems == ()


def test_games_of_oldmoves_with_scores_of_two_digits_are_one_match() -> None:
    scores = "8-8", "8-9", "8-10", "8-11", "9-11", "10-11"
    text = "\n".join(OLDMOVES.replace("0-0", score).replace("a 3", "a 15") for score in scores)
    kind = recognised(text)
    assert kind
    assert matches_of(text, kind) == [text]


@needs_gnubg
def test_oldmoves_may_have_several_matches() -> None:
    """gnubg stops at other players, and joins matches of the same ones."""
    second = OLDMOVES.replace("0-0", "0-1")  # the next game of the match
    first = OLDMOVES.replace("ann is X - ben is O", "ben is X - ann is O")
    damaged = OLDMOVES.replace("ben", "dan").split("X: (3 1)")[0]
    texts = [OLDMOVES, second, first, OLDMOVES.replace("ben", "cid"), damaged]
    matches = read("\n".join(texts).encode())
    found = [({*match.players}, [game.score for game in match.games]) for match in matches]
    assert found == [
        ({"ann", "ben"}, [(0, 0), (0, 1)]),
        ({"ann", "ben"}, [(0, 0)]),
        ({"ann", "cid"}, [(0, 0)]),
    ]
    assert matches[0].is_incomplete
    assert matches[0].problems == ("a FIBS oldmoves file, in which GNU Backgammon finds no play",)


@needs_gnubg
def test_a_position_of_snowie() -> None:
    (match,) = read(SNOWIE.encode())
    assert sorted(match.players) == ["ann", "ben"]
    assert match.length == 3


@pytest.mark.parametrize(("command", "text"), [*FILES.items(), ("snowietxt", SNOWIE)])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_format_is_recognised_by_its_content(command: str, text: str, end: str) -> None:
    kind = recognised(text.replace("\n", end))
    assert kind is not None
    assert kind.command == command


@pytest.mark.parametrize(
    "text", ["", "ann vs. ben\nhello\n", " 3 point match\n\n Game 1\n", "Score is 2-1.\n", "1;2;3"]
)
def test_other_texts_are_no_such_files(text: str) -> None:
    assert recognised(text) is None


@needs_gnubg
@pytest.mark.parametrize("name", ["a b.sgg", 'it\'s "this".sgg', "$(touch x);`y`\n.sgg", "-x.sgg"])
def test_the_name_of_a_file_is_no_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(SGG, "utf-8")
    ran = run("encode", f"./{name}", "--game", "1")
    assert (ran.status, ran.err) == (0, "")
    assert "31P-63R-42P-C-P" in ran.out
    assert [file.name for file in tmp_path.iterdir()] == [name]


@needs_gnubg
def test_warnings_of_gnubg_are_printed(tmp_path: Path) -> None:
    """gnubg reads no play of FIBS that goes two ways at once, and drops it with a warning."""
    file = tmp_path / "moves.fibs"
    file.write_text(OLDMOVES.replace("1-7 7-10", "1-8 7-10"), "utf-8")
    ran = run("annotate", file)
    assert ran.status == 0
    assert f"{file}: gnubg: WARNING! Illegal or invalid move" in ran.err


@needs_gnubg
def test_names_keep_their_letters() -> None:
    for encoding in ("utf-8", "cp1252"):
        (match,) = read(SGG.replace("ann", "Åse").encode(encoding))
        assert "Åse" in match.players


def test_without_gnubg_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NACTATION_GNUBG", "/nowhere/gnubg")
    file = tmp_path / "match.sgg"
    file.write_text(SGG, "utf-8")
    ran = run("annotate", file)
    assert (ran.status, ran.out) == (1, "")
    message = "a GamesGrid or GridGammon match (.sgg), which needs GNU Backgammon: "
    assert ran.err.startswith(f"nactate: {file}: {message}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("lines", ["exit 3", "sleep 60"])
def test_a_gnubg_that_ends_or_hangs(
    lines: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "gnubg"
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(0o755)
    monkeypatch.setenv("NACTATION_GNUBG", str(program))
    monkeypatch.setattr(process, "_STARTING", 0.5)
    with pytest.raises(MalformedError, match="cannot be converted"):
        read(SGG.encode())


@needs_gnubg
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MatchID: 1\nVariant: 7\nGame 1: 0-0\n", "ended unexpectedly"),  # gnubg aborts
        ("ann vs. ben\nGame 1.0-0\nhello\n", "finds no play"),
        ("Score is 0-0\nann is X - ben is O\n\nhello\n", "finds no play"),
        ("ann ben\n 1) hello\n", "finds no play"),
    ],
)
def test_a_file_that_gnubg_cannot_convert(text: str, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        read(text.encode())


@pytest.mark.parametrize("text", [SGG, OLDMOVES, TMG, EMPIRE])
def test_names_too_long_for_gnubg_do_not_reach_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "find_gnubg", lambda: pytest.fail("gnubg was started"))
    for name in ("b" * 32, "ø" * 16):
        with pytest.raises(MalformedError, match="longer than 31 bytes"):
            read(text.replace("ben", name).encode())
    kind = recognised(text)
    assert kind is not None
    if text == OLDMOVES:  # gnubg would read before the beginning
        with pytest.raises(MalformedError, match="is empty"):
            prepared(text.replace("ann is X", "is X"), kind)
    assert prepared(text.replace("ben", "b" * 31), kind)
    with pytest.raises(MalformedError, match="longer than 1000"):
        prepared(text + "x" * 1001, kind)
