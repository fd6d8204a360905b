"""gnubg's analysis in SGF: plays, cube actions, luck, marks and unreadable analyses."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.analysis import (
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.match import Double, Match, Move, SetCube, Take, Turn, replay
from gnubg_nactation.backgammon.notation import resolve
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import blunders, cube_of, remark, totals
from gnubg_nactation.decisions.severity import play_of as play_of_turn
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.files import sgf

SAMPLE = Path(__file__).parents[2] / "sample_matches" / "match-3pt-analysed.sgf"

EVALUATED = (
    b"A[1][aelm E ver 3 0.5 0.1 0.01 0.1 0.01 0.218000 2C 0 1 0.000000 1]"
    b"[qtst E ver 3 0.5 0.1 0.01 0.1 0.01 0.157000 0C 0 1 0.000000 1]"
)
# Saved by gnubg 1.07, the settings of the rollout shortened
ROLLED_OUT = (
    b"A[0][qtst X ver 3 Score 0.06908134371 0.05628137663 Trials 36 Output 0.5121719837"
    b" 0.1585749686 0.007014225703 0.138790071 0.006277710665 0.05628137663 0.5068715215 StdDev"
    b" 0.0009242604137 0.0007807992515 0.0001926156256 0.0008594440296 0.0003304954444"
    b' 0.0035208927 0.0005492040073 SK 0 RC 1 1 0 1 0 1 2 1 1 5 "Mersenne Twister" 4073118220]'
)
MONEY_CUBE = (
    b"DA[E ver 3 0C 1 0.000000 1 0.924209 0.314267 0.001085 0.009535 0.000000 1.154236 0.951494"
    b" 0.924209 0.314267 0.001085 0.009535 0.000000 1.154236 2.256934]"
)
MATCH_CUBE = (
    b"DA[E ver 3 0C 1 0.000000 1 0.523250 0.150613 0.006811 0.137369 0.008742 0.061806 0.509523"
    b" 0.523250 0.150613 0.006811 0.137369 0.008742 0.061806 0.476545]"
)
ROLLED_CUBE = (
    b"DA[X ver 3 Eq Trials 36 NoDouble Output 0.52 0.14 0.006 0.13 0.006 0.058 0.509523"
    b" StdDev 0.001 0.001 0.001 0.001 0.001 0.001 5.8e-04 DoubleTake Output 0.52 0.14 0.006 0.13"
    b" 0.006 0.054 0.476545 StdDev 0.001 0.001 0.001 0.001 0.001 0.001 0.001 SK 0 RC 1 1]"
)


def read(
    *nodes: bytes, length: int = 0, score: tuple[int, int] = (0, 0), root: bytes = b""
) -> Match:
    head = b"(;FF[4]GM[6]MI[length:%d][game:0][ws:%d][bs:%d]PW[A]PB[B]" % (length, *score)
    return sgf.read(head + root + b"\n;" + b"\n;".join(nodes) + b")").match


def analyses(*nodes: bytes, **head: object) -> list[object]:
    (game,) = read(*nodes, **head).games  # type: ignore[arg-type]
    return [getattr(action, "analysis", None) for action in game.actions]


def play_of(*nodes: bytes) -> PlayAnalysis:
    *_, analysis = analyses(*nodes)
    assert isinstance(analysis, MoveAnalysis)
    assert analysis.play
    return analysis.play


def test_evaluated_plays_are_read() -> None:
    play = play_of(b"B[31qtst]" + EVALUATED + b"MR[]BM[1]")
    assert [(choice.text, choice.equity, choice.method) for choice in play.candidates] == [
        ("24/20 13/12", 0.218, "2-ply"),
        ("8/5 6/5", 0.157, "0-ply"),
    ]
    assert (play.rank, play.marked) == (1, ErrorMark.BAD)
    assert play.error == pytest.approx(0.061)


def test_rolled_out_plays_are_read() -> None:
    play = play_of(b"B[31qtst]" + ROLLED_OUT)
    assert [(choice.text, choice.equity, choice.method) for choice in play.candidates] == [
        ("8/5 6/5", 0.06908134371, "rollout")
    ]


# gnubg 1.07's rollout of 54S-63R-31P for money, and in a match to 5 points at 2-1.
_FOR_MONEY = (
    b"A[0][qtst X ver 3 Score 0.2344449311 0.1493459344 Trials 144 Output 0.5417841077"
    b" 0.1618626416 0.005018356722 0.09726549685 0.003837950993 0.1493459344 0.2344449311 StdDev"
    b" 0.004779992625 0.004349032417 0.0008410579176 0.003190303454 0.0005377082271"
    b" 0.01248809323 0.037108697 SK 0 RC 1 1]"
)
_IN_A_MATCH = (
    b"A[0][qtst X ver 3 Score 0.148921892 0.2276758403 Trials 36 Output 0.5444352031 0.1618045568"
    b" 0.006408464629 0.09672667086 0.003038633848 0.2276758403 0.5969115496 StdDev"
    b" 0.002435226692 0.002403615974 0.0003768392198 0.001888897619 0.0001748510404"
    b" 0.01623172127 0.001274930779 SK 0 RC 1 1]"
)


@pytest.mark.parametrize(
    ("data", "error_shown", "head"),
    [(_FOR_MONEY, 0.037, {}), (_IN_A_MATCH, 0.015, {"length": 5, "score": (1, 2)})],
)
def test_the_standard_error_of_a_rollout_is_in_points(
    data: bytes, error_shown: float, head: dict[str, Any]
) -> None:
    """In a match gnubg saves the standard error of winning chances, and shows points."""
    (move,) = analyses(b"B[31qtst]" + data, **head)
    assert isinstance(move, MoveAnalysis)
    assert move.play
    (candidate,) = move.play.candidates
    assert candidate.standard_error == pytest.approx(error_shown, abs=5e-4)


def test_chances_of_plays_are_read() -> None:
    """In gnubg's order: win, gammon, backgammon, lose gammon, lose backgammon."""
    evaluated, _ = play_of(b"B[31qtst]" + EVALUATED).candidates
    assert evaluated.chances == (0.5, 0.1, 0.01, 0.1, 0.01)
    (rolled_out,) = play_of(b"B[31qtst]" + _FOR_MONEY).candidates
    assert rolled_out.chances
    win, gammon, backgammon, lose_gammon, lose_backgammon = rolled_out.chances
    # They add up to the record's equity without the cube, 0.1493459344.
    cubeless = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
    assert cubeless == pytest.approx(0.1493459344, abs=1e-5)


