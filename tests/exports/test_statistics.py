"""The errors of a match that gnubg has analysed; tests/gnubg compares with gnubg itself."""

from __future__ import annotations

import json
import re

import pytest

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, ErrorMark
from gnubg_nactation.backgammon.ids import parse_xgid
from gnubg_nactation.decisions.decision import Listing, near_decision, play_nacbrac
from gnubg_nactation.decisions.severity import (
    Totals,
    blunders,
    losses,
    performance,
    play_of,
    points_lost,
    rating,
    severity,
    totals,
)
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.page.data import game_steps
from gnubg_nactation.exports.post import PostStyle, format_match
from gnubg_nactation.exports.sgf import PREFIX, comment_lines, format_sgf
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.text import Judging, account_rows, format_account, format_columns
from gnubg_nactation.files import sgf
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.nacbrac import format_nacbrac
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import run
from tests.exports.pages import ANALYSED, SAMPLES, data_of, read

SAMPLE = SAMPLES / "match-3pt-analysed.sgf"


@pytest.fixture(scope="module")
def sample() -> AnnotatedMatch:
    (annotated,) = read(SAMPLE.name)
    return annotated


def match_of(*nodes: bytes) -> AnnotatedMatch:
    """A game of these nodes in a money session."""
    head = b"(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Ben]\n;"
    return annotate(sgf.read(head + b"\n;".join(nodes) + b")\n").match)


def cube(no_double: float, double_take: float) -> bytes:
    chances = "0.5 0.1 0.0 0.1 0.0 0.0"
    return f"DA[E ver 3 0C 1 0.000000 1 {chances} {no_double} {chances} {double_take}]".encode()


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (None, "n/a"),
        (0.0, "Supernatural"),
        (1.99, "Supernatural"),
        (2.0, "World class"),
        (17.9, "Intermediate"),
        (35.0, "Awful!"),
    ],
)
def test_words_for_rates(rate: float | None, word: str) -> None:
    assert rating(rate) == word


def test_rates() -> None:
    player = Totals(moves=10, decisions=40, play_error=0.1, cube_error=0.2, close=5, rolls=60)
    rates = [player.play_rate, player.cube_rate, player.rate, player.snowie_rate]
    assert rates == pytest.approx([10.0, 40.0, 20.0, 5.0])
    assert [Totals().rate, Totals().cube_rate, Totals().snowie_rate] == [None] * 3


@pytest.mark.parametrize(
    ("no_double", "double_take", "close"),
    [
        (0.2, 0.1, 1),  # doubling loses less than 0.16
        (0.2, 0.05, 1),
        (0.2, 0.03, 0),
        (0.5, 0.9, 1),  # a missed double
        (1.1, 1.5, 1),  # too good, but not by much
        (1.2, 1.5, 0),
    ],
)
def test_close_decisions(no_double: float, double_take: float, close: int) -> None:
    first, second = totals(match_of(b"W[31hefe]" + cube(no_double, double_take)))
    assert (first.decisions, first.close, second.close) == (1, close, 0)


def test_a_loss_that_is_shown_as_zero_is_no_error() -> None:
    match = match_of(
        b"W[double]" + cube(1.0004, 1.5),
        b"B[take]" + cube(0.8, 1.0004),
        b"W[31hefe]",
        b"B[double]" + cube(1.0006, 1.5),
        b"W[take]BM[1]" + cube(0.8, 1.0004),  # marked by hand
    )
    (game,) = match.games
    assert [step["lost"] for step in game_steps(game)] == [
        [],
        [],
        [],
        [["wrong double", 1, ""]],
        [["wrong take", 0, "bad"]],
    ]
    assert [bool(losses(turn)) for turn in game.turns] == [False, False, False, True, True]


def test_every_cube_action_is_a_close_decision() -> None:
    first, second = totals(match_of(b"W[double]" + cube(-0.5, -1.0), b"B[drop]" + cube(-0.5, -1.0)))
    assert (first.close, first.cube_faults, second.close, second.cube_faults) == (1, 1, 1, 1)


def test_rolls_of_both_players_in_analysed_games(sample: AnnotatedMatch) -> None:
    assert {player.rolls for player in totals(sample)} == {88}
    assert {player.rolls for player in totals(read("match-3pt.mat")[0])} == {0}


