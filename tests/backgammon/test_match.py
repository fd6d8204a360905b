"""Replaying a game: what the rules allow, what they do not, and records with gaps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    is_crawford_game,
    replay,
)
from gnubg_nactation.backgammon.notation import format_play, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from tests.backgammon.boards import board
from tests.strategies import matches

FIRST, SECOND = Player.FIRST, Player.SECOND


def move(player: Player, roll: str, text: str = "") -> Move:
    return Move(player, Roll.parse(roll), parse_hops(text))


def turns(*actions: Action, start: Position = STANDARD, length: int = 0) -> list[Turn]:
    game = Game(1, (0, 0), actions)
    return list(replay(Match(("Ann", "Ben"), length, (game,), start), game))


def state(turn: Turn) -> GameState:
    assert turn.state is not None
    return turn.state


OPENING = (move(FIRST, "31", "8/5 6/5"), move(SECOND, "63", "24/15"))


def test_each_player_sees_his_own_side_of_the_board() -> None:
    first, second = turns(*OPENING)
    assert [turn.number for turn in (first, second)] == [1, 2]
    assert first.play is not None
    assert second.play is not None
    assert state(first).position == STANDARD
    assert state(second).position == first.play.after
    assert (state(second).player, state(second).roll) == (SECOND, Roll(6, 3))
    assert format_play(second.play) == "24/15"
    assert second.play in second.plays
    assert second.problem == ""


def test_the_start_of_the_match_is_where_it_says() -> None:
    assert state(turns(OPENING[0], start=NACKGAMMON)[0]).position == NACKGAMMON


def test_an_unsymmetrical_start_is_numbered_from_the_first_player() -> None:
    start = board(p6=2, p20=-2)
    (turn,) = turns(move(SECOND, "21", "5/2"), start=start)
    assert state(turn).position == board(p5=2, p19=-2)


def test_the_score_and_the_rules_ride_along() -> None:
    game = Game(3, (4, 2), OPENING, crawford=True, cube=2)
    (turn, _) = replay(Match(("Ann", "Ben"), 5, (game,)), game)
    assert state(turn) == GameState(roll=Roll(3, 1), cube=2, score=(4, 2), length=5, crawford=True)


@pytest.mark.parametrize(("length", "score"), [(7, (2, 7)), (0, (2, 9)), (11, (2, 9))])
def test_a_match_ends_at_its_length(length: int, score: tuple[int, int]) -> None:
    game = Game(3, (2, 5), OPENING, SECOND, points=4)
    match = Match(("Ann", "Ben"), length, (game,))
    assert match.score == score
    assert game.score_after == (2, 9)
    assert Match(("Ann", "Ben"), length, ()).score == (0, 0)


# --- illegal, missing, forced --------------------------------------------------------------


def test_an_illegal_play_that_can_be_made_is_carried_out() -> None:
    wrong, after = turns(move(FIRST, "31", "8/4 6/5"), move(SECOND, "63", "24/15"))
    assert wrong.play is None
    assert "8/4 6/5" in wrong.problem
    assert "31" in wrong.problem
    made = list(STANDARD.points)
    for source, target in ((8, 4), (6, 5)):
        made[source] -= 1
        made[target] += 1
    assert state(after).position == Position(tuple(made)).switch_sides()
    assert after.problem == ""


def test_after_a_play_that_cannot_be_made_the_board_is_unknown() -> None:
    wrong, *others = turns(
        move(FIRST, "31", "7/4 6/5"), move(SECOND, "63", "24/15"), Double(FIRST), Drop(SECOND)
    )
    assert "no checker on 7" in wrong.problem
    assert all(turn.state is None and turn.play is None for turn in others)
    assert [turn.number for turn in others] == [2, 3, 4]


def test_until_the_record_sets_the_board_up_again() -> None:
    position = board(p6=2, p20=-2)
    *_, setting, last = turns(
        move(FIRST, "31", "7/4 6/5"),
        move(SECOND, "63", "24/15"),
        SetPosition(SECOND, position),
        move(SECOND, "21", "6/3"),
    )
    assert state(setting).position == position
    assert state(setting).player is SECOND
    assert last.play is not None
    assert last.play.before == position
    assert last.problem == ""


def test_a_board_set_up_for_one_player_is_turned_for_the_other() -> None:
    _, last = turns(SetPosition(FIRST, board(p6=2, p20=-2)), move(SECOND, "21", "5/2"))
    assert state(last).position == board(p5=2, p19=-2)


def test_a_play_that_is_not_one_is_quoted() -> None:
    odd = Move(FIRST, Roll(3, 1), (), "Illegal play")
    first, second = turns(odd, OPENING[1])
    assert "Illegal play" in first.problem
    assert second.state is None


def test_a_missing_play_with_a_choice() -> None:
    first, second = turns(move(FIRST, "31"), OPENING[1])
    assert first.play is None
    assert "16 are possible" in first.problem  # 31 has 16 plays in the opening
    assert second.state is None


def test_a_forced_play_may_be_left_out() -> None:
    start = board(p13=1, p3=1, p5=-2)  # with 13/11 the six could not be played
    forced, after = turns(move(FIRST, "62"), move(SECOND, "21", "20/17"), start=start)
    assert forced.play is not None
    assert format_play(forced.play) == "13/7 3/1"
    assert forced.problem == ""
    assert state(after).position == board(p20=2, p18=-1, p24=-1)
    assert after.problem == ""


def test_nothing_to_play() -> None:
    start = board(p25=1, p19=-2, p20=-2)
    dance, after = turns(move(FIRST, "65"), move(SECOND, "21", "6/4 5/4"), start=start)
    assert dance.play is None
    assert dance.plays == ()
    assert dance.problem == ""
    assert state(after).position == start.switch_sides()


def test_a_play_where_none_is_possible() -> None:
    start = board(p25=1, p6=1, p19=-2, p20=-2)
    (turn,) = turns(move(FIRST, "65", "6/off"), start=start)
    assert turn.play is None
    assert "6/off" in turn.problem


def test_a_roll_that_ends_the_record_is_no_problem() -> None:
    *_, last, resign = turns(*OPENING, move(FIRST, "66"), Resign(FIRST))
    assert last.play is None
    assert last.problem == ""
    assert last.plays
    assert state(resign).position == state(last).position


def test_a_hop_that_can_go_two_ways_is_a_problem() -> None:
    start = board(p24=1, p20=-1, p18=-1, p1=-13)
    (turn,) = turns(move(FIRST, "64", "24/14"), start=start)
    assert turn.play is None
    assert "2 ways" in turn.problem


def test_the_same_player_twice() -> None:
    # A record that lost a turn still tells whose checkers move.
    first, again = turns(move(FIRST, "31", "8/5 6/5"), move(FIRST, "42", "8/4 6/4"))
    assert first.play is not None
    assert again.play is not None
    assert state(again).position == first.play.reached


# --- the cube ------------------------------------------------------------------------------


def cubes(*actions: Action) -> list[tuple[int, Player | None, bool]]:
    """Value, owner and whether it is offered, before each of the actions after the opening."""
    found = [state(turn) for turn in turns(*OPENING, *actions)[2:]]
    return [(s.cube, s.owner, s.doubled) for s in found]


LAST = move(FIRST, "21", "13/11 6/5")


def test_double_and_take() -> None:
    assert cubes(Double(FIRST), Take(SECOND), LAST) == [
        (1, None, False),
        (1, None, True),
        (2, SECOND, False),
    ]


def test_redouble() -> None:
    answer = move(SECOND, "21", "13/11 6/5")
    assert cubes(Double(FIRST), Take(SECOND), LAST, Double(SECOND), Take(FIRST), answer)[3:] == [
        (2, SECOND, False),
        (2, SECOND, True),
        (4, FIRST, False),
    ]


def test_drop_and_resignation_leave_the_cube() -> None:
    assert cubes(Double(FIRST), Drop(SECOND)) == [(1, None, False), (1, None, True)]
    assert cubes(Double(FIRST), Resign(SECOND), LAST)[-1] == (1, None, False)


def test_a_take_goes_without_saying_when_play_goes_on() -> None:
    assert cubes(Double(FIRST), LAST)[-1] == (2, SECOND, False)


def test_beaver() -> None:
    # The beaver takes at 2 and turns to 4 at once; the beaverer keeps the cube.
    assert cubes(Double(FIRST), Double(SECOND), Take(FIRST), LAST)[-2:] == [
        (2, None, True),
        (4, SECOND, False),
    ]
    assert cubes(Double(FIRST), Double(SECOND), LAST)[-1] == (4, SECOND, False)


def test_raccoon() -> None:
    actions = (Double(FIRST), Double(SECOND), Double(FIRST), Take(SECOND), LAST)
    assert cubes(*actions)[-1] == (8, SECOND, False)


def test_a_cube_that_is_set() -> None:
    assert cubes(SetCube(8, FIRST), LAST)[-1] == (8, FIRST, False)
    assert cubes(Double(FIRST), SetCube(4, None), LAST)[-1] == (4, None, False)


def test_who_answers_a_double() -> None:
    double, take = turns(*OPENING, Double(FIRST), Take(SECOND))[2:]
    assert (state(double).player, state(take).player) == (FIRST, SECOND)
    assert state(take).position == state(double).position.switch_sides()
    assert state(take).roll is None


def test_whose_turn_an_action_is() -> None:
    assert Drop(SECOND).player is SECOND
    assert SetCube(2, SECOND).player is FIRST


# --- Crawford ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "score", "earlier", "crawford"),
    [
        (5, (4, 0), [(0, 0), (2, 0)], True),
        (5, (1, 4), [(0, 0), (1, 0)], True),
        (5, (3, 0), [(0, 0)], False),
        (5, (4, 1), [(0, 0), (4, 0)], False),  # the second game at match point
        (5, (4, 4), [(0, 0), (4, 0)], False),
        (5, (4, 4), [(0, 0)], False),  # nobody was alone a point away
        (1, (0, 0), [], False),
        (0, (0, 0), [], False),
        (2, (1, 0), [(0, 0)], True),
    ],
)
def test_the_crawford_game(
    length: int, score: tuple[int, int], earlier: list[tuple[int, int]], crawford: bool
) -> None:
    assert is_crawford_game(length, score, earlier) is crawford


# --- laws ----------------------------------------------------------------------------------


@pytest.mark.thorough
@given(matches())
def test_legal_matches_replay_without_a_problem(match: Match) -> None:
    for game in match.games:
        for turn in replay(match, game):
            assert turn.problem == ""
            assert turn.state is not None
            if isinstance(turn.action, Move):
                assert (turn.play is None) == (turn.plays == ())
                assert turn.play is None or turn.play in turn.plays


@given(matches())
@settings(max_examples=30)
def test_forced_plays_may_all_be_left_out(match: Match) -> None:
    for game in match.games:
        whole = list(replay(match, game))
        last = max((t.number for t in whole if isinstance(t.action, Move)), default=0)
        sparse = tuple(
            Move(t.action.player, t.action.roll)
            if isinstance(t.action, Move) and len(t.plays) == 1 and t.number != last
            else t.action
            for t in whole
        )
        again = replay(match, Game(game.number, game.score, sparse, crawford=game.crawford))
        assert [(t.state, t.play) for t in again] == [(t.state, t.play) for t in whole]
