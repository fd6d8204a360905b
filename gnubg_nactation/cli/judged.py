"""Nacbracs and the plays behind them as the commands' JSON has them."""

from __future__ import annotations

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.engines.nacbracs import Judged, error_of_loss
from gnubg_nactation.nacbracs.nacbrac import Entry
from gnubg_nactation.values import Any

__all__ = ["play_objects"]


def play_objects(judged: Judged) -> list[dict[str, Any]]:
    """The plays of a nacbrac, the best first, each with its equity and what it loses."""
    pairs = zip(judged.nacbrac.entries, judged.rated, strict=False)
    return [_play(entry, one, judged.rated[0]) for entry, one in pairs]


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
