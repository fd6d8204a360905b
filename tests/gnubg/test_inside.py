"""The engine inside gnubg gives the results of gnubg as a child process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from tests.figures import LOSS, near
from tests.gnubg.ingame import GNUBG, needs_gnubg, run_in_gnubg
from tests.strategies import random_positions

pytestmark = needs_gnubg

FIRST, SECOND = Player
STAKES: list[dict[str, Any]] = [
    {},
    {"jacoby": True},
    {"cube": 2, "owner": FIRST},
    {"cube": 4, "owner": SECOND, "jacoby": True},
    {"player": SECOND, "cube": 2, "owner": SECOND},
    {"length": 7, "score": (2, 4)},
    {"length": 5, "score": (4, 2), "crawford": True},
    {"length": 5, "score": (4, 2)},
    {"length": 5, "score": (4, 4), "player": SECOND},
    {"length": 9, "score": (3, 6), "cube": 2, "owner": SECOND},
    {"length": 11, "score": (0, 0), "cube": 4, "owner": FIRST, "player": SECOND},
    {"length": 1, "score": (0, 0)},
]
# Games end with plays of these: all with a win; all with a gammon; some, leaving one at home.
ENDINGS = [
    ({1: 1, 2: 1, 24: -5, 20: -2}, Roll(2, 1)),
    ({1: 1, 2: 1, 24: -5, 20: -10}, Roll(6, 5)),
    ({2: 2, 1: 1, 24: -13, 5: -2}, Roll(2, 2)),
    ({6: 1, 1: 1, 24: -2}, Roll(6, 5)),
]


def _states() -> list[GameState]:
    pairs = [pair for pair in random_positions(4000, 5) if 0 < len(legal_plays(*pair)) < 40][::90]
    rolled = [(STANDARD, Roll(3, 1)), *pairs[:30]]
    states = [
        GameState(position, roll=roll, **STAKES[number % len(STAKES)])
        for number, (position, roll) in enumerate(rolled)
    ]
    for checkers, roll in ENDINGS:
        position = Position(tuple(checkers.get(point, 0) for point in range(26)))
        states += [GameState(position, roll=roll, **stake) for stake in STAKES[:7]]
    return states


@pytest.fixture(scope="module")
def child() -> Iterator[Gnubg]:
    with Gnubg(GNUBG) as engine:
        yield engine


def _ask(
    folder: Path,
    rank: list[Any],
    evaluate: list[Any],
    *commands: str,
    cube: list[Any] | None = None,
) -> Any:
    question = {"rank": rank, "evaluate": evaluate, "commands": commands, "cube": cube or []}
    return run_in_gnubg("inside_engine.py", question, folder)


def _by_play(rated: Any) -> dict[tuple[str, str], float]:
    return {(play, method): equity for play, equity, method in rated}


# The user's settings are not those of the child.
SETTINGS = ("set jacoby off", "set beavers 3", "set evaluation chequerplay evaluation plies 1")


@pytest.mark.parametrize(("plies", "number"), [(0, 60), (1, 8), (2, 8), (3, 1)])
def test_plays_are_rated_as_by_the_child(
    plies: int, number: int, tmp_path: Path, child: Gnubg
) -> None:
    states = _states()[:: 1 if plies == 0 else 5][:number]
    answer = _ask(tmp_path, [(format_xgid(state), plies, 0) for state in states], [], *SETTINGS)
    assert answer["unchanged"]
    for state, inside in zip(states, answer["ranked"], strict=True):
        # gnubg 1.08 rates plays that a deeper search drops with the cube efficiency of that search.
        deep, flat = child.rank(state, Depth(plies)), child.rank(state, Depth(0))
        flatly = {play: rated for play, *rated in flat}
        theirs = [
            (format_play(play), *(flatly[play][:2] if method == "0-ply" else (equity, method)))
            for play, equity, method, *_ in deep
        ]
        ours, expected = _by_play(inside), _by_play(theirs)
        assert {play for play, _ in ours} == {play for play, _ in expected}
        shared = ours.keys() & expected.keys()
        assert len(ours.keys() - shared) <= 2  # the child looks closer at any play made
        for play in shared:
            assert ours[play] == near(expected[play]), (state, play)


def test_positions_are_evaluated_as_by_the_child(tmp_path: Path, child: Gnubg) -> None:
    states = _states()[:24]
    questions = [(format_xgid(state), number % 3) for number, state in enumerate(states)]
    answer = _ask(tmp_path, [], questions, *SETTINGS)
    for number, (state, equities) in enumerate(zip(states, answer["evaluated"], strict=True)):
        theirs = child.evaluate(state, Depth(number % 3))
        assert equities[0] == near(theirs.chances)
        assert equities[1:] == near(theirs[1:])


def test_cubes_are_judged_as_by_the_child(tmp_path: Path, child: Gnubg) -> None:
    states = [state for state in _states() if state.may_double][:24]
    questions = [(format_xgid(state), number % 3) for number, state in enumerate(states)]
    answer = _ask(tmp_path, [], [], *SETTINGS, cube=questions)
    for number, (state, cube) in enumerate(zip(states, answer["judged"], strict=True)):
        theirs = child.judge_cube(state, Depth(number % 3))
        equities = theirs.no_double, theirs.double_take, theirs.double_pass
        assert cube[:3] == near(equities), state
        no_double, take, drop = cube[:3]
        margins = abs(min(take, drop) - no_double), abs(take - drop)
        assert cube[3] == theirs.best or min(margins) <= LOSS


def test_what_is_asked_for(tmp_path: Path, child: Gnubg) -> None:
    opening = format_xgid(GameState(STANDARD, roll=Roll(3, 1)))
    answer = _ask(tmp_path, [(opening, 2, 0), (opening, 1, 18), (opening, 0, 5)], [])
    assert child.name.startswith(answer["name"])
    filtered, wide, flat = answer["ranked"]
    assert filtered[0][:1] == ["8/5 6/5"]
    assert [len(plays) for plays in answer["ranked"]] == [16, 16, 16]
    assert {method for _, _, method in filtered} == {"0-ply", "2-ply"}
    assert {method for _, _, method in wide} == {"1-ply"}
    assert {method for _, _, method in flat} == {"0-ply"}
    assert [done for done, _ in answer["watched"][:18]] == list(range(1, 19))
    assert answer["watched"][0] == [1, 16]
