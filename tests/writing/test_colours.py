"""Colours and their numbers."""

import pytest

from gnubg_nactation.writing.colours import MOST_COLOURS, colour_number, colour_text

NUMBERS = [*range(1, 5000), *range(5000, MOST_COLOURS, 997), MOST_COLOURS]


def test_every_number_has_its_own_colour() -> None:
    texts = [colour_text(number) for number in NUMBERS]
    assert [colour_number(text) for text in texts] == NUMBERS
    assert len(set(texts)) == len(NUMBERS)


def test_there_are_colours_for_all_members_that_can_be_spelled() -> None:
    assert MOST_COLOURS >= 999_999 // 4


@pytest.mark.parametrize("number", [0, -1, MOST_COLOURS + 1])
def test_no_such_colour(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        colour_text(number)


def test_all_ways_to_write_a_colour() -> None:
    for text in ("red", " RED ", "#ff0000", "FF0000", "#f00", "#FF0000ff", "rgb(255, 0, 0)"):
        assert colour_number(text) == 1, text
    assert colour_number("rgba(0,0,255,.5)") == colour_number("rgb(0 0 255 / 50%)") == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "black",
        "#000",
        "#212529",
        "gray",
        "DarkGrey",
        "#fff",
        "inherit",
        "var(--text)",
        "12",
        "-",
    ],
)
def test_what_ordinary_text_is_coloured_with_is_no_colour(text: str) -> None:
    assert colour_number(text) == 0


def test_an_unknown_colour_is_another_colour() -> None:
    assert colour_number("papayawhip") == colour_number("#22ee99") == 1