@pytest.mark.parametrize("odds", [b"0.5 0.1 x 0.1 0.01", b"1.5 0.1 0 0.1 0", b"nan 0 0 0 0"])
def test_impossible_chances_are_ignored(odds: bytes) -> None:
    data = b"A[0][qtst E ver 3 %s 0.157000 0C 0 1 0.000000 1]" % odds
    (candidate,) = play_of(b"B[31qtst]" + data).candidates
    assert (candidate.equity, candidate.chances) == (0.157, None)


@pytest.mark.parametrize("lost", [b" StdDev", b" 0.037108697 SK 0 RC 1 1"])
def test_a_rollout_may_be_without_its_standard_error(lost: bytes) -> None:
    (candidate,) = play_of(b"B[31qtst]" + _FOR_MONEY.replace(lost, b"")).candidates
    assert (candidate.equity, candidate.standard_error) == (0.2344449311, None)


@pytest.mark.parametrize(
    ("properties", "mark"),
    [
        (b"BM[1]", ErrorMark.BAD),
        (b"BM[2]", ErrorMark.VERY_BAD),
        (b"DO[]", ErrorMark.DOUBTFUL),
        (b"DO[1]", ErrorMark.DOUBTFUL),
    ],
)
def test_marks_are_read_without_an_analysis(properties: bytes, mark: ErrorMark) -> None:
    assert play_of(b"W[31]" + properties) == PlayAnalysis((), None, mark)
    take = analyses(b"W[double]", b"B[take]" + properties)[1]
    assert take == CubeAnalysis(CubeAct.TAKE, None, None, "", mark)


