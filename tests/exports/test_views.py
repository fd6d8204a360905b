"""The JSON of turns against its schema, docs/views.schema.json, which allows no other key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gnubg_nactation.playground.answers import handle
from gnubg_nactation.sequences.tiers import ReadingKind
from tests.cli.running import ROOT, SAMPLES, run
from tests.playground.test_answers import DOUBLED, POST, XGID
from tests.tutorial.cases import read_captions

SCHEMA = json.loads((ROOT / "docs" / "views.schema.json").read_text(encoding="utf-8"))
MATCHES = sorted(path for path in SAMPLES.iterdir() if path.suffix in {".mat", ".sgf", ".txt"})
NACBRACS = "54S-63R-31 [P H76 @79; c], 54S-63R [N D/T 45 D/P 690]"


def check(value: Any, name: str) -> None:
    """Fails with the place of the first value that the schema does not allow."""
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    wrong = [
        f"{error.json_path}: {error.message}"
        for error in Draft202012Validator(schema).iter_errors(value)
    ]
    assert not wrong, wrong[0]


def printed(*arguments: object, stdin: bytes = b"") -> list[Any]:
    lines = run(*arguments, stdin=stdin).out.splitlines()
    assert lines
    return list(map(json.loads, lines))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["reading"]["enum"] == [kind.value for kind in ReadingKind]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.name)
def test_matches(path: Path) -> None:
    (match,) = printed("annotate", "--to", "json", path)
    check(match, "match")


@pytest.mark.parametrize(
    "text",
    [
        "54S-63R-C-T-31P!",
        "-61P-63r-44N.",
        "52S-55A-F",
        "43D-33a",
        *(c.sequence for c in read_captions()[::9]),
    ],
)
def test_turns_of_sequences(text: str) -> None:
    for turn in printed("decode", "--json", "--", text):
        check(turn, "turn")


def test_nacbracs() -> None:
    for value in printed("decode", "--json", NACBRACS):
        check(value, "action" if "action" in value else "entry" if "nacbrac" in value else "turn")


def test_pasted_plays() -> None:
    for game in printed(
        "encode", "--json", "31: 8/5 6/5, 63: 24/15, double, take, 11: 8/7(2) 6/5(2)"
    ):
        check(game, "pasted_game")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "54S-63R-31",
        "54S-63Q-31P",
        "54S-6",
        XGID,
        DOUBLED,
        f"{XGID} 61P-63R",
        "54s-63r",
        POST,
        "54S-C-P",
        "44",
    ],
)
def test_what_is_typed(text: str) -> None:
    check(json.loads(handle("read_text", json.dumps([text])))["value"], "text")


def test_findings_of_a_post() -> None:
    claims = "31P (13/10*/9) and 31: P = 8/5 6/5. 24/14* is H."
    chart = "\n\n  21 31\n43D S P\n\nAlso 43D-xx-44 and 63R/S."
    text = f"{POST} After 54S-63R [N D/T 45 D/P 690]. {claims} {XGID} and 54S-63Q.{chart}"
    for finding in printed("read", "--json", "-", stdin=text.encode()):
        check(finding, "finding")
    findings = json.loads(handle("find_in_post", json.dumps([text])))["value"]["findings"]
    steps = [step for finding in findings for step in finding["turns"]]
    assert len(steps) > 10
    for step in steps:
        check(step, "step")


@pytest.mark.parametrize("key", ["token", "sure"])
def test_what_the_schema_does_not_allow_is_refused(key: str) -> None:
    """Or it would guard nothing."""
    (turn,) = printed("decode", "--json", "54S")
    for wrong in (
        turn | {key: 7},
        turn | {"extra": ""},
        {k: v for k, v in turn.items() if k != key},
    ):
        with pytest.raises(AssertionError):
            check(wrong, "turn")
