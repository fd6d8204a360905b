"""Rollouts by the built-in engine: gnubg's games, its stop rule, and the same result every time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import MIN_GAMES, Depth
from gnubg_nactation.engines.questions import commands_for
from gnubg_nactation.engines.rollouts import Games, Sums, roll_out
from gnubg_nactation.engines.wasm import open_compiled
from tests.engines.built import FOLDER, needs_builtin
from tests.figures import EQUITY
from tests.gnubg.ingame import needs_gnubg

OPENING = GameState(roll=Roll(3, 1))
SHORT = Depth(0, trials=40, plays=2, truncate=3)
FIRST, SECOND, THIRD, *_ = legal_plays(STANDARD, Roll(6, 5))
# Contact for money, a cube at a score, a bear-off played to its end, and a crashed game.
COMPARED = {
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10": 5,
    "XGID=-a-BBBB-B--AbB---bcbbb--B-:1:1:1:64:2:3:0:7:10": 5,
    "XGID=-BBBBBB------------bbbbbb-:0:0:1:61:0:0:0:0:10": 0,
    "XGID=-B-BC-D---------a--cAdcbbC:0:0:-1:51:1:1:0:3:10": 7,
}


def rolled_out(ranked: Iterable[RatedPlay]) -> list[RatedPlay]:
    return [play for play in ranked if play.method == "rollout"]


@needs_builtin
def test_any_number_of_processors_gives_the_same_result() -> None:
    results = []
    for threads in (1, 2, 4):
        engine = open_compiled(FOLDER, threads=threads)
        done: list[int] = []
        results.append(engine.rank(OPENING, SHORT, done.append))
        engine.close()
        assert done == [36, 40]
    assert results[0] == results[1] == results[2]
    assert [play.method for play in results[0][:3]] == ["rollout", "rollout", "2-ply"]


@needs_builtin
def test_settings_change_the_games(builtin: CompiledGnubg) -> None:
    depths = [
        Depth(0, 12, 1, truncate=2),
        Depth(0, 12, 1, truncate=4),
        Depth(1, 12, 1, truncate=2),
        Depth(0, 12, 1, truncate=2, ends=0),
        Depth(0, 12, 1, truncate=2, seed=2),
        Depth(0, 13, 1, truncate=2),
    ]
    best = [rolled_out(builtin.rank(OPENING, depth))[0] for depth in depths]
    assert len({play.equity for play in best}) == len(depths)
    assert all(0 < (play.standard_error or 0) < 0.1 for play in best)
    assert rolled_out(builtin.rank(OPENING, depths[0])) == best[:1]  # whatever came in between


@needs_builtin
def test_only_plays_are_rolled_out(builtin: CompiledGnubg) -> None:
    with pytest.raises(ValueError, match="a 0-ply rollout 36 trials needs a number of plays"):
        builtin.rank(OPENING, Depth(0, trials=36))
    with pytest.raises(ValueError, match="only plays are rolled out"):
        builtin.evaluate(OPENING, Depth(0, trials=36))


@needs_builtin
@needs_gnubg
@pytest.mark.parametrize("xgid", COMPARED)
def test_results_are_those_of_gnubg(builtin: CompiledGnubg, gnubg: Gnubg, xgid: str) -> None:
    """With the same seed and options; inexact arithmetic of Debian's gnubg may change a play."""
    state = GameState.parse(xgid)
    for seed, ends in ((1, 2), (20, 0)):
        depth = Depth(0, 20, 2, truncate=COMPARED[xgid], ends=ends, seed=seed)
        ours = {play.play: play for play in rolled_out(builtin.rank(state, depth))}
        theirs = rolled_out(gnubg.rank(state, depth))
        assert len(theirs) == len(ours) == 2
        for play in theirs:
            mine, error = ours[play.play], play.standard_error
            assert error is not None
            assert mine.standard_error is not None
            assert abs(mine.equity - play.equity) <= max(EQUITY, error)
            assert mine.standard_error == pytest.approx(error, rel=0.25, abs=EQUITY)


def test_gnubg_gets_the_seed_and_the_stop_rule() -> None:
    commands = commands_for(Depth(0, 36, 2, seed=7, until=0.02), whole=False, threads=1)
    assert "set rollout seed 7" in commands
    assert "set rollout limit enable on" in commands
    assert "set rollout limit maxerror 0.02" in commands
    usual = commands_for(Depth(0, 36, 2), whole=False, threads=1)
    assert {"set rollout seed 1", "set rollout limit enable off"} < set(usual)


