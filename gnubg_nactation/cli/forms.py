"""The forms of an annotated match, with the endings of their files.

The modules of a form are imported when it is rendered: text must not wait for JSON.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from gnubg_nactation import AnnotatedMatch
from gnubg_nactation.decisions.severity import BLUNDER
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.summary import Judging, format_account
from gnubg_nactation.exports.text import format_column, format_columns, format_row, with_errors
from gnubg_nactation.sequences.notation import SequenceLayout, in_words
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.files.sgf import SgfRecord

LAYOUTS = ("columns", "row", "paired", "column")


class AnnotateOptions(NamedTuple):
    """All options that the result for a file depends on."""

    to: str = "text"
    layout: str = "columns"
    traditional: bool = False
    characters: str = "preferred"
    fans: str = "F"
    forced: str = "roll"
    start_mark: str = "-"
    spoken: bool = False
    boards: str | int = "none"
    encoding: str | None = None
    in_place: bool = False  # write comments into the file itself, which must be SGF
    errors: bool = False
    plies: int | None = None  # the depth of an engine's analysis; None for no analysis
    engine: str = "auto"
    fingerprint: str = ""  # of an engine of this machine
    blunder: float = BLUNDER  # points that a blunder loses at least
    words: str = "encouraging"  # for ratings, or gnubg's
    db: str | None = None  # the database whose statistics a page shows
    width: int = 0  # columns of the terminal for text; 0 for no limit

    @property
    def style(self) -> SequenceLayout:
        """How sequences are written."""
        style = SequenceLayout(self.fans, self.forced, self.start_mark)
        return in_words(style) if self.spoken else style

    @property
    def judging(self) -> Judging:
        """The size of a blunder, and the words for ratings."""
        return Judging(self.blunder, self.words == "gnubg")


Matches = Sequence[AnnotatedMatch]
Records = Sequence["SgfRecord | None"]


class Form(NamedTuple):
    """A form of the result; `suffix` is the ending of its files."""

    suffix: str
    render: Callable[[Matches, Records, AnnotateOptions], bytes]


def by_suffix(name: str | None) -> str:
    """Return the form for a file name by its ending; text if the ending is unknown."""
    suffix = os.path.splitext((name or "").rstrip(f"/{os.sep}"))[1].lower()
    if suffix == ".json":
        return "json"
    return next((name for name, form in FORMS.items() if form.suffix == suffix), "text")


def _text(matches: Matches, records: Records, settings: AnnotateOptions) -> bytes:
    if settings.boards != "none":
        return _post(matches, records, settings)
    style, errors, judging = settings.style, settings.errors, settings.judging
    if settings.layout == "columns":
        format_match = partial(
            format_columns,
            traditional=settings.traditional,
            errors=errors,
            style=style,
            judging=judging,
            width=settings.width,
        )
        return "\n".join(map(format_match, matches)).encode()
    if errors:
        style = with_errors(style, settings.blunder)
    if settings.layout == "column":
        text = "\n".join(format_column(match, style) for match in matches)
    else:
        paired = settings.layout == "paired"
        text = "".join(format_row(match, paired=paired, style=style) for match in matches)
    if errors:
        accounts = [format_account(match, judging) for match in matches]
        text += "".join(f"\n{account}" for account in accounts if account)
    return text.encode()


def _sgf(matches: Matches, records: Records, settings: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.sgf import format_sgf

    pairs = zip(matches, records, strict=True)
    return b"".join(format_sgf(match, record, errors=settings.errors) for match, record in pairs)


def _mat(matches: Matches, *_: object) -> bytes:
    from gnubg_nactation.exports.mat import format_mat

    return "\n".join(map(format_mat, matches)).encode()


def _json(matches: Matches, _: Records, settings: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.jsonlines import format_json

    return "".join(
        format_json(match, blunder=settings.blunder, number=number)
        for number, match in enumerate(matches, 1)
    ).encode()


def _html(matches: Matches, _: Records, settings: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.page.html import format_html

    if settings.db is None:
        return format_html(matches, settings.judging).encode()
    from gnubg_nactation.archive.database import archive_at
    from gnubg_nactation.archive.nodes import plays_of

    with archive_at(settings.db) as connection:
        return format_html(matches, settings.judging, partial(plays_of, connection)).encode()


def _post(matches: Matches, _: Records, settings: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.post.posts import PostStyle, format_matches

    target = TARGETS.get(settings.to, TARGETS["plain"])
    style = PostStyle(
        settings.layout,
        settings.fans,
        settings.forced,
        settings.start_mark,
        settings.boards,
        settings.traditional,
        settings.errors,
        settings.spoken,
        settings.judging,
    )
    return format_matches(matches, target, style).encode()


FORMS = {
    "text": Form(".txt", _text),
    "sgf": Form(".sgf", _sgf),
    "mat": Form(".mat", _mat),
    "json": Form(".jsonl", _json),
    "html": Form(".html", _html),
    **{name: Form(target.suffix, _post) for name, target in TARGETS.items()},
}
