"""Inputs from seeds: parts are removed, doubled, moved or inserted, and bytes changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

_PIECE = re.compile(rb"[A-Za-z]+|[0-9]+|\s+|.", re.DOTALL)
_MAX_BYTES = 4000
# Texts that often break readers.
_NASTY = (
    *(b"0", b"-1", b"25", b"99999999999999999999", b"1e999", b"NaN", b"2147483648", b"1" * 400),
    *(b"\0", b"\r", b"\n", b"\x1b[31m", b"\xff", b"\xef\xbb\xbf", "\u202e".encode()),
    *("\u0663\u0332".encode(), "\u2028".encode(), b"\\", b"]", b"[", b"(;", b")", b"[]", b"null"),
    *(b"[" * 300, b"(;" * 300, b"++++++++++++++++++++++++++++++", b"~", b"_", b"{3}", b"{99999}"),
)


def inputs(seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Endless inputs, the same for the same seeds and number."""
    chance = random.Random(seed)
    pieces = sorted({piece for chunk in seeds for piece in _PIECE.findall(chunk)}) + list(_NASTY)
    while True:
        data = chance.choice(seeds)
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 9))):
            data = chance.choice(_CHANGES)(chance, data, chance.choice((*seeds, *pieces)))
        yield data[:_MAX_BYTES]


def _cut(chance: random.Random, data: bytes) -> tuple[bytes, bytes, bytes]:
    """The data in three parts, with a middle that is often short."""
    start = chance.randint(0, len(data))
    end = min(start + chance.choice((1, 2, 5, 20, 100, 1000)), len(data))
    return data[:start], data[start:end], data[end:]


def _leave_out(chance: random.Random, data: bytes, _: bytes) -> bytes:
    earlier, _, after = _cut(chance, data)
    return earlier + after


def _double(chance: random.Random, data: bytes, _: bytes) -> bytes:
    earlier, part, after = _cut(chance, data)
    return earlier + part * chance.choice((2, 2, 2, 3, 50)) + after


def _put_in(chance: random.Random, data: bytes, piece: bytes) -> bytes:
    earlier, part, after = _cut(chance, data)
    insertion = _cut(chance, piece)[1] if len(piece) > 40 else piece
    return earlier + insertion + (part if chance.random() < 0.5 else b"") + after


def _move(chance: random.Random, data: bytes, _: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        earlier, part, after = _cut(chance, data)
        return after + part + earlier
    lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))
    return b"".join(lines)


def _change_byte(chance: random.Random, data: bytes, _: bytes) -> bytes:
    earlier, part, after = _cut(chance, data)
    return earlier + bytes([chance.randrange(256)]) + part[1:] + after


def _change_digit(chance: random.Random, data: bytes, _: bytes) -> bytes:
    places = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return data
    at = chance.choice(places)
    return data[:at] + bytes([48 + chance.randrange(10)]) + data[at + 1 :]


_CHANGES: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    *(_leave_out, _double, _put_in, _put_in, _move, _change_byte, _change_digit, _change_digit),
)
