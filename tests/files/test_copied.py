"""Analyses that XG, gnubg and BGBlitz copy as text, and what forums make of them."""

from __future__ import annotations

import re

import pytest

from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.decisions.decision import (
    Choice,
    Decision,
    Listing,
    decisions_of,
    nacbrac_text,
    near_decisions_of,
)
from gnubg_nactation.files.copied import Copied, read_copied
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.language.plays import Plays
from tests.files.copied_texts import (
    ACTIONS,
    CUBE,
    EXPECTED,
    FOLDER,
    NAMES,
    PLAYS,
    START,
    Expected,
    read_text,
)


def read_one(text: str) -> Copied:
    (copied,) = read_copied(text)
    return copied


def plays_of(text: str) -> list[str]:
    (decision,) = decisions_of(read_one(text))
    return [choice.text for choice in decision.choices]


def test_the_table_is_about_all_texts() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == NAMES
    assert len(NAMES) >= 30


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: f"{row.file}-{row.position}-{row.about}")
def test_each_text_gives_what_it_says(row: Expected) -> None:
    positions = read_copied(decode_text(read_text(row.file), None))
    assert not any(copied.problems for copied in positions)
    copied = positions[row.position - 1]
    for decision in decisions_of(copied):
        assert decision.note == row.note
        if (decision.state.roll is None) == (row.about == "cube"):
            _check(decision, row)
            return
    raise AssertionError(f"no decision about {row.about}")


def _check(decision: Decision, row: Expected) -> None:
    if decision.cube:
        assert decision.cube.method == row.level
        words, double_loss, answer_loss = row.choices.rsplit(" ", 2)
        no_double, take = decision.cube.no_double or 0.0, decision.cube.double_take or 0.0
        losses = abs(no_double - min(take, 1)), abs(take - 1)
        assert decision.cube.best == words
        assert [round(1000 * loss) for loss in losses] == [int(double_loss), int(answer_loss)]
        return
    roll = decision.state.roll
    assert str(roll) == row.about
    for choice, text in zip(decision.choices, row.choices.split("; "), strict=True):
        match = re.fullmatch(r"([^\[]*?)(?: (\d+))?(?: \[(.*)\])?", text)
        assert match
        assert roll
        assert choice.play == parse_play(match[1], decision.state.position, roll)
        assert round(1000 * (choice.loss or 0)) == int(match[2] or 0)
        assert choice.level == (match[3] or row.level)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_those_of_the_plays(name: str) -> None:
    for copied in read_copied(decode_text(read_text(name), None)):
        for decision in (*decisions_of(copied), *near_decisions_of(copied, Listing(within=9))):
            for choice in decision.choices:
                if choice.play:
                    names = Plays.of(copied.legal).names(choice.play)
                    assert choice.name in {naming.nactation for naming in names}


def test_a_nacbrac_has_the_levels() -> None:
    """31P makes the 5 point; S splits the back checkers, D brings two builders down."""
    (decision,) = near_decisions_of(read_one(START + PLAYS))
    assert nacbrac_text(decision) == "[P S166] XG Roller++"
    (decision,) = near_decisions_of(read_one(START + PLAYS.replace("2. XG Roller++", "2. 3-ply")))
    assert nacbrac_text(decision) == "[P S166] XG Roller++, 3-ply for S"
    (decision,) = near_decisions_of(
        read_one(START + PLAYS.replace("eq:-0.007 (-0.166)", "eq:+0.100"))
    )
    assert nacbrac_text(decision) == "[P S59] XG Roller++"
    text = PLAYS.replace("2. XG Roller++", "2. 3-ply").replace("eq:-0.007 (-0.166)", "eq:+0.200")
    (decision,) = near_decisions_of(read_one(START + text))
    assert nacbrac_text(decision) == "[P D209] XG Roller++"
    (decision,) = near_decisions_of(read_one(CUBE + ACTIONS))
    assert nacbrac_text(decision) == "[N D/T 42 D/P 298] XG Roller++"


