"""The sample matches, replayed here and by the real program, agree after every action.

The IDs hold not only the board but also the turn, the roll, the cube, the score and the rules.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import (
    format_gnubg_id,
    format_position_id,
    parse_position_id,
)
from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Take, Turn, replay
from gnubg_nactation.files import mat, sgf
from tests.gnubg.ingame import ROOT, run_in_gnubg

SAMPLES = sorted(path for path in (ROOT / "sample_matches").glob("*.*") if path.suffix != ".xg")

Walks = dict[str, Any]


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Walks:
    """By file name: for each game gnubg's records as (action, IDs before, Position ID after)."""
    folder = tmp_path_factory.mktemp("walks")
    answers = run_in_gnubg("inside_walk.py", [str(path) for path in SAMPLES], folder)
    return {path.name: games for path, games in zip(SAMPLES, answers, strict=True)}


def read(path: Path) -> Match:
    if path.suffix == ".sgf":
        return sgf.read(path.read_bytes()).match
    (match,) = mat.read(path.read_bytes())
    return replace(match, jacoby=False)  # match text does not have it


def turns_of(match: Match, game: Game) -> list[Turn]:
    """The turns that gnubg has records of the same kind for; a roll without a play is none."""
    turns = [t for t in replay(match, game) if isinstance(t.action, Move | Double | Take | Drop)]
    return [t for t in turns if t.play or not t.plays]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_moment_is_the_same(path: Path, walks: Walks) -> None:
    match = read(path)
    assert not match.problems
    for game, records in zip(match.games, walks[path.name], strict=True):
        turns = turns_of(match, game)
        expected = [record for record in records if record[0] in ("move", "double", "take", "drop")]
        cubes = 0  # doubles that await an answer
        for turn, (action, ids, _) in zip(turns, expected, strict=True):
            assert type(turn.action).__name__.lower() == action
            assert turn.state is not None
            state = turn.state
            if turn.number == 1 and game is match.games[0]:
                state = replace(state, roll=None)  # gnubg has not thrown yet at the very start
            if cubes < 2:
                assert format_gnubg_id(state) == ids
            else:  # beavered: the Match ID shows the side doubled first, ours who turned it last
                assert same_board(format_gnubg_id(state), ids)
            cubes = cubes + 1 if action == "double" else 0


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_play_reaches_the_same_board(path: Path, walks: Walks) -> None:
    match = read(path)
    reached = 0
    for game, records in zip(match.games, walks[path.name], strict=True):
        moves = [turn for turn in turns_of(match, game) if isinstance(turn.action, Move)]
        afters = [after for action, _, after in records if action == "move"]
        for turn, after in zip(moves, afters, strict=True):
            assert not turn.problem
            if turn.play is not None:
                assert same_board(format_position_id(turn.play.after), after)
                reached += 1
    assert reached > 0


def same_board(first: str, second: str) -> bool:
    """Whether two IDs are of one board, from whichever side."""
    board, again = (parse_position_id(name.partition(":")[0]) for name in (first, second))
    return board in (again, again.switch_sides())