def test_blunders(sample: AnnotatedMatch) -> None:
    worst_first = blunders(sample)
    assert len(worst_first) == sum(player.blunders for player in totals(sample)) > 2
    errors = [blunder.error or 0 for blunder in worst_first]
    assert errors == sorted(errors, reverse=True)
    worst = worst_first[0]
    assert (worst.player, worst.made, worst.best) == (1, "54X", "T")
    assert sample.games[worst.place[0]].turns[worst.place[1]] is worst.turn
    missed = next(blunder for blunder in worst_first if isinstance(blunder.analysis, CubeAnalysis))
    assert (missed.made, missed.best) == ("no double", "double, take")
    assert missed.state is not None
    assert missed.state.roll is None


def test_a_blunder_of_unknown_size_comes_last() -> None:
    worst_first = blunders(match_of(b"W[31hefe]BC[2]BM[2]", b"B[double]" + cube(-0.5, -1.0)))
    assert [(blunder.made, blunder.error) for blunder in worst_first] == [
        ("double", 0.5),
        ("no double", None),
        ("31P", None),
    ]
    account = format_account(match_of(b"W[31hefe]BC[2]", b"B[double]" + cube(-0.5, -1.0)))
    assert "-?      Ann   1.1a   no double" in account


ACCOUNT = """\
Errors, by gnubg 0-ply, in thousandths of a point per decision
                      Ann                Ben
  PR                  75.0 First steps   0.0 World class
  overall             150.0              0.0
  plays               150.0              0.0
  cube                n/a                n/a
  Snowie error rate   75.0               0.0
  inaccuracies ?!     0                  0
  errors ?            0                  0
  blunders ??         1                  0
  cube errors         0                  0
  luck, in points     n/a                n/a

Blunders
  -.150   Ann   1.1a   31$   best P   4HPwATDgc/ABMA
"""


def test_account() -> None:
    assert format_account(annotate(sgf.read(ANALYSED).match)) == ACCOUNT


def test_no_account_without_an_analysis() -> None:
    (bare,) = read("match-3pt.mat")
    assert account_rows(bare) == []
    assert format_account(bare) == ""
    assert format_columns(bare, errors=True) == format_columns(bare)
    assert "analysis" not in json.loads(format_json(bare))


def test_text_ends_with_the_account(sample: AnnotatedMatch) -> None:
    text = format_columns(sample, errors=True)
    assert text.endswith("\n\n" + format_account(sample))
    assert "Blunders" not in format_columns(sample)
    account = format_account(sample, Judging(plays=True))  # as the command line prints it
    for layout in ("row", "paired", "column"):
        plain = run("annotate", f"--layout={layout}", SAMPLE).out
        text = run("annotate", f"--layout={layout}", "--errors", SAMPLE).out
        assert text.endswith(f"\n{account}")
        bare_text, total = re.subn(r" *\(([?!]+ )?-\.\d{3}[^)]*\)", "", text)
        assert total > 20
        rows = bare_text.removesuffix(f"\n{account}")
        # A comma is not needed after a remark.
        assert rows.replace(",", "") == plain.replace(",", "")


@pytest.mark.parametrize("target", TARGETS)
def test_posts_end_with_the_account(sample: AnnotatedMatch, target: str) -> None:
    plain = format_match(sample, TARGETS[target], PostStyle())
    text = format_match(sample, TARGETS[target], PostStyle(errors=True))
    assert "blunders ??" in text
    assert "blunders ??" not in plain
    assert "?? -.129 (S)" in text
    (bare,) = read("match-3pt.mat")
    text = format_match(bare, TARGETS[target], PostStyle(errors=True))
    assert text == format_match(bare, TARGETS[target], PostStyle())


def test_json(sample: AnnotatedMatch) -> None:
    analysis = json.loads(format_json(sample))["analysis"]
    for player, ours in zip(analysis["players"], totals(sample), strict=True):
        counts = ours.moves, ours.close, ours.rolls
        assert (player["moves"], player["close"], player["rolls"]) == counts
        assert player["rates"]["overall"] == pytest.approx(ours.rate, abs=1e-3)
        assert player["rating"] == player["ratings"]["overall"] == rating(ours.rate)
    bad = blunders(sample)
    for line, blunder in zip(analysis["blunders"], bad, strict=True):
        assert line["error"] == pytest.approx(blunder.error, abs=1e-6)
        assert line["position_id"] == blunder.position_id
        assert parse_xgid(line["xgid"]) == blunder.state
        assert (line["roll"] is None) == isinstance(blunder.analysis, CubeAnalysis)
    assert analysis["blunders"][0] == {
        "place": "1.10b",
        "game": 1,
        "turn": 19,
        "move": 10,
        "player": 1,
        "error": 0.207253,
        "roll": "54",
        "made": "X",
        "best": "T",
        "play": "17/13 8/3*",
        "best_play": "17/8",
        "position_id": "bNsAYCo4n4MhIA",
        "xgid": "XGID=-a-BBBBBa---b----c-eBcAAA-:0:0:-1:54:0:0:0:3:10",
    }


