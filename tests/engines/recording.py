"""Answers of GNU Backgammon 1.07, for tests of the built-in engine on machines without it.

    python -m tests.engines.recording

asks gnubg about 230 states of five kinds at twelve stakes, and writes `recorded.jsonl`: a line for
each state with its kind, its XGID, and for each depth the equities of the plays, the evaluation
(five chances, the cubeless and the cubeful equity) and the equities of the cube, if there is a cube
decision.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth, Engine
from gnubg_nactation.files.formats import read
from gnubg_nactation.values import replace
from tests.gnubg.ingame import GNUBG, ROOT

FILE = Path(__file__).with_name("recorded.jsonl")
PLIES = 0, 2
SEARCHED = 3  # plays at 2 plies
FIRST, SECOND = Player
STAKES: list[dict[str, Any]] = [
    {},
    {"jacoby": True},
    {"cube": 2, "owner": FIRST},
    {"cube": 4, "owner": SECOND, "jacoby": True},
    {"length": 7, "score": (3, 5)},
    {"length": 5, "score": (2, 4), "crawford": True},
    {"length": 5, "score": (4, 1), "crawford": True},
    {"length": 5, "score": (4, 1)},  # after the Crawford game
    {"length": 7, "score": (3, 6)},  # too
    {"length": 11, "score": (7, 8), "cube": 2, "owner": SECOND},
    {"length": 9, "score": (0, 4), "cube": 2, "owner": FIRST},
    {"length": 3, "score": (1, 1), "player": SECOND},
]
OWN_HOME, BOTH_HALVES = range(1, 7), range(1, 13)
CRASHED = 1, 1, 2, 2, 3, 4, 5, 6, 8, 20, 22
FACING_CRASHED = 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 13, 24


class Answers(NamedTuple):
    """What an engine answers about a state at a depth."""

    plays: dict[str, float]
    evaluation: list[float]
    cube: list[float | None] | None


def answers_of(engine: Engine, state: GameState, depth: Depth) -> Answers:
    """All answers about a state; plays that are not searched to the depth are left out."""
    rated = engine.rank(state, depth)
    plays = {str(r.play): round(r.equity, 5) for r in rated if r.method == rated[0].method}
    chances, *equities = engine.evaluate(state, depth)
    evaluation = [round(number, 5) for number in (*chances, *equities)]
    cube = None
    if state.may_double:
        judged = engine.judge_cube(state, depth)
        cube = [e and round(e, 5) for e in (judged.no_double, judged.double_take)]
    return Answers(plays, evaluation, cube)


def depth_of(plies: int) -> Depth:
    """The depth at which states are recorded."""
    return Depth(plies, plays=SEARCHED if plies else 0)


def states() -> Iterator[tuple[str, GameState]]:
    """The kinds and states to record, always the same."""
    chance = random.Random(3)
    contact = chance.sample(list(_moments()), 60)
    kinds = [("contact", state) for state in contact]
    for kind, count in (("race", 40), ("bearoff", 40), ("two-sided", 40), ("crashed", 50)):
        kinds += [(kind, _state(kind, chance)) for _ in range(count)]
    for number, (kind, state) in enumerate(kinds):
        base = GameState(state.position, roll=state.roll)
        yield kind, replace(base, **STAKES[number % len(STAKES)])


def _moments() -> Iterator[GameState]:
    for path in sorted((ROOT / "sample_matches").glob("*.mat")):
        for match in read(path):
            for game in match.games:
                for turn in replay(match, game):
                    if turn.state and turn.play and len(turn.plays) > 3:
                        yield turn.state


def _state(kind: str, chance: random.Random) -> GameState:
    while True:
        match kind:
            case "race":
                sides = [_spread(chance, BOTH_HALVES, 15) for _ in range(2)]
            case "bearoff":
                sides = [_spread(chance, OWN_HOME, chance.randint(7, 13)) for _ in range(2)]
            case "two-sided":
                sides = [_spread(chance, OWN_HOME, chance.randint(1, 6)) for _ in range(2)]
            case _:
                sides = [_spread(chance, CRASHED, 15), _spread(chance, FACING_CRASHED, 15)]
        own, other = sides
        if any(own[point] and other[25 - point] for point in range(1, 25)):
            continue
        points = tuple([own[point] - other[(25 - point) % 25] for point in range(26)])
        roll = Roll(*sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True))
        state = GameState(Position(points), roll=roll)
        if len(legal_plays(state.position, roll)) > 1:
            return state


def _spread(chance: random.Random, points: Sequence[int], checkers: int) -> list[int]:
    side = [0] * 26
    for _ in range(checkers):
        side[chance.choice(points)] += 1
    return side


def _main() -> None:
    with Gnubg(GNUBG) as gnubg, FILE.open("w", encoding="utf-8") as file:
        for kind, state in states():
            depths = {plies: answers_of(gnubg, state, depth_of(plies)) for plies in PLIES}
            file.write(json.dumps([kind, format_xgid(state), depths]) + "\n")


if __name__ == "__main__":
    _main()
