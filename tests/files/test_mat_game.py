"""Match text as programs write it: plays, boards, cube and results."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.match import Drop, Match, Move, Resign, SetCube, SetPosition, replay
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.showing import quoted
from tests.files.mat_texts import kinds, one_game, read_game, read_one, result

LEFT, RIGHT = Player.FIRST, Player.SECOND


def problems_of_replay(match: Match) -> list[str]:
    return [turn.problem for game in match.games for turn in replay(match, game) if turn.problem]


# --- plays


@pytest.mark.parametrize(
    ("play", "hops"),
    [
        ("8/5* 6/5", ((8, 5, True), (6, 5, False))),
        ("24/14", ((24, 14, False),)),
        ("bar/21(2) 13/9*(2)", ((25, 21, False),) * 2 + ((13, 9, True), (13, 9, False))),
        ("13/9(2)*", ((13, 9, True), (13, 9, False))),
        ("Bar/20 2/Off", ((25, 20, False), (2, 0, False))),
        ("25/20 2/0", ((25, 20, False), (2, 0, False))),
    ],
)
def test_plays_are_read_in_every_spelling(
    play: str, hops: tuple[tuple[int, int, bool], ...]
) -> None:
    (move,) = read_game(f"  7) 44: {play} \n").actions
    assert move == Move(LEFT, Roll(4, 4), tuple(Hop(*hop) for hop in hops), play, line=5)


@pytest.mark.parametrize("cell", ["61: 8/2 6/5", "16: 8/2 6/5", "6-1: 8/2 6/5"])
def test_dice_are_read_in_any_order(cell: str) -> None:
    (move,) = read_game(f"  7) {cell}\n").actions
    assert isinstance(move, Move)
    assert move.roll == Roll(6, 1)


@pytest.mark.parametrize("cell", ["66:", "66: ", "66: Cannot Move   ", "66: cannot move"])
def test_a_dance_has_neither_hops_nor_text(cell: str) -> None:
    assert read_game(f"  7) {cell}\n").actions == (Move(LEFT, Roll(6, 6), line=5),)


@pytest.mark.parametrize("text", ["24/", "9", "13/8 or 6/1", "never mind"])
def test_an_unreadable_play_is_kept_as_text(text: str) -> None:
    (move,) = read_game(f"  7) 52: {text}").actions
    assert move == Move(LEFT, Roll(5, 2), (), text, line=5)


@pytest.mark.parametrize("dice", ["06", "?1", "60"])
def test_impossible_dice_are_a_problem(dice: str) -> None:
    match = read_one(one_game(f"  7) {dice}: 8/5\n"))
    assert match.games[0].actions == ()
    assert match.problems == (
        f"line 5: not a roll: '{dice}' (expected two digits from 1 to 6), with '8/5'",
    )


@pytest.mark.parametrize("dice", ["67", "7-1", "631"])
def test_a_turn_without_a_roll_of_two_dice_is_left_out(dice: str) -> None:
    match = read_one(one_game(f"  7) {dice}: 8/5\n"))
    assert match.games[0].actions == ()
    expected = "expected two dice from 1 to 6, as in 31:"
    assert match.problems == (f"line 5: '{dice}' is no roll; the turn is left out; {expected}",)


def test_a_missing_row_is_a_problem() -> None:
    rows = "  1) 31: 8/5 6/5        42: 8/4 6/4\n  3) 65: 24/13         21: 13/11 6/5\n"
    match = read_one(one_game(rows))
    assert match.problems == (
        "line 6: row 3 follows row 1: a row is missing; the turns after it may be read wrongly",
    )


@pytest.mark.parametrize(
    "rows",
    [
        "  7) 31: 8/5 6/5\n  8) 65: 24/13\n",  # the beginning may be missing
        "  1) 31: 8/5 6/5\n  4)                 Wins 1 point\n",  # as BG Studio after Concedes
    ],
)
def test_rows_that_miss_no_turn_are_no_problem(rows: str) -> None:
    assert not read_one(one_game(rows)).problems


def test_an_automatic_double_is_no_double_of_a_player() -> None:
    # The value of the first double shows where the cube was.
    match = read_one(one_game("  1)  Automatic double\n  2) 31: 8/5 6/5        Doubles => 4\n"))
    (game,) = match.games
    assert kinds(game) == [("Move", LEFT), ("Double", RIGHT)]
    assert game.cube == 2
    assert match.problems == (
        "line 5: neither a row of the game nor a comment: 'Automatic double'",
    )


def test_unmarked_hits_are_found_by_the_replay() -> None:
    match = read_one(one_game("  1) 62: 24/16                  63: 24/15\n  2) 41: 13/8 \n"))
    first = replay(match, match.games[0])
    assert [turn.play.hits for turn in first if turn.play] == [0, 0, 0]
    hit = read_one(one_game("  1) 61: 13/7 6/5                64: 24/18 6/2\n"))
    assert [turn.play.hits for turn in replay(hit, hit.games[0]) if turn.play] == [0, 1 << 18]


# --- boards that are set up

BOARD = "-2;" + "0;" * 12 + "0;0;0;0;0;0;-1;0;0;0;0;3;1;"  # the last is the player's own bar


@pytest.mark.parametrize(
    ("names", "cell", "on_roll"),
    [
        ("Ben;Ann", "left", RIGHT),
        ("Ann;Ben", "right", LEFT),
        ("Ann;Ben", "left", LEFT),
        ("Someone;Else", "left", RIGHT),
        ("Some) 31: one;Else", "right", LEFT),
        ("semi;colon;Else", "left", RIGHT),
    ],
)
def test_illegal_play_sets_the_board_for_the_player_on_roll(
    names: str, cell: str, on_roll: Player
) -> None:
    text = f"Illegal play (5;0;1;0;1;{names};0;2;3;1;0;{BOARD}4;3;)"
    start = "  1) " if cell == "left" else "  1) 66:                         "
    game = read_game(f"{start}21: {text} \n")
    *_, move, board = game.actions
    mover = LEFT if cell == "left" else RIGHT
    assert move == Move(mover, Roll(2, 1), (), text, line=5)
    assert isinstance(board, SetPosition)
    assert board.player is on_roll
    assert board.position.bar == 1
    assert board.position.opponent_bar == 2
    assert board.position.points[24] == 3
    assert board.position.points[19] == -1


def test_play_goes_on_from_the_board_of_an_illegal_play() -> None:
    text = f"Illegal play (5;0;1;0;1;Ben;Ann;0;2;3;1;0;{BOARD}4;3;)"
    match = read_one(one_game(f"  1) 21: {text}  43: 25/21 24/21\n  2) 66:\n"))
    unreadable, *following = replay(match, match.games[0])
    assert unreadable.problem == f"not a checker play: {quoted(text)}"
    assert [turn.problem for turn in following] == ["", "", ""]


@pytest.mark.parametrize("inner", ["", "5;0;x;", "1;" * 41, "99;" * 41, "5;0;1;0;1;Ann;Ben"])
def test_an_illegal_play_without_a_board_is_a_problem(inner: str) -> None:
    match = read_one(one_game(f"  1) 21: Illegal play ({inner})\n"))
    assert len(match.games[0].actions) == 1
    assert len(match.problems) == 1
    assert match.problems[0].startswith("line 5: no")


SET_POS = "; Set Pos=-b----E-C---eE---c-e---AA-"


def test_set_pos_has_the_first_players_checkers_in_capitals() -> None:
    match = read_one(one_game(f"{SET_POS}/0\n  1) 31: 24/23 23/20   41: 13/9 6/5\n"))
    board, *moves = match.games[0].actions
    assert isinstance(board, SetPosition)
    assert board.player is LEFT
    assert board.position.points[23:25] == (1, 1)
    assert len(moves) == 2
    assert problems_of_replay(match) == []


def test_set_pos_is_numbered_from_the_player_who_moves_next() -> None:
    match = read_one(one_game(f"{SET_POS}/0\n  1)                             41: 13/9 6/5\n"))
    board = match.games[0].actions[0]
    assert isinstance(board, SetPosition)
    assert board.player is RIGHT
    assert board.position.points[1:3] == (-1, -1)
    assert problems_of_replay(match) == []


@pytest.mark.parametrize(
    ("cube", "expected"),
    [
        ("/1", SetCube(2, RIGHT, line=5)),
        ("/-3", SetCube(8, LEFT, line=5)),
        ("/0", None),
        ("", None),
    ],
)
def test_set_pos_may_set_the_cube(cube: str, expected: SetCube | None) -> None:
    actions = read_game(f"{SET_POS}{cube}\n").actions
    assert next((a for a in actions if isinstance(a, SetCube)), None) == expected


def test_a_double_continues_from_the_cube_that_was_set() -> None:
    game = read_game(f"{SET_POS}/2\n  1)                              Doubles => 8\n")
    assert game.cube == 1


def test_an_impossible_board_is_a_problem() -> None:
    match = read_one(one_game("; Set Pos=-PP-----------------------/0\n"))
    assert match.games[0].actions == ()
    assert match.problems[0].startswith("line 5: not a backgammon position")


# --- the cube


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("  1) Doubles => 2   Takes", [("Double", LEFT), ("Take", RIGHT)]),
        ("  1)  Doubles ==> 2         Accepts", [("Double", LEFT), ("Take", RIGHT)]),
        ("  1)  Doubles               Drops", [("Double", LEFT), ("Drop", RIGHT)]),
        ("  1)  Doubles to 2          Takes", [("Double", LEFT), ("Take", RIGHT)]),
        ("  1)  Doubles \u2192 2           Takes", [("Double", LEFT), ("Take", RIGHT)]),
        ("  1)  Redoubles => 2        Passes", [("Double", LEFT), ("Drop", RIGHT)]),
        ("  1)  Doubles => 2          Rejects", [("Double", LEFT), ("Drop", RIGHT)]),
        (
            "  1)  Doubles => 2          Beavers => 4\n  2)  Raccoons => 8  Takes",
            [("Double", LEFT), ("Double", RIGHT), ("Double", LEFT), ("Take", RIGHT)],
        ),
        (  # gnubg reads its own output with a take
            "  1)  Doubles => 2          Beavers => 4\n  2)  Beavers => 8\n  3) 31: 8/5 6/5\n",
            [
                *(("Double", LEFT), ("Double", RIGHT), ("Double", LEFT)),
                *(("Take", RIGHT), ("Move", LEFT)),
            ],
        ),
    ],
)
def test_cube_actions_are_read_in_every_wording(
    rows: str, expected: list[tuple[str, Player]]
) -> None:
    assert kinds(read_game(rows)) == expected


def test_the_result_may_follow_a_drop_in_the_next_line() -> None:
    game = read_game("  1) 31: 8/5 6/5\n  2)  Doubles => 2     Drops\n      Wins 1 point\n")
    assert result(game) == (LEFT, 1)
    assert isinstance(game.actions[-1], Drop)
    assert not game.resigned


def test_the_answer_to_a_double_on_the_right_is_in_the_next_row() -> None:
    rows = (
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                Wins 1 point\n"
    )
    game = read_game(rows)
    assert kinds(game) == [("Move", LEFT), ("Double", RIGHT), ("Drop", LEFT)]
    assert result(game) == (RIGHT, 1)


def test_a_first_double_to_more_than_two_means_automatic_doubles() -> None:
    assert read_game("  1)  Doubles => 8                Takes\n").cube == 4


def test_a_wrong_cube_value_is_a_problem() -> None:
    rows = "  1)  Doubles => 2                Takes\n  2) 31: 8/5 6/5     Doubles => 16\n"
    match = read_one(one_game(rows))
    assert match.games[0].cube == 1
    assert match.problems == ("line 6: the cube is turned to 16 instead of 4",)


# --- how games end


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("      Wins 2 points", (LEFT, 2)),
        ("   Wins 1 points                     ", (LEFT, 1)),
        ("                                  Wins 4 point", (RIGHT, 4)),
        ("                                            Wins 3 points and the match", (RIGHT, 3)),
        (" 12)     Wins 2 point", (LEFT, 2)),
        (" 12)                                  Wins 4016 point", (RIGHT, 4016)),
        (" 12)                             Wins 1 point and the match  ", (RIGHT, 1)),
        (" 12) 31: 8/5 6/5                     Wins 1 point", (RIGHT, 1)),
    ],
)
def test_the_column_of_the_result_gives_the_winner(line: str, expected: tuple[Player, int]) -> None:
    assert result(read_game(f"{line}\n")) == expected


@pytest.mark.parametrize(
    ("rows", "player", "moves"),
    [
        ("  1) 31: 8/5 6/5     Losses 2 point\n      Wins 2 point", RIGHT, 1),
        ("  1) 31: 8/5 6/5\n  2)  Losses 1 point                Wins 1 point", LEFT, 1),
        ("      Losses 1 point                Wins 1 point and the match", LEFT, 0),
        ("  1) Concedes\n                                  Wins 1 point", LEFT, 0),
        (
            "  1) 62: Concedes                 \n  4)                           Wins 1 point",
            LEFT,
            1,
        ),
        ("  1) 62: 24/16                 Concedes\n      Wins 1 point", RIGHT, 1),
        ("  1)                             62:  Concedes\n  4)     Wins 1 point", RIGHT, 1),
        ("  1) 66: 24/18(2) 13/7(2)          Resigns\n   Wins 2 points", RIGHT, 1),
        ("  1) Resigned Match                 Wins 2 points", LEFT, 0),
        ("  1) Resigned Game\n                                  Wins 2 points", LEFT, 0),
        ("  1) 43: ????                       Wins 2 points", LEFT, 1),
        ("  1) 43: ???\n                                  Wins 2 points", LEFT, 1),
        ("  1) ????                           Wins 2 points", LEFT, 0),
        ("  1) 00: ????                       Wins 2 points", LEFT, 0),
        ("  1) 62: 24/16                      43: ????\n      Wins 2 points", RIGHT, 2),
        ("  1) 62: 24/16                      43: ????    Wins 2 points", RIGHT, 2),
        ("  1) 62:                            ????\n      Wins 2 points", RIGHT, 1),
    ],
)
def test_resignations_are_read_in_every_wording(rows: str, player: Player, moves: int) -> None:
    game = read_game(rows)
    assert game.resigned
    assert game.winner is player.other
    assert [a.player for a in game.actions if isinstance(a, Resign)] == [player]
    assert sum(isinstance(a, Move) for a in game.actions) == moves
    assert not any(a.text for a in game.actions if isinstance(a, Move) and not a.hops)


def test_question_marks_after_the_winners_dice_are_a_resignation_of_the_opponent() -> None:
    game = read_game("  1) 43: ????\n      Wins 2 points\n")
    assert kinds(game) == [("Move", LEFT), ("Resign", RIGHT)]
    assert game.resigned


@pytest.mark.parametrize(
    "rows",
    [
        "  1) 62: 24/16                      \n      Wins 2 points",
        "  1) 62:                         Wins 1 point",
        "      Wins 4 points",
    ],
)
def test_a_win_that_the_board_does_not_show_is_a_resignation(rows: str) -> None:
    game = read_game(rows)
    assert game.resigned
    assert not any(isinstance(a, Resign) for a in game.actions)


def test_a_game_played_to_the_end_is_not_resigned() -> None:
    rows = "".join(f"  {n}) 66: 6/0 6/0 6/0 6/0\n" for n in range(1, 4))
    assert not read_game(f"{rows}  4) 66: 6/off(2) 13/0\n      Wins 2 points").resigned
    assert read_game(f"{rows}  4) 66: 6/off(2)\n      Wins 2 points").resigned


def test_losses_alone_give_the_result() -> None:
    game = read_game("  1) 31: 8/5 6/5                  Losses 3 point\n")
    assert result(game) == (LEFT, 3)


@pytest.mark.parametrize("rows", ["", "  1) 31: 8/5 6/5", "  1)                       62:", " 1)"])
def test_an_unfinished_game_has_no_result(rows: str) -> None:
    game = read_game(rows)
    assert result(game) == (None, 0)
    assert not game.resigned


@pytest.mark.parametrize("stump", ["Doub", "4", "43"])
@pytest.mark.parametrize("left", ["31: 8/5 6/5", "31:", "31: Cannot Move"])
def test_an_incomplete_cell_is_a_problem_and_its_neighbour_is_read(left: str, stump: str) -> None:
    match = read_one(one_game(f"  1) {left}".ljust(33) + stump))
    (move,) = match.games[0].actions
    assert isinstance(move, Move)
    assert (move.player, move.text) == (LEFT, "8/5 6/5" if "/" in left else "")
    assert match.problems == (f"line 5: not understood: '{stump}'",)


def test_a_second_result_is_a_problem() -> None:
    match = read_one(one_game("      Wins 1 point\n\n                         Wins 2 points\n"))
    assert result(match.games[0]) == (LEFT, 1)
    assert match.problems == ("line 7: a second result of the game, ignored",)


def test_a_match_to_sixteen_points_keeps_its_length() -> None:
    match = read_one(one_game("      Wins 4 point\n", length=16))
    assert match.length == 16
    assert not match.games[0].crawford
