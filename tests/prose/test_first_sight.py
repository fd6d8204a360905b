"""Texts written without knowledge of the program (first_sight/*.txt), each set by another writer.

Each text follows `=== number`; after `---` comes one meaning a line: `S` a sequence, `N` a nacbrac,
`C` a claim or play, `I` a position, `-` nothing; `?` or `+` marks one that need not be found. The
plays follow `=>`, a last roll to be played as `31?`, a turn without a play as `fan`, an error
after the play of a nacbrac.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.running import run

_FOLDER = Path(__file__).with_name("first_sight")
# Meanings found of all, at least: raise a count when the reader improves.
_FOUND = {
    "forum": (68, 68),
    "chat": (44, 50),
    "blog": (69, 72),
    "mixed": (201, 218),
    "letters": (300, 370),
    "later": (180, 198),
    "again": (278, 326),
    "fourth": (202, 223),
    "fifth": (180, 273),
    "sixth": (213, 247),
    "seventh": (197, 216),
    "eighth": (229, 254),
}
_TEXTS = {"forum": 40, "chat": 40, "blog": 40, "letters": 60}  # else 45
_ITEM = re.compile(r"\n(?=[SCNI][?+@ ]|-$)", re.MULTILINE)


class Item(NamedTuple):
    kind: str
    is_optional: bool
    plays: list[str]


class Text(NamedTuple):
    number: str
    text: str
    items: list[Item]


def _texts(name: str) -> list[Text]:
    texts = []
    for block in (_FOLDER / f"{name}.txt").read_text("utf-8").split("=== ")[1:]:
        number, _, rest = block.partition("\n")
        text, _, items = rest.partition("\n---\n")
        texts.append(Text(number, text, [_item(item) for item in _ITEM.split(items.strip())]))
    return texts


def _item(line: str) -> Item:
    head, _, plays = line.partition(" => ")
    plays = plays.removeprefix("top: ")
    return Item(head[0], head[1:2] in {"?", "+"}, plays.split("; ") if plays else [])


def _portions(play: str | None) -> list[str]:
    return sorted((play or "").replace("*", "").split())


def _agrees(item: Item, finding: dict[str, Any]) -> bool:
    kind = finding["kind"]
    if finding.get("error"):
        return False
    turns = finding.get("turns") or [finding]
    plays = [turn.get("play") for turn in turns]
    if item.kind == "I":
        return kind in {"position", "analysis"}
    if item.kind == "N":
        entries = finding.get("entries", [])
        found = [f"{round(1000 * (entry['error'] or 0))}" for entry in entries]
        errors = [play.rpartition(" ")[2] for play in item.plays]
        names = [_portions(play.rpartition(" ")[0]) for play in item.plays]
        return found == errors and [_portions(entry["play"]) for entry in entries] == names
    if item.kind == "C":
        is_judged = kind == "play" or (kind == "claim" and finding["right"] is not None)
        return is_judged and _portions(plays[-1]) == _portions(item.plays[0])
    if item.kind == "S" and kind in {"sequence", "play"}:
        meant = [play for play in item.plays if not play.endswith(("?", "fan"))]
        ends_with_play = item.plays[-1] in meant
        return ends_with_play == (plays[-1] is not None) and list(map(_portions, meant)) == [
            _portions(play) for play in plays if play
        ]
    return False


def _findings(text: str) -> list[dict[str, Any]]:
    return [
        json.loads(row) for row in run("read", "--json", "-", stdin=text.encode()).out.splitlines()
    ]


def _found(text: Text, findings: list[dict[str, Any]]) -> int:
    left = list(findings)
    count = 0
    for item in text.items:
        if item.kind == "-":
            count += not findings
            continue
        match = next((finding for finding in left if _agrees(item, finding)), None)
        if match:
            left.remove(match)
            count += not item.is_optional
    return count


@pytest.mark.parametrize("name", sorted(_FOUND))
def test_what_is_meant_is_found_and_nothing_sure_is_wrong(name: str) -> None:
    texts = _texts(name)
    assert len(texts) == _TEXTS.get(name, 45)
    readings = [(text, _findings(text.text)) for text in texts]
    found = sum(_found(text, findings) for text, findings in readings)
    total = sum(not item.is_optional for text in texts for item in text.items)
    silent = [
        (text.number, finding["text"])
        for text, findings in readings
        for finding in findings
        if finding["sure"] == "sure" and not finding.get("error")
        if not any(_agrees(item, finding) for item in text.items)
    ]
    least, meant = _FOUND[name]
    assert total == meant
    assert silent == []
    assert found >= least, found
