"""`nactate decode` with nacbracs after the sequence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.reading import parse_nacbrac, read_nacbracs, split
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import error_of, output_of, run

ALONE = ("--engine", "none")
LINES = """\
31 [P @87 H94 X101] "<=5  (XG 2, 3-ply, Roller, 5 thousand trials)
P  0.000  8/5 6/5       sOfgASHgc/AJIA
@  0.087  24/20         4PPgAQPgc/AJIA
H  0.094  13/10*/9      4PPCASHgc/ABUA
X  0.101  24/23 13/10*  4PPEARHgc/ABUA
"""


def objects(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    output = output_of("decode", "--json", *ALONE, *arguments, stdin=stdin)
    return [json.loads(line) for line in output.splitlines()]


def plays(text: str, *arguments: object) -> list[str]:
    return [item["play"] for item in objects(text, *arguments) if "nacbrac" in item]


def test_each_play_of_a_nacbrac_has_a_line_after_the_sequence() -> None:
    ran = run("decode", *ALONE, '54S-63R-31 [P @87 H94 X101] "<=5')
    assert ran == (0, f"{run('decode', *ALONE, '54S-63R-31').out}\n{LINES}", "")


def test_the_last_turn_may_be_played() -> None:
    ran = run("decode", *ALONE, '54S-63R-31P[P @87 H94 X101]"<=5')
    assert ran == (0, f"{run('decode', *ALONE, '54S-63R-31P').out}\n{LINES}", "")


def test_several_nacbracs_have_their_scores() -> None:
    ran = run("decode", *ALONE, "65R-43Z-66 [-688 D Z23...] d[Z D7] '<62 s[Z D4]-2-1C[D]")
    headings = [line for line in ran.out.splitlines() if "[" in line]
    assert headings == [
        "66 [-688 D Z23...]  (equity -0.688)",
        "66 d[Z D7] '<62  (double match point; XG 1, 3-ply, 62 thousand trials)",
        "66 s[Z D4]  (gammon save)",
        "66 -2-1C[D]  (2 away, 1 away, Crawford)",
    ]
    assert ran.out.count("24/18 13/7(3)") == 3


def test_several_sequences_are_read() -> None:
    item, two = "31 [P] /5", "N 53 [Z P12]"
    ran = run("decode", *ALONE, "-", stdin=f"{item}\n{two}\n".encode())
    alone = [run("decode", *ALONE, text).out for text in (item, two)]
    assert ran == (0, "\n".join(alone), "")
    assert [value["roll"] for value in objects(f"{item}\n{two}")] == ["31", "31", "53", "53", "53"]


@pytest.mark.parametrize("between", [" ", "\n", ' "<=31**5\n', " 7k 2kR "])
def test_another_roll_continues_the_same_sequence(between: str) -> None:
    """As in #55: the output equals that of the sequence with the other roll."""
    first = f"54S-63R-31P [P @87]{between}"
    alone = [run("decode", *ALONE, text).out for text in (first, "54S-63R-42 [P S5]")]
    assert run("decode", *ALONE, f"{first}-42 [P S5]") == (0, "\n".join(alone), "")
    third = run("decode", *ALONE, "54S-63R-61 [P]").out
    ran = run("decode", *ALONE, f"{first}-42 [P S5] -61 [P]")
    assert ran == (0, "\n".join([*alone, third]), "")


