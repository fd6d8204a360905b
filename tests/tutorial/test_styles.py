"""Style characters, symbols and numerals of the tutorial's diagrams, both ways."""

import pytest

from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from tests.tutorial.cases import Case, read_cases

# T is named there as one that takes assumption: 9/8 is a part of the play only (text of #36).
_BY_ASSUMPTION = {("36.4", "T")}


def _named() -> list[tuple[Case, str]]:
    """Every play with each of its Nactations that is no plain areal letter, fans apart."""
    return [
        (case, name)
        for case in read_cases()
        if case.play and case.play != "fan"
        for name in [case.nactation, *case.others.split()]
        if not (case.kind == "assumption" and name == case.nactation)
        and (case.diagram, name) not in _BY_ASSUMPTION
        and not (len(name) == 1 and name.isdigit() and len(case.legal_play.portions) == 1)
        and (parse_nactation(name).family.right is not Right.AREAL or case.kind == "style")
    ]


def check_both_ways(case: Case, nactation: Nactation) -> None:
    play, families = case.legal_play, case.families
    assert families.play(nactation) == play
    assert nactation in [naming.nactation for naming in families.names(play)]


@pytest.mark.parametrize(
    ("case", "name"), _named(), ids=[f"{case.diagram}-{name}" for case, name in _named()]
)
def test_diagram(case: Case, name: str) -> None:
    check_both_ways(case, parse_nactation(name))


def test_all_kinds_are_there() -> None:
    kinds = {parse_nactation(name).family.key for _, name in _named()}
    assert kinds >= set("P@HXKLT$&WQ<>0123456790")
