"""How people write (sections 1, 8 and 9): numerals, assumption and words, which all read back."""

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.habits import choose
from gnubg_nactation.sequences.notation import PLAIN, in_words
from gnubg_nactation.sequences.tokens import parse_sequence
from tests.strategies import random_match
from tests.tutorial.cases import read_cases


@pytest.mark.parametrize("characters", ["preferred", "basic", "numerals", "assumption"])
def test_games_read_back(characters: str) -> None:
    for seed in (0, 2, 3):  # in two of which what is assumed would tip an earlier token
        match = random_match(seed, max_games=1)
        for game in annotate(match, characters).games:
            played = [turn.play for turn in game.turns if turn.play]
            for style in (PLAIN, in_words(PLAIN)):
                decoded = decode(game_sequence(game, style))  # which says that it is Nackgammon
                assert [turn.play for turn in decoded.turns if turn.play] == played


@pytest.mark.parametrize(
    ("diagram", "characters", "written"),
    [
        # The author writes 7, 5 and 3 in #42, and 3, 4, 5 in #43. Numerals suit #44, where each
        # play makes the obvious 5pt.
        ("42.1", "numerals", "7"),
        ("42.2", "numerals", "5"),
        ("42.3", "numerals", "3"),
        ("43.1", "numerals", "3"),
        ("43.2", "numerals", "4"),
        ("43.3", "numerals", "5"),
        ("44.2", "numerals", "0"),
        ("44.3", "numerals", "9"),
        ("44.4", "numerals", "4"),
        # E. is the only play of #86 that a mere E can mean; of #36 an engine has to choose.
        ("86.1", "assumption", "E"),
        ("36.1", "assumption", "E."),
        # A reader needs no art for what is simple, and takes a digit for what is not.
        ("39.6", "assumption", "H"),
        ("43.2", "assumption", "4"),
    ],
)
def test_as_the_tutorial_says(diagram: str, characters: str, written: str) -> None:
    case = next(case for case in read_cases() if case.diagram == diagram)
    (naming,) = choose(case.legal_play, case.families, characters)
    assert str(naming) == written
    decoded = decode(f"{case.roll}{naming}", start=case.position)
    assert decoded.turns[0].play == case.legal_play


def test_words_are_those_of_first_members_that_are_read() -> None:
    for row in FAMILIES:
        for member in (1, 2):
            text = in_words(PLAIN).spell(Nactation(row, member))
            (token,) = parse_sequence(f"33{text}").tokens if row.key not in "=+" else (None,)
            assert token is None or Nactation(row, member) in token.names
    assert in_words(PLAIN).spell(parse_nactation("S")) == "-split"
    assert in_words(PLAIN).spell(parse_nactation("s")) == "s"
    assert in_words(PLAIN).spell(parse_nactation("Q")) == "Q"
