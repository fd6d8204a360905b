"""Explanations: what is said to decide really decides, found out again the slow way."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.language.alphabet import FAMILIES, Right, family
from gnubg_nactation.language.explain import explain, ranking_of
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import (
    EXCEPTION,
    LOOP,
    NUMERAL,
    Decision,
    decide,
)
from tests.language import reference_language as slow
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


@pytest.mark.thorough
def test_the_stated_convention_decides() -> None:
    seen: dict[str, int] = {}
    for position, roll in random_positions(700, seed=41):
        families = Plays(position, roll)
        for row in families.areal_families():
            members = families.reading(row).members[:25]
            ranking = ranking_of(families.reading(row))
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


@pytest.mark.thorough
def test_a_loop_is_said_to_decide_only_where_there_is_one() -> None:
    loops = 0
    for position, roll in random_positions(900, seed=42):
        families = Plays(position, roll)
        for row in families.areal_families():
            members = families.reading(row).members
            if len(members) > 15 or len({play.hits for play in members}) == 1:
                continue
            ranking = ranking_of(families.reading(row))
            same = circles(members)
            for above, below in combinations(members, 2):
                if decide(above, below, ranking).convention == LOOP:
                    loops += 1
                    assert below in same[above]
                    assert beats(below, above)
    assert loops


LANDINGS = "6pt, blots and spares: "
FARTHER = "(farther from the 6pt, in the outer board)"
SENTENCES = {
    "45.1": "hit: 2 hits (on the 20pt and 14pt) beat 1 (on the 14pt)",
    "47.1": "hit: a hit on the 20pt beats no hit",
    "51.1": LANDINGS + "the 20pt beats the 21pt (closer to the 6pt)",
    "52.1": LANDINGS + f"the 9pt beats the 7pt {FARTHER}",
    "53.1": EXCEPTION + ": 2 home points beat 1 (with the 4pt), which outranks the hit on the 2pt",
    "54.1": LANDINGS
    + f"the 11pt beats the 10pt {FARTHER}; the lower quadrant dictates, not the 14pt",
    "57.1": "high number from high point: the 3 from the 23pt beats the 3 from the 6pt",
    "64.1": "6pt, points: the 5pt beats the 7pt (as close to the 6pt, but inside)",
    "67.1.62": "higher point: the 14pt beats the 7pt",
    "71.2": "fewer blots: 0 blots beat 1 (none on the 10pt)",
    "71.1": LANDINGS + "the 8pt beats the 13pt (in the lower quadrant)",
    "71.3": LANDINGS + "the 8pt beats the 13pt (in the lower quadrant)",
    "73.2": LANDINGS + f"the 11pt beats the 8pt {FARTHER}",
}

# What each step of the reference is called here.
STEP_NAMES: dict[Callable[[slow.Facts, slow.Facts], int], set[str]] = {
    slow._step_hits: {"hit", EXCEPTION},
    slow._step_hits_made: {"hit", EXCEPTION},
    slow._step_higher_hit: {"higher point"},
    slow._step_more: {"more points"},
    slow._step_fewer: {"fewer blots"},
    slow._step_which: {"which point"},
    slow._step_points: {"6pt, points"},
    slow._step_all_landings: {"6pt, blots and spares"},
    slow._step_rest_landings: {"6pt, blots and spares"},
    slow._step_style_landings: {"6pt, blots and spares"},
    slow._step_high_number: {"high number from high point"},
}
STYLE_RULES = (
    dict.fromkeys("P@", slow.MADE)
    | dict.fromkeys("HXK", slow.HIGHER)
    | dict.fromkeys("LT", slow.FEWER)
    | dict.fromkeys("$&W", slow.WHICH)
    | {"Q": slow.PURE}
)


def points_of(decision: Decision, above: slow.Facts, below: slow.Facts) -> set[int] | None:
    """The points on which a decision must rest, None where any of several ways will do."""
    match decision.convention:
        case "more points":
            return above.owned ^ below.owned
        case "fewer blots":
            blots = [{p for p in range(1, 25) if one.after[p] == 1} for one in (above, below)]
            return blots[0] ^ blots[1]
        case "6pt, points":
            ours, theirs = above.owned, below.owned
            return {min(one, key=POINT_ORDER.index) for one in (ours - theirs, theirs - ours)}
        case "which point":
            ours, theirs = set(above.slots), set(below.slots)
            return {min(one, key=slow.SLOT_ORDER.index) for one in (ours - theirs, theirs - ours)}
        case "higher point":
            ours, theirs = set(above.hits), set(below.hits)
            return {max(ours - theirs), max(theirs - ours)}
    return None


def check_decision(
    decision: Decision, above: slow.Facts, below: slow.Facts, rule: slow.Rule
) -> None:
    """The step that the reference finds first decides, for the right play, on the right points."""
    step = next(step for step in rule if step(above, below))
    if decision.convention == LOOP:
        assert step(below, above) < 0
        return
    assert step(above, below) < 0
    assert decision.convention in STEP_NAMES[step]
    if decision.convention in {"hit", EXCEPTION}:
        apart = slow._step_hits_made in rule
        homes = [one.home - (one.made if apart else set()) for one in (above, below)]
        assert (decision.convention == EXCEPTION) == (len(homes[0]) != len(homes[1]))
        if decision.convention == EXCEPTION:
            assert set(decision.points) == homes[0] ^ homes[1]
    expected = points_of(decision, above, below)
    assert expected is None or set(decision.points) == expected, decision


@pytest.mark.thorough
def test_style_families_and_waived_readings_against_the_reference() -> None:
    seen: Counter[str] = Counter()
    said: set[str] = set()
    for position, roll in random_positions(500, seed=43):
        plays = legal_plays(position, roll)
        if not 1 < len(plays) < 250:
            continue
        families = Plays.of(plays)
        facts = {fact.play: fact for fact in slow._facts(plays)}
        forced = slow.forced_steps(list(facts.values()))
        for fact in facts.values():
            slow.style_letters(fact, forced)  # finds the points that P and @ make
        readings = [(key, False, rule) for key, rule in STYLE_RULES.items()]
        if roll.is_doublet:
            readings.remove(("Q", False, slow.PURE))  # an areal letter then
        if position.bar:
            readings += [(key, True, slow.REST) for key in ("D", "J", "I", "A", "O", "N")]
        for key, waived, rule in readings:
            row = family(key)
            right = row.style_right if row.style else row.right
            reading = families.reading(row, Right.WAIVED if waived else right)
            members, ranking = reading.members[:30], ranking_of(reading)
            for above, below in pairwise(members):
                decision = decide(above, below, ranking)
                check_decision(decision, facts[above], facts[below], rule)
                if decision.convention == "6pt, blots and spares" and len(decision.points) == 2:
                    better, lesser = map(LANDING_ORDER.index, decision.points)
                    assert better < lesser
                seen[key + "/" * waived] += 1
                said.add(decision.convention)
    assert set(STYLE_RULES) - {"Q"} <= set(seen)
    assert {"D/", "I/"} <= set(seen)
    assert said >= {"hit", EXCEPTION, *set().union(*STEP_NAMES.values())} - {
        "high number from high point"
    }


@pytest.mark.thorough
def test_numerals_go_to_the_lower_point_first() -> None:
    said: Counter[str] = Counter()
    for position, roll in random_positions(400, seed=44):
        families = Plays(position, roll)
        for digit in "0123456789":
            reading = families.family(digit)
            members, ranking = reading.members[:20], ranking_of(reading)
            for above, below in pairwise(members):
                decision = decide(above, below, ranking)
                said[decision.convention] += 1
                if decision.convention == NUMERAL and len(decision.points) == 2:
                    high, low = decision.points
                    assert high < low
                    assert high % 10 == low % 10 == int(digit)
                elif decision.convention not in {NUMERAL, LOOP}:
                    assert beats(above, below)
    assert said[NUMERAL]
    assert len(said) > 4


def test_the_loop_of_58_is_shown() -> None:
    case = next(case for case in read_cases() if case.diagram == "58.1")
    explained = explain(case.legal_play, case.families, everything=True)
    areal = next(one for one in explained.nactations if one.family is family("E"))
    ((first, last),) = areal.loops
    loop = {member.play for member in areal.members if first <= member.nactation.member <= last}
    members = [member.play for member in areal.members]
    assert loop == circles(members)[case.legal_play]
    by_name = {str(member.nactation): member.play for member in areal.members}
    assert {by_name[name] for name in ("e{4}", "E{5}", "E{7}")} <= loop
    ranking = ranking_of(case.families.family("E"))
    # 58.3 makes a sixth point, which would rank it above 58.1 (section 11).
    assert areal.overruled is not None
    pair = areal.overruled.above, areal.overruled.below
    assert [str(member.nactation) for member in pair] == ["e{4}", "E{7}"]
    assert areal.overruled.decision.convention == LOOP
    assert "more points: 6 points beat 5" in areal.overruled.decision.detail
    chain = ("e{4}", "E{5}", EXCEPTION), ("E{5}", "E{7}", "hit"), ("e{4}", "E{7}", LOOP)
    for above, below, convention in chain:
        assert decide(by_name[above], by_name[below], ranking).convention == convention


@pytest.mark.parametrize(("diagram", "sentence"), SENTENCES.items())
def test_in_words(diagram: str, sentence: str) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    explained = explain(case.legal_play, case.families)
    named = next(one for one in explained.nactations if one.naming.nactation == case.named)
    member = next(one for one in named.members if one.play == case.legal_play)
    assert str(member.decision) == sentence


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
    families = Plays(position, roll)
    play = parse_play("8/5 6/5", position, roll)
    explained = explain(play, families)
    assert [one.naming for one in explained.nactations] == list(families.names(play))
    assert explained.code == (0, 0, 1, 1)
    assert str(explained.preferred) == "P"


def test_large_families_are_cut_down_unless_everything_is_wanted() -> None:
    position, roll = parse_position_id("4HPwATDgc/ABMA"), Roll.parse("11")
    families = Plays(position, roll)
    row = max(families.areal_families(), key=lambda one: len(families.reading(one).members))
    play = families.reading(row).members[-1]
    cut = next(o for o in explain(play, families).nactations if o.family is row)
    whole = next(o for o in explain(play, families, everything=True).nactations if o.family is row)
    assert len(whole.members) == whole.size == len(families.reading(row).members)
    assert len(cut.members) <= len(whole.members)
    assert [one for one in FAMILIES if one.right is Right.AREAL and one is row]


HIGH_NUMBER_FIRST = [
    # What the letter would be with the low number first: nothing, where that is no other family.
    ("54.1", ""),  # the 17pt is blocked
    ("54.2", "high number first; as 20/16 16/10 it would be Z"),
    ("54.3", ""),  # two checkers
    ("55.1.51", "high number first; as 15/14 14/9 it would be Z"),
    ("55.1.42", "high number first; as 15/13 13/9 it would be Z"),
    ("55.2.51", "high number first; as 9/8 8/3 it would be O"),
    ("55.2.42", "high number first; as 9/7 7/3 it would be O"),
    ("60.4", "high number first; as 18/16 16/11 it would be Z"),
    # Both 15/10 and 15/11 are blocked.
    (
        "56.51Z",
        "the high number cannot be first, because the 10pt is blocked; as 15/10 10/9 it would be D",
    ),
    (
        "56.42z",
        "the high number cannot be first, because the 11pt is blocked; as 15/11 11/9 it would be D",
    ),
    (
        "56.51O",
        "the high number cannot be first, because the 4pt is blocked; as 9/4 4/3 it would be A",
    ),
    ("56.51A", "high number first; as 8/7 7/2 it would be O"),
    ("56.42D", ""),  # both numbers come down, in any order
]


@pytest.mark.parametrize(("diagram", "sentence"), HIGH_NUMBER_FIRST)
def test_the_order_of_the_numbers_is_explained_where_it_decides(
    diagram: str, sentence: str
) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    assert explain(case.legal_play, case.families).order == sentence
