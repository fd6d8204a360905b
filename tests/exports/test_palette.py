"""Pictures with a palette: what is drawn keeps its colours, in a third of the bytes."""

from __future__ import annotations

import resvg_py
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.exports.board.palette import with_palette
from gnubg_nactation.exports.board.rendering import board_png, board_svg
from gnubg_nactation.exports.board.style import PALETTES
from gnubg_nactation.sequences.decode import decode
from tests.exports import pngs

CHANNEL = st.integers(0, 255)
COLOURS = st.lists(st.tuples(*[CHANNEL] * 4), min_size=1, max_size=20)


@given(st.data(), COLOURS, st.integers(1, 9), st.integers(1, 7))
def test_few_colours_stay_as_they_are(
    data: st.DataObject, colours: list[pngs.Pixel], width: int, height: int
) -> None:
    line = st.lists(st.sampled_from(colours), min_size=width, max_size=width)
    image = data.draw(st.lists(line, min_size=height, max_size=height))
    filters = data.draw(st.lists(st.integers(0, 4), min_size=height, max_size=height))
    png = pngs.write(image, filters)
    found = pngs.read(with_palette(png))
    assert (found.width, found.height, found.kind) == (width, height, 3)
    assert found.pixels == [pixel for row in image for pixel in row]


@given(st.lists(st.tuples(*[CHANNEL] * 4), min_size=60, max_size=90, unique=True))
@settings(max_examples=20)
def test_many_colours_become_their_neighbours(colours: list[pngs.Pixel]) -> None:
    found = pngs.read(with_palette(pngs.write([[*colours, *[colours[0]] * 9]], [0])))
    kept = set(found.pixels)
    assert len(kept) <= 32
    assert found.pixels[0] == colours[0]  # the commonest

    def away(one: pngs.Pixel, other: pngs.Pixel) -> int:
        return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))

    for colour, shown in zip(colours, found.pixels, strict=False):
        assert away(colour, shown) == min(away(colour, one) for one in kept)


def test_another_kind_stays_as_it_is() -> None:
    once = with_palette(pngs.write([[(1, 2, 3, 255)]], [0]))
    assert with_palette(once) == once


def test_a_board_is_a_third() -> None:
    turn = decode("54S-63R-31X").turns[-1]  # with a hit
    state, play = turn.state, turn.play
    true = resvg_py.svg_to_bytes(svg_string=board_svg(state, play, theme="light", width=800))
    assert len(board_png(state, play)) < 0.4 * len(true)


def test_a_board_looks_as_it_did() -> None:
    turn = decode("54S-63R-31X").turns[-1]
    state, play = turn.state, turn.play
    true = resvg_py.svg_to_bytes(svg_string=board_svg(state, play, theme="light", width=310))
    png = board_png(state, play, width=310)
    assert board_png(state, play, width=310) == png
    before, after = pngs.read(bytes(true)), pngs.read(png)
    for name in ("page", "frame", "field", "pale", "deep", "white", "black", "arrow", "hit"):
        colour = (*bytes.fromhex(PALETTES["light"][name][1:]), 255)
        places = [at for at, pixel in enumerate(before.pixels) if pixel == colour]
        assert places
        assert all(after.pixels[at] == colour for at in places), name
    off = [
        max(abs(a - b) for a, b in zip(one, other, strict=True))
        for one, other in zip(before.pixels, after.pixels, strict=True)
    ]
    assert sum(off) / len(off) < 1
    assert sum(one > 48 for one in off) < 0.002 * len(off)
