"""The scripts without a browser: Node runs their tests against results of Python."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import MAX_BEST, turn_nacbrac
from gnubg_nactation.exports.board import board_svg
from gnubg_nactation.exports.page.document import board_places, island_text
from gnubg_nactation.exports.page.html import format_html
from tests.browser.conftest import missing
from tests.exports.pages import anchored, read
from tests.strategies import random_positions
from tests.web.types import TYPES, typescript

FOLDER = Path(__file__).parent
SAMPLE = "match-3pt-analysed.sgf"
MATCHES = (
    "match-1pt.mat",
    "match-5pt-annotated.sgf",
    "match-7pt.mat",
    "nackgammon-5pt.mat",
    SAMPLE,
    "money-beaver-setup.sgf",
    "money-raccoon.sgf",
)


def position_case(position: Position, roll: Roll, rng: random.Random) -> dict[str, Any]:
    """A position with the positions that its roll can reach, and one play with its arrows."""
    state = GameState(position, rng.choice([*Player]), roll, score=(1, 2), length=7)
    plays = legal_plays(position, roll)
    case = {
        "xgid": format_xgid(state),
        "id": format_position_id(position),
        "player": int(state.player),
        "roll": str(roll),
        "diagram": str(position),
        "reached": sorted(format_position_id(play.after) for play in plays),
    }
    if plays:
        play = rng.choice(plays)
        svg = board_svg(state, play, theme="light", view=Player.FIRST)
        [path] = re.findall(r'-arrow" d="([^"]*)"', svg)
        case["said"] = format_play(play)
        case["after"] = format_position_id(play.after)
        case["arrows"] = [int(number) for number in re.findall(r"-?\d+", path)]
    return case


def step_cases(name: str) -> list[dict[str, str]]:
    """The turns of a match with their IDs and nacbracs."""
    return [
        {
            "id": anchor,
            "xgid": format_xgid(turn.state),
            "position": format_position_id(turn.state.position),
            "nacbrac": turn_nacbrac(turn, top=MAX_BEST) if len(turn.plays) > 1 else "",
        }
        for anchor, turn in anchored(read(name))
        if turn.state
    ]


def test_the_types_are_those_of_the_schemas() -> None:
    """Else run python -m tests.web.types."""
    assert TYPES.read_text(encoding="utf-8") == typescript()


def test_the_scripts_agree_with_python(tmp_path: Path) -> None:
    node = shutil.which("node") or ""
    if not node:
        missing("node")
    rng = random.Random(26)
    cases = {
        "places": board_places(),
        "positions": [position_case(*pair, rng) for pair in random_positions(1000, seed=26)],
        "steps": {name: step_cases(name) for name in MATCHES},
    }
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    for name in MATCHES:
        [island] = re.findall(r'id="data">(.*?)</script>', format_html(read(name)))
        (tmp_path / f"{name}.json").write_text(island_text(island), encoding="utf-8")
    tests = sorted(map(str, FOLDER.glob("*.test.mjs")))
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", *tests],
        env={"CASES": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"# pass [1-9]", done.stdout)
