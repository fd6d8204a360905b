"""Any input as match text: it is read in time and written back, or refused."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.match import Match, replay
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files import mat
from tests.files.mat_texts import LONG, expressible, one_game, read_one

PIECES = (
    *LONG.splitlines(keepends=True),
    "  1) 31: 8/5 6/5     ",
    " 24) ",
    "62: ",
    "Illegal play (5;0;1;0;1;Ben;Ann;0;0;0;1;0;" + "0;" * 23 + "2;0;0;4;3;)",
    "Illegal play (",
    "; Set Pos=-b----E-C---eE---c-e---AA-/2\n",
    "; Set Pos=-b----E-C---eE---c-e---AA-\n",
    " Doubles => 2   Beavers => 4\n",
    " Doubles => 16",
    "Takes",
    "Drops   ",
    "????",
    "00: ????",
    "Losses 2 point     ",
    "Wins 99999999999999999999 points",
    "                                ",
    " Game 7\n Ann : 5                Ben : 4\n",
    "\n 0 point match\n",
    '; [Variation "NackGammon"]\n',
    "\x85 \u2028\u00a0\t\x0b\r",
    "\u0663) \u0666\u0661: \u0668/\u0665\n",
    "*(2)*/",
    ")",
)


def read_or_none(data: bytes) -> tuple[Match, ...] | None:
    try:
        return mat.read(data)
    except MalformedError:
        return None


def check(matches: tuple[Match, ...]) -> None:
    """Check that every match can be replayed and written, and reads back.

    Names that gnubg cannot read are changed.
    """
    for match in matches:
        for game in match.games:
            assert len(list(replay(match, game))) == len(game.actions)
        (again,) = mat.read(mat.write(match).encode())
        assert expressible(again) == expressible(replace(match, players=again.players))
        for name, name_again in zip(match.players, again.players, strict=True):
            assert name == name_again or not re.fullmatch(r"\w[\w ]*", name)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    matches = read_or_none(data)
    assert matches is None or matches


@given(st.sampled_from(["utf-8", "ascii", "utf-16", "cp1252", "latin-1", "x"]), st.binary())
def test_any_bytes_in_a_named_encoding_are_read_or_refused(encoding: str, data: bytes) -> None:
    matches = None
    try:
        matches = mat.read(data + LONG.encode(), encoding)
    except NactationError as error:
        assert "\n" not in str(error)  # noqa: PT017
    assert matches is None or matches[0].players


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.integers(0, 9))
@example(  # a play after a raccoon was dropped
    [
        "  3) 63: 24/15                   Doubles => 2\n",
        " Doubles => 2   Beavers => 4\n",
        "Drops   ",
        "  1) 43: 13/10 24/20             Concedes\n",
    ],
    0,
)
@example(  # and after a resignation, which match text cannot express: it was taken
    [
        " Doubles => 2   Beavers => 4\n",
        "????",
        " Doubles => 2   Beavers => 4\n",
        "62: ",
    ],
    0,
)
def test_texts_put_together_at_random(pieces: list[str], length: int) -> None:
    matches = mat.read(one_game("".join(pieces), length=length).encode())
    check(matches)


@given(st.data())
def test_mutated_texts_are_read_and_written(data: st.DataObject) -> None:
    text = LONG
    for _ in range(data.draw(st.integers(1, 6))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 40)))
        insertion = data.draw(
            st.sampled_from(["", " ", "\n", ":", ")", "*", text[begin:end] * 2, "9"])
        )
        text = text[:begin] + insertion + text[end:]
    matches = read_or_none(text.encode())
    assume(matches)
    check(matches or ())


HOSTILE = {
    "blanks": " " * 300_000 + "x",
    "digits": "9" * 300_000,
    "row numbers": " 1)" * 50_000,
    "colons": ": 1 " * 50_000,
    "open boards": "  1) 31: " + "Illegal play (" * 20_000,
    "dice": "  1) " + "31: " * 50_000,
    "wins": "  1) " + "Wins " * 50_000,
    "doubles": "  1) Doubles => 2\n" * 20_000,
    "games": " Game 1\n Ann : 4   Ben : 0\n" * 5_000,
    "length lines": "5 point match\n" * 5_000,
    "comments": ";\n" * 50_000,
    "tag": '; ["' + '" ' * 100_000,
    "boards": "; Set Pos=-b----E-C---eE---c-e---AA-/2\n" * 5_000,
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("place", ["row", "players", "header"])
def test_long_texts_are_read_in_time(name: str, place: str) -> None:
    hostile = HOSTILE[name]
    text = {
        "row": one_game(f"{hostile}\n"),
        "players": one_game("", players=f"{hostile}\n"),
        "header": one_game("", head=f"{hostile}\n"),
    }[place]
    # Anything quadratic would run into the time limit of the tests.
    matches = read_or_none(text.encode())
    assert matches is None or len(matches) == 1


def test_writing_twice_changes_nothing() -> None:
    once = mat.write(read_one(LONG))
    assert mat.write(read_one(once)) == once
