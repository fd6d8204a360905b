"""A match analysed state by state, compared with gnubg's own analysis of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Action, Double, Drop, Match, Move, Take, replay
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.analysing import analyse_match, judge_made
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.tasks.annotating import analysis_by
from tests.engines.built import needs_builtin
from tests.figures import EQUITY, near, near_loss
from tests.gnubg.analyses import analysed_samples
from tests.gnubg.ingame import ROOT, needs_gnubg

pytestmark = [needs_gnubg, needs_builtin]

FARTHEST = 0.012  # points: a single play where the reciprocals of Debian's gnubg add up

SAMPLES = ROOT / "sample_matches"


def _read(name: str) -> Match:
    data = (SAMPLES / name).read_bytes()
    return sgf.read(data).match if name.endswith("sgf") else mat.read(data)[0]


def _cube(action: Action) -> CubeAnalysis | None:
    match action:
        case Move(analysis=MoveAnalysis(cube=cube)):
            return cube
        case Double() | Take() | Drop():
            return action.analysis
    return None


def _equities(action: Action) -> list[Any]:
    """All equities of an analysis."""
    cube = _cube(action)
    equities: list[Any] = [cube and cube.no_double, cube and cube.double_take]
    if isinstance(action, Move) and action.analysis and action.analysis.play:
        equities += sorted(candidate.equity for candidate in action.analysis.play.candidates)
    return equities


def _differences(action: Action) -> list[Any]:
    """Luck and error of an analysis; marks follow from the errors."""
    if not isinstance(action, Move) or not action.analysis:
        return []
    return [action.analysis.luck, action.analysis.play and action.analysis.play.error]


def in_gnubg(name: str, factory: pytest.TempPathFactory) -> tuple[Match, Match]:
    """A sample with the rules that gnubg reads, and gnubg's own analysis of it at 0-ply."""
    folder, _ = analysed_samples(factory)
    theirs = sgf.read((folder / f"{name}.sgf").read_bytes()).match
    return replace(_read(f"{name}.mat"), jacoby=theirs.jacoby), theirs


def actions_of(ours: Match, theirs: Match) -> Iterator[tuple[Action, Action]]:
    """The same actions in two analyses."""
    for our_game, their_game in zip(ours.games, theirs.games, strict=True):
        for our, their in zip(our_game.actions, their_game.actions, strict=False):
            assert type(our) is type(their)
            yield our, their


def distances(ours: Match, theirs: Match) -> list[float]:
    """How far all equities and losses are apart."""
    apart: list[float] = []
    for our, their in actions_of(ours, theirs):
        pairs = [*zip(_equities(our), _equities(their), strict=True)]
        pairs += zip(_differences(our), _differences(their), strict=True)
        assert all((mine is None) == (other is None) for mine, other in pairs)
        apart += [abs(mine - other) for mine, other in pairs if mine is not None]
    assert len(apart) > 1000
    return sorted(apart)


