"""`nactate replies`: chart the replies to the opening moves, and compare two charts."""

from __future__ import annotations

from gnubg_nactation.archive.database import default_path
from gnubg_nactation.archive.replies import Chart, differences
from gnubg_nactation.cli.results import (
    OfDatabase,
    Printed,
    check_output,
    chosen_form,
    deliver,
    letters_setting,
    width_of,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.chart import (
    chart_book,
    chart_csv,
    chart_json,
    chart_page,
    chart_text,
    differences_csv,
    differences_json,
    differences_text,
    plays_text,
)
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.showing import PlaysStyle
from gnubg_nactation.tasks.openings import (
    RepliesSettings,
    Source,
    chart_from,
    check_sources,
    files_of,
    read_opening,
    read_source,
    today,
)
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.values import replace

DESCRIPTION = """\
Chart the best reply to each opening move and roll, or compare two charts.
Asks an engine, counts the games stored by `nactate index`, or reads a book of nacbracs."""
EXAMPLES = """\
  nactate replies                            takes a few minutes the first time
  nactate replies 31P 43Z --plies 0
  nactate replies --engine book              at once, from the opening book
  nactate replies --to html -o chart.html    one page to print
  nactate replies -o mine.book               a book, for --from and `explore --book`
  nactate replies --from archive --me        what you play
  nactate replies --diff engine archive --min 5

A book has lines such as

  31P-42 [P Z20]   # a comment
"""
USAGE = "[OPENING ...]"
_FORMS = ("text", "csv", "json", "html", "book")
_WIDTH = 120  # columns, unless a terminal has another width


class Options(
    RepliesSettings,
    Printed,
    OfDatabase,
    first="openings source diff tolerance to output letters color opening plies engine order db",
):
    """The settings of the task, and of its result."""

    openings: tuple[Opening, ...] = setting(
        (),
        "only replies to these first moves, as --opening",
        "OPENING",
        parse=read_opening,
        words="any",
    )
    diff: tuple[Source, ...] = setting(
        (),
        "list replies that two sources rank differently, costliest first",
        ("SOURCE", "SOURCE"),
        parse=read_source,
        only_one="source",
    )
    tolerance: float | None = setting(
        None,
        "with --diff, also list plays whose losses differ by more",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
    )
    to: str | None = setting(
        None, "format (default: by the ending of -o, else text)", choices=_FORMS
    )
    letters: bool = letters_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    settings = replace(settings, opening=(*settings.openings, *settings.opening))
    form = chosen_form(settings.to, settings.output, _FORMS, streams)
    if settings.diff and form in {"html", "book"}:
        raise SettingsError("--diff has no page and no book; use --to text, csv or json")
    if settings.tolerance is not None and not settings.diff:
        raise SettingsError("--tolerance goes with --diff")
    sources = settings.diff or (settings.source,)
    path = settings.db or default_path()
    check_output(settings.output, files_of(sources, path))
    check_sources(sources, settings, settings.db)
    first, *others = (chart_from(source, settings, streams, path) for source in sources)
    width = width_of(streams) or _WIDTH
    if others:
        text = _compared(first, others[0], settings, form, width)
    else:
        text = _charted(first, settings, form, width)
    deliver(text, form, settings, streams)
    return Status.OK


def _charted(chart: Chart, settings: Options, form: str, width: int) -> str:
    if form == "html":
        return chart_page(chart)
    if form == "book":
        return chart_book(chart, today())
    if form == "text":
        # All thirty openings would have 630 lines of plays.
        plays = bool(settings.opening) and not settings.letters
        return chart_text(chart, width) + plays_text(chart, PlaysStyle(plays, width))
    return {"csv": chart_csv, "json": chart_json}[form](chart)


def _compared(first: Chart, second: Chart, settings: Options, form: str, width: int) -> str:
    rows = list(differences(first, second, tolerance=settings.tolerance))
    if form == "text":
        return differences_text(first, second, rows, PlaysStyle(not settings.letters, width))
    return {"csv": differences_csv, "json": differences_json}[form](first, second, rows)
