"""Nodes compared with a plain recount of the same turns without SQL."""

from __future__ import annotations

import math
import sqlite3
import statistics
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.database import UNIT, open_archive
from gnubg_nactation.archive.filters import ALL, Filters, check_filters
from gnubg_nactation.archive.indexing import FileRow, add_file, read_rows
from gnubg_nactation.archive.nodes import (
    Mean,
    Node,
    PlayRow,
    RollRow,
    _way,
    node,
    reordered,
    with_ways,
)
from gnubg_nactation.archive.trees import after, branches, tree
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.files.formats import read
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import SAMPLES

_PLACES = (STANDARD, after(STANDARD, "8/5 6/5"), after(STANDARD, "8/5 6/5").switch_sides())
_POINTS = st.none() | st.integers(-8, 8)
_ERRORS = st.none() | st.sampled_from((0, 1200, 43_000))
_NONE = st.none()
_ROLLED = st.builds(
    Played,
    play=st.just(""),
    cube=st.sampled_from((1, 2)),
    position=st.sampled_from(_PLACES),
    player=st.integers(0, 1),
    roll=st.sampled_from((31, 63)),
    nactation=st.sampled_from("PSz"),
    error=_ERRORS,
    missed=_ERRORS,
    best=st.sampled_from((None, None, "P")),
    result=_POINTS,
    adjusted=st.none() | st.integers(-3 * UNIT, 3 * UNIT),
    owner=st.sampled_from((None, 0, 1)),
    near=_NONE,
    luck=_NONE,
)
_DOUBLED = st.builds(
    Played,
    play=st.just(""),
    missed=_NONE,
    best=_NONE,
    adjusted=_NONE,
    cube=st.just(1),
    owner=_NONE,
    near=_NONE,
    luck=_NONE,
    position=st.sampled_from(_PLACES),
    player=st.integers(0, 1),
    roll=st.just(0),
    nactation=st.just("double"),
    error=_ERRORS,
    result=_POINTS,
)


@st.composite
def _records(draw: st.DrawFn) -> Record:
    """A game of rolls and doubles in any order; a double is taken, beavered or, last, dropped."""
    turns: list[Played] = []
    for entry in draw(st.lists(_ROLLED | _DOUBLED, min_size=1, max_size=8)):
        turns.append(entry)
        if not entry.roll:
            switched = entry.position.switch_sides(), 1 - entry.player
            answer = entry._replace(position=switched[0], player=switched[1], nactation="take")
            if draw(st.integers(0, 3)):
                turns.append(answer)
            else:
                turns += [answer._replace(nactation="beaver"), entry._replace(nactation="take")]
    if not turns[-1].roll and turns[-2].nactation == "double" and turns[-1].nactation == "take":
        turns[-1] = turns[-1]._replace(nactation="drop")
    return Record(
        tuple(turns),
        players=draw(st.sampled_from((("Ann", "Ben"), ("ben", "Cid")))),
        length=draw(st.sampled_from((0, 3))),
        score=draw(st.sampled_from(((0, 0), (2, 0), (1, 1)))),
        crawford=draw(st.booleans()),
        date=draw(st.sampled_from(("", "2023-12-31", "2024-05-02"))),
        event=draw(st.sampled_from(("", "Paris Open"))),
    )


_FILTERS = st.sampled_from(
    (
        ALL,
        ALL,
        Filters(player="BEN"),
        Filters(opponent="Ann", since="2024"),
        Filters(me=True),
        Filters(until="2024-05", event="open"),
        Filters(score="-3-3", length=3),
        Filters(score="-1-3C"),
        Filters(score="", min_count=2),
    )
)


