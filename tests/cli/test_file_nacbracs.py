"""`nactate nacbrac FILE`: nacbracs from the analysis in a match file, without an engine."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from gnubg_nactation.nacbracs.bots import describe_bot
from tests.cli.running import MATCH, SAMPLES, Ran, run

SAMPLE = SAMPLES / "match-3pt-analysed.sgf"
_LINE = re.compile(r"([0-9]+)\.([0-9]+)([ab]), (\w+): ([1-6]{2})(\S*) (\S*\[.*\]) (.*)")
_CUBE = re.compile(r"[a-z] \S*\[([NDXR/TP]+)")
HEAD = b"(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Ben]\n;"
_CHANCES = "0.5 0.1 0.0 0.1 0.0"


def nacbracs(*words: object, stdin: bytes = b"") -> Ran:
    """Run the command without an engine."""
    return run("nacbrac", *words, stdin=stdin)


@pytest.fixture(autouse=True)
def without_gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_GNUBG", "none")


def plays(produced: int, *candidates: tuple[str, float, int]) -> bytes:
    """An analysis as gnubg stores it: letters, equity and plies of each candidate."""
    texts = "".join(
        f"[{letters} E ver 3 {_CHANCES} {equity} {plies}C 1 0.000000 1]"
        for letters, equity, plies in candidates
    )
    return f"A[{produced}]{texts}".encode()


def match(*nodes: bytes) -> bytes:
    return HEAD + b"\n;".join(nodes) + b")\n"


def rows(*words: object, stdin: bytes = b"") -> list[dict[str, object]]:
    ran = nacbracs("--json", *words, stdin=stdin)
    assert ran.status == 0
    return [json.loads(line) for line in ran.out.splitlines()]


def test_moves_have_the_numbers_of_the_move_list() -> None:
    """Each line agrees with the cell in the row of its number and the column of its player."""
    titles: list[str] = []
    cells: dict[tuple[str, str, str], str] = {}
    game = ""
    for line in run("annotate", SAMPLE).out.splitlines():
        if result := re.match(r"Game ([0-9]+)", line):
            game = result[1]
        elif not titles and line.split() == ["Alice", "Bob"]:
            titles = [line]
            column = line.index("Bob")
        elif result := re.match(r" *([0-9]+)  ", line):
            cells[game, result[1], "Alice"] = line[6:column].strip()
            cells[game, result[1], "Bob"] = line[column:].strip()
    ran = nacbracs(SAMPLE)
    assert ran.status == 0
    lines = [line for line in ran.out.splitlines() if not _CUBE.search(line)]
    assert len(lines) > 50
    for line in lines:
        result = _LINE.fullmatch(line)
        assert result, line
        game, move, letter, player, roll, name, _, suffix = result.groups()
        assert letter == {"Alice": "a", "Bob": "b"}[player]
        assert cells[game, move, player] == f"{roll}{name}"
        assert suffix == "gnubg 0-ply"


def test_decode_reads_every_nacbrac() -> None:
    decisions = [row for row in rows(SAMPLE) if row["roll"]]
    for row in decisions[::7]:
        ran = run(
            "decode", "--json", "--strict", "--from", row["xgid"], f"{row['roll']} {row['nacbrac']}"
        )
        assert ran.status == 0
        read = [entry for entry in map(json.loads, ran.out.splitlines()) if "nacbrac" in entry]
        output = row["plays"]
        assert isinstance(output, list)
        assert [entry["play"] for entry in read] == [entry["play"] for entry in output]
        assert [entry["error"] for entry in read] == [entry["error"] for entry in output]
        assert {entry["score"] for entry in read} == {row["score"]}


def test_game_move_and_errors_choose_lines() -> None:
    every = rows(SAMPLE)
    wrong = rows(SAMPLE, "--errors", ".050")
    assert wrong == [row for row in every if float(str(row["error"])) >= 0.0495]
    assert 5 < len(wrong) < len(every) / 2
    entry = [row for row in rows(SAMPLE, "--game", "1", "--move", "3") if row["roll"]]
    assert [(row["game"], row["move"]) for row in entry] == [(1, 3)] * 2
    assert [row["player"] for row in entry] == [0, 1]
    assert nacbracs(SAMPLE, "--errors", "9") == (0, "", "")


def test_limit_and_within_choose_plays() -> None:
    """The play made comes last if it is not one of them."""
    (first, *_) = nacbracs(SAMPLE, "--limit", "3").out.splitlines()
    assert re.search(r"\[S D37 \S+\.\.\.T129\]", first)
    (first, *_) = nacbracs(SAMPLE, "--within", "0").out.splitlines()
    assert "[S...T129]" in first


def test_suffix_and_markup_can_be_chosen() -> None:
    symbols = nacbracs(SAMPLE, "--suffix", "none").out.splitlines()[0]
    assert symbols.endswith("T129]")
    bold = nacbracs(SAMPLE, "--to", "bbcode", "--bold-best").out.splitlines()[0]
    assert "[b]S[/b] D37...T129" in bold


def test_levels_come_from_the_file() -> None:
    """The second play and the play made were searched less deeply."""
    data = match(
        b"W[31mjfe]" + plays(2, ("hefe", 0.2, 2), ("xuut", 0.1, 0), ("mjfe", 0.05, 0)),
        b"B[31qtst]" + plays(0, ("qtst", 0.2, 3), ("adde", 0.1, 3)),
    )
    first, second = nacbracs("-", stdin=data).out.splitlines()
    assert first == "1.1a, Ann: 31$ [P U100...$150] gnubg 2-ply, 0-ply for U $"
    assert second == "1.1b, Ben: 31P [P H100] gnubg 3-ply"
    suffix = first.partition("] ")[2]
    assert describe_bot(suffix) == "gnubg, 2-ply, evaluation, 0-ply for U $"
    _, second = nacbracs("-", "--suffix", "symbols", stdin=data).out.splitlines()
    assert second.endswith("] |e")


def test_plays_without_analysis_are_reported() -> None:
    data = match(
        b"W[31hefe]" + plays(0, ("hefe", 0.2, 2), ("xuut", 0.1, 2)), b"B[42qusu]", b"W[61mghg]"
    )
    ran = nacbracs("-", stdin=data)
    assert (ran.status, len(ran.out.splitlines())) == (0, 1)
    message = "game 1: 2 of 3 plays without analysis (1.1b, 1.2a)"
    assert ran.err == f"nactate: standard input: {message}\n"
    ran = nacbracs("-", "--game", "1", "--move", "2", stdin=data)
    assert ran == (1, "", "nactate: standard input: 1.2: no analysis\n")


@pytest.mark.parametrize("analysis", [b"A[0]", b"A[7][xx E ver 3]", b"A[0][hefe E ver 3 0.5"])
def test_a_broken_analysis_is_ignored(analysis: bytes) -> None:
    closed = analysis + b"]" * (not analysis.endswith(b"]"))
    ran = nacbracs("-", stdin=match(b"W[31hefe]" + closed))
    assert (ran.status, ran.out) == (1, "")
    assert "the file has no analysis" in ran.err


def test_without_analysis_the_error_names_the_option(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_bytes(MATCH)
    message = "the file has no analysis, so no nacbracs; use --analyse to run an engine"
    assert nacbracs(path) == (1, "", f"nactate: {path}: {message}\n")
    assert nacbracs("-", stdin=MATCH) == (1, "", f"nactate: standard input: {message}\n")


def test_an_analysis_without_the_cube_is_no_analysis_of_the_cube() -> None:
    data = match(b"W[31hefe]" + plays(0, ("hefe", 0.2, 2), ("xuut", 0.1, 2)))
    assert nacbracs("-", stdin=data).status == 0
    error = nacbracs("-", "--cube", stdin=data).err
    assert error.startswith("nactate: standard input: the file has no analysis of the cube, ")


def test_a_folder_may_have_files_that_fail(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(match(b"W[31hefe]" + plays(0, ("hefe", 0.2, 2))))
    (tmp_path / "b.mat").write_bytes(MATCH)
    (tmp_path / "c.sgf").write_bytes(b"(;")
    ran = nacbracs(tmp_path)
    assert ran.status == 1
    assert ran.out == f"{tmp_path / 'a.sgf'}: 1.1a, Ann: 31P [P] gnubg 2-ply\n"
    assert [line.count(name) for line, name in zip(ran.err.splitlines(), "bc", strict=True)]


def test_a_game_or_move_may_be_missing_in_some_matches(tmp_path: Path) -> None:
    """Only what no match of the file has is an error."""
    play = b"W[31hefe]" + plays(0, ("hefe", 0.2, 2)), b"B[21lnst]" + plays(0, ("lnst", 0.1, 2))
    short, long = match(play[0]), match(*play).replace(b"Ben", b"Cid")
    later = long.replace(b"[game:0]", b"[game:1]").replace(b"length:0", b"length:3")
    path = tmp_path / "m.sgf"
    path.write_bytes(short + long.replace(b"length:0", b"length:3") + later)
    ran = nacbracs(path, "--game", "2")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split(",")[0] for line in ran.out.splitlines()] == ["2.2.1a", "2.2.1b"]
    message = f"nactate: {path}: there is no game 3; the longest match has 2\n"
    assert nacbracs(path, "--game", "3") == (1, "", message)
    ran = nacbracs(path, "--game", "1", "--move", "1")
    assert [line.split(",")[0] for line in ran.out.splitlines()] == ["1.1a", "2.1.1a", "2.1.1b"]
    message = f"nactate: {path}: there is no move 2; the longest game has 1\n"
    assert nacbracs(path, "--game", "1", "--move", "2") == (1, "", message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "9"], "there is no game 9; the match has 1"),
        (["--game", "1", "--move", "99"], "there is no move 99; the game has 45"),
    ],
)
def test_missing_games_and_moves_are_errors(words: Sequence[str], message: str) -> None:
    assert nacbracs(SAMPLE, *words) == (1, "", f"nactate: {SAMPLE}: {message}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--score", "gg", SAMPLE], "--score does nothing for a match file"),
        (["--rollout", "36", SAMPLE], "--rollout does nothing for a match file"),
        (["--plies", "2", SAMPLE], "--plies goes with --analyse for a match file"),
        (["--move", "2", SAMPLE], "--move needs --game for a match file"),
        (["--game", "2", "31"], "--game goes with a match file"),
        (["--errors", "0", "31"], "--errors goes with a match file"),
        (["--analyse", "31"], "--analyse goes with a match file"),
    ],
)
def test_wrong_options_are_errors(words: Sequence[object], message: str) -> None:
    assert nacbracs(*words) == (2, "", f"nactate: nacbrac: {message}\n")


def test_json_of_a_match_has_the_nacbracs() -> None:
    row = next(row for row in rows(SAMPLE) if row["roll"])
    (match_line, *_) = run("annotate", "--to", "json", SAMPLE).out.splitlines()
    assert json.loads(match_line)["turns"][0]["nacbrac"] == row["nacbrac"]


def test_each_cube_decision_has_a_line() -> None:
    """There are as many as `DA` properties of gnubg, each before the play of its move."""
    stored = SAMPLE.read_bytes().count(b"DA[")
    decisions = rows(SAMPLE, "--cube")
    assert len(decisions) == stored == len([row for row in rows(SAMPLE) if not row["roll"]])
    lines = nacbracs(SAMPLE).out.splitlines()
    at = lines.index("1.6b, Bob: no double -3-3[D/T N 48 D/P 277] gnubg 0-ply")
    assert lines[at + 1].startswith("1.6b, Bob: ")
    for row in decisions[::9]:
        text = f"{row['nacbrac']}"
        ran = run("decode", "--json", "--engine", "none", "--from", row["xgid"], text)
        read = [json.loads(line) for line in ran.out.splitlines()]
        actions = [{key: entry[key] for key in ("action", "best", "error")} for entry in read]
        assert actions == row["actions"]
        assert {entry["bot"] for entry in read} == {"gnubg, 0-ply, evaluation"}


def _da(no_double: str, double_take: str) -> bytes:
    return (
        f"DA[E ver 3 2C 1 0.0 1 {_CHANCES} 0.0 {no_double} {_CHANCES} 0.0 {double_take}]".encode()
    )


def test_double_and_answer_have_a_line_each() -> None:
    """The wrong pass lost 1 - .603; unknown equities of gnubg give no line."""
    turned = match(b"W[double]" + _da("0.589", "0.603"), b"B[drop]" + _da("0.589", "0.603"))
    assert nacbracs("-", stdin=turned).out.splitlines() == [
        "1.1a, Ann: double [D/T N 14 D/P 397] gnubg 2-ply",
        "1.1b, Ben: pass [D/T N 14 D/P 397] gnubg 2-ply",
    ]
    (row,) = rows("-", "--errors", ".3", stdin=turned)
    assert (row["player"], row["made"], row["error"]) == (1, "pass", 0.397)
    unknown = match(b"W[31hefe]LU[-inf]" + _da("-inf", "nan"))
    ran = nacbracs("-", stdin=unknown)
    assert (ran.status, ran.out) == (1, "")
    assert "the file has no analysis" in ran.err
