"""Files of eXtreme Gammon written by xg_files; gvformat also reads them."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from gvformat.xg import convert_xg

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.indexing import match_row
from gnubg_nactation.backgammon.analysis import CubeAct, MoveAnalysis
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.xg import GAMES, unpack
from tests.cli.running import SAMPLES, run
from tests.files.xg_files import (
    SAMPLE,
    Cube,
    Plays,
    archive,
    cube,
    footer,
    game,
    header,
    move,
    sample,
    xg_file,
)
from tests.strategies import random_turns

START = STANDARD.points
POINT = (0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
SPLIT = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 1, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 1, 1, 0)
FIVE_POINT = (7, 4, 5, 4)  # 31: 8/5 6/5, each number one less than that of the point


def read_game(*records: bytes, comments: tuple[bytes, ...] = ()) -> Match:
    """The match of records after the heads of a match and a game."""
    (match,) = read(xg_file(header(), game(), *records, comments=comments))
    return match


def analysis_of(match: Match) -> MoveAnalysis:
    """The analysis of the only action, a roll."""
    (rolled,) = match.games[0].actions
    assert isinstance(rolled, Move)
    assert rolled.analysis
    return rolled.analysis


def test_all_parts_of_a_roll_are_read() -> None:
    candidates = [Plays(FIVE_POINT, 0.15, 1002, POINT), Plays((23, 22, 12, 9), -0.01, 2, SPLIT)]
    record = move(
        1, (START, POINT), (3, 1), FIVE_POINT, candidates=candidates, luck=0.25, comment=0
    )
    match = read_game(record, footer(1, 2, 101), comments=(b"made\x01\x02the point", b"other"))
    assert match.players == ("Anna", "Bj\u00f6rn")
    assert (match.length, match.headers) == (7, (("EventDate", "2024.03.01"),))
    rolled, resigned = match.games[0].actions
    assert isinstance(rolled, Move)
    assert rolled.analysis
    assert rolled.analysis.play
    assert (rolled.player, rolled.roll) == (Player.FIRST, Roll(3, 1))
    assert rolled.comment == "made\nthe point"
    first, second = rolled.analysis.play.candidates
    assert (first.text, first.method) == ("8/5 6/5", "XG Roller++")
    assert (second.text, second.method) == ("24/23 13/10", "XG 3-ply")
    assert (first.equity, second.equity) == pytest.approx((0.15, -0.01))
    assert first.chances == pytest.approx((0.625, 0.25, 0.02, 0.1, 0.01))  # gnubg's order
    assert rolled.analysis.play.rank == 0
    assert rolled.analysis.luck == pytest.approx(0.25)
    assert resigned == Resign(Player.SECOND)
    assert (match.games[0].winner, match.games[0].points) == (Player.FIRST, 2)


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (0, "1-ply"),
        (3, "4-ply"),
        (12, "3-ply red"),
        (100, "rollout"),
        (998, "book"),
        (1000, "Roller"),
        (1001, "Roller+"),
    ],
)
def test_levels_have_the_names_of_xg(level: int, name: str) -> None:
    match = read_game(
        move(1, (START, POINT), (3, 1), FIVE_POINT, candidates=[Plays(FIVE_POINT, 0, level, POINT)])
    )
    play = analysis_of(match).play
    assert play
    assert play.candidates[0].method == f"XG {name}"


def test_a_cube_that_is_not_turned_belongs_to_the_roll() -> None:
    match = read_game(
        cube(1, START, analysis=Cube(0.1, -0.2)), move(1, (START, POINT), (3, 1), FIVE_POINT)
    )
    decision = analysis_of(match).cube
    assert decision
    assert decision.act is CubeAct.NO_DOUBLE
    assert (decision.no_double, decision.double_take) == pytest.approx((0.1, -0.2))


@pytest.mark.parametrize(
    ("answer", "actions", "cube_after"),
    [
        ("take", [Double, Take], 2),
        ("beaver", [Double, Double, Take], 4),
        ("raccoon", [Double, Double, Double, Take], 8),
    ],
)
def test_doubles_and_their_answers_are_read(
    answer: str, actions: list[type], cube_after: int
) -> None:
    rolled = move(1, (START, POINT), (3, 1), FIVE_POINT, power=1 - cube_after.bit_length())
    match = read_game(cube(1, START, answer, analysis=Cube(0.9, 1.2)), rolled)
    *turned, last = replay(match, match.games[0])
    assert [type(turn.action) for turn in turned] == actions
    assert last.state
    assert (last.state.cube, last.state.owner) == (cube_after, Player.SECOND)


@pytest.mark.parametrize(("answer", "error"), [("take", 0.2), ("drop", 0)])
def test_double_and_answer_have_their_errors(answer: str, error: float) -> None:
    double, answered = read_game(cube(1, START, answer, analysis=Cube(0.9, 1.2))).games[0].actions
    assert isinstance(double, Double)
    assert double.analysis
    assert double.analysis.act is CubeAct.DOUBLE
    assert double.analysis.error == pytest.approx(0)
    assert isinstance(answered, Take | Drop)
    assert answered.analysis
    assert answered.analysis.error == pytest.approx(error)


def test_an_unexpected_board_or_cube_is_set_up() -> None:
    match = read_game(move(1, (SPLIT, SPLIT), (3, 1), (), power=-2, played=False))
    board, turned, rolled = match.games[0].actions
    assert board == SetPosition(Player.FIRST, Position(SPLIT))
    assert turned == SetCube(4, Player.SECOND)
    assert isinstance(rolled, Move)
    assert not rolled.hops


def test_a_play_that_does_not_reach_the_recorded_board_is_followed_by_a_set_up() -> None:
    own_view = Position(SPLIT).switch_sides().points
    match = read_game(
        move(1, (START, SPLIT), (3, 1), FIVE_POINT), move(-1, (SPLIT, own_view), (6, 5), (23, 12))
    )
    turns = [*replay(match, match.games[0])]
    assert [type(turn.action) for turn in turns] == [Move, SetPosition, Move]
    assert turns[2].state
    assert turns[2].state.position.points == own_view


def test_a_money_session_of_nackgammon_is_read() -> None:
    data = xg_file(header(length=99999, variation=1, jacoby=True), game(), footer(-1, 1, 101))
    (match,) = read(data)
    assert (match.length, match.jacoby, match.start) == (0, True, NACKGAMMON)
    assert match.games[0].winner is Player.SECOND


def test_an_old_file_has_short_names() -> None:
    (match,) = read(xg_file(header(version=20, event="Cup"), game(), footer(1, 1, 0)))
    assert match.players == ("Anna", "Bj\u00f6rn")
    assert ("Event", "Cup") in match.headers


def test_rtf_comments_are_text() -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}\pard\f0 d\'e9j\'e0"
        b"\x01\x02"
        rb" vu\par}"
    )
    match = read_game(move(1, (START, POINT), (3, 1), FIVE_POINT, comment=0), comments=(rtf,))
    (rolled,) = match.games[0].actions
    assert rolled.comment == "d\u00e9j\u00e0 vu"


def test_an_endless_link_is_read_in_linear_time() -> None:
    """A pattern for links was cubic: this file took weeks."""
    rtf = b'{\\rtf1 good{\\field{\\*\\fldinst{HYPERLINK ""}}{' + b" " * 90_000
    match = read_game(move(1, (START, POINT), (3, 1), FIVE_POINT, comment=0), comments=(rtf,))
    (rolled,) = match.games[0].actions
    assert rolled.comment == "good"


@pytest.mark.parametrize(
    ("comments", "read"), [((b"", b"a") * 30_000, "20,000"), ((b"x" * 90_000,) * 30, "23")]
)
def test_comments_have_a_limit(comments: tuple[bytes, ...], read: str) -> None:
    match = read_game(move(1, (START, POINT), (3, 1), FIVE_POINT, comment=1), comments=comments)
    assert match.games[0].actions[0].comment == comments[1].decode()
    assert match.problems == (f"too many or too long comments: only the first {read} are read",)


def test_an_independent_reader_gives_the_same_equities(tmp_path: Path) -> None:
    rng = random.Random(8)
    records, board, player = [header(), game()], START, 1
    turns = [*random_turns(rng)]
    equities = []
    for position, roll, play in turns:
        reached = _points(play, position)
        places = _places(play)
        own = [rng.uniform(-1, 1)] if play else []
        equities += own
        candidates = [Plays(places, equity, 3, reached) for equity in own]
        own_view = position.points if player > 0 else position.switch_sides().points
        assert own_view == board
        dice = (roll.high, roll.low)
        records.append(move(player, (own_view, reached), dice, places, candidates=candidates))
        board = reached if player > 0 else tuple(-n for n in reversed(reached))
        player = -player
    data = xg_file(*records, footer(-player, 1, 1))
    (match,) = read(data)
    annotated = annotate(match)
    ours = annotated.games[0].turns
    assert [turn.play for turn in ours] == [play for _, _, play in turns]
    (tmp_path / "a.xg").write_bytes(data)
    theirs = convert_xg(tmp_path / "a.xg")["games"][0]["plies"]
    their_equities = [ply["analysis"]["best_equity"] for ply in theirs if ply.get("analysis")]
    read_here = [
        turn.action.analysis.play.best.equity
        for turn in ours
        if isinstance(turn.action, Move)
        and turn.action.analysis
        and turn.action.analysis.play
        and turn.action.analysis.play.best
    ]
    assert read_here == pytest.approx(equities)
    assert their_equities == pytest.approx(equities, abs=1e-4)


def _points(play: Play | None, position: Position) -> tuple[int, ...]:
    return play.reached.points if play else position.points


def _places(play: Play | None) -> list[int]:
    portions = play.portions if play else ()
    return [place - 1 for portion in portions for place in (portion.source, portion.target)]


# --- damaged files ------------------------------------------------------------------------


@pytest.mark.parametrize("length", [4, 40, 8232, 8300, -1, -36, -600])
def test_a_truncated_file_is_refused(length: int) -> None:
    data = xg_file(header(), game(), move(1, (START, POINT), (3, 1), FIVE_POINT))
    with pytest.raises(MalformedError, match=r"cut off|damaged"):
        read(data[:length])


def test_a_part_that_unpacks_to_100_mb_is_refused() -> None:
    data = archive({"temp.xg": bytes(100 << 20)})
    assert len(data) < 1 << 20
    with pytest.raises(MalformedError, match="over 16 MB"):
        read(data)


def test_a_part_that_occurs_twice_is_refused() -> None:
    with pytest.raises(MalformedError, match=r"two parts temp\.xg$"):
        read(archive({"temp.xg": header() + game()}, copies=2))


def test_records_before_a_damaged_record_are_read() -> None:
    rolled = move(1, (START, POINT), (3, 1), FIVE_POINT)
    match = read_game(rolled, bytes(8) + b"\x63" + bytes(2551))
    assert len(match.games[0].actions) == 1
    assert match.problems
    assert "record 4" in match.problems[0]


def test_records_before_one_that_is_cut_off_are_read() -> None:
    rolled = move(1, (START, POINT), (3, 1), FIVE_POINT)
    match = read_game(rolled, rolled[:2000])
    assert len(match.games[0].actions) == 1
    (problem,) = match.problems
    assert problem.startswith("record 4: ")
    assert "cut off" in problem


@pytest.mark.parametrize("day", [float("nan"), float("inf"), -1e300, 1e9])
def test_an_impossible_date_is_ignored(day: float) -> None:
    head = header(event="Cup")
    head = head[:128] + struct.pack("<d", day) + head[136:]
    (match,) = read(xg_file(head, game(), footer(1, 1, 101)))
    assert match.headers == (("Event", "Cup"),)


def test_randomly_changed_records_are_read_or_refused() -> None:
    rng = random.Random(14)
    whole = header() + game() + cube(1, START, "take", analysis=Cube(0.4, 0.5))
    whole += move(
        1, (START, POINT), (3, 1), FIVE_POINT, candidates=[Plays(FIVE_POINT, 0.1, 3, POINT)]
    )
    whole += footer(1, 1, 101)
    was_read = 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 12)):
            at = rng.choice(
                [rng.randrange(len(data)), 2560 * rng.randrange(5) + rng.randrange(200)]
            )
            data[at] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        try:
            (match,) = read(archive({"temp.xg": bytes(data)}))
        except MalformedError:
            continue
        annotate(match)
        was_read += 1
    assert was_read > 100


def test_impossible_numbers_are_ignored() -> None:
    nan = struct.unpack("<f", b"\0\0\xc0\x7f")[0]
    candidates = [Plays(FIVE_POINT, nan, 3, POINT)]
    match = read_game(
        move(1, (START, POINT), (3, 1), FIVE_POINT, candidates=candidates, luck=float("inf"))
    )
    (rolled,) = match.games[0].actions
    assert isinstance(rolled, Move)
    assert rolled.analysis is None


def test_checksums_of_the_parts_are_checked() -> None:
    data = bytearray(xg_file(header(), game()))
    data[8240] ^= 1
    with pytest.raises(MalformedError, match="damaged: wrong checksum"):
        read(bytes(data))


# --- the sample -----------------------------------------------------------------------------


def test_the_sample_equals_the_output_of_its_writer() -> None:
    """The parts are compared, because another zlib packs differently."""
    names = frozenset((GAMES,))
    assert unpack(SAMPLE.read_bytes(), names) == unpack(sample(), names)


def test_the_sample_has_the_errors_of_its_source() -> None:
    """But for ratings, as XG does not count rolls without a listed play that is worse."""
    ratings = ("  PR ", "  overall ", "  plays ")

    def texts_of(path: Path) -> list[str]:
        lines = run("annotate", "--errors", path).out.splitlines()
        lines = [line for line in lines if not line.startswith(("; [Event", *ratings))]
        return [
            line.replace("XG 1-ply", "gnubg 0-ply").replace("resigns", "").rstrip()
            for line in lines
        ]

    source = SAMPLES / "match-3pt-analysed.sgf"
    assert texts_of(SAMPLE) == texts_of(source)
    ours, theirs = (totals(annotate(read(path)[0])) for path in (SAMPLE, source))
    assert [total.error for total in ours] == pytest.approx([it.error for it in theirs], abs=1e-5)
    assert ours[0].moves == theirs[0].moves
    # With the 55 in the end of game 1, Bob loses the same whatever he plays.
    assert ours[1].moves == theirs[1].moves - 1


SAME, WORSE = (7, 4, 7, 6), (12, 9, 12, 11)  # 31: 8/5 8/7 and 13/10 13/12


@pytest.mark.parametrize(
    ("equities", "counts"),
    [
        ((0.1, 0.0), True),
        ((-1.0, -1.0, -1.0), False),
        # A play that XG has evaluated less deeply may be listed below with a higher equity.
        ((-2.31017, -2.31017, -2.30888), False),
        ((-0.99994, -1.0), True),
    ],
)
def test_a_roll_counts_if_a_listed_play_is_worse(equities: tuple[float, ...], counts: bool) -> None:
    """As in XG's statistics of a public match, which test_xg_public.py compares."""
    places = (FIVE_POINT, SAME, WORSE)
    candidates = [
        Plays(play, equity, 3, POINT) for play, equity in zip(places, equities, strict=False)
    ]
    match = read_game(move(1, (START, POINT), (3, 1), FIVE_POINT, candidates=candidates))
    assert totals(annotate(match))[0].moves == counts
    (row,) = [turn for game in match_row(annotate(match)).games for turn in game.turns]
    assert (row.error is not None) == counts


def test_a_position_too_good_to_double_is_analysed() -> None:
    """XG gives it the flag -1; no double is right, and a double loses what is above a point."""
    too_good = Cube(1.2, 1.9, flag=-1)
    match = read_game(cube(1, START, "take", analysis=too_good))
    double, take = match.games[0].actions
    assert isinstance(double, Double)
    assert isinstance(take, Take)
    assert double.analysis is not None
    assert take.analysis is not None
    assert double.analysis.error == pytest.approx(0.2)
    assert take.analysis.error == pytest.approx(0.9)
