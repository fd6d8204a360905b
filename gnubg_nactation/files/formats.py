"""Reads a match file of any supported format."""

from __future__ import annotations

import os
import re

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.hooks import hook
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.files.foreign import Foreign
    from gnubg_nactation.files.sgf import SgfRecord

_REPORT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*[^\r\n()]{1,200}\([^\r\n()]{1,200}\)[^\r\n:]{0,80}:[^\r\n]+[0-9]"
)
_REPORT_MARKS = (b"GNU Backgammon", b"-+     O: ")
HEADING_BYTES = 4096  # of a text report: enough for its head
SUFFIXES = (
    ".mat",
    ".txt",
    ".sgf",
    ".xg",
    ".bgf",
    ".ogxm",
    ".ogxms",
    ".gva",
    ".gvab",
)  # of match files
_OGXM = b"OGXM"
_BGF = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*\{[^\n]{0,2000}\}\s*\n(?:\x1f\x8b|\x78[\x01\x9c\xda]|:\)\n)"
)
_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_GVA_NAMES = (b'"player_white"', b'"action_id"')  # of JSON that GammonView writes
_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")


class Source(NamedTuple):
    """A match and, if the file is SGF, its record, which can be given comments."""

    match: Match
    record: SgfRecord | None = None


def is_sgf(data: bytes) -> bool:
    """Whether the bytes begin like a game tree of SGF."""
    return _SGF.match(data) is not None


def is_xg(data: bytes) -> bool:
    """Whether the bytes begin like a file of eXtreme Gammon."""
    return data.startswith(b"RGMH")


def is_report(data: bytes) -> bool:
    """Whether the bytes begin like a text report of gnubg, which begins with a score."""
    return _REPORT.match(data) is not None and any(mark in data for mark in _REPORT_MARKS)


def is_document(data: bytes) -> bool:
    """Whether the bytes begin like a match of BGBlitz or GammonView or in OGXM."""
    return (
        data.startswith(_OGXM)
        or _BGF.match(data[:HEADING_BYTES]) is not None
        or (_OBJECT.match(data) is not None and all(name in data for name in _GVA_NAMES))
    )


