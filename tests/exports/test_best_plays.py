"""The order of plays that a source judged on different levels, as in files of eXtreme Gammon."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedTurn, annotate
from gnubg_nactation.backgammon.analysis import Candidate, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Game, Match, Move
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.decision import play_decision, turn_nacbrac
from gnubg_nactation.exports.card import card_svg
from gnubg_nactation.exports.page.data import game_steps
from gnubg_nactation.exports.post import answer_lines
from gnubg_nactation.exports.targets import TARGETS

# The source lists what it judged most deeply first; the 8/4 seems better than the best.
LISTED = (
    ("8/5 6/5", -0.100, "XG Roller++"),
    ("24/23 13/10", -0.122, "XG Roller++"),
    ("24/20", -0.447, "XG Roller++"),
    ("13/10 6/5", -0.181, "XG 4-ply"),
    ("13/9", -0.183, "XG 4-ply"),
    ("8/4", -0.090, "XG 4-ply"),
)
BY_EQUITY = ["8/5 6/5", "8/4", "24/23 13/10", "13/10 6/5", "13/9", "24/20"]


def turn_of(made: int) -> AnnotatedTurn:
    candidates = [Candidate(parse_hops(text), equity, level) for text, equity, level in LISTED]
    analysis = MoveAnalysis(PlayAnalysis((*candidates,), made))
    move = Move(Player.FIRST, Roll(3, 1), parse_hops(LISTED[made][0]), analysis=analysis)
    match = annotate(Match(("Ann", "Ben"), 5, (Game(1, (0, 0), (move,)),)))
    return match.games[0].turns[0]


def test_plays_come_by_equity_after_the_best_of_the_source() -> None:
    decision = play_decision(turn_of(2))
    assert decision
    assert [choice.text for choice in decision.choices] == BY_EQUITY
    assert (decision.made, decision.rank) == (5, 5)
    levels = [decision.level_of(choice) for choice in decision.choices]
    assert levels == ["", "4-ply", "", "4-ply", "4-ply", ""]


def test_the_rank_of_the_play_made_is_by_equity() -> None:
    """The source lists 8/4 last."""
    decision = play_decision(turn_of(5))
    assert decision
    assert (decision.made, decision.rank) == (1, None)
    assert len(decision.choices) == 5


def test_the_page_has_the_same_order_and_levels() -> None:
    match = annotate(Match(("Ann", "Ben"), 5, (Game(1, (0, 0), (turn_of(2).action,)),)))
    (step,) = game_steps(match.games[0])
    assert [play["said"] for play in step["plays"]] == BY_EQUITY
    assert [play["level"] for play in step["plays"]] == [
        *(None, "4-ply", None, "4-ply", "4-ply", None)
    ]
    assert step["rank"] == 6


def test_posts_and_cards_show_levels_and_the_rank() -> None:
    decision = play_decision(turn_of(2))
    assert decision
    lines = answer_lines(decision, TARGETS["plain"])
    assert lines[1].endswith("8/4, -.090, 4-ply")
    assert lines[3].endswith("13/10 6/5, -.181 (-.081), 4-ply")
    assert lines[5].endswith("24/20, -.447 (-.347), rank 6 (played)")
    svg = card_svg(decision)
    assert "13/10 6/5, 4-ply" in svg
    assert "24/20, rank 6" in svg


def test_a_nacbrac_lists_all_levels_but_no_play_that_seems_better() -> None:
    whole, cut = turn_nacbrac(turn_of(2)), turn_nacbrac(turn_of(2), top=2)
    assert whole == "-5-5[P S22 $81 D83...U347] XG Roller++, 4-ply for $ D"
    assert cut == "-5-5[P S22...U347] XG Roller++"
