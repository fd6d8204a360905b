"""Candidates of an analysis joined with the legal plays that they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gnubg_nactation.backgammon.analysis import Candidate, RatedPlay
from gnubg_nactation.backgammon.notation import Hop, resolve
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, pack
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.plays import Plays


def rate_plays(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The legal plays in the order of the candidates; raises NactationError if one is none."""
    if not plays:
        return ()
    known, first = Plays.of(plays), plays[0]
    start = pack(first.before.points)
    rated = []
    for hops, equity, method, standard_error, _ in candidates:
        same = known.leaving(_move(start, hops))
        play = same[0] if len(same) == 1 else _resolve(hops, same, first)
        rated.append(RatedPlay(play, equity, method, standard_error))
    return tuple(rated)


def rate_legal(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The same; none if the candidates are of another board."""
    try:
        return rate_plays(candidates, plays)
    except NactationError:
        return ()


def rank_of(play: Play, candidates: Sequence[Candidate], plays: Sequence[Play]) -> int | None:
    """The place of one of the legal plays among the candidates, None if it is not there."""
    start = pack(play.before.points)
    ranks = [
        rank
        for rank, candidate in enumerate(candidates)
        if _move(start, candidate.hops) == play.checkers
    ]
    if len(ranks) > 1:  # they hit differently on the way
        same = [other for other in plays if other.checkers == play.checkers]
        ranks = [rank for rank in ranks if _resolve(candidates[rank].hops, same, play) == play]
    return ranks[0] if ranks else None


def _resolve(hops: Sequence[Hop], same: Sequence[Play], any_play: Play) -> Play:
    return resolve(hops, any_play.before, any_play.roll, same)


def _move(checkers: int, hops: Iterable[Hop]) -> int:
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
    return checkers