def test_json_has_the_places_of_pages_and_posts(sample: AnnotatedMatch) -> None:
    """Bob begins, so his is the second half of move 1; later matches of a file have a number."""
    for number, before in ((1, ""), (2, "2.")):
        value = json.loads(format_json(sample, number=number))
        places = [turn["place"] for turn in value["turns"][:3]]
        assert places == [f"{before}1.1b", f"{before}1.2a", f"{before}1.2b"]
        assert value["analysis"]["blunders"][0]["place"] == f"{before}1.10b"


def test_json_has_the_chances_of_the_play_and_of_the_best() -> None:
    # As the record has them: `hefe E ver 3 0.5 ...` is best, `mjfe` was played.
    data = ANALYSED.replace(b"mjfe E ver 3 0.5 0.1", b"mjfe E ver 3 0.4 0.05")
    value = json.loads(format_json(annotate(sgf.read(data).match)))
    first, second = value["turns"]
    assert first["chances"] == [0.4, 0.05, 0, 0.1, 0]
    assert first["best_chances"] == [0.5, 0.1, 0, 0.1, 0]
    assert second["chances"] == [0.5, 0.1, 0, 0.1, 0]
    assert "best_chances" not in second


def test_json_without_cube_decisions() -> None:
    first, _ = json.loads(format_json(annotate(sgf.read(ANALYSED).match)))["analysis"]["players"]
    assert first["rates"] == {"play": 150.0, "cube": None, "overall": 150.0, "snowie": 75.0}
    assert first["ratings"]["cube"] is None


def test_comments_with_errors(sample: AnnotatedMatch) -> None:
    plain, comments = comment_lines(sample), comment_lines(sample, errors=True)
    assert comments[0, 0] == f"{PREFIX}52T  [S D37...T129] gnubg 0-ply"
    assert plain[0, 0] == f"{PREFIX}52T"
    assert comments.keys() == plain.keys()
    assert all(comments[place].startswith(line) for place, line in plain.items())
    missed = [line.partition("ply  ")[2] for line in comments.values() if "ply  " in line]
    assert "no double [D/T N 122 D/P 154] gnubg 0-ply" in missed


def test_the_nacbracs_of_comments_are_what_the_analysis_says(sample: AnnotatedMatch) -> None:
    checked = 0
    for game in sample.games:
        for turn in game.turns:
            decision, analysis = near_decision(turn), play_of(turn)
            if decision is None:
                continue
            nacbrac = play_nacbrac(decision)
            assert analysis is not None
            assert turn.play is not None
            families = Plays.of(turn.plays)
            plays = [families.play(entry.name) for entry in nacbrac.entries]
            assert turn.play in plays
            assert len({*plays}) == len(plays)
            own = nacbrac.entries[plays.index(turn.play)]
            assert own.error == pytest.approx(analysis.error, abs=6e-4)
            assert parse_nacbrac(format_nacbrac(nacbrac)).entries == nacbrac.entries
            checked += 1
    assert checked > 50


def test_a_nacbrac_that_is_cut_has_an_ellipsis_where_plays_are_left_out(
    sample: AnnotatedMatch,
) -> None:
    kinds = set()
    for turn in (turn for game in sample.games for turn in game.turns):
        decisions = near_decision(turn), near_decision(turn, Listing(top=2))
        if None in decisions:
            continue
        whole, cut = (play_nacbrac(decision) for decision in decisions if decision)
        entries, played = whole.entries, turn.plays.index(turn.play)
        places = [turn.plays.index(turn.plays.play(entry.name)) for entry in entries]
        own = places.index(played)
        listed = [0, 1, *[own] * (own > 1)]
        assert [entry.name for entry in cut.entries] == [entries[at].name for at in listed]
        left_out = not entries[own].skipped and own > 2
        assert [entry.skipped for entry in cut.entries][2:] == (
            [left_out or entries[own].skipped] * (own > 1)
        )
        unlisted = [entry for entry in entries[listed[-1] + 1 :] if not entry.skipped]
        assert cut.more is bool(unlisted)
        kinds.add((left_out, cut.more))
    assert kinds >= {(False, False), (False, True), (True, False)}


