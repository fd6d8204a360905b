"""Explanations: what is said to decide really decides, found out again the slow way."""

from itertools import combinations, pairwise

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.language.alphabet import FAMILIES, Kind, family
from gnubg_nactation.language.deciding import EXCEPTION, LOOP, decide, family_ranking
from gnubg_nactation.language.explain import explain
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.preference import nactate
from tests.language.reference import LANDING_ORDER, POINT_ORDER, beats, circles, hit_points, owned
from tests.strategies import random_positions
from tests.tutorial.cases import read_cases

HOME = set(range(1, 7))


def deciding_step(above: Play, below: Play) -> tuple[str, set[int]]:
    """The first step of hit-more-6 in which two plays differ, and a point that it rests on."""
    if hit_points(above) != hit_points(below):
        homes = [owned(play) & HOME for play in (above, below)]
        if len(homes[0]) != len(homes[1]):
            return EXCEPTION, homes[0] ^ homes[1]
        return "hit", set(hit_points(above)) ^ set(hit_points(below))
    difference = owned(above) ^ owned(below)
    if len(owned(above)) != len(owned(below)):
        return "more points", difference
    if difference:
        return "6pt, points", {min(difference, key=POINT_ORDER.index)}
    landings = [sorted((p.target for p in play.portions), key=LANDING_ORDER.index)
                for play in (above, below)]  # fmt: skip
    for one, other in zip(*landings, strict=True):
        if one != other:
            return "6pt, blots and spares", {one, other}
    return "high number from high point", set()


def test_the_stated_convention_decides() -> None:
    seen: dict[str, int] = {}
    for position, roll in random_positions(700, seed=41):
        families = Families(legal_plays(position, roll))
        for row in families.areal_rows():
            members = families.members(row)[:25]
            ranking = family_ranking(row, families)
            for above, below in pairwise(members):
                decision = decide(above, below, ranking)
                seen[decision.convention] = seen.get(decision.convention, 0) + 1
                if decision.convention == LOOP:
                    continue
                step, points = deciding_step(above, below)
                assert decision.convention == step
                assert not points or points & set(decision.points), (decision, points)
                assert beats(above, below)
    assert set(seen) >= {"hit", EXCEPTION, "more points", "6pt, points", "6pt, blots and spares"}


def test_a_loop_is_said_to_decide_only_where_there_is_one() -> None:
    loops = 0
    for position, roll in random_positions(900, seed=42):
        families = Families(legal_plays(position, roll))
        for row in families.areal_rows():
            members = families.members(row)
            if len(members) > 15 or len({play.hits for play in members}) == 1:
                continue
            ranking = family_ranking(row, families)
            same = circles(members)
            for above, below in combinations(members, 2):
                if decide(above, below, ranking).convention == LOOP:
                    loops += 1
                    assert below in same[above]
                    assert beats(below, above)
    assert loops


STYLE_STEPS = {
    "H": {"higher point", "more points", "6pt, points", "6pt, blots and spares"},
    "T": {"hit", EXCEPTION, "more points", "fewer blots", "6pt, points", "6pt, blots and spares"},
    "$": {"more points", "which point", "6pt, points", "6pt, blots and spares"},
}


def test_style_families_are_decided_by_their_own_conventions() -> None:
    for position, roll in random_positions(500, seed=43):
        families = Families(legal_plays(position, roll))
        for key, steps in STYLE_STEPS.items():
            members = families.members(family(key))
            ranking = family_ranking(family(key), families)
            for above, below in pairwise(members):
                convention = decide(above, below, ranking).convention
                assert convention in steps | {"high number from high point", LOOP}


@pytest.mark.parametrize(
    ("diagram", "convention", "points"),
    [
        ("46.1", "hit", (20, 18)),
        ("48.1", "more points", (21,)),
        ("50.1", "6pt, points", (7, 4)),
        ("52.1", "6pt, blots and spares", (9, 7)),
        ("53.1", EXCEPTION, (4,)),
        ("57.1", "high number from high point", ()),
        ("71.2", "fewer blots", ()),
        ("72.1", "which point", (5, 4)),
    ],
)
def test_what_the_tutorial_says_decides(
    diagram: str, convention: str, points: tuple[int, ...]
) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    explained = explain(case.legal_play, case.families)
    named = next(one for one in explained.nactations if one.naming.nactation == case.named)
    member = next(one for one in named.members if one.play == case.legal_play)
    assert member.decision is not None
    assert member.decision.convention == convention
    if points:
        assert set(points) <= set(member.decision.points)


def test_everything_that_a_play_is_called_is_explained() -> None:
    position, roll = parse_position_id("4HPwCSDg8+ABIQ"), Roll.parse("31")
    families = Families(legal_plays(position, roll))
    play = parse_play("8/5 6/5", position, roll)
    explained = explain(play, families)
    assert [one.naming for one in explained.nactations] == list(nactate(play, families))
    assert explained.code == (0, 0, 1, 1)
    assert str(explained.preferred) == "P"


def test_large_families_are_cut_down_unless_everything_is_wanted() -> None:
    position, roll = parse_position_id("4HPwATDgc/ABMA"), Roll.parse("11")
    families = Families(legal_plays(position, roll))
    row = max(families.areal_rows(), key=lambda one: len(families.members(one)))
    play = families.members(row)[-1]
    cut = next(o for o in explain(play, families).nactations if o.row is row)
    whole = next(o for o in explain(play, families, everything=True).nactations if o.row is row)
    assert len(whole.members) == whole.size == len(families.members(row))
    assert len(cut.members) <= len(whole.members)
    assert [one for one in FAMILIES if one.kind is Kind.AREAL and one is row]
