"""Nacbracs and the plays behind them as the commands' JSON has them."""

from __future__ import annotations

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.engines.nacbracs import Judged, JudgedCube, error_of_loss
from gnubg_nactation.nacbracs.cube import actions_of
from gnubg_nactation.nacbracs.nacbrac import Entry
from gnubg_nactation.values import Any

__all__ = ["cube_object", "play_objects"]


def play_objects(judged: Judged) -> list[dict[str, Any]]:
    """The plays of a nacbrac, the best first, each with its equity and what it loses."""
    pairs = zip(judged.nacbrac.entries, judged.rated, strict=False)
    return [_play(entry, one, judged.rated[0]) for entry, one in pairs]


def cube_object(judged: JudgedCube) -> dict[str, Any]:
    """What is known of a cube decision: the nacbrac, the equities, and what each action loses."""
    nacbrac, analysis, state = judged
    known = analysis.no_double, analysis.double_take, analysis.double_pass
    names = "no_double", "double_take", "double_pass"
    return {
        "nacbrac": str(nacbrac),
        "score": nacbrac.score,
        "roll": None,
        "position_id": format_position_id(state.position),
        "xgid": format_xgid(state),
        "best": nacbrac.best,
        "equities": {
            name: None if value is None else round(value, 6)
            for name, value in zip(names, known, strict=True)
        },
        "actions": [
            {"action": one.words, "best": one.right, "error": one.error}
            for one in actions_of(nacbrac)
        ],
    }


def _play(entry: Entry, one: RatedPlay, best: RatedPlay) -> dict[str, Any]:
    value = {
        "nactation": str(entry.name),
        "play": format_play(one.play),
        "equity": round(one.equity, 6),
        "error": entry.error,
        "after": format_position_id(one.play.after),
    }
    if one.standard_error is not None:
        value["standard_error"] = round(one.standard_error, 6)
        if one is not best and (error := error_of_loss(one, best)) is not None:
            value["standard_error_of_error"] = round(error, 6)
    return value
