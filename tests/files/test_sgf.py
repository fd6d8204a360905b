"""gnubg's dialect of SGF: reading and writing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from gnubg_nactation.backgammon.analysis import ErrorMark, MoveAnalysis, PlayAnalysis
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
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, format_hops, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import HYPERGAMMON, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files import sgf
from tests.files.sgf_texts import ONE_GAME, game, one_game_match, plain
from tests.strategies import matches

FIRST, SECOND = Player.FIRST, Player.SECOND


def actions(*nodes: bytes, root: bytes = b"") -> list[Action]:
    match = sgf.read(game(*nodes, root=root)).match
    return [replace(action, line=0) for action in match.games[0].actions]


def starts(record: sgf.SgfRecord) -> list[bytes]:
    """The data from each node of the first game on."""
    return [record.data[node.start :] for node in record.nodes[0] if node]


# Reading


def test_all_parts_of_a_game_are_read() -> None:
    record = sgf.read(ONE_GAME)
    match = record.match
    assert match.players == ("Nora", "Omar")
    assert (match.length, match.start, match.jacoby) == (5, STANDARD, False)
    assert match.headers == (("EventDate", "2026-03-14"), ("Event", "Club night"))
    assert match.problems == ()
    (first,) = match.games
    assert (first.number, first.score, first.crawford, first.cube) == (1, (1, 2), False, 1)
    assert (first.winner, first.points, first.resigned) == (SECOND, 2, True)
    unlucky, bad = MoveAnalysis(luck=-0.1), MoveAnalysis(PlayAnalysis((), None, ErrorMark.BAD))
    assert first.actions == (
        Move(SECOND, Roll(3, 1), parse_hops("8/5 6/5"), "8/5 6/5", line=2, analysis=unlucky),
        Move(FIRST, Roll(6, 6), comment="a [quiet] remark\nof two lines", line=3),
        Double(SECOND, line=5),
        Take(FIRST, line=6),
        Move(SECOND, Roll(3, 1), parse_hops("24/20 13/12"), "24/20 13/12", line=7, analysis=bad),
        Move(FIRST, Roll(5, 2), line=8),
    )
    assert [start_text[:4] for start_text in starts(record)] == [
        b";B[3",
        b";W[6",
        b";B[d",
        b";W[t",
        b";B[1",
        b";PL[",
    ]


def test_plays_of_both_players_are_read() -> None:
    assert actions(b";W[21xwya]", b";B[21abyx]", b";W[66fzaz]", b";B[66szxz]") == [
        Move(FIRST, Roll(2, 1), (Hop(24, 23), Hop(25, 1)), "24/23 bar/1"),
        Move(SECOND, Roll(2, 1), (Hop(24, 23), Hop(25, 1)), "24/23 bar/1"),
        Move(FIRST, Roll(6, 6), (Hop(6, 0), Hop(1, 0)), "6/off 1/off"),
        Move(SECOND, Roll(6, 6), (Hop(6, 0), Hop(1, 0)), "6/off 1/off"),
    ]


@pytest.mark.parametrize("letters", ["abc", "zA", "ab1", "zy", "za", "ay"])
def test_text_that_is_not_a_play_is_kept(letters: str) -> None:
    (move,) = actions(b";W[31%b]" % letters.encode())
    assert move == Move(FIRST, Roll(3, 1), (), letters)


@pytest.mark.parametrize("value", [b"", b"x", b"07ab", b"resigned", b"doubles", b"3"])
def test_values_without_roll_or_cube_are_problems(value: bytes) -> None:
    match = sgf.read(game(b"\n;W[%b]" % value, b"\n;B[31]")).match
    assert match.games[0].actions == (Move(SECOND, Roll(3, 1), line=3),)
    assert match.problems == (f"line 2: neither a roll nor a cube action: '{value.decode()}'",)


def test_cube_actions_and_resignations_are_read() -> None:
    nodes = [b";W[double]", b";B[double]", b";W[take]", b";B[double]", b";W[drop]"]
    assert actions(*nodes, b";B[resign:2]", b";W[accept]") == [
        Double(FIRST),
        Double(SECOND),
        Take(FIRST),
        Double(SECOND),
        Drop(FIRST),
        Resign(SECOND),
    ]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (b"W+2", (FIRST, 2, False)),
        (b"B+1R", (SECOND, 1, True)),
        (b"W+2Resign", (FIRST, 2, True)),
        (b" b + 3 ", (SECOND, 3, False)),
        (b"?", (None, 0, False)),
        (b"", (None, 0, False)),
    ],
)
def test_results_are_read(text: bytes, result: tuple[Player | None, int, bool]) -> None:
    played = sgf.read(game(root=b"RE[%b]" % text)).match.games[0]
    assert (played.winner, played.points, played.resigned) == result


def test_rules_of_the_root_are_read() -> None:
    crawford = sgf.read(game(root=b"RU[Crawford:CrawfordGame:Nackgammon]")).match
    assert (crawford.games[0].crawford, crawford.start) == (True, NACKGAMMON)
    money = sgf.read(game(root=b"RU[Jacoby:Hypergammon3]CV[4]", info=b"[length:0]")).match
    assert (money.length, money.jacoby, money.start) == (0, True, HYPERGAMMON)
    assert (money.games[0].cube, money.games[0].actions) == (4, ())
    fewer = sgf.read(game(root=b"RU[Hypergammon1]")).match.start
    assert [p for p, n in enumerate(fewer.points) if n] == [1, 24]


def test_board_cube_and_dice_are_set_up() -> None:
    board = [0] * 26
    board[25], board[0], board[1], board[2], board[3], board[24] = 1, -1, 2, 1, 1, -3
    position = Position(tuple(board))
    set_up = b"AE[a:y]AW[a][a:c][y]AB[x][x][x][y]"
    assert actions(b";PL[W]" + set_up) == [SetPosition(FIRST, position)]
    assert actions(b";PL[B]" + set_up) == [SetPosition(SECOND, position.switch_sides())]
    assert actions(b";" + set_up, b";B[31]")[0] == SetPosition(SECOND, position.switch_sides())
    together = actions(root=b"AE[a:x]" + set_up + b"PL[B]DI[53]CV[2]CP[b]")
    assert together == [
        SetPosition(SECOND, position.switch_sides()),
        SetCube(2, SECOND),
        Move(SECOND, Roll(5, 3)),
    ]
    turned = actions(b";W[double]", b";B[take]", b";CV[8]", b";CP[w]", b";CO[c]", b";CV[2]CP[b]")
    assert turned[2:] == [
        SetCube(8, SECOND),
        SetCube(8, FIRST),
        SetCube(8, None),
        SetCube(2, SECOND),
    ]


def test_checkers_are_added_to_a_board_that_was_just_set_up() -> None:
    (first, second) = actions(b";PL[W]AE[x]AW[w][w]", b";PL[W]AB[j]AE[a]")
    assert isinstance(first, SetPosition)
    assert isinstance(second, SetPosition)
    assert first.position.points[23:25] == (2, 0)
    assert second.position.points[1] == 0
    assert second.position.points[10] == -1
    match = sgf.read(game(b";W[31hefe]", b"\n;AW[a]")).match
    assert match.problems == ("line 2: checkers are added to a board in play (no AE[a:y])",)


def test_bars_are_kept_if_only_the_points_are_cleared() -> None:
    clear = b";PL[B]AE[a:x]AW[f][f]AB[s][s]"
    start = {6: 2, 19: -2}
    for nodes, bars in [
        ([b";PL[W]DI[31]"], {}),
        ([b";W[31hefe]", b";B[52lqac]", b";PL[W]DI[31]"], {}),
        ([b";W[21fefd]", b";B[43aead]"], {25: 2}),
        ([b";PL[W]AE[a:y]AW[e][a]AB[s]", b";B[11sr]", b";PL[W]AE[a:y]AW[y]AB[b]"], {25: 1}),
        ([b";PL[W]AE[a:y]AW[d]AB[b]", b";W[21db]"], {0: -1}),
    ]:
        *_, last = actions(*nodes, clear)
        assert isinstance(last, SetPosition)
        board = [(start | bars).get(point, 0) for point in range(26)]
        assert last.position.switch_sides().points == tuple(board)
    unknown = sgf.read(game(b";W[31junk]", b"\n" + clear)).match
    assert unknown.problems == ("line 2: checkers are added to a board in play (no AE[a:y])",)


def test_checkers_that_are_off_do_not_count_in_a_set_up() -> None:
    bare = actions(b";PL[W]AE[a:y]AW[f][f]AB[s]")
    assert actions(b";PL[W]AE[a:y]AW[f][f][z]AB[s][z]") == bare
    assert actions(b";PL[W]AE[a:z]AW[f][f]AB[s]") == bare


def test_a_set_up_has_the_player_on_roll() -> None:
    (board, _) = actions(b";PL[W]AE[a:y]AW[f]AB[s]", b";B[31]")
    assert board.player is FIRST


def test_one_tree_of_a_match_may_have_the_game_for_all() -> None:
    first, second = game(b";W[31hefe]"), game(b";W[42hdfd]").replace(b"game:0", b"game:1")
    nameless = first.replace(b"GM[6]", b"")
    assert nameless != first
    assert sgf.read(nameless + second).match == sgf.read(first + second).match
    renamed = nameless.replace(b"PW[", b"PW[x")
    for wrong in (nameless, renamed + second, first.replace(b"GM[6]", b"GM[1]") + second):
        with pytest.raises(MalformedError, match="not backgammon"):
            sgf.read(wrong)


@pytest.mark.parametrize("value", [b"CV[3]", b"CV[0]", b"CV[x]", b"CV[9999999]"])
def test_impossible_cubes_are_problems(value: bytes) -> None:
    assert len(sgf.read(game(root=value)).match.problems) == 1
    assert len(sgf.read(game(b";" + value)).match.problems) == 1


def test_a_roll_shown_before_its_play_is_not_an_action() -> None:
    assert len(actions(b";PL[B]DI[31]", b";B[31qtst]")) == 1
    assert len(actions(b";PL[B]DI[31]", b";W[31hefe]")) == 2


def test_only_the_main_line_is_read() -> None:
    match = sgf.read(b"(;GM[6];W[31hefe]\n(;B[42])\n(;B[41];W[11]))").match
    assert match.games[0].actions == (
        Move(FIRST, Roll(3, 1), parse_hops("8/5 6/5"), "8/5 6/5", line=1),
        Move(SECOND, Roll(4, 2), line=2),
    )
    assert match.problems == ("line 3: a variation; only the main line is read",)


def test_comments_of_match_games_and_moves_are_read() -> None:
    match = sgf.read(game(b";C[between]", b";W[31]C[at move]", root=b"C[root]GC[match]")).match
    assert match.comments == ("match",)
    assert match.games[0].comments == ("root", "between")
    assert match.games[0].actions[0].comment == "at move"


@pytest.mark.parametrize(
    ("charset", "text", "encoding"),
    [
        (b"CA[UTF-8]", "Zoë ♠".encode(), "UTF-8"),
        (b"CA[ISO-8859-2]", "Łucja".encode("iso-8859-2"), "ISO-8859-2"),
        (b"CA[UTF-8]", "Zoë".encode("cp1252"), "cp1252"),
        (b"", "Zoë".encode(), "utf-8"),
        (b"CA[no such]", b"Zo\x90\xeb", "latin-1"),
        (b"CA[utf-16]", b"Zoe", "utf-8"),
        (b"CA[punycode]", b"Zoe", "utf-8"),
        (b"CA[unicode_escape]", b"Zoe", "utf-8"),
        (b"CA[hex]", b"Zoe", "utf-8"),
    ],
)
def test_encodings_are_recognised(charset: bytes, text: bytes, encoding: str) -> None:
    data = b"(;GM[6]%bPW[%b]PB[Omar];W[31])" % (charset, text)
    record = sgf.read(data)
    assert record.encoding == encoding
    assert record.match.players[0] == text.decode(encoding)


@pytest.mark.parametrize(
    "name", ["\xe9" * 40, "a" + "\u0436" * 20, "\u99d2" * 20, "\U0001f3b2" * 9]
)
def test_a_name_that_gnubg_has_cut_hides_no_encoding(name: str) -> None:
    """gnubg keeps 31 bytes of a name, be the last character whole or not."""
    short = name.encode()[:31]
    node = b"(;FF[4]GM[6]CA[UTF-8]PW[" + short + b"]PB[Ben];W[31hefe]C[na\xc3\xafve])"
    record = sgf.read(node)
    assert record.encoding == "UTF-8"
    assert record.match.games[0].actions[0].comment == "na\xefve"
    assert record.match.players[0].rstrip("\ufffd") == short.decode("utf-8", "ignore")


def test_a_name_of_31_bytes_may_end_in_another_encoding() -> None:
    name = "x" * 30 + "\xe9"
    record = sgf.read(b"(;FF[4]GM[6]PW[" + name.encode("cp1252") + b"]PB[Ben];W[31hefe])")
    assert (record.encoding, record.match.players[0]) == ("cp1252", name)


def test_a_named_encoding_is_used() -> None:
    assert sgf.read(b"(;GM[6]PW[Zo\xeb])", "latin-1").match.players[0] == "Zoë"
    with pytest.raises(MalformedError, match="not an encoding"):
        sgf.read(ONE_GAME, "utf-16")


def test_other_games_are_refused() -> None:
    with pytest.raises(MalformedError, match=r"line 2: .* expected GM\[6\], found GM\[1\]"):
        sgf.read(b"\n(;FF[4]GM[1]SZ[19];B[pd];W[dp])")
    with pytest.raises(MalformedError, match="found no GM"):
        sgf.read(b"(;FF[4];B[pd])")
    with pytest.raises(MalformedError, match="not SGF"):
        sgf.read(b" 5 point match\n\n Game 1\n")


def test_a_file_may_have_several_matches() -> None:
    first = game(b";W[31hefe]") + b"\n" + game(info=b"[length:3][game:1][ws:1][bs:0]")
    second = b"\n" + game(b";W[%b]" % b"", b";B[42suqu]", info=b"[length:7][game:0]")
    third = b"\n" + game(b";B[31]", info=b"[length:7][game:0]") + b"\ntail"
    records = sgf.read_all(first + second + third)
    assert [len(record.match.games) for record in records] == [2, 1, 1]
    assert b"".join(record.data for record in records) == first + second + third
    assert [record.match.length for record in records] == [3, 7, 7]
    assert records[1].match.problems == ("line 3: neither a roll nor a cube action: ''",)
    assert records[2].match.games[0].actions[0].line == 4
    assert starts(records[2])[0].startswith(b";B[31]")
    with pytest.raises(MalformedError, match="3 matches in one file, the second from line 3"):
        sgf.read(first + second + third)


def test_plays_have_their_usual_notation() -> None:
    (move,) = actions(b";W[31hefe]")
    assert isinstance(move, Move)
    assert move.text == format_hops(move.hops) == "8/5 6/5"


# Writing


@pytest.mark.thorough
@given(matches())
def test_random_matches_read_back(match: Match) -> None:
    record = sgf.from_match(match)
    assert record.match is match
    assert plain(sgf.read(record.data).match) == plain(match)
    for played, nodes in zip(match.games, record.nodes, strict=True):
        for action, node in zip(played.actions, nodes, strict=True):
            assert (node is None) == isinstance(action, Resign)


@pytest.mark.thorough
@given(matches())
def test_plays_are_written_with_a_hop_for_each_die(match: Match) -> None:
    back = sgf.read(sgf.from_match(match).data).match
    for played in back.games:
        for turn in replay(back, played):
            assert not turn.problem
            if turn.play and isinstance(turn.action, Move):
                assert len(turn.action.hops) == len(turn.play.portions)


def test_the_layout_is_that_of_gnubg() -> None:
    match = Match(
        ("No]ra", "Omar\\"),
        3,
        (
            Game(
                1,
                (0, 0),
                (
                    Move(SECOND, Roll(6, 5), parse_hops("24/13"), comment="lo]ver's leap"),
                    Move(FIRST, Roll(3, 1), parse_hops("8/5 6/5")),
                    Double(SECOND),
                    Drop(FIRST),
                ),
                SECOND,
                1,
            ),
            Game(2, (0, 1), (Move(FIRST, Roll(5, 5)), Resign(FIRST)), SECOND, 2, True),
        ),
        NACKGAMMON,
        headers=(("Event", "Club"), ("EventDate", "2026.03.14"), ("Video", "x")),
        comments=("a match",),
    )
    root = b"FF[4]GM[6]CA[UTF-8]AP[gnubg-nactation]MI[length:3]"
    names = b"PW[No\\]ra]PB[Omar\\\\]"
    assert sgf.from_match(match).data == (
        b"(;" + root + b"[game:0][ws:0][bs:0]" + names + b"DT[2026-03-14]EV[Club]GC[a match]"
        b"RU[Crawford:Nackgammon]RE[B+1]\n"
        b";B[65aggl]C[lo\\]ver's leap]\n"
        b";W[31hefe]\n"
        b";B[double]\n"
        b";W[drop])\n"
        b"(;" + root + b"[game:1][ws:0][bs:1]" + names + b"RU[Crawford:Nackgammon]RE[B+2R]\n"
        b";PL[W]DI[55])\n"
    )


def test_players_without_names_are_white_and_black() -> None:
    match = replace(one_game_match(Move(FIRST, Roll(3, 1))), players=("", "\t"))
    assert sgf.read(sgf.from_match(match).data).match.players == ("White", "Black")
    assert b"PW" not in sgf.from_match(match, named=False).data


def test_rolls_without_a_play_are_written() -> None:
    closed = Position((-1, 2, 2, 2, 2, 2, 2, *[0] * 18, 0))
    match = one_game_match(
        SetPosition(SECOND, closed.switch_sides()),
        Move(SECOND, Roll(6, 6)),  # a dance
        Move(FIRST, Roll(6, 6), (), "??"),
        Move(SECOND, Roll(4, 2)),
        Move(FIRST, Roll(3, 1)),
    )
    lines = sgf.from_match(match).data.split(b"\n;")
    assert lines[2:] == [b"B[66]", b"W[66?]", b"B[42]", b"PL[W]DI[31])\n"]


def test_illegal_plays_are_written_unchanged() -> None:
    match = one_game_match(Move(FIRST, Roll(2, 1), parse_hops("24/18 6/2")))
    assert sgf.from_match(match).data.endswith(b";W[21xrfb])\n")


def test_set_ups_read_back() -> None:
    position = Position((-1, 3, *[0] * 22, -4, 2))
    match = one_game_match(
        SetPosition(FIRST, position),
        SetCube(8, SECOND),
        SetCube(4, None),
        SetPosition(SECOND, position.switch_sides(), comment="again"),
        cube=2,
    )
    assert plain(sgf.read(sgf.from_match(match).data).match) == match


def test_an_unknown_starting_position_is_set_up() -> None:
    start = Position((0, -2, *[0] * 22, 2, 0))
    match = replace(one_game_match(Move(FIRST, Roll(2, 1), parse_hops("24/22 24/23"))), start=start)
    record = sgf.from_match(match)
    assert record.data.endswith(b";PL[W]AE[a:y]AW[x][x]AB[a][a]\n;W[21xvxw])\n")
    assert starts(record)[0].startswith(b";W[21")


def test_an_implicit_take_is_written() -> None:
    roll = Roll(3, 1)
    match = one_game_match(Move(FIRST, roll), Double(SECOND), Double(FIRST), Move(SECOND, roll))
    record = sgf.from_match(match)
    assert record.data.split(b"\n;")[3:] == [b"W[double]", b"B[take]", b"PL[B]DI[31])\n"]
    assert [start_text[:5] for start_text in starts(record)][2:] == [b";W[do", b";PL[B"]


def test_the_comment_of_a_resignation_is_added_to_the_last_node() -> None:
    match = one_game_match(Move(FIRST, Roll(3, 1), comment="one"), Resign(FIRST, comment="two"))
    assert b"C[one\ntwo])" in sgf.from_match(match).data


def test_game_numbers_grow() -> None:
    games = (Game(3, (0, 0), ()), Game(3, (1, 0), ()))
    match = Match(("Nora", "Omar"), 3, games)
    assert [g.number for g in sgf.read(sgf.from_match(match).data).match.games] == [1, 2]


def test_a_match_without_the_crawford_rule_does_not_name_it() -> None:
    one_away = Match(("Ann", "Ben"), 2, (Game(1, (1, 0), ()),))
    assert b"RU[" not in sgf.from_match(one_away).data
    assert b"RU[Crawford]" in sgf.from_match(replace(one_away, games=(Game(1, (0, 0), ()),))).data
    is_off = replace(one_away, games=(Game(1, (0, 0), ()),), headers=(("Crawford", "Off"),))
    assert b"RU[" not in sgf.from_match(is_off).data