def play_by_turns(games: Iterable[Games]) -> Iterator[Sequence[float]]:
    """The first play wins each second game, the second every game, the third one point less."""
    for play, start, count in games:
        numbers = [1 - 2 * (game % 2) for game in range(start, start + count)]
        equities = {FIRST: numbers, SECOND: [2] * count, THIRD: [number - 1 for number in numbers]}
        rows = [[0.0] * 5 + [0.0, float(number)] for number in equities[play]]
        yield [number for row in rows for number in row]


def asked_of(games: list[Games], play: Play) -> int:
    return max(start + count for which, start, count in games if which == play)


@pytest.mark.parametrize("plies", [0, 1])
def test_a_play_stops_when_its_error_is_small(plies: int) -> None:
    """The squared error of n games is (n + 1) / n² if n is odd, and 1 / (n - 1) if it is even.

    401 games are the first with .05 or less; their mean is 1/401. The second play has no error, and
    stops as early as gnubg lets it.
    """
    asked: list[Games] = []

    def play_games(games: Iterable[Games]) -> Iterator[Sequence[float]]:
        listed = list(games)
        asked.extend(listed)
        return play_by_turns(listed)

    depth = Depth(plies, trials=1296, plays=3, until=0.05)
    best, first, third = roll_out([THIRD, FIRST, SECOND], depth, play_games)
    assert [best.play, first.play, third.play] == [SECOND, FIRST, THIRD]
    assert (best.equity, best.standard_error) == (2, 0)
    assert first.equity == pytest.approx(1 / 401)
    assert first.standard_error == pytest.approx((402 / 401**2) ** 0.5)
    assert third.equity == pytest.approx(1 / 401 - 1)
    assert asked_of(asked, SECOND) == MIN_GAMES
    assert 401 <= asked_of(asked, FIRST) < 401 + 36


def test_without_the_rule_all_games_are_played() -> None:
    done: list[int] = []
    (second, first) = roll_out([FIRST, SECOND], Depth(0, 50, 2), play_by_turns, done.append)
    assert (second.play, second.equity, second.standard_error) == (SECOND, 2, 0)
    assert first.standard_error == pytest.approx((1 / 49) ** 0.5)
    assert done == [36, 50]


@needs_builtin
def test_a_rollout_that_ended_early_goes_on(builtin: CompiledGnubg, tmp_path: Path) -> None:
    """Killed after its first round, it plays only the rest, and gives the same result."""
    depth = Depth(0, 100, 2, truncate=2, ends=0)
    half, shorter = replace(depth, trials=50), replace(depth, trials=40)

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    def done_by(depth: Depth) -> list[int]:
        done: list[int] = []
        with closing(cached(tmp_path)) as engine:
            assert engine.rank(OPENING, depth, done.append) == builtin.rank(OPENING, depth)
        return done

    with closing(cached(tmp_path)) as engine, suppress(KeyboardInterrupt):
        engine.rank(OPENING, depth, killed)
    assert done_by(half) == [50]
    assert done_by(depth) == [86, 100]  # a longer one goes on as well
    assert done_by(shorter) == [36, 40]
    assert done_by(depth) == []


def cached(folder: Path) -> Cached:
    return Cached(open_compiled(FOLDER), Store(folder / "answers.sqlite"))


@pytest.mark.parametrize("until", [0.0, 0.05])
def test_what_was_kept_changes_nothing(until: float) -> None:
    """From the sums of any round, and after the rule has ended one of the plays."""
    plays, depth = [THIRD, FIRST, SECOND], Depth(0, 500, plays=3, until=until)
    kept: list[Sums] = []
    result = roll_out(plays, depth, play_by_turns, keep=kept.append)
    assert len(kept) >= 12
    for sums in kept:
        again: list[Sums] = []
        assert roll_out(plays, depth, play_by_turns, begun=sums, keep=again.append) == result
        assert len(again) == len(kept) - 1 - kept.index(sums)
    shorter = replace(depth, trials=400)
    again = []
    expected = roll_out(plays, shorter, play_by_turns)
    assert roll_out(plays, shorter, play_by_turns, begun=kept[-1], keep=again.append) == expected
    assert not again  # the longer one stays
    assert roll_out(plays[:2], depth, play_by_turns, begun=kept[0]) == [
        play for play in result if play.play != SECOND
    ]
    lacking = dict(list(kept[3].items())[:2])
    assert roll_out(plays, depth, play_by_turns, begun=lacking) == result
