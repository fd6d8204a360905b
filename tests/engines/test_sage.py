"""Open Sage: its answers, and its use instead of gnubg; skipped without the extra."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.sage import Sage
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.files.formats import read
from tests.figures import near, near_loss
from tests.gnubg.ingame import ROOT
from tests.strategies import random_match, random_positions

pytest.importorskip("bgsage", reason="the extra sage is not installed")

QUICK, DEEPER = Depth(1), Depth(2)
OPENING = GameState(roll=Roll(3, 1))


@pytest.fixture(scope="module")
def sage() -> Sage:
    return Sage()


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_the_best_opening_plays(sage: Sage, plies: int) -> None:
    for roll, best in (("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("53", "8/3 6/3")):
        first = sage.rank(GameState(roll=Roll.parse(roll)), Depth(plies))[0]
        assert str(first.play) == best
        assert first.method == f"Sage {max(plies, 1)}-ply"


def test_each_legal_play_is_rated_once(sage: Sage) -> None:
    for position, roll in random_positions(60, seed=4):
        rated = sage.rank(GameState(position, roll=roll), QUICK)
        assert {play.play for play in rated} == set(legal_plays(position, roll))
        assert len({play.play for play in rated}) == len(rated)
        assert [play.equity for play in rated] == sorted((r.equity for r in rated), reverse=True)


def test_plays_limits_the_deep_search(sage: Sage) -> None:
    rated = sage.rank(OPENING, replace(DEEPER, plays=5))
    assert [play.method for play in rated] == ["Sage 2-ply"] * 5 + ["Sage 1-ply"] * (len(rated) - 5)
    best = rank_best(sage, OPENING, DEEPER, limit=3)
    assert {play.method for play in best} == {"Sage 2-ply"}
    assert str(best[0].play) == "8/5 6/5"


def test_the_end_of_a_game_is_known(sage: Sage) -> None:
    for depth in (QUICK, DEEPER):
        won = sage.rank(replace(_last_roll(2, 1), roll=Roll(2, 1)), depth)[0]
        assert won.play.reached.off == 15
        assert won.equity == pytest.approx(1.0)
        lost = sage.rank(replace(_last_roll(6, 1), roll=Roll(2, 1)), depth)[0]
        assert lost.equity == near(-1.0)


def test_the_table_of_bear_offs_is_used(sage: Sage) -> None:
    """The nets alone give the opponent 29% with two checkers on his 3 point."""
    points = [0] * 26
    points[1], points[22] = 4, -2
    # 31 leaves two checkers on the ace point, which any roll bears off.
    best = sage.rank(GameState(Position(tuple(points)), roll=Roll(3, 1)), QUICK)[0]
    wins = sage.evaluate(GameState(best.play.after), QUICK).chances[0]
    # He needs both off: the rolls without a 1 or a 2, which are 16 of 36, and 22.
    assert wins == near(17 / 36)


def test_the_opponents_bar_counts(sage: Sage) -> None:
    points = [0] * 26
    points[1], points[5], points[6], points[8] = 2, 5, 5, 3
    points[17], points[19], points[20] = -4, -5, -5
    hit = sage.evaluate(GameState(Position((-1, *points[1:]))), QUICK)
    points[17] -= 1  # the same checker, entered on its home board
    free = sage.evaluate(GameState(Position(tuple(points))), QUICK)
    assert hit.chances[0] > free.chances[0] + 0.03


@pytest.mark.parametrize("depth", [QUICK, DEEPER], ids=str)
def test_the_score_counts(sage: Sage, depth: Depth) -> None:
    # At double match point a gammon is worth no more than a game.
    gammonish = GameState(roll=Roll(5, 5))
    last = GameState(roll=Roll(5, 5), length=1)
    assert sage.rank(gammonish, depth)[0].equity > sage.rank(last, depth)[0].equity
    one_away = sage.evaluate(GameState(length=1), depth)
    won, *_ = one_away.chances
    assert one_away.cubeless == near_loss(2 * won - 1)
    assert one_away.cubeful == pytest.approx(2 * won - 1, abs=0.01)


@pytest.mark.parametrize("depth", [QUICK, DEEPER], ids=str)
def test_scores_are_those_of_the_player(sage: Sage, depth: Depth) -> None:
    """A gammon is worth more to the trailing player, on either side."""
    trailing = GameState(roll=Roll(5, 5), length=5, score=(1, 4), crawford=True)
    ahead = replace(trailing, score=(4, 1))
    same = replace(trailing, player=Player.SECOND, score=(4, 1))
    equities = [sage.rank(state, depth)[0].equity for state in (trailing, ahead, same)]
    assert equities[0] == equities[2] > equities[1]


def test_a_cube_is_judged_only_where_it_may_be_turned(sage: Sage) -> None:
    states = [
        GameState(),
        GameState(owner=Player.SECOND, cube=2),
        GameState(owner=Player.FIRST, cube=2),
        GameState(length=5, score=(4, 2), crawford=True),
        GameState(length=5, score=(3, 2), cube=2, owner=Player.FIRST),
    ]
    for depth in (QUICK, DEEPER):
        analyses = dict(sage.analyse(states, depth))
        assert [analyses[at].cube is not None for at in range(5)] == [
            True,
            False,
            True,
            False,
            False,
        ]
        for state, (_, analysis) in zip(states, sorted(analyses.items()), strict=True):
            if analysis.cube:
                assert sage.judge_cube(state, depth) == analysis.cube
            else:
                with pytest.raises(IllegalError, match="may not double"):
                    sage.judge_cube(state, depth)


def test_cubes_that_everybody_knows(sage: Sage) -> None:
    for depth in (QUICK, DEEPER):
        assert sage.judge_cube(GameState(), depth).best == "no double, take"
    # The opponent has one checker on the ace point: the player must bear off both now.
    # 6 and 2: 62 to 65, and all doublets but 11, which are 13 of 36 rolls.
    lost = sage.judge_cube(_last_roll(6, 2), DEEPER)
    assert lost.best == "no double, take"
    assert lost.no_double == near(2 * 13 / 36 - 1)
    # 5 and 1: every 5 and 6, and 22 33 44, which are 23 of 36 rolls.
    won = sage.judge_cube(_last_roll(5, 1), DEEPER)
    assert won.best == "double, take"
    assert won.no_double == near(2 * 23 / 36 - 1)
    assert won.double_take == near(2 * (2 * 23 / 36 - 1))


def _last_roll(*own: int) -> GameState:
    points = [own.count(point) for point in range(26)]
    points[24] = -1
    return GameState(Position(tuple(points)))


def test_jacoby_counts_for_each_state(sage: Sage) -> None:
    states = [GameState(), GameState(jacoby=True), GameState(length=7), GameState(jacoby=True)]
    analyses = dict(sage.analyse([replace(state, roll=Roll(5, 5)) for state in states], QUICK))
    plays = [analyses[at].play for at in range(4)]
    best = [play.candidates[0].equity for play in plays if play]
    assert best[1] == best[3] != best[0]


def test_a_whole_match_gets_all_but_luck(sage: Sage) -> None:
    match = random_match(3)
    analysed = annotate(analyse_match(match, sage, QUICK))
    for game in analysed.games:
        for turn in game.turns:
            action = turn.action
            if isinstance(action, Move) and turn.play:
                assert action.analysis
                assert action.analysis.luck is None
                assert action.analysis.play
                assert action.analysis.play.made
                assert action.analysis.play.error is not None


def test_a_whole_match_is_few_questions_at_1_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is why 7 points take less than half a second of processor time."""
    sage, calls = Sage(), list[str]()
    bindings = sage._cpp

    class Counting:
        def __getattr__(self, name: str) -> object:
            calls.append(name)
            return getattr(bindings, name)

    monkeypatch.setattr(sage, "_cpp", Counting())
    (match,) = read(ROOT / "sample_matches" / "match-7pt.mat")
    analyse_match(match, sage, QUICK)
    questions = [name for name in calls if name != "CubeOwner"]
    assert sum(len(game.actions) for game in match.games) > 150
    assert set(questions) == {"batch_checker_play", "batch_evaluate_positions"}
    assert len(questions) < 12


