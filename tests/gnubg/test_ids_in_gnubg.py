"""Our IDs are gnubg's: the same moments set up in the real program by its own commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gnubg_nactation.backgammon.ids import (
    format_gnubg_id,
    format_match_id,
    format_position_id,
    format_xgid,
    parse_gnubg_id,
    parse_match_id,
    parse_position_id,
)
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from tests.gnubg.ingame import run_in_gnubg
from tests.strategies import random_positions

FIRST, SECOND = Player.FIRST, Player.SECOND

# Commands that set up a state, and the state.
SET_UP = [
    ("new match 7;set turn 0", GameState(length=7)),
    ("new match 7;set turn 1", GameState(player=SECOND, length=7)),
    ("new match 7;set turn 0;set dice 31", GameState(roll=Roll(3, 1), length=7)),
    ("new match 7;set turn 0;set dice 13", GameState(roll=Roll(3, 1), length=7)),
    ("new match 7;set turn 1;set dice 66", GameState(player=SECOND, roll=Roll(6, 6), length=7)),
    (
        "new match 9;set score 2 4;set cube value 2;set cube owner 0;set turn 1;set dice 52",
        GameState(player=SECOND, roll=Roll(5, 2), cube=2, owner=FIRST, score=(2, 4), length=9),
    ),
    (
        "new match 25;set score 13 0;set turn 0;set cube value 16;set cube owner 1",
        GameState(cube=16, owner=SECOND, score=(13, 0), length=25),
    ),
    ("new match 1;set turn 0", GameState(length=1)),
    (
        "new match 7;set score 6 3;set crawford on;set turn 1",
        GameState(player=SECOND, score=(6, 3), length=7, crawford=True),
    ),
    (
        "new match 7;set score 6 3;set crawford off;set turn 1",
        GameState(player=SECOND, score=(6, 3), length=7),
    ),
    ("set jacoby on;new session;set turn 0", GameState(jacoby=True)),
    ("set jacoby off;new session;set turn 0", GameState()),
    ("set jacoby on;new match 5;set turn 0", GameState(length=5)),
    (
        "set jacoby on;new session;set score 3 12;set turn 1",
        GameState(player=SECOND, score=(3, 12), jacoby=True),
    ),
    ("new match 5;set turn 0;double", GameState(player=SECOND, length=5, doubled=True)),
    ("new match 5;set turn 1;double", GameState(player=FIRST, length=5, doubled=True)),
    (
        "new match 5;set turn 1;double;take",
        GameState(player=SECOND, length=5, cube=2, owner=FIRST),
    ),
    (
        "set jacoby off;new session;set turn 0;set cube value 4;set cube owner 0;double",
        GameState(player=SECOND, cube=4, owner=FIRST, doubled=True),
    ),
]


def test_ids_of_moments_set_up_by_command(tmp_path: Path) -> None:
    answers = run_in_gnubg("inside_ids.py", [lines.split(";") for lines, _ in SET_UP], tmp_path)
    for (lines, state), (position_id, match_id) in zip(SET_UP, answers, strict=True):
        assert (lines, format_position_id(state.position)) == (lines, position_id)
        assert (lines, format_match_id(state)) == (lines, match_id)
        assert (lines, parse_match_id(match_id)) == (lines, state)


def test_a_double_is_shown_from_the_doublers_side(tmp_path: Path) -> None:
    lines = ["new match 5", "set turn 0", "set dice 31", "move 8/5 6/5", "double"]
    [[position_id, match_id]] = run_in_gnubg("inside_ids.py", [lines], tmp_path)
    reached = parse_play("8/5 6/5", STANDARD, Roll(3, 1)).reached  # numbered from who answers
    state = GameState(reached, FIRST, length=5, doubled=True)
    assert format_gnubg_id(state) == f"{position_id}:{match_id}"
    assert parse_gnubg_id(f"{position_id}:{match_id}") == state


def test_gnubg_reads_our_ids(tmp_path: Path) -> None:
    # gnubg 1.07 shows a double offered in the Match ID, but ignores it when reading one.
    moments = [state for _, state in SET_UP if not state.doubled]
    positions = random_positions(len(moments), seed=7)
    states = [replace(s, position=p) for s, (p, _) in zip(moments, positions, strict=True)]
    names = [format_gnubg_id(state) for state in states]
    answers = run_in_gnubg("inside_ids.py", [[f"set gnubgid {name}"] for name in names], tmp_path)
    assert [":".join(answer) for answer in answers] == names


def test_gnubg_reads_our_xgids(tmp_path: Path) -> None:
    # gnubg 1.07 ignores an offered double; a Crawford game has no cube to own.
    states = [state for _, state in SET_UP if not state.doubled]
    states += [
        GameState(p, Player(n % 2), roll, 1 << n % 7, Player(n // 2 % 2), (n % 5, n % 3), 11)
        for n, (p, roll) in enumerate(random_positions(40, 8), 1)
    ]
    states += [GameState(NACKGAMMON, SECOND, Roll(2, 1), jacoby=True)]
    questions = [[f"set xgid {format_xgid(state)}"] for state in states]
    answers = run_in_gnubg("inside_ids.py", questions, tmp_path)
    for state, (position_id, match_id) in zip(states, answers, strict=True):
        read = parse_match_id(match_id, parse_position_id(position_id))
        assert read == as_second(state)


def as_second(state: GameState) -> GameState:
    """The same moment with the names changed so that the second player is to move.

    gnubg seats the player on roll of an XGID at the bottom, which is its second player's place.
    """
    if state.player is SECOND:
        return state
    owner = None if state.owner is None else state.owner.other
    return replace(state, player=SECOND, owner=owner, score=state.score[::-1])