@pytest.mark.parametrize(
    ("parent", "whole"),
    [
        ("31", "42"),
        ("N 31", "N 42"),
        ("-31", "-42"),
        ("<b>54S-63R-31</b>", "<b>54S-63R-42</b>"),
        ("64S 51&amp; 31", "64S 51&amp; 42"),
    ],
)
def test_the_continued_sequence_has_any_form(parent: str, whole: str) -> None:
    rows = objects(f"{parent} [P]\n-42 [P]")
    assert rows[len(rows) // 2 :] == objects(f"{whole} [P]")


@pytest.mark.parametrize(
    ("after", "tokens"),
    [
        ("\n-61P-63 [R]", ["61P", "63", "R"]),  # opened by the second player
        (" -61P-63 [R]", ["54S", "63R", "61P", "63", "R"]),
        ("\n-44A-63 [R]", ["54S", "63R", "44A", "63", "R"]),  # no doublet opens
        ("\n-31P-63 [R] -55 [D]", ["31P", "63", "R", "31P", "55", "D"]),
    ],
)
def test_a_line_may_continue_or_begin_a_game(after: str, tokens: list[str]) -> None:
    rows = objects(f"54S-63R-31 [P]{after}")
    assert [row["token"] for row in rows[4:]] == tokens


def test_headings_are_read_and_notes_skipped() -> None:
    text = "#3 White\u2019s opening 61 [P U227]\n#4 61P-63 (same as #9)\n#5 (left out)"
    ran = run("decode", "--json", *ALONE, text)
    assert [json.loads(line)["token"] for line in ran.out.splitlines()] == [
        *("61", "P", "U"),
        *("61P", "63"),
    ]
    skipped = ["line 2: (same as #9) skipped", "line 3: (left out) skipped"]
    assert (ran.status, ran.err) == (0, "".join(f"nactate: {line}\n" for line in skipped))
    assert run("decode", *ALONE, "White's opening 52") == run("decode", *ALONE, "52")
    assert run("decode", *ALONE, "#7 51S-43P") == run("decode", *ALONE, "51S-43P")


def test_unreadable_lines_are_reported_and_the_others_read() -> None:
    """The bracket, the order of errors, a play or the sequence is wrong."""
    lines = ["31 [P", "42 [P5 S4]", "54S-63R-31 [P K9]", "21S-64K [R]", "43S-52 [S]"]
    ran = run("decode", "--json", *ALONE, "\n".join(lines))
    assert [json.loads(line)["token"] for line in ran.out.splitlines()] == ["43S", "52", "S"]
    errors = [line for line in ran.err.splitlines() if line.startswith("nactate: ")]
    assert ran.status == 1
    assert [line.partition(": ")[2].rpartition(" in ")[0] or line for line in errors[2:]] == [
        "line 3, column 15: 'K'",
        "line 4, column 5: '64K'",
    ]
    assert errors[0] == "nactate: line 1, column 6: the bracket is not closed: expected ]"
    assert errors[1] == "nactate: line 2, column 8: errors must not decrease"
    for line in lines[:4]:
        assert f"\n  {line}\n  {' ' * 3}" in f"{ran.err}   "


def test_errors_give_the_place_in_the_continued_line() -> None:
    ran = run("decode", *ALONE, "54S-63R-31 [P]\n-42K [P]")
    assert ran.status == 1
    assert "nactate: line 2, column 2: '42K' in 4HPwCSDg8+ABIQ: no such play" in ran.err


def test_continued_sequences_have_a_limit() -> None:
    text = "-".join(["31P"] + ["C"] * 20_000) + "-31 [P]" + "\n-42 [P]" * 3
    assert "sequences of more than 100,000 characters" in error_of("decode", *ALONE, text)


def test_json_has_a_row_for_each_play() -> None:
    turn, first, second = objects("31 d[P ...A94] /e")
    assert turn["token"] == "31"
    assert first == {
        "format": 1,
        "nacbrac": 1,
        "token": "P",
        "score": "d",
        "roll": "31",
        "nactation": "P",
        "play": "8/5 6/5",
        "error": 0.0,
        "position_id": "4HPwATDgc/ABMA",
        "after": "sGfwATDgc/ABMA",
        "reading": "strict",
        "sure": "sure",
        "suffix": "/e",
    }
    assert (second["token"], second["error"], second["reading"]) == ("A", 0.094, "assumed")
    assert second["play"] != first["play"]
    assert second["note"]
    assert [item["nacbrac"] for item in objects("31 [P] [P]")[1:]] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "[b]54S-63R-31[/b] [P *P*87]",
        "**54S-63R-31 [P <i>P</i>87]**",
        "[b]54S-63R-31 [P [i]P[/i]87][/b]",
        "<p>54S&#45;63R-31</p><p><b>[P <i>P</i>87]</b></p>",
        "54S-63R-31 [P P{3}87]",
    ],
)
def test_markup_is_read_as_style(text: str) -> None:
    assert [item["nactation"] for item in objects(text)] == ["S", "R", None, "P", "P{3}"]


def test_the_start_is_a_word_an_option_or_an_xgid() -> None:
    assert plays("N 53 [Z P12]") == ["23/20 13/8", "8/3 6/3"]
    assert plays("53 [Z P12]", "--from", "nackgammon") == ["23/20 13/8", "8/3 6/3"]
    xgid = format_xgid(GameState(roll=Roll(3, 1)))
    assert plays("[P]", "--from", xgid) == ["8/5 6/5"]
    assert [item["play"] for item in objects("-", stdin=b"31 [P]\n")] == [None, "8/5 6/5"]


