"""Rollouts of several plays by a compiled gnubg, with the rule by which gnubg ends one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.engine import MIN_GAMES, Depth, Watch

Numbers = Sequence[float]

Games = tuple[Play, int, int]
"""Games after a play: the number of the first, and how many."""

PlayGames = Callable[[Iterable[Games]], Iterator[Numbers]]
"""The results of games, ROW numbers for each: the chances, the cubeless equity, the equity."""

Sums = Mapping[str, Sequence[float]]
"""What the games so far add up to, so that a rollout can go on later.

For each play, as `format_play` writes it: the number of games; the mean of their cubeless equities,
and the sum of the squared distances from it; and the same of their equities.
"""

ROW = 7
_ROUND = 36  # games of each play between two looks at the stop rule
_PART = 6  # games that one processor plays at a time, at 0 plies
_NO_SUMS = (0, 0.0, 0.0, 0.0, 0.0)


class _Tally:
    """The mean and the standard error of a number, from the games so far (Welford)."""

    def __init__(self, count: int, mean: float, squares: float) -> None:
        self._count = count
        self.mean = mean
        self.squares = squares

    def add(self, number: float) -> None:
        self._count += 1
        delta = number - self.mean
        self.mean += delta / self._count
        self.squares += delta * (number - self.mean)

    @property
    def error(self) -> float:
        if self._count < 2:
            return 0.0
        return sqrt(self.squares / (self._count - 1) / self._count)


class _Alternative:
    """A play with the results of its games, which are added in the order of their numbers."""

    def __init__(self, play: Play, sums: Sequence[float]) -> None:
        games, *sums = sums
        self.play = play
        self.games = int(games)
        self._cubeless = _Tally(self.games, *sums[:2])
        self._cubeful = _Tally(self.games, *sums[2:])

    def add(self, row: Numbers, depth: Depth) -> None:
        """Add a game, unless the rollout of the play has ended."""
        if not self.is_done(depth):
            self.games += 1
            *_, cubeless, cubeful = row
            self._cubeless.add(cubeless)
            self._cubeful.add(cubeful)

    def is_done(self, depth: Depth) -> bool:
        """Whether all games are played, or the rule of gnubg's `check_sds` ends the rollout."""
        if self.games < min(MIN_GAMES, depth.trials):
            return False
        errors = self._cubeless.error, self._cubeful.error
        return self.games == depth.trials or max(errors) <= depth.until

    @property
    def sums(self) -> list[float]:
        tallies = self._cubeless, self._cubeful
        return [self.games, *[number for each in tallies for number in (each.mean, each.squares)]]

    def rated(self) -> RatedPlay:
        return RatedPlay(self.play, self._cubeful.mean, "rollout", self._cubeful.error)


def roll_out(
    plays: Sequence[Play],
    depth: Depth,
    play_games: PlayGames,
    watch: Watch | None = None,
    begun: Sums | None = None,
    keep: Callable[[Sums], None] | None = None,
) -> list[RatedPlay]:
    """The plays, best first, each with its equity and the standard error of that.

    The result does not depend on who plays which games. `watch` follows as in `Engine.rank`.
    `begun` are the sums of the same rollout from before, or of a shorter one; `keep` receives them.
    Those of a longer rollout cannot be used, and are not replaced.
    """
    names = [format_play(play) for play in plays]
    sums = [begun[name] for name in names if name in begun] if begun else []
    done = int(max((games for games, *_ in sums), default=0))
    if done > depth.trials:
        keep = None
    if done > depth.trials or len(sums) < len(plays):
        sums, done = [_NO_SUMS for _ in plays], 0
    alternatives = [_Alternative(play, each) for play, each in zip(plays, sums, strict=True)]
    part = 1 if depth.plies else _PART
    while active := [each for each in alternatives if not each.is_done(depth)]:
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
        if keep:
            keep(dict(zip(names, [each.sums for each in alternatives], strict=True)))
        if watch:
            watch(done)
    return sorted([each.rated() for each in alternatives], key=lambda play: -play.equity)
