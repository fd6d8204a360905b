"""Patterns of sequences: what they say, and which turns of a game they find."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.sequences.pattern import Step, ends, parse_pattern

_GAME = "54S 63R 31P 66A C T 61S 43^ 31p 66^ 31P{3} C P"


def match_ends(pattern: str, game: str = _GAME) -> list[int]:
    """The places of the turns that a pattern finds, from 0."""
    return list(ends(parse_pattern(pattern), game.split()))


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        # One turn is found wherever it is, with the very character that is asked for.
        ("31P", [2]),
        ("31p", [8]),
        ("13P", [2]),
        ("31P{3}", [10]),
        ("31<i>P</i>", [10]),
        ("31-point", [2]),
        ("66^", [9]),
        ("F", [7, 9]),
        ("C", [4, 11]),
        # A sequence begins with the game.
        ("54S", [0]),
        ("54S-63R", [1]),
        ("-54S63R", [1]),
        ("54S, 63R!?", [1]),
        ("63R-31P", []),
        ("54S-*", [0]),
        ("54S-xx-31P", [2]),
        ("54S-xxx-31", [2]),
        ("31P-*", []),
        ("54S-31P", []),
        # Any turns, and one.
        ("*-63R-31P", [2]),
        ("* 63R 31P", [2]),
        ("54S-*-31P", [2]),
        ("54S-*-31?", [2, 8, 10]),
        ("54S-?-31P", [2]),
        ("54S-?-?-31P", []),
        ("*-C-P", [12]),
        ("*-*-C-*-P", [12]),
        # Dice, characters and members.
        ("31", [2, 8, 10]),
        ("31?", [2, 8, 10]),
        ("3?P", [2]),
        ("?3R", [1]),
        ("6?", [1, 3, 6, 9]),
        ("6??", [1, 3, 6, 9]),
        ("6?S", [6]),
        ("??S", [0, 6]),
        ("31P{?}", [2, 8, 10]),
        ("??p{?}", [2, 8, 10]),
        # An answer.
        ("31P after 63R", [2]),
        ("31P after 6?R after 54S", [2]),
        ("31P AFTER 54S", []),
        ("31P after 54S-*", [2]),
        # A take goes without saying, and can be said.
        ("*-C-61S", [6]),
        ("*-C-T-61S", [6]),
        ("*-C-T", [5]),
        ("*-66A-C-T-61S-F", [7]),
    ],
)
def test_what_is_found(pattern: str, places: list[int]) -> None:
    assert match_ends(pattern) == places


def test_where_the_characters_differ_it_is_asked_whether_the_play_is_named() -> None:
    """24/23 13/9 is no S to the letter, but no play of 41 is: it is called S (section 12)."""
    tokens = ["41S", "63R", "41S", "41?", "41^"]
    calls = []

    def is_named(at: int, step: Step) -> bool:
        calls.append((at, *step.names, *step.families))
        return at < 2

    assert list(ends(parse_pattern("41Z-63R"), tokens, is_named)) == [1]
    assert list(ends(parse_pattern("41Z{?}-63R"), tokens, is_named)) == [1]
    assert list(ends(parse_pattern("*-63R-41Z"), tokens, is_named)) == []
    assert calls == [(0, "Z"), (0, "Z"), (2, "Z")]
    # Another member of the same family is another play; but O. may be meant by what stands there.
    assert list(ends(parse_pattern("41s-63R"), tokens, is_named)) == []
    assert len(calls) == 3
    assert list(ends(parse_pattern("22O.31P"), ["22o", "31P"], is_named)) == [1]
    assert list(ends(parse_pattern("22O-31P"), ["22o", "31P"], is_named)) == []


def test_a_beaver_goes_without_saying() -> None:
    tokens = ["51S", "C", "", "T", "63S"]
    assert list(ends(parse_pattern("51S-C-63S"), tokens)) == [4]
    assert list(ends(parse_pattern("51S-C-T"), tokens)) == [3]


def test_nackgammon_is_told_by_its_sign() -> None:
    assert parse_pattern("N 43Z-31P").nackgammon
    assert not parse_pattern("43Z-31P").nackgammon


@pytest.mark.parametrize(
    ("pattern", "place", "said"),
    [
        ("", 0, "the pattern has no turn"),
        ("*-*", 0, "the pattern has no turn"),
        ("*-63R-37P", 6, "37"),
        ("31P after 6?X9", 13, "found '9'"),
        ("31P{9}9", 6, "found '9'"),
        ("66a{9}", 2, "member 9"),
        ("*-hello", 2, "found 'hello'"),
        ("31 after 31P after zz", 19, "found 'zz'"),
    ],
)
def test_what_cannot_be_read(pattern: str, place: int, said: str) -> None:
    with pytest.raises(MalformedError, match=said) as caught:
        parse_pattern(pattern)
    assert caught.value.at == place
    assert not pattern.strip("*-") or caught.value.text == pattern


def naive(parts: list[str], tokens: list[str]) -> bool:
    """Whether the parts are all of the tokens, from the first to the last."""
    if not parts:
        return not tokens
    if parts[0] == "*":
        return any(naive(parts[1:], tokens[at:]) for at in range(len(tokens) + 1))
    same = tokens and (
        parts[0] == "?" or all(a in {"?", b} for a, b in zip(parts[0], tokens[0], strict=False))
    )
    return bool(same) and naive(parts[1:], tokens[1:])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(("*", "?", "31P", "31?", "31", "63R", "6?R", "??P")), max_size=4),
    st.sampled_from(("31P", "63R", "31?")),
    st.lists(st.sampled_from(("31P", "31S", "63R", "65R", "65P")), max_size=7),
)
def test_the_same_is_found_by_trying_everything(
    parts: list[str], last: str, tokens: list[str]
) -> None:
    parts = ["*", *parts, last]
    expected = [at for at in range(len(tokens)) if naive(parts, tokens[: at + 1])]
    assert match_ends("-".join(parts), " ".join(tokens)) == expected