def test_lost_styles_are_restored() -> None:
    text = "65R-21$-21$-51N-22 [P G20 N87]"
    assert plays(text) == ["13/5", "24/22 13/11(2) 6/4", "13/11(2) 6/4(2)"]
    assert plays(text, "--looks-lost") == ["13/5", "24/22 11/5", "13/11(2) 6/4(2)"]
    error = error_of("decode", "--strict", "54S-63R-31 [P P87]")
    assert "'P' in 4HPwCSDg8+ABIQ: no such play of 31 is left" in error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("31 [P K5]", "'K' in 4HPwATDgc/ABMA: no such play of 31 is left. Legal: "),
        ("31 [P", "the bracket is not closed"),
        ("31 [P ?]", "found '?', expected a Nactation"),
        ("[P]", "no roll"),
        ("31K [P]", "no such play of 31"),
        ("31 P]", "found ']'"),
    ],
)
def test_unreadable_nacbracs_are_errors(text: str, message: str) -> None:
    error = error_of("decode", *ALONE, text)
    assert message in error
    assert text.partition(" [")[0] in error


def test_nacbracs_give_engines_states_and_plays() -> None:
    """A check against an engine needs the state with the score, and the plays."""
    ((sequence, nacbracs),) = split("43S-52 -3-5[S X42] g[S] s[S] d[S] j[S] n[S] [S]")
    decoded = decode(sequence)
    result = read_nacbracs(decoded, [item for item in nacbracs if isinstance(item, Nacbrac)])
    assert {read.state.player for read in result} == {Player.SECOND}
    scores = [(item.state.length, item.state.score, item.state.crawford) for item in result]
    assert scores[:4] == [
        (5, (0, 2), False),
        (2, (1, 0), True),
        (2, (0, 1), True),
        (1, (0, 0), False),
    ]
    assert scores[4:] == [(0, (0, 0), False)] * 3
    assert [item.state.jacoby for item in result[4:]] == [True, False, False]
    assert all(item.state.roll == Roll(5, 2) for item in result)
    assert [item.entry.error for item in result[0].entries] == [0.0, 0.042]


def test_the_engine_is_used_once_and_only_for_ambiguous_plays() -> None:
    questions: list[GameState] = []

    def equities(state: GameState) -> dict[Any, float]:
        questions.append(state)
        return dict.fromkeys(plays_there, 0.0)

    decoded = decode("43S-52")
    (sure,) = read_nacbracs(decoded, [parse_nacbrac("[S X42]")], equities=equities)
    plays_there = sure.plays
    assert questions == []
    (_,) = read_nacbracs(decoded, [parse_nacbrac("d[S $66 $67]")], equities=equities)
    assert [item.length for item in questions] == [1]


@pytest.mark.usefixtures("each_engine")
def test_errors_are_compared_with_gnubgs() -> None:
    """#1, where gnubg at 2 plies and thousands of rollouts differ by less than .02."""
    output = output_of("decode", "--check", "--json", "54S-63R-31 [P @87 H94 X101]")
    rows = [row for row in map(json.loads, output.splitlines()) if "nacbrac" in row]
    assert [row["engine"] for row in rows] == ["gnubg 2-ply"] * 4
    for row in rows:
        assert row["engine_error"] == pytest.approx(row["error"], abs=0.02)


@pytest.mark.usefixtures("each_engine")
def test_check_names_the_right_best_play() -> None:
    ran = run("decode", "--check", "--plies", "0", "54S-63R-31 [H P30]")
    assert "checked by gnubg, 0-ply, best 8/5 6/5; errors: nacbrac, engine, difference\n" in ran.out
    ran = run("decode", "--check", "--plies", "0", "54S-63R-31 [P]")
    assert "checked by gnubg, 0-ply; errors: nacbrac, engine, difference\n" in ran.out


@pytest.mark.usefixtures("each_engine")
def test_check_uses_the_score_of_the_nacbrac() -> None:
    """#37 at gammon go: D loses .038."""
    ran = run("decode", "--check", "--json", "65R-43Z-66 g[P D38] [P D38]")
    rows = [row for row in map(json.loads, ran.out.splitlines()) if "nacbrac" in row]
    at_gammon_go, for_money = rows[1], rows[3]
    assert at_gammon_go["engine_error"] == pytest.approx(0.038, abs=0.01)
    assert for_money["engine_error"] < at_gammon_go["engine_error"] - 0.02


@pytest.mark.parametrize(
    "words", [["--check", "54S-63R-31"], ["--plies", "2", "54S-63R-31 [P @87]"]]
)
def test_check_needs_a_nacbrac_and_plies_need_check(words: list[str]) -> None:
    assert error_of("decode", *words, status=2).startswith("nactate: decode: ")
