"""Match text as programs write it: the file, its header, its rows."""

from __future__ import annotations

import codecs

import pytest

from gnubg_nactation.backgammon.match import Double, Move, Take
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files import mat
from tests.files.mat_texts import LONG, expressible, kinds, one_game, read_game, read_one, result

LEFT, RIGHT = Player.FIRST, Player.SECOND


# --- the whole file


def test_all_parts_of_a_match_are_read() -> None:
    match = read_one(LONG)
    assert match.players == ("Ann", "Ben")
    assert match.length == 3
    assert match.headers == (
        ("Site", "Anywhere"),
        ("Match ID", ""),
        ("Player 1", "Ben"),
        ("Player 2", "Ann"),
        ("EventDate", "2024.04.22"),
        ("Crawford", "On"),
    )
    assert match.comments == ("a remark on the match",)
    assert match.problems == ()
    first, second = match.games
    assert first.comments == ("a remark on the game",)
    assert (first.number, first.score, first.crawford) == (1, (0, 0), False)
    assert (second.number, second.score, second.crawford) == (2, (2, 0), True)
    assert (result(first), result(second)) == ((LEFT, 2), (LEFT, 1))
    assert first.actions[:3] == (
        Move(RIGHT, Roll(6, 1), (Hop(13, 7), Hop(8, 7)), "13/7 8/7", line=14),
        Move(LEFT, Roll(5, 2), (Hop(13, 8), Hop(24, 22)), "13/8 24/22", line=15),
        Move(RIGHT, Roll(4, 2), (Hop(8, 4), Hop(6, 4)), "8/4 6/4", line=15),
    )
    assert first.actions[4:7] == (
        Double(RIGHT, line=16),
        Take(LEFT, line=17),
        Move(RIGHT, Roll(6, 6), line=17),
    )


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_all_systems_are_read(line_end: str) -> None:
    assert mat.read(LONG.replace("\n", line_end).encode()) == mat.read(LONG.encode())


def test_a_byte_order_mark_is_read_and_the_last_newline_optional() -> None:
    marked = codecs.BOM_UTF8 + LONG.rstrip().encode()
    assert mat.read(marked) == mat.read(LONG.encode())
    assert mat.read(codecs.BOM_UTF16_LE + LONG.encode("utf-16-le")) == mat.read(LONG.encode())


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *(("Andréa", encoding) for encoding in ("utf-8", "cp1252", "latin-1")),
        ("Ann\u2019s", "cp1252"),  # tried before latin-1
        ("Ann\x81", "latin-1"),  # not in cp1252
    ],
)
def test_usual_encodings_are_recognised(name: str, encoding: str) -> None:
    (match,) = mat.read(LONG.replace("Ann", name).encode(encoding))
    assert match.players == (name, "Ben")


def test_a_named_encoding_is_used() -> None:
    (match,) = mat.read(LONG.replace("Ann", "Жан").encode("koi8-r"), "koi8-r")
    assert match.players == ("Жан", "Ben")


@pytest.mark.parametrize("encoding", ["ascii", "no-such-encoding", "bad\0name"])
def test_a_named_encoding_that_does_not_fit_is_an_error(encoding: str) -> None:
    with pytest.raises(MalformedError, match="not match text in the encoding"):
        mat.read(LONG.replace("Ann", "Andréa").encode(), encoding)


def test_a_file_may_have_several_matches() -> None:
    second = one_game("  1) 31: 8/5 6/5\n", head='; [Event "second"]\n; on the second\n', length=7)
    first, second_match = mat.read((LONG + "\n" + second).encode())
    assert (first.length, second_match.length) == (3, 7)
    assert first.games == read_one(LONG).games
    assert second_match.headers == (("Event", "second"),)
    assert second_match.comments == ("on the second",)


def test_a_second_match_without_a_game_is_a_problem() -> None:
    match = read_one(LONG + "\n 9 point match\n")
    assert len(match.games) == 2
    (problem,) = match.problems
    assert problem.startswith("line 26: '9 point match' is not followed by a game; expected a ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty; expected match text"),
        (b" \n\n", "the file is empty; expected match text"),
        (b"\x89PNG\r\n\x00\x1a", "line 2: a zero byte; expected match text"),
        (
            b"\n(;GM[1]FF[4])",
            r"line 2: found '\(;GM\[1\]FF\[4\]\)', expected a line such as '7 point",
        ),
        (b"Report on a match to 3 points", "line 1: found 'Report on a match to 3 points', exp"),
        (b'; [Event "x"]\n', "no line such as '7 point match' in the file"),
        (b"\n 5 point match\n", "line 2: '5 point match' is not followed by a game"),
        (b"5 point match\n\n Game 1\n", "line 1: '5 point match' is not followed by a game"),
        (b"99999999999 point match\n", r"line 1: the match length has more than 9 digits"),
    ],
)
def test_other_text_is_refused_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=f"^{message}"):
        mat.read(data)


