"""Writing match text: gnubg's layout, and matches that read back unchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat
from tests.files.mat_texts import LONG, expressible, one_game, read_one
from tests.strategies import matches

LEFT, RIGHT = Player.FIRST, Player.SECOND

# gnubg's layout, with blanks at the ends of lines.
AS_GNUBG = """\
; [Event "a match"]
; [EventDate "2026.03.14"]

 5 point match

 Game 1
 Ann : 0                        Ben : 0
  1)                             61: 13/7 8/7 |
  2) 52: 13/8 24/22              66: 24/18 24/18 13/7 13/7
  3) 11: 8/7* 7/6 6/5* 6/5       53: |
  4)  Doubles => 2                Takes
  5) 63: 24/18 13/10              Doubles => 4
  6)  Drops                       Wins 2 points |

 Game 2
 Ann : 0                        Ben : 2
  1) 31: 8/5 6/5                 62: 25/23 2/0 |
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 3
 Ann : 1                        Ben : 2
  1) 31: 8/5 6/5                 |
      Wins 2 points

 Game 4
 Ann : 3                        Ben : 2
  1) 31: 8/5 6/5                  Wins 1 point

 Game 5
 Ann : 3                        Ben : 3
  1) 31:                         Wins 1 point

 Game 6
 Ann : 3                        Ben : 4
  1) 31: 8/5 6/5                 62: 24/18 13/11 |
                                  Wins 1 point

