"""Matches as rows, compared with JSON of the same matches and with counts by hand."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.archive.database import UNIT, open_archive
from gnubg_nactation.archive.indexing import (
    CONTENT,
    FileRow,
    MatchRow,
    add_file,
    match_row,
    read_rows,
)
from gnubg_nactation.archive.parquet import export_parquet
from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.ids import packed_id, parse_position_id
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Take,
    Turn,
    replay,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.plays import Plays
from tests.archive.contents import check
from tests.cli.running import MATCH, SAMPLES
from tests.strategies import random_match

_ACTS: dict[type, CubeAct] = {Double: CubeAct.DOUBLE, Take: CubeAct.TAKE, Drop: CubeAct.DROP}


def with_random_analysis(match: Match, rng: random.Random) -> Match:
    """The match with a random analysis; some rolls have no luck."""
    lucky = 1 if rng.random() < 0.5 else 0.9
    return replace(
        match,
        games=tuple(
            replace(
                game,
                actions=tuple(
                    _with_random_analysis(turn, rng, lucky) for turn in replay(match, game)
                ),
            )
            for game in match.games
        ),
    )


def _points(rng: random.Random) -> float:
    return rng.randint(-UNIT, UNIT) / UNIT


def _with_random_analysis(turn: Turn, rng: random.Random, lucky: float) -> Action:
    action = turn.action
    cube = CubeAnalysis(CubeAct.NO_DOUBLE, _points(rng), _points(rng), "2-ply")
    if isinstance(action, Move):
        luck = _points(rng) if rng.random() < lucky else None
        plays = rng.sample(turn.plays, min(2, len(turn.plays)))
        hops = [tuple(Hop(p.source, p.target, p.hits) for p in play.portions) for play in plays]
        equities = sorted((_points(rng) for _ in plays), reverse=True)
        candidates = tuple(
            Candidate(play_hops, equity, "2-ply")
            for play_hops, equity in zip(hops, equities, strict=True)
        )
        rank = next((at for at, play in enumerate(plays) if play == turn.play), None)
        play = PlayAnalysis(candidates, rank) if candidates else None
        return replace(
            action, analysis=MoveAnalysis(play, cube if rng.random() < 0.3 else None, luck)
        )
    if isinstance(action, Double | Take | Drop):
        return replace(action, analysis=replace(cube, act=_ACTS[type(action)]))
    return action


def units(points: float | None) -> int | None:
    return None if points is None else round(points * UNIT)


def json_turns(annotated: AnnotatedMatch) -> Iterator[dict[str, Any]]:
    """Each turn as JSON, with the result of its game and the luck of later rolls."""
    value = json.loads(format_json(annotated))
    for game in value["games"]:
        turns = [turn for turn in value["turns"] if turn["game"] == game["game"]]
        rolls = [turn for turn in turns if turn["roll"]]
        is_adjusted = all("luck" in turn for turn in rolls)
        for turn in turns:
            if turn["action"] == "resign":
                continue
            won = None
            if game["result"]:
                points = game["result"]["points"]
                won = points if game["result"]["winner"] == turn["player"] else -points
            turn["result"], turn["adjusted"] = won, None
            if won is not None and is_adjusted:
                later = (roll for roll in rolls if roll["turn"] > turn["turn"])
                luck = sum(
                    units(roll["luck"])
                    * 2 ** int(roll["xgid"].split(":")[1])
                    * (1 if roll["player"] == turn["player"] else -1)
                    for roll in later
                )
                turn["adjusted"] = won * UNIT - luck
            yield turn


def rows_of(row: MatchRow) -> Iterator[dict[str, Any]]:
    """The rows with the keys of JSON."""
    for game in row.games:
        for turn in game.turns:
            action = turn.nactation if not turn.roll else "move"
            value: dict[str, Any] = {
                "game": game.number,
                "turn": turn.turn,
                "player": turn.player,
                "action": "double" if action in {"beaver", "raccoon"} else action,
                "roll": str(turn.roll) if turn.roll else None,
                "play": turn.play if turn.roll else None,
                "nactation": (turn.nactation or None) if turn.roll else None,
                "position_id": packed_id(turn.position),
                "result": turn.result,
                "adjusted": turn.adjusted,
                "luck": turn.luck,
                "best": turn.best,
            }
            if turn.roll:
                value |= {"error": turn.error, "cube_error": turn.missed}
            else:
                value |= {"error": None, "cube_error": turn.error}
            yield value


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_rows_agree_with_json(seed: int) -> None:
    match = with_random_analysis(random_match(seed, max_games=2), random.Random(seed))
    annotated = annotate(match)
    for row, turn in zip(rows_of(match_row(annotated)), json_turns(annotated), strict=True):
        for name in ("error", "cube_error", "luck"):
            turn[name] = units(turn.get(name))
        if turn["roll"] and len(_legal(turn)) == 1:
            turn["error"] = None  # a forced play has no error
        assert row == {name: turn.get(name) for name in row}


def _legal(turn: dict[str, Any]) -> tuple[Play, ...]:
    return legal_plays(parse_position_id(turn["position_id"]), Roll.parse(turn["roll"]))


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_totals_of_nodes_agree_with_a_plain_recount(seed: int) -> None:
    rng = random.Random(seed)
    archive = [
        with_random_analysis(random_match(rng.getrandbits(32), max_games=2), rng) for _ in range(2)
    ]
    archive = [
        replace(match, players=(f"Ann{at}", "Ben"))
        for at, match in enumerate([*archive, archive[0]])
    ]
    archive[2] = replace(archive[2], players=("ANN0", "ben"))  # the same match as the first
    files = list(enumerate(map(annotate, archive)))
    rng.shuffle(files)
    connection = open_archive(":memory:", create=True)
    for at, annotated in files:
        add_file(connection, FileRow(f"{at}.mat"), [match_row(annotated)])
    counted: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for _, annotated in [file for file in files if file[0] < 2]:
        for turn in json_turns(annotated):
            cube = turn["action"] != "move"
            lost = turn.get("cube_error") if cube else turn.get("error")
            numbers = 1, turn["result"], turn["adjusted"], units(lost), units(turn.get("luck"))
            node = counted[turn["position_id"], turn["roll"] or "0"]
            node[:] = [total + (number or 0) for total, number in zip(node, numbers, strict=True)]
    sums = "position, roll, count(*), sum(result), sum(adjusted), sum(error), sum(luck)"
    candidates = {
        (packed_id(position), str(roll)): [total or 0 for total in totals]
        for position, roll, *totals in connection.execute(
            f"SELECT {sums} FROM turns GROUP BY position, roll"
        )
    }
    check(connection)
    connection.close()
    assert candidates == counted


def test_totals_agree_with_duckdb_over_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    rng = random.Random(5)
    connection = open_archive(":memory:", create=True)
    for at in range(3):
        match = replace(
            with_random_analysis(random_match(at), rng), players=('A "B", \\N', f"Été {at}")
        )
        headers = (("Event", ""),) if at else (("Event", "Open, 5"), ("EventDate", "2024.02.29"))
        row = match_row(annotate(replace(match, headers=headers)))
        add_file(connection, FileRow(f"a,\n{at}\udcff.mat"), [row])
    export_parquet(connection, f"{tmp_path}/")
    names = "result", "adjusted", "luck", "error", "missed"
    ours = connection.execute(
        "SELECT position, roll, nactation, count(*), count(best), "
        + ", ".join(f"coalesce(sum({name}), 0), count({name})" for name in names)
        + " FROM turns GROUP BY position, roll, nactation"
    )
    theirs = duckdb.sql(
        "SELECT position, roll, nactation, count(*), count(best), "
        + ", ".join(
            f"coalesce(round(sum({name}){'' if name == 'result' else f' * {UNIT}'})::BIGINT, 0),"
            f" count({name})"
            for name in names
        )
        + f" FROM '{tmp_path}/turns.parquet' GROUP BY ALL"
    ).fetchall()
    assert sorted((packed_id(row[0]), *row[1:]) for row in ours) == sorted(theirs)
    facts = duckdb.sql(
        "SELECT DISTINCT player, opponent, event, date::VARCHAR, file"
        f" FROM '{tmp_path}/turns.parquet' WHERE opponent LIKE 'É%' ORDER BY opponent"
    ).fetchall()
    assert [row[:4] for row in facts] == [
        ('A "B", \\N', "Été 0", "Open, 5", "2024-02-29"),
        ('A "B", \\N', "Été 1", "", None),
        ('A "B", \\N', "Été 2", "", None),
    ]
    assert facts[0][4] == "a,\n0?.mat"
    columns = "away - opponent_away = opponent_score - score"
    wrong = f"SELECT count(*) FROM '{tmp_path}/turns.parquet' WHERE NOT ({columns})"
    assert duckdb.sql(wrong).fetchall() == [(0,)]
    order = f"SELECT file, match, game, turn FROM '{tmp_path}/turns.parquet'"
    places = duckdb.sql(order).fetchall()
    assert places == sorted(places)
    connection.close()


def only_match(data: bytes) -> MatchRow:
    [row] = read_rows(data)
    return row


def test_rows_of_a_short_match_are_as_expected() -> None:
    row = only_match(b'; [EventDate "2019.03.02"]\n; [Event "Open"]\n\n' + MATCH)
    assert (row.players, row.date, row.event) == (("Ann", "Ben"), "2019-03-02", "Open")
    [game] = row.games
    assert game.sequence == "54S-63R-31P"
    assert [turn[1:8] for turn in game.turns] == [
        (54, 1, 0, 1, None, "S", "24/20 13/8"),
        (63, 2, 1, 1, None, "R", "24/15"),
        (31, 3, 0, 1, None, "P", "8/5 6/5"),
    ]
    assert packed_id(game.turns[0].position) == "4HPwATDgc/ABMA"  # gnubg's start
    assert {turn[8:] for turn in game.turns} == {(None,) * 9}  # no result and no analysis


CUBE = b"""\
 0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 54: 24/20 13/8              Doubles => 2
  2) Beavers => 4                63: 24/15
  3) 31: 8/5 6/5                 66: 13/7(2) 8/2(2)
  4)  Doubles => 8               Drops
      Wins 4 points
