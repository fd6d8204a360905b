"""The laws of the language on random legal games."""

from functools import cache

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, Right
from gnubg_nactation.language.areas import area_counts, areal_family
from gnubg_nactation.language.nactation import Naming, parse_nactation
from gnubg_nactation.language.plays import Plays
from tests.strategies import positions_and_rolls, random_positions


def check_areal_law(position: Position, roll: Roll) -> None:
    families = Plays(position, roll)
    named = [families.areal(play).nactation for play in families]
    assert len(set(named)) == len(named)
    assert len({str(nactation) for nactation in named}) == len(named)
    for nactation, play in zip(named, families, strict=True):
        assert parse_nactation(str(nactation)) == nactation
        assert families.play(nactation) == play


@given(positions_and_rolls())
def test_every_play_has_one_areal_nactation_of_its_own(drawn: tuple[Position, Roll]) -> None:
    check_areal_law(*drawn)


def test_the_same_on_a_thousand_positions() -> None:
    for position, roll in random_positions(1000, seed=21):
        check_areal_law(position, roll)


@given(positions_and_rolls())
def test_every_nactation_of_a_play_reads_back_to_it(drawn: tuple[Position, Roll]) -> None:
    families = Plays(*drawn)
    for play in families[:40]:
        for naming in families.names(play):
            assert families.play(naming.nactation) == play


@pytest.mark.thorough
def test_a_place_is_known_without_the_members() -> None:
    for position, roll in random_positions(20, seed=24):
        plays = Plays(position, roll)
        members = {row: plays.family(row.key).members for row in FAMILIES}
        plays = Plays(position, roll)
        for play in plays[::5]:
            anew = Plays.of(tuple(plays))
            for row, ranked in members.items():
                place = ranked.index(play) + 1 if play in ranked else 0
                assert plays.place(play, row) == place
                assert anew.family(row.key).place(play) == place


@pytest.mark.thorough
def test_families_are_those_of_the_names() -> None:
    for plays, named in named_positions():
        rights = {*_STRICT, Right.WAIVED.value}
        names = [naming for _, namings in named for naming in namings]
        families = {name.nactation.family for name in names if name.right.value in rights}
        readings = {family: plays.reading(family).right for family in FAMILIES}
        assert {*plays.families()} == {
            family for family in families if readings[family] is not Right.CONVENIENCE
        }


def test_the_table_covers_every_way_to_spread_a_roll_over_the_areas() -> None:
    # 35 ways to spread four portions (section 15), R and U sharing two of them.
    four = [code for row in FAMILIES for code in row.doublet if sum(map(int, code)) == 4]
    assert len(set(four)) == 35
    assert len(four) == 37
    two = [code for row in FAMILIES for code in row.dice if sum(map(int, code)) == 2]
    assert len(set(two)) == 10


def test_codes_of_the_table_are_those_of_the_plays() -> None:
    for position, roll in random_positions(600, seed=22):
        for play in legal_plays(position, roll):
            code = "".join(map(str, area_counts(play)))
            row = areal_family(play)
            assert code in (row.doublet if roll.is_doublet else row.dice)
            if not roll.is_doublet:
                assert row.mark is Diacritic.NONE


_STRICT = {"areal", "style", "symbol"}


@cache
def named_positions() -> list[tuple[Plays, list[tuple[Play, tuple[Naming, ...]]]]]:
    """The plays of some positions, each with all its names; worked out once for the laws below."""
    found = [Plays(position, roll) for position, roll in random_positions(500, seed=23)]
    return [(plays, [(play, plays.names(play)) for play in plays]) for plays in found]


@pytest.mark.thorough
def test_no_two_plays_share_a_strict_nactation() -> None:
    for _, named in named_positions():
        owner: dict[str, int] = {}
        for at, (_, names) in enumerate(named):
            for naming in names:
                if naming.right.value in _STRICT:
                    assert owner.setdefault(str(naming.nactation), at) == at


@pytest.mark.thorough
def test_every_nactation_of_every_play_reads_back() -> None:
    for plays, named in named_positions():
        for play, names in named[:30]:
            assert len(set(names)) == len(names)
            for naming in names:
                assert plays.play(parse_nactation(str(naming.nactation))) == play


@pytest.mark.thorough
def test_the_preferred_comes_first_and_accepted_ones_last() -> None:
    for plays, named in named_positions():
        for play, (first, *others) in named[:20]:
            assert first == plays.name(play).naming
            strict = [naming.right.value in _STRICT for naming in others]
            assert strict == sorted(strict, reverse=True)
            assert sum(naming.right.value == "areal" for naming in (first, *others)) == 1
