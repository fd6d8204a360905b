#!/usr/bin/env python3
"""Compare an engine's chart of replies with the rollouts of the tutorial.

    python scripts/tutorial_replies.py [--plies 2] [--engine gnubg] GOLD.jsonl

GOLD.jsonl has the nacbracs of the tutorial's rollout table, one object per line. The script lists
each reply to a first move: its loss according to the tutorial and to the engine, and the
difference, in thousandths of a point, and whether both have the same best play. Without the file
it compares nothing.
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
from gnubg_nactation.nacbracs.nacbrac import MONEY, describe_score
from gnubg_nactation.sequences.openings import Opening, openings

GOLD = Path(__file__).parents[2] / "shared" / "gold" / "nacbracs.jsonl"


class Reply(NamedTuple):
    """A reply in the tutorial: each play with its loss, in points."""

    opening: Opening
    roll: Roll
    score: str
    losses: dict[Play, float]

    @property
    def name(self) -> str:
        """The reply, with the score unless it is money."""
        score = f", {describe_score(self.score)}" if self.score else ""
        return f"{self.opening.token}-{self.roll}{score}"


class Compared(NamedTuple):
    """A play with both losses, in points; `here` is None without the engine's."""

    reply: Reply
    play: Play
    there: float
    here: float | None


def tutorial(path: Path) -> list[Reply]:
    """The replies of the file, one for each position and score."""
    replies: dict[tuple[str, Roll, str], Reply] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        token = value["sequence"]
        if not token or "-" in token or value["start"] != "standard":
            continue
        (first,) = openings((token,))
        roll = Roll.parse(value["roll"])
        score = MONEY if value["variant"] == "money" else value["variant"]
        key = token, roll, score
        reply = replies.setdefault(key, Reply(first, roll, score, {}))
        for entry in value["entries"]:
            play = parse_play(entry["move"], first.play.after, roll)
            reply.losses.setdefault(play, entry["error"])
    return list(replies.values())


def charts(replies: list[Reply], name: str, plies: int) -> dict[str, Chart]:
    """A chart of the first moves at each score of the tutorial."""
    by_score = {}
    with closing(open_engine(name, threads=2)) as engine:
        depth = Depth(plies)
        for score in dict.fromkeys(reply.score for reply in replies):
            same = (reply.opening for reply in replies if reply.score == score)
            firsts = {opening.token: opening for opening in same}
            by_score[score] = chart_of_engine(
                engine, depth, list(firsts.values()), engine.bot.label(depth), score
            )
    return by_score


def compared(replies: list[Reply], by_score: dict[str, Chart]) -> Iterator[Compared]:
    """Every play with a loss in the tutorial."""
    for reply in replies:
        choices = by_score[reply.score].at(reply.opening, reply.roll)
        losses = {choice.play: choice.loss for choice in choices}
        for play, loss in reply.losses.items():
            yield Compared(reply, play, loss, losses.get(play))


def report(replies: list[Reply], by_score: dict[str, Chart]) -> Iterator[str]:
    """The lines of the list, and the totals."""
    rows = list(compared(replies, by_score))
    agreed = 0
    for reply in replies:
        first = by_score[reply.score].at(reply.opening, reply.roll)[0]
        same = not reply.losses[first.play] if first.play in reply.losses else False
        agreed += same
        best = "" if same else f"; best here {first.text}"
        yield f"{reply.name}{best}"
        for row in rows:
            if row.reply is reply:
                yield f"  {format_play(row.play):22}{_numbers(row)}"
    apart = [abs(row.there - row.here) for row in rows if row.here is not None]
    lesser = [
        abs(row.there - row.here) for row in rows if row.here is not None and row.there and row.here
    ]
    yield (
        f"{agreed} of {len(replies)} replies have the same best play; {len(apart)} of {len(rows)} "
        f"losses compared; differences in thousandths: {1000 * fmean(lesser):.0f} in the mean "
        f"without the best plays, {1000 * max(apart):.0f} at most"
    )


def _numbers(row: Compared) -> str:
    if row.here is None:
        return f"{1000 * row.there:5.0f}     not searched"
    return f"{1000 * row.there:5.0f}{1000 * row.here:6.0f}{1000 * (row.here - row.there):+6.0f}"


def main() -> int:
    """Run the comparison and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", nargs="?", type=Path, default=GOLD)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--engine", default="gnubg")
    options = parser.parse_args()
    if not options.gold.exists():
        print(f"{options.gold} does not exist: nothing to compare")
        return 0
    replies = tutorial(options.gold)
    for line in report(replies, charts(replies, options.engine, options.plies)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