@pytest.mark.parametrize("name", ["match-3pt", "match-7pt", "money", "nackgammon-5pt"])
def test_the_analysis_is_gnubgs(
    gnubg: Gnubg, builtin: CompiledGnubg, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    match, theirs = in_gnubg(name, tmp_path_factory)
    compared = 0
    for our, their in actions_of(analyse_match(match, gnubg, Depth(0)), theirs):
        assert _equities(our) == near(_equities(their))
        assert _differences(our) == near_loss(_differences(their))
        compared += len(_equities(our)) + len(_differences(our))
    assert compared > 1000
    # Debian's gnubg has inexact arithmetic: see test_arithmetic.py, which has it as well.
    apart = distances(analyse_match(match, builtin, Depth(0)), theirs)
    assert apart[len(apart) * 99 // 100] < EQUITY
    assert apart[-1] < FARTHEST


def test_some_actions_have_no_analysis(gnubg: Gnubg) -> None:
    """Set-ups, beavers and raccoons are in this session; the rest of it is analysed."""
    match = analyse_match(_read("money-beaver-setup.sgf"), gnubg, Depth(0))
    actions = [action for game in match.games for action in game.actions]
    assert any(
        isinstance(action, Move) and action.analysis and action.analysis.play for action in actions
    )
    for previous, action in pairwise(actions):
        if isinstance(previous, Double) and isinstance(action, Double):
            assert action.analysis is None


def test_progress_is_reported(gnubg: Gnubg) -> None:
    progress: list[tuple[int, int]] = []
    analyse_match(_read("match-1pt.mat"), gnubg, Depth(0), lambda *counts: progress.append(counts))
    assert [done for done, _ in progress] == list(range(1, progress[0][1] + 1))


def _methods(match: Match) -> set[str]:
    return {
        candidate.method
        for game in match.games
        for action in game.actions
        if isinstance(action, Move) and action.analysis and action.analysis.play
        for candidate in action.analysis.play.candidates
    }


def test_an_earlier_analysis_is_replaced(gnubg: Gnubg) -> None:
    match = _read("match-3pt-analysed.sgf")
    assert _methods(match) == {"0-ply"}
    assert _methods(analyse_match(match, gnubg, Depth(1))) >= {"1-ply"}


def test_a_play_that_the_search_leaves_out_is_judged_as_deeply_as_the_best(
    gnubg: Gnubg, builtin: CompiledGnubg
) -> None:
    """So gnubg analyses matches; else a loss would compare two depths. 6/5(4) is far behind."""
    (match,) = mat.read(
        b" 3 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
        b"  1) 31: 8/5 6/5                11: 6/5(4)\n"
    )
    _, turn = replay(match, match.games[0])
    assert turn.state
    for engine in (gnubg, builtin):
        first, left_out = _plays(analyse_match(match, engine, Depth(1)))
        assert left_out.best
        assert left_out.best.method == "1-ply"
        assert left_out.made
        assert left_out.made.method == "0-ply"
        analyse = analysis_by(engine, 1, None)
        assert analyse
        same, judged = _plays(analyse(match, [[*replay(match, game)] for game in match.games]))
        assert same == first
        assert judged.made
        assert judged.made.method == "1-ply"
        assert judged.made.chances
        searched = engine.rank(turn.state, Depth(1, plays=len(turn.plays)))  # all plays
        (equity,) = [rated.equity for rated in searched if rated.play == turn.play]
        assert judged.made.equity == near(equity)
        assert judged.error == near_loss(searched[0].equity - equity)
        levels = [candidate.method for candidate in judged.candidates]
        assert levels == sorted(levels, reverse=True)


def test_an_error_is_judged_deeply_if_the_search_left_nothing_but_the_best(
    gnubg: Gnubg, builtin: CompiledGnubg
) -> None:
    """13/9* is far ahead at 0-ply, and the search ends; gnubg then judges it and the play made."""
    state = GameState.parse("XGID=--C--bB-Ba--bE-B-bbd-b-A--:0:0:1:31:7:3:1:0:10")
    plays = legal_plays(state.position, Roll(3, 1))
    made = parse_play("23/22 13/10", state.position, Roll(3, 1))
    for engine in (gnubg, builtin):
        ((_, quick),) = engine.analyse([state], Depth(1))
        assert quick.play
        assert {candidate.method for candidate in quick.play.candidates} == {"0-ply"}
        deep = judge_made(state, made, quick, engine, Depth(1)).play
        assert deep
        best, wrong, *others = deep.candidates
        assert (best.method, wrong.method) == ("1-ply", "1-ply")
        assert {candidate.method for candidate in others} == {"0-ply"}
        searched = engine.rank(state, Depth(1, plays=len(plays)))  # all plays
        equities = {rated.play: rated.equity for rated in searched}
        assert [best.equity, wrong.equity] == near([searched[0].equity, equities[made]])
        right = judge_made(state, searched[0].play, quick, engine, Depth(1))
        assert right == quick


def _plays(match: Match) -> list[PlayAnalysis]:
    return [
        action.analysis.play
        for game in match.games
        for action in game.actions
        if isinstance(action, Move) and action.analysis and action.analysis.play
    ]


def test_gnubg_works_while_its_answers_are_read(gnubg: Gnubg) -> None:
    """Questions in between or afterwards get their own answers."""
    opening = GameState(STANDARD, roll=Roll(3, 1))
    alone = gnubg.rank(opening, Depth(0))
    match = _read("match-7pt.mat")
    turns = [turn for game in match.games for turn in replay(match, game)]
    states = [turn.state for turn in turns if turn.plays and turn.state]
    together = dict(gnubg.analyse(states, Depth(0)))
    half = gnubg.analyse(states, Depth(0))
    first = next(half)
    process = gnubg._process
    assert process
    assert process.busy
    assert gnubg.rank(opening, Depth(0)) == alone
    assert gnubg._process is not process
    assert dict([first, *half]) == together
    next(gnubg.analyse(states, Depth(0)))  # the rest is never read
    assert gnubg.rank(opening, Depth(0)) == alone