def _counts(record: Record, turn: Played, filters: Filters) -> bool:
    """Whether a turn meets the filters as documented."""
    names = record.players[turn.player].lower(), record.players[1 - turn.player].lower()
    away = tuple(record.length - record.score[side] for side in (turn.player, 1 - turn.player))
    scores = {None: True, "": record.length == 0}
    scores["-3-3"] = record.length == 3 and away == (3, 3) and not record.crawford
    scores["-1-3C"] = record.length == 3 and away == (1, 3) and record.crawford
    return (
        filters.player.lower() in {"", names[0]}
        and filters.opponent.lower() in {"", names[1]}
        and (not filters.me or names[0] == "cid")
        and (not filters.since or record.date[:4] >= filters.since)
        and (not filters.until or "" < record.date[:7] <= filters.until)
        and filters.event in record.event.lower()
        and filters.length in {None, record.length}
        and scores[filters.score]
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(_records(), max_size=9), _FILTERS)
def test_a_node_agrees_with_a_plain_recount(records: list[Record], filters: Filters) -> None:
    connection = fill(records, handles=("CID",))
    for place in _PLACES:
        node_rows = node(connection, place, filters)
        turns = [
            (record, number, turn)
            for record in records
            for number, turn in enumerate(record.turns)
            if _counts(record, turn, filters)
        ]
        here = [entry for entry in turns if entry[2].position == place and entry[2].roll]
        assert node_rows.count == len(here)
        assert {(row.roll, row.count) for row in node_rows.rolls} == set(
            Counter(Roll(*divmod(turn.roll, 10)) for *_, turn in here).items()
        )
        for row in node_rows.rolls:
            of_roll = [turn for *_, turn in here if Roll(*divmod(turn.roll, 10)) == row.roll]
            _check_plays(row, of_roll, filters.min_count)
            assert row.share == pytest.approx(row.count / node_rows.count)
        ways = Counter(Record(record.turns[:number]).sequence for record, number, _ in here)
        expected = {way: count for way, count in ways.items() if count >= filters.min_count}
        if not any(turn.nactation == "beaver" for record in records for turn in record.turns):
            assert {way.sequence: way.count for way in node_rows.ways} == expected
        _check_cube(node_rows, turns)
    connection.close()


def _check_plays(row: RollRow, turns: list[Played], min_times: int) -> None:
    counts = Counter(turn.nactation for turn in turns)
    assert {play.nactation for play in row.plays} == {
        name for name, count in counts.items() if count >= min_times
    }
    for play in row.plays:
        same = [turn for turn in turns if turn.nactation == play.nactation]
        assert play.count == len(same)
        assert play.share == pytest.approx(len(same) / len(turns))
        _check_mean(play.error, [turn.error for turn in same], UNIT)
        _check_mean(play.adjusted, [turn.adjusted for turn in same], UNIT)
        _check_mean(play.result, [turn.result for turn in same], 1)
    votes = Counter(turn.best or turn.nactation for turn in turns if turn.best or turn.error == 0)
    if any(turn.error is not None for turn in turns):
        assert votes[row.best] == max(votes.values(), default=0)
    by_error = [play.error.value for play in row.plays if play.error and play.error.count > 1]
    assert by_error == sorted(by_error)
    remaining = [play.count for play in row.plays[len(by_error) :]]
    assert remaining == sorted(remaining, reverse=True)


def _check_mean(mean: Mean | None, values: list[int | None], unit: int) -> None:
    points = [value / unit for value in values if value is not None]
    if not points:
        assert mean is None
        return
    assert mean is not None
    assert mean.count == len(points)
    assert mean.value == pytest.approx(statistics.mean(points))
    if len(set(points)) == 1:
        assert mean.within is None
    else:
        assert mean.within is not None
        # The t of Student's distribution that the interval uses, and the share within it.
        student = mean.within * math.sqrt(len(points)) / statistics.stdev(points)
        assert _within(student, len(points) - 1) == pytest.approx(0.95, abs=0.0005)


def _within(student: float, free: int) -> float:
    """The share of Student's distribution within this distance of 0: its density summed up."""
    steps = 200
    angle = math.atan(student / math.sqrt(free))
    width = angle / steps
    heights = [math.cos((at + 0.5) * width) ** (free - 1) for at in range(steps)]
    whole = math.sqrt(math.pi) * math.exp(math.lgamma(free / 2) - math.lgamma((free + 1) / 2))
    return 2 * sum(heights) * width / whole


