"""Match the candidates of an analysis with the legal plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gnubg_nactation.backgammon.analysis import Candidate, RatedPlay
from gnubg_nactation.backgammon.notation import Hop, resolve
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, pack
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.plays import Plays


def rate_plays(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The rated plays, in the order of the candidates. Raises NactationError if one is illegal."""
    if not plays:
        return ()
    legal, first = Plays.of(plays), plays[0]
    start = pack(first.before.points)
    rated = []
    for hops, equity, method, standard_error, _ in candidates:
        same = legal.leaving(_move(start, hops))
        play = same[0] if len(same) == 1 else _resolve(hops, same, first)
        rated.append(RatedPlay(play, equity, method, standard_error))
    return tuple(rated)


def rate_legal(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """Like `rate_plays`, but empty if the candidates belong to another board."""
    try:
        return rate_plays(candidates, plays)
    except NactationError:
        return ()


def candidate_of(rated: RatedPlay, odds: bytes = b"") -> Candidate:
    """A rated play as a candidate of an analysis; hops do not show hits, as in those of gnubg."""
    play, equity, method, standard_error = rated
    hops = tuple([Hop(portion.source, portion.target) for portion in play.portions])
    return Candidate(hops, equity, method, standard_error, odds)


def rank_of(play: Play, candidates: Sequence[Candidate], plays: Sequence[Play]) -> int | None:
    """The index of a legal play among the candidates; None if it is not one of them."""
    start = pack(play.before.points)
    ranks = [
        rank
        for rank, candidate in enumerate(candidates)
        if _move(start, candidate.hops) == play.checkers
    ]
    if len(ranks) > 1:  # the same checkers move, but they hit differently
        same = [legal for legal in plays if legal.checkers == play.checkers]
        ranks = [rank for rank in ranks if _resolve(candidates[rank].hops, same, play) == play]
    return ranks[0] if ranks else None


def _resolve(hops: Sequence[Hop], same: Sequence[Play], any_play: Play) -> Play:
    return resolve(hops, any_play.before, any_play.roll, same)


def _move(checkers: int, hops: Iterable[Hop]) -> int:
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
    return checkers