# --- header, names and scores


def test_tags_keep_their_order_and_anything_between_the_outer_quotes() -> None:
    head = '; [B "says "hi""]   \n;[A "9,00/0"]\n'
    assert read_one(one_game("", head=head)).headers == (("B", 'says "hi"'), ("A", "9,00/0"))


def test_a_header_line_that_is_neither_tag_nor_comment_is_a_problem() -> None:
    match = read_one(one_game("", head="hello there\n"))
    assert match.problems == ("line 1: neither a tag nor a comment: 'hello there'",)


@pytest.mark.parametrize("name", ["NackGammon", "HyperGammon", "HyperGammon (2)", "Backgammon"])
def test_variation_sets_the_starting_position(name: str) -> None:
    match = read_one(one_game("", head=f'; [Variation "{name}"]\n'))
    assert match.start == VARIATIONS[name.lower()]


NACKGAMMON = """  1) 43: 23/20 24/20             62: 24/18 13/11
  2) 51: 13/8 6/5                63: 23/14
      Wins 1 point
"""
HYPERGAMMON = """  1) 43: 24/20 23/20             62: 24/18 23/21
  2) 61: 22/15                   65: 22/11
  3) 55: 20/10(2)                54: 18/9
  4) 51: 15/9                    63: 21/12
  5) 66: 10/4(2) 9/3 4/off       61: 12/5
  6) 43: 4/off 3/off
      Wins 2 points
"""


@pytest.mark.parametrize(
    ("rows", "name", "start"),
    [
        (NACKGAMMON, "NackGammon", VARIATIONS["nackgammon"]),
        (HYPERGAMMON, "HyperGammon (3)", VARIATIONS["hypergammon (3)"]),
    ],
)
def test_plays_show_a_variation_that_no_tag_names(rows: str, name: str, start: Position) -> None:
    """gnubg asks whether to try another variation."""
    match = read_one(one_game(rows))
    assert match.start == start
    (problem,) = match.problems
    assert problem.startswith(f"line 1: read as {name}: no tag names the variation")
    assert match.games[0].resigned == (rows == NACKGAMMON)  # the other is played to the end
    again = read_one(mat.write(match))
    assert again.problems == ()
    assert expressible(again) == expressible(match)


def test_plays_show_no_variation_if_a_tag_names_one_or_none_fits() -> None:
    tagged = one_game(NACKGAMMON, head='; [Variation "Backgammon"]\n')
    wrong = one_game(NACKGAMMON.replace("23/14", "22/13"))
    hit = one_game("  1) 52: 13/8 24/22             31: 6/3 4/3*\n  2) 43: bar/21 bar/22\n")
    for text in (tagged, wrong, hit):
        match = read_one(text)
        assert (match.problems, match.start) == ((), STANDARD)


def test_an_unknown_variation_is_a_problem() -> None:
    match = read_one(one_game("", head='\n; [Variation "Tapa"]\n'))
    assert match.start == STANDARD
    assert match.problems == ("line 2: an unknown variation 'Tapa', read as backgammon",)


@pytest.mark.parametrize(
    ("length", "value", "jacoby"), [(0, "On", True), (0, "Off", False), (5, "On", False)]
)
def test_jacoby_counts_in_money_sessions(length: int, value: str, jacoby: bool) -> None:
    match = read_one(one_game("", head=f'; [Jacoby "{value}"]\n', length=length))
    assert (match.length, match.jacoby) == (length, jacoby)


def test_crawford_off_marks_no_game() -> None:
    match = read_one(LONG.replace('"On"', '"Off"'))
    assert [game.crawford for game in match.games] == [False, False]


@pytest.mark.parametrize(
    ("line", "players", "score"),
    [
        (" ann lee : 3                    b : 12", ("ann lee", "b"), (3, 12)),
        (" ann,1723 : 0                   ben,1800 : 1", ("ann,1723", "ben,1800"), (0, 1)),
        (" ann: 2                         ben: 0   ", ("ann", "ben"), (2, 0)),
        ("ann : 1        ben: 2", ("ann", "ben"), (1, 2)),
        (" a: 1 (x) : 4        5) b : 2", ("a: 1 (x)", "5) b"), (4, 2)),
        (" 1989 : 0                       12 : 0", ("1989", "12"), (0, 0)),
        (" a name of more than thirty letters : 10Ben : 3", None, (10, 3)),
    ],
)
def test_names_and_scores_are_read_in_any_layout(
    line: str, players: tuple[str, str] | None, score: tuple[int, int]
) -> None:
    match = read_one(one_game("", players=f"{line}\n"))
    assert match.players == (players or ("a name of more than thirty letters", "Ben"))
    assert match.games[0].score == score
    assert match.problems == ()


