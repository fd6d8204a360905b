"""Open Sage against gnubg at 2 plies, on decisions of the sample matches.

    python -m tests.engines.agreement [POSITIONS] [PLIES ...]

prints, for each number of Sage's plies (default: 1 and 2), how often both have the same best play,
the losses of Sage's plays by gnubg's equities, the differences of their cube equities, and the
processor time per decision; and the same for gnubg's 0-ply. POSITIONS is 240 by default.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Move, replay
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import rate_plays
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Analyser, Depth
from gnubg_nactation.engines.sage import Sage
from gnubg_nactation.files.formats import read
from gnubg_nactation.values import NamedTuple
from tests.gnubg.ingame import GNUBG, ROOT


class Verdict(NamedTuple):
    """What is thought of a state: its plays with their equities, best first, and the cube."""

    plays: dict[Play, float]
    cube: CubeAnalysis | None


def decisions(count: int) -> list[GameState]:
    """So many rolls of the sample matches that leave a choice, from all parts of them."""
    states = list(_decisions())
    return states[:: max(len(states) // count, 1)][:count]


def _decisions() -> Iterator[GameState]:
    for path in sorted((ROOT / "sample_matches").glob("*.mat")):
        for match in read(path):
            for game in match.games:
                for turn in replay(match, game):
                    if isinstance(turn.action, Move) and turn.state and len(turn.plays) > 1:
                        yield turn.state


def verdicts_of(engine: Analyser, states: Sequence[GameState], depth: Depth) -> list[Verdict]:
    """What an engine says of states, in their order."""
    analyses = dict(engine.analyse(states, depth))
    verdicts = []
    for at, state in enumerate(states):
        play = analyses[at].play
        assert play
        assert state.roll
        rated = rate_plays(play.candidates, legal_plays(state.position, state.roll))
        verdicts.append(Verdict({play.play: play.equity for play in rated}, analyses[at].cube))
    return verdicts


class Agreement(NamedTuple):
    """How verdicts agree with those of a judge: so many of `plays` and `cubes` are the same.

    `lost` is what the others lose by the judge's equities for each of all plays, in points, and
    `apart` how far the equities of the cube are apart by the median.
    """

    same_plays: int
    plays: int
    lost: float
    same_cubes: int
    cubes: int
    apart: float

    def __str__(self) -> str:
        """In a line."""
        return (
            f"best play the same in {self.same_plays} of {self.plays}, {self.lost:.4f} lost each; "
            f"verdict on the cube the same in {self.same_cubes} of {self.cubes}, "
            f"equities {self.apart:.3f} apart by the median"
        )


def agreement_of(verdicts: Sequence[Verdict], judge: Sequence[Verdict]) -> Agreement:
    """How verdicts agree with those of a judge of the same states."""
    losses, cubes, apart = [], [], []
    for ours, theirs in zip(verdicts, judge, strict=True):
        best = max(theirs.plays.values())
        losses.append(best - theirs.plays[next(iter(ours.plays))])
        if ours.cube and theirs.cube:
            cubes.append(ours.cube.best == theirs.cube.best)
            pairs = (
                (ours.cube.no_double, theirs.cube.no_double),
                (ours.cube.double_take, theirs.cube.double_take),
            )
            apart += [abs((a or 0.0) - (b or 0.0)) for a, b in pairs]
    same = sum(loss <= 0.0 for loss in losses)
    lost = sum(losses) / len(losses)
    return Agreement(same, len(losses), lost, sum(cubes), len(cubes), statistics.median(apart))


def _main(count: int, plies: Sequence[int]) -> None:
    states = decisions(count)
    with Gnubg(GNUBG, threads=2) as gnubg:
        judge = verdicts_of(gnubg, states, Depth(2))
        static = agreement_of(verdicts_of(gnubg, states, Depth(0)), judge)
    sage = Sage()
    sys.stdout.write(f"{len(states)} decisions judged by gnubg 2-ply\ngnubg 0-ply: {static}\n")
    for number in plies:
        start = time.process_time()
        verdicts = verdicts_of(sage, states, Depth(number))
        each = 1000 * (time.process_time() - start) / len(states)
        agreement = agreement_of(verdicts, judge)
        sys.stdout.write(f"Sage {number}-ply:  {agreement}; {each:.1f} ms a decision\n")


if __name__ == "__main__":
    positions, *depths = map(int, [*sys.argv[1:], "240"][: max(len(sys.argv) - 1, 1)])
    _main(positions, depths or (1, 2))
