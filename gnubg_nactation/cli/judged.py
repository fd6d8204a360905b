"""Decisions and their nacbracs as JSON."""

from __future__ import annotations

from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.decisions.decision import Choice, Decision, error_of_loss, suffix_of
from gnubg_nactation.nacbracs.cube import CubeNacbrac, actions_of
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.values import Any


def nacbrac_object(
    decision: Decision, nacbrac: Nacbrac | CubeNacbrac, **more: Any
) -> dict[str, Any]:
    """Return a nacbrac with its state; about the cube also what each action loses.

    `more` describes the play made.
    """
    state = decision.state.before_double
    value = {
        "nacbrac": str(nacbrac),
        "score": nacbrac.score,
        "roll": str(state.roll) if state.roll else None,
        **more,
        "position_id": format_position_id(state.position),
        "xgid": format_xgid(state),
    }
    cube = decision.cube
    if isinstance(nacbrac, CubeNacbrac) and cube:
        names = "no_double", "double_take", "double_pass"
        value |= {
            "best": nacbrac.best,
            "equities": {name: round(getattr(cube, name), 6) for name in names},
            "actions": [
                {"action": action.words, "best": action.right, "error": action.error}
                for action in actions_of(nacbrac)
            ],
        }
    return value


def with_suffix(decision: Decision, suffix: str) -> Decision:
    """Set the source after the nacbrac of a decision: `words`, `symbols` or `none`."""
    source = suffix_of(decision, symbols=suffix == "symbols") if suffix != "none" else ""
    return decision._replace(source=source)


def play_objects(decision: Decision) -> list[dict[str, Any]]:
    """Return the rated plays, the best first, with their equities and errors."""
    best = decision.choices[0]
    return [_play(choice, best) for choice in decision.choices if choice.equity is not None]


def _play(choice: Choice, best: Choice) -> dict[str, Any]:
    assert choice.play is not None
    value = {
        "nactation": str(choice.name),
        "play": choice.text,
        "equity": round(choice.equity or 0.0, 6),
        "error": round(choice.loss or 0.0, 3),
        "after": format_position_id(choice.play.after),
    }
    if choice.standard_error is not None:
        value["standard_error"] = round(choice.standard_error, 6)
        if choice is not best and (error := error_of_loss(choice, best)) is not None:
            value["standard_error_of_error"] = round(error, 6)
    return value
