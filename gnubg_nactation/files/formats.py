"""A file of any format that is known, read."""

from __future__ import annotations

import os
import re

from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.files.sgf.reading import SgfRecord

__all__ = ["Source", "is_sgf", "is_xg", "read", "read_sources"]

_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")


class Source(NamedTuple):
    """A match, and the bytes that it stands in if these are SGF, which can be given comments."""

    match: Match
    record: SgfRecord | None = None


def is_sgf(data: bytes) -> bool:
    """Whether the bytes begin like a game tree of SGF."""
    return _SGF.match(data) is not None


def is_xg(data: bytes) -> bool:
    """Whether the bytes begin like a file of eXtreme Gammon."""
    return data.startswith(b"RGMH")


def read(source: str | os.PathLike[str] | bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """The matches of a file, by its path or its bytes: match text or gnubg's SGF, one at least.

    The encoding is found out unless it is given. Raises MalformedError, and OSError for a file
    that cannot be opened.
    """
    from pathlib import Path  # noqa: PLC0415 (slow, and what has bytes needs none)

    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    return tuple(one.match for one in read_sources(data, encoding))


def read_sources(data: bytes, encoding: str | None = None) -> tuple[Source, ...]:
    """The matches of a file with what they were read from; raises MalformedError."""
    # Each reader is imported for its own files alone.
    if is_xg(data):
        from gnubg_nactation.files import xg  # noqa: PLC0415

        return (Source(xg.read(data)),)
    if is_sgf(data):
        from gnubg_nactation.files import sgf  # noqa: PLC0415

        return tuple(Source(record.match, record) for record in sgf.read_all(data, encoding))
    from gnubg_nactation.files import mat  # noqa: PLC0415

    return tuple(map(Source, mat.read(data, encoding)))
