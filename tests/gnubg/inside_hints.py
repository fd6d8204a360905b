"""Runs inside gnubg: all legal plays, in gnubg's own words, of each (Position ID, roll)."""

import json
import os

import gnubg

for line in (
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set evaluation chequerplay evaluation plies 0",
    "new session",
):
    gnubg.command(line)


def plays(position_id, roll):
    gnubg.command("set turn 1")
    gnubg.command(f"set board {position_id}")
    gnubg.command(f"set dice {roll}")
    if gnubg.positionid() != position_id:
        raise ValueError(f"gnubg did not take {position_id}")
    hint = gnubg.hint(5000)
    return [play["move"] for play in hint["hint"]] if hint else []


with open(os.environ["QUESTION"], encoding="utf-8") as file:
    question = json.load(file)
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump([plays(*pair) for pair in question], file)
