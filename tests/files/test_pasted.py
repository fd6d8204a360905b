"""Plays as people paste them from forums, and the errors of the reader."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_hops, format_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.text import game_sequence, game_sequences
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.pasted import read_pasted
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import decode
from tests.strategies import random_turns

SAMPLES = sorted(Path(__file__).parents[2].glob("sample_matches/*.mat"))


def sequences(text: str, start: GameState | None = None) -> list[str]:
    games = read_pasted(text, start)
    return [game_sequence(annotate(pasted.match).games[0]) for pasted in games]


# 31P-63R-42P as people post it.
@pytest.mark.parametrize(
    "text",
    [
        "31: 8/5 6/5  63: 24/15  42: 8/4 6/4",
        "31 8/5 6/5 63 24/15 42 8/4 6/4",
        "13: 6/5 8/5, 36: 24/18/15, 24: 6/4, 8/4",
        "(31) 8/5 6/5 (63) 24/15 (42) 8/4 6/4",
        "(3 1) 8/5 6/5 (6-3) 24/15 [4,2] 8/4 6/4",
        "3-1: 8/5, 6/5; 6-3: 24/18 18/15; 4-2: 8/4, 6/4",
        "3 1: 8/5 6/5\n6 3: 24/15\n4 2: 8/4 6/4",
        "31: 8-5 6-5\n63: 24-18-15\n42: 8-4 6-4\n",
        "31 (8/5 6/5) 63 (24/15) 42 (8/4 6/4)",
        "1. 31: 8/5 6/5\n2. 63: 24/15\n3. 42: 8/4 6/4",
        "1) 31: 8/5 6/5    63: 24/15\n2) 42: 8/4 6/4",
        "1. 31: 8/5 6/5 63: 24/15 2. 42: 8/4 6/4",
        "1 31 8/5 6/5\n2 63 24/15\n3 42 8/4 6/4",
        "#1 31: 8/5 6/5\n#2 63: 24/15\n#3 42: 8/4 6/4",
        "1: 31: 8/5 6/5  63: 24/15\n2: 42: 8/4 6/4",
        "1. 31: 8/5 6/5\n1... 63: 24/15\n2. 42: 8/4 6/4",
        "Ann: 31: 8/5 6/5\nBen: 63: 24/15\nAnn: 42: 8/4 6/4",
        "Ann Smith 31: 8/5 6/5\nBen 63: 24/15\nAnn Smith 42: 8/4 6/4",
        "White 31: 8/5 6/5 Black 63: 24/15 White 42: 8/4 6/4",
        "Ann rolls 3-1 and plays 8/5 6/5. Ben rolls 6-3 and plays 24/15. Ann rolls 42: 8/4 6/4.",
        "Player 1: 31: 8/5 6/5\nPlayer 2: 63: 24/15\nPlayer 1: 42: 8/4 6/4",
        "    Ann                 Ben\n1.  31: 8/5 6/5         63: 24/15\n2.  42: 8/4 6/4",
        "\t31: 8/5 6/5\t63: 24/15\r\n\t42: 8/4 6/4\r\n",
        "| 1 | 31: 8/5 6/5 | 63: 24/15 |\n| 2 | 42: 8/4 6/4 | |",
        "[b]31:[/b] 8/5 6/5<br>[b]63:[/b] 24/15<br>[b]42:[/b] 8/4&nbsp;6/4",
        "**31:** 8/5 6/5!\n**63:** 24/15?? (a risk)\n**42:** 8/4 6/4",
        "> - 31: 8/5 6/5\n> - 63: 24/15\n> - 42: 8/4 6/4",
        "Posted 3/4/2024 by Ann, score 3-1\nMy game:\n31: 8/5 6/5 63: 24/15\n\n42: 8/4\n6/4",
        "31\u2013 8/5 6/5 63\u2013 24/15 42\u2013 8/4 6/4",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n8/5 6/5 63: 24/15 42: 8/4 6/4",
        "4HPwATDgc/ABMA 31: 8/5 6/5 63: 24/15 42: 8/4 6/4",
        "1.\t31: 8/5 6/5\t63: 24/15\n2.\t42: 8/4 6/4",
        "31: 8/5 6/5 [+0.159] 63: 24/15 [R U97] &amp; 42: 8/4 6/4",
        "31: 8/5 6/5&#33; &quot;63&quot;: 24/15 42: 8/4&#160;6/4",
        "\ufeff31: 8/5 6/5 63: 24/15\u200b 42: 8/4 6/4",
    ],
)
def test_plays_are_read_in_every_usual_layout(text: str) -> None:
    assert sequences(text) == ["31P-63R-42P"]


@pytest.mark.parametrize(
    "text",
    [
        "1)                      31: 8/5 6/5\n2) 63: 24/15            42: 8/4 6/4",
        "1. ...                  31: 8/5 6/5\n2. 63: 24/15            42: 8/4 6/4",
        "\t\t31: 8/5 6/5\n63: 24/15\t42: 8/4 6/4",
        "1)                          31: 8/5 6/5\n2) 63: 24/15\n3) 42: 8/4 6/4",
        "Black: 31: 8/5 6/5, White: 63: 24/15, Black: 42: 8/4 6/4",
        "Ann - Ben, 3 point match\nBen: 31: 8/5 6/5\nAnn: 63: 24/15\nBen: 42: 8/4 6/4",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10\n31: 8/5 6/5 63: 24/15 42: 8/4 6/4",
        # gnubg's own IDs before the second player opens.
        "Position ID: 4HPwATDgc/ABMA\n Match ID : cAkAAAAAAAAA\n31: 8/5 6/5 63: 24/15 42: 8/4 6/4",
    ],
)
def test_the_second_player_begins(text: str) -> None:
    """The sequence begins with a hyphen (tutorial, section 7)."""
    assert sequences(text) == ["-31P-63R-42P"]


@pytest.mark.parametrize(
    "text",
    ["Nackgammon\n41: 24/23 13/9", "N 41: 24/23 13/9", '[Variation "Nackgammon"]\n41: 24/23 13/9'],
)
def test_nackgammon_is_recognised(text: str) -> None:
    """41s is also 24/23 13/9 there."""
    (game,) = read_pasted(text)
    assert game.start.position == NACKGAMMON
    assert sequences(text)[0].startswith("N 41")


@pytest.mark.parametrize(
    "play",
    ["8/5(2) 6/3(2)", "8/5 (2), 6/3 (2)", "8/5x2 6/3x2", "8/5 x2 6/3(x2)", "6/3 8/5 8/5 6/3"],
)
def test_repeated_portions_are_read_in_every_spelling(play: str) -> None:
    assert sequences(f"33: {play}") == sequences("33: 8/5 8/5 6/3 6/3")


def test_text_around_a_position_is_not_a_play() -> None:
    """The text is a position copied from eXtreme Gammon."""
    text = (
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\n"
        "X:Ann   O:Ben\nScore is X:0 O:0. Unlimited Game\n"
        " +13-14-15-16-17-18------19-20-21-22-23-24-+\n"
        " | X           O    |   | O              X |\n"
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+\n"
        "Pip count  X: 167  O: 167 X-O: 0-0\nCube: 1\nX to play 31\n\n"
        "8/5 6/5\n63: 24/15\n"
    )
    assert sequences(text) == ["31P-63R"]


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("31: 8/5 6/5 63: 24/15 double take 42: 8/4 6/4", "31P-63R-C-42P"),
        ("31: 8/5 6/5 63: 24/15 doubles => 2  42: 8/4 6/4", "31P-63R-C-42P"),
        ("31: 8/5 6/5 63: 24/15 D/T 42: 8/4 6/4", "31P-63R-C-42P"),
        ("31: 8/5 6/5 63: 24/15 Double/pass", "31P-63R-C-P"),
        ("31: 8/5 6/5 63: 24/15 Ann doubles, Ben drops. Ann wins 1 point", "31P-63R-C-P"),
        ("31: 8/5 6/5\nD/T\n63: 24/15\nredouble, pass", "31P-C-63R-R-P"),
        # Sequences have no letter for beavers, and takes are implicit.
        ("31: 8/5 6/5 63: 24/15 doubles beavers 42: 8/4 6/4", "31P-63R-C-42P"),
        ("31: 8/5 6/5 63", "31P-63"),
        ("31: 8/5 6/5 63: 24/15 resigns a gammon", "31P-63R"),
        # Servers end a game with a roll that is not played, or with a row without cells.
        ("1) 31: 8/5 6/5   63: ????\n   Wins 1 point\n\nGame 2\n1)\n  Wins 1 point", "31P-63"),
        ("1) 31: 8/5 6/5\n31) \n   Wins 1 point", "31P"),
    ],
)
def test_cube_actions_and_ends_of_games_are_read(text: str, sequence: str) -> None:
    assert sequences(text) == [sequence]


@pytest.mark.parametrize(
    "words",
    ["64: dances", "64: cannot move", "64: (no play)", "64:", "dances", "F", "64 -", "64: no move"],
)
def test_dances_are_read_in_every_wording(words: str) -> None:
    """The second player is on the bar against a closed board; the first has three on the 8pt."""
    board = "XGID=aBBBBBB-C-----------------:0:0:-1:00:0:0:0:0:10"
    assert sequences(f"{board}\n{words}\n31: 8/4")[0].startswith("-F-31")
    with pytest.raises(NactationError, match="cannot move"):
        sequences("31: 8/5 6/5 64: cannot move")


def test_a_text_may_have_several_games() -> None:
    opening = "31: 8/5 6/5 63: 24/15"
    for text in (
        f"Game 1\n{opening}\nGame 2\n{opening}",
        f"1. {opening}\n2. 42: 8/4 6/4\n\n1. {opening}",
        f"{opening}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n{opening}",
    ):
        assert [sequence[:7] for sequence in sequences(text)] == ["31P-63R", "31P-63R"]


# 54S-63R-31P: the tutorial's introduction recommends letters for some moves, longhand for others.
@pytest.mark.parametrize(
    "text",
    [
        "54S 63: 24/15 31P",
        "54S 63 24/15 31P",
        "54S, 63: 24/15, 31P",
        "54S-63(24/15)-31P",
        "54S-63 (24/15)-31P",
        "54S-63-24/15-31P",
        "54S-63-24/18/15-31P!",
        "54S63R-31: 8/5 6/5",
        "54S/63R/31: 8/5 6/5",
        "54: 24/20 13/8-63R-31: 6/5, 8/5",
        "54-split, 63: 24/15, 31-point",
        "54S 63R (24/15) 31P (8/5 6/5)",
        "1. 54S  63: 24/15\n2. 31P",
        "1)  54S           63: 24/15\n2)  31P",
        "| 1 | 54S | 63: 24/15 |\n| 2 | 31P | |",
        "Ann: 54S\nBen: 63: 24/15\nAnn: 31P",
        "Ann 54S\nBen 63: 24/15\nAnn plays 31P.",
        "54S\n63: 24/15\n31P\n",
        "**54S** <b>63:</b> 24/15 31P",
        "54S-63R-31P",
    ],
)
def test_letters_and_plays_mix(text: str) -> None:
    assert sequences(text) == ["54S-63R-31P"]


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("-61P-63: 24/15", "-61P-63R"),
        ("1)               61P\n2) 63: 24/15", "-61P-63R"),
        ("N 62Q 31: 8/5 6/5", "N 62Q-31P"),
        ("54S-63: 24/15-C-31P", "54S-63R-C-31P"),
        ("54S 63: 24/15 C 31P", "54S-63R-C-31P"),
        ("54S 63: 24/15 doubles takes 31P", "54S-63R-C-31P"),
        ("54S 63: 24/15 C P", "54S-63R-C-P"),
        ("4HPwATDgc/ABMA 31P 63: 24/15", "31P-63R"),
        # #44 has a play with one down and three insides, which section 15 calls N.
        ("64P-62S-52S-11N. 63: 24/15*", "64P-62S-52S-11N.-63H"),
        # #41: a digit names the hard part of the play, here 10/4 (section 9).
        ("65R-65R-65R-43D-53D-52P-654-21: 24/21*", "65R-65R-65R-43D-53D-52P-65$-21H"),
    ],
)
def test_a_mixed_text_may_have_all_parts_of_a_sequence(text: str, sequence: str) -> None:
    assert sequences(text) == [sequence]


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("54S 63: 24/15 31K", 14, "line 1, column 15: '31K' in 4HPwCSDg8+ABIQ: no such"),
        (
            "54S\n63R (24/18 13/10)",
            9,
            "line 2, column 6: found '24/18 13/10', but 63R is 24/15",
        ),
        ("54S-63R-31P (13/7)", 13, "column 14: found '13/7', expected a play of 31"),
        ("64P-62S-52S-11O. 63: 24/15", 12, "found '11O.', but no play is an O."),
        ("54S 63: 24/15 31P 8/5", 18, "found '8/5', expected a play of 31"),
        ("54S 63 31P", 4, "found '63' without a play"),
    ],
)  # fmt: skip
def test_letters_that_are_not_certain_are_errors(text: str, at: int, message: str) -> None:
    with pytest.raises(NactationError) as error:
        read_pasted(text)
    assert message in str(error.value)
    assert error.value.at == at


@pytest.mark.parametrize("seed", range(12))
def test_random_games_with_some_letters_read_back(seed: int) -> None:
    rng = random.Random(1000 + seed)
    moves = list(random_turns(rng, STANDARD))[:24]
    texts = []
    for position, roll, play in moves:
        if play and rng.random() < 0.5:
            name = Plays(position, roll).name(play).naming.nactation
            texts.append(f"{roll}{name}" if len(Plays(position, roll)) > 1 else f"{roll}: {play}")
        else:
            texts.append(f"{roll}: {format_play(play) if play else 'cannot move'}")
    (game,) = read_pasted(rng.choice([" ", "  ", "\n", ", "]).join(texts))
    assert [turn.play for turn in game.turns] == [play for _, _, play in moves]


@pytest.mark.parametrize(
    ("text", "line", "column", "words", "expected"),
    [
        ("31: 8/5 6/5\n63: 24/14", 2, 5, "24/14", "a play of 63: 24/21 24/18"),
        ("31: 8/5 6/4", 1, 5, "8/5 6/4", "a play of 31"),
        ("31: 8/5", 1, 5, "8/5", "a play of 31"),
        ("31: 8/5 6/S", 1, 9, "6/S", "a play such as 8/5"),
        ("31: 8/5 6/5 oops", 1, 13, "oops", "a roll such as 31:"),
        ("31: oops 8/5 6/5", 1, 5, "oops", "a play such as 8/5 6/5"),
        ("71: 8/5 6/5", 1, 1, "71", "a roll such as 31:"),
        ("8/5 6/5", 1, 1, "8/5", "a roll before the play"),
        ("31: cannot move\n63: 24/15", 1, 1, "cannot move", "a play of 31"),
        ("31: 63: 24/15", 1, 1, "31", "a play of 31"),
        ("dances 63: 24/15", 1, 1, "dances", "a roll with it"),
        ("31: 8/5 6/5 takes", 1, 13, "takes", "a double before it"),
        ("31: 8/5 6/5 double double", 1, 20, "double", "an answer to the double"),
        ("double take 31: 8/5 6/5 63: 24/15 redouble", 1, 35, "redouble", "a roll"),
        ("double drop 31: 8/5 6/5", 1, 17, "31", "the game is over"),
        ("Ann 31: 8/5 6/5\nBen 63: 24/15\nBen 42: 8/4 6/4", 3, 9, "ben", "ann"),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 63: 24/15",
            1,
            57,
            "63",
            "31, the roll of the ID",
        ),
        ("Game 1\n31: 8/5 6/5\nGame 2\n31: 8/5 6/3", 4, 5, "8/5 6/3", "a play of 31"),
    ],
)
def test_errors_have_place_and_expectation(
    text: str, line: int, column: int, words: str, expected: str
) -> None:
    with pytest.raises((IllegalError, MalformedError)) as caught:
        sequences(text)
    message = str(caught.value)
    place = f"line {line}, column {column}: "
    assert message.startswith(place), message
    message_start, _, message_end = message.removeprefix(place).partition(", ")
    assert repr(words) in message_start, message
    assert expected in message_end, message
    lines = text.split("\n")
    assert caught.value.at == sum(len(row) + 1 for row in lines[: line - 1]) + column - 1


@pytest.mark.parametrize("text", ["", "hello", "Game 1", "x" * 1_000_001])
def test_a_text_without_plays_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        read_pasted(text)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_match_text_is_read_like_a_file(path: Path) -> None:
    (match,) = read(path)
    expected = [sequence for sequence in game_sequences(annotate(match)) if sequence]
    assert sequences(path.read_text("utf-8")) == expected


# Random games, written in every way


def _spelling(play: Play, rng: random.Random) -> str:
    """A random spelling of the play: merged or not, in any order, with or without stars."""
    text = format_play(play)
    if rng.random() < 0.4:
        words = format_hops(play.portions).split()
        text = " ".join(words)
    else:
        words = text.split()
    if rng.random() < 0.5:
        rng.shuffle(words)
        text = " ".join(words)
    text = rng.choice([text, text.replace(" ", ", ")])
    if rng.random() < 0.3:  # 6/4*(2) is also 6/4(2)*
        text = re.sub(r"\*(\(\d\))", r"\1*", text)
    if rng.random() < 0.3:
        text = re.sub(r"(\(\d\))", r" \1", text)
    return rng.choice([text, text.upper(), text.replace("off", "0")])


def _turns(rng: random.Random, start: Position) -> list[tuple[Roll, Play | None, str]]:
    turns = []
    for _, roll, play in random_turns(rng, start):
        dice = f"{roll.low}{roll.high}" if rng.random() < 0.2 else str(roll)
        dice = rng.choice(
            [f"{dice}:", f"({dice})", f"{dice[0]}-{dice[1]}:", f"{dice[0]} {dice[1]}:"]
        )
        words = (
            _spelling(play, rng)
            if play
            else rng.choice(["cannot move", "no play", "", "(no move)"])
        )
        turns.append((roll, play, f"{dice} {words}".rstrip()))
    return turns


def _rows(cells: Sequence[str], rng: random.Random, *, right: bool) -> Iterator[str]:
    cells = ["", *cells] if right else cells
    for number, at in enumerate(range(0, len(cells), 2), 1):
        first, second = (*cells[at : at + 2], "")[:2]
        yield f"{number:3}{rng.choice('.)')} {first:40}{second}".rstrip()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(24))
def test_random_games_read_back(seed: int) -> None:
    rng = random.Random(seed)
    start, right = rng.choice([STANDARD, STANDARD, NACKGAMMON]), rng.random() < 0.5
    turns = _turns(rng, start)
    cells = [text for _, _, text in turns]
    names = ("Ben", "Ann") if right else ("Ann", "Ben")
    text = rng.choice(
        [
            "\n".join(_rows(cells, rng, right=right)),
            "Ann  -  Ben\n"
            + "\n".join(f"{names[at % 2]}: {cell}" for at, cell in enumerate(cells)),
        ]
    )
    heading = "Nackgammon" if start is NACKGAMMON else "Backgammon"
    (game,) = read_pasted(f"{heading}\n{text}")
    (annotated,) = annotate(game.match).games
    sequence = game_sequence(annotated)
    decoded = decode(sequence)
    assert [turn.play for turn in decoded.turns] == [play for _, play, _ in turns]
    moves = [move for move in game.match.games[0].actions if isinstance(move, Move)]
    assert [move.roll for move in moves] == [roll for roll, _, _ in turns]
    assert moves[0].player is Player(right)
    lines = f"{heading}\n{text}".split("\n")
    for place, cell in zip(game.places, cells, strict=True):
        assert lines[place.line - 1][place.column - 1 :].startswith(cell)
