"""Unpacks an .xg file: a header, a picture, and an archive of files compressed by zlib.

The archive is a ZLBArchive of Delphi: the files, then a list of them, then 36 bytes about both.
"""

from __future__ import annotations

import struct
import zlib

from gnubg_nactation.errors import MalformedError

GAMES, COMMENTS = "temp.xg", "temp.xgc"  # names in the archive
_MAX_PART_BYTES = 16 << 20  # a record has 2,560
_MAX_PARTS = 64
_DAMAGED = "an .xg file that is damaged"
_tail = struct.Struct("<Ll4xll?15x")  # checksum; number of files; bytes of list and files; packed
_entry = struct.Struct("<256s260xllL?3x")  # name; bytes, place, checksum; not packed


def unpack(data: bytes, names: frozenset[str]) -> dict[str, bytes]:
    """Unpack some parts of the archive at the end of the file; raises MalformedError."""
    end = len(data) - _tail.size
    if end <= 0:
        raise MalformedError("an .xg file that is cut off")
    checksum, count, list_bytes, part_bytes, is_packed = _tail.unpack_from(data, end)
    at = end - list_bytes
    first = at - part_bytes
    if not 0 < first <= at < end or not 0 < count <= _MAX_PARTS:
        raise MalformedError("an .xg file that is cut off or damaged: no list of its parts")
    if zlib.crc32(data[first:end]) != checksum:
        raise MalformedError(f"{_DAMAGED}: wrong checksum")
    listed = _inflate(data[at:end]) if is_packed else data[at:end]
    if len(listed) < count * _entry.size:
        raise MalformedError(f"{_DAMAGED}: the list of its parts is cut off")
    parts: dict[str, bytes] = {}
    for entry in range(count):
        short, size, start, checksum, is_plain = _entry.unpack_from(listed, entry * _entry.size)
        name = short[1 : short[0] + 1].decode("latin-1")
        if name in parts:  # unpacking 64 takes seconds
            raise MalformedError(f"{_DAMAGED}: it has two parts {name}")
        if name in names:
            if not 0 <= start <= at - first or size < 0:
                raise MalformedError(f"{_DAMAGED}: {name} is missing")
            packed = data[first + start : at]
            unpacked = packed[:size] if is_plain else _inflate(packed)
            if zlib.crc32(unpacked) != checksum:
                raise MalformedError(f"{_DAMAGED}: wrong checksum of {name}")
            parts[name] = unpacked
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
