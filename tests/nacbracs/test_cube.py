"""Nacbracs of the cube: what they say, how they are written, and that they read back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, actions_of, cube_nacbrac_of
from gnubg_nactation.nacbracs.reading import lay_out, nacbracs_at
from gnubg_nactation.values import replace
from gnubg_nactation.writing.scan import Scan


def judged(no_double: float, double_take: float) -> CubeAnalysis:
    return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, "2-ply")


def written(no_double: float | None, double_take: float | None, *, redouble: bool = False) -> str:
    told = CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, "2-ply")
    return str(cube_nacbrac_of(told, redouble=redouble) or "")


def parsed(text: str) -> CubeNacbrac:
    scan = Scan(text)
    (place,) = lay_out(scan)
    (found,) = nacbracs_at(scan, place)
    assert isinstance(found, CubeNacbrac)
    return found


# Worked by hand: whoever passes pays 1, so doubling is worth the less of 1 and what a take is.
@pytest.mark.parametrize(
    ("no_double", "double_take", "text", "best"),
    [
        (0.355, 0.310, "[N D/T 45 D/P 690]", "no double, take"),
        (0.589, 0.603, "[D/T N 14 D/P 397]", "double, take"),
        (0.900, 1.200, "[D/P N 100 D/T 200]", "double, pass"),
        (1.120, 1.075, "[N D/P 120 D/T 75]", "no double, pass"),  # too good to double
        (1.000, 1.788, "[D/P=N D/T 788]", "double, pass"),  # not too good: nothing is gained
        (0.603, 0.603, "[N=D/T D/P 397]", "no double, take"),
        (0.500, 1.000, "[D/T N 500 D/P 0]", "double, take"),
        (-1.25, -2.5, "[N D/T 1250 D/P 3500]", "no double, take"),
    ],
)
def test_the_right_outcome_first_then_what_either_can_do_wrong(
    no_double: float, double_take: float, text: str, best: str
) -> None:
    assert written(no_double, double_take) == text
    assert parsed(text).best == best == judged(no_double, double_take).best


def test_letters_of_a_redouble() -> None:
    assert written(0.355, 0.310, redouble=True) == "[X R/T 45 R/P 690]"
    assert written(0.589, 0.603, redouble=True) == "[R/T X 14 R/P 397]"
    assert parsed("[R/T X 14 R/P 397]").redouble
    assert parsed("[NR RD/T 45 RD/P 690]") == parsed("[X R/T 45 R/P 690]")


_EQUITIES = st.floats(-3, 3).map(lambda value: round(value, 4))


@given(_EQUITIES, _EQUITIES, st.booleans())
def test_what_is_written_reads_back_and_says_what_the_analysis_says(
    no_double: float, double_take: float, redouble: bool
) -> None:
    told = judged(no_double, double_take)
    nacbrac = cube_nacbrac_of(told, redouble=redouble, score="-3-5", suffix="XG Roller++")
    assert nacbrac
    assert parsed(str(nacbrac)) == nacbrac
    assert nacbrac.best == told.best
    errors = {action.words: action.error for action in actions_of(nacbrac)}
    for act, word in zip(CubeAct, ("no double", "double", "take", "pass"), strict=True):
        assert errors[word] == pytest.approx(replace(told, act=act).error, abs=0.0006)


@pytest.mark.parametrize("unknown", [None, math.nan, -math.inf])
def test_equities_that_are_not_known_have_no_nacbrac(unknown: float | None) -> None:
    assert written(unknown, 0.3) == written(0.3, unknown) == ""


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("[ND D/T 45 D/P 120]", "[N D/T 45 D/P 120]"),
        ("[ND, D/T45, D/P120]", "[N D/T 45 D/P 120]"),
        ("g[ N  D/T -45 D/P -120 ] /e", "g[N D/T 45 D/P 120] /e"),
        ("<b>[N</b> D/T 45 D/P 120]", "[N D/T 45 D/P 120]"),
        # In one number each: what the right thing is worth, and what the other loses.
        ("[D 603-14]", "[D/T N 14 D/P 397]"),
        ("[N 355-45]", "[N D/T 45 D/P 690]"),
        ("[X -250-1250]", "[X R/T 1250 R/P 2500]"),
        ("[D 1000-100]", "[D/P N 100]"),  # what a take loses is not told
        ("[N 1120-120]", "[N D/P 120]"),
        ("[D/T N]", "[D/T N]"),
    ],
)
def test_other_forms_that_are_read(text: str, same: str) -> None:
    found = parsed(text)
    assert str(found) == same
    assert parsed(same) == found


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("[N D/T 45 D/P 690", 17),
        ("[N D/T 45 D/T 690]", 10),
        ("[N D/T 45 J]", 10),
        ("[N D/T 45 D]", 11),
        ("[N=D/T=]", 7),
        ("[D/T 5x N 14]", 6),
    ],
)
def test_what_is_none(text: str, at: int) -> None:
    with pytest.raises(MalformedError) as found:
        parsed(text)
    assert found.value.at == at
