"""Open Sage, held against GNU Backgammon; skipped where the extra is not installed."""

from __future__ import annotations

import sys

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.sage import Sage
from gnubg_nactation.errors import EngineError
from tests.strategies import random_match, random_positions

pytest.importorskip("bgsage", reason="the extra sage is not installed")

STATIC = Depth()


@pytest.fixture(scope="module")
def sage() -> Sage:
    return Sage()


def test_it_knows_the_best_opening_plays(sage: Sage) -> None:
    for roll, best in (("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("53", "8/3 6/3")):
        first = sage.rank(GameState(roll=Roll.parse(roll)), STATIC)[0]
        assert str(first.play) == best
        assert first.method == "Sage 1-ply"


def test_each_legal_play_is_rated_once(sage: Sage) -> None:
    for position, roll in random_positions(60, seed=4):
        rated = sage.rank(GameState(position, roll=roll), STATIC)
        assert {one.play for one in rated} == set(legal_plays(position, roll))
        assert len({one.play for one in rated}) == len(rated)
        assert [one.equity for one in rated] == sorted((r.equity for r in rated), reverse=True)


def test_the_opponents_bar_counts(sage: Sage) -> None:
    points = [0] * 26
    points[1], points[5], points[6], points[8] = 2, 5, 5, 3
    points[17], points[19], points[20] = -4, -5, -5
    hit = sage.evaluate(GameState(Position((-1, *points[1:]))), STATIC)
    points[17] -= 1  # the same checker, which has come in and stands at home
    free = sage.evaluate(GameState(Position(tuple(points))), STATIC)
    assert hit.chances[0] > free.chances[0] + 0.03


def test_the_score_is_minded(sage: Sage) -> None:
    # At double match point a gammon is worth no more than a game.
    gammonish = GameState(roll=Roll(5, 5))
    last = GameState(roll=Roll(5, 5), length=1)
    assert sage.rank(gammonish, STATIC)[0].equity > sage.rank(last, STATIC)[0].equity
    money = sage.evaluate(GameState(), STATIC)
    one_away = sage.evaluate(GameState(length=1), STATIC)
    won, *_ = one_away.chances
    assert one_away.cubeful == pytest.approx(2 * won - 1, abs=0.01)
    assert money.cubeful != pytest.approx(one_away.cubeful)


def test_a_cube_is_judged_only_where_it_may_be_turned(sage: Sage) -> None:
    states = [
        GameState(),
        GameState(owner=Player.SECOND, cube=2),
        GameState(owner=Player.FIRST, cube=2),
        GameState(length=5, score=(4, 2), crawford=True),
        GameState(length=5, score=(3, 2), cube=2, owner=Player.FIRST),
    ]
    found = dict(sage.analyse(states, STATIC))
    assert [found[at].cube is not None for at in range(5)] == [True, False, True, False, False]


def test_a_whole_match(sage: Sage) -> None:
    match = random_match(3)
    analysed = annotate(analyse_match(match, sage, STATIC))
    for game in analysed.games:
        for turn in game.turns:
            action = turn.action
            if isinstance(action, Move) and turn.play:
                assert action.analysis
                assert action.analysis.play
                made = action.analysis.play.made
                assert made
                assert action.analysis.play.error is not None


def test_what_it_cannot_do_is_said(sage: Sage) -> None:
    state = GameState(roll=Roll(3, 1))
    for depth in (Depth(4), Depth(0, trials=36, plays=2)):
        with pytest.raises(EngineError, match="3 plies ahead at most"):
            sage.rank(state, depth)


def test_without_the_extra_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgsage", None)
    with pytest.raises(EngineError, match=r"pip install 'gnubg-nactation\[sage\]'"):
        Sage()