@pytest.mark.parametrize(
    ("properties", "luck", "mark"),
    [
        (b"LU[0.6]", 0.6, None),
        (b"LU[-0.4]GB[1]", -0.4, Luck.UNLUCKY),
        (b"LU[-0.7]GB[2]", -0.7, Luck.VERY_UNLUCKY),
        (b"LU[0.4]GW[1]", 0.4, Luck.LUCKY),
        (b"GW[2]", None, Luck.VERY_LUCKY),
    ],
)
def test_luck_and_its_mark_are_read(
    properties: bytes, luck: float | None, mark: Luck | None
) -> None:
    assert analyses(b"W[31]" + properties) == [MoveAnalysis(luck=luck, luck_mark=mark)]


def test_cube_actions_for_money_have_errors() -> None:
    double, take, drop = analyses(
        b"W[double]" + MONEY_CUBE, b"B[take]" + MONEY_CUBE + b"BM[2]", b"B[drop]"
    )
    assert double == CubeAnalysis(CubeAct.DOUBLE, 0.951494, 2.256934, "0-ply")
    assert take == CubeAnalysis(CubeAct.TAKE, 0.951494, 2.256934, "0-ply", ErrorMark.VERY_BAD)
    assert drop is None
    assert double.error == 0
    assert take.error == pytest.approx(1.256934)


@pytest.mark.parametrize(("data", "method"), [(MATCH_CUBE, "0-ply"), (ROLLED_CUBE, "rollout")])
def test_winning_chances_become_points(data: bytes, method: str) -> None:
    # gnubg's text of this analysis: no double +0.096, double and take -0.236
    for colour in (b"W", b"B"):
        (move,) = analyses(colour + b"[31]" + data + b"DC[]", length=3)
        assert isinstance(move, MoveAnalysis)
        assert move.cube
        assert (move.cube.act, move.cube.method) == (CubeAct.NO_DOUBLE, method)
        assert move.cube.no_double == pytest.approx(0.096, abs=5e-4)
        assert move.cube.double_take == pytest.approx(-0.236, abs=5e-4)
        assert move.cube.marked is ErrorMark.DOUBTFUL


def test_a_double_worth_as_much_as_playing_on_is_right() -> None:
    # At 0-4 to 7, a point won leaves gnubg's table at a chance of .288770.
    won = b"DA[E ver 3 0C 1 0.0 1 1 0 0 0 0 1 0.288770 1 0 0 0 0 1 0.352050]"
    double, drop = analyses(b"B[double]" + won, b"W[drop]" + won, length=7, score=(4, 0))
    assert isinstance(double, CubeAnalysis)
    assert (double.no_double, double.error, double.best) == (1, 0, "double, pass")
    assert isinstance(drop, CubeAnalysis)
    assert (drop.error, drop.best) == (0, "double, pass")


def test_the_cube_value_counts() -> None:
    # After a take the game is for 2 points, which lead from 0-0 to 1-away, 3-away.
    nodes = b"W[double]", b"B[take]", b"W[31]" + MATCH_CUBE, b"B[double]" + MATCH_CUBE
    for turned in (nodes, (b"CV[2]", b"W[31]" + MATCH_CUBE, nodes[3])):
        *_, move, double = analyses(*turned, length=3)
        assert isinstance(move, MoveAnalysis)
        assert move.cube
        half = 0.75076 - 0.5
        assert move.cube.no_double == pytest.approx((0.509523 - 0.5) / half)
        assert isinstance(double, CubeAnalysis)
        assert double.no_double == move.cube.no_double


def test_a_match_longer_than_the_table_has_no_cube_equities() -> None:
    assert analyses(b"W[31]" + MATCH_CUBE, length=31) == [
        MoveAnalysis(cube=CubeAnalysis(CubeAct.NO_DOUBLE, None, None, "0-ply"))
    ]


def test_a_beaver_has_no_analysis() -> None:
    double, beaver, raccoon, take = analyses(
        *(node + MONEY_CUBE for node in (b"W[double]", b"B[double]", b"W[double]", b"B[take]"))
    )
    assert isinstance(double, CubeAnalysis)
    assert (beaver, raccoon, take) == (None, None, None)


