"""gnubg's dialect of SGF: what is read, what is written, and that comments harm nothing."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, format_hops, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import HYPERGAMMON, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.files import sgf
from tests.strategies import matches, random_match

FIRST, SECOND = Player.FIRST, Player.SECOND
PREFIX = "Nactation: "

HEAD = b"FF[4]GM[6]CA[UTF-8]AP[Some Program:1.0]"
ONE_GAME = (
    b"(;" + HEAD + b"MI[length:5][game:0][ws:1][bs:2]PW[Nora]PB[Omar]DT[2026-03-14]EV[Club night]"
    b"RU[Crawford]RE[B+2R]GS[M:1 2][C:-inf]\n"
    b";B[31qtst]A[0][qtst E ver 3 0.5 \\] ][xtxw E]MR[]LU[-0.1]\n"
    b";W[66]C[a \\[quiet\\] remark\nof two lines]\n"
    b";B[double]DA[E ver 3]\n"
    b";W[take]ZZ[unknown]\n"
    b";B[13aelm]BM[1]\n"
    b";PL[W]DI[52])\n"
)


def game(*nodes: bytes, root: bytes = b"", info: bytes = b"[length:3][game:0]") -> bytes:
    return b"(;GM[6]MI" + info + b"PW[Nora]PB[Omar]" + root + b"".join(nodes) + b")"


def actions(*nodes: bytes, root: bytes = b"") -> list[object]:
    match = sgf.read(game(*nodes, root=root)).match
    return [replace(action, line=0) for action in match.games[0].actions]


def plain(match: Match) -> Match:
    """What the record says of the game, apart from how and where it says it."""

    def bare(action):
        if isinstance(action, Move):
            hops = tuple(Hop(hop.source, hop.target) for hop in action.hops)
            return replace(action, hops=hops, text="", line=0)
        return replace(action, line=0)

    def without_resignation(one: Game) -> tuple:
        return tuple(bare(a) for a in one.actions if not isinstance(a, Resign))

    return replace(
        match, games=tuple(replace(g, actions=without_resignation(g)) for g in match.games)
    )


def all_lines(record: sgf.SgfRecord, text: str = "S") -> dict[tuple[int, int], str]:
    return {
        (at, number): f"{PREFIX}{text}{number}"
        for at, nodes in enumerate(record.nodes)
        for number, node in enumerate(nodes)
        if node is not None
    }


def annotated(data: bytes, text: str = "S") -> bytes:
    record = sgf.read(data)
    return sgf.with_comment_lines(record, PREFIX, all_lines(record, text))


# Reading


def test_a_game_is_read():
    record = sgf.read(ONE_GAME)
    match = record.match
    assert match.players == ("Nora", "Omar")
    assert (match.length, match.start, match.jacoby) == (5, STANDARD, False)
    assert match.headers == (("EventDate", "2026-03-14"), ("Event", "Club night"))
    assert match.problems == ()
    (one,) = match.games
    assert (one.number, one.score, one.crawford, one.cube) == (1, (1, 2), False, 1)
    assert (one.winner, one.points, one.resigned) == (SECOND, 2, True)
    assert one.actions == (
        Move(SECOND, Roll(3, 1), parse_hops("8/5 6/5"), "8/5 6/5", line=2),
        Move(FIRST, Roll(6, 6), comment="a [quiet] remark\nof two lines", line=3),
        Double(SECOND, line=5),
        Take(FIRST, line=6),
        Move(SECOND, Roll(3, 1), parse_hops("24/20 13/12"), "24/20 13/12", line=7),
        Move(FIRST, Roll(5, 2), line=8),
    )
    starts = [ONE_GAME[node.start :][:4] for node in record.nodes[0]]
    assert starts == [b";B[3", b";W[6", b";B[d", b";W[t", b";B[1", b";PL["]


def test_letters_of_both_players():
    assert actions(b";W[21xwya]", b";B[21abyx]", b";W[66fzaz]", b";B[66szxz]") == [
        Move(FIRST, Roll(2, 1), (Hop(24, 23), Hop(25, 1)), "24/23 bar/1"),
        Move(SECOND, Roll(2, 1), (Hop(24, 23), Hop(25, 1)), "24/23 bar/1"),
        Move(FIRST, Roll(6, 6), (Hop(6, 0), Hop(1, 0)), "6/off 1/off"),
        Move(SECOND, Roll(6, 6), (Hop(6, 0), Hop(1, 0)), "6/off 1/off"),
    ]


@pytest.mark.parametrize("letters", ["abc", "zA", "ab1", "zy", "abababababab", "za", "ay"])
def test_text_that_is_no_play_is_kept(letters):
    (move,) = actions(b";W[31%b]" % letters.encode())
    assert move == Move(FIRST, Roll(3, 1), (), letters)


@pytest.mark.parametrize("value", [b"", b"x", b"07ab", b"resigned", b"doubles", b"3"])
def test_values_without_roll_or_cube_are_problems(value):
    match = sgf.read(game(b"\n;W[%b]" % value, b"\n;B[31]")).match
    assert match.games[0].actions == (Move(SECOND, Roll(3, 1), line=3),)
    assert match.problems == (f"line 2: neither a roll nor a cube action: '{value.decode()}'",)


def test_cube_actions_and_resignations():
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
def test_results(text, result):
    one = sgf.read(game(root=b"RE[%b]" % text)).match.games[0]
    assert (one.winner, one.points, one.resigned) == result


def test_rules_of_the_root():
    crawford = sgf.read(game(root=b"RU[Crawford:CrawfordGame:Nackgammon]")).match
    assert (crawford.games[0].crawford, crawford.start) == (True, NACKGAMMON)
    money = sgf.read(game(root=b"RU[Jacoby:Hypergammon3]CV[4]", info=b"[length:0]")).match
    assert (money.length, money.jacoby, money.start) == (0, True, HYPERGAMMON)
    assert (money.games[0].cube, money.games[0].actions) == (4, ())
    fewer = sgf.read(game(root=b"RU[Hypergammon1]")).match.start
    assert [p for p, n in enumerate(fewer.points) if n] == [1, 24]


def test_set_up_cube_and_dice():
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


def test_checkers_are_added_to_a_board_just_put_up():
    (one, two) = actions(b";PL[W]AE[x]AW[w][w]", b";PL[W]AB[j]AE[a]")
    assert one.position.points[23:25] == (2, 0)
    assert two.position.points[1] == 0
    assert two.position.points[10] == -1
    match = sgf.read(game(b";W[31hefe]", b"\n;AW[a]")).match
    assert match.problems == ("line 2: checkers are added to a board in play (no AE[a:y])",)


@pytest.mark.parametrize("value", [b"CV[3]", b"CV[0]", b"CV[x]", b"CV[9999999]"])
def test_cubes_that_cannot_be(value):
    assert len(sgf.read(game(root=value)).match.problems) == 1
    assert len(sgf.read(game(b";" + value)).match.problems) == 1


def test_a_roll_shown_before_its_play_is_no_action():
    assert len(actions(b";PL[B]DI[31]", b";B[31qtst]")) == 1
    assert len(actions(b";PL[B]DI[31]", b";W[31hefe]")) == 2


def test_only_the_main_line_is_read():
    match = sgf.read(b"(;GM[6];W[31hefe]\n(;B[42])\n(;B[41];W[11]))").match
    assert [action.roll for action in match.games[0].actions] == [Roll(3, 1), Roll(4, 2)]
    assert match.problems == ("line 3: a variation; only the main line is read",)


def test_comments_of_games_and_match():
    match = sgf.read(game(b";C[between]", b";W[31]C[at move]", root=b"C[root]GC[match]")).match
    assert match.comments == ("match",)
    assert match.games[0].comments == ("root", "between")
    assert match.games[0].actions[0].comment == "at move"


@pytest.mark.parametrize(
    ("named", "text", "encoding"),
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
def test_encodings(named, text, encoding):
    data = b"(;GM[6]%bPW[%b]PB[Omar];W[31])" % (named, text)
    record = sgf.read(data)
    assert record.encoding == encoding
    assert record.match.players[0] == text.decode(encoding)


def test_the_encoding_can_be_ordered():
    assert sgf.read(b"(;GM[6]PW[Zo\xeb])", "latin-1").match.players[0] == "Zoë"
    with pytest.raises(MalformedError, match="not an encoding"):
        sgf.read(ONE_GAME, "utf-16")


def test_what_is_not_backgammon_is_refused():
    with pytest.raises(MalformedError, match=r"line 2: .* expected GM\[6\], found GM\[1\]"):
        sgf.read(b"\n(;FF[4]GM[1]SZ[19];B[pd];W[dp])")
    with pytest.raises(MalformedError, match="found no GM"):
        sgf.read(b"(;FF[4];B[pd])")
    with pytest.raises(MalformedError, match="not SGF"):
        sgf.read(b" 5 point match\n\n Game 1\n")


def test_several_matches_in_one_file():
    first = game(b";W[31hefe]") + b"\n" + game(info=b"[length:3][game:1][ws:1][bs:0]")
    second = b"\n" + game(b";W[%b]" % b"", b";B[42suqu]", info=b"[length:7][game:0]")
    third = b"\n" + game(b";B[31]", info=b"[length:7][game:0]") + b"\ntail"
    records = sgf.read_all(first + second + third)
    assert [len(record.match.games) for record in records] == [2, 1, 1]
    assert b"".join(record.data for record in records) == first + second + third
    assert [record.match.length for record in records] == [3, 7, 7]
    assert records[1].match.problems == ("line 3: neither a roll nor a cube action: ''",)
    assert records[2].match.games[0].actions[0].line == 4
    assert records[2].data[records[2].nodes[0][0].start :].startswith(b";B[31]")
    with pytest.raises(MalformedError, match="3 matches in one file, the second from line 3"):
        sgf.read(first + second + third)


# Writing


@given(matches())
def test_what_is_written_is_read_again(match):
    record = sgf.from_match(match)
    assert record.match is match
    assert plain(sgf.read(record.data).match) == plain(match)
    for one, nodes in zip(match.games, record.nodes, strict=True):
        for action, node in zip(one.actions, nodes, strict=True):
            assert (node is None) == isinstance(action, Resign)


@given(matches())
def test_plays_are_written_a_die_at_a_time(match):
    back = sgf.read(sgf.from_match(match).data).match
    for one in back.games:
        for turn in replay(back, one):
            assert not turn.problem
            if turn.play:
                assert len(turn.action.hops) == len(turn.play.portions)


def one_game_match(*actions_, **changes) -> Match:
    return Match(("Nora", "Omar"), 0, (Game(1, (0, 0), actions_, **changes),))


def test_the_layout_is_gnubgs():
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


def test_rolls_without_a_play():
    closed = Position((-1, 2, 2, 2, 2, 2, 2, *[0] * 18, 0))
    match = one_game_match(
        SetPosition(SECOND, closed.switch_sides()),
        Move(SECOND, Roll(6, 6)),  # a dance
        Move(FIRST, Roll(6, 6), (), "??"),
        Move(SECOND, Roll(4, 2)),
        Move(FIRST, Roll(3, 1)),
    )
    lines = sgf.from_match(match).data.split(b"\n;")
    assert lines[2:] == [b"B[66]", b"PL[W]DI[66]", b"B[42]", b"PL[W]DI[31])\n"]


def test_illegal_plays_are_written_as_they_are():
    match = one_game_match(Move(FIRST, Roll(2, 1), parse_hops("24/18 6/2")))
    assert sgf.from_match(match).data.endswith(b";W[21xrfb])\n")


def test_set_ups_come_back():
    position = Position((-1, 3, *[0] * 22, -4, 2))
    match = one_game_match(
        SetPosition(FIRST, position),
        SetCube(8, SECOND),
        SetCube(4, None),
        SetPosition(SECOND, position.switch_sides(), comment="again"),
        cube=2,
    )
    assert plain(sgf.read(sgf.from_match(match).data).match) == match


def test_a_start_of_no_known_variation_is_set_up():
    start = Position((0, -2, *[0] * 22, 2, 0))
    match = replace(one_game_match(Move(FIRST, Roll(2, 1), parse_hops("24/22 24/23"))), start=start)
    record = sgf.from_match(match)
    assert record.data.endswith(b";PL[W]AE[a:y]AW[x][x]AB[a][a]\n;W[21xvxw])\n")
    assert record.data[record.nodes[0][0].start :].startswith(b";W[21")


def test_a_take_that_went_unsaid_is_written():
    roll = Roll(3, 1)
    match = one_game_match(Move(FIRST, roll), Double(SECOND), Double(FIRST), Move(SECOND, roll))
    record = sgf.from_match(match)
    assert record.data.split(b"\n;")[3:] == [b"W[double]", b"B[take]", b"PL[B]DI[31])\n"]
    assert [record.data[node.start :][:5] for node in record.nodes[0]][2:] == [b";W[do", b";PL[B"]


def test_the_comment_of_a_resignation_goes_to_the_node_before():
    match = one_game_match(Move(FIRST, Roll(3, 1), comment="one"), Resign(FIRST, comment="two"))
    assert b"C[one\ntwo])" in sgf.from_match(match).data


def test_game_numbers_grow():
    games = (Game(3, (0, 0), ()), Game(3, (1, 0), ()))
    match = Match(("Nora", "Omar"), 3, games)
    assert [g.number for g in sgf.read(sgf.from_match(match).data).match.games] == [1, 2]


# Comments


def with_line(node: bytes, line: str | None) -> bytes:
    data = game(b";W[31hefe]" + node, root=b"RE[W+1] ")
    record = sgf.read(data)
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): line})
    again = sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): line})
    assert again == changed
    assert changed.startswith(game(root=b"RE[W+1] ")[:-1] + b";W[31hefe]")
    return changed[data.index(b"hefe]") + 5 : -1]


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (b"", b"C[Nactation: S]"),
        (b" LU[1]\r\n", b" LU[1]C[Nactation: S]\r\n"),
        (b"C[]LU[1]", b"C[Nactation: S]LU[1]"),
        (b"C [a\\]b] \n", b"C [Nactation: S\na\\]b] \n"),
        (b"C[a\r\nb]", b"C[Nactation: S\r\na\r\nb]"),
        (b"C[\r\nb]", b"C[Nactation: S\r\n\r\nb]"),
        (b"C[a\\\nb\rc]", b"C[Nactation: S\ra\\\nb\rc]"),
        (b"C[a\nNactation: X\nb]", b"C[a\nNactation: S\nb]"),
        (b"C[Nactation: X]", b"C[Nactation: S]"),
        (b"C[Nactation: \\S]", b"C[Nactation: \\S]"),
        (b"C[Nact\\\nation: S\n]", b"C[Nact\\\nation: S\n]"),
        (b"C[Nactation: X\nb\nNactation: Y\n]", b"C[Nactation: S\nb\n]"),
        (b"C[b\nNactation: X\nNactation: Y]", b"C[b\nNactation: S]"),
        (b"C[see Nactation: X]", b"C[Nactation: S\nsee Nactation: X]"),
        (b"C[one]LU[1]C[two][three]", b"C[one]LU[1]C[Nactation: S\ntwo][three]"),
        (b"C[caf\xc3\xa9 \\\\]", b"C[Nactation: S\ncaf\xc3\xa9 \\\\]"),
    ],
)
def test_where_the_line_goes(node, expected):
    assert with_line(node, "Nactation: S") == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (b"", b""),
        (b"C[]", b"C[]"),
        (b"C[text]", b"C[text]"),
        (b"LU[1]C[Nactation: X] ", b"LU[1] "),
        (b"C[Nactation: X\ntext]", b"C[text]"),
        (b"C[text\r\nNactation: X]", b"C[text]"),
        (b"C[text\nNactation: X\n]", b"C[text\n]"),
        (b"C[Nactation: X\na\nNactation: Y]", b"C[a]"),
        (b"C[Nactation: X][more]", b"C[][more]"),
    ],
)
def test_how_the_line_goes_away(node, expected):
    assert with_line(node, None) == expected


def test_everything_else_stays():
    once = annotated(ONE_GAME)
    assert once != ONE_GAME
    assert annotated(once) == once
    record = sgf.read(once)
    gone = sgf.with_comment_lines(record, PREFIX, dict.fromkeys(all_lines(record)))
    assert gone == ONE_GAME
    again = annotated(once, "other ")
    assert again == once.replace(b"Nactation: S", b"Nactation: other ")
    comments = [action.comment for action in record.match.games[0].actions]
    assert comments[1] == "Nactation: S1\na [quiet] remark\nof two lines"
    assert plain(sgf.read(gone).match) == plain(sgf.read(ONE_GAME).match)


def test_lines_are_escaped_and_encoded_like_the_file():
    line = "Nactation: Zé]\\"
    latin = game(b";W[31]C[caf\xe9]")
    record = sgf.read(latin)
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): line})
    assert changed == game(b";W[31]C[Nactation: Z\xe9\\]\\\\\ncaf\xe9]")
    assert sgf.read(changed).match.games[0].actions[0].comment == line + "\ncafé"
    assert sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): line}) == changed
    with pytest.raises(MalformedError, match="cannot be written in cp1252"):
        sgf.with_comment_lines(record, PREFIX, {(0, 0): "Nactation: ♠"})


@pytest.mark.parametrize("line", ["S", "nactation: S", "Nactation: S\nmore"])
def test_lines_must_be_recognisable(line):
    with pytest.raises(MalformedError):
        sgf.with_comment_lines(sgf.read(ONE_GAME), PREFIX, {(0, 0): line})


def test_a_resignation_has_no_place_for_a_line():
    record = sgf.from_match(one_game_match(Move(FIRST, Roll(3, 1)), Resign(FIRST)))
    with pytest.raises(IllegalError, match="game 1, action 2 has no node"):
        sgf.with_comment_lines(record, PREFIX, {(0, 1): "Nactation: S"})


@given(st.text(max_size=20), st.text(max_size=20).map(lambda text: " ".join(text.split())))
def test_any_comment_keeps_its_text(comment, text):
    text = text.encode("utf-8", "replace").decode()
    record = sgf.from_match(one_game_match(Move(FIRST, Roll(3, 1), comment=comment)))
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): PREFIX + text})
    before = sgf.read(record.data).match.games[0].actions[0].comment
    after = sgf.read(changed).match.games[0].actions[0].comment
    assert after == f"{PREFIX}{text}" + (f"\n{before}" if before else "")
    back = sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): None})
    assert sgf.read(back).match.games[0].actions[0].comment == before


# Hostile files


@given(
    st.binary(max_size=80) | st.text("(;)[]WBCADIPLV0123:abyz\\ \n", max_size=80).map(str.encode)
)
def test_only_our_errors_come_from_any_bytes(rest):
    for data in (rest, b"(;GM[6]" + rest + b")", b"(;GM[6]CA[" + rest + b"])"):
        try:
            records = sgf.read_all(data)
        except NactationError:
            continue
        assert b"".join(record.data for record in records) == data


@given(st.integers(0, 200), st.data())
def test_mutated_files_are_read_or_refused(seed, data):
    source = sgf.from_match(random_match(seed, max_games=2)).data + ONE_GAME
    start = data.draw(st.integers(0, len(source) - 1))
    length = data.draw(st.integers(0, 40))
    insert = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"]", b"(;", b")", b"\\", b"AW[a]"])
    )
    mutated = source[:start] + insert + source[start + length :]
    try:
        records = sgf.read_all(mutated)
    except NactationError:
        return
    for record in records:
        lines = all_lines(record)
        once = sgf.with_comment_lines(record, PREFIX, lines)
        assert sgf.with_comment_lines(sgf.read(once), PREFIX, lines) == once
        for one in record.match.games:
            assert len(list(replay(record.match, one))) == len(one.actions)
        again = sgf.from_match(record.match)
        assert len(sgf.read_all(again.data)[0].match.games) == len(record.match.games)


def test_texts_of_hops_can_be_quoted():
    (move,) = actions(b";W[31hefe]")
    assert move.text == format_hops(move.hops) == "8/5 6/5"


@pytest.mark.parametrize(
    "rest",
    [
        b";CV[2]" * 20_000,
        b";W[double];CV[2]" * 10_000,
        b";W[31zz]" + b";AW[a]" * 20_000,
        b";W[31]C[" + b"Nactation: \n" * 30_000 + b"]",
        b"(;W[31]" * 20_000 + b")" * 20_000,
    ],
    ids=lambda rest: rest[:12].decode(),
)
def test_hostile_files_take_no_longer_than_others(rest):
    started = time.perf_counter()
    record = sgf.read(b"(;GM[6]" + rest + b")")
    sgf.with_comment_lines(record, PREFIX, dict.fromkeys([(0, 0)] if record.nodes[0] else []))
    assert time.perf_counter() - started < 5  # at most 0.5 s; anything quadratic takes minutes