def test_alone_and_together_a_state_is_judged_alike(sage: Sage) -> None:
    states = [GameState(position, roll=roll) for position, roll in random_positions(300, 6)[::30]]
    for depth in (QUICK, DEEPER):
        for at, analysis in sage.analyse(states, depth):
            alone = Sage(threads=2).rank(states[at], depth)
            together = analysis.play.candidates if analysis.play else ()
            assert [play.equity for play in together] == [play.equity for play in alone]
            assert [play.method for play in together] == [play.method for play in alone]


def test_answers_are_kept_apart_from_gnubgs(sage: Sage, tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(Store(path)) as store:
        engine = Cached(sage, store)
        first = engine.rank(OPENING, DEEPER), engine.judge_cube(OPENING, DEEPER)
        assert engine.bot.name == "Sage"
    with closing(Store(path)) as store:
        silent = Cached(_Silent(sage), store)
        assert (silent.rank(OPENING, DEEPER), silent.judge_cube(OPENING, DEEPER)) == first
    different = _Silent(sage)
    different.fingerprint = "/usr/games/gnubg"
    with closing(Store(path)) as store, pytest.raises(EngineError):
        Cached(different, store).rank(OPENING, DEEPER)


class _Silent(Sage):
    """Has the same fingerprint, but no answers."""

    def __init__(self, like: Sage) -> None:
        self.fingerprint = like.fingerprint

    def rank(self, *_: object) -> tuple[()]:
        raise EngineError("asked")


def _rolled_out(sage: Sage) -> object:
    return sage.rank(OPENING, Depth(0, trials=36, plays=2))


def _too_long(sage: Sage) -> object:
    return sage.rank(GameState(roll=Roll(3, 1), length=26), QUICK)


def _too_long_to_double(sage: Sage) -> object:
    return sage.judge_cube(GameState(length=31, score=(20, 5)), QUICK)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (_rolled_out, "no rollouts"),
        (_too_long, "at most 25 points to go, not 26"),
        (_too_long_to_double, "at most 25 points to go, not 26"),
    ],
)
def test_unsupported_questions_are_errors(
    sage: Sage, ask: Callable[[Sage], object], message: str
) -> None:
    with pytest.raises(EngineError, match=message):
        ask(sage)


def test_trouble_inside_is_an_error_of_one_line(
    sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("out of luck\nat line 7")

    broken = Sage()
    bindings = SimpleNamespace(CubeOwner=broken._cpp.CubeOwner, batch_checker_play=fail)
    monkeypatch.setattr(broken, "_cpp", bindings)
    with pytest.raises(EngineError, match=r"^Open Sage could not answer: out of luck$"):
        broken.rank(OPENING, QUICK)
    assert sage.rank(OPENING, QUICK)


def test_the_game_is_over(sage: Sage) -> None:
    over = Position(tuple(-1 if at == 24 else 0 for at in range(26)))
    with pytest.raises(IllegalError, match="borne off all"):
        sage.rank(GameState(over, roll=Roll(3, 1)), QUICK)
    assert sage.rank(GameState(STANDARD), QUICK) == ()


@pytest.mark.usefixtures("no_engine")
def test_without_the_extra_one_sentence_names_it() -> None:
    with pytest.raises(EngineError, match=r"needs an extra package: pip install -e .*sage"):
        Sage()
