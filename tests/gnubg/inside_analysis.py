"""Runs inside gnubg: analyses match files at 0-ply, saves them, and writes down its results."""

import json
import os

import gnubg  # type: ignore[import-not-found]

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    pairs = json.load(file)
for command in (
    "set analysis chequerplay evaluation plies 0",
    "set analysis cubedecision evaluation plies 0",
    "set confirm new off",
):
    gnubg.command(command)
answers = []
for source, target in pairs:
    gnubg.command(f'import mat "{source}"')
    gnubg.command("analyse match")
    gnubg.command(f'save match "{target}"')
    answers.append(gnubg.match(analysis=1, boards=0, statistics=1))
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answers, file)
