"""The tiers of readings one by one, and how a period behind a letter is taken."""

import pytest

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence, EngineQuestions
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.tiers import (
    TIERS,
    Tier,
    TokenInPosition,
    TokenReading,
    fans,
)
from gnubg_nactation.sequences.tokens import Token, TokenKind, parse_sequence
from tests.backgammon.boards import board
from tests.strategies import random_positions
from tests.tutorial.cases import caption_of

_STRICT, _EMPHASIS, _LOST_MARK, _LOOSE, _LOST_ITALICS, _ASSUMPTION = TIERS


def readings(tier: Tier, position: Position, text: str) -> list[TokenReading]:
    """What a tier makes of a roll with a name."""
    roll, name = Roll.parse(text[:2]), parse_nactation(text[2:])
    token = Token(TokenKind.PLAY, text, 0, roll, (name,))
    spot = TokenInPosition(
        token, GameState(position), True, Plays(position, roll), EngineQuestions(None)
    )
    return list(tier.readings(spot))


def test_the_cheapest_tier_comes_first_and_none_is_cheaper_than_it_says() -> None:
    costs = [tier.cost for tier in TIERS]
    assert costs == sorted(set(costs))
    for position, roll in random_positions(60, seed=51):
        for name in ("D", "d", "A", "E", "P{5}", "4", "T"):
            for tier in TIERS:
                for reading in readings(tier, position, f"{roll}{name}"):
                    assert reading.cost >= tier.cost


def test_the_d_of_73_is_loose() -> None:
    # To the letter it is bar/20 10/9.
    caption = caption_of("73")
    head = caption.sequence.partition("-51D")[0]
    position = decode(head).state.position
    strict, loose = (
        [format_play(reading.play) for reading in readings(tier, position, "51D") if reading.play]
        for tier in (_STRICT, _LOOSE)
    )
    assert strict == ["bar/20 10/9"]
    assert "bar/24 13/8" in loose  # as the author means it


def test_a_loose_d_enters_and_comes_down_from_the_far_outer_board() -> None:
    count = 0
    for position, roll in random_positions(400, seed=52):
        expected = [
            play
            for play in Plays(position, roll)
            if len(play.portions) == 2
            and sum(portion.source == BAR for portion in play.portions) == 1
            and any(p.source in range(13, 19) and p.target in range(7, 13) for p in play.portions)
        ]
        plays = [reading.play for reading in readings(_LOOSE, position, f"{roll}D")]
        assert set(plays) == set(expected[:6]) if len(expected) <= 6 else len(plays) == 6
        assert not readings(_LOOSE, position, f"{roll}d")
        count += len(plays)
    assert count


def test_the_doublets_that_fan_are_those_whose_point_is_taken() -> None:
    assert fans(board(p25=1, p19=-2, p22=-2, p24=-1)) == [Roll(6, 6), Roll(3, 3)]
    assert fans(board(p24=1, p19=-2)) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("55A.31P", ["A", "A."]),  # a period between digits parts tokens
        ("54S-55A.31P", ["A.", "A"]),  # unless hyphens do
        ("55A. 31P", ["A.", "A"]),
        ("55A.", ["A.", "A"]),
        ("54S.31P", ["S"]),  # no letter of another roll has a dot
    ],
)
def test_a_period_parts_tokens_or_is_a_dot(text: str, names: list[str]) -> None:
    tokens = parse_sequence(text).tokens
    (token,) = [token for token in tokens if token.text[:2] == ("55" if "55" in text else "54")]
    assert [str(name) for name in token.names] == names
    assert len(tokens) == text.count("31P") + text.count("-") + 1


def test_the_surer_reading_is_the_greater() -> None:
    order = [Confidence(word) for word in ("doubtful", "guess", "likely", "sure")]
    assert sorted(Confidence) == order
    assert max(order) > min(order) is Confidence.DOUBTFUL
    assert Confidence.LIKELY >= Confidence.LIKELY
