"""Runs inside gnubg: its own statistics of matches analysed by a weak player, and its ratings."""

import ctypes
import json
import os
import sys
import tempfile

import gnubg  # type: ignore[import-not-found]


def printed(command: str) -> str:
    """Run a command; returns gnubg's output."""
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as output:
        sys.stdout.flush()
        libc.fflush(None)
        screen = os.dup(1)
        os.dup2(output.fileno(), 1)
        gnubg.command(command)
        libc.fflush(None)
        os.dup2(screen, 1)
        output.seek(0)
        return output.read().decode()


with open(os.environ["QUESTION"], encoding="utf-8") as file:
    question = json.load(file)
gnubg.command("set confirm new off")
for kind in ("chequerplay", "cubedecision"):
    gnubg.command(f"set analysis {kind} evaluation plies 0")
    gnubg.command(f"set analysis {kind} evaluation noise 0.04")
statistics = []
for source, target in question["matches"]:
    gnubg.command(f'{"load match" if source.endswith(".sgf") else "import mat"} "{source}"')
    gnubg.command("analyse clear match")
    gnubg.command("analyse match")
    gnubg.command(f'save match "{target}"')
    counts = gnubg.match(analysis=0, boards=0, statistics=1)["stats"]
    statistics.append([printed("show statistics match"), counts])
answer = {
    "statistics": statistics,
    "ratings": [gnubg.errorrating(rate / 1000) for rate in question["rates"]],
}
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump(answer, file)
