"""Archives (.zip) with match files."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Iterator

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import NamedTuple

_MAX_FILES = 10_000
_MAX_BYTES = 64 << 20  # of all files together
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_FAULTS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)
_OTHERS = {
    "collection.anki2": "an Anki deck; import it in Anki, or give the match files it is from",
    "collection.anki21": "an Anki deck; import it in Anki, or give the match files it is from",
    "word/document.xml": "a Word document; save it as plain text first",
    "xl/workbook.xml": "a spreadsheet; save it as plain text first",
    "mimetype": "a document or book; save it as plain text first",
}


class Member(NamedTuple):
    """A match file in an archive; `data` is empty if it cannot be unpacked, for the `problem`."""

    name: str
    data: bytes
    problem: str = ""


def unpack(data: bytes, suffixes: tuple[str, ...]) -> tuple[Member, ...]:
    """Return the files of an archive with these endings; raises MalformedError if it has none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            for entry in entries:
                if entry.filename in _OTHERS:
                    raise MalformedError(_OTHERS[entry.filename])
            members = [entry for entry in entries if _is_match(entry, suffixes)]
            if not members:
                raise MalformedError(f"a .zip file without match files ({', '.join(suffixes)})")
            if len(members) > _MAX_FILES or sum(entry.file_size for entry in members) > _MAX_BYTES:
                limit = f"{_MAX_FILES:,} files or {_MAX_BYTES >> 20} MB"
                raise MalformedError(f"a .zip file with more than {limit}; unpack it first")
            return tuple(_members(archive, members))
    except MalformedError:
        raise
    except _FAULTS:
        raise MalformedError("a .zip file that is damaged or cut off") from None


def _is_match(entry: zipfile.ZipInfo, suffixes: tuple[str, ...]) -> bool:
    name = entry.filename
    is_hidden = name.startswith("__MACOSX/") or os.path.basename(name).startswith(".")
    return not entry.is_dir() and not is_hidden and name.lower().endswith(suffixes)


def _members(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> Iterator[Member]:
    for entry in sorted(entries, key=lambda entry: entry.filename):
        name = entry.filename
        if entry.flag_bits & 1 or entry.compress_type not in _METHODS:
            yield Member(name, b"", "packed with a password or an unusual method")
            continue
        try:
            with archive.open(entry) as file:
                yield Member(name, file.read(entry.file_size + 1)[: entry.file_size])
        except _FAULTS:
            yield Member(name, b"", "damaged")
