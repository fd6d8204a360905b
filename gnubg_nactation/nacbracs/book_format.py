"""Books that a program writes: a header, and a section of nacbracs for each position.

    # Nactation book
    # source: gnubg 2-ply
    # date: 2026-11-23

    # sGfwATDgc/ABMA 31P
    31P-21 [-105 S X12] d[-98 X S3]

The header has a property in each line. A section begins with the Position ID from the side of the
player on roll and ends with an empty line. All of this is a comment for other readers of books.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import Nacbrac

TITLE = "# Nactation book"
_GZIP = b"\x1f\x8b"
_WITH_GZIP_HEAD, _MAX_BYTES = 16, 2**26
_LINE = re.compile(r"(?:\S*-)?([1-6]{2}) (.*)")
_SCORE = re.compile(r"(?:^|(?<= ))([^\s\[\]]*)\[")
_END = "\n\n"  # of the header and of each section
_SECTION = f"{_END}# "


def format_header(properties: Mapping[str, str]) -> str:
    """The header of a book with these properties, in this order."""
    lines = [TITLE, *(f"# {name}: {value}" for name, value in properties.items())]
    return "\n".join(lines) + _END


def header_of(text: str) -> dict[str, str]:
    """The properties in the header of a book; empty if it has no such header."""
    head = text.partition(_END)[0].splitlines()
    if not head or head[0] != TITLE:
        return {}
    pairs = (line.removeprefix("# ").partition(": ") for line in head[1:])
    return {name: value for name, _, value in pairs}


def format_section(
    position: Position, sequence: str, rolls: Iterable[tuple[Roll, Sequence[Nacbrac]]]
) -> str:
    """The section of a position, which `sequence` leads to; empty for the start."""
    lines = [f"# {format_position_id(position)} {sequence}".rstrip()]
    for roll, nacbracs in rolls:
        if nacbracs:
            before = f"{sequence}-" if sequence else ""
            lines.append(f"{before}{roll} {' '.join(map(str, nacbracs))}")
    return "\n".join(lines) + _END


def places_of(text: str) -> dict[str, tuple[int, int]]:
    """Where each section of a book begins, by its Position ID; the first one of a position.

    The first number is that of the character, from 0, the second that of the line, from 1.
    """
    places: dict[str, tuple[int, int]] = {}
    at, start, number = text.find(_SECTION), 0, 1
    while at >= 0:
        number += text.count("\n", start, at + len(_END))
        start = at + len(_END)
        position_id = text[start + 2 : text.find("\n", start)].partition(" ")[0]
        places.setdefault(position_id, (start, number))
        at = text.find(_SECTION, start)
    return places


def find_line(text: str, start: int, roll: Roll) -> tuple[int, int] | None:
    """Where the line of a roll begins and ends in the section at `start`; None if it has none."""
    section = text[start : text.find(_END, start)]
    line = re.compile(rf"^(?:[^\s#]*-)?{roll} .*$", re.MULTILINE).search(section)
    return line and (start + line.start(), start + line.end())


def keys_of(text: str) -> Iterator[tuple[Position, Roll, str]]:
    """The position, roll and score of each nacbrac in a book, without reading the plays."""
    for section in sections_of(text):
        heading, *lines = section.splitlines()
        sign, *words = heading.split() or [""]
        if sign != "#" or not words:
            continue
        position = parse_position_id(words[0])
        for line in lines:
            if match := _LINE.match(line):
                for score in _SCORE.findall(match[2]):
                    yield position, Roll.parse(match[1]), score


def sections_of(text: str) -> Iterator[str]:
    """The complete sections of a book, without its header; the last one may be cut off."""
    start = text.find(_END) + len(_END)
    while (end := text.find(_END, start)) > 0:
        yield text[start : end + len(_END)]
        start = end + len(_END)


def pack(text: str) -> bytes:
    """A book compressed by gzip, with the same bytes at any time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def unpack(data: bytes) -> str:
    """The text of a book in UTF-8, which may be compressed by gzip.

    Raises MalformedError if it is damaged or too long.
    """
    if data.startswith(_GZIP):
        reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | _WITH_GZIP_HEAD)
        try:
            data = reader.decompress(data, _MAX_BYTES)
        except zlib.error:
            raise MalformedError("the compressed book is damaged") from None
        if not reader.eof:
            raise MalformedError("the compressed book is cut off or too long")
    return data.decode("utf-8-sig", "replace")
