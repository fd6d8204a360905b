"""PNG as its specification has it: enough to read and to write images of eight bits."""

from __future__ import annotations

import zlib
from struct import pack, unpack
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Pixel = tuple[int, ...]


class Image(NamedTuple):
    width: int
    height: int
    kind: int  # 6: red, green, blue and opacity; 3: a place in the palette
    pixels: list[Pixel]


def predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda one: abs(guess - one))
    return (0, left, up, (left + up) // 2)[kind]


def write(image: list[list[Pixel]], filters: list[int]) -> bytes:
    """An image of four channels, each line with the filter that is named for it."""
    data = b""
    above = [0] * (4 * len(image[0]))
    for line, kind in zip(image, filters, strict=True):
        now = [value for pixel in line for value in pixel]
        data += bytes([kind])
        for at, value in enumerate(now):
            left, corner = (now[at - 4], above[at - 4]) if at >= 4 else (0, 0)
            data += bytes([(value - predicted(kind, left, above[at], corner)) % 256])
        above = now
    head = pack(">IIBBBBB", len(image[0]), len(image), 8, 6, 0, 0, 0)
    half = len(zlib.compress(data)) // 2
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(data)[:half])]
    chunks += [(b"IDAT", zlib.compress(data)[half:]), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        pack(">I", len(body)) + name + body + pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


def read(png: bytes) -> Image:
    """The pixels of an image; AssertionError for one against the rules."""
    assert png.startswith(SIGNATURE)
    chunks: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = unpack(">I", png[at : at + 4])
        name, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert png[at + 8 + length : at + 12 + length] == pack(">I", zlib.crc32(name + body))
        chunks[name] = chunks.get(name, b"") + body
        at += 12 + length
    width, height, bits, kind, *others = unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (bits, others) == (8, [0, 0, 0])
    step = {6: 4, 3: 1}[kind]
    data, above, values = zlib.decompress(chunks[b"IDAT"]), [0] * (width * step), []
    assert len(data) == height * (width * step + 1)
    for row in range(height):
        start = row * (width * step + 1)
        now: list[int] = []
        for place, value in enumerate(data[start + 1 : start + 1 + width * step]):
            left, corner = (now[place - step], above[place - step]) if place >= step else (0, 0)
            now.append((value + predicted(data[start], left, above[place], corner)) % 256)
        above = now
        values += now
    if kind == 6:
        pixels = [tuple(values[at : at + 4]) for at in range(0, len(values), 4)]
    else:
        palette, opacity = chunks[b"PLTE"], chunks[b"tRNS"]
        colours = [(*palette[3 * at : 3 * at + 3], opacity[at]) for at in range(len(opacity))]
        pixels = [colours[value] for value in values]
    return Image(width, height, kind, pixels)
