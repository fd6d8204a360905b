"""PNG images with a palette, a third of the size: what is drawn has few colours."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate
from struct import pack, unpack

__all__ = ["with_palette"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA = (8, 6, 0, 0, 0)  # the kind that is read: eight bits each, not interlaced
_INDEXED = (8, 3, 0, 0, 0)
_STEP = 4  # bytes of a pixel
_EXACT = 16  # colours, the commonest: more than one drawing has
_MOST = 32

Colour = bytes  # red, green, blue and opacity


def with_palette(png: bytes) -> bytes:
    """The image with few colours; as it is where it is of another kind than we draw.

    What is drawn keeps its colours exactly. Those of the edges of letters and checkers become the
    nearest of some of them: more would not be seen, but double the size. The same image gives
    the same bytes.
    """
    chunks: dict[bytes, bytes] = {}
    for name, data in _chunks(png):
        chunks[name] = chunks.get(name, b"") + data
    width, height, *kind = unpack(">IIBBBBB", chunks[b"IHDR"])
    if tuple(kind) != _RGBA:
        return png
    pixels = _unfiltered(zlib.decompress(chunks[b"IDAT"]), width * _STEP)
    colours = [pixels[at : at + _STEP] for at in range(0, len(pixels), _STEP)]
    palette, places = _palette(colours)
    shown = bytes(map(places.__getitem__, colours))
    lines = b"".join(b"\0" + shown[at : at + width] for at in range(0, width * height, width))
    return _SIGNATURE + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", pack(">IIBBBBB", width, height, *_INDEXED)),
            (b"PLTE", b"".join(colour[:3] for colour in palette)),
            (b"tRNS", bytes(colour[3] for colour in palette)),
            (b"IDAT", zlib.compress(lines, 9)),
            (b"IEND", b""),
        )
    )


def _palette(colours: Iterable[Colour]) -> tuple[list[Colour], dict[Colour, int]]:
    """The colours to keep, and the place among them of each that there is.

    Behind the commonest come one by one those that would be furthest off, by how many they are.
    """
    counts = Counter(colours)
    order = sorted(counts, key=lambda colour: (-counts[colour], colour))
    kept = order[:1]
    # How far off the nearest is, and which it is.
    nearest = {colour: (_distance(colour, order[0]), 0) for colour in order}
    while len(kept) < min(_MOST, len(order)):
        if len(kept) < _EXACT:
            new = order[len(kept)]
        else:
            new = max(order, key=lambda colour: counts[colour] * nearest[colour][0])
        for colour, known in nearest.items():
            nearest[colour] = min(known, (_distance(colour, new), len(kept)))
        kept.append(new)
    return kept, {colour: place for colour, (_, place) in nearest.items()}


def _distance(one: Colour, other: Colour) -> int:
    (r, g, b, a), (red, green, blue, opacity) = one, other
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2 + (a - opacity) ** 2


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(png):
        (length,) = unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))


def _unfiltered(data: bytes, width: int) -> bytes:
    """The lines of an image of so many bytes each, without what PNG does to them to be smaller."""
    lines: list[bytes] = []
    above = bytes(width)
    for at in range(0, len(data), width + 1):
        above = _UNFILTER[data[at]](data[at + 1 : at + 1 + width], above)
        lines.append(above)
    return b"".join(lines)


def _as_it_is(line: bytes, _: bytes) -> bytes:
    return line


def _left(line: bytes, _: bytes) -> bytes:
    summed = bytearray(line)
    for channel in range(_STEP):
        summed[channel::_STEP] = bytes(one & 255 for one in accumulate(line[channel::_STEP]))
    return bytes(summed)


def _up(line: bytes, above: bytes) -> bytes:
    return bytes([(one + other) & 255 for one, other in zip(line, above, strict=True)])


def _average(line: bytes, above: bytes) -> bytes:
    found = bytearray(_STEP)  # what is left of the line
    for one, up in zip(line, above, strict=True):
        found.append((one + (found[-_STEP] + up) // 2) & 255)
    return bytes(found[_STEP:])


def _paeth(line: bytes, above: bytes) -> bytes:
    found = bytearray(_STEP)
    for one, up, corner in zip(line, above, bytes(_STEP) + above, strict=False):
        left = found[-_STEP]
        to_left, to_up = abs(up - corner), abs(left - corner)
        to_corner = abs(left + up - 2 * corner)
        if to_left <= to_up and to_left <= to_corner:
            guess = left
        else:
            guess = up if to_up <= to_corner else corner
        found.append((one + guess) & 255)
    return bytes(found[_STEP:])


_UNFILTER = (_as_it_is, _left, _up, _average, _paeth)
