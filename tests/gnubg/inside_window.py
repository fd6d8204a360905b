"""Runs inside gnubg with its window: calls of the plugin for the board; then gnubg ends."""

import json
import os
import sys

import gnubg  # type: ignore[import-not-found]
import nactation_plugin

with open(os.environ["QUESTION"], encoding="utf-8") as file:
    calls = json.load(file)
settings = gnubg.show("confirm"), gnubg.show("evaluation")
for function, arguments in calls:
    getattr(nactation_plugin, function)(*arguments)
sys.stdout.flush()
answer = {"unchanged": (gnubg.show("confirm"), gnubg.show("evaluation")) == settings}
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answer, file)
os._exit(0)
