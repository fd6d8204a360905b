"""The parts of an .xg file: a header, a picture, and an archive of files that zlib packed.

`xgparse` knows the layouts. It unpacks to files in the temporary folder and without a limit, so
that is done here, in memory.
"""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.system.extras import import_extra

GAMES, REMARKS = "temp.xg", "temp.xgc"  # names in the archive
_LARGEST = 16 << 20  # bytes of a part; a record has 2,560
_MOST_PARTS = 64


def needed(module: str) -> Any:
    """Import a module of the extra `xg`; raises MalformedError without the extra."""
    reading = "reading .xg files (Python 3.11 or later)"
    return import_extra(module, reading, "xg", MalformedError)


def unpack(data: bytes, wanted: frozenset[str]) -> dict[str, bytes]:
    """The wanted parts of the archive that the file ends with; raises MalformedError."""
    layouts = needed("xgparse.xgzarc")
    end = len(data) - layouts.ArchiveRecord.SIZE
    if end <= 0:
        raise MalformedError("an .xg file that is cut off")
    archive = layouts.ArchiveRecord.from_stream(BytesIO(data[end:]))
    at = end - archive.registrysize
    first = at - archive.archivesize
    if not 0 < first <= at < end or not 0 < archive.filecount <= _MOST_PARTS:
        raise MalformedError("an .xg file that is cut off or damaged: no list of its parts")
    if zlib.crc32(data[first:end]) != archive.crc:
        raise MalformedError("an .xg file that is damaged: the sum of its parts is wrong")
    listed = data[at:end]
    registry = BytesIO(_inflate(listed) if archive.compressedregistry else listed)
    parts = {}
    for _ in range(archive.filecount):
        if len(registry.getbuffer()) - registry.tell() < layouts.FileRecord.SIZE:
            raise MalformedError("an .xg file that is damaged: the list of its parts is short")
        part = layouts.FileRecord.from_stream(registry)
        if part.name in parts:  # 64 of them take seconds to unpack
            raise MalformedError(f"an .xg file that is damaged: it has two parts {part.name}")
        if part.name in wanted:
            if not 0 <= part.start <= at - first or part.csize < 0:
                raise MalformedError(f"an .xg file that is damaged: {part.name} is not in it")
            packed = data[first + part.start : at]
            whole = _inflate(packed) if part.compressed else packed[: part.csize]
            if zlib.crc32(whole) != part.crc:
                raise MalformedError(
                    f"an .xg file that is damaged: the sum of {part.name} is wrong"
                )
            parts[part.name] = whole
    return parts


def _inflate(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise MalformedError(f"an .xg file that is damaged: {error}") from None
    if not unpacking.eof and unpacking.decompress(unpacking.unconsumed_tail, 1):
        raise MalformedError(f"a part of the .xg file is over {_LARGEST >> 20} MB")
    return data