UNREADABLE = [
    b"A[]",
    b"A[0][]",
    b"A[x]" + EVALUATED[4:],
    EVALUATED.replace(b"qtst", b"qts"),
    EVALUATED.replace(b"qtst", b"zyst"),
    EVALUATED.replace(b"qtst", b"qtstqtstqt"),
    EVALUATED.replace(b"0C", b"zero"),
    EVALUATED.replace(b"ver", b"VER"),
    EVALUATED.replace(b"E ver 3", b"E"),
    EVALUATED.replace(b"E ver 3", b"Y ver 3"),
    ROLLED_OUT.replace(b"Score", b"Scores"),
    b"DA[]",
    b"DA[E]",
    MONEY_CUBE.replace(b"2.256934", b""),
    ROLLED_CUBE.replace(b"DoubleTake", b"Double"),
    b"LU[]",
    b"LU[-inf]",  # unknown luck in gnubg 1.08
    b"LU[much]",
]
IMPOSSIBLE = [
    EVALUATED.replace(b"0.157000", b"nan"),
    EVALUATED.replace(b"0.157000", b"1e999"),
    MONEY_CUBE.replace(b"2.256934", b"inf"),
]


@pytest.mark.parametrize(
    ("data", "problems"), [*product(UNREADABLE, [0]), *product(IMPOSSIBLE, [1])]
)
def test_an_unreadable_analysis_is_ignored(data: bytes, problems: int) -> None:
    match = read(b"B[31qtst]" + data, b"W[double]" + data)
    assert [getattr(action, "analysis", 0) for action in match.games[0].actions] == [None, None]
    assert len(match.problems) == problems


def test_an_analysis_may_have_no_candidates() -> None:
    assert play_of(b"B[31qtst]A[0]BM[1]") == PlayAnalysis((), None, ErrorMark.BAD)
    assert analyses(b"B[31qtst]A[0]") == [None]


def test_a_rank_beyond_the_candidates_is_ignored() -> None:
    for place in (b"2", b"-1", b"9" * 30):
        play = play_of(b"B[31qtst]" + EVALUATED.replace(b"A[1]", b"A[%b]" % place))
        assert (play.rank, play.made, play.error) == (None, None, None)
        assert len(play.candidates) == 2


@given(
    st.sampled_from([EVALUATED, ROLLED_OUT, MONEY_CUBE, ROLLED_CUBE]),
    st.lists(st.tuples(st.integers(3, 400), st.text("AEXa 019.-", max_size=3)), max_size=4),
)
def test_any_analysis_text_is_read_or_ignored(data: bytes, changes: list[tuple[int, str]]) -> None:
    letters = [chr(byte) for byte in data]
    for at, text in changes:
        if at < len(letters) and letters[at] not in "[]":
            letters[at] = text
    match = read(b"B[31qtst]%b" % "".join(letters).encode(), length=3)
    assert len(match.games[0].actions) == 1


# A match


@pytest.fixture(scope="module")
def sample() -> Match:
    return sgf.read(SAMPLE.read_bytes()).match


def test_every_roll_of_the_sample_is_analysed(sample: Match) -> None:
    moves = [a for a in sample.games[0].actions if isinstance(a, Move)]
    assert len(moves) == 88
    assert all(move.analysis and move.analysis.luck is not None for move in moves)
    assert all(move.analysis and move.analysis.play for move in moves if move.hops)
    for turn in replay(sample, sample.games[0]):
        match turn:
            case Turn(
                action=Move(analysis=MoveAnalysis(play=PlayAnalysis(made=made))),
                play=Play() as play,
            ):
                assert made
                played = resolve(made.hops, play.before, play.roll, turn.plays)
                assert played == play


def test_marks_of_the_sample_follow_from_the_errors(sample: Match) -> None:
    for move in sample.games[0].actions:
        analysis = getattr(move, "analysis", None)
        if analysis:
            for part in filter(None, (analysis.play, analysis.cube)):
                assert part.marked is replace(part, marked=None).mark


def test_the_record_keeps_its_analysis(sample: Match) -> None:
    record = sgf.read(SAMPLE.read_bytes())
    data = sgf.with_comment_lines(record, "Nactation: ", {(0, 0): "Nactation: S"})
    again = sgf.read(data).match
    assert [a.analysis for a in again.games[0].actions if isinstance(a, Move)] == [
        a.analysis for a in sample.games[0].actions if isinstance(a, Move)
    ]


def test_a_match_written_again_has_no_analysis(sample: Match) -> None:
    copy = sgf.read(sgf.from_match(sample).data).match
    assert not any(getattr(action, "analysis", None) for action in copy.games[0].actions)


