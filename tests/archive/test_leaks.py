"""Leaks against hand-counted archives, and against a plain recount of random ones."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.leaks import Cost, Leak, Leaks, find_leaks
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.decode import decode
from tests.archive.by_hand import Played, Record, fill


def rolled(player: int, roll: int, name: str, error: int | None, **more: object) -> Played:
    return Played(STANDARD, player, roll, name, error=error, **more)  # type: ignore[arg-type]


def acted(player: int, act: str, error: int | None, owner: int | None = None) -> Played:
    return Played(STANDARD, player, 0, act, error=error, owner=owner)


ARCHIVE = [
    Record(
        (
            rolled(0, 21, "S", 3000, best="$", play="24/23 13/11"),
            rolled(1, 63, "R", 0),
            rolled(0, 31, "P", 0, missed=5000),
            rolled(0, 55, "", None),  # forced, so it has no error
        ),
        date="2024-03-01",
    ),
    Record(
        (
            rolled(1, 21, "S", 5000, best="$"),
            acted(1, "double", 1000),
            acted(0, "take", 4000),
            rolled(1, 21, "$", 0, missed=None),
        ),
        ("Ben", "Ann"),
        score=(3, 5),
        date="2024-07-01",
    ),
    Record((rolled(0, 21, "S", None), rolled(1, 63, "R", None)), date="2024-08-01"),
    Record((rolled(0, 21, "S", 10_000, best="v"),), length=0),
]


def test_leaks_of_a_small_archive_agree_with_a_count_by_hand() -> None:
    with closing(fill(ARCHIVE)) as connection:
        report = find_leaks(connection, Filters(player="ann", min_count=2))
        single = find_leaks(connection, Filters(player="Ann", min_count=1))
        (bens,) = find_leaks(connection, Filters(player="Ben", min_count=1)).cubes
    account = report.account
    assert (account.games, account.analysed, account.plays, account.cubes) == (4, 3, 5, 2)
    assert account.wrong_plays == Cost(3, 18_000)
    assert account.wrong_cubes == Cost(2, 6000)
    assert account.per_hundred(account.wrong_plays) == pytest.approx(6)  # 0.18 in three games
    (play,) = report.plays
    assert (play.made, play.best, play.now, play.faced) == ("S", "v", Cost(3, 18_000), 4)
    assert play.now.mean == pytest.approx(0.06)
    assert [(leak.lost, leak.place.decision) for leak in play.examples] == [
        (0.1, "4.1.1a"),
        (0.05, "2.1.1b"),
        (0.03, "1.1a"),
    ]
    (family,) = report.families  # U also names v, which occurred once
    assert (family.made, family.best, family.now) == ("S", "$", Cost(2, 8000))
    assert not report.cubes
    assert [(leak.made, leak.away, leak.now.lost, leak.scores) for leak in single.cubes] == [
        ("missed double", 7, 5000, (((7, 7), 1),)),
        ("wrong double", 2, 1000, (((2, 4), 1),)),
    ]
    assert [(leak.made, leak.best) for leak in single.families] == [("S", "U"), ("S", "$")]
    assert (bens.made, bens.away, bens.examples[0].state.doubled) == ("wrong take", 4, True)


def test_doubles_and_redoubles_are_counted_separately() -> None:
    """The answers to doubles and redoubles are counted together."""
    turns = (
        rolled(0, 31, "P", 0, missed=5000),
        rolled(0, 31, "P", 0, missed=7000, owner=0),
        acted(0, "double", 1000, owner=0),
        acted(0, "double", 2000),
        acted(0, "take", 3000),
        acted(0, "take", 4000, owner=1),
    )
    with closing(fill([Record(turns, length=0)])) as connection:
        report = find_leaks(connection, Filters(player="Ann", min_count=1))
    assert [(leak.made, leak.now.lost, leak.now.times) for leak in report.cubes] == [
        ("missed redouble", 7000, 1),
        ("wrong take", 7000, 2),
        ("missed double", 5000, 1),
        ("wrong double", 2000, 1),
        ("wrong redouble", 1000, 1),
    ]
    assert [leak.state.doubled for leak in report.cubes[1].examples] == [True, True]


def test_the_costliest_decisions_come_first_however_rare() -> None:
    with closing(fill(ARCHIVE)) as connection:
        report = find_leaks(connection, Filters(player="Ann", min_count=2), limit=3)
    decisions = [(one.made, one.place.decision, one.lost, one.players) for one in report.costliest]
    assert decisions == [
        ("S", "4.1.1a", 0.1, ("Ann", "Ben")),
        ("missed double", "1.2a", 0.05, ("Ann", "Ben")),
        ("S", "2.1.1b", 0.05, ("Ben", "Ann")),
    ]


THREE_PLAYS = (
    # 21: 24/23 gives up the 24 point, 6/5 slots the 5 point; 31 has a point to make.
    rolled(0, 21, "S", 3000, best="$", play="24/23 13/11"),
    rolled(1, 31, "N", 15_000, best="P", play="24/23 13/10"),
    acted(0, "double", 9000),
    acted(1, "drop", 0),
)


def test_themes_phases_and_replies() -> None:
    with closing(fill([Record(THREE_PLAYS)])) as connection:
        ann = find_leaks(connection, Filters(player="Ann", min_count=1))
        ben = find_leaks(connection, Filters(player="Ben", min_count=1))
    assert [(leak.made, leak.now) for leak in ann.themes] == [
        ("too good to double", Cost(1, 9000)),  # the drop was right
        ("broken anchor", Cost(1, 3000)),
    ]
    assert [(leak.made, leak.now.lost) for leak in ann.phases] == [("opening", 12_000)]
    assert not ann.replies
    assert [(leak.made, leak.now.lost) for leak in ben.themes] == [("missed point", 15_000)]
    assert [(leak.made, leak.now.lost) for leak in ben.replies] == [("21S-31", 15_000)]
    assert ann.shown_share == ben.shown_share == 1


def test_a_reply_is_one_to_an_opening_from_the_start_of_a_game() -> None:
    begins = {"N 21S-31": NACKGAMMON, "": decode("43Z").state.position}
    for opening, position in begins.items():
        first, reply = (turn._replace(position=position) for turn in THREE_PLAYS[:2])
        with closing(fill([Record((first, reply))])) as connection:
            leaks = find_leaks(connection, Filters(player="Ben", min_count=1))
        assert leaks.account.wrong_plays == Cost(1, 15_000)
        assert [leak.made for leak in leaks.replies] == [opening] * bool(opening)


def test_what_no_theme_explains_is_not_shown() -> None:
    turns = (THREE_PLAYS[0], rolled(0, 21, "S", 1000, best="", play="24/23 13/11"))
    with closing(fill([Record(turns)])) as connection:
        report = find_leaks(connection, Filters(player="Ann"))
    assert [leak.made for leak in report.themes] == ["broken anchor", "other"]
    assert report.shown_share == 0.75


def test_margins_of_error_need_twenty_games() -> None:
    """Losses of 0.1 and 0.3 points in turn: mean 0.2, deviation 0.1026, 2.093 of its errors."""
    games = [
        Record((rolled(0, 21, "S", 10_000 + 20_000 * (at % 2), best="$"),)) for at in range(20)
    ]
    with closing(fill(games[:19])) as connection:
        few = find_leaks(connection, Filters(player="Ann"))
    with closing(fill(games)) as connection:
        report = find_leaks(connection, Filters(player="Ann"))
    assert few.account.has_few_games
    assert few.account.margin is None
    assert not report.account.has_few_games
    assert report.account.per_hundred(report.account.wrong) == pytest.approx(20)
    assert report.account.margin == pytest.approx(4.802, abs=0.001)
    assert report.themes[0].margin == report.account.margin


def test_two_periods_are_compared() -> None:
    with closing(fill(ARCHIVE)) as connection:
        report = find_leaks(connection, Filters(player="Ann", since="2024-06", min_count=1))
    assert report.before is not None
    assert (report.account.games, report.account.analysed) == (2, 1)
    assert (report.before.games, report.before.analysed, report.undated) == (1, 1, 1)
    (play,) = report.plays
    assert (play.now, play.before) == (Cost(1, 5000), Cost(1, 3000))
    assert report.account.per_hundred(play.now) == pytest.approx(5)
    assert [(leak.made, leak.now, leak.before) for leak in report.cubes] == [
        ("missed double", Cost(), Cost(1, 5000)),  # fixed
        ("wrong double", Cost(1, 1000), Cost()),
    ]


def test_a_player_may_have_several_names() -> None:
    namesakes = [record._replace(players=("ann77", "Ben")) for record in ARCHIVE[:1]]
    with closing(fill(ARCHIVE + namesakes, handles=("Ann", "nobody"))) as connection:
        together = find_leaks(connection, names=["Ann", "ANN77"])
        mine = find_leaks(connection, Filters(me=True))
        with pytest.raises(IllegalError, match="no player is called 'Zed'"):
            find_leaks(connection, names=["Ann", "Zed"])
    assert together.account.games == 5
    assert mine.account.games == 4


def test_means_of_no_games_are_unknown() -> None:
    with closing(fill(ARCHIVE[2:3])) as connection:
        report = find_leaks(connection, Filters(player="Ann", min_count=1))
    assert (report.account.games, report.account.analysed) == (1, 0)
    assert report.account.per_hundred(report.account.wrong_plays) is None
    assert not (report.plays)
    assert not (report.families)
    assert not (report.cubes)


_ERRORS = st.sampled_from((None, 0, 49, 50, 1200, 43_000))
_OWNERS = st.sampled_from((None, 0, 1))
_TURNS = st.one_of(
    st.tuples(
        st.just(STANDARD),
        st.integers(0, 1),
        st.sampled_from((21, 43)),
        st.sampled_from(("S", "s", "Z", "E_", "P{3}", "")),
        st.sampled_from(("", "24/23 13/11", "24/20 13/10", "13/11 6/5", "13/9 6/3", "1/1")),
        _ERRORS,
        _ERRORS,
        st.sampled_from((None, "S", "$", "E", "^")),
        st.none(),
        st.none(),
        st.just(1),
        _OWNERS,
    ),
    st.tuples(
        st.just(STANDARD),
        st.integers(0, 1),
        st.just(0),
        st.sampled_from(("double", "take", "drop")),
        st.just(""),
        _ERRORS,
        st.none(),
        st.none(),
        st.none(),
        st.none(),
        st.just(2),
        _OWNERS,
    ),
).map(lambda fields: Played(*fields))
_RECORDS = st.tuples(
    st.lists(_TURNS, max_size=5).map(tuple),
    st.just(("Ann", "Ben")),
    st.sampled_from((0, 5)),
    st.sampled_from(((0, 0), (3, 1))),
    st.booleans(),
    st.sampled_from(("", "2023-05-05", "2024-05-05")),
).map(lambda fields: Record(*fields))
_FAULTS = {"double": "wrong double", "take": "wrong take", "drop": "wrong drop"}


def recount(records: list[Record]) -> dict[tuple[object, ...], list[int]]:
    """Ann's losses by play, by families and by fault and score, counted turn by turn."""
    report: dict[tuple[object, ...], list[int]] = defaultdict(lambda: [0, 0])

    def add(key: tuple[object, ...], lost: int | None) -> None:
        if lost and lost >= 50:  # less is .000 in all outputs
            report[key][0] += 1
            report[key][1] += lost

    def family(name: str | None) -> str:
        return parse_nactation(name).family.key if name else ""

    for record in records:
        away = record.length - record.score[0] if record.length else None
        for turn in record.turns:
            if turn.player == 0 and turn.roll:
                add(("play", turn.roll, turn.nactation), turn.error)
                add(("family", family(turn.nactation), family(turn.best)), turn.error)
                add(
                    ("cube", "missed redouble" if turn.owner == 0 else "missed double", away),
                    turn.missed,
                )
            elif turn.player == 0 and turn.nactation == "double" and turn.owner == 0:
                add(("cube", "wrong redouble", away), turn.error)
            elif turn.player == 0:
                add(("cube", _FAULTS[turn.nactation], away), turn.error)
    return report