def test_a_rollout_has_standard_errors() -> None:
    """The margin of XG has the equity with 95 %: 1.96 standard errors."""
    text = PLAYS.replace("eq:+0.159", "eq:+0.159\n      Confidence: \u00b10.0098 (+0.149..+0.169)")
    (decision,) = decisions_of(read_one(START + text))
    assert decision.choices[0].standard_error == pytest.approx(0.005)
    assert decision.choices[1].standard_error is None


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("8/5 6/5 ", "8/4 6/5 ", "'8/4 6/5' is not a legal play of 31"),
        ("8/5 6/5 ", "8/5* 6/5 ", "'8/5* 6/5': nothing is hit on 5"),
        ("8/5 6/5 ", "6/5 8/5 6/5 ", "'6/5 8/5 6/5' is not a legal play of 31"),
        ("+0.159", "+159.0", "'8/5 6/5' has no equity"),
        ("eq:+0.159", "MWC: 51.23%", "'8/5 6/5' has a percentage, expected an equity"),
    ],
)
def test_nothing_is_ranked_against_a_wrong_best_play(old: str, new: str, problem: str) -> None:
    copied = read_one(START + PLAYS.replace(old, new))
    assert problem in copied.problems
    assert not any(choice.loss == 0.166 for choice in _choices(copied))


def _choices(copied: Copied) -> list[Choice]:
    return [choice for decision in decisions_of(copied) for choice in decision.choices]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("24/23 13/10", "24/22 13/10", "'24/22 13/10' is not a legal play of 31"),
        ("24/23 13/10", "6/5 8/5    ", "'6/5 8/5' is listed twice"),
        ("eq:-0.007 (-0.166)", "", "'24/23 13/10' has no equity"),
        (
            "eq:-0.007",
            "eq:-0.700",
            "'24/23 13/10' has -0.700 (-0.166), but the best play has +0.159",
        ),
    ],
)
def test_a_wrong_play_is_reported_and_left_out(old: str, new: str, problem: str) -> None:
    copied = read_one(START + PLAYS.replace(old, new))
    assert copied.problems == (problem,)
    (decision,) = near_decisions_of(copied, Listing(limit=3))
    assert nacbrac_text(decision) == "[P...D209] XG Roller++"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (START[:-2] + "x\n" + PLAYS, "not an XGID"),
        (START.replace("E-C", "E-F") + PLAYS, "more than 15 checkers"),
        (START.replace(":31:", ":00:") + PLAYS, "'8/5 6/5' is listed, but the ID has no roll"),
        (CUBE.replace("0:10", "3:10") + ACTIONS.replace("No double", ""), "without a double"),
        (CUBE + ACTIONS.replace("Double/Take:   +0.702", ""), "of double and take"),
        (CUBE + ACTIONS.replace("+1.000", "+0.500"), "expected +1.000, the value of a pass"),
        (CUBE.replace(":0:0:1:", ":1:-1:1:") + ACTIONS, "the opponent owns the cube"),
        (CUBE.replace("0:0:0:0:10", "2:0:1:3:10") + ACTIONS, "the Crawford game"),
        (
            CUBE.replace("0:0:0:0:10", "3:0:0:3:10") + ACTIONS,
            "the score 3-0 of the ID ends a match",
        ),
    ],
)
def test_a_damaged_position_is_reported(text: str, problem: str) -> None:
    copied = read_one(text)
    assert problem in " ".join(copied.problems)
    assert not copied.has_analysis


def test_an_unknown_language_has_its_place() -> None:
    """The lines of the cube follow the ID, which is not the first line."""
    text = decode_text(read_text("cube-unknown-language"), None)
    copied = read_one(f"Some words.\n\n{text}")
    first = copied.analysis_start
    assert copied.id_end < first
    assert f"Some words.\n\n{text}"[first:].lstrip().startswith("Zzz zzzzz:")


def test_a_note_is_whole() -> None:
    """Lines of a note may look like those of an analysis."""
    note = "White is ahead.\nUnlimited Game or not: play it.\n\n- 55.3% is enough\nMy guess: +0.1."
    chances = "      Opponent: 44.7% (G:12.1% B:0.5%)\n"
    text = f"{START}{PLAYS}{chances}\n{note}\n\neXtreme Gammon Version: 2"
    assert read_one(text).note == note


def test_the_best_play_may_not_be_missing() -> None:
    """A post may quote only some plays; the first one with a difference is not the best."""
    text = PLAYS.replace("    1. XG Roller++ 8/5 6/5                      eq:+0.159\n", "")
    copied = read_one(START + text)
    assert copied.problems == ("the best play is missing: '24/23 13/10' comes first",)
    assert not copied.has_analysis


def test_a_fan_has_nothing_to_rank() -> None:
    """X is on the bar against six points."""
    text = "XGID=---------------BBB-bbbbbbA:0:0:1:61:0:0:0:0:10\n 1. 4-ply Cannot Move eq:-0.936"
    copied = read_one(text)
    assert copied.problems == ("nothing can be played with 61",)


