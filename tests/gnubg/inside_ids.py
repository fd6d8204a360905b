"""Runs inside gnubg: both IDs after each of several lists of commands."""

import json
import os

import gnubg  # type: ignore[import-not-found]

for line in (
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set confirm save off",
):
    gnubg.command(line)

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    question = json.load(file)
answer = []
for lines in question:
    for line in lines:
        gnubg.command(line)
    answer.append([gnubg.positionid(), gnubg.matchid()])
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answer, file)
