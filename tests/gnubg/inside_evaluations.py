"""Runs inside gnubg: the chances at 0 plies, without the cube, of positions by their IDs."""

import json
import os

import gnubg  # type: ignore[import-not-found]

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    position_ids = json.load(file)
context = gnubg.evalcontext(0, 0, 1, 0, 0.0)
cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0)
answers = [gnubg.evaluate(gnubg.positionfromid(name), cube, context)[:5] for name in position_ids]
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answers, file)