def test_comments_of_cube_actions() -> None:
    match = match_of(b"W[double]" + cube(-0.5, -1.0), b"B[take]" + cube(-0.5, -1.0), b"W[31hefe]")
    assert comment_lines(match, errors=True) == {
        (0, 0): f"{PREFIX}C [N D/T 500 D/P 2000] gnubg 0-ply",
        (0, 1): f"{PREFIX}T [N D/T 500 D/P 2000] gnubg 0-ply",
        (0, 2): f"{PREFIX}31P",
    }
    assert comment_lines(match) == {(0, 2): f"{PREFIX}31P"}


def test_comments_replace_those_of_an_earlier_run() -> None:
    data = SAMPLE.read_bytes().replace(b";B[52", b";C[A word by Ann]B[52", 1)
    data += (
        b"(;FF[4]GM[6]MI[length:3][game:1][ws:2][bs:0]PW[Alice]PB[Bob]\n"
        b";W[double]C[My own]" + cube(0.1, 0.05) + b"BM[2]\n;B[drop]" + cube(0.1, 0.05) + b")\n"
    )

    def rewritten(source: bytes, *, errors: bool) -> bytes:
        record = sgf.read(source)
        return format_sgf(annotate(record.match), record, errors=errors)

    plain, marked = rewritten(data, errors=False), rewritten(data, errors=True)
    assert b"Nactation: 52T  [S D37...T129\\] gnubg 0-ply\nA word by Ann" in marked
    assert re.search(rb"Nactation: C \[N D/T \d+ D/P \d+\\] gnubg 0-ply\nMy own", marked)
    assert b"Nactation: P [N D/T " in marked
    assert b"C[My own]" in plain
    assert rewritten(marked, errors=True) == rewritten(plain, errors=True) == marked
    assert rewritten(marked, errors=False) == rewritten(plain, errors=False) == plain


def test_the_option_reaches_the_comments() -> None:
    output = run("annotate", "--to=sgf", "--errors", SAMPLE).out
    assert "Nactation: 52T  [S D37...T129\\]" in output
    assert "T129" not in run("annotate", "--to=sgf", SAMPLE).out


def test_the_options_reach_the_page() -> None:
    output = run("annotate", "--to=html", SAMPLE).out
    assert ">?? -.129</span>" in output
    assert "Awful!" not in output
    output = run("annotate", "--to=html", "--blunder=.25", "--words=gnubg", SAMPLE).out
    assert ">? -.129</span>" in output
    assert "Awful!" in output
    lost = [loss for turn in data_of(output)["turns"] for loss in turn.get("lost", ())]
    limits = {"very bad": 250, "bad": 125, "doubtful": 62.5, "": 0}
    assert {"bad", "doubtful", ""} <= {mark for *_, mark in lost}
    for _, size, mark in lost:
        assert mark == next(name for name, limit in limits.items() if size >= limit)
    assert "No blunders" in output


@pytest.mark.parametrize(
    ("lost", "limit", "sign"),
    [
        (0.0195, 0.08, ErrorMark.DOUBTFUL),  # shown as -.020
        (0.0194, 0.08, None),
        (0.04, 0.08, ErrorMark.BAD),
        (0.079, 0.08, ErrorMark.BAD),
        (0.08, 0.08, ErrorMark.VERY_BAD),
        (0.08, 0.12, ErrorMark.BAD),  # gnubg's limits: 0.03, 0.06, 0.12
        (0.03, 0.12, ErrorMark.DOUBTFUL),
        (0.119, 0.12, ErrorMark.BAD),
        (0.13, 0.12, ErrorMark.VERY_BAD),
        (0.0, 0.001, None),
    ],
)
def test_severity(lost: float, limit: float, sign: ErrorMark | None) -> None:
    doubled = CubeAnalysis(CubeAct.DOUBLE, 0.5, 0.5 - lost, "2-ply")
    assert severity(doubled, limit) is sign


def test_a_mark_by_hand_stays() -> None:
    """gnubg marks an error of 0.1 as bad; here a user has marked one doubtful and one bad."""

    def judged(marked: ErrorMark) -> ErrorMark | None:
        return severity(CubeAnalysis(CubeAct.DOUBLE, 0.5, 0.4, "2-ply", marked))

    assert judged(ErrorMark.DOUBTFUL) is ErrorMark.DOUBTFUL
    assert judged(ErrorMark.BAD) is ErrorMark.VERY_BAD  # gnubg's own, and so by the size
    unknown = CubeAnalysis(CubeAct.DOUBLE, None, None, "2-ply", ErrorMark.BAD)
    assert severity(unknown) is ErrorMark.BAD


