"""Whole matches as each program writes match text, with the faults that real files show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.match import (
    Action,
    Game,
    Match,
    Move,
    Resign,
    SetPosition,
    replay,
)
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat
from gnubg_nactation.showing import quoted
from tests.files.mat_dialects import DIALECTS, recorded, write
from tests.files.mat_texts import expressible, one_game, read_one, result
from tests.strategies import random_match

RIGHT = Player.SECOND
SAMPLES = Path(__file__).parents[2] / "sample_matches"
every_dialect = pytest.mark.parametrize("name", DIALECTS)


@cache
def written_matches() -> tuple[Match, ...]:
    """Random matches that every program can write: with the usual start."""
    matches = (random_match(seed, max_games=3) for seed in range(12))
    return tuple(match for match in matches if match.start == STANDARD)[:5]


def turns(match: Match, game: Game) -> Iterator[tuple[object, ...]]:
    """Who acts how, with the cube before it and the position after it; all of it is legal."""
    for turn in replay(match, game):
        assert not turn.problem
        assert turn.state
        if isinstance(turn.action, Move):
            reached = turn.play and turn.play.reached
            yield turn.action.player, turn.action.roll, turn.state.cube, turn.state.owner, reached
        elif not isinstance(turn.action, Resign):
            yield turn.action.player, type(turn.action)


def facts(match: Match) -> tuple[object, ...]:
    """All that a program writes, but for who resigned, and the roll after which that was."""
    games = []
    for game in match.games:
        acts = list(turns(match, game))
        while game.resigned and acts and acts[-1][-1] is None:
            acts.pop()
        head = game.number, game.score, game.crawford, game.resigned
        games.append((head, result(game), acts))
    return match.players, match.length, match.headers, match.jacoby, match.start, games


def resigning(game: Game) -> list[Player]:
    return [action.player for action in game.actions if isinstance(action, Resign)]


def test_the_matches_have_all_that_programs_write() -> None:
    games = [game for match in written_matches() for game in match.games]
    assert {match.length > 0 for match in written_matches()} == {True, False}
    assert {game.points for game in games} >= {1, 2, 4}
    kinds = {type(action).__name__ for game in games for action in game.actions}
    assert kinds == {"Move", "Double", "Take", "Drop", "Resign"}


@cache
def read_matches(name: str) -> list[tuple[Match, Match]]:
    """What the file of each match in a dialect says, and what is read."""
    expected = [recorded(match, DIALECTS[name]) for match in written_matches()]
    return [(match, mat.read(write(match, DIALECTS[name]))[0]) for match in expected]


@every_dialect
def test_a_match_is_read_from_every_dialect(name: str) -> None:
    resigns = DIALECTS[name].resigns
    for expected, read in read_matches(name):
        assert read.problems == ()
        assert facts(read) == facts(expected)
        for game, original in zip(read.games, expected.games, strict=True):
            named = resigns[game.number % len(resigns)] not in ("", "{dice}: ")
            assert resigning(game) == (resigning(original) if named else [])


@every_dialect
def test_a_match_of_every_dialect_reads_back_as_written(name: str) -> None:
    for _, read in read_matches(name):
        text = mat.write(read)
        again = read_one(text)
        assert expressible(again) == expressible(read)
        assert mat.write(again) == text


# --- faults of real files


@every_dialect
def test_a_file_that_is_cut_off_has_the_turns_before_the_cut(name: str) -> None:
    dialect = DIALECTS[name]
    match = next(match for match in written_matches() if len(match.games) > 1)
    data = write(recorded(match, dialect), dialect)
    *before, last = mat.read(data)[0].games
    acts = without_lines(last)
    cuts = range(len(data) - 1, data.index(b"1) ", data.rindex(b"Game")), -211)
    assert len(cuts) > 5
    for cut in cuts:
        (read,) = mat.read(data[:cut])
        assert read.games[:-1] == tuple(before)
        assert len(read.problems) <= 1
        # The last turn, or the word for it, may be incomplete.
        sure = without_lines(read.games[-1])[:-1]
        assert sure == acts[: len(sure)]


def without_lines(game: Game) -> list[Action]:
    return [replace(action, line=0) for action in game.actions]


# Plays against the rules as people made them, after 61: 13/7 8/7; the game goes on from the board.
@pytest.mark.parametrize(
    ("cell", "following"),
    [
        ("31: 24/21 8/7 6/5", "62: 13/5"),  # a hop too many
        ("65: 13/7 13/8 6/8", "31: 8/5 6/5"),  # a checker moves back
        ("63: 13/9 13/7", "31: 8/5 6/5"),  # other pips than those of the dice
        ("41: 13/7", "62: 24/18 13/11"),
        ("33: 13/3 8/7", "62: 24/18 13/11"),
    ],
)
def test_a_play_against_the_rules_is_carried_out(cell: str, following: str) -> None:
    rows = f"  1)                             61: 13/7 8/7\n  2) {cell:<27} {following}\n  3) 66:\n"
    match = read_one(one_game(rows))
    assert match.problems == ()
    _, wrong, right, last = replay(match, match.games[0])
    roll, _, play = cell.partition(": ")
    assert wrong.problem.startswith(f"{quoted(play)} is not a legal play of {roll}")
    assert wrong.state
    assert right.state
    assert right.state.position != wrong.state.position.switch_sides()
    assert (right.problem, last.problem) == ("", "")
    assert right.play
    assert last.state
    assert expressible(read_one(mat.write(match))) == expressible(match)


@every_dialect
def test_turns_without_their_play_leave_the_board_unknown(name: str) -> None:
    """A player's plays are missing from some turn on; the next game is read as ever."""
    dialect = DIALECTS[name]
    whole = next(match for match in written_matches() if len(match.games) > 1)
    first, *others = recorded(whole, dialect).games
    actions = tuple(
        replace(action, hops=())
        if isinstance(action, Move) and number > 6 and action.player
        else action
        for number, action in enumerate(first.actions)
    )
    match = replace(recorded(whole, dialect), games=(replace(first, actions=actions), *others))
    (read,) = mat.read(write(match, dialect))
    assert read.problems == ()
    assert len(read.games[0].actions) >= len(actions) - 1
    replayed = list(replay(read, read.games[0]))
    problems = [turn.number for turn in replayed if turn.problem]
    assert len(problems) == 1
    assert replayed[problems[0] - 1].problem.startswith("no play is recorded; ")
    assert all(turn.state is None for turn in replayed[problems[0] :])
    assert [result(game) for game in read.games] == [result(game) for game in match.games]
    assert list(turns(read, read.games[1])) != []