def costs_of(report: Leaks, at: int) -> dict[tuple[object, ...], list[int]]:
    """The costs of all leaks, now (0) or before (1), without empty ones."""
    every: dict[tuple[object, ...], Leak] = {
        **{
            ("play", int(str(leak.examples[0].state.roll)), leak.made): leak
            for leak in report.plays
        },
        **{("family", leak.made, leak.best): leak for leak in report.families},
        **{("cube", leak.made, leak.away): leak for leak in report.cubes},
    }
    costs = {key: (leak.now, leak.before)[at] for key, leak in every.items()}
    return {key: list(cost) for key, cost in costs.items() if cost and cost.times}


@settings(max_examples=30, deadline=None)
@given(st.lists(_RECORDS, min_size=1, max_size=5))
def test_the_leaks_add_up_to_all_errors(records: list[Record]) -> None:
    """Nothing is lost or counted twice, in either period, and the sums agree with the account."""
    with closing(fill(records)) as connection:
        report = find_leaks(connection, Filters(player="Ann", min_count=1), limit=1000)
        divided = find_leaks(
            connection, Filters(player="Ann", min_count=1, since="2024"), limit=1000
        )
    assert costs_of(report, 0) == recount(records)
    later = [record for record in records if record.date >= "2024"]
    earlier = [record for record in records if "" < record.date < "2024"]
    assert costs_of(divided, 0) == recount(later)
    assert costs_of(divided, 1) == recount(earlier)
    for kind, cost in (
        (report.plays, report.account.wrong_plays),
        (report.families, report.account.wrong_plays),
        (report.cubes, report.account.wrong_cubes),
    ):
        assert sum(leak.now.lost for leak in kind) == cost.lost
        assert sum(leak.now.times for leak in kind) == cost.times
    for cut in (divided.themes, divided.phases):
        assert sum(leak.now.lost for leak in cut) == divided.account.wrong.lost
        assert sum(leak.now.times for leak in cut) == divided.account.wrong.times
        assert sum(leak.before.lost for leak in cut if leak.before) == (
            divided.before.wrong.lost if divided.before else 0
        )
    assert 0 <= divided.shown_share <= 1
