"""Unpacks an .xg file: a header, a picture, and an archive of files compressed by zlib.

`xgparse` has the layouts, but unpacks to files in the temporary folder and without a size limit.
So this module unpacks in memory.
"""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.system.extras import import_extra

GAMES, COMMENTS = "temp.xg", "temp.xgc"  # names in the archive
_MAX_PART_BYTES = 16 << 20  # a record has 2,560
_MAX_PARTS = 64
_DAMAGED = "an .xg file that is damaged"


def needed(module: str) -> Any:
    """Import a module of the extra `xg`; raises MalformedError if it is not installed."""
    reading = "reading .xg files takes Python 3.11 or later and"
    return import_extra(module, reading, "xg", MalformedError)


def unpack(data: bytes, names: frozenset[str]) -> dict[str, bytes]:
    """Unpack some parts of the archive at the end of the file; raises MalformedError."""
    layouts = needed("xgparse.xgzarc")
    end = len(data) - layouts.ArchiveRecord.SIZE
    if end <= 0:
        raise MalformedError("an .xg file that is cut off")
    archive = layouts.ArchiveRecord.from_stream(BytesIO(data[end:]))
    at = end - archive.registrysize
    first = at - archive.archivesize
    if not 0 < first <= at < end or not 0 < archive.filecount <= _MAX_PARTS:
        raise MalformedError("an .xg file that is cut off or damaged: no list of its parts")
    if zlib.crc32(data[first:end]) != archive.crc:
        raise MalformedError(f"{_DAMAGED}: wrong checksum")
    listed = data[at:end]
    registry = BytesIO(_inflate(listed) if archive.compressedregistry else listed)
    parts = {}
    for _ in range(archive.filecount):
        if len(registry.getbuffer()) - registry.tell() < layouts.FileRecord.SIZE:
            raise MalformedError(f"{_DAMAGED}: the list of its parts is cut off")
        part = layouts.FileRecord.from_stream(registry)
        if part.name in parts:  # unpacking 64 takes seconds
            raise MalformedError(f"{_DAMAGED}: it has two parts {part.name}")
        if part.name in names:
            if not 0 <= part.start <= at - first or part.csize < 0:
                raise MalformedError(f"{_DAMAGED}: {part.name} is missing")
            packed = data[first + part.start : at]
            unpacked = _inflate(packed) if part.compressed else packed[: part.csize]
            if zlib.crc32(unpacked) != part.crc:
                raise MalformedError(f"{_DAMAGED}: wrong checksum of {part.name}")
            parts[part.name] = unpacked
    return parts


def _inflate(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, _MAX_PART_BYTES)
    except zlib.error as error:
        raise MalformedError(f"{_DAMAGED}: {error}") from None
    if not inflater.eof and inflater.decompress(inflater.unconsumed_tail, 1):
        raise MalformedError(f"a part of the .xg file is over {_MAX_PART_BYTES >> 20} MB")
    return data
