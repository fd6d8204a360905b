"""Annotating matches: the settings, the forms of the result, and the bytes of a file.

The modules of a form are imported when it is rendered: text must not wait for JSON.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from gnubg_nactation.annotation import AnnotatedMatch, annotate, remarks_on
from gnubg_nactation.decisions.severity import BLUNDER, totals
from gnubg_nactation.engines.engine import GNUBG, Depth
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.text import (
    Judging,
    format_account,
    format_column,
    format_columns,
    format_row,
    with_errors,
)
from gnubg_nactation.files.formats import is_sgf, read_sources
from gnubg_nactation.sequences.notation import SequenceLayout, in_words
from gnubg_nactation.showing import __version__, quoted
from gnubg_nactation.tasks.engines import analyst_setting, plies_setting
from gnubg_nactation.tasks.face import Face, Library
from gnubg_nactation.tasks.outcomes import Failure, engine_of_worker, guarded
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.tasks.sources import encoding_setting
from gnubg_nactation.tasks.styles import (
    characters_setting,
    fans_setting,
    forced_setting,
    spoken_setting,
    start_mark_setting,
)
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.annotation import Analyse
    from gnubg_nactation.engines.engine import Program
    from gnubg_nactation.files.sgf import SgfRecord

LAYOUTS = ("columns", "row", "paired", "column")
FORM_NAMES = ("text", "sgf", "mat", "ogxm", "json", "html", *TARGETS)
_TEXTS = "text and posts"
_NO_ANALYSIS = "no analysis in the file, so no errors to show; --analyse runs an engine"


def _boards(text: str) -> str | int:
    if text in {"none", "comments", "blunders"}:
        return text
    turns = re.fullmatch(r"(?:every[ -]?)?([1-9][0-9]{0,5})", text, re.ASCII)
    if turns:
        return int(turns[1])
    raise MalformedError(f"{quoted(text)} is not none, comments, blunders or a number")


def _points(text: str) -> float:
    with suppress(ValueError):
        if 0.001 <= float(text) <= 10:
            return float(text)
    raise MalformedError(f"{quoted(text)} is not between 0.001 and 10 points")


class AnnotateSettings(Settings, hidden="known_errors"):
    """How matches are annotated, and the form of the result.

    `known_errors` shows the errors of a match that is analysed, and says nothing of others.
    """

    to: str = setting("", "format (default: by the ending of -o, else text)", choices=FORM_NAMES)
    in_place: bool = setting(False, "write comments into the SGF files themselves")
    encoding: str | None = encoding_setting()
    db: str | None = setting(
        None, "with --to html, add statistics from this database of `nactate index`", "FILE"
    )
    analyse: bool = setting(
        False, "analyse the match with an engine, and show errors", group="analysis"
    )
    engine: str = analyst_setting("analysis")
    plies: int | None = plies_setting("analysis")
    errors: bool = setting(
        False, "show errors in points, from the analysis in the file", group="analysis"
    )
    known_errors: bool = setting(False, "")
    letters: bool = setting(
        False,
        "list blunders by their letters only, without the plays in traditional notation",
        group="analysis",
    )
    blunder: float = setting(
        BLUNDER,
        "smallest loss of a blunder; half is an error, a quarter an inaccuracy "
        f"(default: {BLUNDER:.3f}; gnubg: 0.12)",
        "POINTS",
        parse=_points,
        group="analysis",
    )
    words: str = setting(
        "encouraging",
        "words for ratings: encouraging (default) or gnubg's",
        choices=("encouraging", "gnubg"),
        group="analysis",
    )
    layout: str = setting(
        "columns",
        "arrange a game in two columns, a row, a row of pairs, or a column of turns "
        "(default: columns)",
        choices=LAYOUTS,
        group=_TEXTS,
    )
    traditional: bool = setting(False, "add each play in traditional notation", group=_TEXTS)
    characters: str = characters_setting(group=_TEXTS)
    spoken: bool = spoken_setting(_TEXTS)
    fans: str = fans_setting(_TEXTS)
    forced: str = forced_setting(_TEXTS)
    start_mark: str = start_mark_setting(_TEXTS)
    boards: str | int = setting(
        "none",
        "draw boards at comments, at blunders, or every N turns (default: none)",
        "none|comments|blunders|N",
        parse=_boards,
        group=_TEXTS,
    )


class Rendering(AnnotateSettings, hidden="fingerprint width"):
    """All that the result for a file depends on.

    `to` is a form. `plies` is the depth of an engine's analysis, None for no analysis, and
    `fingerprint` that of the engine on this machine. `width` is the number of columns of the
    terminal for text, 0 for no limit.
    """

    to: str = setting("text", "")
    fingerprint: str = setting("", "")
    width: int = setting(0, "")

    @property
    def style(self) -> SequenceLayout:
        """How sequences are written."""
        style = SequenceLayout(self.fans, self.forced, self.start_mark)
        return in_words(style) if self.spoken else style

    @property
    def judging(self) -> Judging:
        """The size of a blunder, the words for ratings, and whether plays follow their letters."""
        return Judging(self.blunder, self.words == "gnubg", plays=not self.letters)

    @property
    def key(self) -> str:
        """A text that differs if the result may differ."""
        return repr((__version__, tuple(vars(self).items())))


def rendering_of(settings: AnnotateSettings, form: str) -> Rendering:
    """Return what the settings make of a match in this form; an analysis also shows errors."""
    names = AnnotateSettings.declared
    values = {name: getattr(settings, name) for name in names} | {"to": form, "plies": None}
    if settings.analyse:
        values |= {"plies": GNUBG.depth(settings.plies).plies, "errors": True}
    return Rendering(**values)


Matches = Sequence[AnnotatedMatch]
Records = Sequence["SgfRecord | None"]


class Form(NamedTuple):
    """A form of the result; `suffix` is the ending of its files."""

    suffix: str
    render: Callable[[Matches, Records, Rendering], bytes]


def by_suffix(name: str | None) -> str:
    """Return the form for a file name by its ending; text if the ending is unknown."""
    suffix = os.path.splitext((name or "").rstrip(f"/{os.sep}"))[1].lower()
    return FORM_OF_SUFFIX.get(suffix, "text")


def _text(matches: Matches, records: Records, settings: Rendering) -> bytes:
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
        accounts = [format_account(match, judging, settings.width) for match in matches]
        text += "".join(f"\n{account}" for account in accounts if account)
    return text.encode()


def _sgf(matches: Matches, records: Records, settings: Rendering) -> bytes:
    from gnubg_nactation.exports.sgf import format_sgf

    pairs = zip(matches, records, strict=True)
    return b"".join(format_sgf(match, record, errors=settings.errors) for match, record in pairs)


def _mat(matches: Matches, *_: object) -> bytes:
    from gnubg_nactation.exports.mat import format_mat

    return "\n".join(map(format_mat, matches)).encode()


def _ogxm(matches: Matches, _: Records, settings: Rendering) -> bytes:
    from gnubg_nactation.exports.ogxm import format_ogxm

    return b"".join(format_ogxm(match, errors=settings.errors) for match in matches)


def _json(matches: Matches, _: Records, settings: Rendering) -> bytes:
    from gnubg_nactation.exports.jsonlines import format_json

    return "".join(
        format_json(match, blunder=settings.blunder, number=number)
        for number, match in enumerate(matches, 1)
    ).encode()


def _html(matches: Matches, _: Records, settings: Rendering) -> bytes:
    from gnubg_nactation.exports.page.html import format_html

    if settings.db is None:
        return format_html(matches, settings.judging).encode()
    from gnubg_nactation.archive.database import archive_at
    from gnubg_nactation.archive.nodes import plays_of

    with archive_at(settings.db) as connection:
        return format_html(matches, settings.judging, partial(plays_of, connection)).encode()


def _post(matches: Matches, _: Records, settings: Rendering) -> bytes:
    from gnubg_nactation.exports.post import PostStyle, format_matches

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
        settings.judging._replace(plays=False),
    )
    return format_matches(matches, target, style).encode()


FORMS = {
    "text": Form(".txt", _text),
    "sgf": Form(".sgf", _sgf),
    "mat": Form(".mat", _mat),
    "ogxm": Form(".ogxm", _ogxm),
    "json": Form(".jsonl", _json),
    "html": Form(".html", _html),
    **{name: Form(target.suffix, _post) for name, target in TARGETS.items()},
}

FORM_OF_SUFFIX = {form.suffix: name for name, form in reversed(FORMS.items())}
FORM_OF_SUFFIX |= {".json": "json", ".htm": "html", ".ogxms": "ogxm"}

# The bytes of a file


class Counts(NamedTuple):
    """How much was annotated, and how many files are incomplete: a match in them is unreadable."""

    matches: int = 0
    games: int = 0
    plays: int = 0
    incomplete: int = 0


class Result(NamedTuple):
    """The annotated bytes of a file, and warnings about its content."""

    data: bytes
    remarks: tuple[str, ...]
    counts: Counts


def attempt(
    data: bytes,
    settings: Rendering,
    engine: Program | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Result | Failure:
    """Annotate the bytes of a file; whatever they are, no exception stops the other files.

    `watch` gets the number of analysed turns of a match, and of all its turns.
    """
    return guarded(lambda: _annotate(data, settings, engine, watch))


def work(data: bytes, settings: Rendering) -> Result | Failure:
    """Annotate the bytes of a file in a worker, which keeps its engine until it ends."""
    if settings.plies is None:
        return attempt(data, settings)
    try:
        with engine_of_worker(settings.engine) as engine:
            return attempt(data, settings, engine)
    except EngineError as error:
        return Failure("engine", str(error))


def _annotate(
    data: bytes,
    settings: Rendering,
    engine: Program | None,
    watch: Callable[[int, int], None] | None,
) -> Result:
    if settings.in_place and not is_sgf(data):
        raise MalformedError("--in-place needs an SGF file")
    sources = read_sources(data, settings.encoding)
    analyse = analysis_by(engine, settings.plies, watch) if engine else None
    matches = [annotate(source.match, settings.characters, analyse) for source in sources]
    if settings.known_errors and any(map(_is_analysed, matches)):
        settings = replace(settings, errors=True)
    output = FORMS[settings.to].render(matches, [source.record for source in sources], settings)
    games = [game for match in matches for game in match.games]
    plays = sum(turn.play is not None for game in games for turn in game.turns)
    incomplete = int(any(source.match.is_incomplete for source in sources))
    remarks = tuple(remark for match in matches for remark in remarks_on(match))
    if settings.errors and settings.plies is None and not any(map(_is_analysed, matches)):
        remarks += (_NO_ANALYSIS,)
    return Result(output, remarks, Counts(len(matches), len(games), plays, incomplete))


def _is_analysed(match: AnnotatedMatch) -> bool:
    return any(total.is_analysed for total in totals(match))


def analysis_by(
    engine: Program, plies: int | None, watch: Callable[[int, int], None] | None
) -> Analyse | None:
    """Return the function that analyses a replayed match; None without `plies`."""
    if plies is None:
        return None
    from gnubg_nactation.engines.analysing import analyse_match

    depth = Depth(plies)
    return lambda match, games: analyse_match(match, engine, depth, watch, games, engine)


def annotate_files(
    sources: Iterable[tuple[str, bytes]],
    settings: AnnotateSettings = AnnotateSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
) -> Iterator[tuple[str, Result | Failure]]:
    """Yield the name of each source, and its annotated bytes or the reason why there are none.

    The form of the results is `settings.to`, by default text. An engine is the face's. Stopped by
    the face, or by closing the generator. Raises EngineError.
    """
    face = face or Library()
    rendering = rendering_of(settings, settings.to or "text")
    engine = None
    if settings.analyse:
        engine = face.open_engine()
        plies = engine.bot.depth(settings.plies).plies
        rendering = replace(rendering, fingerprint=engine.fingerprint, plies=plies)
    for name, data in sources:
        yield name, attempt(data, rendering, engine)
        if face.is_stopped():
            return
