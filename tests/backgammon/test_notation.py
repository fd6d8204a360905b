"""Traditional notation: all its spellings read, one written, and what to do with loose ones."""

from __future__ import annotations

import random
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.notation import (
    Hop,
    force_hops,
    format_hops,
    format_play,
    parse_hops,
    parse_play,
    resolve,
)
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.errors import (
    AmbiguousError,
    IllegalError,
    MalformedError,
    NactationError,
)
from tests.backgammon.boards import board
from tests.strategies import positions_and_rolls

# --- reading -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("13/10", [(13, 10)]),
        ("8/5 6/5", [(8, 5), (6, 5)]),
        ("8/5, 6/5", [(8, 5), (6, 5)]),
        ("8/5,6/5", [(8, 5), (6, 5)]),
        ("  8/5   6/5 ", [(8, 5), (6, 5)]),
        ("bar/21", [(25, 21)]),
        ("BAR/21", [(25, 21)]),
        ("Bar/21", [(25, 21)]),
        ("25/21", [(25, 21)]),
        ("6/off", [(6, 0)]),
        ("6/Off", [(6, 0)]),
        ("6/0", [(6, 0)]),
        ("24/20/14", [(24, 20), (20, 14)]),
        ("24/20*/14", [(24, 20, True), (20, 14)]),
        ("24/20*/14*", [(24, 20, True), (20, 14, True)]),
        ("bar/20*/off", [(25, 20, True), (20, 0)]),
        ("13/10(2)", [(13, 10)] * 2),
        ("6/5(4)", [(6, 5)] * 4),
        ("13/10(1)", [(13, 10)]),
        ("7/5*(3)", [(7, 5, True), (7, 5), (7, 5)]),  # a blot can be hit but once
        ("6/4*/2(2)", [(6, 4, True), (4, 2), (6, 4), (4, 2)]),
        ("", []),
        ("   ", []),
    ],
)
def test_spellings(text: str, hops: list[tuple[int, ...]]) -> None:
    assert parse_hops(text) == tuple(Hop(h[0], h[1], len(h) > 2) for h in hops)


@pytest.mark.parametrize(
    "text",
    [
        "13",
        "13/",
        "/13",
        "13-10",
        "13/10/",
        "26/20",
        "013/10",
        "13/10(0)",
        "13/10(5)",
        "13/10(2",
        "13*/10",  # nothing is hit where a checker starts
        "13/bar",  # checkers go to the bar by no will of their own
        "13/25",
        "off/6",
        "0/6",
        "13/off/6",
        "Cannot Move",
        "????",
        "13/10 hello",
        "\u0661/\u0660",
        "13\u00a0/10",
    ],
)
def test_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_hops(text)


@pytest.mark.parametrize(
    "text",
    [
        "24/18 18/14",
        "18/14 24/18",
        "24/14",
        "24/18/14",
        "24/20 20/14",
    ],
)
def test_merged_or_apart_in_any_order(text: str) -> None:
    assert format_play(parse_play(text, STANDARD, Roll(6, 4))) == "24/14"


@pytest.mark.parametrize("text", ["13/11 13/10", "13/10 13/11", "13/10,13/11"])
def test_any_order(text: str) -> None:
    assert format_play(parse_play(text, STANDARD, Roll(3, 2))) == "13/11 13/10"


def test_stars_may_be_missing() -> None:
    position = board(p13=1, p6=2, p9=-1)
    assert parse_play("13/9 6/4", position, Roll(4, 2)) == parse_play(
        "13/9* 6/4", position, Roll(4, 2)
    )


@given(positions_and_rolls(), st.randoms(use_true_random=False))
def test_hops_of_a_play_name_it_in_any_order(
    pair: tuple[Position, Roll], rng: random.Random
) -> None:
    found = legal_plays(*pair)
    for play in found:
        hops = [Hop(p.source, p.target, p.hits) for p in play.portions]
        rng.shuffle(hops)
        assert resolve(hops, *pair, found) == play


@given(positions_and_rolls())
def test_what_is_written_is_read(pair: tuple[Position, Roll]) -> None:
    found = legal_plays(*pair)
    assert len({format_play(play) for play in found}) == len(found)
    for play in found:
        assert resolve(parse_hops(format_play(play)), *pair, found) == play
        plain = [Hop(p.source, p.target, p.hits) for p in play.portions]
        assert resolve(parse_hops(format_hops(plain)), *pair, found) == play


@given(positions_and_rolls())
def test_stops_without_stars_are_enough(pair: tuple[Position, Roll]) -> None:
    found = legal_plays(*pair)
    for play in found:
        assert resolve([Hop(p.source, p.target) for p in play.portions], *pair, found) == play


# --- two ways ------------------------------------------------------------------------------

ONE_WAY_HITS = board(p24=1, p20=-1)  # 64: over 18 without a hit, over 20 with one
BOTH_WAYS_HIT = board(p24=1, p20=-1, p18=-1)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("24/14", "24/14"),
        ("24/18/14", "24/14"),
        ("24/20*/14", "24/20*/14"),
        ("24/20/14", "24/20*/14"),
        ("20/14 24/20", "24/20*/14"),
        ("24/14*", "24/20*/14"),  # something was hit, so it was on 20
    ],
)
def test_stars_and_stops_decide(text: str, written: str) -> None:
    assert format_play(parse_play(text, ONE_WAY_HITS, Roll(6, 4))) == written


