"""The comments of an .xg file: a line each, most of them RTF."""

from __future__ import annotations

from contextlib import suppress

from gnubg_nactation.files.xg.archive import needed

__all__ = ["read_remarks"]

_NEW_LINE = b"\x01\x02"  # within a comment
_LONGEST = 100_000  # bytes of one


def read_remarks(part: bytes) -> tuple[str, ...]:
    """The comments as plain text, in the order in which the records number them."""
    return tuple(map(_plain, part.split(b"\r\n")))


def _plain(line: bytes) -> str:
    raw = line[:_LONGEST].replace(_NEW_LINE, b"\n")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    if text.startswith("{\\rtf"):
        reader = needed("striprtf.striprtf")
        with suppress(Exception):  # it raises whatever comes of damaged RTF, kept as it is
            text = reader.rtf_to_text(text, errors="replace")
    return text.strip()