def test_a_game_without_names_has_the_players_and_score_so_far() -> None:
    text = LONG.replace(" Ann : 2                        Ben : 0\n", "")
    match = read_one(text)
    assert match.problems == ("line 21: a game without a line of players and scores",)
    assert match.games[1].score == (2, 0)
    assert len(match.games[1].actions) == 2


def test_other_players_in_a_later_game_are_a_problem() -> None:
    (problem,) = read_one(LONG.replace("Ann : 2", "Eve : 2")).problems
    assert problem == "line 21: the players are now ('Eve', 'Ben'), not ('Ann', 'Ben')"


@pytest.mark.parametrize("line", ["Game 2 (Crawford)", "Game 2:", " game 2 (post-Crawford): "])
def test_a_game_may_have_a_remark(line: str) -> None:
    """gnubg reads the number alone."""
    match = read_one(LONG.replace(" Game 2", line))
    assert match == read_one(LONG)


def test_absurdly_long_numbers_are_ignored() -> None:
    nines = "9" * 5000
    text = LONG.replace("Wins 2 points", f"Wins {nines} points").replace("=> 2", f"=> {nines}")
    text = text.replace("Game 2", f"Game {nines}").replace("Ann : 2", f"Ann : {nines}")
    match = read_one(text)
    assert match.problems == (
        "line 16: a number of 5000 digits, ignored",
        "line 19: a number of 5000 digits, ignored",
        "line 21: the game number has more than 9 digits",
        "line 21: a score of more than 9 digits, ignored",
    )
    assert [result(game) for game in match.games] == [(LEFT, 0), (LEFT, 1)]
    assert [game.number for game in match.games] == [1, 2]


# --- rows and columns


@pytest.mark.parametrize(
    "row",
    [
        "  1) 31: 8/5 6/5                 42: 8/4 6/4",
        "  1) 31: 8/5 6/5                           42: 8/4 6/4               ",
        " 1) 31: 8/5 6/5                  42: 8/4 6/4",
        "1) 31: 8/5 6/5 42: 8/4 6/4",
        "1)31: 8/5 6/5\t\t42: 8/4 6/4",
        "       31: 8/5 6/5                 42: 8/4 6/4",
    ],
)
def test_two_cells_are_left_and_right_in_any_column(row: str) -> None:
    assert [(a.player, a.text) for a in read_game(row).actions if isinstance(a, Move)] == [
        (LEFT, "8/5 6/5"),
        (RIGHT, "8/4 6/4"),
    ]


def test_four_hops_leave_one_blank_before_the_right_cell() -> None:
    game = read_game("  2) 11: 8/7 8/7 6/5 6/5 64: 24/14\n")
    assert [a.text for a in game.actions if isinstance(a, Move)] == ["8/7 8/7 6/5 6/5", "24/14"]


@pytest.mark.parametrize(("column", "player"), [(4, LEFT), (6, LEFT), (33, RIGHT), (44, RIGHT)])
def test_the_column_of_a_single_cell_gives_its_player(column: int, player: Player) -> None:
    game = read_game(f"  1){'31: 8/5 6/5'.rjust(column + 7)}\n")
    assert kinds(game) == [("Move", player)]


def test_a_second_row_number_begins_another_row() -> None:
    row = " 24) 43: 24/20 13/10      24)  Losses 2 point               Wins 2 point\n"
    game = read_game(row)
    assert kinds(game) == [("Move", LEFT), ("Resign", LEFT)]
    assert result(game) == (RIGHT, 2)


def test_row_numbers_may_be_skipped_empty_or_out_of_line() -> None:
    game = read_game("  9) 31: 8/5 6/5   42: 8/4 6/4\n  10) 52: 13/8 24/22\n 14)\n\n 99)  \n")
    assert kinds(game) == [("Move", LEFT), ("Move", RIGHT), ("Move", LEFT)]


def test_a_third_cell_is_a_problem() -> None:
    match = read_one(one_game("  1) 31: 8/5 6/5   42: 8/4 6/4   Takes\n"))
    assert match.problems == ("line 5: a row has two cells, this one has a third: 'take'",)
    assert len(match.games[0].actions) == 2


@pytest.mark.parametrize("line", ["what is this", "  3) zzz", "  3) zzz 31: 8/5 6/5", " 3) Takers"])
def test_an_unknown_line_is_a_problem(line: str) -> None:
    (problem,) = read_one(one_game(f"\n{line}\n")).problems
    assert problem.startswith("line 6: neither a row of the game nor a comment: ")


def test_text_after_a_word_is_a_problem() -> None:
    match = read_one(one_game("  3) Doubles => 2 or so\n"))
    assert match.problems == ("line 5: not understood: 'or so'",)
    assert kinds(match.games[0]) == [("Double", LEFT)]


def test_a_comment_between_rows_belongs_to_the_game() -> None:
    game = read_game("  1) 31: 8/5 6/5\n;  | lost the line |\n# again\n;\n")
    assert game.comments == (" | lost the line |", "again", "")
