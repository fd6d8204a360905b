"""Runs inside gnubg: opens match files and writes the IDs before and after every record."""

import json
import os
from typing import TypeAlias

import gnubg  # type: ignore[import-not-found]

Record: TypeAlias = "tuple[str, str, str]"

gnubg.command("set display off")
gnubg.command("set confirm new off")
gnubg.command("set jacoby off")  # else it holds for every money session of match text


def walk(path: str) -> list[list[Record]]:
    kind = "load match" if path.endswith(".sgf") else "import mat"
    gnubg.command(f'{kind} "{path}"')
    match = gnubg.match(analysis=0)
    gnubg.navigate()
    games = []
    for number, game in enumerate(match["games"]):
        if number:
            gnubg.navigate(game=1)
        records = []
        for record in game["game"]:
            ids = f"{gnubg.positionid()}:{gnubg.matchid()}"
            gnubg.navigate(1)
            records.append((record["action"], ids, gnubg.positionid()))
        games.append(records)
    return games


with open(os.environ["QUESTION"], encoding="utf-8") as file:
    question = json.load(file)
with open(os.environ["ANSWER"], "w", encoding="utf-8") as file:
    json.dump([walk(path) for path in question], file)
