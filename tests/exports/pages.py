"""Matches for pages: the samples, one with an analysis, and malicious names."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import move_numbers
from gnubg_nactation.exports.page.document import island_text
from gnubg_nactation.files import formats

SAMPLES = Path(__file__).parents[2] / "sample_matches"
NASTY = (
    "<script>document.title='caught'</script>",
    "</script><!--<script>",
    "]]>\"'&amp;\u2028\u2029\x00\x1b",
    "\u202e\u05e2\u05d1\u05e8\u05d9\u05ea\u2067",  # Hebrew, and marks that turn text around
    "x" * 500,
    "",
)

# Ann plays 13/10 6/5 where 8/5 6/5 is best, Ben the best play.
ANALYSED = b"""(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:3][game:0][ws:0][bs:0]
PW[Ann]PB[Ben]
;W[31mjfe]A[1][hefe E ver 3 0.5 0.1 0.0 0.1 0.0 0.100000 0C 0 1 0.000000 1]
[mjfe E ver 3 0.5 0.1 0.0 0.1 0.0 -0.050000 0C 0 1 0.000000 1]
;B[31qtst]A[0][qtst E ver 3 0.5 0.1 0.0 0.1 0.0 0.050000 0C 0 1 0.000000 1]
)"""


def data_of(page: str) -> dict[str, Any]:
    """The data of a page, with tables as lists of rows, and the plays of each step."""
    (island,) = re.findall(r'id="data">(.*?)</script>', page)
    data: dict[str, Any] = json.loads(island_text(island))
    for name in ("names", "turns", "plays"):
        table = data[name]
        data[name] = [
            {key: value for key, value in zip(table, row, strict=True) if value is not None}
            for row in zip(*table.values(), strict=True)
        ]
    plays = iter(data["plays"])
    for step in data["turns"]:
        step["plays"] = [*islice(plays, step.get("plays", 0))]
    return data


@cache
def read(name: str) -> list[AnnotatedMatch]:
    return [annotate(match) for match in formats.read((SAMPLES / name).read_bytes())]


def anchored(matches: list[AnnotatedMatch]) -> list[tuple[str, AnnotatedTurn]]:
    """All turns, each with its anchor: `2.13b`, in the third match `m3.2.13b`."""
    return [
        (f"{f'm{place}.' * (place > 1)}{game.number}.{move}{'ab'[turn.action.player]}", turn)
        for place, match in enumerate(matches, 1)
        for game in match.games
        for turn, move in zip(game.turns, move_numbers(game.turns), strict=True)
    ]
