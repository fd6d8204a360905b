"""What is typed, read token by token: each prefix as `decode` reads it at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.sequences import tiers
from gnubg_nactation.sequences.decode import Decoded, decode
from gnubg_nactation.sequences.incremental import read, read_progress
from tests.tutorial.cases import read_captions

ODD = [
    *("54S-C-T-63R", "54S-C-P-63R", "63-R-31-P", "54S-31-P", "41-n-31-P", "31P.42P", "-61P-63R-"),
    *("43Z-33a", "21S-64P-11N", "11-22-33-44-55", "51S-6Q", "N 41Q-21K-33x"),
]
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:3:5:0:7:10"


def outcome(reader: Callable[..., Decoded], text: str, start: GameState | None) -> object:
    try:
        return reader(text, start=start)
    except IllegalError as error:
        return error.reason, error.at
    except MalformedError as error:
        return str(error)


@pytest.mark.thorough
def test_each_prefix_is_read_as_a_whole() -> None:
    """The tutorial's captions, key by key."""
    captions = [caption.sequence for caption in read_captions() if caption.start == "standard"][::5]
    texts = {text[:end] for text in (*captions, *ODD) for end in range(1, len(text) + 1)}
    assert len(texts) > 100
    for text in sorted(texts):
        assert outcome(read, text, None) == outcome(decode, text, None), text


def test_a_sequence_may_follow_a_position() -> None:
    for text in ("61P-63R-C-T-31", "-61P-63R-C-P", "61P-63Q"):
        for end in range(1, len(text) + 1):
            part, start = text[:end], parse_state(XGID)
            assert outcome(read, part, start) == outcome(decode, part, start), part


DOUBTFUL = "61p-32s-41u-41@-43e-32$-51d-61p-61t-64p-62j"


@pytest.mark.parametrize("die", "26")
def test_the_first_die_changes_no_doubtful_reading(die: str) -> None:
    """No checker can enter: `decode` would try all other readings of the letters before it."""
    before, progress = read_progress(DOUBTFUL), read_progress(f"{DOUBTFUL}-{die} ")
    assert progress.decoded == before.decoded == decode(DOUBTFUL)
    assert not decode(DOUBTFUL).is_strict
    assert (progress.is_unfinished, progress.at) == (True, len(DOUBTFUL) + 1)


def test_a_die_that_enters_is_read_after_a_doubt() -> None:
    on_the_bar = "XGID=bBBBBB-------E-----eec----:0:0:1:00:0:0:0:0:10"
    progress = read_progress(f"{on_the_bar} 43o-6")
    assert progress.decoded == decode("43o-6", start=on_the_bar)
    assert [turn.how.value for turn in progress.decoded.turns] == ["assumed", "enter"]


def test_readings_of_earlier_keys_are_kept() -> None:
    """A key asks again only about what is new."""
    read_progress(f"{DOUBTFUL}-22n_")
    misses = tiers._without_engine.cache_info().misses
    read_progress(f"{DOUBTFUL}-22n_-")
    assert tiers._without_engine.cache_info().misses == misses
    read_progress(f"{DOUBTFUL}-22n_-62")
    assert 0 < tiers._without_engine.cache_info().misses - misses < 20


def test_a_wrong_token_leaves_those_before_it() -> None:
    progress = read_progress("54S-63Q-31P")
    assert progress.decoded == decode("54S")
    assert (progress.at, type(progress.error)) == (4, IllegalError)


@pytest.mark.parametrize(
    ("text", "position", "player"),
    [
        ("31Q", STANDARD, Player.FIRST),
        ("-31Q", STANDARD, Player.SECOND),
        ("N 41P", NACKGAMMON, Player.FIRST),
        ("54S-C-31Q", decode("54S").state.position, Player.SECOND),  # to roll takes
    ],
)
def test_where_a_wrong_roll_is_played(text: str, position: object, player: Player) -> None:
    decoded = read_progress(text).decoded
    assert decoded
    state = decoded.to_roll
    assert (state.position, state.player) == (position, player)
