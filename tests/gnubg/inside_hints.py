"""Runs inside gnubg: its legal plays for each (Position ID, roll)."""

import json
import os

from tests.gnubg.hinting import hinted_plays

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    question = json.load(file)
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump([hinted_plays(*pair) for pair in question], file)
