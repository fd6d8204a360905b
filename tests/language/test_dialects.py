"""Older usage: each entry of the table by positions made for its rule, on both sides of its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, STANDARD, Position
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Right, family
from gnubg_nactation.language.dialects import (
    CURRENT,
    DIALECTS,
    USAGES,
    _unstacked,
    dialect_on,
    plays_in,
    usage_note,
)
from gnubg_nactation.language.nactation import Nactation, parse_nactation
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


Y_OF_93 = parse_position_id("mPPgASTg3cgBKA")
HITS = board({24: 2, 13: 3, 11: 1, 10: 1, 8: 3, 6: 5}, {1: 2, 4: 1, 7: 1, 12: 3, 17: 3, 19: 5})
SLOTS = board({24: 2, 13: 4, 10: 1, 9: 1, 8: 3, 6: 2, 3: 2}, {1: 2, 12: 5, 17: 3, 19: 5})
ON_BAR = board({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})

# A character in a position, what it is from the first day of the newer usage, and what it was.
CASES = [
    # More points go before a hit: 13/10(2) 8/5(2) owns a point more than 13/7* 8/5(2).
    ("2010-08-31", after("63S"), "33O", "13/7* 8/5(2)", "13/10(2) 8/5(2)"),
    ("2010-08-31", after("63S"), "33o", "13/10(2) 8/5(2)", "13/7* 8/5(2)"),
    # The tutorial's #52: of 15/9 and 13/7 the 9pt is farther from the 6pt, the 7pt is nearer.
    ("2010-08-31", after("54S-43X-64R-64H-64H-61D"), "64Z", "24/20* 15/9", "24/20* 13/7"),
    # The spare of the midpoint floats on the 7pt, that of the 8pt is safe on the 6pt.
    ("2010-12-31", STANDARD, "62F", None, "13/7 8/6"),
    # Today's Y_ of tutorial 93.3 is 23/22 11/10 6/5(2), and 24/23 11/10 6/5(2) ranks below, which
    # owns the 23pt. Today M has two jumps.
    ("2011-03-31", Y_OF_93, "11M", "23/22 7/5 7/6", "24/23 11/10 6/5(2)"),
    ("2011-03-31", Y_OF_93, "11m", "24/23 7/5 7/6", "23/22 11/10 6/5(2)"),
    ("2011-11-30", after("41$-32S"), "63I", None, "9/3 8/5"),
    ("2012-05-31", NACKGAMMON, "53Z", "23/20 13/8", "24/21 13/8"),
    ("2012-05-31", NACKGAMMON, "53z", "24/21 13/8", "23/20 13/8"),
    ("2012-05-31", NACKGAMMON, "53R", "23/15", "24/16"),
    ("2012-05-31", NACKGAMMON, "53r", "24/16", "23/15"),
    # A run to the 18pt, which is an Up today: all 61, 52 and 43 from the bar.
    ("2012-03-31", ON_BAR, "61R", None, "bar/18"),
    ("2012-03-31", ON_BAR, "52R", None, "bar/18"),
    # Only the 7pt slot makes a point beside it; of the others 13/9 6/5 unstacks the midpoint.
    ("2013-12-31", SLOTS, "41%", "13/9 8/7", "13/9 6/5"),
    # As many points either way: the 5pt goes before the 4pt, but 6/4 unstacks the 6pt, too.
    ("2013-12-31", STANDARD, "32$", "13/11 8/5", "13/10 6/4"),
    ("2013-12-31", STANDARD, "32%", "13/10 6/4", "13/11 8/5"),
]  # fmt: skip


@pytest.mark.parametrize(("until", "position", "text", "today", "then"), CASES)
def test_a_character_changes_with_the_day(
    until: str, position: Position, text: str, today: str | None, then: str
) -> None:
    roll, name = text[:2], parse_nactation(text[2:])
    on_the_day = old(until, position, roll)
    assert format_play(on_the_day.play(name)) == then
    assert usage_note(on_the_day, name)
    if today is None:
        with pytest.raises(IllegalError):
            Plays(position, Roll.parse(roll)).play(name)
    else:
        assert format_play(Plays(position, Roll.parse(roll)).play(name)) == today


def test_single_hits_were_ranked_by_the_higher_point() -> None:
    # 13/11 8/4* makes a point, but the 7pt is higher than the 4pt.
    for year in ("2009", "2010"):
        assert format_play(old(year, HITS, "42").play("H")) == "11/7* 10/8"


def test_what_is_no_run_to_the_18pt_is_read_as_today() -> None:
    # 62 from the bar: bar/23 24/18 moves two checkers.
    assert format_play(old("2012", ON_BAR, "62").play("U")) == "bar/23 24/18"
    with pytest.raises(IllegalError):
        old("2012", ON_BAR, "62").play("R")
    # Where nothing else is Up, U is still understood.
    assert format_play(old("2012", ON_BAR, "61").play("U")) == "bar/18"


Areas = Counter[str]


def areas(play: Play) -> Areas:
    """How many portions run, come down, jump and stay inside, from the definitions."""
    found: Areas = Counter()
    for source, target, _, _ in play.portions:
        if target >= 13:
            found["run"] += 1
        elif target >= 7:
            found["down"] += 1
        else:
            found["jump" if source >= 7 else "inside"] += 1
    return found


def two(one: str, other: str) -> Callable[[Play], bool]:
    """Whether a doublet is played in these two areas, and more often in one of them."""

    def holds(play: Play) -> bool:
        counts = areas(play)
        apart = counts[one] != counts[other]
        return play.roll.is_doublet and set(counts) == {one, other} and apart

    return holds


def floats(play: Play) -> bool:
    """One new blot, a spare brought to a vacant point of the near side, and nothing hit."""
    if play.roll.is_doublet or any(portion.hits for portion in play.portions):
        return False
    before, now = play.before.points, play.reached.points
    new = [point for point in range(1, BAR) if now[point] == 1 != before[point]]
    if len(new) != 1 or before[new[0]] != 0 or new[0] > 12:
        return False
    pips = {new[0] + portion.die for portion in play.portions}
    pips.add(new[0] + sum(portion.die for portion in play.portions))
    return any(point < BAR and 2 <= now[point] < before[point] for point in pips)


HELD = [
    ("2009", "B", lambda play: set(areas(play)) == {"run", "down"}),
    ("2011", "M", lambda play: areas(play) == Counter(run=1, down=1, inside=2)),
    ("2011", "I", lambda play: set(areas(play)) == {"jump"}),
    ("2012", "S", two("run", "down")),
    ("2012", "E_", two("run", "inside")),
    ("2012", "A_", two("jump", "inside")),
    ("2012", "C_", two("run", "jump")),
    ("2012", "O_", two("down", "jump")),
    ("2012", "N_", two("down", "inside")),
]


@pytest.mark.parametrize(("year", "key", "held"), HELD)
def test_a_family_held_what_its_usage_says(
    year: str, key: str, held: Callable[[Play], bool]
) -> None:
    seen = wider = 0
    for position, roll in random_positions(250, seed=61):
        plays = old(year, position, str(roll))
        expected = [play for play in plays if held(play)]
        if not expected or (key == "S" and not roll.is_doublet):
            continue
        members = plays.family(key).members
        assert sorted(members) == sorted(expected)
        seen += 1
        today = Plays.of(plays).reading(family(key), Right.AREAL).members
        wider += set(today) != set(members)
    assert seen > 5
    assert wider


def points_before_hits(play: Play) -> tuple[object, ...]:
    """More points, the 24pt too, then hits, then what is closer to the 6pt: the lesser the better.

    With the points owned, then with all landings.
    """

    def near(point: int) -> tuple[int, int]:
        return abs(point - 6), point

    board = play.reached.points
    owned = [point for point in range(1, BAR) if board[point] >= 2]
    hits = sorted(-portion.target for portion in play.portions if portion.hits)
    landings = sorted(near(portion.target) for portion in play.portions)
    return -len(owned), -len(hits), hits, sorted(map(near, owned)), landings


def test_areal_families_were_ranked_by_points_and_nearness() -> None:
    changed = 0
    for position, roll in random_positions(120, seed=62):
        plays = old("2010", position, str(roll))
        for row in Plays.of(plays).areal_families():
            reading = plays.family(row.key)
            if len(reading.members) < 2:
                continue
            keys = [points_before_hits(play) for play in reading.members]
            assert keys == sorted(keys)
            changed += reading.members != Plays.of(plays).family(row.key).members
    assert changed > 50


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
        ("2010", "O", ["more points", "hit", "6pt, points", "6pt, blots and spares"]),
        ("2010", "T", ["more points", "hit", "fewer blots", "6pt, points"]),
        ("2010", "X", ["higher point", "more points", "6pt, points"]),
        ("2013", "O", ["more points", "6pt, points"]),
    ],
)
def test_the_order_of_a_family_says_its_conventions(year: str, key: str, first: list[str]) -> None:
    order = old(year, STANDARD, "31").family(key).order
    assert [one.name for one in order.conventions][: len(first)] == first
    assert (order.hit is None) == (year == "2010" or key == "$")


def test_a_missing_landing_ranks_between_the_sides_by_nearness_too() -> None:
    # The tutorial's #71: 13/6 has one landing, 18/13 8/6 has another on the 13pt.
    plays = old("2010", parse_position_id("cOdgAzDgOfHgAA"), "52")
    names = [format_play(play) for play in plays.family("T").members]
    assert names == ["13/8 10/8", "18/13 10/8", "13/6", "18/13 8/6"]


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
    assert dialect_on("2014-01-01") == CURRENT
    assert dialect_on("1999-12-31").usages == DIALECTS["2009"].usages


@pytest.mark.parametrize(
    ("look", "today", "then"),
    [
        # Upper, lower, italic upper, italic lower; underlined; bold, underlined and bold.
        (("P", "", True, False, 0), ["P{3}"], ["P{3}"]),
        (("P", "_", False, False, 0), None, ["P{5}"]),
        (("p", "_", True, False, 0), None, ["p{8}"]),
        (("P", "", False, True, 0), ["P{5}"], ["P{9}"]),
        (("p", "", True, True, 0), ["p{8}"], ["p{12}"]),
        (("p", "_", True, True, 0), None, ["p{16}"]),
        (("U", "_", False, False, 0), ["U_"], ["U_", "U{9}"]),
        (("e", "_", False, False, 0), ["e_"], ["e_", "e{6}"]),
        (("E", ".", False, False, 0), ["E."], ["E."]),
        (("$", "", False, True, 0), ["${5}"], ["${9}"]),
        (("P", "", False, False, 1), ["P{9}"], ["P{17}"]),
    ],
)
def test_members_5_to_8_were_underlined_and_9_to_16_bold(
    look: tuple[str, str, bool, bool, int], today: list[str] | None, then: list[str]
) -> None:
    glyph, mark, italic, bold, colour = look
    assert list(map(str, DIALECTS["2010"].names(glyph, mark, italic, bold, colour))) == then
    for newer in ("2011", "current"):
        if today is None:
            with pytest.raises(MalformedError):
                DIALECTS[newer].names(glyph, mark, italic, bold, colour)
        else:
            found = DIALECTS[newer].names(glyph, mark, italic, bold, colour)
            assert list(map(str, found)) == today


def test_nothing_that_looks_like_nothing_is_a_name() -> None:
    for dialect in DIALECTS.values():
        with pytest.raises(MalformedError):
            dialect.names("?", "_", False, False, 0)
    assert Nactation(family("P"), 5) in DIALECTS["2009"].names("P", "_", False, False, 0)


def test_a_spare_is_floated() -> None:
    seen = 0
    for position, roll in random_positions(250, seed=64):
        plays = old("2010", position, str(roll))
        expected = [play for play in plays if floats(play)]
        if not roll.is_doublet and expected:
            assert sorted(plays.family("F").members) == sorted(expected)
            seen += 1
    assert seen > 10


def test_the_documentation_has_the_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    section = text.partition("## Older usage\n")[2]
    rows = [line for line in section.splitlines() if line.startswith("| 20")]
    assert rows == [
        f"| {usage.until} | {usage.meaning} | {usage.characters} | {usage.section} |"
        for usage in USAGES
    ]


def test_a_point_of_three_is_no_stack() -> None:
    """Stacks are of four or more (section 10: the tall points of the old ranking of slots)."""
    [three] = [play for play in Plays(board({8: 3, 6: 2}, {}), Roll(1, 1)) if str(play) == "6/4(2)"]
    assert set(_unstacked(three)) == {0}
    [four] = [play for play in Plays(board({8: 4, 6: 2}, {}), Roll(1, 1)) if str(play) == "6/4(2)"]
    assert _unstacked(four)[0] == -4
