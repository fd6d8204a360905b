"""A sequence as an animated picture (APNG): a frame for each turn, with its arrows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from struct import pack

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board.card import FONT
from gnubg_nactation.exports.board.layout import HEIGHT, WIDTH
from gnubg_nactation.exports.board.rendering import Names, board_svg, png_of, width_of
from gnubg_nactation.exports.board.style import PALETTES, Theme
from gnubg_nactation.values import NamedTuple

MAX_FRAMES = 60  # the last turns of a longer sequence
_MAX_BYTES = 8_000_000  # chats refuse larger pictures
_MILLISECONDS, _LAST_MILLISECONDS = 1600, 4000  # how long a frame stays
_FOOT = 56  # below the board, for the tokens
_SIZE, _LETTER = 30, 0.62  # of the tokens; the width of a wide letter, as part of the size
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Frame(NamedTuple):
    """A board with the play made, and the tokens up to it, plain and in `spell_svg`."""

    state: GameState
    play: Play | None
    tokens: Sequence[tuple[str, str]]


def animated_png(
    frames: Sequence[Frame], *, players: Names | None = None, theme: Theme = "light"
) -> bytes:
    """The last `MAX_FRAMES` frames, shown one after the other for ever, from the first player.

    Raises NactationError without the extra `png`, and IllegalError if the picture is too large.
    """
    pictures = [png_of(_frame_svg(frame, players, theme)) for frame in frames[-MAX_FRAMES:]]
    data = assemble(pictures, [*[_MILLISECONDS] * (len(pictures) - 1), _LAST_MILLISECONDS])
    if len(data) > _MAX_BYTES:
        size = f"{len(data) / 1e6:.0f} MB, more than {_MAX_BYTES / 1e6:.0f}"
        raise IllegalError(f"the animation would have {size}: name a shorter sequence")
    return data


def assemble(pictures: Sequence[bytes], milliseconds: Sequence[int]) -> bytes:
    """PNG pictures of one size and kind as an APNG; `milliseconds` are those of each picture."""
    chunks = [list(_chunks_of(picture)) for picture in pictures]
    heads = {data for picture in chunks for kind, data in picture if kind == b"IHDR"}
    if len(heads) != 1:
        raise ValueError("the pictures differ in size or kind")
    (head,) = heads
    parts = [_chunk(b"IHDR", head), _chunk(b"acTL", pack(">II", len(pictures), 0))]
    number = 0
    for at, (picture, time) in enumerate(zip(chunks, milliseconds, strict=True)):
        # A whole frame: its size, no offset, its time in thousandths of a second.
        control = pack(">I", number) + head[:8] + pack(">IIHHBB", 0, 0, time, 1000, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        number += 1
        for data in (data for kind, data in picture if kind == b"IDAT"):
            if at:
                parts.append(_chunk(b"fdAT", pack(">I", number) + data))
                number += 1
            else:
                parts.append(_chunk(b"IDAT", data))
    return _SIGNATURE + b"".join(parts) + _chunk(b"IEND", b"")


def _chunks_of(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG: kind and data."""
    at = len(_SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length  # with the length, the kind and the checksum


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def _frame_svg(frame: Frame, players: Names | None, theme: Theme) -> str:
    palette = PALETTES["dark" if theme == "dark" else "light"]
    board = board_svg(frame.state, frame.play, theme=theme, view=Player.FIRST, players=players)
    at = f'<svg x="0" y="0" width="{WIDTH}" height="{HEIGHT}" '
    size = f'width="{WIDTH}" height="{HEIGHT + _FOOT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f'<rect {size} fill="{palette["page"]}" />{board.replace("<svg ", at, 1)}'
        f'<text x="22" y="{HEIGHT + 32}" font-family=\'{FONT}\' font-size="{_SIZE}" '
        f'fill="{palette["text"]}">{_last_tokens(frame.tokens)}</text></svg>'
    )


def _last_tokens(tokens: Sequence[tuple[str, str]]) -> str:
    """As many of the last tokens as fit into the line, as SVG."""
    room = (WIDTH - 44) / (_SIZE * _LETTER)
    shown: list[str] = []
    for plain, svg in reversed(tokens):
        room -= width_of(f"{plain}-")
        if room < 0:
            return "-".join(["\u2026", *shown])
        shown.insert(0, svg)
    return "-".join(shown)
