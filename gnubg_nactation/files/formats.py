"""A file of any format that is known, read."""

from __future__ import annotations

import os
import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.hooks import hook
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.files.sgf.records import SgfRecord

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
    """The matches of a file, by its path or its bytes: one at least.

    It may be match text, gnubg's SGF, a file of XG, or what an installed gnubg converts. The
    encoding is found out unless it is given. Raises MalformedError, and OSError for a file that
    cannot be opened.
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

    try:
        return tuple(map(Source, mat.read(data, encoding)))
    except MalformedError:
        found = _converted(data, encoding)
        if found is None:
            raise
        return found


def _unplaced(match: Match) -> Match:
    """The match without its lines, which are of a file that nobody sees."""
    games = [
        replace(game, actions=tuple([replace(one, line=0) for one in game.actions]))
        for game in match.games
    ]
    return replace(match, games=tuple(games))


def _converted(data: bytes, encoding: str | None) -> tuple[Source, ...] | None:
    """The matches of a file that gnubg converts; None for what is no such file."""
    from gnubg_nactation.files import foreign, sgf  # noqa: PLC0415 (as above)
    from gnubg_nactation.files.mat.match_text import decode_text  # noqa: PLC0415

    text = decode_text(data, encoding)
    kind = foreign.recognised(text)
    if kind is None:
        return None
    written, told = hook("convert")(text, kind)
    matches = [_unplaced(record.match) for record in sgf.read_all(written)]
    if not any(game.actions for match in matches for game in match.games):
        raise MalformedError(f"{kind.name}, in which GNU Backgammon finds no play")
    first, *others = matches
    first = replace(first, problems=(*first.problems, *told))
    return tuple(map(Source, (first, *others)))
