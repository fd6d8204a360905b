"""Animated cards, read as the specification of APNG says."""

from __future__ import annotations

import zlib
from pathlib import Path
from struct import pack, unpack

import pytest

from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports import card
from gnubg_nactation.exports.card import MAX_FRAMES, Frame, animated_png, assemble
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import SAMPLES, error_of, run

Chunk = tuple[bytes, bytes]


def chunks(png: bytes) -> list[Chunk]:
    """The chunks, with right checksums."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = [], 8
    while at < len(png):
        (length,) = unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        parts.append((kind, data))
        at += 12 + length
    return parts


def frames(png: bytes) -> list[tuple[float, bytes]]:
    """The seconds and the pixels of each frame of an APNG; its numbers count from 0."""
    first, control, *parts, end = chunks(png)
    assert (first[0], control[0], end) == (b"IHDR", b"acTL", (b"IEND", b""))
    shown: list[tuple[float, bytes]] = []
    number = 0
    for kind, data in parts:
        if kind in {b"fcTL", b"fdAT"}:
            assert unpack(">I", data[:4])[0] == number
            number += 1
        if kind == b"fcTL":
            *box, top, share, of = unpack(">IIIIHH", data[4:24])
            assert (pack(">II", *box[:2]), box[2], top) == (first[1][:8], 0, 0)
            shown.append((share / of, b""))
        else:
            seconds, pixels = shown[-1]
            shown[-1] = seconds, pixels + (data if kind == b"IDAT" else data[4:])
            assert (kind == b"IDAT") == (len(shown) == 1)
    assert unpack(">II", control[1]) == (len(shown), 0)  # repeated for ever
    return [(seconds, zlib.decompress(pixels)) for seconds, pixels in shown]


def picture(colour: int, pieces: int, size: int = 3) -> bytes:
    """A grey square, its data in several chunks."""
    data = zlib.compress(bytes([0, *[colour] * size]) * size)
    cut = [data[at::pieces] for at in range(pieces)] if pieces == 1 else [data[:5], data[5:]]
    parts = [(b"IHDR", pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)), (b"tEXt", b"a\0b")]
    parts += [(b"IDAT", piece) for piece in cut]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
        for kind, data in [*parts, (b"IEND", b"")]
    )


def test_frames_are_the_pictures() -> None:
    pictures = [picture(colour, pieces) for colour, pieces in ((10, 1), (20, 2), (30, 2))]
    shown = frames(assemble(pictures, [100, 250, 4000]))
    assert [seconds for seconds, _ in shown] == [0.1, 0.25, 4.0]
    assert [pixels[1] for _, pixels in shown] == [10, 20, 30]
    assert all(len(pixels) == 12 for _, pixels in shown)


def test_pictures_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="differ"):
        assemble([picture(1, 1), picture(1, 1, size=4)], [1, 1])


def test_a_sequence_has_a_frame_for_each_turn(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    for subject, count in (("54S-63R-31P-C-T", 6), (f"{SAMPLES / 'match-7pt.mat'}#1.2b", 3)):
        out = tmp_path / "game.png"
        assert run("card", "--animate", subject, "-o", out).status == 0
        shown = frames(out.read_bytes())
        assert len({pixels for _, pixels in shown}) == len(shown) == count
        assert [seconds for seconds, _ in shown] == [*[1.6] * (count - 1), 4]


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "png_of", lambda svg: picture(len(svg) % 256, 1))
    turn = decode("31P").turns[0]
    frame = Frame(turn.state, turn.play, [("31P", "31P")] * 200)
    assert len(frames(animated_png([frame] * (MAX_FRAMES + 5)))) == MAX_FRAMES
    monkeypatch.setattr(card, "_MAX_MOVING_BYTES", 100)
    with pytest.raises(IllegalError, match="name a shorter sequence"):
        animated_png([frame])


def test_wrong_usage() -> None:
    assert "nothing to animate" in error_of("card", "--animate", "start", "-o", "a.png")
    assert "--animate draws a PNG" in run("card", "--animate", "31P", "-o", "a.svg").err
