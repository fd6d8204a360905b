"""The JSON of every command fits its published schema, over all sample files.

`run` checks every line of JSON in these and all other tests of the command line.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.cli.commands import commands
from gnubg_nactation.cli.main import build_parser
from gnubg_nactation.cli.schemas import commands_with_json
from gnubg_nactation.showing import FORMAT
from tests.cli.running import (
    MATCH,
    ROOT,
    SAMPLES,
    SHEET,
    check_lines,
    error_of,
    output_of,
    run,
    validator,
)
from tests.files.copied_texts import FOLDER
from tests.tutorial.cases import read_captions

FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix in {".mat", ".sgf", ".xg"})
NACBRACS = "54S-63R-31 [P H76 @79; c], 54S-63R [N D/T 45 D/P 690]"
PASTED = "31: 8/5 6/5, 63: 24/15, double, take, 11: 8/7(2) 6/5(2)"
CASES = {
    "alphabet": [["--json"]],
    "decode": [
        *(
            ["--json", "--", text]
            for text in ("54S-63R-C-T-31P!", "-61P-63r-44N.", "52S-55A-F", "43D-33a", NACBRACS)
        ),
        *(["--json", "--", caption.sequence] for caption in read_captions()[::9]),
    ],
    "drill": [
        ["openings", "--ask", "best", "--json", "--seed", "1", "--count", "3"],
        ["alphabet", "--json", "--seed", "1", "--count", "9"],
    ],
    "encode": [["--json", PASTED]],
    "explain": [
        ["--json", "--all", "54S-63R-31P"],
        ["--json", "start", "31", "8/5 6/5", "--as", "S"],
        ["--json", "start", "31", "8/5 6/5", "--as", "P"],
    ],
    "nacbrac": [
        ["--json", *map(str, FILES)],
        ["--json", "--engine", "book", "31"],
        ["--json", str(ROOT / "docs" / "copied-from-xg.txt")],
        ["--json", *map(str, sorted(FOLDER.glob("bgblitz-*.txt")))],
    ],
    "plays": [["--json", "start", "31"], ["--json", "start", "11"]],
    "read": [["--json", str(ROOT / "docs" / name)] for name in ("decode.md", "prose.md")],
    "replies": [["--from", "book", "--to", "json", "31P"]],
    "transcribe": [["--to", "json", "-"]],
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sample files."""
    path = tmp_path_factory.mktemp("archive") / "games.db"
    assert run("index", "--db", path, *FILES).status == 0
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_matches(path: Path) -> None:
    """Each sample match, every third of its positions, and its score sheet."""
    (line,) = output_of("annotate", "--to", "json", path).splitlines()
    turns = json.loads(line)["turns"]
    assert turns
    moves = [turn for turn in turns if turn.get("roll")][::3]
    asked = "".join(f"{turn['xgid']}\n" for turn in moves)
    assert run("plays", "--json", "-", stdin=asked.encode()).out.count("\n") == len(moves)
    for turn in moves[::9]:
        if play := turn.get("play"):
            assert run("explain", "--json", turn["xgid"], play).out
    sheet = run("annotate", "--layout", "row", path).out
    for command, *options in (("read", "--json"), ("transcribe", "--to", "json")):
        assert run(command, *options, "-", stdin=sheet.encode()).status in {0, 1}


@pytest.mark.parametrize(
    ("command", "words"), [(name, words) for name, rows in CASES.items() for words in rows]
)
def test_commands(command: str, words: list[str]) -> None:
    assert run(command, *words, stdin=SHEET.encode()).out


def test_queries_of_a_database(database: Path) -> None:
    for words in (
        ("explore", "--json", "--depth", "2"),
        ("find", "--json", "31"),
        ("leaks", "--json", "--player", "Alice", "--min", "1", "--since", "2026-03-15"),
        ("stats", "--json", "--player", "Alice"),
        ("replies", "--diff", "book", "archive", "--to", "json", "51S"),
    ):
        assert output_of(*words, "--db", database)


def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(MATCH)
    run("annotate", "-o", "out", "--report", "report.json", "a.mat", "gone.mat")
    report = json.loads(Path("report.json").read_bytes())
    assert next(iter(report)) == "format"
    assert len(report["results"]) == 2
    check_lines("annotate", json.dumps(report))


def test_all_commands_with_json_have_a_case() -> None:
    elsewhere = {"annotate", "explore", "find", "leaks", "stats", "scores"}  # which needs an engine
    assert {*CASES} | elsewhere == {*commands_with_json()}
    assert {*commands_with_json()} == {name for name in commands() if offers_json(name)}


def offers_json(command: str) -> bool:
    """Whether a command has an option --json, or a choice json."""
    [subparsers] = (
        action
        for action in build_parser([command])._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    actions = subparsers.choices[command]._actions
    return any(
        "--json" in action.option_strings or "json" in (action.choices or ()) for action in actions
    )


@pytest.mark.parametrize("key", ["token", "sure", "format"])
def test_what_the_schema_does_not_allow_is_refused(key: str) -> None:
    """Or it would guard nothing."""
    turn: dict[str, Any] = json.loads(output_of("decode", "--json", "54S"))
    assert turn["format"] == FORMAT
    missing = {name: value for name, value in turn.items() if name != key}
    for wrong in (turn | {key: 7}, turn | {"extra": ""}, missing):
        assert not validator("decode").is_valid(wrong)


def test_a_schema_has_all_its_definitions_and_no_others() -> None:
    schema = json.loads(output_of("--json-schema", "find"))
    assert schema == json.loads(output_of("--json-schema=find"))
    assert {*schema["$defs"]} == {"format", "place_of_turn", "player"}
    for command in commands_with_json():
        list(validator(command).iter_errors({}))  # fails if a reference leads nowhere


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["board"], "'board' prints no JSON; choose from annotate, transcribe, "),
        ([], "a command is missing; choose from annotate, "),
    ],
)
def test_other_commands_have_no_schema(words: list[str], message: str) -> None:
    error = error_of("--json-schema", *words, status=2)
    assert error.startswith(f"nactate: --json-schema: {message}")
