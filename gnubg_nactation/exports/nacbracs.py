"""The nacbracs of the moves of an analysed match, from the analysis that it holds."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import Candidate, RatedPlay
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.nacbracs import Judged, JudgedCube
from gnubg_nactation.engines.rating import rate_plays
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.nacbracs.bots import analysis_suffix
from gnubg_nactation.nacbracs.nacbrac import USUAL_LEAST, USUAL_WITHIN, Entry, Nacbrac, nearest
from gnubg_nactation.nacbracs.score import score_of
from gnubg_nactation.statistics import cube_of, play_of
from gnubg_nactation.values import replace

__all__ = ["judged_cube", "judged_turn", "suffix_of"]


def judged_turn(
    turn: AnnotatedTurn,
    *,
    limit: int | None = None,
    within: float | None = None,
    characters: str = "preferred",
    told: int | None = None,
) -> Judged | None:
    """The plays of a roll that are nearly best, and behind them the one that was made.

    `limit`, `within` and `characters` as in `engines.nacbracs.judge`; the suffix names the bot
    and its levels as they stand in the analysis. Of more than `told` plays that are nearly best
    an ellipsis stands for the others. None where no play is analysed, there was no choice, or the
    analysis is of another board.

    Plays that were looked at less closely than the best serve where there are too few others, and
    if they were made; not where they seem better than they are.
    """
    state, analysis, plays = turn.state, play_of(turn), turn.plays
    if state is None or analysis is None or analysis.best is None or len(plays) < USUAL_LEAST:
        return None
    alike = [one for one in analysis.candidates if one.method == analysis.best.method]
    others = [one for one in analysis.candidates if one.method != analysis.best.method]
    known, lesser = _rated(alike, plays), _rated(others, plays)
    if not known:
        return None
    usual = limit is None and within is None
    least = USUAL_LEAST if usual else 0
    ranked = nearest(known, limit=limit, within=USUAL_WITHIN if usual else within, least=least)
    near = len(ranked)

    def loss(one: RatedPlay) -> float:
        return round(known[0].equity - one.equity, 3)

    def entry(
        play: Play, beside: Sequence[Play], error: float | None = None, *, skipped: bool = False
    ) -> Entry:
        [name] = listed([play], plays, characters, beside=beside)
        return Entry(name.nactation, error, skipped)

    for one in lesser:
        enough = len(ranked) >= (USUAL_LEAST if usual else limit or 0)
        if not enough and loss(one) >= loss(ranked[-1]):
            ranked.append(one)
    shown, beside = ranked[:told], [one.play for one in ranked]
    entries = [
        entry(one.play, beside[: max(at, near)], loss(one)) for at, one in enumerate(shown, 1)
    ]
    if turn.play is not None and all(one.play != turn.play for one in shown):
        made = next((one for one in (*known, *lesser) if one.play == turn.play), None)
        if made is None:
            entries.append(entry(turn.play, [*beside, turn.play], skipped=True))
        elif made in ranked or loss(made) >= loss(ranked[-1]):
            left_out = made not in ranked[: len(shown) + 1]
            entries.append(entry(made.play, [*beside, made.play], loss(made), skipped=left_out))
            shown.append(made)
    more = shown[-1] in ranked[:-1]
    judged = Judged(Nacbrac((*entries,), score_of(state), more=more), shown)
    return judged._replace(nacbrac=replace(judged.nacbrac, suffix=suffix_of(judged)))


def judged_cube(turn: AnnotatedTurn) -> JudgedCube | None:
    """The cube decision of a turn, from the side that may double; None where it is not analysed.

    It is not known either where the analysis has no equities.
    """
    cube = cube_of(turn)
    return JudgedCube.of(cube, turn.state) if cube and turn.state else None


def suffix_of(judged: Judged, *, symbols: bool = False) -> str:
    """The bot and its levels, as they stand in the analysis that a nacbrac was made from."""
    return analysis_suffix(
        [one.method for one in judged.rated],
        [str(entry.name) for entry in judged.nacbrac.entries],
        errors=judged.standard_errors,
        symbols=symbols,
    )


def _rated(candidates: Sequence[Candidate], plays: Sequence[Play]) -> list[RatedPlay]:
    """The candidates as plays, the best first; none if they are of another board."""
    try:
        return sorted(rate_plays(candidates, plays), key=lambda one: -one.equity)
    except NactationError:
        return []
