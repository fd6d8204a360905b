"""The views of the playground against their schema, which allows no other key.

tests/cli/test_schemas.py checks the JSON of commands.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gnubg_nactation.playground.answers import handle
from gnubg_nactation.sequences.tiers import ReadingKind
from tests.cli.running import ROOT, run
from tests.playground.test_answers import DOUBLED, POST, XGID

SCHEMA = json.loads((ROOT / "gnubg_nactation" / "cli" / "views.schema.json").read_text("utf-8"))


def check(value: Any, name: str) -> None:
    """Fails with the place of the first value that the schema does not allow."""
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    wrong = [
        f"{error.json_path}: {error.message}"
        for error in Draft202012Validator(schema).iter_errors(value)
    ]
    assert not wrong, wrong[0]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["reading"]["enum"] == [kind.value for kind in ReadingKind]


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
    assert run("read", "--json", "-", stdin=text.encode()).out  # `run` checks the schema
    findings = json.loads(handle("find_in_post", json.dumps([text])))["value"]["findings"]
    steps = [step for finding in findings for step in finding["turns"]]
    assert len(steps) > 10
    for step in steps:
        check(step, "step")
    with pytest.raises(AssertionError):
        check(steps[0] | {"extra": ""}, "step")
