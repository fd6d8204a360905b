#!/usr/bin/env python3
"""Compare an engine's chart of replies with the rollouts of the tutorial.

    python scripts/tutorial_replies.py [--plies 2] [--engine gnubg] GOLD.jsonl

GOLD.jsonl has the nacbracs of the tutorial's rollout table, an object a line, as extracted from
it. Of those behind a single first move each play is listed: what it loses by the tutorial, by the
engine, and the difference, all in thousandths of a point; behind them whether both hold the same
play best. Without the file it says so, and that nothing was compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from gnubg_nactation.archive.replies import Chart, chart_of_engine
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.registry import open_engine
from gnubg_nactation.nacbracs.score import MONEY, describe_score
from gnubg_nactation.sequences.openings import Opening, openings

GOLD = Path(__file__).parents[2] / "shared" / "gold" / "nacbracs.jsonl"


class Told(NamedTuple):
    """What the tutorial says of a reply: each play with its loss, in points."""

    opening: Opening
    roll: Roll
    score: str
    losses: dict[Play, float]

    @property
    def name(self) -> str:
        """The reply, and the score where it is none of money."""
        score = f", {describe_score(self.score)}" if self.score else ""
        return f"{self.opening.token}-{self.roll}{score}"


class Compared(NamedTuple):
    """A play with both losses, in points; `here` is None where the engine has not looked at it."""

    told: Told
    play: Play
    there: float
    here: float | None


def tutorial(path: Path) -> list[Told]:
    """The replies of the file, those of one position and score together."""
    found: dict[tuple[str, Roll, str], Told] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        token = value["sequence"]
        if not token or "-" in token or value["start"] != "standard":
            continue
        (first,) = openings((token,))
        roll = Roll.parse(value["roll"])
        score = MONEY if value["variant"] == "money" else value["variant"]
        key = token, roll, score
        told = found.setdefault(key, Told(first, roll, score, {}))
        for entry in value["entries"]:
            play = parse_play(entry["move"], first.play.after, roll)
            told.losses.setdefault(play, entry["error"])
    return list(found.values())


def charts(told: list[Told], engine: str, plies: int) -> dict[str, Chart]:
    """A chart of the first moves at each score that the tutorial speaks of."""
    made = {}
    with closing(open_engine(engine, threads=2)) as asked:
        depth = Depth(plies)
        for score in dict.fromkeys(one.score for one in told):
            firsts = {one.opening.token: one.opening for one in told if one.score == score}
            made[score] = chart_of_engine(
                asked, depth, list(firsts.values()), asked.bot.label(depth), score
            )
    return made


def compared(told: list[Told], made: dict[str, Chart]) -> Iterator[Compared]:
    """Every play that the tutorial tells the loss of."""
    for one in told:
        replies = made[one.score].at(one.opening, one.roll)
        known = {reply.play: reply.loss for reply in replies}
        for play, loss in one.losses.items():
            yield Compared(one, play, loss, known.get(play))


def report(told: list[Told], made: dict[str, Chart]) -> Iterator[str]:
    """The lines of the list, and what they come to."""
    rows = list(compared(told, made))
    agreed = 0
    for one in told:
        first = made[one.score].at(one.opening, one.roll)[0]
        same = not one.losses[first.play] if first.play in one.losses else False
        agreed += same
        best = "" if same else f"; best here {first.text}"
        yield f"{one.name}{best}"
        for row in rows:
            if row.told is one:
                yield f"  {format_play(row.play):22}{_numbers(row)}"
    apart = [abs(row.there - row.here) for row in rows if row.here is not None]
    behind = [
        abs(row.there - row.here) for row in rows if row.here is not None and row.there and row.here
    ]
    yield (
        f"{agreed} of {len(told)} replies have the same best play; {len(apart)} of {len(rows)} "
        f"losses compared, {1000 * fmean(behind):.0f} thousandths apart in the mean of those "
        f"behind the best, {1000 * max(apart):.0f} at most"
    )


def _numbers(row: Compared) -> str:
    if row.here is None:
        return f"{1000 * row.there:5.0f}     not looked at"
    return f"{1000 * row.there:5.0f}{1000 * row.here:6.0f}{1000 * (row.here - row.there):+6.0f}"


def main() -> int:
    """Run the comparison; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", nargs="?", type=Path, default=GOLD)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--engine", default="gnubg")
    options = parser.parse_args()
    if not options.gold.exists():
        print(f"{options.gold} is not there: nothing was compared")
        return 0
    told = tutorial(options.gold)
    for line in report(told, charts(told, options.engine, options.plies)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