@pytest.mark.parametrize("text", ["24/18*/14", "24/20*/14*", "24/18*/14*", "24/20* 20/14*"])
def test_a_star_without_a_hit_is_refused_but_in_a_record(text: str) -> None:
    with pytest.raises(IllegalError, match=f"{re.escape(text)}': nothing is hit on 1[48]$"):
        parse_play(text, ONE_WAY_HITS, Roll(6, 4))
    play = resolve(parse_hops(text), ONE_WAY_HITS, Roll(6, 4))
    assert play.portions[-1].target == 14


@pytest.mark.parametrize(
    ("text", "written"),
    [("24/20*/14", "24/20*/14"), ("24/18/14", "24/18*/14"), ("24/18* 18/14", "24/18*/14")],
)
def test_stops_decide_between_two_hits(text: str, written: str) -> None:
    assert format_play(parse_play(text, BOTH_WAYS_HIT, Roll(6, 4))) == written


@pytest.mark.parametrize("text", ["24/14", "24/14*"])
def test_nothing_decides(text: str) -> None:
    with pytest.raises(AmbiguousError, match="2 ways") as caught:
        parse_play(text, BOTH_WAYS_HIT, Roll(6, 4))
    candidates = [play for play in caught.value.candidates if isinstance(play, Play)]
    assert {format_play(play) for play in candidates} == {"24/18*/14", "24/20*/14"}


def test_a_hit_at_the_end_is_not_one_on_the_way() -> None:
    position = board(p24=1, p20=-1, p14=-1)
    assert format_play(parse_play("24/14*", position, Roll(6, 4))) == "24/14*"
    assert format_play(parse_play("24/20*/14*", position, Roll(6, 4))) == "24/20*/14*"


# --- not legal -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8/4",  # one die of two
        "8/5 6/4",  # not the dice thrown
        "13/9 13/10 6/5",  # three portions
        "23/20 13/9",  # no checker there
        "24/20 24/20",
        "6/2 6/5 5/6",  # backwards
    ],
)
def test_illegal(text: str) -> None:
    with pytest.raises(IllegalError, match="43"):
        parse_play(text, STANDARD, Roll(4, 3))


def test_no_more_checkers_leave_a_point_than_stand_there() -> None:
    # 8/7 is the only play. In packed counts 15 checkers on the 7pt weigh as much as one on the
    # 8pt and one too few on the 7pt.
    position = board(p8=1, p7=14, p6=-2, p2=-2, p1=-2)
    assert len(legal_plays(position, Roll(6, 1))) == 1
    with pytest.raises(IllegalError):
        resolve([Hop(7, 0)] * 15, position, Roll(6, 1))


# --- moving against the rules --------------------------------------------------------------


def test_forced_hops_hit_and_bear_off() -> None:
    position = board(p13=2, p6=1, p9=-1)
    hops = [Hop(13, 9), Hop(13, 9), Hop(6, 0)]
    assert force_hops(hops, position) == board(p9=2, p0=-1)


def test_forced_hops_go_step_by_step() -> None:
    assert force_hops([Hop(25, 20), Hop(20, 1)], board(p25=1)) == board(p1=1)


@pytest.mark.parametrize(
    ("hop", "why"),
    [
        (Hop(12, 8), "no checker on 12"),  # the opponent's are no checkers to move
        (Hop(25, 20), "no checker on bar"),
        (Hop(0, -1), "no checker on off"),
        (Hop(24, 19), "the opponent owns 19"),
    ],
)
def test_hops_that_cannot_even_be_forced(hop: Hop, why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        force_hops([hop], STANDARD)


@given(positions_and_rolls())
def test_forcing_a_legal_play_reaches_the_same_board(pair: tuple[Position, Roll]) -> None:
    for play in legal_plays(*pair):
        hops = [Hop(p.source, p.target, p.hits) for p in play.portions]
        assert force_hops(hops, pair[0]) == play.reached


# --- writing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "roll", "written"),
    [
        (STANDARD, "31", "8/5 6/5"),
        (STANDARD, "52", "13/11 13/8"),
        (STANDARD, "65", "24/13"),
        (STANDARD, "11", "8/7(2) 6/5(2)"),
        (STANDARD, "33", "24/21(2) 13/10(2)"),
        (STANDARD, "22", "13/9 13/11 6/4"),  # the longer way first, as gnubg has it
        (board(p25=1, p13=3, p21=-1), "42", "bar/21* 13/11"),
        (board(p24=1, p20=-1), "64", "24/20*/14"),
        (board(p24=1, p20=-1, p14=-1), "64", "24/20*/14*"),
        (board(p7=3, p13=1, p5=-1), "22", "13/11 7/5*(3)"),
        (board(p6=2, p4=-1, p9=2), "22", "6/4*/2(2)"),
        (board(p22=3, p20=-1, p18=-1), "22", "22/20*/18* 22/20(2)"),
        (board(p6=1, p5=1), "65", "6/off 5/off"),
        (board(p2=4), "66", "2/off(4)"),
    ],
)
def test_written_as_gnubg_does(position: Position, roll: str, written: str) -> None:
    assert written in {format_play(play) for play in legal_plays(position, Roll.parse(roll))}


def test_hops_are_written_as_they_stand() -> None:
    hops = [Hop(25, 20, True), Hop(20, 14), Hop(6, 0)]
    assert format_hops(hops) == "bar/20* 20/14 6/off"
    assert parse_hops(format_hops(hops)) == tuple(hops)


@given(st.text("0123456789/*()bar of,", max_size=30) | st.text(max_size=15))
def test_only_our_errors_escape(text: str) -> None:
    with suppress(NactationError):
        parse_play(text, STANDARD, Roll(6, 4))