@pytest.mark.parametrize("count", [3, 12, 21, 22, 30, 60, 150])
def test_an_interval_has_95_percent(count: int) -> None:
    turns = [Played(STANDARD, 0, 31, "P", result=at % 3) for at in range(count)]
    with closing(fill([Record((turn,)) for turn in turns])) as connection:
        [row] = node(connection, STANDARD).rolls
        _check_mean(row.plays[0].result, [turn.result for turn in turns], 1)


def _check_cube(node_rows: Node, turns: list[tuple[Record, int, Played]]) -> None:
    """Check the counts and errors of cube actions."""
    place, switched = node_rows.position, node_rows.position.switch_sides()
    acts: dict[str, list[int | None]] = {}
    for record, number, turn in turns:
        own = record.score[turn.player]
        may = number and not record.crawford and turn.owner in {None, turn.player}
        alive = not record.length or own + turn.cube < record.length
        if turn.position == place and turn.nactation == "double":
            acts.setdefault("double", []).append(turn.error)
        if turn.position == place and turn.roll and may and alive:
            acts.setdefault("no double", []).append(turn.missed)
        beavered = number and record.turns[number - 1].nactation == "beaver"
        if (
            turn.position == switched
            and turn.nactation in {"take", "beaver", "drop"}
            and not beavered
        ):
            acts.setdefault(turn.nactation, []).append(turn.error)
    rolled = [turn for *_, turn in turns if turn.position == place and turn.roll]
    if "double" not in acts and not any(turn.missed for turn in rolled):
        acts.pop("no double", None)
    assert {row.action: row.count for row in node_rows.cube} == {
        act: len(errors) for act, errors in acts.items()
    }
    for row in node_rows.cube:
        _check_mean(row.error, acts[row.action], UNIT)


@pytest.fixture(scope="module")
def samples() -> Iterator[sqlite3.Connection]:
    connection = open_archive(":memory:", create=True)
    for name in _FILES:
        rows = read_rows((SAMPLES / name).read_bytes())
        add_file(connection, FileRow(name), rows)
    yield connection
    connection.close()


_FILES = ("match-7pt.mat", "match-3pt-analysed.sgf", "nackgammon-5pt.mat")


def test_nodes_of_files_agree_with_a_plain_recount(samples: sqlite3.Connection) -> None:
    """Every position of some files: each turn is replayed and counted."""
    played: Counter[tuple[Position, Roll, str]] = Counter()
    for name in _FILES:
        for game in annotate(read((SAMPLES / name).read_bytes())[0]).games:
            for turn in game.turns:
                if isinstance(turn.action, Move) and turn.state and (turn.play or not turn.plays):
                    played[turn.state.position, turn.action.roll, turn.nactation] += 1
    assert len(played) > 500
    node_rows: Counter[tuple[Position, Roll, str]] = Counter()
    for position in {position for position, *_ in played}:
        entry = node(samples, position)
        assert entry.count == sum(row.count for row in entry.rolls)
        assert sum(way.count for way in entry.ways) == entry.count
        for row in entry.rolls:
            for play in row.plays:
                node_rows[position, row.roll, play.nactation] = play.count
    assert node_rows == played


def test_a_tree_follows_the_plays_by_the_board(samples: sqlite3.Connection) -> None:
    """The tree has the positions that its games reached, once each."""
    depth = 3
    nodes = tree(samples, STANDARD, ALL, depth)
    reached = {STANDARD}
    for name in _FILES[:2]:
        for game in annotate(read((SAMPLES / name).read_bytes())[0]).games:
            turns = [turn for turn in game.turns if isinstance(turn.action, Move)]
            for turn, following in list(pairwise(turns))[: depth - 1]:
                assert turn.state is not None
                assert following.state is not None
                if turn.plays and turn.play is None:
                    break
                reached.add(following.state.position)
    assert set(nodes) == reached
    sequences = [entry.tokens for entry in branches(nodes, STANDARD, depth)]
    assert len(sequences) == len(set(sequences))
    assert {len(tokens) for tokens in sequences} == {1, 2, 3}
    for entry in branches(nodes, STANDARD, depth):
        assert entry.play in entry.roll.plays
        assert entry.roll in entry.parent.rolls