def is_match_file(data: bytes) -> bool:
    """Whether the bytes have a format that holds matches and nothing else."""
    return is_sgf(data) or is_xg(data) or is_report(data) or is_zip(data) or is_document(data)


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin like an archive (.zip)."""
    return data.startswith(b"PK\x03\x04")


def read(source: str | os.PathLike[str] | bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """Read the matches (at least one) of a file, from its path or its bytes.

    Reads match text, gnubg's SGF and text reports, XG's files, score sheets in Nactation, matches
    of BGBlitz and GammonView and in OGXM (with the extra `files`), archives (.zip) of all these,
    and whatever an installed gnubg can convert. Without
    `encoding` the encoding is detected. Raises MalformedError, and OSError if the file cannot be
    opened.
    """
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            source = file.read()
    return tuple(origin.match for origin in read_sources(source, encoding))


def read_sources(data: bytes, encoding: str | None = None) -> tuple[Source, ...]:
    """Read the matches of a file, with their SGF records if it is SGF; raises MalformedError."""
    # Each reader is only imported for its own files.
    if is_xg(data):
        from gnubg_nactation.files import xg  # noqa: PLC0415

        return (Source(xg.read(data)),)
    if is_sgf(data):
        from gnubg_nactation.files import sgf  # noqa: PLC0415

        return tuple(Source(record.match, record) for record in sgf.read_all(data, encoding))
    if is_zip(data):
        return _read_zip(data, encoding)
    if is_document(data):
        from gnubg_nactation.files import ogxm  # noqa: PLC0415

        return tuple(map(Source, ogxm.read(data)))
    if is_report(data):
        from gnubg_nactation.files import report  # noqa: PLC0415

        return tuple(map(Source, report.read(data, encoding)))
    from gnubg_nactation.files import mat  # noqa: PLC0415

    try:
        return tuple(map(Source, mat.read(data, encoding)))
    except MalformedError as error:
        from gnubg_nactation.files.unreadable import describe  # noqa: PLC0415

        problem = describe(data) or str(error)
        is_text = mat.is_text(data)
        matches = is_text and (_convert(data, encoding) or _read_sheet(data, encoding))
        if not matches:
            raise MalformedError(problem) from None
        return tuple(map(Source, matches))


def _read_zip(data: bytes, encoding: str | None) -> tuple[Source, ...]:
    """Read each match file of an archive; the first match has the problems of the others."""
    from gnubg_nactation.files import report, zipped  # noqa: PLC0415 (as above)

    members = {member.name: member for member in zipped.unpack(data, SUFFIXES)}
    headings = {
        name: heading
        for name, member in members.items()
        if is_report(member.data) and (heading := report.read_heading(member.data[:HEADING_BYTES]))
    }
    groups = [[name] for name in members if name not in headings]
    sources: list[Source] = []
    problems: list[str] = []
    for names in sorted([*groups, *report.reports_by_match(headings)]):
        member = members[names[0]]
        try:
            if member.problem:
                raise MalformedError(member.problem)
            if is_zip(member.data):
                raise MalformedError("an archive in an archive; unpack it first")
            joined = b"\n".join([members[name].data for name in names])
            sources += read_sources(joined, encoding)
        except MalformedError as error:
            problems.append(f"{quoted(member.name)}: {error}")
    if not sources:
        raise MalformedError(problems[0])
    first = sources[0]
    match = replace(
        first.match,
        problems=(*first.match.problems, *problems),
        is_incomplete=first.match.is_incomplete or bool(problems),
    )
    return (first._replace(match=match), *sources[1:])


def _read_sheet(data: bytes, encoding: str | None) -> tuple[Match, ...]:
    """Read a score sheet; empty if the data do not begin like one."""
    from gnubg_nactation.files import sheet  # noqa: PLC0415 (as above)
    from gnubg_nactation.files.mat import decode_text  # noqa: PLC0415

    return sheet.read(data, encoding) if sheet.is_sheet(decode_text(data, encoding)) else ()


def _convert(data: bytes, encoding: str | None) -> list[Match]:
    """Have gnubg convert a file; empty if it has none of the formats that gnubg imports."""
    from gnubg_nactation.files import foreign  # noqa: PLC0415 (as above)
    from gnubg_nactation.files.mat import decode_text  # noqa: PLC0415

    text = decode_text(data, encoding)
    kind = foreign.recognised(text)
    if kind is None:
        return []
    texts = foreign.matches_of(text, kind)
    results = [_try_convert(each, kind) for each in texts[:_MAX_CONVERTED]]
    matches = [match for result in results if not isinstance(result, str) for match in result]
    problems = [result for result in results if isinstance(result, str)]
    if not matches:
        raise MalformedError(problems[0])
    if rest := texts[_MAX_CONVERTED:]:
        problems.append(f"{len(rest)} more matches left out; divide the file")
    matches[0] = replace(
        matches[0],
        problems=(*matches[0].problems, *problems),
        is_incomplete=matches[0].is_incomplete or bool(problems),
    )
    return matches


_MAX_CONVERTED = 100  # matches of a file, for each of which a gnubg is started


def _try_convert(text: str, kind: Foreign) -> list[Match] | str:
    """The matches of a text, or why gnubg cannot convert it."""
    from gnubg_nactation.files import sgf  # noqa: PLC0415 (as above)

    try:
        converted, warnings = hook("convert")(text, kind)
        matches = [_without_lines(record.match) for record in sgf.read_all(converted)]
    except MalformedError as error:
        return str(error)
    if not any(game.actions for match in matches for game in match.games):
        return f"{kind.name}, in which GNU Backgammon finds no play"
    matches[0] = replace(matches[0], problems=(*matches[0].problems, *warnings))
    return matches


def _without_lines(match: Match) -> Match:
    """Remove the line numbers, which are those of a temporary file."""
    games = [
        replace(game, actions=tuple([replace(action, line=0) for action in game.actions]))
        for game in match.games
    ]
    return replace(match, games=tuple(games))
