"""Section 8: the plays that the author assumes are among the first two candidates."""

import pytest

from gnubg_nactation.language.decode import candidates
from tests.tutorial.cases import Case, read_cases


@pytest.mark.parametrize(
    "case",
    [case for case in read_cases() if case.kind == "assumption"],
    ids=lambda case: case.diagram,
)
def test_diagram(case: Case) -> None:
    found = candidates(case.named, case.families)
    assert case.legal_play in found[:2]
