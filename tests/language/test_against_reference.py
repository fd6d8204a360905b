"""The package against a second, plain implementation of the language."""

from __future__ import annotations

import random

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, CHECKERS, Position
from gnubg_nactation.language.plays import Plays
from tests.language.reference_language import Answer, all_nactations
from tests.strategies import ALL_ROLLS, random_positions
from tests.tutorial.cases import Case, read_cases

COMPARED = ("areal", "convenience", "waived", "style", "symbol")
MANY = 120  # plays; the reference compares all members of a family with each other


def of_the_package(play: Play, families: Plays) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for naming in families.names(play):
        if naming.right.value in COMPARED:
            found.setdefault(kind_of(naming.right.value), set()).add(str(naming.nactation))
    return found


def of_the_reference(play: Play, answer: Answer) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kind, spellings in answer[play].items():
        found.setdefault(kind_of(kind), set()).update(spellings)
    return found


def kind_of(kind: str) -> str:
    return "style" if kind == "symbol" else kind


def check(position: Position, roll: Roll) -> None:
    plays = legal_plays(position, roll)
    families, answer = Plays.of(plays), all_nactations(position, roll)
    for play in plays:
        case = format_position_id(position), str(roll), format_play(play)
        assert (case, of_the_package(play, families)) == (case, of_the_reference(play, answer))


def scattered(rng: random.Random) -> tuple[Position, Roll]:
    """A position that need not be reachable: checkers on the bar, many blots, few off or many."""
    own, opponent = (rng.choice([CHECKERS, rng.randint(1, CHECKERS)]) for _ in range(2))
    points = [0] * (BAR + 1)
    points[BAR] = min(own, rng.choice([0, 0, 1, 2, 3, 4]))
    places = rng.sample(range(1, BAR), 24)
    near = [place for place in places if place <= rng.choice([6, 9, 24, 24])]
    mine = near[: rng.randint(1, 10)]
    theirs = [place for place in places if place not in mine][: rng.randint(3, 9)]
    for side, spots, count in ((1, mine, own - points[BAR]), (-1, theirs, opponent)):
        for _ in range(count):
            points[rng.choice(spots[: rng.randint(1, len(spots))])] += side
    return Position(tuple(points)), rng.choice(ALL_ROLLS)


@pytest.mark.parametrize(
    "case",
    [case for case in read_cases() if case.kind in ("strict", "style", "symbol") and case.play],
    ids=lambda case: case.diagram,
)
def test_the_reference_reads_the_tutorial(case: Case) -> None:
    answer = all_nactations(case.position, Roll.parse(case.roll))
    named = set[str]().union(*answer[case.legal_play].values())
    assert {
        case.nactation,
        *(other for other in case.others.split() if not other[0].isdigit()),
    } <= named


@pytest.mark.thorough
def test_random_games() -> None:
    large = 0
    for position, roll in random_positions(600, seed=31):
        large += (many := len(legal_plays(position, roll)) > MANY)
        if not many or large <= 3:
            check(position, roll)


@pytest.mark.thorough
def test_scattered_checkers() -> None:
    rng = random.Random(32)
    for _ in range(1000):
        position, roll = scattered(rng)
        if len(legal_plays(position, roll)) <= MANY:
            check(position, roll)


@pytest.mark.parametrize(
    ("position_id", "roll", "play", "nactation"),
    [
        # Which checker goes on from a point is free: 17/5 and 13/9 here, as the play is written.
        ("38oDJADbsQYhAg", "44", "17/9*/5 13/9", "$"),
        ("LzIiBQ7vg0AUDA", "44", "17/9*/5 13/9", "%"),
        ("38hAEgz/BTAYCA", "66", "22/10*/4 16/10", "$"),
        # The hitter of one point need not be the checker that leaves it to hit another.
        ("0PPEQSCoT/ABMA", "66", "13/7*/1* 13/7(2)", "K"),
        # A portion is forced once: that of the second checker, not the one that hits.
        ("9QFVQwR7KQEaAw", "66", "20/14*(2) 16/4*", "K"),
        ("ew0XDADfDwDBAQ", "33", "19/16*/10 19/16", "H"),
    ],
)
def test_checkers_are_told_apart_every_way(
    position_id: str, roll: str, play: str, nactation: str
) -> None:
    position, dice = parse_position_id(position_id), Roll.parse(roll)
    families = Plays(position, dice)
    namings = families.names(parse_play(play, position, dice))
    assert nactation in {str(naming.nactation) for naming in namings}
