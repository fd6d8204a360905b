"""The nacbrac of a decision, about plays or the cube."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.decisions.decision import (
    Choice,
    Decision,
    Listing,
    cube_decision,
    near_decision,
)
from gnubg_nactation.nacbracs.cube import CubeNacbrac, cube_nacbrac_of
from gnubg_nactation.nacbracs.nacbrac import Entry, Nacbrac
from gnubg_nactation.nacbracs.score import score_of
from gnubg_nactation.values import replace


def nacbrac_of(decision: Decision) -> Nacbrac | CubeNacbrac:
    """The nacbrac of a decision at the score of its state, of the cube at the doubler's score."""
    state = decision.state.before_double
    redouble, score = state.owner is not None, score_of(state)
    nacbrac = decision.cube and cube_nacbrac_of(
        decision.cube, redouble=redouble, score=score, suffix=decision.source
    )
    return nacbrac or play_nacbrac(decision)


def play_nacbrac(decision: Decision) -> Nacbrac:
    """The nacbrac of plays, with the names in the decision."""
    nacbrac = bare_nacbrac(decision.choices)
    score = score_of(decision.state)
    return replace(nacbrac, score=score, more=decision.more, suffix=decision.source)


def bare_nacbrac(choices: Iterable[Choice]) -> Nacbrac:
    """The nacbrac of plays without score and source."""
    return Nacbrac(
        tuple(
            Entry(
                choice.name, None if choice.loss is None else round(choice.loss, 3), choice.skipped
            )
            for choice in choices
            if choice.name
        )
    )


def nacbrac_text(decision: Decision | None, score: str | None = None) -> str:
    """The nacbrac in plain spelling, with another `score` if not None; empty without a decision."""
    if decision is None:
        return ""
    nacbrac = nacbrac_of(decision)
    return str(nacbrac if score is None else replace(nacbrac, score=score))


def turn_nacbrac(
    turn: AnnotatedTurn, score: str | None = None, *, cube: bool = False, top: int | None = None
) -> str:
    """The nacbrac of the play of a turn, or of its cube decision; empty without an analysis.

    `top` as in Listing.
    """
    return nacbrac_text(
        cube_decision(turn) if cube else near_decision(turn, Listing(top=top)), score
    )
