"""Runs inside gnubg: its own equities of plays, by the engine for inside."""

import json
import os

import gnubg  # type: ignore[import-not-found]

from gnubg_nactation.backgammon.ids import parse_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.inside import InsideGnubg

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    questions = json.load(file)
for line in questions["commands"]:
    gnubg.command(line)
settings = gnubg.show("evaluation")
calls: list[tuple[float, ...]] = []
engine = InsideGnubg(gnubg, lambda *numbers: calls.append(numbers))
ranked = [
    [
        [format_play(play), equity, method]
        for play, equity, method, *_ in engine.rank(parse_xgid(xgid), Depth(plies, plays=plays))
    ]
    for xgid, plies, plays in questions["rank"]
]
evaluated = [
    engine.evaluate(parse_xgid(xgid), Depth(plies)) for xgid, plies in questions["evaluate"]
]
cubes = []
for xgid, plies in questions["cube"]:
    decision = engine.judge_cube(parse_xgid(xgid), Depth(plies))
    cubes.append([decision.no_double, decision.double_take, decision.double_pass, decision.best])
answer = {
    "name": engine.name,
    "ranked": ranked,
    "evaluated": evaluated,
    "judged": cubes,
    "watched": calls,
    "unchanged": gnubg.show("evaluation") == settings,
}
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answer, file)
