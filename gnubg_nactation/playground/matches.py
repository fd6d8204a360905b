"""Match files: their pages, and their other forms."""

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

MAX_BYTES = 8_000_000  # of a match file; the page would take minutes for more

_NOT_HERE = (
    "a file of eXtreme Gammon (.xg), which this page cannot read; "
    "export the match in XG as .mat or .txt"
)
_ADVICE = "the program that has the match can export it as .mat"
_ANALYSED_TEXT = (
    "this is the analysis that GNU Backgammon writes as text; save the match there as .sgf instead"
)


def match(data: bytes) -> View:
    """The page of a match file, its title, and what is wrong in the file.

    `analysed` says whether there are errors to tell, without which the page has no quiz.
    """
    annotated = [one for _, one in _annotated(data)]
    titles = [match_title(one.match) for one in annotated]
    return {
        "title": titles[0] if len(titles) == 1 else f"{len(titles)} matches",
        "page": format_html(annotated),
        "analysed": any(total.is_analysed for one in annotated for total in totals(one)),
        "remarks": [remark for one in annotated for remark in remarks_on(one)],
    }


def export_match(data: bytes, form: str) -> str:
    """A match file in another form: `sgf`, `text`, or a target of posts; base64 of its bytes."""
    annotated = _annotated(data)
    match form:
        case "sgf":
            data = b"".join(format_sgf(one, source.record) for source, one in annotated)
        case "text":
            data = "\n".join(format_columns(one) for _, one in annotated).encode()
        case _:
            post = format_matches([one for _, one in annotated], TARGETS[form], PostStyle())
            data = post.encode()
    return binascii.b2a_base64(data, newline=False).decode()


@lru_cache(maxsize=1)  # who saves a match has seen its page
def _annotated(data: bytes) -> tuple[tuple[Source, AnnotatedMatch], ...]:
    if len(data) > MAX_BYTES:
        size, most = len(data) / 1e6, MAX_BYTES // 10**6
        raise MalformedError(f"a file of {size:.0f} MB, and the page takes up to {most}")
    if is_xg(data) and find_spec("xgparse") is None:
        raise MalformedError(_NOT_HERE)
    try:
        sources = read_sources(data)
    except MalformedError as error:
        if is_sgf(data) or is_xg(data):
            raise
        advice = _ANALYSED_TEXT if b"\nMove number 1: " in data else _ADVICE
        raise MalformedError(f"{error}; {advice}") from None
    return tuple((source, annotate(source.match)) for source in sources)
