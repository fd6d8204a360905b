"""Rollouts of several plays by a compiled gnubg, with the rule by which gnubg ends one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.engine import MIN_GAMES, Depth, Watch

Numbers = Sequence[float]

Games = tuple[Play, int, int]
"""Games after a play: the number of the first, and how many."""

PlayGames = Callable[[Iterable[Games]], Iterator[Numbers]]
"""The results of games, ROW numbers for each: the chances, the cubeless equity, the equity."""

ROW = 7
_ROUND = 36  # games of each play between two looks at the stop rule
_PART = 6  # games that one processor plays at a time, at 0 plies


class _Tally:
    """The mean and the standard error of a number, from the games so far (Welford)."""

    def __init__(self) -> None:
        self._count = 0
        self.mean = self._squares = 0.0

    def add(self, number: float) -> None:
        self._count += 1
        delta = number - self.mean
        self.mean += delta / self._count
        self._squares += delta * (number - self.mean)

    @property
    def error(self) -> float:
        if self._count < 2:
            return 0.0
        return sqrt(self._squares / (self._count - 1) / self._count)


class _Alternative:
    """A play with the results of its games, which are added in the order of their numbers."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.games = 0
        self.is_done = False
        self._cubeless, self._cubeful = _Tally(), _Tally()

    def add(self, row: Numbers, depth: Depth) -> None:
        """Add a game, unless the rule of gnubg's `check_sds` has ended the rollout of the play."""
        if self.is_done:
            return
        self.games += 1
        *_, cubeless, cubeful = row
        self._cubeless.add(cubeless)
        self._cubeful.add(cubeful)
        errors = self._cubeless.error, self._cubeful.error
        self.is_done = self.games == depth.trials or (
            self.games >= MIN_GAMES and max(errors) <= depth.until
        )

    def rated(self) -> RatedPlay:
        return RatedPlay(self.play, self._cubeful.mean, "rollout", self._cubeful.error)


def roll_out(
    plays: Sequence[Play], depth: Depth, play_games: PlayGames, watch: Watch | None = None
) -> list[RatedPlay]:
    """The plays, best first, each with its equity and the standard error of that.

    The result does not depend on who plays which games. `watch` follows as in `Engine.rank`.
    """
    alternatives = [_Alternative(play) for play in plays]
    part = 1 if depth.plies else _PART
    done = 0
    while active := [each for each in alternatives if not each.is_done]:
        count = min(_ROUND, depth.trials - done)
        starts = range(done, done + count, part)
        asked = [
            (each, start, min(part, done + count - start)) for start in starts for each in active
        ]
        results = play_games((each.play, start, number) for each, start, number in asked)
        for (each, _, number), rows in zip(asked, results, strict=True):
            for at in range(number):
                each.add(rows[at * ROW : (at + 1) * ROW], depth)
        done += count
        if watch:
            watch(done)
    return sorted([each.rated() for each in alternatives], key=lambda play: -play.equity)