"""


def test_cube_actions_have_their_own_rows() -> None:
    [game] = only_match(CUBE).games
    cubes = [turn[3:7] for turn in game.turns if not turn.roll]
    assert cubes[0] == (1, 1, None, "double")
    assert cubes[-2:] == [(0, 4, 0, "double"), (1, 4, 0, "drop")]
    assert [turn.result for turn in game.turns if turn.roll] == [4, -4, 4, -4]
    assert (game.invalid_because, game.winner, game.points) == ("", 0, 4)


def test_every_answer_after_a_beaver_is_a_raccoon() -> None:
    doubles = tuple(Double(Player(at % 2)) for at in range(6))
    match = Match(("Ann", "Ben"), 0, (Game(1, (0, 0), doubles),))
    [game] = match_row(annotate(match)).games
    names = [turn.nactation for turn in game.turns]
    assert names == ["double", "beaver", *["raccoon"] * 4]


@pytest.mark.parametrize(
    ("won", "odd"),
    [
        (b"Wins 4016 points", "the points won are 4016, with the cube at 1 expected 1, 2 or 3"),
        (b"Wins 3 points", ""),
        (b"", ""),
    ],
)
def test_an_impossible_result_is_marked_and_left_out(won: bytes, odd: str) -> None:
    [game] = only_match(
        MATCH.replace(b"3 point match", b"0 point match") + b"      " + won + b"\n"
    ).games
    assert game.invalid_because == odd
    is_adjusted = bool(won) and not odd
    assert [turn.result for turn in game.turns] == ([3, -3, 3] if is_adjusted else [None] * 3)


def test_an_impossible_result_is_marked_on_an_unknown_board() -> None:
    lost = MATCH.replace(b"63: 24/15", b"63: 3/1    ").replace(b"3 point", b"0 point")
    [game] = only_match(
        lost + b"                                 61: 8/7\n      Wins 64 points\n"
    ).games
    assert game.invalid_because == "the points won are 64, with the cube at most at 1"


def test_absurd_numbers_are_stored() -> None:
    cubes = b"".join(b" %2d)  Doubles => 2               Takes\n" % at for at in range(4, 99))
    match = MATCH.replace(b"3 point", b"999999999 point").replace(b"6/5\n", b"6/5 61: 8/7 6/5\n")
    match = match.replace(b"Ann : 0", b"Ann : 99999999") + cubes + b"      Wins 999999999 points\n"
    archive = open_archive(":memory:", create=True)
    [row] = read_rows(match)
    add_file(archive, FileRow("a.mat"), [row])
    assert archive.execute("SELECT max(cube) FROM turns").fetchone() == (10**12,)
    assert row.games[0].invalid_because.startswith(
        "the points won are 999999999, with the cube at "
    )
    archive.close()


def test_a_game_after_the_end_of_the_match_is_marked() -> None:
    over = MATCH.replace(b"Ann : 0", b"Ann : 5") + b"      Wins 1 point\n"
    row = only_match(over)
    assert row.invalid_because == "game 1 begins at 5 to 0, to 3 points"
    assert {turn.result for turn in row.games[0].turns} == {None}
    level = MATCH.replace(b"Ann : 0", b"Ann : 3")
    assert only_match(level).invalid_because == "game 1 begins at 3 to 0, to 3 points"
    assert only_match(MATCH.replace(b"Ann : 0", b"Ann : 2")).invalid_because == ""


def test_an_illegal_play_has_no_row() -> None:
    [game] = only_match(MATCH.replace(b"24/15", b"24/14")).games
    assert [turn.roll for turn in game.turns] == [54, 31]
    assert game.sequence == "54S-63?-31P"


def test_an_unreadable_date_hides_no_other() -> None:
    tags = b'; [EventDate "????.??.??"]\n; [Date "2019.03.02"]\n\n'
    assert only_match(tags + MATCH).date == "2019-03-02"


@pytest.mark.parametrize(
    ("tag", "date"),
    [
        ("2019.03.02", "2019-03-02"),
        ("2019-3-2", "2019-03-02"),
        ("2019.02.30", ""),
        ("2019.03.021", ""),
        ("March 2019", ""),
        ("????.??.??", ""),
    ],
)
def test_a_date_is_a_day_or_nothing(tag: str, date: str) -> None:
    assert only_match(f'; [EventDate "{tag}"]\n\n'.encode() + MATCH).date == date


def test_a_rating_is_removed_from_a_name() -> None:
    assert only_match(MATCH.replace(b"Ann :", b"Ann,1712 :")).players == ("Ann", "Ben")
    assert only_match(MATCH.replace(b"Ann :", b"Ann,12 :")).players == ("Ann,12", "Ben")


def test_an_analysis_of_the_beginnings_adjusts_nothing() -> None:
    match = with_random_analysis(random_match(3, max_games=2), random.Random(1))
    rows = [match_row(annotate(match), cut=cut) for cut in (False, True)]
    is_adjusted = [
        Counter(t.adjusted is not None for g in row.games for t in g.turns) for row in rows
    ]
    assert is_adjusted[0][True] > 0
    assert is_adjusted[1][True] == 0
    assert rows[0].content == rows[1].content


def test_the_number_of_the_content_is_up_to_date() -> None:
    """Databases keep rows with the same number, so raise it with any change of content."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted({*SAMPLES.iterdir()} - {*SAMPLES.glob("*.xg")}):  # they need an extra
        digest.update(repr(_values(read_rows(file.read_bytes()))).encode())
    (match,) = read(SAMPLES / "match-7pt.mat")
    for game in match.games:
        for turn in replay(match, game):
            plays = Plays.of(turn.plays)
            digest.update(
                " ".join(str(plays.name(play).naming.nactation) for play in plays).encode()
            )
    digests = {7: "28fa8d1b94ec1580"}
    assert digests.get(CONTENT) == digest.hexdigest(), "raise CONTENT, and note its digest here"


def _values(rows: object) -> object:
    """Rows as plain tuples: the names of their fields are not stored."""
    return tuple(map(_values, rows)) if isinstance(rows, (tuple, list)) else rows
