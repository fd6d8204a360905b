"""The playground given what XG copies: under Read its plays, under Type a hint to go there."""

from __future__ import annotations

import json
from typing import Any

from gnubg_nactation.playground.answers import handle
from tests.files.copied_texts import ACTIONS, CUBE, PLAYS, START


def ask(name: str, text: str) -> Any:
    return json.loads(handle(name, json.dumps([text])))["value"]


def test_an_analysis_is_read_in_a_post() -> None:
    value = ask("find_in_post", f"{START}{PLAYS}\nMy note.\n")
    (finding,) = value["findings"]
    assert (finding["kind"], finding["note"]) == ("analysis", "My note.")
    turns = [(turn["token"], turn["said"], turn.get("error")) for turn in finding["turns"]]
    assert turns == [
        ("31P", "8/5 6/5", None),
        ("31S", "24/23 13/10", 0.166),
        ("31D", "13/9", 0.209),
    ]
    assert finding["link"] == START
    assert [START, 0] in value["pieces"]


def test_a_cube_decision_is_read_in_a_post() -> None:
    """Doubling loses 42 thousandths; a pass would lose 298."""
    (finding,) = ask("find_in_post", CUBE + ACTIONS)["findings"]
    actions = [(turn["token"], turn.get("error")) for turn in finding["turns"]]
    assert actions == [("no double", None), ("double", 0.042), ("take", None), ("drop", 0.298)]


def test_a_typed_analysis_is_rather_a_post() -> None:
    one_line = " ".join(f"{START}{PLAYS}".split("\n"))
    for text in (START + PLAYS, one_line, CUBE + ACTIONS):
        assert ask("read_text", text)["prose"] is True
