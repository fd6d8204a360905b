"""The nacbracs of the moves of an analysed match, from the analysis that it holds."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import resolve
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.nacbrac import USUAL_LEAST, USUAL_WITHIN, Entry, Nacbrac, nacbrac_of
from gnubg_nactation.statistics import play_of
from gnubg_nactation.values import replace

__all__ = ["nacbrac_of_turn"]


def nacbrac_of_turn(turn: AnnotatedTurn) -> Nacbrac | None:
    """The plays of a roll that are nearly best, and behind them the one that was made.

    Without score and suffix. None where no play is analysed, there was no choice, or the analysis
    is of another board. Plays that were looked at less closely than the best are left out, but
    not the one that was made.
    """
    action, state, analysis = turn.action, turn.state, play_of(turn)
    if not isinstance(action, Move) or state is None or analysis is None or analysis.best is None:
        return None
    plays = turn.plays
    if len(plays) < USUAL_LEAST:
        return None
    near = [one for one in analysis.candidates if one.method == analysis.best.method]
    try:
        rated = [
            RatedPlay(resolve(one.hops, state.position, action.roll, plays), one.equity, one.method)
            for one in near
        ]
    except NactationError:
        return None
    named = Plays.of(plays)
    found = nacbrac_of(rated, named, within=USUAL_WITHIN, least=USUAL_LEAST)
    made = turn.play
    shown = [one.play for one in rated[: len(found.entries)]]
    if made is None or made in shown:
        return found
    name = listed([*shown, made], named)[-1].nactation
    error = None if analysis.error is None else round(analysis.error, 3)
    last = found.entries[-1].error
    if error is not None and last is not None and error < last:
        return found  # looked at less closely, it seems better than it is
    return replace(found, entries=(*found.entries, Entry(name, error, skipped=True)))
