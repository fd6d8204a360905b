"""The forms of an annotated match: what each is called, how its files end, how it is written.

The module of a form is imported when the form is asked for: text must not wait for JSON.
"""

from __future__ import annotations

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
    """What is to be made of a match, all that the result depends on besides the file."""

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
    in_place: bool = False  # comments are put into the file itself, which must be SGF
    errors: bool = False
    plies: int | None = None  # how deep an engine is to analyse; None: not at all
    engine: str = "auto"  # which one, by its name
    fingerprint: str = ""  # of that, where it is ours and not a cluster's
    blunder: float = BLUNDER  # points that a blunder loses at least
    words: str = "encouraging"  # for rates, or gnubg's
    db: str | None = None  # the database that a page tells of, too
    width: int = 0  # columns of the terminal that text is for; 0: as wide as it is

    @property
    def style(self) -> SequenceLayout:
        """How sequences are written."""
        style = SequenceLayout(self.fans, self.forced, self.start_mark)
        return in_words(style) if self.spoken else style

    @property
    def judging(self) -> tuple[float, bool]:
        """From what size an error is a blunder, and whether gnubg's words are used."""
        return self.blunder, self.words == "gnubg"


Matches = Sequence[AnnotatedMatch]
Records = Sequence["SgfRecord | None"]


class Form(NamedTuple):
    """A form of the result; `suffix` is the ending of its files."""

    suffix: str
    render: Callable[[Matches, Records, AnnotateOptions], bytes]


def by_suffix(name: str | None) -> str:
    """The form of a file by the ending of its name, text for an ending that is unknown."""
    if not name:
        return "text"
    from pathlib import Path

    suffix = Path(name).suffix
    if suffix.lower() == ".json":
        return "json"
    return next((name for name, form in FORMS.items() if form.suffix == suffix.lower()), "text")


def _text(matches: Matches, records: Records, wanted: AnnotateOptions) -> bytes:
    if wanted.boards != "none":
        return _post(matches, records, wanted)
    style, errors, judging = wanted.style, wanted.errors, Judging(*wanted.judging)
    if wanted.layout == "columns":
        traditional = wanted.traditional
        texts = [
            format_columns(
                match,
                traditional=traditional,
                errors=errors,
                style=style,
                judging=judging,
                width=wanted.width,
            )
            for match in matches
        ]
        return "\n".join(texts).encode()
    if errors:
        style = with_errors(style, wanted.blunder)
    if wanted.layout == "column":
        text = "\n".join(format_column(match, style) for match in matches)
    else:
        paired = wanted.layout == "paired"
        text = "".join(format_row(match, paired=paired, style=style) for match in matches)
    if errors:
        accounts = [format_account(match, judging) for match in matches]
        text += "".join(f"\n{account}" for account in accounts if account)
    return text.encode()


def _sgf(matches: Matches, records: Records, wanted: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.sgf import format_sgf

    pairs = zip(matches, records, strict=True)
    return b"".join(format_sgf(match, record, errors=wanted.errors) for match, record in pairs)


def _json(matches: Matches, _: Records, wanted: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.jsonlines import format_json

    return "".join(format_json(match, blunder=wanted.blunder) for match in matches).encode()


def _html(matches: Matches, _: Records, wanted: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.page.html import format_html

    judging = Judging(*wanted.judging)
    if wanted.db is None:
        return format_html(matches, judging).encode()
    from gnubg_nactation.archive.database import archive_at
    from gnubg_nactation.archive.nodes import plays_of

    with archive_at(wanted.db) as connection:
        return format_html(matches, judging, partial(plays_of, connection)).encode()


def _post(matches: Matches, _: Records, wanted: AnnotateOptions) -> bytes:
    from gnubg_nactation.exports.post.posts import PostStyle, format_matches

    target = TARGETS.get(wanted.to, TARGETS["plain"])
    style = PostStyle(
        wanted.layout,
        wanted.fans,
        wanted.forced,
        wanted.start_mark,
        wanted.boards,
        wanted.traditional,
        wanted.errors,
        wanted.spoken,
        Judging(*wanted.judging),
    )
    return format_matches(matches, target, style).encode()


FORMS = {
    "text": Form(".txt", _text),
    "sgf": Form(".sgf", _sgf),
    "json": Form(".jsonl", _json),
    "html": Form(".html", _html),
    **{name: Form(target.suffix, _post) for name, target in TARGETS.items()},
}
