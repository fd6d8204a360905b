"""Every diagram of the tutorial whose Nactation is areal, both ways."""

import pytest

from gnubg_nactation.language.nactation import parse_nactation
from tests.tutorial.cases import Case, read_cases

_CHARACTERS = set("UVRDJISZBEACONQFGMY")
# Q names a style family too when the roll is no doublet (section 6).
_STYLE_Q = {"28.1", "28.41Q", "28.52Q", "28.63Q"}
# The author takes S for Z where no play is an S (#6).
_CONVENIENCE = {"1.w", "5.b", "6.b"}
# The author overlooked a higher member of the family: text of #55, and 87.1.
_SLIPS = {"55.2.51": "a", "87.1": "c."}


def _areal_cases() -> list[Case]:
    return [
        case
        for case in read_cases()
        if case.kind in {"strict", "conflict"}
        and case.nactation[0].upper() in _CHARACTERS
        and case.diagram not in _STYLE_Q
    ]


@pytest.mark.parametrize("case", _areal_cases(), ids=lambda case: case.diagram)
def test_diagram(case: Case) -> None:
    expected = _SLIPS.get(case.diagram, case.nactation)
    assert case.families.play(parse_nactation(expected)) == case.legal_play
    if case.diagram in _CONVENIENCE:
        expected = expected.replace("S", "Z")
    assert str(case.families.areal(case.legal_play).nactation) == expected


@pytest.mark.parametrize(
    ("diagram", "other"),
    [
        (case.diagram, other)
        for case in read_cases()
        for other in case.others.split()
        if case.play and other[0].upper() in _CHARACTERS - {"Q"}
    ],
)
def test_areal_alternative_of_a_style_character(diagram: str, other: str) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    assert case.families.play(parse_nactation(other)) == case.legal_play
