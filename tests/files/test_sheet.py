"""Score sheets: what people write, what `annotate` writes, and what is wrong in them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Double, Drop, Match, Move, Resign, Take
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.sheet import Sheet, read_sheets
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering
from tests.strategies import matches

SAMPLES = Path(__file__).parents[2] / "sample_matches"
FIRST, SECOND = Player.FIRST, Player.SECOND
HEAD = "Alice - Bob, 3 point match\n\n"


def read_sheet(text: str) -> Sheet:
    """The only match of a sheet."""
    (sheet,) = read_sheets(text)
    return sheet


def match_of(text: str) -> Match:
    """The only match of a sheet without faults."""
    sheet = read_sheet(text)
    assert sheet.faults == ()
    return sheet.match


def faults(text: str) -> list[str]:
    return [f"{fault.place} {fault.message}" for fault in read_sheet(text).faults]


def again(match: Match, layout: str, fans: str = "F") -> Sheet:
    """The match written in a layout and read again."""
    settings = Rendering(layout=layout, fans=fans)
    text = FORMS["text"].render([annotate(match)], [None], settings).decode()
    return read_sheet(text)


def mat(match: Match) -> str:
    return format_mat(annotate(match))


# Annotated text cannot hold a board set up in the middle of a game.
LOST = SAMPLES / "money-beaver-setup.sgf"


@pytest.mark.thorough
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("file", sorted({*SAMPLES.iterdir()} - {LOST}), ids=lambda file: file.name)
def test_annotated_samples_are_match_files(file: Path, layout: str) -> None:
    for match in read(file):
        sheet = again(match, layout, fans="^")
        assert sheet.faults == ()
        assert mat(sheet.match) == mat(match)


def test_a_board_set_up_in_the_middle_of_a_game_is_a_fault() -> None:
    (fault,) = again(read(LOST)[0], "columns", fans="^").faults
    assert fault.message == "found 4 rolls, but 3 in the columns"


@pytest.mark.thorough
@given(matches(), st.sampled_from(LAYOUTS))
@settings(max_examples=25)
def test_random_matches_survive(match: Match, layout: str) -> None:
    """Cubes, beavers, gammons, the Crawford game, resignations, Nackgammon and the Jacoby rule."""
    sheet = again(match, layout, fans="^")
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(match)
    games = [(game.winner, game.points, game.crawford) for game in match.games]
    assert [(game.winner, game.points, game.crawford) for game in sheet.match.games] == games


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("match-5pt.mat", "row"),
        ("match-3pt.mat", "paired"),
        ("match-3pt.mat", "column"),  # a fan follows a forced roll
    ],
)
def test_a_fan_without_dice_gets_dice_that_fan(name: str, layout: str) -> None:
    match = read(SAMPLES / name)[0]
    sheet = again(match, layout)
    assert sheet.faults == ()
    written, expected = mat(sheet.match).splitlines(), mat(match).splitlines()
    assert len(written) == len(expected)
    (note,) = sheet.notes
    assert note.endswith("turns without dice, such as F for a fan: written with dice that fit")
    for ours, original in zip(written, expected, strict=True):
        for cell in {*ours.split("  ")} - {*original.split("  ")}:
            assert re.fullmatch(r" *[0-9]*\)? ?([1-6])\1: ?", cell)  # a doublet and no play


@pytest.mark.parametrize("target", ["plain", "markdown", "reddit", "bbcode", "html-forum"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_posts_are_match_files(target: str, layout: str) -> None:
    match = read(SAMPLES / "match-5pt.mat")[0]
    options = Rendering(to=target, layout=layout, fans="^")
    sheet = read_sheet(FORMS[target].render([annotate(match)], [None], options).decode())
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(replace(match, headers=()))


@pytest.mark.parametrize(
    "options",
    [
        Rendering(traditional=True, fans="^"),
        Rendering(errors=True),
        Rendering(layout="row", errors=True, fans="roll"),
        Rendering(layout="column", errors=True, fans="^"),
        Rendering(layout="row", start_mark="-->", forced="name", fans="^"),
        Rendering(layout="row", spoken=True, fans="^"),
        Rendering(characters="areal"),
    ],
)
def test_every_option_of_annotate_can_be_read(options: Rendering) -> None:
    match = read(SAMPLES / "match-3pt-analysed.sgf")[0]
    text = FORMS["text"].render([annotate(match, options.characters)], [None], options).decode()
    sheet = read_sheet(text)
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(match)


@pytest.mark.parametrize(
    ("head", "players", "length", "tags"),
    [
        ("Alice vs. Bob, 7 points", ("Alice", "Bob"), 7, ()),
        ('"Jean - Luc" - Bob, 5pt', ("Jean - Luc", "Bob"), 5, ()),
        ("Match: Alice - Bob, 3 points", ("Alice", "Bob"), 3, ()),
        ("7 point match: Alice - Bob, Oslo", ("Alice", "Bob"), 7, (("Event", "Oslo"),)),
        ("White: Alice\nBlack: Bob\nLength: 3", ("Alice", "Bob"), 3, ()),
        ("Player 1: Alice\nPlayer 2: Bob\nMatch: 5 points", ("Alice", "Bob"), 5, ()),
        ("Black: Bob\nWhite: Alice\nMatch: money", ("Alice", "Bob"), 0, ()),
        ("Smith, John - Bob (9 point match)", ("Smith, John", "Bob"), 9, ()),
        ("Alice \u2013 Bob, match to 3, no Crawford", ("Alice", "Bob"), 3, (("Crawford", "Off"),)),
        (
            "# Alice - Bob, money, Jacoby, beavers",
            ("Alice", "Bob"),
            0,
            (("Jacoby", "On"), ("Beaver", "On")),
        ),
        (
            "Alice - Bob, 3 point match, City Open, Oslo, Nov 23, 2026",
            ("Alice", "Bob"),
            3,
            (("EventDate", "2026.11.23"), ("Event", "City Open"), ("Site", "Oslo")),
        ),
    ],
)
def test_a_head_as_people_write_it(
    head: str, players: tuple[str, str], length: int, tags: tuple[tuple[str, str], ...]
) -> None:
    match = match_of(f"{head}\n\n54S-63R-31P")
    assert (match.players, match.length, match.headers) == (players, length, tags)


@pytest.mark.parametrize(
    "game",
    [
        "54S-63R-31P",
        "54S 63R 31P",
        "54S63R-31P",
        "54S-63R\n31P",
        "54S\n63R\n31P",
        "1. 54S 63R\n2. 31P",
        "1) 54S   63R\n2) 31P",
        "      Alice   Bob\n   1  54S     63R\n   2  31P",
        "Alice   Bob\n54S     63R\n31P",
        "| # | Alice | Bob |\n|--:|:---|---|\n| 1 | 54S | 63R |\n| 2 | 31P | |",
        "| Alice | Bob |\n|---|---|\n| 54S | 63R |\n| 31P | |",
        "54: 24/20 13/8  63: 24/15  31: 8/5 6/5",
        "54S(24/20 13/8)-63R-31P(8/5 6/5)",
        "54-split, 63-run, 31-point",
        "White's opening: 54S-63R-31P",
        "54S!-63R (a bold run)-31P",
        "[b]54S[/b]-63R-31P",
    ],
)
def test_a_game_as_people_write_it(game: str) -> None:
    assert mat(match_of(HEAD + game)) == mat(match_of(f"{HEAD}54S-63R-31P"))


@pytest.mark.parametrize("double", ["D", "C", "Cub", "double", "doubles to 2", "Doubles => 2"])
@pytest.mark.parametrize(
    ("answer", "kind"), [("T", Take), ("takes", Take), ("P", Drop), ("pass", Drop), ("drops", Drop)]
)
def test_the_words_of_the_cube(double: str, answer: str, kind: type[Take | Drop]) -> None:
    (game,) = match_of(f"{HEAD}54S-63R-{double}-{answer}").games
    assert [type(action) for action in game.actions] == [Move, Move, Double, kind]


def test_the_second_player_begins_after_a_hyphen_or_an_empty_cell() -> None:
    texts = ["-61P-63R", "->61P-63R", "1.  ...  61P\n2. 63R", "   1           61P\n   2  63R"]
    table = "| Move | Alice | Bob |\n|---|---|---|\n| 1 |  | 61P |\n| 2 | 63R | |"
    for text in [*texts, table, "      Alice   Bob\n   1          61P\n   2  63R"]:
        (game,) = match_of(HEAD + text).games
        assert [action.player for action in game.actions] == [SECOND, FIRST]


@pytest.mark.parametrize(
    "row",
    [
        "\u219261P-63R",
        '"-61P-63R"',
        "`-61P-63R`",
        "**-61P**-63R",
        "\\-\\>61P-63R",
        "-&gt;61P-63R",
        "Top-61P-63R",
        "\u2013\u219261P-63R",
        "<b>-61P</b>-63R",
    ],
)
def test_a_start_mark_is_read_as_in_a_sequence(row: str) -> None:
    """A mark that is missed would swap the players."""
    assert parse_sequence(row).starts is SECOND
    (game,) = match_of(HEAD + row).games
    assert [action.player for action in game.actions] == [SECOND, FIRST]


def test_each_game_has_its_own_start_mark() -> None:
    first, second = match_of(f"{HEAD}54S-63R-D-P\n`->61P-63R`").games
    assert (first.actions[0].player, second.actions[0].player) == (FIRST, SECOND)


@pytest.mark.parametrize("target", ["markdown", "reddit", "discord", "discourse", "html-forum"])
@pytest.mark.parametrize(("layout", "mark"), [("row", "->"), ("paired", "-->"), ("column", "->")])
def test_posts_keep_who_starts(target: str, layout: str, mark: str) -> None:
    match = read(SAMPLES / "match-1pt.mat")[0]
    assert match.games[0].actions[0].player is SECOND
    options = Rendering(to=target, layout=layout, fans="^", start_mark=mark)
    sheet = read_sheet(FORMS[target].render([annotate(match)], [None], options).decode())
    assert mat(sheet.match) == mat(replace(match, headers=()))


def test_a_sequence_without_a_head_is_a_money_session() -> None:
    sheet = read_sheet("54S-63R-31P")
    assert (sheet.match.length, sheet.faults) == (0, ())
    assert "read as a money session" in sheet.notes[0]


def test_two_heads_are_two_matches() -> None:
    first, second = read_sheets(f"{HEAD}54S-63R\n\nAnn - Ben, money\n\n31P-63R")
    assert (first.match.players, second.match.players) == (("Alice", "Bob"), ("Ann", "Ben"))


def test_a_resignation_counts_cube_and_size() -> None:
    """The rules: a gammon counts twice the cube, a backgammon three times."""
    for text, points in (("resign 1", 2), ("resigns gammon", 4), ("(resign 3)", 6), ("resign", 2)):
        (game,) = match_of(f"Alice - Bob, 7 point match\n\n54S-63R-D-T-31P {text}").games
        assert (game.winner, game.points, game.resigned) == (FIRST, points, True)
        assert isinstance(game.actions[-1], Resign)


def test_the_crawford_game_has_no_cube() -> None:
    one_away = f"{HEAD}54S-63R (resign 2)\n\n54S-63R-31P"
    assert match_of(one_away).games[1].crawford
    (fault,) = faults(f"{one_away}-D-T")
    assert fault.startswith("5:13 found 'D': no double is legal here: the cube is not used in the")
    assert not match_of(one_away.replace("match", "match, no Crawford")).games[1].crawford


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        # The letter and the play contradict each other, and nothing is hit on the 7 point.
        ("54S(24/15)-63R", "3:1 found '54S'"),
        ("61: 13/7* 8/7-63R", "3:1 found '61: 13/7* 8/7'"),
        # The sequence below two columns is another one.
        ("1  54S  63R\n2  31P\nnot finished\n54S-63R-31D", "6:9 found '31D', but '31P'"),
        ("1  54S  63R\n2  31P\nnot finished\n54S-63R", "6:1 found 2 rolls, but 3"),
    ],
)
def test_what_contradicts_itself_is_a_fault(text: str, fault: str) -> None:
    (found,) = faults(HEAD + text)
    assert found.startswith(fault)


def test_names_with_hyphens_need_quotes() -> None:
    (fault,) = faults("A - B - C, 3 points\n\n54S")
    assert fault.startswith("1:1 the players may be 'A' and 'B - C' or 'A - B' and 'C'")
    match = replace(match_of(f"{HEAD}54S"), players=("Jean - Luc", "Bob"))
    for layout in LAYOUTS:
        assert again(match, layout).match.players == match.players


@pytest.mark.parametrize("name", ["*star*", "#1 Dad", "> Ben", '"Q"', '"Q" Ann'])
def test_names_that_begin_with_markup_are_read_back(name: str) -> None:
    match = match_of(f"{HEAD}54S-63R-31P\nBob wins 1 point")
    for players in ((name, "Ann"), ("Ann", name)):
        for layout in LAYOUTS:
            read_back = again(replace(match, players=players), layout)
            assert read_back.match.players == players


def test_the_result_of_a_player_with_a_hyphen_begins_no_match() -> None:
    text = 'Bob - "Jean - Luc", 3 points\n\n54S-63R\nJean - Luc wins 2 points\n\n31P\n'
    ((sheet, found, _),) = read_sheets(text)
    assert not found
    assert [(game.winner, game.points) for game in sheet.games] == [(1, 2), (None, 0)]


@pytest.mark.parametrize("turn", ["32*D*", "32[i]D[/i]", "44<u>D</u>", "44__D__", "22[b]E[/b]"])
def test_a_styled_letter_is_read_as_in_a_sequence(turn: str) -> None:
    """A styled D after dice is no double, and a bold letter is no line in bold."""
    row = f"54S-63R-{turn}"
    (game,) = annotate(match_of(HEAD + row)).games
    assert game.turns[-1].play == decode(row).turns[-1].play


def test_a_bold_letter_may_also_be_italic() -> None:
    """The match has `44[b][i]i[/i][/b]`."""
    match = read(SAMPLES / "match-7pt.mat")[0]
    options = Rendering(to="bbcode", layout="row", fans="^")
    sheet = read_sheet(FORMS["bbcode"].render([annotate(match)], [None], options).decode())
    assert mat(sheet.match) == mat(replace(match, headers=()))


@pytest.mark.parametrize("resigns", ["(resign 2)", "\nBob resigns a gammon"])
def test_by_jacoby_a_gammon_counts_one_until_the_cube_is_turned(resigns: str) -> None:
    """The rule: gammons and backgammons count as a single game if the cube was not offered."""
    head = "Alice - Bob, money, Jacoby\n\n"
    for row, points in (("54S-63R-31P", 1), ("54S-63R-D-T-31P", 4)):
        assert match_of(f"{head}{row} {resigns}").games[0].points == points
    assert match_of(f"Alice - Bob, money\n\n54S-63R-31P {resigns}").games[0].points == 2


def test_a_name_escaped_in_a_post_has_no_backslash() -> None:
    name = "Gibraltar\\_Mike"
    sheet = read_sheet(f"{name} - Bob, 3 points\n\n54S-63R\n\n{name} wins 1 point")
    assert sheet.match.players == ("Gibraltar_Mike", "Bob")
    assert (sheet.match.games[0].winner, sheet.faults) == (FIRST, ())


def test_a_money_session_with_beavers_has_them_in_xgids() -> None:
    """In a money game an XGID has 1 for Jacoby plus 2 for beavers, as XG documents it."""
    for rules, digit in (("Jacoby, beavers", 3), ("beavers", 2), ("Jacoby", 1)):
        match = match_of(f"Alice - Bob, money, {rules}\n\n54S")
        for copy in (match, read(mat(match).encode())[0]):
            state = annotate(copy).games[0].turns[0].state
            assert state is not None
            assert state.xgid.split(":")[7] == str(digit)


@pytest.mark.parametrize("row", ["31-point, 63-run", "-31-point, 63-run"])
def test_a_point_in_words_is_no_head(row: str) -> None:
    """`31-point` is a turn, not a match to 31 points."""
    (game,) = match_of(HEAD + row).games
    assert len(game.actions) == 2