def test_a_damaged_position_does_not_spoil_the_others() -> None:
    first, second = read_copied(f"{START.replace('E-C', 'E-F')}{PLAYS}\n{START}{PLAYS}")
    assert first.problems
    assert not first.has_analysis
    assert not second.problems
    assert (second.has_analysis, second.line) == (True, 6)


def test_the_digits_of_a_footnote_are_no_part_of_a_play() -> None:
    """18/5 and 124/23 are no plays of 31."""
    assert plays_of(START + "\n1.Rollout18/5 6/5eq: +0.159") == ["8/5 6/5"]
    assert plays_of(START + "\n1.Rollout124/23 13/10eq: +0.159") == ["24/23 13/10"]


def test_other_texts_are_not_copied() -> None:
    for text in ("", "54S-63R-31P", START, "4HPwATDgc/ABMA", "31: 8/5 6/5  63: 24/15", PLAYS):
        positions = read_copied(text)
        assert not any(copied.has_analysis or copied.problems for copied in positions)


def changed(name: str, old: str, new: str) -> Copied:
    text = decode_text(read_text(name), None)
    assert old in text
    return read_one(text.replace(old, new, 1))


def test_bgblitz_gives_equities_and_match_winning_chances() -> None:
    """The first number of a line is the chance to win the match, the second one the equity."""
    copied = changed("bgblitz-german", "Bewertung", "Evaluation")
    rated = copied.ranking.rated
    assert [(play.equity, play.match_chance) for play in rated] == [
        (0.172, 0.317),
        (-0.004, 0.300),
        (-0.061, 0.294),
    ]
    cube = changed("bgblitz-double-take", "Rot", "Red").cube
    assert cube
    assert (cube.no_double, cube.double_take) == (0.58, 0.689)
    assert cube.match_chances == (0.358, 0.369, 0.4)


def test_the_xgid_of_bgblitz_says_who_is_on_roll() -> None:
    """Its Match ID has the same state with the players exchanged."""
    copied = changed("bgblitz-german", "Bewertung", "Evaluation")
    assert copied.state
    assert copied.state.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:3:0:5:10"
    text = decode_text(read_text("bgblitz-german"), None)
    bare = read_one("".join(line for line in text.splitlines(True) if "XGID" not in line))
    assert bare.state
    assert (bare.state.player, bare.state.score, bare.state.length) == (1, (3, 1), 5)
    assert bare.ranking.rated == copied.ranking.rated


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("bgblitz-german", "8/5, 6/5", "8/4, 6/5", "'8/4, 6/5' is not a legal play of 31"),
        ("bgblitz-german", "mwp /   0.172", "mwp", "'8/5, 6/5' has match winning chances"),
        ("bgblitz-german", "0.317 mwp", "3.170 mwp", "impossible match winning chances"),
        (
            "bgblitz-double-take",
            "0.689   ( 0.000)",
            "0.789   ( 0.000)",
            "contradicts the other lines",
        ),
        ("bgblitz-double-take", "1.000   ( 0.311)", "0.900   ( 0.211)", "expected 1.000"),
        ("bgblitz-no-double", "0.744   ( 0.000)", "0.744", "the value of a pass"),
    ],
)
def test_nothing_is_taken_from_a_damaged_text_of_bgblitz(
    name: str, old: str, new: str, problem: str
) -> None:
    copied = changed(name, old, new)
    assert problem in " ".join(copied.problems)
    assert not copied.has_analysis


def test_a_damaged_line_of_bgblitz_leaves_a_gap() -> None:
    copied = changed("bgblitz-german", "(-0.176)  24/23, 13/10", "(-0.176)  24/23, 13")
    assert len(copied.problems) == 1
    assert "is not a play with its equity" in copied.problems[0]
    (decision,) = near_decisions_of(copied, Listing(limit=3))
    assert nacbrac_text(decision) == "-4-2[P...D233] BGBlitz"


def test_numbers_of_one_measure_are_equities_only_in_money_games() -> None:
    """With a single column in a match, nothing shows what the numbers are."""
    text = decode_text(read_text("bgblitz-money"), None)
    match = text.replace(":0:0:0:0:10", ":0:0:0:5:10").replace("cIkFAAAAAAAE", "cAmgAAAAAAAE")
    assert not read_one(match).has_analysis
    assert read_one(match.replace("Evaluation", "Evaluation  (EMG)")).has_analysis
