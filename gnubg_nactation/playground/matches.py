"""Match files as pages and in other formats."""

from __future__ import annotations

import binascii
from functools import lru_cache
from importlib.util import find_spec

from gnubg_nactation.annotation import AnnotatedMatch, annotate, remarks_on
from gnubg_nactation.decisions.totals import totals
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.post.posts import PostStyle, format_matches
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns, match_title
from gnubg_nactation.exports.views import View
from gnubg_nactation.files.formats import Source, is_sgf, is_xg, read_sources

MAX_BYTES = 8_000_000  # a larger match file would take minutes

_NO_XG = (
    "this page cannot read files of eXtreme Gammon (.xg); export the match in XG as .mat or .txt"
)
_ADVICE = "export the match as .mat from the program that saved it"
_ANALYSED_TEXT = (
    "this is an analysis exported from GNU Backgammon as text; save the match there as .sgf"
)


def match(data: bytes) -> View:
    """The page of a match file, its title, and the problems in the file.

    `analysed` is whether the file has an analysis, without which the page has no quiz.
    """
    matches = [annotated for _, annotated in _annotated(data)]
    titles = [match_title(annotated.match) for annotated in matches]
    return {
        "title": titles[0] if len(titles) == 1 else f"{len(titles)} matches",
        "page": format_html(matches),
        "analysed": any(total.is_analysed for match in matches for total in totals(match)),
        "remarks": [remark for match in matches for remark in remarks_on(match)],
    }


def export_match(data: bytes, form: str) -> str:
    """A match file as `sgf`, `text`, or the post for a target, in base64."""
    matches = _annotated(data)
    match form:
        case "sgf":
            data = b"".join(format_sgf(match, source.record) for source, match in matches)
        case "text":
            data = "\n".join(format_columns(match) for _, match in matches).encode()
        case _:
            post = format_matches([match for _, match in matches], TARGETS[form], PostStyle())
            data = post.encode()
    return binascii.b2a_base64(data, newline=False).decode()


@lru_cache(maxsize=1)  # a match is saved after its page was shown
def _annotated(data: bytes) -> tuple[tuple[Source, AnnotatedMatch], ...]:
    if len(data) > MAX_BYTES:
        size, limit = len(data) / 1e6, MAX_BYTES // 10**6
        raise MalformedError(f"a file of {size:.0f} MB; this page reads up to {limit} MB")
    if is_xg(data) and find_spec("xgparse") is None:
        raise MalformedError(_NO_XG)
    try:
        sources = read_sources(data)
    except MalformedError as error:
        if is_sgf(data) or is_xg(data):
            raise
        advice = _ANALYSED_TEXT if b"\nMove number 1: " in data else _ADVICE
        raise MalformedError(f"{error}; {advice}") from None
    return tuple((source, annotate(source.match)) for source in sources)
