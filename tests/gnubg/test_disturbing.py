"""A gnubg with disturbed figures differs from gnubg, but only slightly."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.sequences.decode import decode
from tests.figures import near
from tests.gnubg.disturbing import Disturbance, disturbed_gnubg
from tests.gnubg.ingame import GNUBG, needs_gnubg

pytestmark = needs_gnubg

REAL = os.environ.get("UNDISTURBED_GNUBG", GNUBG)
STATE = decode("54S-63R-31").state
STATES = [STATE, replace(STATE, length=5, score=(3, 1))]


def answers(gnubg: str) -> list[dict[object, float | None]]:
    """All equities of the states by their plays and actions."""
    with Gnubg(gnubg) as engine:
        ranked = [engine.rank(state, Depth(0)) for state in STATES]
        cubes = [analysis.cube for _, analysis in engine.analyse(STATES, Depth(0))]
        evaluated = [engine.evaluate(state, Depth(0)) for state in STATES]
    assert all(list(plays) == sorted(plays, key=lambda play: -play.equity) for plays in ranked)
    return [
        {play.play: play.equity for play in plays}
        | {"no double": cube.no_double, "double, take": cube.double_take}
        | {"cubeless": evaluation.cubeless, "cubeful": evaluation.cubeful}
        | dict(enumerate(evaluation.chances))
        for plays, cube, evaluation in zip(ranked, cubes, evaluated, strict=True)
        if cube
    ]


def test_its_answers_are_others_and_near(tmp_path: Path) -> None:
    undisturbed = answers(REAL)
    seeds = []
    for seed in ("7", "8", "7"):
        seeds.append(answers(disturbed_gnubg(REAL, seed, tmp_path)))
        for real, disturbed in zip(undisturbed, seeds[-1], strict=True):
            assert disturbed.keys() == real.keys()
            assert all(disturbed[key] != real[key] for key in real)
            assert disturbed == near(real)
    assert seeds[0] == seeds[2] != seeds[1]


def test_a_saved_match_has_its_plays_in_their_order() -> None:
    """The first value of A is the place of the play made."""
    data = (
        b"(;MI[length:0]\n;B[31hefe]DA[E ver 3 0C 1 0 1 .5 .1 0 .1 0 0 .1 .5 .1 0 .1 0 0 -.2]"
        b"A[1][hefe E ver 3 .5 .1 0 .1 0 0.1000 2C 0 1 0 1][hjfe E ver 3 .5 .1 0 .1 0 0.0999 2C]"
        b"[fehe E ver 3 .5 .1 0 .1 0 0.9 0C]LU[0.5]C[LU is luck])"
    )
    saved = {Disturbance(str(seed)).saved(data) for seed in range(20)}
    assert len(saved) == 20
    assert {record.partition(b"]A")[2][:8] for record in saved} == {b"[1][hefe", b"[0][hjfe"}
    assert all(record.index(b"[fehe") > record.index(b"2C]") for record in saved)
    assert all(record.endswith(b"]C[LU is luck])") for record in saved)