@pytest.mark.parametrize("points", [100, 1004, 2008, 4016])
def test_absurd_points_are_kept_as_recorded(points: int) -> None:
    match = read_one(
        one_game(f"  1) 31: 8/5 6/5\n                               Wins {points} point\n")
    )
    assert result(match.games[0]) == (RIGHT, points)
    assert match.problems == ()
    (again,) = mat.read(mat.write(match).encode())
    assert result(again.games[0]) == (RIGHT, points)


def test_every_illegal_play_sets_the_board_again() -> None:
    """As gnubg writes plays that its notation cannot express, several in a game."""
    board = "-2;" + "0;" * 18 + "-1;0;0;0;0;3;1;"
    cell = f"Illegal play (5;0;1;0;1;Ben;Ann;0;2;3;1;0;{board}4;3;)"
    rows = "".join(f"  {row}) 21: {cell}  43: 25/21 24/21\n" for row in (1, 2, 3))
    match = read_one(one_game(rows))
    replayed = list(replay(match, match.games[0]))
    assert [turn.problem[:34] for turn in replayed if turn.problem] == [
        "not a checker play: 'Illegal play "
    ] * 3
    assert sum(isinstance(turn.action, SetPosition) for turn in replayed) == 3
    assert expressible(read_one(mat.write(match))) == expressible(match)


# gnubg's own files


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mat")), ids=lambda path: path.name)
def test_gnubgs_own_files_are_written_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    (match,) = mat.read(data)
    assert mat.write(match).encode() == data
    assert match.problems == ()
    assert [turn for game in match.games for turn in turns(match, game)]