def test_json_and_notes_have_the_errors(sample: Match) -> None:
    annotated = annotate(sample)
    turns = annotated.games[0].turns
    lines = json.loads(format_json(annotated))["turns"]
    first, second = totals(annotated)
    assert sum(line.get("error", 0) for line in lines) == pytest.approx(
        first.play_error + second.play_error
    )
    assert sum(line.get("cube_error", 0) for line in lines) == pytest.approx(
        first.cube_error + second.cube_error
    )
    for turn, line in zip(turns, lines, strict=True):
        assert ("best" in line) == (turn.best is not None)
        if line.get("error"):
            assert line["best"] != line["nactation"]
    opening = lines[0]
    assert (opening["roll"], opening["nactation"], opening["best"]) == ("52", "T", "S")
    assert (opening["error"], opening["mark"]) == (0.128894, "very bad")
    assert remark(turns[0]) == "?? -.129 (S)"
    assert any(remark(turn).endswith("(missed double)") for turn in turns)


def test_totals_of_the_sample_are_those_of_gnubg(sample: Match) -> None:
    # The counts and sums in GS of the file, written by gnubg
    first, second = totals(annotate(sample))
    assert (first.moves, second.moves) == (36, 25)
    assert (first.decisions, second.decisions) == (44, 43)
    assert first.play_error == pytest.approx(0.415004, abs=1e-5)
    assert second.play_error == pytest.approx(1.355115, abs=1e-5)
    assert first.cube_error == pytest.approx(0.293618 + 0.186502, abs=1e-4)
    assert second.cube_error == pytest.approx(0.047630, abs=1e-4)
    assert first.luck == pytest.approx(0.166057, abs=1e-3)
    assert first.unknown == second.unknown == 0


def test_blunders_are_the_marked_turns(sample: Match) -> None:
    annotated = annotate(sample)
    turns = [blunder.turn for blunder in blunders(annotated)]
    assert len(turns) == sum(player.blunders for player in totals(annotated)) > 0
    assert annotated.games[0].turns[0] in turns
    match_with_take = annotate(read(b"W[double]", b"B[take]BM[2]", b"W[31]BC[2]", b"B[31]DO[]"))
    assert sorted(blunder.place for blunder in blunders(match_with_take)) == [(0, 1), (0, 2)]


def test_text_can_have_errors(sample: Match) -> None:
    annotated = annotate(sample)
    plain, with_errors = format_columns(annotated), format_columns(annotated, errors=True)
    assert "52T ?? -.129 (S)" in with_errors
    assert " x" not in plain
    bare = annotate(sgf.read(sgf.from_match(sample).data).match)
    assert format_columns(bare, errors=True) == format_columns(bare) == plain


def test_totals_without_analysis_are_empty(sample: Match) -> None:
    for player in totals(annotate(sgf.read(sgf.from_match(sample).data).match)):
        assert (player.moves, player.error, player.rate) == (0, 0, None)


def test_an_illegal_best_play_is_ignored() -> None:
    # 13/8 is not legal on this board
    match = read(b"B[31qtst]" + EVALUATED.replace(b"aelm", b"vwvw"))
    (turn,) = annotate(match).games[0].turns
    assert turn.best is None
    assert turn.nactation == "P"


def test_luck_of_other_actions_is_ignored() -> None:
    match = read(b"CV[2]LU[1]", b"W[double]", b"B[take]LU[1]")
    kinds = [type(action) for action in match.games[0].actions]
    assert kinds == [SetCube, Double, Take]
    assert match.games[0].actions[2] == Take(Player.SECOND, line=4)


def count_marks(match: Match) -> tuple[int, int]:
    """The number of errors of plays and cube actions, and of marks that do not follow from them."""
    errors = [
        error
        for game in annotate(match).games
        for turn in game.turns
        for error in (play_of_turn(turn), cube_of(turn))
        if error
    ]
    wrong = [error for error in errors if error.marked is not replace(error, marked=None).mark]
    return len(errors), len(wrong)


def test_marks_of_gnubg_follow_from_the_errors() -> None:
    errors, wrong = count_marks(sgf.read(SAMPLE.read_bytes()).match)
    assert errors > 150
    assert wrong == 0