def test_blunders_from_another_size(sample: AnnotatedMatch) -> None:
    by_gnubg = blunders(sample, 0.12)
    assert len(by_gnubg) == sum(player.very_bad for player in totals(sample))
    assert {*map(id, by_gnubg)} != {*map(id, blunders(sample))}
    assert all((blunder.error or 0) >= 0.0795 for blunder in blunders(sample))
    output = run("annotate", "--errors", "--blunder", ".12", SAMPLE).out
    listed = re.findall(r" 1\.[0-9]+[ab]  ", output)
    assert len(listed) == len(by_gnubg) < len(blunders(sample))
    rows = json.loads(run("annotate", "--to", "json", "--blunder", "0.12", SAMPLE).out)
    assert len(rows["analysis"]["blunders"]) == len(by_gnubg)


def test_performance_rating() -> None:
    """500 times the mean loss: 0.3 points in 10 plays and 5 near decisions about the cube."""
    player = Totals(moves=10, play_error=0.1, cube_error=0.2, close=3, near=5)
    assert player.performance_rating == pytest.approx(10.0)
    assert Totals().performance_rating is None
    words = [performance(rate) for rate in (None, 0.0, 2.5, 12.49, 12.5, 99.0)]
    assert words == ["n/a", "World class", "Expert", "Solid", "Improving", "First steps"]


@pytest.mark.parametrize(
    ("no_double", "double_take", "near"),
    [(0.2, 0.01, 1), (0.2, -0.01, 0), (0.5, 0.9, 1), (1.19, 1.5, 1), (1.21, 1.5, 0)],
)
def test_near_decisions(no_double: float, double_take: float, near: int) -> None:
    first, _ = totals(match_of(b"W[31hefe]" + cube(no_double, double_take)))
    assert first.near == near


def test_every_list_has_the_numbers_of_the_table(sample: AnnotatedMatch) -> None:
    """The table shows 54X in its tenth row; it is the 19th turn."""
    table = format_columns(sample, errors=True)
    (row,) = [line for line in table.splitlines() if "54X ?? -.207" in line]
    assert row.split()[0] == "10"
    assert re.search(r"-\.207 +Bob +1\.10b +54X", table)
    post = format_match(sample, TARGETS["plain"], PostStyle(boards="blunders"))
    assert "1.10b, Bob: 54X 17/13 8/3* ?? -.207, best T 17/12 12/8" in post


def test_the_diagram_of_a_missed_double(sample: AnnotatedMatch) -> None:
    """It names the right cube action, and the board has no dice."""
    post = format_match(sample, TARGETS["plain"], PostStyle(boards="blunders"))
    _, _, after = post.partition("1.11a, Alice: ")
    caption, *board = after.splitlines()
    assert caption == "no double ?? -.171, best double, take"
    assert " X to roll" in board[: board.index("", 18) + 3]
    assert "X plays" not in "\n".join(board[:20])


def test_rows_with_errors_are_read_back(sample: AnnotatedMatch) -> None:
    for target in ("text", "plain", "bbcode", "reddit"):
        for layout in ("row", "paired"):
            output = run("annotate", "--errors", f"--layout={layout}", f"--to={target}", SAMPLE).out
            (row,) = [line for line in output.splitlines() if "??" in line and "52T" in line][:1]
            plays = [turn.play for turn in decode(row, strict=True).turns if turn.play]
            assert plays == [turn.play for turn in sample.games[0].turns if turn.play]


def test_half_a_thousandth_is_rounded_as_in_nacbracs() -> None:
    """A loss of .0005 counts as wrong, so it may not look like none."""
    losses = [0.0005, 0.0015, 0.0025, 0.0035, 0.00049]
    assert [points_lost(loss) for loss in losses] == ["-.001", "-.002", "-.003", "-.004", "-.000"]
    assert [round(loss, 3) for loss in losses] == [0.001, 0.002, 0.003, 0.004, 0]


def test_an_error_has_no_letter() -> None:
    assert [points_lost(error) for error in (0.129, 1.02, None)] == ["-.129", "-1.020", "-?"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--blunder", "0"], "is not between 0.001 and 10 points"),
        (["--blunder", "x"], "is not between 0.001 and 10 points"),
        (["--blunder", "nan"], "is not between 0.001 and 10 points"),
        (["--to", "sgf", "--blunder", ".1"], "--blunder does nothing for --to sgf"),
        (["--to", "json", "--words", "gnubg"], "--words does nothing for --to json"),
    ],
)
def test_wrong_usage(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run("annotate", *words, SAMPLE)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err + capsys.readouterr().err
