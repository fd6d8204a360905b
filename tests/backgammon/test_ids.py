"""GNU IDs and XGIDs: known ones from gnubg's manual and XG's help, and the way there and back."""

from __future__ import annotations

import base64
import itertools
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
from gnubg_nactation.backgammon.match import Double, Move, Take, one_game, replay
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


def test_every_match_id_comes_back_as_it_was() -> None:
    """Also with other states of the game, a resignation, and the lower die first."""
    values = (
        (4, (0, 1, 15)),  # cube
        (2, (0, 1, 3)),  # its owner
        (1, (0, 1)),  # the player who acts
        (1, (0, 1)),  # Crawford game
        (3, (1, 2)),  # state of the game
        (1, (0, 1)),  # turn
        (1, (0, 1)),  # doubled
        (2, (0, 3)),  # resignation
        (6, (0, 0b001_011, 0b011_001, 0b110_110)),  # dice
        (45, (0, 5 + (2 << 15) + (4 << 30))),  # length and scores
        (1, (0, 1)),  # without Jacoby
    )
    count = 0
    for fields in itertools.product(*[numbers for _, numbers in values]):
        bits = at = 0
        for (width, _), number in zip(values, fields, strict=True):
            bits |= number << at
            at += width
        name = base64.b64encode(bits.to_bytes(9, "little")).decode()
        state = GameState.parse(f"{START_ID}:{name}")
        assert format_match_id(state) == name
        assert format_gnubg_id(state) == f"{START_ID}:{name}"
        count += 1
    assert count >= 5_000


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


def test_every_xgid_comes_back_as_it_was() -> None:
    """All combinations of the fields, also the low die first and rules that the game has not."""
    boards = START_XG, "aB---BD-B---cC---c-d-a--AA", "--------------------------"
    cubes = itertools.product(("0", "1", "10"), ("0", "1", "-1"), ("1", "-1"))
    stakes = [f"{score}:{rule}:0" for score in ("0:0", "12:3") for rule in range(4)]
    stakes += [f"{score}:{rule}:5" for score in ("1:4", "0:2") for rule in range(4)]
    dice = "00", "31", "13", "66", "D", "B", "R"
    count = 0
    fields = itertools.product(boards, map(":".join, cubes), dice, stakes, ("3", "8", "10"))
    for xgid in map(":".join, fields):
        state = GameState.parse(f"XGID={xgid}")
        assert state.xgid == f"XGID={xgid}"
        is_usual = ":13:" not in xgid and (not state.length or int(xgid.split(":")[7]) < 2)
        assert bool(state.source) is not is_usual  # the fields have all that XG writes
        count += 1
    assert count >= 5_000


def test_the_rules_and_the_limit_of_a_state() -> None:
    """XG writes 3 for money play with Jacoby and beavers; 3 as limit is a cube of at most 8."""
    state = parse_xgid(f"{START_XG}:0:0:1:31:0:0:3:0:3")
    assert (state.jacoby, state.beavers, state.limit, state.source) == (True, True, 3, "")
    assert state != replace(state, beavers=False)
    assert replace(state, roll=Roll(6, 1)).xgid == f"XGID={START_XG}:0:0:1:61:0:0:3:0:3"
    assert not parse_xgid(f"{START_XG}:0:0:1:31:0:0:2:7:10").beavers


@pytest.mark.parametrize(
    ("fields", "may_double"),
    [
        ("0:0:1:00:0:0:0:0:1", True),  # the first double reaches the limit of 2
        ("1:1:1:00:0:0:0:0:1", False),  # the cube shows it
        ("1:1:1:61:0:0:0:0:1", False),
        ("0:0:1:00:0:0:0:0:0", False),  # no cube at all
        ("1:1:1:61:0:0:0:0:10", True),  # a roll is ignored
        ("1:-1:1:00:0:0:0:0:10", False),  # the cube of the opponent
        ("1:1:1:00:3:0:0:5:10", False),  # a win with this cube is enough
        ("1:1:1:00:2:0:0:5:10", True),
    ],
)
def test_a_player_may_double_up_to_the_limit(fields: str, may_double: bool) -> None:
    assert parse_xgid(f"{START_XG}:{fields}").may_double is may_double


def test_the_source_counts_only_as_long_as_nothing_changes() -> None:
    state = parse_xgid(f"{START_XG}:0:0:1:13:0:0:0:0:10")
    assert state == parse_xgid(f"{START_XG}:0:0:1:31:0:0:0:0:10")
    assert state.xgid == f"XGID={START_XG}:0:0:1:13:0:0:0:0:10"
    assert replace(state, length=3).xgid == f"XGID={START_XG}:0:0:1:31:0:0:0:3:10"


def test_before_a_double_a_beaver_and_a_raccoon() -> None:
    """The second player has doubled; he answers a beaver, the first player a raccoon."""
    for dice in "DBR":
        state = parse_xgid(f"{START_XG}:1:0:-1:{dice}:0:0:3:0:10")
        assert state.before_double.xgid == f"XGID={START_XG}:1:0:-1:00:0:0:3:0:10"


def test_offers_of_a_replay_are_those_of_an_xgid() -> None:
    """A double of the first player from 1, a beaver to 4, a raccoon to 8, which is taken."""
    start = parse_xgid(f"{START_XG}:0:0:1:00:0:0:3:0:10")
    first, second = Player
    actions = Double(first), Double(second), Double(first), Take(second), Move(first, Roll(3, 1))
    match = one_game(start, actions)
    states = [turn.state for turn in replay(match, match.games[0])]
    ends = [state.xgid.split(":", 1)[1] for state in states if state]
    assert ends == [
        "0:0:1:00:0:0:3:0:10",
        "0:0:1:D:0:0:3:0:10",
        "0:0:1:B:0:0:3:0:10",
        "0:0:1:R:0:0:3:0:10",
        "3:-1:1:31:0:0:3:0:10",
    ]
    for state in filter(None, states[1:4]):
        again = one_game(state, [Take(state.player)])
        *_, last = replay(again, again.games[0])
        assert last.state == state


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