def test_transpositions_are_listed_once() -> None:
    """A board reached by two sequences is a single node with a single subtree."""
    middles = {"63R": after(STANDARD, "24/15"), "54R": after(STANDARD, "24/15")}
    games = [
        Record(
            (
                Played(STANDARD, 0, int(way[:2]), way[2], "24/15"),
                Played(middle, 1, 31, "P", "8/5 6/5"),
                Played(after(middle, "8/5 6/5"), 0, 11, "N", "8/7(2) 6/5(2)"),
            )
        )
        for way, middle in middles.items()
    ]
    with closing(fill([*games, games[0]])) as connection:
        nodes = with_ways(connection, tree(connection, STANDARD, ALL, 3))
        assert len(nodes) == 3
        way = nodes[middles["63R"]].ways
        assert [(entry.sequence, entry.count) for entry in way] == [("63R", 2), ("54R", 1)]
        paths = {
            "-".join(entry.tokens): "-".join(entry.earlier_tokens)
            for entry in branches(nodes, STANDARD, 3)
        }
        assert paths == {"63R": "", "63R-31P": "", "63R-31P-11N": "", "54R": "63R"}


def test_plays_can_be_sorted() -> None:
    def row(name: str, count: int, error: Mean | None, result: float) -> PlayRow:
        return PlayRow(count, 0.1, error, None, Mean(9, result, 0.1), name, "")

    plays = (
        row("S", 9, None, 0.5),
        row("P", 2, Mean(2, 0.02, 0.0), -0.5),
        row("H", 3, Mean(2, 0.0, 0.0), 0.1),
        row("Z", 30, Mean(1, 0.1, None), 0.2),
    )
    entry = Node(STANDARD, 44, (), (RollRow(Roll(3, 1), 44, 1.0, plays, "H"),))

    def names(order: str) -> str:
        return "".join(play.nactation for play in reordered(entry, order).rolls[0].plays)

    assert names("error") == "HPZS"
    assert names("count") == "ZSHP"
    assert names("result") == "SZHP"


@pytest.mark.parametrize(
    "filters", [ALL, Filters(player="Ann", since="2020", score="-3-3", event="x")]
)
def test_queries_use_the_primary_key(samples: sqlite3.Connection, filters: Filters) -> None:
    queries: list[str] = []
    samples.set_trace_callback(queries.append)
    node(samples, after(STANDARD, "8/5 6/5"), filters)
    samples.set_trace_callback(None)
    assert len(queries) >= 3
    for sql in queries:
        steps = [str(row[3]) for row in samples.execute(f"EXPLAIN QUERY PLAN {sql}")]
        assert steps[0].startswith("SEARCH t USING PRIMARY KEY (position=?")
        # Only the names are scanned, once for a query.
        assert {step for step in steps if step.startswith("SCAN")} <= {"SCAN players"}


def test_names_are_checked() -> None:
    with closing(fill([Record((Played(STANDARD, 0, 31, "P"),))])) as connection:
        check_filters(connection, Filters(player="ann", opponent="BEN"))
        with pytest.raises(IllegalError, match=r"no player is called 'Anne'; did you mean 'Ann'\?"):
            check_filters(connection, Filters(player="Anne"))
        with pytest.raises(IllegalError, match="index --me"):
            check_filters(connection, Filters(me=True))


def test_a_redouble_counts_its_take() -> None:
    """Turn 8 is the first of two 31P; double, take, redouble and take are two tokens."""
    sequence = "31P-63R-C-21S-R-31P-31P"
    assert _way(sequence, 8, 31, "P") == "31P-63R-C-21S-R"
    assert _way(sequence, 9, 31, "P") == "31P-63R-C-21S-R-31P"
