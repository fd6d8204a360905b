"""Older usage: each entry of the table by positions made for its rule, on both sides of its end."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, STANDARD, Position
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.dialects import (
    CURRENT,
    DIALECTS,
    USAGES,
    _unstacked,
    dialect_on,
    plays_in,
    usage_note,
)
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import decode
from tests.strategies import random_positions


def board(own: dict[int, int], opponent: dict[int, int]) -> Position:
    """A position of 15 checkers each, those not placed borne off; numbered from the player."""
    points = [0] * (BAR + 1)
    for point, count in own.items():
        points[point] = count
    for point, count in opponent.items():
        points[point] = -count
    return Position(tuple(points))


def old(when: str, position: Position, roll: str) -> Plays:
    """The plays of a roll as a dialect, or that of a day, reads their characters."""
    dialect = DIALECTS[when] if when in DIALECTS else dialect_on(when)
    return plays_in(Plays(position, Roll.parse(roll)), dialect)


def after(sequence: str) -> Position:
    return decode(sequence).state.position


HITS = board({24: 2, 13: 4, 10: 1, 8: 2, 6: 4, 5: 1, 3: 1}, {1: 2, 4: 1, 7: 1, 12: 3, 17: 3, 19: 5})
SLOTS = board({24: 2, 13: 4, 10: 1, 9: 1, 8: 3, 6: 2, 3: 2}, {1: 2, 12: 5, 17: 3, 19: 5})
AT_54 = "32S-63H-53H-61U-41P-F"

# A character in a position, what it is from the first day of the newer usage, and what it was.
CASES = [
    # One checker runs to the 18pt, which is an Up today (section 12).
    ("2009-12-31", after("32S"), "51R", None, "24/18"),
    ("2009-12-31", after("32S"), "51U", "24/18", "24/18"),
    # The lead checker goes farthest; today the 22pt that 24/22 18/15 makes is worth more.
    ("2010-08-31", after("N 43@-61Q-65R"), "32R", "24/22 18/15", "18/13"),
    # 19 August 2010: 13/10(2) 8/5(2) owns a point more than 13/7* 8/5(2), and goes before the hit.
    ("2010-12-31", after("63S"), "33O", "13/7* 8/5(2)", "13/10(2) 8/5(2)"),
    ("2010-12-31", after("63S"), "33o", "13/10(2) 8/5(2)", "13/7* 8/5(2)"),
    # 13 March 2010: the spare of the midpoint floats on the 7pt, that of the 8pt is safe.
    ("2010-12-31", STANDARD, "62F", None, "13/7 8/6"),
    # 31 December 2009: the 22pt is far, 13/7 comes down. 29 November 2013: that is Z, and B only
    # from the outer board.
    ("2011-12-31", after("41S-62H"), "63B", None, "bar/22 13/7"),
    # The first edition: 13/4 goes in. Today it is O, down and then over the bar.
    ("2011-12-31", STANDARD, "63I", None, "13/4"),
    ("2011-12-31", STANDARD, "54I", None, "13/4"),
    # 17 December 2011: what comes down leaves the midpoint, which 8/7 and 15/11 do not.
    ("2011-12-31", after("32S-43S"), "21D", "13/11 8/7", "13/10"),
    ("2011-12-31", after("32S-43S"), "64S", "21/15*/11", "21/15* 13/9"),
    ("2011-12-31", after("32S-43S"), "33Z", "24/21 13/10(2) 11/8", "24/21 13/10(3)"),
    # 25 March 2012: a run needs a landing from the 17pt to the 13pt.
    ("2012-03-31", after("51S-64H"), "61R", None, "bar/18"),
    # The tutorial's #51 says what would follow if the 23pt counted: Z and z, R and r reversed.
    ("2012-05-31", NACKGAMMON, "53Z", "23/20 13/8", "24/21 13/8"),
    ("2012-05-31", NACKGAMMON, "53z", "24/21 13/8", "23/20 13/8"),
    ("2012-05-31", NACKGAMMON, "53R", "23/15", "24/16"),
    ("2012-05-31", NACKGAMMON, "53r", "24/16", "23/15"),
    # #54: the lower quadrant dictates, so that 21/11 is S today. By 3.2 of the procedure of 2011
    # the far side comes before the outer board: the 14pt, then the 15pt, then 11pt before 10pt.
    ("2012-12-31", after(AT_54), "64S", "21/11", "20/14 13/9"),
    ("2012-12-31", after(AT_54), "64s", "20/10", "21/15 13/9"),
    # Only the 7pt slot makes a point beside it; of the others 13/9 6/5 unstacks the midpoint.
    ("2013-12-31", SLOTS, "41%", "13/9 8/7", "13/9 6/5"),
    # As many points either way: the 5pt goes before the 4pt, but 6/4 unstacks the 6pt, too.
    ("2013-12-31", STANDARD, "32$", "13/11 8/5", "13/10 6/4"),
    ("2013-12-31", STANDARD, "32%", "13/10 6/4", "13/11 8/5"),
    # 13 June 2014: 24/20 ends on the far 5pt, and counts as a run by the underlined R alone.
    ("2014-12-31", after("32S-43S"), "22R_", None, "24/20 8/4"),
    ("2014-12-31", after("42P-65S"), "44R_", "24/16 8/4 6/2", "24/20(2) 8/4 6/2"),
]  # fmt: skip


@pytest.mark.parametrize(("until", "position", "text", "today", "then"), CASES)
def test_a_character_changes_with_the_day(
    until: str, position: Position, text: str, today: str | None, then: str
) -> None:
    roll, name = text[:2], parse_nactation(text[2:])
    on_the_day = old(until, position, roll)
    assert format_play(on_the_day.play(name)) == then
    assert bool(usage_note(on_the_day, name)) == (then != today)
    if today is None:
        with pytest.raises(IllegalError):
            Plays(position, Roll.parse(roll)).play(name)
    else:
        assert format_play(Plays(position, Roll.parse(roll)).play(name)) == today


def test_what_is_no_run_to_the_18pt_is_read_as_today() -> None:
    # 62 in the opening moves two checkers to end on the 18pt and the 22pt.
    assert format_play(old("2009", STANDARD, "62").play("U")) == "24/22 24/18"
    assert format_play(old("2009", STANDARD, "62").play("R")) == "24/16"
    # Where nothing else is Up, U is still understood.
    assert format_play(old("2009", after("32S"), "51").play("U")) == "24/18"


def ends(play: Play) -> list[int]:
    """Where the checkers that moved are in the end."""
    before, now = play.before.points, play.reached.points
    return [point for point in range(BAR) if now[point] > max(before[point], 0)]


def test_u_v_and_r_were_ranked_by_the_lead_checker() -> None:
    changed = 0
    for position, roll in random_positions(300, seed=62):
        plays = old("2010", position, str(roll))
        for key in "UR":
            members = plays.family(key).members
            leads = [min(ends(play)) for play in members]
            assert leads == sorted(leads)
            changed += members != Plays.of(plays).family(key).members
    assert changed > 10


def destinations(play: Play) -> set[int]:
    """Where moved checkers are blots or spares, from the words of the procedure of 2011."""
    return {point for point in ends(play) if play.reached.points[point] != 2}


def better_by_the_procedure(ours: set[int], theirs: set[int]) -> bool | None:
    """Its section 3.2; None if the destinations are the same."""
    for points, higher in (
        (range(6, 0, -1), ours),
        (range(13, 25), ours),
        (range(7, 13), theirs),  # the nearer a blot is to the 6pt, the lower
    ):
        apart = [point for point in points if (point in ours) != (point in theirs)]
        if apart:
            return apart[0] in higher
    return None


def test_the_far_side_ranked_before_the_outer_board() -> None:
    seen = changed = 0
    for position, roll in random_positions(150, seed=64):
        plays = old("2012-06-01", position, str(roll))
        for row in Plays.of(plays).areal_families():
            members = plays.family(row.key).members
            for upper, lower in pairwise(members):
                if upper.hits == lower.hits and upper.owned == lower.owned:
                    assert better_by_the_procedure(destinations(upper), destinations(lower)) in {
                        True,
                        None,
                    }
                    seen += 1
            changed += members != Plays.of(plays).family(row.key).members
    assert seen > 300
    assert changed > 50


def test_home_points_came_first_among_plays_with_the_same_hits() -> None:
    """1.2 of the procedure, if both hit; without a hit 1.1 leaves it to all points."""
    seen = 0
    for position, roll in random_positions(250, seed=66):
        plays = old("2012-06-01", position, str(roll))
        for row in Plays.of(plays).areal_families():
            for upper, lower in pairwise(plays.family(row.key).members):
                if upper.hits == lower.hits:
                    owned = [
                        [p for p in range(1, 23) if play.reached.points[p] >= 2]
                        for play in (upper, lower)
                    ]
                    home, points = (
                        [sum(p <= limit for p in each) for each in owned] for limit in (6, 22)
                    )
                    counts = (home, points) if upper.hits else (points,)
                    assert [each[0] for each in counts] >= [each[1] for each in counts]
                    seen += bool(upper.hits) and home[0] != home[1]
    assert seen > 10


def slots_of_old(play: Play) -> tuple[object, ...]:
    """The 5pt or 4pt slotted first, more points, then no tall stacks: the lesser the better."""
    before, board = play.before.points, play.reached.points
    slots = {point for point in range(1, 8) if board[point] == 1 and before[point] == 0}
    owned = sum(board[point] >= 2 for point in range(1, 23))
    stacks = sorted([board[point] for point in range(1, BAR) if board[point] >= 4], reverse=True)
    return not slots & {4, 5}, -owned, stacks


def test_slots_were_ranked_by_the_5pt_or_4pt_points_and_stacks() -> None:
    changed = 0
    for position, roll in random_positions(200, seed=65):
        plays = old("2013", position, str(roll))
        for key in "$&W":
            members = plays.family(key).members
            keys = [slots_of_old(play) for play in members]
            assert keys == sorted(keys)
            changed += members != Plays.of(plays).family(key).members
    assert changed > 20


@pytest.mark.parametrize(
    ("year", "key", "first"),
    [
        ("2013", "$", ["5pt or 4pt", "more points", "unstack", "which point"]),
        ("2012", "O", ["home points", "more points", "6pt, points", "far side first"]),
        ("2012", "X", ["higher point", "more points", "6pt, points", "far side first"]),
        ("2010", "R", ["lead checker", "hit", "more points", "6pt, points"]),
        ("2011", "O", ["home points", "more points", "6pt, points", "far side first"]),
        ("2013", "O", ["more points", "6pt, points"]),
    ],
)
def test_the_order_of_a_family_says_its_conventions(year: str, key: str, first: list[str]) -> None:
    order = old(year, STANDARD, "31").family(key).order
    assert [one.name for one in order.conventions][: len(first)] == first
    assert (order.hit is None) == (key in "$XR")


def test_each_play_is_once_in_its_family_and_written_as_today() -> None:
    for position, roll in random_positions(10, seed=63):
        today = Plays(position, roll)
        for dialect in DIALECTS.values():
            plays = plays_in(today, dialect)
            for row in FAMILIES:
                members = plays.family(row.key).members
                assert len(set(members)) == len(members)
                assert set(members) <= set(today)
            for play in today[:3]:
                assert plays.name(play) == today.name(play)
                assert plays.names(play) == today.names(play)
                for row in FAMILIES:
                    members = plays.family(row.key).members
                    place = members.index(play) + 1 if play in members else 0
                    assert plays.family(row.key).place(play) == plays.place(play, row) == place


def test_italic_capitals_were_members_as_today() -> None:
    """15 February 2012: C, c, then both in italics. Hits first, then what is near the 6pt."""
    then = dialect_on("2012-02-15")
    names = "C", "c", "<i>C</i>", "<i>c</i>"
    plays = [str(decode(f"43S-32S-63{name}", dialect=then).turns[-1].play) for name in names]
    assert plays == ["20/14* 8/5", "24/21 10/4*", "24/18 8/5", "24/21 8/2"]


def test_what_is_both_of_a_doublet_was_so_then() -> None:
    """31 December 2009 speaks of two different dice."""
    for then in (dialect_on("2009-12-31"), CURRENT):
        assert str(decode("43Z-22B", dialect=then).turns[-1].play) == "24/22(2) 13/11(2)"


def test_points_ranked_before_hits() -> None:
    """19 August 2010, of O and families alike: more points, then more hits, then higher hits."""
    changed = 0
    for position, roll in random_positions(60, seed=62):
        today = Plays(position, roll)
        plays = plays_in(today, dialect_on("2010-12-31"))
        for key in ("O", "N", "A", "C", "E", "J", "I"):
            members = plays.family(key).members
            keys = []
            for play in members:
                owned = sum(play.reached.points[point] >= 2 for point in range(1, BAR))
                hits = sorted([each.target for each in play.portions if each.hits], reverse=True)
                keys.append((owned, len(hits), hits))
            assert keys == sorted(keys, reverse=True)
            changed += members != today.family(key).members
    assert changed > 20


def test_today_nothing_is_wrapped() -> None:
    plays = Plays(STANDARD, Roll(3, 1))
    assert plays_in(plays, CURRENT) is plays
    assert usage_note(plays, parse_nactation("P")) == ""


def test_a_usage_holds_until_the_end_of_its_last_day() -> None:
    for usage in USAGES:
        year, month, _ = map(int, usage.until.split("-"))
        following = f"{year + month // 12}-{month % 12 + 1:02}-01"
        assert usage in dialect_on(usage.until).usages
        assert usage not in dialect_on(following).usages
        assert usage in DIALECTS[str(year)].usages
        assert usage not in DIALECTS.get(str(year + 1), CURRENT).usages
    assert dialect_on("2015-01-01") == CURRENT
    assert dialect_on("1999-12-31").usages == DIALECTS["2009"].usages


def test_the_documentation_has_the_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    section = text.partition("## Older usage\n")[2]
    rows = [line for line in section.splitlines() if line.startswith("| 20")]
    assert rows == [
        f"| {usage.until} | {usage.meaning} | {usage.characters} | {usage.section} "
        f"| {usage.source} |"
        for usage in USAGES
    ]


def test_each_usage_has_a_source() -> None:
    """The tutorial, a dated post, or a dated sequence."""
    for usage in USAGES:
        assert re.search(r"section \d+|\b20\d\d\b", usage.source), usage


def test_a_point_of_three_is_no_stack() -> None:
    """Stacks are of four or more (section 10: the tall points of the old ranking of slots)."""
    [three] = [play for play in Plays(board({8: 3, 6: 2}, {}), Roll(1, 1)) if str(play) == "6/4(2)"]
    assert set(_unstacked(three)) == {0}
    [four] = [play for play in Plays(board({8: 4, 6: 2}, {}), Roll(1, 1)) if str(play) == "6/4(2)"]
    assert _unstacked(four)[0] == -4
