"""The tutorial's rollout table (section 17) against gnubg: what each play loses, there and here.

    python -m tests.tutorial.rollout_table [PLIES]

prints the rank correlation, the mean difference and the entries that are far apart.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth, Engine
from gnubg_nactation.engines.shortlist import rank_named
from gnubg_nactation.nacbracs.nacbrac import at_score
from gnubg_nactation.values import replace
from tests.tutorial.test_nacbracs import ROWS, Row

FAR = 0.05  # points


class Compared(NamedTuple):
    """An entry of the table: what it loses there, and here; both in points."""

    diagram: str
    name: str
    play: str
    table: float
    gnubg: float

    @property
    def apart(self) -> float:
        return abs(self.table - self.gnubg)

    @property
    def is_far(self) -> bool:
        return self.apart > FAR


def compare(engine: Engine, depth: Depth) -> list[Compared]:
    """All entries of the table whose play and error are known."""
    return [pair for row in ROWS for pair in _compare(row, engine, depth)]


def rank_correlation(pairs: Sequence[Compared]) -> float:
    """Spearman's, over all entries."""
    return statistics.correlation(
        _ranks([pair.table for pair in pairs]), _ranks([pair.gnubg for pair in pairs])
    )


def mean_difference(pairs: Sequence[Compared]) -> float:
    """How much more the plays lose here, on average."""
    return statistics.mean(pair.gnubg - pair.table for pair in pairs)


def _compare(row: Row, engine: Engine, depth: Depth) -> list[Compared]:
    position, roll = parse_position_id(row.position_id), Roll.parse(row.roll)
    nacbrac = row.parsed
    state = at_score(GameState(position, roll=roll), nacbrac.score)
    compared = {
        at: parse_play(play, position, roll)
        for at, play in enumerate(row.plays.split(";"))
        if play != "?" and nacbrac.entries[at].error is not None
    }
    rated = rank_named(engine, state, depth, set(compared.values()))
    if not set(compared.values()) <= {choice.play for choice in rated}:
        # Disturbed figures can leave out a play that is next to the last one looked at.
        rated = engine.rank(state, replace(depth, plays=len(rated) + 8))
    losses = {choice.play: rated[0].equity - choice.equity for choice in rated}
    names = row.plays.split(";")
    return [
        Compared(
            row.diagram,
            str(nacbrac.entries[at].name),
            names[at],
            nacbrac.entries[at].error or 0.0,
            losses[play],
        )
        for at, play in compared.items()
    ]


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in order; equal values share the middle of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def _main() -> None:
    depth = Depth(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    with Gnubg() as gnubg:
        pairs = compare(gnubg, depth)
    apart = statistics.mean(abs(pair.gnubg - pair.table) for pair in pairs)
    summary = (
        f"{len(pairs)} entries, gnubg {depth}: rank correlation {rank_correlation(pairs):.3f}, "
        f"mean difference {mean_difference(pairs):+.4f}, apart {apart:.4f} on average"
    )
    lines = [
        summary,
        *(
            f"#{pair.diagram:4} {pair.name:5} {pair.play:22} {pair.table:.3f}  {pair.gnubg:.3f}"
            for pair in pairs
            if pair.is_far
        ),
    ]
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    _main()
