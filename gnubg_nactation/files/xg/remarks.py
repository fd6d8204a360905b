"""The comments of an .xg file: a line each, most of them RTF."""

from __future__ import annotations

from gnubg_nactation.files.xg.rtf import read_rtf

_LINE_END = b"\r\n"
_NEW_LINE = b"\x01\x02"  # within a comment
_MAX_BYTES = 100_000  # of one
_MAX_BYTES_OF_ALL = 2_000_000
_MAX_COMMENTS = 20_000  # a record names one or two, and a file has 6,500 records at most


def read_remarks(part: bytes, problems: list[str]) -> tuple[str, ...]:
    """The comments as plain text, in the order in which the records number them.

    A problem is added if the file has more than are read.
    """
    lines = part[:_MAX_BYTES_OF_ALL].split(_LINE_END, _MAX_COMMENTS)
    if len(part) > _MAX_BYTES_OF_ALL or any(lines[_MAX_COMMENTS:]):
        lines = lines[:_MAX_COMMENTS]
        problems.append(f"too many or too long comments: only the first {len(lines):,} are read")
    return tuple(map(_plain, lines))


def _plain(line: bytes) -> str:
    raw = line[:_MAX_BYTES].replace(_NEW_LINE, b"\n")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    return (read_rtf(text) if text.startswith("{\\rtf") else text).strip()
