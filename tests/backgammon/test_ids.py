"""GNU IDs and XGIDs: known ones from gnubg's manual and XG's help, and the way there and back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.ids import (
    find_state,
    format_gnubg_id,
    format_match_id,
    format_position_id,
    format_xgid,
    parse_gnubg_id,
    parse_match_id,
    parse_position,
    parse_position_id,
    parse_state,
    parse_xgid,
)
from gnubg_nactation.backgammon.ids_in_text import find_ids
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError, NactationError
from tests.strategies import positions_and_rolls, rolls

START_ID = "4HPwATDgc/ABMA"
START_XG = "-b----E-C---eE---c-e----B-"
# Black has a checker on the bar and one off; White (to move) leads the race.
LOPSIDED = Position(
    (-1, 0, 2, 0, 3, 0, 4, 0, 0, -2, 0, 0, 0, 3, 0, 0, -2, 0, -3, -4, 0, 0, -2, 1, 1, 1)
)


@st.composite
def states(draw: st.DrawFn) -> GameState:
    """Moments of games, every field that an ID can hold drawn at random."""
    length = draw(st.sampled_from((0, 1, 3, 7, 25)))
    top = length - 1 if length else 99
    doubled = draw(st.booleans())
    return GameState(
        position=draw(positions_and_rolls())[0],
        player=draw(st.sampled_from(Player)),
        roll=None if doubled else draw(st.none() | rolls()),
        cube=1 << draw(st.integers(0, 10)),
        owner=draw(st.none() | st.sampled_from(Player)),
        score=(draw(st.integers(0, top)), draw(st.integers(0, top))),
        length=length,
        crawford=length > 0 and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        doubled=doubled,
    )


# --- Position ID ---------------------------------------------------------------------------


def test_the_start_in_gnubgs_manual() -> None:
    assert format_position_id(STANDARD) == START_ID
    assert parse_position_id(START_ID) == STANDARD


@given(positions_and_rolls())
def test_position_ids_go_there_and_back(pair: tuple[Position, Roll]) -> None:
    position = pair[0]
    name = format_position_id(position)
    assert len(name) == 14
    assert parse_position_id(name) == position
    assert parse_position(f"{name}:cAkAAAAAAAAA") == position


def test_position_ids_tell_the_sides_apart() -> None:
    name = format_position_id(LOPSIDED)
    assert parse_position_id(name).bar == 1
    assert parse_position_id(name).opponent_bar == 1
    assert name != format_position_id(LOPSIDED.switch_sides())


def test_the_bits_by_hand() -> None:
    # One checker each on the ace points: a one and 25 zeros for the opponent, the same for the
    # player; bits 0 and 26 are set, so the bytes are 01 00 00 04 and six zeros.
    ace = [0] * (BAR + 1)
    ace[1], ace[24] = 1, -1
    assert format_position_id(Position(tuple(ace))) == "AQAABAAAAAAAAA"


@pytest.mark.parametrize(
    "text", ["start", "Start", "standard", START_ID, f"XGID={START_XG}:0:0:1:00:0:0:0:0:10"]
)
def test_names_of_the_start(text: str) -> None:
    assert parse_position(text) == STANDARD


START_XGID = f"XGID={START_XG}:0:0:1:31:0:0:0:0:10"
# The Match ID of gnubg's manual: second player to roll in a match to 9, 2-4, cube on 2.
MATCH_ID = "QYkqASAAIAAA"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        (f"xgid={START_XGID[5:]}", START_XGID),
        (f"XGID: {START_XGID[5:]}", START_XGID),
        (f"“{START_XGID}”", START_XGID),
        (f"({START_XGID}).", START_XGID),
        (f"Position: {START_XGID}", START_XGID),
        (f"GNUID={START_ID}", START_ID),
        (f"gnubgid: {START_ID}", START_ID),
        (f"GNU BG ID={START_ID}:{MATCH_ID}", f"{START_ID}:{MATCH_ID}"),
        (f"Position ID: {START_ID}", START_ID),
        (f"'{START_ID}'", START_ID),
        (
            f"Position ID: {START_ID}\n                 Match ID   : {MATCH_ID}",
            f"{START_ID}:{MATCH_ID}",
        ),
        (f"Position ID: {START_ID}, match id={MATCH_ID}", f"{START_ID}:{MATCH_ID}"),
    ],
)
def test_names_as_programs_and_posts_write_them(name: str, plain: str) -> None:
    assert parse_state(plain) is not None
    assert parse_state(name.rstrip(".")) == parse_state(plain)
    assert parse_position(name.rstrip(".")) == STANDARD
    state, end = find_state(f"  {name} 31P-63R")
    assert state == parse_state(plain)
    assert f"  {name} 31P-63R"[end:].strip("”'). ") == "31P-63R"
    text = f"See {name} 31P, a classification."
    one, word = find_ids(text)
    assert parse_state(one.name) == state
    assert text[one.start : one.end] in name
    assert (word.name, word.is_certain) == ("classification", False)


@pytest.mark.parametrize("text", ["Position ID: foo", "GNUID=4HPw", f"{START_XGID} 31P"])
def test_what_says_that_it_is_a_name_and_is_none(text: str) -> None:
    with pytest.raises(MalformedError, match="not a"):
        parse_state(text)


@pytest.mark.parametrize("text", ["Position", "54S-63R", f"{START_ID} 31P", "", "Match ID: foo"])
def test_what_is_no_name(text: str) -> None:
    assert parse_state(text) is None


def test_name_of_nackgammon() -> None:
    assert parse_position("nackgammon") == NACKGAMMON


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",  # a character short
        "4HPwATDgc/ABMAA",  # one too many
        "4HPwATDgc-ABMA",  # not of the alphabet
        "4HPwATDgc/ABM\u00e9",
        "//////////////",  # 80 checkers
        "AQAABAAAAAAAgA",  # a bit behind the last place
    ],
)
def test_malformed_position_ids(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_position_id(text)


def test_a_point_has_one_owner() -> None:
    # The opponent on his 1pt (bit 0) and the player on his 24pt (bit 26 + 23).
    with pytest.raises(MalformedError, match="both sides"):
        parse_position_id("AQAAAAAAAgAAAA")


# --- Match ID ------------------------------------------------------------------------------


def test_the_match_id_of_gnubgs_manual() -> None:
    state = GameState(
        player=Player.SECOND,
        roll=Roll(5, 2),
        cube=2,
        owner=Player.FIRST,
        score=(2, 4),
        length=9,
    )
    # The manual's own example has the last bit clear, from before Jacoby was in the ID.
    assert parse_match_id("QYkqASAAIAAA") == state
    assert format_match_id(state) == "QYkqASAAIAAE"


def test_the_match_id_of_a_double() -> None:
    # As gnubg 1.07 shows it: the first bit of the turn stays with the doubler.
    offered = GameState(player=Player.FIRST, length=5, doubled=True)
    assert format_match_id(offered) == "cBGgAAAAAAAE"


@given(states())
def test_match_ids_go_there_and_back(state: GameState) -> None:
    name = format_match_id(state)
    assert len(name) == 12
    assert parse_match_id(name, state.position) == state


@given(states())
def test_both_ids_together_go_there_and_back(state: GameState) -> None:
    assert parse_gnubg_id(format_gnubg_id(state)) == state


@pytest.mark.parametrize(
    "text",
    [
        "QYkqASAAIAA",  # a character short
        "QYkqASAAIAA!",  # not of the alphabet
        "YAkAAAAAAAAA",  # the cube belongs to player 2 of 0 and 1
        "cIkHAAAAAAAA",  # a seven on a die
        "cIkAAAAAAAAA",  # one die thrown
    ],
)
def test_malformed_match_ids(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_match_id(text)


def test_a_score_that_a_match_id_cannot_hold() -> None:
    with pytest.raises(MalformedError, match="40000"):
        format_match_id(GameState(score=(40000, 0)))


# --- XGID ----------------------------------------------------------------------------------


def test_the_start_as_xg_writes_it() -> None:
    assert format_xgid(GameState()) == f"XGID={START_XG}:0:0:1:00:0:0:0:0:10"
    assert parse_xgid(f"{START_XG}:0:0:1:00:0:0:0:0:10") == GameState()


def test_the_board_is_numbered_from_the_bottom_whoever_moves() -> None:
    board = "-" * 6 + "E" + "-" * 18 + "-"  # five checkers of the bottom player on his 6pt
    bottom = parse_xgid(f"XGID={board}:0:0:1:00:0:0:0:7:10")
    top = parse_xgid(f"XGID={board}:0:0:-1:00:0:0:0:7:10")
    assert bottom.position.points[6] == 5
    assert bottom.player is Player.FIRST
    assert top.position.points[19] == -5
    assert top.player is Player.SECOND


def test_the_fields_of_an_xgid() -> None:
    state = parse_xgid(f"XGID={START_XG}:2:-1:1:52:3:4:1:7:10")
    assert state.cube == 4
    assert state.owner is Player.SECOND
    assert state.player is Player.FIRST
    assert state.roll == Roll(5, 2)
    assert state.score == (3, 4)
    assert state.crawford
    assert state.length == 7
    assert not state.doubled


def test_of_a_double_the_xgid_names_the_doubler() -> None:
    state = parse_xgid(f"XGID={START_XG}:0:0:1:D:0:0:0:7:10")
    assert state.doubled
    assert state.player is Player.SECOND  # who is to answer
    assert format_xgid(state) == f"XGID={START_XG}:0:0:1:D:0:0:0:7:10"


def test_of_a_beaver_and_a_raccoon_the_xgid_names_who_doubled_first() -> None:
    """A beaver of a cube on 1 is one on 2 that is offered on 4; the raccoon turns it once more."""
    beaver = parse_xgid(f"XGID={START_XG}:0:0:1:B:0:0:2:0:10")
    assert (beaver.doubled, beaver.player, beaver.cube) == (True, Player.FIRST, 2)
    raccoon = parse_xgid(f"XGID={START_XG}:0:0:1:R:0:0:2:0:10")
    assert (raccoon.doubled, raccoon.player, raccoon.cube) == (True, Player.SECOND, 4)


@pytest.mark.parametrize(("rule", "jacoby"), [("0", False), ("1", True), ("2", False), ("3", True)])
def test_rules_of_money_play(rule: str, jacoby: bool) -> None:
    state = parse_xgid(f"XGID={START_XG}:0:0:1:00:0:0:{rule}:0:10")  # 2 is for beavers
    assert state.jacoby is jacoby
    assert not state.crawford


@given(states())
def test_xgids_go_there_and_back(state: GameState) -> None:
    assert parse_xgid(format_xgid(state)) == state


@given(states())
def test_the_xgid_board_does_not_turn_with_the_player(state: GameState) -> None:
    other = replace(
        state, player=state.player.other, position=state.position.switch_sides(), doubled=False
    )
    assert format_xgid(state)[:31] == format_xgid(other)[:31]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        f"XGID={START_XG}",
        f"XGID={START_XG}:0:0:1:70:0:0:0:7:10",
        f"XGID={START_XG}:0:0:0:52:0:0:0:7:10",
        f"XGID={START_XG}:0:2:1:52:0:0:0:7:10",
        f"XGID={START_XG[1:]}:0:0:1:52:0:0:0:7:10",
        f"XGID=P{START_XG[1:]}:0:0:1:52:0:0:0:7:10",
        f"XGID={START_XG}:0:0:1:52:{'9' * 5000}:0:0:7:10",  # more digits than int() takes
        f"XGID={START_XG}:0:0:1:\u0665\u0662:0:0:0:7:10",  # digits, but not of ASCII
    ],
)
def test_malformed_xgids(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_xgid(text)


@given(st.text(max_size=40) | st.from_regex(r"(XGID=)?[-A-Pa-p]{26}(:-?\w{1,2}){8,9}"))
def test_only_our_errors_escape(text: str) -> None:
    ids = (parse_position, parse_position_id, parse_match_id, parse_gnubg_id, parse_xgid)
    for parse in (*ids, parse_state):
        with suppress(NactationError):
            parse(text)


@given(st.text("ABCQgwxyz/+0189", min_size=12, max_size=14))
def test_whatever_can_be_read_is_a_board(text: str) -> None:
    try:
        position = parse_position_id(text)
    except NactationError:
        return
    assert parse_position_id(format_position_id(position)) == position


def test_a_sequence_is_not_taken_for_the_name_of_a_position() -> None:
    assert parse_state("start") == GameState(STANDARD)
    assert parse_state("54S:63R-31P-21S1") is None  # twelve characters behind the colon
    assert parse_state("54S:63R:31P:61P:54S:63R:31P:61P:54S") is None
    with pytest.raises(MalformedError, match="XGID"):
        parse_state("XGID=nonsense")