""".replace("|", "")


def a_match(*actions: Move | Double | Take | Drop | Resign | SetPosition | SetCube) -> Match:
    return Match(("Ann", "Ben"), 5, (Game(1, (0, 0), actions),))


def move(player: Player, roll: str, play: str) -> Move:
    return Move(player, Roll.parse(roll), parse_hops(play))


def rows(match: Match) -> list[str]:
    """The lines of a match of one game after the line of players."""
    return mat.write(match).split("\n")[5:]


def test_gnubgs_layout_is_written_byte_for_byte() -> None:
    assert mat.write(read_one(AS_GNUBG)) == AS_GNUBG


def test_a_text_without_tags_begins_with_an_empty_line() -> None:
    assert mat.write(a_match()).startswith("\n 5 point match\n\n Game 1\n Ann : 0   ")


def test_tags_and_comments_are_kept() -> None:
    match = read_one(LONG)
    text = mat.write(match)
    assert text.startswith('; [Site "Anywhere"]\n; [Match ID ""]\n; [Player 1 "Ben"]\n')
    assert '; [Crawford "On"]\n\n; a remark on the match\n\n 3 point match\n\n' in text
    assert " Ben : 0\n; a remark on the game\n  1) " in text
    assert expressible(read_one(text)) == expressible(match)


def test_other_spellings_become_gnubgs() -> None:
    match = read_one(one_game("  1) 44: bar/21(2) 13/9*(2)     21: 2/Off 1/off\n"))
    assert rows(match)[0] == "  1) 44: 25/21 25/21 13/9* 13/9  21: 2/0 1/0 "


def test_a_board_that_is_set_up_ends_a_double_that_nobody_answered() -> None:
    text = mat.write(a_match(Double(LEFT), SetPosition(LEFT, STANDARD), Double(LEFT), Take(RIGHT)))
    assert text.count(" Doubles => ") == 2
    assert "Beavers" not in text


def test_beavers_and_raccoons_are_written() -> None:
    first = move(LEFT, "31", "8/5 6/5")
    turned = Double(RIGHT), Double(LEFT), Double(RIGHT)
    last = move(RIGHT, "62", "24/16")
    match = a_match(first, *turned, Take(LEFT), last)
    assert rows(match)[:3] == [
        "  1) 31: 8/5 6/5                  Doubles => 2",
        "  2)  Beavers => 4                Raccoons => 8",
        "  3)  Takes                      62: 24/16 ",
    ]
    assert expressible(read_one(mat.write(match))) == match
    # Without the take gnubg would have the cube at 4. Play continues, so it was taken.
    assert rows(a_match(first, *turned, last)) == rows(match)
    beaver = a_match(first, *turned[:2], last)
    assert expressible(read_one(mat.write(beaver))) == beaver


def test_consecutive_turns_of_a_player_stay_in_the_column() -> None:
    match = a_match(move(RIGHT, "31", "8/5 6/5"), move(RIGHT, "62", "24/16"))
    match = replace(match, games=(replace(match.games[0], winner=RIGHT, points=1, resigned=True),))
    assert expressible(read_one(mat.write(match))) == match


def test_automatic_doubles_show_in_the_first_double() -> None:
    game = Game(1, (0, 0), (Double(LEFT), Take(RIGHT)), cube=4)
    match = Match(("Ann", "Ben"), 0, (game,))
    assert rows(match)[0] == "  1)  Doubles => 8                Takes"
    assert expressible(read_one(mat.write(match))) == match


def test_a_name_longer_than_its_column_is_kept() -> None:
    players = ("a name of more than thirty letters", "12 monkeys")
    match = replace(a_match(), players=players)
    assert read_one(mat.write(match)).players == players


def test_line_ends_inside_values_cannot_break_the_text() -> None:
    match = replace(
        a_match(Move(LEFT, Roll(3, 1), (), "un\nreadable")),
        players=("An\nn", "B\r\nen"),
        headers=(("Ev\nent", "a\nb"),),
        comments=("one\n\ntwo",),
    )
    again = read_one(mat.write(match))
    assert again.players == ("An n", "B en")
    assert again.headers == (("Ev ent", "a b"),)
    assert again.comments == ("one", "", "two")
    assert again.problems == ()


@pytest.mark.parametrize("name", ["NackGammon", "HyperGammon (1)", "HyperGammon (3)"])
def test_a_variation_without_its_tag_gets_one(name: str) -> None:
    match = replace(a_match(), start=VARIATIONS[name.lower()])
    assert mat.write(match).startswith(f'; [Variation "{name}"]\n\n 5')
    tagged = replace(match, headers=(("Variation", name.upper()),))
    assert mat.write(tagged).count("Variation") == 1
    assert expressible(read_one(mat.write(tagged))) == tagged


def test_jacoby_and_crawford_are_written_if_they_are_not_the_default() -> None:
    money = replace(a_match(), length=0, jacoby=True)
    assert read_one(mat.write(money)).jacoby
    game = Game(1, (4, 0), ())
    without = replace(a_match(), games=(game,))
    assert not read_one(mat.write(without)).games[0].crawford
    usual = replace(without, games=(replace(game, crawford=True),))
    assert "; [" not in mat.write(usual)
    assert read_one(mat.write(usual)).games[0].crawford


@pytest.mark.parametrize("player", [LEFT, RIGHT])
@pytest.mark.parametrize("cube", [None, SetCube(4, LEFT), SetCube(8, RIGHT), SetCube(1, None)])
def test_a_board_that_is_set_up_is_written_for_xg_and_gnubg(
    player: Player, cube: SetCube | None
) -> None:
    position = Position((-1, 0, 3, *[0] * 20, -2, 0, 2))
    setting: tuple[SetPosition | SetCube, ...] = (SetPosition(player, position),)
    setting += (cube,) if cube else ()
    match = a_match(Double(player), Take(player.other), *setting, move(player, "31", "25/22 25/24"))
    assert expressible(read_one(mat.write(match))) == match


def test_a_board_at_the_start_names_the_cube_in_the_middle() -> None:
    match = a_match(SetPosition(LEFT, STANDARD), move(LEFT, "31", "8/5 6/5"))
    assert rows(match)[0] == "; Set Pos=-b----E-C---eE---c-e----B-/0"
    assert expressible(read_one(mat.write(match))) == match


def test_an_illegal_play_is_written_unchanged_with_its_board() -> None:
    board = "0;" * 23 + "2;0;0;"
    cell = f"21: Illegal play (5;0;1;0;1;Ben;Ann;0;0;0;1;0;{board}4;3;)"
    text = one_game(f"  1) {cell} 43: 24/20 24/21 \n")
    match = read_one(text)
    assert isinstance(match.games[0].actions[1], SetPosition)
    assert rows(match)[0] == f"  1) {cell} 43: 24/20 24/21 "
    assert expressible(read_one(mat.write(match))) == expressible(match)


def test_an_unreadable_play_is_written_unchanged() -> None:
    match = read_one(one_game("  1) 31: 8/5 or so              62: 24/16\n"))
    assert rows(match)[0] == "  1) 31: 8/5 or so               62: 24/16 "


def test_tens_of_thousands_of_doubles_can_be_written() -> None:
    text = mat.write(a_match(*[Double(LEFT)] * 40_000))
    assert read_one(text).games[0].actions[-1] == Double(LEFT, line=40_005)


@pytest.mark.thorough
@given(matches())
def test_random_matches_read_back(match: Match) -> None:
    again = read_one(mat.write(match))
    tags = {"Variation", "Jacoby"}
    assert {key for key, _ in again.headers} <= tags
    assert expressible(replace(again, headers=())) == expressible(match)
    assert again.problems == ()
    assert (again.start != STANDARD) == (match.start == NACKGAMMON)
    assert mat.write(again) == mat.write(match)


def test_a_board_that_is_set_up_has_the_last_of_its_cubes() -> None:
    """The value and the owner of an SGF set-up are two properties, `CV[8]` and `CP[b]`."""
    cubes = SetCube(8, None), SetCube(8, RIGHT)
    match = a_match(SetPosition(LEFT, STANDARD), *cubes, move(LEFT, "31", "8/5 6/5"))
    assert rows(match)[0] == "; Set Pos=-b----E-C---eE---c-e----B-/3"  # no minus: the second player
    assert read_one(mat.write(match)).games[0].actions[1] == replace(cubes[1], line=6)
